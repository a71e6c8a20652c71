"""Ids hashed along a tree are those of the whole paths' JSON, whatever the lengths."""

from __future__ import annotations

import random
from itertools import pairwise

import pytest

from mango_data import edge
from worldquiz.mango.maze.maze import Edge
from worldquiz.mango.paths.official import ID_BYTES, path_id, path_ids


def ids(edges: list[Edge], parent: list[int], last: list[int]) -> list[str]:
    joined = path_ids(edges, parent, last).hex()
    return [joined[at : at + 2 * ID_BYTES] for at in range(0, len(joined), 2 * ID_BYTES)]


def chain(edges: list[Edge]) -> tuple[list[int], list[int]]:
    return list(range(-1, len(edges) - 1)), list(range(len(edges)))


@pytest.mark.parametrize("length", [*range(70), 119, 120, 127, 128, 500])
def test_texts_of_every_length_modulo_a_block(length: int) -> None:
    names = ["a", "b" * length, "c", "dé" * (length // 3)]
    edges = [edge(a, "go", b, 1) for a, b in pairwise(names)]
    assert ids(edges, *chain(edges)) == [path_id(edges[: n + 1]) for n in range(3)]


def test_depth_first_trees_of_any_shape() -> None:
    random_ = random.Random(3)
    edges = [edge(f"room {n}", "x" * random_.randrange(90), f"room {n + 1}", 1) for n in range(40)]
    parent: list[int] = []
    last: list[int] = []
    ways: list[list[Edge]] = []
    trail = [-1]  # no path, and the rows that lead to the latest one
    for row in range(640):
        trail = trail[: max(1, len(trail) - random_.choice((0, 0, 0, 1, 2, 9)))]
        above = trail[-1]
        parent.append(above)
        last.append(random_.randrange(len(edges)))
        ways.append([*(ways[above] if above >= 0 else []), edges[last[-1]]])
        trail.append(row)
    assert len(set(map(len, ways))) > 5
    assert ids(edges, parent, last) == [path_id(way) for way in ways]


def test_no_paths_at_all() -> None:
    assert ids([], [], []) == []
    assert ids([edge("a", "go", "b", 1)], [], []) == []
