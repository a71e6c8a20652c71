"""AriGraph as its authors have it: passages, protection, thresholds, and replies read as there."""

from __future__ import annotations

import json

import pytest

from remembering import Says, saying, services, told, with_model
from worldquiz.llm.model import Model
from worldquiz.memory.arigraph import (
    AriGraph,
    Triplet,
    cleared,
    drawn_in,
    replaced_in,
)
from worldquiz.memory.base import Entry

HALL, DEN = "-= Hall =-\nYou are in the hall.", "-= Den =-\nYou are in the den."


def drawing(**triplets: str) -> Says:
    """Return what a model says that draws these triplets from turns with these words."""

    def reply(prompt: str) -> str:
        turns = prompt.partition("<turns>")[2]
        return "; ".join(told for word, told in triplets.items() if word in turns)

    return reply


def learnt(
    extract: Says | str,
    *entries: Entry,
    outdated: Says | str = "[]",
    items: dict[str, object] | None = None,
) -> tuple[AriGraph, str]:
    """Return a graph that was given some turns, and what it hands over for some things."""
    script = saying(
        {
            "memory arigraph extract": extract,
            "memory arigraph outdated": outdated,
            "memory arigraph items": json.dumps(items or {}),
        }
    )

    async def fill(model: Model) -> tuple[AriGraph, str]:
        memory = AriGraph(services(model=model))
        for each in entries:
            await memory.add(each)
        return memory, (await memory.recall("one two three")).text

    return with_model(script, fill)


def test_passages_are_written_both_ways_without_the_model() -> None:
    memory, _ = learnt("", told(0, HALL), told(1, DEN, action="go north"))
    assert memory.triplets == [("den", "is north of", "hall"), ("hall", "is south of", "den")]
    assert memory.rooms == {"den", "hall"}


@pytest.mark.parametrize(
    "entries",
    [
        (told(0, HALL), told(1, "You open the box."), told(2, HALL)),
        (told(0, HALL), told(0, DEN, task=1)),  # a task starts anew
        (told(0, HALL), told(1, DEN, action="go to den")),
    ],
)
def test_without_a_walk_there_is_no_passage(entries: tuple[Entry, ...]) -> None:
    assert learnt("", *entries)[0].triplets == []


def test_triplets_with_words_set_apart_are_not_shown_as_replaceable() -> None:
    prompts: list[str] = []

    def outdated(prompt: str) -> str:
        prompts.append(prompt.partition("Known triplets:\n")[2])
        return "[]"

    learnt(
        drawing(
            one="hall, has exit, east; hall, contains, box; box, used for, hats",
            two="hall, is, lit",
        ),
        told(0, "one"),
        told(1, "two"),
        outdated=outdated,
    )
    assert prompts[1] == "hall, contains, box\n\nNew triplets:\nhall, is, lit"


@pytest.mark.parametrize(
    ("reply", "triplets"),
    [
        ("Extracted: Key, in, 'box'; a, is lit, b", [("Key", "in", "box"), ("a", "is lit", "b")]),
        ("1. key, in, box;\n2. lamp, on, desk", [("key", "in", "box"), ("2. lamp", "on", "desk")]),
        ("1,b,c; key, in; a, b, c, d; , x, y", []),
        ("", []),
    ],
)  # fmt: skip
def test_triplets_are_read_as_the_authors_read_them(
    reply: str, triplets: list[tuple[str, ...]]
) -> None:
    assert list(drawn_in(reply)) == triplets


@pytest.mark.parametrize(
    ("reply", "triplets"),
    [
        ("[[a, b, c -> d, e, f], [g, h, i -> d, e, f]]", [("a", "b", "c"), ("g", "h", "i")]),
        ('Replacing: [["a, b, c" -> "d, e, f"]]', [("a", "b", "c")]),
        ("[\n[a, b, c -> d, e, f],\n[a, b -> c]\n]", [("a", "b", "c")]),
        ("[]. Nothing to replace", []),
        ("[[a, b, c]]", []),
    ],
)
def test_replacements_are_read_as_the_authors_read_them(
    reply: str, triplets: list[tuple[str, ...]]
) -> None:
    assert list(replaced_in(reply)) == triplets


def test_triplets_are_cleared_when_they_are_learnt() -> None:
    assert cleared(Triplet("I", "Carry", '"Zinc Key".')) == ("inventory", "carry", "zinc key")
    assert cleared(Triplet("lamp", "near", "P")) == ("lamp", "near", "player")
    assert learnt("door, free, west; a, in, b", told(0, "x"))[0].triplets == [("a", "in", "b")]
