"""Every command's help fits 80 columns, names each option's use, and is quick."""

from __future__ import annotations

import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from command import worldquiz

ROOT = Path(__file__).parents[3]
sys.path.insert(0, str(ROOT / "scripts"))

import cli_reference  # noqa: E402

HEAVY = {
    "textworld", "jericho", "ortools", "matplotlib", "numpy", "scipy", "pyarrow", "jinja2", "tatsu",
    "inspect_ai",
}  # fmt: skip


def commands(*path: str) -> Iterator[tuple[str, ...]]:
    """Yield every command, by the lists that helps of groups print."""
    yield path
    if len(path) < 2:
        listed = worldquiz(*path, "--help").out.partition("Options:")[2]
        for name in re.findall(r"^  ([a-z]+) +[A-Z]", listed, re.MULTILINE):
            yield from commands(*path, name)


@pytest.mark.parametrize("path", [*commands()], ids=" ".join)
def test_help_fits_eighty_columns_and_tells_what_each_option_is_for(path: tuple[str, ...]) -> None:
    said = worldquiz(*path, "--help")
    assert (said.code, said.err) == (0, "")
    assert [line for line in said.out.splitlines() if len(line) > 80] == []
    untold = re.findall(r"^  (?!--help)-.*\n(?=  -|\n|$)", said.out, re.MULTILINE)
    assert [line for line in untold if len(line.split("  ")) < 3] == []


def test_the_command_reference_is_current() -> None:
    assert cli_reference.PAGE.read_text() == cli_reference.page(), "run `just docs`"


IN_TESTS = "import sys; sys.path.insert(0, 'tests'); from command import worldquiz; "


def loaded(code: str) -> set[str]:
    """Return which modules are loaded after some code has run in a fresh process."""
    script = f"{code}\nimport sys; print(*sys.modules)"
    done = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, check=True, cwd=ROOT
    )
    return set(done.stdout.splitlines()[-1].split())


def test_help_loads_nothing_but_the_declarations_of_commands() -> None:
    names = loaded(
        "import sys; sys.path.insert(0, 'scripts')\nfrom cli_reference import page\npage()"
    )
    assert names & {"pydantic", "rich", "asyncio", *HEAVY} == set()
    ours = {name.removeprefix("worldquiz.") for name in names if name.startswith("worldquiz.")}
    declaring = re.compile(r"cli(\..+)?|(t2q|mango|tea)(\.(benchmark|settings|cli(\..+)?))?")
    rest = {name for name in ours if not declaring.fullmatch(name)}
    assert rest <= {
        "errors", "page", "page.labels", "plugins", "runs", "runs.benchmark", "runs.settings",
        "version",
    }  # fmt: skip


@pytest.mark.slow
@pytest.mark.parametrize(
    ("code", "without"),
    [
        ("import worldquiz", HEAVY | {"pydantic", "click", "rich"}),
        ("import worldquiz as wq; wq.t2q.build; wq.mango.build; wq.load", HEAVY),
        (f"{IN_TESTS}worldquiz('t2q', 'agents', '--json')", HEAVY),
    ],
)
def test_nothing_heavy_is_loaded_before_it_is_used(code: str, without: set[str]) -> None:
    assert loaded(code) & without == set()
