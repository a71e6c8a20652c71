"""What the reader makes of a memory's text: whole turns, missing turns, sentences, and neither.

That a map of some turns of a real game is never wrong about its start, and that a map in sentences
is read as the same map, are laws (`tests/property/test_reading_laws.py`); here are the readable
cases.
"""

from __future__ import annotations

import pytest

from worldquiz.facts.question import Format, Prompt
from worldquiz.t2q.reader.graph import Graph
from worldquiz.t2q.reader.memory import read_context, read_lines, render
from worldquiz.t2q.reader.questions import settled
from worldquiz.t2q.wordings import Ask

TOLD = """\
The world as it was at the start, as far as it has been seen:

Exits of the attic: south to the cellar; \
north through the old gate, never taken, surely to the study; east, never taken; no others.
In the attic: red box (container); on the floor: blue hat (object), brass key (key); nothing else.
The old gate (door) was closed and perhaps locked.
The red box (container) was closed and locked.
In the red box (container): not known.

Exits of the study: south through the old gate, never taken, surely to the attic; no others.
The study lies 1 north of the attic.
In the study: oak shelf (supporter); nothing else.
On the oak shelf (supporter): nothing.

Exits of the cellar: north to the attic; no others.
The cellar lies 1 south of the attic.
In the cellar: nothing.

At the iron chest: green apple (food); perhaps more.
The iron safe was closed and perhaps locked.

The tin key fits the red box.
The brass key does not fit the old gate, the red box.
The blue hat cannot be eaten.
The green apple can be eaten.
"""


def read(text: str) -> Graph:
    graph = Graph()
    read_lines(graph, text.splitlines())
    return graph


def told() -> Graph:
    """Two rooms seen from both sides of one door, a third walked to, two things only told of."""
    graph = Graph(
        exits={
            "attic": {"north": "old gate", "east": None, "south": None},
            "study": {"south": "old gate"},
            "cellar": {"north": None},
        },
        kinds={"old gate": "door", "red box": "container", "oak shelf": "supporter"},
        lids={"old gate": False, "red box": False, "iron safe": False},
        locks={"red box": True},
        fits={"tin key": "red box"},
        unfit={("brass key", "red box"), ("brass key", "old gate")},
        edible={"blue hat": False, "green apple": True},
        place={"green apple": "iron chest"},
    )
    graph.walk("attic", "south", "cellar")
    graph.list_spot("attic", frozenset({"red box", "blue hat", "brass key"}))
    graph.list_spot("study", frozenset({"oak shelf"}))
    graph.list_spot("cellar", frozenset())
    graph.list_spot("oak shelf", frozenset())
    return graph


def test_a_map_reads_like_this() -> None:
    assert render(told()) == TOLD


def test_what_was_written_is_read_again() -> None:
    assert read(TOLD) == told()


@pytest.mark.parametrize(
    "line",
    [
        "I think that the tin key is in the attic.",
        "Exits of the attic: up to the roof; no others.",
        "Exits of the attic: south to the cellar.",
        "In the attic: a blue hat.",
        "In the attic: blue hat (object).",
        "In the attic: ghost (spirit); nothing else.",
        "The red box (container) was blue.",
    ],
)
def test_other_sentences_are_handed_back(line: str) -> None:
    graph = Graph()
    assert read_lines(graph, ["", line, "  "]) == [line]
    assert graph == Graph()


ATTIC = """\
-= Attic =-
You are in the attic. You see a closed red box here.

There is a closed old gate leading north. You can go east from here.

On the floor you see a blue hat."""
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
    read, asked = read_context(context), Ask.PLACE.format(thing=thing)
    return settled(read.graph, Prompt(asked, Format.WHERE))


def test_turns_tell_what_they_told_the_player() -> None:
    assert where(START, "blue hat") == "attic"
    assert where(START, "tin key") == "oak shelf"
    assert where(START + OPEN, "green apple") == "red box"
    both = read_context(START + EAST).graph
    assert both.leads("attic", "east", "study") is True
    assert read_context(EAST + START + EAST).graph == both


def test_sentences_may_stand_among_turns_and_prose_is_handed_back() -> None:
    read = read_context(f"The tin key fits the red box.\n{START}- The blue hat cannot be eaten.\n")
    assert read.exact
    assert read.graph.matches("tin key", "red box") is True
    assert where(f"The tin key fits the red box.\n{START}", "blue hat") == "attic"
    read = read_context(f"The player likes hats.\n{START}Seen:\n")
    assert read.unread == ("The player likes hats.", "Seen:")
    cut = START.partition("Inventory:")[0]  # a turn cut short is none
    assert (where(cut, "blue hat"), read_context(cut).exact) == (None, False)


def test_what_missing_commands_could_have_changed_is_left_open() -> None:
    later = turn(1, 5, "look", ATTIC)
    assert where(later, "blue hat") is None
    locked = read_context(later + turn(1, 6, "open red box", "The red box is locked.")).graph
    assert (locked.opened("red box"), locked.locked("red box")) == (None, None)
    went = turn(1, 6, "go east", STUDY)
    assert read_context(later + went).graph.leads("attic", "east", "study") is True
    assert read_context(START + went).graph.leads("attic", "east", "study") is None
    again = turn(2, 0, "", f"Go to the study.\n\n{ATTIC}")
    assert where(later + again, "blue hat") == "attic"  # the next task starts afresh
    assert where(OPEN, "green apple") == "red box"  # a first look alone changes nothing
    assert where(OPEN.replace("step 1", "step 2"), "green apple") is None


@pytest.mark.parametrize("key", ["tin key", "the tin key", "tin"])
def test_a_key_that_was_tried_was_tried(key: str) -> None:
    carried = "You are carrying: a tin key and a hat."
    said = "That doesn't seem to fit the lock."
    tried = turn(1, 5, f"unlock red box with {key}", said, carried)
    assert read_context(tried).graph.matches("tin key", "red box") is False


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
