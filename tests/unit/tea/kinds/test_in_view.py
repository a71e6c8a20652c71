"""What a person sees is asked only where a camera at their eyes and a human field agree."""

from __future__ import annotations

from dataclasses import replace
from math import cos, pi, radians, sin

import pytest

from views import scene, sighting, thing, view
from worldquiz.tea.kinds.kinds import Look, harvest, kinds
from worldquiz.tea.kinds.perception import AHEAD, FIELD, NO, YES, seen
from worldquiz.tea.taskgraph import Word
from worldquiz_scenes.scene import Scene, Thing
from worldquiz_scenes.view import BODY, Reflection, View

HALF_WIDE = 37.6
"""Degrees that the camera of `views.view` sees to either side."""


def aside(degrees: float, id: str = "mug-1", *, up: float = 0.0, room: str = "kitchen-1") -> Thing:
    """Return a small thing 2 m from the eyes, so many degrees to the right of the heading north."""
    off = radians(degrees)
    at = (2 * sin(off) * cos(up), 2 * cos(off) * cos(up), 1.5 + 2 * sin(up))
    return thing(id, at, (0.02, 0.02, 0.02), room=room)


def own(*things: Thing, shown: tuple[str, ...] = (), mirrored: tuple[str, ...] = ()) -> Look:
    """Return what a person at the origin sees, who looks north."""
    flat: Scene = scene(*things)
    glass = tuple(Reflection(id, "mirror-1", 60, 1.0, (0, 0, 9, 9)) for id in mirrored)
    return Look(flat, view(*map(sighting, shown), reflections=glass))


@pytest.mark.parametrize("degrees", range(0, 181, 4))
def test_what_a_camera_shows_is_seen_near_its_axis_only(degrees: int) -> None:
    mug = aside(degrees)
    expected = YES if degrees <= AHEAD else None
    assert seen(own(mug, shown=("mug-1",)), mug) == expected


@pytest.mark.parametrize("degrees", range(0, 181, 4))
def test_what_a_camera_does_not_show_is_unseen_behind_something_or_behind_the_person(
    degrees: int,
) -> None:
    mug = aside(degrees)
    sure = degrees < HALF_WIDE - 1 or degrees > FIELD + 1
    assert seen(own(mug), mug) == (NO if sure else None)


def test_what_a_mirror_shows_or_may_show_is_not_unseen() -> None:
    mug = aside(150)
    assert seen(own(mug, mirrored=("mug-1",)), mug) is None
    for degrees, answer in ((70, None), (160, NO), (0, NO)):
        glass = replace(aside(degrees, "mirror-1"), mirror=(0.01, 0.01))
        # a mirror looks along its own -y, here to the person
        turned = replace(glass, rotation=_turned(-radians(degrees)))
        assert seen(own(mug, turned), mug) == answer
    away = replace(aside(70, "mirror-1"), mirror=(0.01, 0.01), rotation=_turned(pi - radians(70)))
    assert seen(own(mug, away), mug) == NO


def _turned(angle: float) -> tuple[float, float, float, float]:
    return (cos(angle / 2), 0.0, 0.0, sin(angle / 2))


def test_a_label_that_the_person_may_see_elsewhere_is_not_asked() -> None:
    mug = aside(150)
    assert seen(own(mug, aside(10, "mug-2"), shown=("mug-2",)), mug) is None
    assert seen(own(mug, aside(70, "mug-2")), mug) is None  # at the person's side
    assert seen(own(mug, aside(70, "mug-2", room="hall-1")), mug) == NO
    assert seen(own(mug, aside(170, "mug-2")), mug) == NO


def test_yes_and_no_are_asked_equally_often_of_a_picture() -> None:
    ahead, behind = aside(0), aside(170, "vase-1")
    flat = scene(ahead, behind, aside(160, "cup-1"))
    every = [view(sighting("mug-1")), _watching("mug-1", "vase-1", "cup-1")]
    tasks = harvest(flat, every, [each for each in kinds() if each.name == "in-view"])
    assert sorted(str(task.truth) for task in tasks) == sorted(map(str, (Word("yes"), Word("no"))))
    assert "a person in teal" in tasks[0].command


def _watching(*ids: str) -> View:
    return view(sighting(BODY), *map(sighting, ids), camera="watch-kitchen-1")
