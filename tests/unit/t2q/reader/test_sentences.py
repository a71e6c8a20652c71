"""The map as sentences: what they say, and that they are read as said."""

from __future__ import annotations

from itertools import permutations

import pytest

from worldquiz.t2q.reader.graph import Graph
from worldquiz.t2q.reader.memory import read_lines, render

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


def test_exits_keep_the_order_in_which_they_were_taken() -> None:
    """Round four rooms; a line tells of its own room first, in whatever order lines are read."""
    graph = Graph()
    graph.walk("hall", "east", "attic")
    graph.walk("attic", "south", "cellar")
    graph.walk("cellar", "west", "vault")
    graph.walk("vault", "north", "hall")
    lines = [line for line in render(graph).splitlines() if line.startswith("Exits")]
    assert "Exits of the attic: west to the hall; south to the cellar; others not known." in lines
    taken = {room: list(ways) for room, ways in graph.ways.items()}
    for order in permutations(lines):
        again = read("\n".join(order))
        assert {room: list(ways) for room, ways in again.ways.items()} == taken


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
