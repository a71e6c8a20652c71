"""Simple paths by example: a house with a stair and a chute, and what goes wrong."""

from __future__ import annotations

from pathlib import Path

import pytest

from conftest import no_file_beyond
from mango_data import edge, maze_of
from worldquiz.errors import KnobError, RecordError
from worldquiz.mango.maze import Maze
from worldquiz.mango.paths import (
    Net,
    Route,
    count,
    pair_id,
    pairs,
    path_id,
    paths,
    sample,
)
from worldquiz.mango.stats import write_jsonl

HOUSE = maze_of(
    edge("hall", "up", "attic", 1, 3),
    edge("attic", "down", "hall", 3, 1),
    edge("attic", "slide", "cellar", 4),
    edge("hall", "down", "cellar", 7, 6),
    edge("cellar", "up", "hall", None, 7),
    edge("hall", "jump", "hall", 5),
    name="house",
)


def test_too_many_paths_to_count() -> None:
    with pytest.raises(KnobError, match=r"'house' has more than 8 simple paths: take fewer steps"):
        count(Net.of(HOUSE), most=8)


def test_the_same_id_as_the_published_one() -> None:
    first = edge("west of house", "north", "north of house", 1)
    assert path_id([first]).startswith("abff93fa369a032276d6dc3dd28517a9")
    assert pair_id("west of house", "north of house").startswith("bd862646ce9f0ced07d5f7d7b2")


def test_a_full_disk_leaves_what_was_there(tmp_path: Path) -> None:
    path = tmp_path / "house.all2all.jsonl"
    path.write_text("before")
    with no_file_beyond(100), pytest.raises(RecordError, match="cannot write"):
        write_jsonl(HOUSE, tmp_path)
    assert path.read_text() == "before"
    assert list(tmp_path.iterdir()) == [path]


def test_every_path_of_a_stratum_is_as_likely() -> None:
    fan = maze_of(*(edge("a", f"go {n}", f"room {n}", 1) for n in range(5)))
    drawn = [sample(fan, 1, seed=seed)[0][0].action for seed in range(500)]
    assert all(70 < drawn.count(f"go {n}") < 130 for n in range(5))


def line(places: int) -> Maze:
    """Return places in a row, each joined to the next both ways."""
    pairs = [(f"p{n}", f"p{n + 1}") for n in range(places - 1)]
    there = [edge(one, "north", other, 1) for one, other in pairs]
    return maze_of(*there, *(edge(other, "south", one, 1) for one, other in pairs), name="line")


def test_limits_are_said_before_anything_is_searched() -> None:
    net = Net.of(line(50_001))
    for search in (lambda: count(net), lambda: list(paths(net)), lambda: pairs(net, Route.ANY)):
        with pytest.raises(KnobError, match="'line' has 50,001 places, and mazes of up to 2,000"):
            search()
    assert sum(map(sum, count(Net.of(line(200)), most=39_800).pairs)) == 39_800
