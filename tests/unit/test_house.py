"""The shape of the house: no circle between files, and a map of rooms that is current."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

SCRIPTS = Path(__file__).parents[2] / "scripts"
sys.path.insert(0, str(SCRIPTS))

import rooms  # noqa: E402


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
