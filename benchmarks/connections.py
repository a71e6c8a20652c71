"""What does a run connect to, beside the model's server?

    uv run python benchmarks/connections.py [--tasks FOLDER] [--json]

Each memory plays a world of Task2Quiz; MANGO and, with `--tasks` (a folder of `worldquiz tea
generate`), TEA are asked as well. Every run is a process of its own with an empty home folder, and
strace is the witness: it sees each address that the process and all that it starts connect or send
to, whatever library does it. The model is the tests' server, on the loopback.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.table import Table

sys.path.insert(0, str(Path(__file__).parents[1] / "tests"))

from command import worldquiz
from modelserver import perfect, serving
from worldquiz.memory.catalog import memories

_INTERNET = re.compile(r'sin6?_port=htons\((\d+)\).*?"([0-9a-f.:]+)"')
_LOCAL = re.compile(r'sun_path=@?"([^"]*)"')
_KEPT = ("PATH", "VIRTUAL_ENV", "OMP_NUM_THREADS", "LANG")


def addresses(trace: str) -> Iterator[str]:
    """Yield what calls of the system name: addresses of the internet, and sockets of the machine.

    Netlink, by which a process asks the system for its own addresses, leads nowhere.
    """
    for line in trace.splitlines():
        if found := _INTERNET.search(line):
            yield f"{found[2]}:{found[1]}"
        elif found := _LOCAL.search(line):
            yield f"unix:{found[1]}"


def witnessed(command: Sequence[object], folder: Path) -> tuple[int, list[str]]:
    """Carry out a command of worldquiz; return its exit code and all that it reached out to."""
    home, trace = folder / "home", folder / "trace"
    home.mkdir(parents=True)
    words = [sys.executable, "-m", "worldquiz", *map(str, command)]
    environment = {name: os.environ[name] for name in _KEPT if name in os.environ}
    ended = subprocess.run(
        ["strace", "-f", "-qq", "-e", "trace=connect,sendto,sendmsg,sendmmsg", "-o", trace, *words],
        env=environment | {"HOME": str(home)}, capture_output=True, check=False,
    )  # fmt: skip
    if ended.returncode:
        sys.stderr.write(ended.stderr.decode())
    return ended.returncode, sorted(set(addresses(trace.read_text(errors="replace"))))


def measure(folder: Path, tasks: Path | None) -> list[dict[str, Any]]:
    """Return what every run reached out to."""
    suite, mazes = folder / "suite", folder / "mazes"
    worldquiz("t2q", "build", "--preset", "easy", "--worlds", 1, "--seed", 11, "--out", suite)
    worldquiz("mango", "generate", "--mazes", 1, "--size", 8, "--seed", 1, "--out", mazes)
    runs: dict[str, tuple[object, ...]] = {
        f"Task2Quiz, {each.name}": ("t2q", "run", suite, "--memory", each.name, "--max-steps", 2)
        for each in memories()
    }
    runs["MANGO"] = ("mango", "run", mazes, "--per-maze", 2)
    if tasks is not None:
        runs["TEA"] = ("tea", "run", tasks, "--tasks", 8, "--walks", 1)
    found = []
    for name, command in runs.items():
        here = folder / name.replace(", ", "-")
        with serving(perfect()) as server:
            reach = ("--model", "m", "--base-url", server.base_url, "--out", here / "run")
            code, reached = witnessed([*command, *reach], here)
        own = server.base_url.removeprefix("http://").partition("/")[0]
        others = [each for each in reached if each != own]
        found.append({"run": name, "code": code, "server": own in reached, "others": others})
    return found


def main() -> None:
    """Measure, and print."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--tasks", type=Path)
    parser.add_argument("--json", action="store_true")
    asked = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        lines = measure(Path(name), asked.tasks)
    if asked.json:
        print(json.dumps(lines, indent=2))
        return
    table = Table("run", "exit code", "reached the server", "reached others")
    for line in lines:
        table.add_row(*(str(line[key]) for key in ("run", "code", "server")),
                      ", ".join(line["others"]) or "none")  # fmt: skip
    Console().print(table)


if __name__ == "__main__":
    main()
