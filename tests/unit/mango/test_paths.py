"""Simple paths by example: a house with a stair and a chute, and what goes wrong."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path

import pytest

from conftest import no_file_beyond
from mango_data import edge, maze_of
from worldquiz.errors import KnobError, RecordError
from worldquiz.mango.maze import Edge, Maze, Sight, steps_within
from worldquiz.mango.paths import (
    Label,
    Net,
    Route,
    count,
    pair_id,
    pairs,
    path_id,
    paths,
    sample,
    write_jsonl,
)
from worldquiz.mango.walkthrough import WalkStep
from worldquiz.records import whole_file
from worldquiz.stats.sampling import shares

HOUSE = maze_of(
    edge("hall", "up", "attic", 1, 3),
    edge("attic", "down", "hall", 3, 1),
    edge("attic", "slide", "cellar", 4),
    edge("hall", "down", "cellar", 7, 6),
    edge("cellar", "up", "hall", None, 7),
    edge("hall", "jump", "hall", 5),
    name="house",
)


def shown(maze: Maze) -> list[str]:
    return [
        " ".join([path[0].source, *(edge.action for edge in path)]) for path in paths(Net.of(maze))
    ]


def test_every_simple_path_and_no_circle() -> None:
    assert shown(HOUSE) == [
        "attic down", "attic down down", "attic slide", "attic slide up",
        "cellar up", "cellar up up",
        "hall down", "hall up", "hall up slide",
    ]  # fmt: skip


def test_parallel_moves_are_different_paths() -> None:
    both = maze_of(edge("a", "north", "b", 1), edge("a", "up", "b", 2))
    assert shown(both) == ["a north", "a up"]
    assert count(Net.of(both)).pairs == [[0, 2], [0, 0]]


def test_easy_by_any_route_but_not_by_the_shortest() -> None:
    net = Net.of(HOUSE)
    hall, cellar = net.number["hall"], net.number["cellar"]
    assert pairs(net, Route.ANY).labels[Label.FORWARD][hall][cellar] == 4
    assert pairs(net, Route.SHORTEST).labels[Label.FORWARD][hall][cellar] == 7


def test_nothing_has_no_mean() -> None:
    empty = Maze("empty", ("a", "b"), ())
    assert count(Net.of(empty)).mean_length is None
    assert count(Net.of(Maze("void", (), ()))).total == 0
    assert sample(empty, 5, seed=1) == ()


def test_too_many_paths_to_count() -> None:
    with pytest.raises(KnobError, match=r"'house' has more than 8 simple paths: take fewer steps"):
        count(Net.of(HOUSE), most=8)


def test_the_same_id_as_the_published_one() -> None:
    first = edge("west of house", "north", "north of house", 1)
    assert path_id([first]).startswith("abff93fa369a032276d6dc3dd28517a9")
    assert pair_id("west of house", "north of house").startswith("bd862646ce9f0ced07d5f7d7b2")


def test_official_lines(tmp_path: Path) -> None:
    path_file, pair_file = write_jsonl(HOUSE, tmp_path)
    assert sorted(path.name for path in tmp_path.iterdir()) == [
        "house.all2all.jsonl", "house.all_pairs.jsonl",
    ]  # fmt: skip
    lines = [json.loads(line) for line in path_file.read_text().splitlines()]
    longer = next(x for x in lines if x["src_node"] == "hall" and x["step_count"] == 2)
    assert longer["dst_node"] == "cellar"
    assert longer["diff_shortest"] == 1
    assert [step["action"] for step in longer["path_details"]] == ["up", "slide"]
    assert longer["path_details"][1]["seen_in_reversed"] == 9999
    assert len(pair_file.read_text().splitlines()) == 6


def test_unreachable_pairs_stay(tmp_path: Path) -> None:
    one_way = maze_of(edge("a", "jump", "b", 1))
    lines = write_jsonl(one_way, tmp_path)[1].read_text().splitlines()
    back = next(line for line in map(json.loads, lines) if line["src_node"] == "b")
    assert (back["num_paths"], back["min_step_total"]) == (0, 9999)


def test_a_full_disk_leaves_what_was_there(tmp_path: Path) -> None:
    path = tmp_path / "house.all2all.jsonl"
    path.write_text("before")
    with no_file_beyond(100), pytest.raises(RecordError, match="cannot write"):
        write_jsonl(HOUSE, tmp_path)
    assert path.read_text() == "before"
    assert list(tmp_path.iterdir()) == [path]


def test_a_block_that_fails_writes_nothing(tmp_path: Path) -> None:
    with pytest.raises(TypeError), whole_file(tmp_path / "x") as stream:
        stream.writelines([b"half", "no bytes"])  # type: ignore[list-item]
    assert list(tmp_path.iterdir()) == []


def test_a_sample_has_both_kinds_and_every_length() -> None:
    drawn = sample(HOUSE, 4, seed=3, limit=3)
    assert [len(path) for path in drawn] == [1, 1, 1, 2]
    assert sample(HOUSE, 99, seed=3) == sample(HOUSE, 99, seed=4)
    assert len(sample(HOUSE, 99, seed=3)) == 9
    with pytest.raises(ValueError, match="a sample of -1 paths"):
        sample(HOUSE, -1, seed=3)


def test_every_path_of_a_stratum_is_as_likely() -> None:
    fan = maze_of(*(edge("a", f"go {n}", f"room {n}", 1) for n in range(5)))
    drawn = [sample(fan, 1, seed=seed)[0][0].action for seed in range(500)]
    assert all(70 < drawn.count(f"go {n}") < 130 for n in range(5))


def test_shares_fill_up_the_larger_group() -> None:
    assert shares({"easy": 3, "hard": 10}, 8) == {"easy": 3, "hard": 5}
    assert shares({}, 8) == {}


def test_as_many_steps_as_fit_into_so_many_tokens() -> None:
    walk = tuple(WalkStep(n, "go", "a room") for n in range(10))
    maze = Maze("walk", ("a",), (), walk, 9)

    def words(text: str) -> int:
        return len(text.split())

    def plain(steps: Sequence[WalkStep]) -> str:
        return "one two " * len(steps)

    assert steps_within(maze, 7, words, show=plain) == 2
    assert steps_within(maze, 10_000, words) == 9
    with pytest.raises(KnobError, match="step 0 alone has 2 tokens, 1 are allowed"):
        steps_within(maze, 1, words, show=plain)
    with pytest.raises(KnobError, match="'house' has no walkthrough text"):
        steps_within(HOUSE, 7, words)


def test_hostile_names(tmp_path: Path) -> None:
    here = Sight(1, None)
    odd = Maze("odd", ('a "]"', "b%d\\"), (Edge('a "]"', "50%\n'", "b%d\\", here, here),), (), 1)
    line = json.loads(write_jsonl(odd, tmp_path)[0].read_text())
    assert line["id"] == path_id(odd.edges)
    assert line["dst_node"] == "b%d\\"


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
    assert count(Net.of(line(200)), most=39_800).total == 39_800
