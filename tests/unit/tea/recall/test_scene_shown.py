"""From views to facts: what was shown, how firmly, and by which view first."""

from __future__ import annotations

from recalls import EAST, NORTH, WEST, around, flat, look
from views import sighting
from worldquiz.facts.evidence import Evidence
from worldquiz.facts.requirement import Seen
from worldquiz.tea.recall.quiz.shown import (
    clear,
    evidence,
    glanced,
    glimpsed,
    joined,
    noticed,
    peeked,
    recognised,
    surveyed,
    together,
)
from worldquiz_scenes.view import Reflection, View


def step(found: Evidence, seen: Seen) -> int | None:
    moment = found.earliest(seen)
    return None if moment is None else moment.step


def shown(*views: View) -> Evidence:
    return evidence(flat(), views)


def test_what_is_small_or_covered_is_only_glimpsed_and_what_is_tiny_was_not_seen() -> None:
    found = shown(
        look(0, 2, 2, NORTH, sighting("mug-1", 399), sighting("kettle-1", 900, visible=0.4)),
        look(1, 2, 2, NORTH, sighting("cabinet-1", 39)),
    )
    for name in ("mug-1", "kettle-1"):
        assert (step(found, clear(name)), step(found, glimpsed(name))) == (None, 1)
    assert step(found, glimpsed("cabinet-1")) is None


def test_a_mirror_gives_a_glimpse_and_no_more() -> None:
    mirrored = Reflection("mug-1", "mirror-1", 5000, 1.0, (0, 0, 70, 70))
    found = shown(look(0, 2, 2, NORTH, reflections=(mirrored,)))
    assert (step(found, clear("mug-1")), step(found, glimpsed("mug-1"))) == (None, 1)


def test_a_thing_and_its_support_must_be_in_one_picture() -> None:
    apart = (look(0, 2, 2, NORTH, "mug-1"), look(1, 2, 2, NORTH, "cabinet-1"))
    assert step(shown(*apart), together("mug-1", "cabinet-1")) is None
    both = look(2, 2, 2, NORTH, "mug-1", "cabinet-1")
    assert step(shown(*apart, both), together("mug-1", "cabinet-1")) == 3


def test_a_room_is_recognised_by_what_only_its_kind_has() -> None:
    found = shown(look(0, 2, 2, NORTH, "chair-1"), look(1, 2, 2, WEST, "stove-1", "bed-1"))
    assert step(found, recognised("kitchen-1")) == 2
    assert step(found, recognised("bedroom-1")) == 2
    assert step(found, recognised("hall-1")) is None
    assert step(found, noticed("hall-1")) is None
    assert step(found, noticed("kitchen-1")) == 1


def test_a_room_is_surveyed_when_nearly_all_of_it_was_seen() -> None:
    views = [*around(0, 1, 2), *around(10, 3.5, 3.5), *around(20, 3.5, 0.5)]
    found = shown(*views)
    first, last = step(found, glanced("kitchen-1")), step(found, surveyed("kitchen-1"))
    assert first is not None
    assert last is not None
    assert 1 < first < last
    assert step(found, glanced("bathroom-1")) is None


def test_a_doorway_is_seen_through_or_walked_through() -> None:
    found = shown(look(0, 2, 2, EAST))
    assert step(found, joined("kitchen-1", "hall-1")) == 1
    assert step(found, joined("hall-1", "kitchen-1")) == 1
    blind = shown(look(0, 3.5, 2, WEST), look(1, 5, 2, NORTH))
    assert step(blind, joined("kitchen-1", "hall-1")) == 2
    assert step(blind, peeked("kitchen-1", "hall-1")) == 2
    assert step(shown(look(0, 2, 2, WEST)), peeked("kitchen-1", "hall-1")) is None
