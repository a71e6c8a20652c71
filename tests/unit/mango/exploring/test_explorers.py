"""Scripted explorers on mazes and on texts that are written by hand."""

from __future__ import annotations

import pytest

from exploring import Typing, through
from worldquiz.mango.exploring.explorers import CATALOGUE, Frontier, Idle, Random, Walkthrough
from worldquiz.mango.exploring.game import REFUSED, MazeGame, canonical
from worldquiz.mango.maze.generate import Knobs, generate

MAZE = generate(Knobs(size=12), 3, name="it")


@pytest.mark.parametrize("seed", range(5))
def test_the_frontier_comes_to_see_all(seed: int) -> None:
    game = MazeGame(generate(Knobs(size=12, one_way=0.2), seed, name="it"))
    reached, _ = through(game, Frontier())
    assert reached.coverage is not None
    assert reached.coverage.moves.share == 1


def test_the_others_see_as_much_as_they_should() -> None:
    game = MazeGame(MAZE)
    shown = {}
    for agent in (Idle(), Random(0), Walkthrough(game.walkthrough)):
        reached, _ = through(game, agent, 40)
        assert reached.coverage is not None
        shown[type(agent)] = reached.coverage.moves.share
    assert shown[Idle] == 0 < shown[Random] < shown[Walkthrough] == 1


def test_what_is_in_the_way_is_opened_once_and_tried_again() -> None:
    agent = Frontier()
    hall = "-= Hall =-\nThere is a closed gate leading east."
    assert agent.act(hall) == "east"
    assert agent.act("You have to open the wide gate first.") == "open wide gate"
    assert agent.act("You open the wide gate.") == "east"
    assert agent.act("-= Yard =-\nYou can go west.") == "north"
    back = Frontier()
    assert [back.act(text) for text in (hall, "You have to open the gate first.", "It is locked.")]
    assert back.act("You have to open the gate first.") == "north"


def test_a_frontier_looks_after_a_preface_and_stops_where_no_place_is_told() -> None:
    preface = "You wake up. This is a story."
    agent = Frontier()
    assert [agent.act(preface), agent.act("Hall\nBare. A way leads south.")] == ["look", "south"]
    agent = Frontier()
    assert [agent.act(preface), agent.act(preface)] == ["look", None]


def test_equal_seeds_walk_alike() -> None:
    one, other = Random(1), Random(1)
    assert [one.act("") for _ in range(20)] == [other.act("") for _ in range(20)]
    assert [Random(1).act("") for _ in range(20)] != [one.act("") for _ in range(20)]


@pytest.mark.parametrize(
    ("said", "given"),
    [("N", "north"), ("go  north", "north"), ("climb up\nnorth", "climb up north"), ("", ""),
     ("take ämp", "take ?mp"), ("go\x00 east\x1b", "east"), ("x" * 999, "x" * 200)],
)  # fmt: skip
def test_a_command_has_one_form(said: str, given: str) -> None:
    assert canonical(said) == given


def test_what_leads_nowhere_is_refused_and_looking_changes_nothing() -> None:
    game = MazeGame(MAZE)
    agent = Typing(["xyzzy", "look"])
    _, own = through(game, agent)
    assert agent.seen == [agent.seen[0], REFUSED, agent.seen[0]]
    assert (own.edges, own.steps) == ((), 2)


def test_names_are_known() -> None:
    assert CATALOGUE.names() == ("frontier", "idle", "random", "walkthrough")
    assert [each.__name__ for each in CATALOGUE.every().values()] == [
        "Frontier", "Idle", "Random", "Walkthrough",
    ]  # fmt: skip
