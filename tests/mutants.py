"""The share of small faults that tests find, in the modules that decide truth.

mutmut puts one fault at a time into a function and runs the tests that reach it (`[tool.mutmut]` in
pyproject.toml names modules and tests). ``just mutants`` tries all of them, ``just mutants
facts/grade.py`` one module's. It starts afresh each time, since mutmut keeps tests and modules that
are gone or have changed, and tries one fault at a time. To see a survivor: ``mutmut show NAME``.
"""

from __future__ import annotations

import shutil
import subprocess
import sys
import tomllib
from collections import Counter, defaultdict
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).parents[1]
FOUND = ("killed", "timeout", "suspicious", "segfault", "caught by type check")


def modules() -> list[str]:
    """Return the modules that decide truth, by file below src/worldquiz."""
    config = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["mutmut"]
    return [path.removeprefix("src/worldquiz/") for path in config["only_mutate"]]


def dotted(module: str) -> str:
    return "worldquiz." + module.removesuffix(".py").replace("/", ".")


@dataclass(frozen=True, slots=True)
class Fault:
    """A fault that was tried."""

    module: str
    name: str  # as `mutmut show` takes it
    status: str

    @property
    def found(self) -> bool:
        """Whether a test failed with it."""
        return self.status in FOUND


def faults(results: Iterable[str], chosen: Iterable[str]) -> list[Fault]:
    """Read the faults of some modules from mutmut's lines: ``PACKAGE.FAULT: STATUS``."""
    split = [line.strip().rpartition(": ") for line in results]
    return [
        Fault(module, name, status)
        for module in chosen
        for name, _, status in split
        if name.startswith(f"{dotted(module)}.")
    ]


def shares(tried: Iterable[Fault]) -> dict[str, Counter[str]]:
    """Count outcomes by module."""
    found: dict[str, Counter[str]] = defaultdict(Counter)
    for fault in tried:
        found[fault.module]["found" if fault.found else fault.status] += 1
    return found


def table(found: dict[str, Counter[str]]) -> str:
    """Return a line for each module and one for all: found, tried, share."""
    rows = [*found.items(), ("all", sum(found.values(), Counter[str]()))]
    return "\n".join(
        f"{module:32} {counts['found']:4} of {counts.total():4}"
        f"  {counts['found'] / (counts.total() or 1):7.1%}"
        for module, counts in rows
    )


def main(chosen: list[str]) -> int:
    """Try the faults of some modules, and print what was found and what was not."""
    wanted = [module for module in modules() if not chosen or module in chosen]
    if len(wanted) < len(chosen):
        print(f"not among {', '.join(modules())}: {', '.join(set(chosen) - set(wanted))}")
        return 2
    mutmut = [sys.executable, "-m", "mutmut"]
    run = [*mutmut, "run", "--max-children", "1", *(f"{dotted(module)}.*" for module in wanted)]
    shutil.rmtree(ROOT / "mutants", ignore_errors=True)
    tried = subprocess.run(run, cwd=ROOT, stdout=subprocess.DEVNULL)
    if tried.returncode:
        print("mutmut could not run: see `mutmut run`")
        return tried.returncode
    results = [*mutmut, "results", "--all", "true"]
    listed = subprocess.run(results, cwd=ROOT, capture_output=True, text=True, check=True).stdout
    outcomes = faults(listed.splitlines(), wanted)
    print(table(shares(outcomes)))
    print(*(f"{fault.name}: {fault.status}" for fault in outcomes if not fault.found), sep="\n")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
