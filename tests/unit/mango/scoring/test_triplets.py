"""Triplets: places and moves that a model reads off a walkthrough, and how right they are."""

from __future__ import annotations

import pytest

from worldquiz.llm.reply_lists import ToldMove
from worldquiz.mango.scoring.triplets import ReadMap, chain, of_steps, of_whole, read_place, table

NORTH, UP = ToldMove("hall", "north", "kitchen"), ToldMove("kitchen", "up", "attic")
DOWN = ToldMove("attic", "down", "kitchen")
ACTIONS = {6: "north", 7: "wait", 8: "up", 9: "down"}
TRUE = {6: NORTH, 8: UP, 9: DOWN}


@pytest.mark.parametrize(
    ("reply", "place"),
    [
        ("Kitchen", "Kitchen"),
        (" 'Kitchen'. \n", "Kitchen"),
        ("==>LOCATION: Attic (3rd  floor)\n\nBecause of the stair.", "Attic (3rd floor)"),
        ("<think>Attic?</think>Kitchen", "Kitchen"),
        ("None", None),
        ("none.", None),
        ("'None'", None),
        ("", None),
        (" \n", None),
        ("The kitchen is not None", "The kitchen is not None"),
    ],
)
def test_a_place_is_the_first_line(reply: str, place: str | None) -> None:
    assert read_place(reply) == place


def test_places_are_chained_into_moves() -> None:
    places = {6: "Kitchen", 7: None, 8: "attic", 9: "Attic"}
    assert chain("hall", ACTIONS, places) == {
        6: ToldMove("hall", "north", "Kitchen"), 8: ToldMove("Kitchen", "up", "attic"),
    }  # fmt: skip


def test_all_right() -> None:
    places = {6: "KITCHEN", 7: None, 8: "attic", 9: "kitchen"}
    found = of_steps(places, chain("hall", ACTIONS, places).values(), TRUE)
    assert found.record() == {
        "right": 4, "asked": 4, "unread": 0, "accuracy": 1.0,
        "told": 3, "true": 3, "told_and_true": 3, "precision": 1.0, "recall": 1.0,
    }  # fmt: skip


def test_a_place_named_where_nobody_moved_is_wrong_and_harms_no_map() -> None:
    places = {6: "kitchen", 7: "kitchen", 8: "attic", 9: "kitchen"}
    found = of_steps(places, chain("hall", ACTIONS, places).values(), TRUE).record()
    assert (found["right"], found["precision"], found["recall"]) == (3, 1.0, 1.0)


def test_a_place_missed_or_misnamed_breaks_the_moves_on_both_sides() -> None:
    missed = {6: None, 7: None, 8: "attic", 9: "kitchen"}
    told = chain("hall", ACTIONS, missed)
    assert told[8] == ToldMove("hall", "up", "attic")
    found = of_steps(missed, told.values(), TRUE).record()
    assert (found["right"], found["told"], found["told_and_true"]) == (3, 2, 1)


def test_only_the_steps_asked_count() -> None:
    places = {8: "attic", 9: "kitchen"}
    found = of_steps(places, chain("kitchen", ACTIONS, places).values(), TRUE).record()
    assert (found["asked"], found["true"], found["recall"]) == (2, 2, 1.0)


@pytest.mark.parametrize(
    ("told", "right"),
    [
        ([NORTH, UP, DOWN], 3),
        ([ToldMove("Hall", "North", " kitchen"), UP, DOWN], 3),
        ([NORTH, UP], 2),
        ([NORTH, UP, DOWN, NORTH], 3),
        ([NORTH, ToldMove("kitchen", "look", "kitchen"), UP, DOWN], 1),  # no move: all else is late
        ([UP, DOWN], 0),
        ([], 0),
    ],
)
def test_of_a_whole_walkthrough_all_counts_up_to_the_first_mistake(
    told: list[ToldMove], right: int
) -> None:
    found = of_whole(told, [NORTH, UP, DOWN], unread=not told)
    assert (found.right, found.asked, found.unread) == (right, 3, int(not told))


def test_as_sets_moves_count_wherever_they_stand() -> None:
    found = of_whole([UP, DOWN, ToldMove("a", "b", "c")], [NORTH, UP, DOWN], unread=False).record()
    assert (found["precision"], found["recall"]) == (2 / 3, 2 / 3)


def test_every_maze_weighs_the_same() -> None:
    read = {
        "a": ReadMap(1, 2, frozenset([NORTH]), frozenset([NORTH, UP])),
        "b": ReadMap(9, 10, frozenset(), frozenset([NORTH]), 1),
    }
    found = table(read)
    assert found["accuracy"]["macro"] == pytest.approx(0.7)
    assert found["accuracy"]["interval"] == (0.5, 0.9)
    assert found["micro"] == {"accuracy": 10 / 12, "right": 10, "asked": 12}
    assert found["precision"] == {"macro": 1.0, "interval": None, "mazes": 1}  # b told nothing
    assert found["recall"]["macro"] == 0.25
    assert found["unread"] == 1
    assert found["games"]["b"]["precision"] is None


def test_the_papers_average_is_that_of_its_six_mazes() -> None:
    shares = {"zork1": 90, "night": 60, "partyfoul": 81, "plundered": 50, "spirit": 66,
              "temple": 76}  # fmt: skip
    read = {game: ReadMap(right, 100, frozenset(), frozenset()) for game, right in shares.items()}
    assert round(table(read)["accuracy"]["macro"], 4) == 0.705


def test_no_more_is_right_than_was_asked() -> None:
    with pytest.raises(ValueError, match="3 right of 2"):
        ReadMap(3, 2, frozenset(), frozenset())
