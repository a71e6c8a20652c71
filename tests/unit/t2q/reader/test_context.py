"""Reading recalled texts: whole turns, missing turns, and lines that are neither."""

from __future__ import annotations

import pytest

from worldquiz.facts.question import Format, Prompt
from worldquiz.t2q.reader.graph import Graph
from worldquiz.t2q.reader.memory import read_context
from worldquiz.t2q.reader.questions import settled

ATTIC = """\
-= Attic =-
You are in the attic. You see a closed red box here.

There is a closed old gate leading north. You can go east from here.

There is a blue hat on the floor."""
STUDY = """\
-= Study =-
This is the study.

You can go west from here."""
EMPTY_HANDED = "You are carrying nothing."


def turn(task: int, step: int, action: str, text: str, carried: str = EMPTY_HANDED) -> str:
    told = f" > {action}" if step else ""
    return f"[task {task}, step {step}]{told}\n{text}\nInventory: {carried}\n"


def carrying(names: str) -> str:
    return f"You are carrying: {names}."


START = turn(1, 0, "", f"Recover the tin key from the oak shelf.\n\n{ATTIC}")
EAST = turn(1, 1, "go east", STUDY)
OPEN = turn(1, 1, "open red box", "You open the red box, revealing a green apple.")


def where(context: str, thing: str) -> str | None:
    return settled(
        read_context(context).graph, Prompt(f"Where was the {thing} at the start?", Format.WHERE)
    )


def graph_of(context: str) -> Graph:
    read = read_context(context)
    assert read.exact
    return read.graph


def test_turns_tell_what_they_told_the_player() -> None:
    assert where(START, "blue hat") == "attic"
    assert where(START, "tin key") == "oak shelf"
    assert where(START + OPEN, "green apple") == "red box"
    assert graph_of(START + EAST).leads("attic", "east", "study") is True


def test_turns_may_come_in_any_order_and_twice() -> None:
    assert graph_of(EAST + START + EAST) == graph_of(START + EAST)


def test_sentences_may_stand_among_turns() -> None:
    context = f"The tin key fits the red box.\n{START}- The blue hat cannot be eaten.\n{EAST}"
    graph = graph_of(context)
    assert graph.matches("tin key", "red box") is True
    assert graph.category("blue hat") == "object"
    assert where(context, "blue hat") == "attic"


def test_prose_is_handed_back() -> None:
    read = read_context(f"The player likes hats.\n{START}Seen:\n")
    assert read.unread == ("The player likes hats.", "Seen:")
    assert not read.exact


def test_a_turn_cut_short_is_none() -> None:
    cut = START.partition("Inventory:")[0]
    assert where(cut, "blue hat") is None
    assert not read_context(cut).exact


class TestWhereTurnsAreMissing:
    """What the missing commands could have changed is left open; the rest is not."""

    LATER = turn(1, 5, "look", ATTIC)

    def test_things_may_have_been_moved(self) -> None:
        assert where(self.LATER, "blue hat") is None
        assert graph_of(self.LATER).was_at("grey cat", "attic") is None

    def test_lids_and_locks_may_have_been_turned(self) -> None:
        locked = turn(1, 6, "open red box", "The red box is locked.")
        graph = graph_of(self.LATER + locked)
        assert graph.opened("red box") is None
        assert graph.locked("red box") is None

    def test_a_passage_needs_both_of_its_turns(self) -> None:
        went = turn(1, 6, "go east", STUDY)
        assert graph_of(self.LATER + went).leads("attic", "east", "study") is True
        assert graph_of(START + went).leads("attic", "east", "study") is None

    def test_the_next_task_starts_afresh(self) -> None:
        start = turn(2, 0, "", f"Go to the study.\n\n{ATTIC}")
        assert where(self.LATER + start, "blue hat") == "attic"

    def test_the_first_look_alone_changes_nothing(self) -> None:
        assert where(OPEN, "green apple") == "red box"
        assert where(OPEN.replace("step 1", "step 2"), "green apple") is None

    def test_what_was_taken_in_a_room_not_told_may_be_missing_from_lists(self) -> None:
        took = turn(
            1, 1, "take hat", "You pick up the blue hat from the ground.", carrying("a blue hat")
        )
        look = turn(1, 2, "look", ATTIC.partition("There is a blue")[0], carrying("a blue hat"))
        assert where(took + look, "blue hat") is None
        assert graph_of(took + look).was_at("blue hat", "attic") is None

    @pytest.mark.parametrize("key", ["tin key", "the tin key", "tin"])
    def test_a_key_that_was_tried_was_tried(self, key: str) -> None:
        tried = turn(
            1,
            5,
            f"unlock red box with {key}",
            "That doesn't seem to fit the lock.",
            carrying("a tin key and a hat"),
        )
        assert graph_of(tried).matches("tin key", "red box") is False


@pytest.mark.parametrize(
    "text",
    [
        "[task 1, step 0]",
        "[task 0, step 1] > go east\nInventory: x",
        "Inventory: You are carrying: .",
        "[task 1, step 0]\n-=  =-\nInventory: You are carrying: a, and , and.\n",
        "[task 2, step 1] > \nYou take  from .\nInventory:",
        "[task 1, step 1] > unlock  with \nThat doesn't seem to fit the lock.\nInventory: ",
        "Exits of the : ; no others.",
        "In the a: ; nothing else.",
    ],
)
def test_nonsense_raises_nothing(text: str) -> None:
    read_context(text)
