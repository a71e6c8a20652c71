"""The shape of the house: its size, no circle between files, and a map of rooms that is current."""

from __future__ import annotations

import sys
from collections import Counter
from pathlib import Path

import pytest

SCRIPTS = Path(__file__).parents[2] / "scripts"
sys.path.insert(0, str(SCRIPTS))

import rooms  # noqa: E402

ROOT = Path(__file__).parents[2]
PACKAGE = ROOT / "src" / "worldquiz"
SCENES = ROOT / "packages" / "worldquiz-scenes"
SHARED = {
    "exam": ("exam", "runs", "llm", "stats", "export", "records.py", "trust.py", "splits.py"),
    "page": ("page",),
    "person and server": ("human", "serve"),
}
"""Rooms of several folders and files. Any other folder is a room; all other files are the face."""
BUDGET = {
    "t2q": (9_618, 8_500),
    "tea": (8_127, 7_500),
    "mango": (7_172, 6_500),
    "scenes": (9_267, 9_300),
    "exam": (5_746, 4_500),
    "memory": (2_018, 1_900),
    "person and server": (1_683, 1_300),
    "page": (1_592, 2_200),
    "cli": (1_022, 700),
    "facts": (1_828, 1_100),
    "face": (676, 500),
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


def circles(pairs: list[tuple[str, str]]) -> list[set[str]]:
    """Return the sets of files that import each other in a circle (Tarjan's components)."""
    below: dict[str, list[str]] = {}
    for importer, imported in pairs:
        below.setdefault(importer, []).append(imported)
    index: dict[str, int] = {}
    low: dict[str, int] = {}
    stack: list[str] = []
    found: list[set[str]] = []

    def visit(name: str) -> None:
        index[name] = low[name] = len(index)
        stack.append(name)
        for other in below.get(name, ()):
            if other not in index:
                visit(other)
                low[name] = min(low[name], low[other])
            elif other in stack:
                low[name] = min(low[name], index[other])
        if low[name] == index[name]:
            part = set(stack[stack.index(name) :])
            del stack[stack.index(name) :]
            if len(part) > 1:
                found.append(part)

    for name in sorted(below):
        if name not in index:
            visit(name)
    return found


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
