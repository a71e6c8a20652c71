"""Ids hashed side by side are those of the standard library, whatever the lengths."""

from __future__ import annotations

import random
from itertools import pairwise
from pathlib import Path

import numpy
import pytest

from mango_data import edge, maze_of
from worldquiz.mango.maze.maze import Edge
from worldquiz.mango.paths.ids import path_id, path_ids, texts_of
from worldquiz.mango.paths.sha import LANES
from worldquiz.mango.paths.store import store


def ids(edges: list[Edge], parent: list[int], last: list[int]) -> list[str]:
    rows = path_ids(texts_of(edges), numpy.array(parent, "int32"), numpy.array(last, "int16"))
    return [bytes(row).hex() for row in rows]


def chain(edges: list[Edge]) -> tuple[list[int], list[int]]:
    return list(range(-1, len(edges) - 1)), list(range(len(edges)))


@pytest.mark.parametrize("length", [*range(70), 119, 120, 127, 128, 500])
def test_texts_of_every_length_modulo_a_block(length: int) -> None:
    names = ["a", "b" * length, "c", "dé" * (length // 3)]
    edges = [edge(a, "go", b, 1) for a, b in pairwise(names)]
    assert ids(edges, *chain(edges)) == [path_id(edges[: n + 1]) for n in range(3)]


def test_more_paths_than_lanes_of_all_lengths() -> None:
    random_ = random.Random(3)
    edges = [edge(f"room {n}", "x" * random_.randrange(90), f"room {n + 1}", 1) for n in range(40)]
    parent: list[int] = []
    last: list[int] = []
    ways: list[list[Edge]] = []
    for row in range(20 * LANES):
        above = random_.randrange(-1, row)
        parent.append(above)
        last.append(random_.randrange(len(edges)))
        ways.append([*(ways[above] if above >= 0 else []), edges[last[-1]]])
    assert ids(edges, parent, last) == [path_id(way) for way in ways]


def test_no_paths_at_all() -> None:
    assert ids([], [], []) == []
    assert ids([edge("a", "go", "b", 1)], [], []) == []


def test_the_same_bytes_however_many_processors(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    rooms = [f"room {n}" for n in range(7)]
    maze = maze_of(*(edge(a, "go", b, 1) for a in rooms for b in rooms if a != b))
    files = []
    for processors in (1, 2, 5, None):
        monkeypatch.setattr("os.cpu_count", lambda many=processors: many)
        files.append(store(maze, tmp_path / str(processors), ids=True).read_bytes())
    assert len(set(files)) == 1
