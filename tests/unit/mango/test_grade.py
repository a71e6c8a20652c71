"""The paper's scores on a small maze that one can follow with a finger."""

from __future__ import annotations

from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest

from command import worldquiz
from mango_folder import Move, told, write_maze, write_rows

# Example 6 of the paper: Altar, Temple, Torch Room, Dome Room
ZORK: tuple[Move, ...] = (
    ("altar", "north", "temple", None, 2), ("temple", "south", "altar", 2, None),
    ("temple", "north", "torch room", None, 1), ("torch room", "south", "temple", 1, None),
    ("torch room", "up", "dome room", 7, None), ("torch room", "pray", "forest", 3, None),
    ("torch room", "pray", "altar", 4, None), ("house", "east", "kitchen", 5, None),
    ("house", "west", "forest", 6, None), ("path", "west", "House", 8, None),
    ("a", "crawl", "b", 9, None),
)  # fmt: skip
DOME = (
    ("Altar", "north", "Temple"), ("Temple", "north", "Torch Room"),
    ("Torch Room", "up", "Dome Room"),
)  # fmt: skip


@pytest.fixture(scope="module")
def maze(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_maze(tmp_path_factory.mktemp("zork"), ZORK)


def grade(
    maze: Path, task: str, source: str, asked: Any, *moves: Any, compat: str = "exact"
) -> tuple[float, float, float]:
    """Return success, reasoning and weighted success of an answer."""
    wanted = {"actions": asked} if task == "df" else {"target": asked}
    row = {"game": "toy", "task": task, "source": source, "reply": told(*moves), **wanted}
    answers = write_rows(maze / "a.jsonl", row)
    with TemporaryDirectory() as run:
        said = worldquiz("mango", "import", answers, "--maze", maze, "--out", run, "--json")
        if compat != "exact":
            said = worldquiz("mango", "score", run, "--compat", compat, "--json")
    assert said.code == 0, said.err
    cell = said.json["games"]["toy"][task]["all"]
    return cell["success"], cell["reasoning"], cell["weighted"]


def test_examples_2_and_3_of_the_paper(maze: Path) -> None:
    assert grade(maze, "df", "altar", ["north", "north", "up"], *DOME) == (1, 1, 1)
    assert grade(maze, "rf", "altar", "dome room", *DOME) == (1, 1, 1)
    back = (("altar", "north", "temple"), ("temple", "south", "altar"), *DOME)
    assert grade(maze, "rf", "altar", "dome room", *back) == (1, 1, 3 / 5)


@pytest.mark.parametrize(
    ("said", "score"),
    [("House", 1), ("The House", 1 - 4 / 9), ("That House", 0.5), ("cave", 0.2), ("", 0)],
)
def test_a_destination_that_is_nearly_right_earns_part(maze: Path, said: str, score: float) -> None:
    success, reasoning, _ = grade(maze, "df", "path", ["west"], ("path", "west", said))
    assert success == pytest.approx(score)
    assert reasoning == float(said == "House")


@pytest.mark.parametrize(
    "said", ["East", "e", "go east", "walk to the east", "head e", "East.", "EAST!"]
)
def test_a_move_counts_as_the_one_that_it_names(maze: Path, said: str) -> None:
    assert grade(maze, "rf", "house", "kitchen", ("house", said, "kitchen")) == (1, 1, 1)


@pytest.mark.parametrize("said", ["eastward", "go", "n", "go to the kitchen", "", "pray east"])
def test_a_move_that_names_none_ends_the_walk(maze: Path, said: str) -> None:
    for moves in (((said, "kitchen"),), ((said, "house"), ("east", "kitchen"))):
        steps = [("house", *move) for move in moves]
        assert grade(maze, "rf", "house", "kitchen", *steps)[:2] == (0, 0)


@pytest.mark.parametrize(
    ("source", "target", "said", "right"),
    [
        ("house", "kitchen", "walk east", 1), ("house", "kitchen", "eastt", 1),
        ("house", "kitchen", "xst", 1),  # as close to west: the first by name
        ("house", "forest", "xst", 0),
        ("altar", "temple", "norht", 1),
        ("altar", "temple", "n", 0),  # closest to "up"
        ("a", "b", "go", 0),  # closest to "up", which is elsewhere
    ],
)  # fmt: skip
def test_the_paper_takes_the_closest_move_of_the_whole_maze(
    maze: Path, source: str, target: str, said: str, right: float
) -> None:
    """Not of those that are possible there: by that, any word would lead through a corridor.

    Reasoning takes it too (appendix A.6), of routes and of destinations.
    """
    moves = (source, said, target)
    found = grade(maze, "rf", source, target, moves, compat="paper")
    assert found[:2] == (right, right)


@pytest.mark.parametrize(("compat", "reasoning"), [("exact", 0), ("paper", 1)])
def test_a_move_of_a_destination_matches_the_asked_one_if_it_is_closest_to_it(
    maze: Path, compat: str, reasoning: float
) -> None:
    said = (("altar", "travel north", "temple"), ("temple", "nrth", "torch room"))
    found = grade(maze, "df", "altar", ["north", "north"], *said, compat=compat)
    assert found[:2] == (1, reasoning)
