"""The paper's scores on small mazes that one can follow with a finger."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mango_data import edge, maze_of
from worldquiz.facts.replies import Form
from worldquiz.mango.grade import (
    Grade,
    Question,
    Rule,
    Task,
    Ways,
    arrivals,
    grade,
)

# Example 6 of the paper: Altar, Temple, Torch Room, Dome Room
ZORK = maze_of(
    edge("altar", "north", "temple", None, 2),
    edge("temple", "south", "altar", 2),
    edge("temple", "north", "torch room", None, 1),
    edge("torch room", "south", "temple", 1),
    edge("torch room", "up", "dome room", None, 1),
    edge("torch room", "pray", "forest", 3),
    edge("torch room", "pray", "altar", 4),
    edge("house", "east", "kitchen", 5),
    edge("house", "west", "forest", 5),
)
WAYS = Ways(ZORK)


def df(*actions: str, source: str = "altar") -> Question:
    return Question("toy", "q", Task.DF, source, actions, "", len(actions), 1, 1)


def rf(source: str, target: str, shortest: int) -> Question:
    return Question("toy", "q", Task.RF, source, (), target, shortest, 1, 1)


def told(*moves: tuple[str, str, str]) -> list[dict[str, str]]:
    return [dict(zip(("prev_node", "action", "node"), move, strict=True)) for move in moves]


DOME = (
    ("Altar", "north", "Temple"),
    ("Temple", "north", "Torch Room"),
    ("Torch Room", "up", "Dome Room"),
)


def test_example_2_where_are_you_after_north_north_up_from_altar() -> None:
    question = df("north", "north", "up")
    assert grade(WAYS, question, told(*DOME)) == Grade(Form.CLEAN, 1.0, 1.0, 1.0)


def test_example_3_how_do_you_go_from_altar_to_dome_room() -> None:
    question = rf("altar", "dome room", 3)
    assert grade(WAYS, question, told(*DOME)) == Grade(Form.CLEAN, 1.0, 1.0, 1.0)


@pytest.mark.parametrize(
    ("said", "score"),
    [("House", 1), ("The House", 1 - 4 / 9), ("That House", 0.5), ("cave", 0.2), ("", 0)],
)
def test_a_destination_that_is_nearly_right_earns_part(said: str, score: float) -> None:
    ways = Ways(maze_of(edge("path", "west", "House", 1)))
    found = grade(ways, df("west", source="path"), told(("path", "west", said)))
    assert found.success == pytest.approx(score)
    assert found.reasoning == float(said == "House")


def test_walk_south_means_south() -> None:
    found = grade(WAYS, rf("temple", "altar", 1), told(("temple", "walk south", "altar")))
    assert (found.success, found.reasoning) == (1, 1)


@pytest.mark.parametrize(
    "said", ["East", "e", "go east", "walk to the east", "head e", "East.", "EAST!"]
)
def test_a_move_counts_as_the_one_that_it_names(said: str) -> None:
    assert arrivals(WAYS, "house", [said]) == {"kitchen"}
    assert grade(WAYS, rf("house", "kitchen", 1), told(("house", said, "kitchen"))).reasoning == 1


@pytest.mark.parametrize("said", ["eastward", "go", "n", "go to the kitchen", "", "pray east"])
def test_a_move_that_names_none_ends_the_walk(said: str) -> None:
    assert arrivals(WAYS, "house", [said]) == frozenset()
    assert arrivals(WAYS, "house", [said, "east"]) == frozenset()


def test_the_paper_takes_the_closest_move_of_the_whole_maze() -> None:
    """Not of those that are possible there: by that, any word would lead through a corridor."""
    ways = Ways(ZORK, Rule.PAPER)
    assert arrivals(ways, "house", ["walk east"]) == {"kitchen"}
    assert arrivals(ways, "house", ["eastt"]) == {"kitchen"}
    assert arrivals(ways, "house", ["xst"]) == frozenset()  # as close to west: none is closest
    assert arrivals(ways, "altar", ["norht"]) == {"temple"}
    assert arrivals(ways, "dome room", ["up"]) == frozenset()
    corridor = Ways(maze_of(edge("a", "crawl", "b", 1), edge("b", "up", "c", 2)), Rule.PAPER)
    assert arrivals(corridor, "a", ["go"]) == frozenset()  # closest to "up", which is elsewhere
    assert arrivals(Ways(maze_of(), Rule.PAPER), "a", ["go"]) == frozenset()


def test_reasoning_earns_nothing_for_what_the_question_gives() -> None:
    """By the paper's rule the word may pass; it proves nothing."""
    ways = Ways(maze_of(edge("a", "up", "b", 1), edge("b", "down", "a", 2)), Rule.PAPER)
    found = grade(ways, rf("a", "b", 1), told(("a", "go up there", "b")))
    assert (found.success, found.reasoning) == (1, 0)


@given(st.lists(st.text("ensuwr dotah", max_size=9), min_size=1, max_size=3))
def test_what_is_right_by_name_is_right_by_the_paper(said: list[str]) -> None:
    for place in ("house", "altar", "temple"):
        assert arrivals(WAYS, place, said) <= arrivals(Ways(ZORK, Rule.PAPER), place, said)


def test_points_are_corrected_for_guessing() -> None:
    asked, right = rf("house", "kitchen", 1), told(("house", "east", "kitchen"))
    wrong, rate = told(("house", "up", "kitchen")), 0.25
    assert grade(WAYS, asked, right, rate).points == 1
    assert grade(WAYS, asked, wrong, rate).points == -1 / 3
    assert grade(WAYS, asked, "no idea", rate).points == 0
    for uncounted in (None, 0.76):  # not known, or guessed too often
        assert grade(WAYS, asked, right, uncounted).points is None
        assert grade(WAYS, asked, None, uncounted).points is None


@pytest.mark.parametrize("rule", Rule)
def test_one_word_repeated_earns_next_to_nothing(rule: Rule) -> None:
    ways = Ways(ZORK, rule)
    for source, target in (("altar", "dome room"), ("temple", "altar"), ("house", "kitchen")):
        said = told((source, "go", target))
        assert grade(ways, rf(source, target, 1), said).success == 0
