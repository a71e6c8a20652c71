"""The shape of the house: its size, no circle between files, and a map of rooms that is current.

Also by which doors tests come in: the names that users import and the command line, or inner rooms.
"""

from __future__ import annotations

import ast
import re
import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import networkx
import pytest

ROOT = Path(__file__).parents[2]
sys.path[:0] = [str(ROOT / "scripts"), str(ROOT / "docs" / "site")]

import prepare  # noqa: E402
import rooms  # noqa: E402

PACKAGE = ROOT / "src" / "worldquiz"
SCENES = ROOT / "packages" / "worldquiz-scenes"
SHARED = {
    "exam": ("exam", "runs", "llm", "stats", "export", "records.py", "trust.py", "splits.py"),
    "page": ("page",),
    "person and server": ("human", "serve"),
}
"""Rooms of several folders and files. Any other folder is a room; all other files are the face."""
BUDGET = {
    "t2q": (10_497, 9_700),
    "tea": (7_887, 7_500),
    "mango": (6_760, 6_500),
    "scenes": (9_645, 9_500),
    "exam": (5_918, 4_500),
    "memory": (1_862, 1_900),
    "person and server": (1_709, 1_300),
    "page": (1_522, 2_200),
    "cli": (1_004, 700),
    "facts": (1_406, 1_100),
    "face": (481, 500),
}
"""Most lines of each room, now and in the end (docs/decisions/0001-layered-house.md).

Every file that is shipped counts. A number only falls: after a cut, write the new one.
"""
SLACK = 60
"""Lines that a room may have fewer than its budget says."""


def room(path: Path) -> str:
    """Return the room of a file of the package."""
    if path.is_relative_to(SCENES):
        return "scenes"
    top = path.relative_to(PACKAGE).parts[0]
    for name, parts in SHARED.items():
        if top in parts:
            return name
    return top if (PACKAGE / top).is_dir() else "face"


def lines(path: Path) -> int:
    """Return the lines of a file."""
    return path.read_bytes().count(b"\n")


def sizes() -> Counter[str]:
    """Return the lines of each room: of Python, templates, prompts, tables."""
    shipped = (path for top in (PACKAGE, SCENES / "src") for path in top.rglob("*"))
    found: Counter[str] = Counter()
    for path in shipped:
        if path.is_file() and "__pycache__" not in path.parts:
            found[room(path)] += lines(path)
    return found


def test_a_room_keeps_its_budget_and_the_budget_follows_a_cut() -> None:
    now = sizes()
    assert {name for name in now if now[name] > BUDGET[name][0]} == set()
    assert {name for name in now if now[name] < BUDGET[name][0] - SLACK} == set(), "lower these"


def test_tests_are_no_longer_than_the_source() -> None:
    """Helpers count; data of tests do not."""
    tests = [*(ROOT / "tests").rglob("*.py"), *(SCENES / "tests").rglob("*.py")]
    source = [*PACKAGE.rglob("*.py"), *(SCENES / "src").rglob("*.py")]
    assert sum(map(lines, tests)) <= sum(map(lines, source))


PUBLIC_SHARE = 0.61
"""Share of test files that enter by what users import alone; it only rises."""


def imported(program: str) -> Iterator[str]:
    """Yield the modules of ours that a program imports."""
    for node in ast.walk(ast.parse(program)):
        if not isinstance(node, ast.Import | ast.ImportFrom):
            continue
        names = [alias.name for alias in node.names]
        if isinstance(node, ast.ImportFrom):
            below = [f"{node.module}.{name}" for name in names]
            names = [name if is_module(name) else str(node.module) for name in below]
        yield from filter(is_module, names)


def is_module(name: str) -> bool:
    """Tell whether a dotted name is a module or package of ours."""
    place = Path(*name.split("."))
    tops = (PACKAGE.parent, SCENES / "src")
    return any((top / place).with_suffix(".py").is_file() or (top / place / "__init__.py").is_file()
               for top in tops)  # fmt: skip


def for_users() -> set[str]:
    """Return the modules for users.

    Those of the documentation's Python API, those that an example or a block of Python in a README
    or a guide imports, and those of which the README of worldquiz-scenes says what they do.
    """
    readme = SCENES / "README.md"
    pages = [ROOT / "README.md", readme, *(ROOT / "docs").rglob("*.md")]
    blocks = [
        block
        for page in pages
        for block in re.findall(r"^```python\n(.*?)^```", page.read_text(), re.M | re.S)
    ]
    examples = [path.read_text() for path in (ROOT / "examples").rglob("*.py")]
    described = re.findall(r"^\| ((?:`\w+`(?:, )?)+) \|", readme.read_text(), re.M)
    return {
        "worldquiz.gym", "worldquiz_scenes", *(f"worldquiz.{name}" for name in rooms.BENCHMARKS),
        *prepare.API,
        *(module for program in (*blocks, *examples) for module in imported(program)),
        *(f"worldquiz_scenes.{name}" for row in described for name in re.findall(r"\w+", row)),
    }  # fmt: skip


def test_most_test_files_enter_by_what_users_import_or_by_the_command_line() -> None:
    """A helper counts for nobody: it may know a room for the many that know the helper alone."""
    public = for_users()
    files = [*(ROOT / "tests").rglob("test_*.py"), *(SCENES / "tests").rglob("test_*.py")]
    inner = [path for path in files if set(imported(path.read_text())) - public]
    share = 1 - len(inner) / len(files)
    assert share >= PUBLIC_SHARE
    assert share < PUBLIC_SHARE + 0.03, "raise it"


def circles(pairs: list[tuple[str, str]]) -> list[set[str]]:
    """Return the sets of files that import each other in a circle."""
    parts = networkx.strongly_connected_components(networkx.DiGraph(pairs))
    return [part for part in parts if len(part) > 1]


def test_no_two_files_import_each_other_in_a_circle() -> None:
    assert circles(rooms.imports(typing=True)) == []


def test_a_circle_is_found_where_there_is_one() -> None:
    assert circles([("a", "b"), ("b", "c"), ("c", "a"), ("c", "d")]) == [{"a", "b", "c"}]


@pytest.mark.parametrize("benchmark", rooms.BENCHMARKS)
def test_a_benchmark_stands_above_every_shared_room(benchmark: str) -> None:
    above = {a for a, b in rooms.arrows() if b == benchmark}
    assert above == set()


def test_the_map_of_rooms_is_current() -> None:
    assert rooms.TABLE.read_text() == rooms.table(rooms.arrows()), "run `just rooms`"
