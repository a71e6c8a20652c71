"""The oracle answers by itself, and finds what is wrong with a task."""

from __future__ import annotations

from dataclasses import replace
from math import pi

import pytest

from views import OAK, thing
from worldquiz.tea.oracle import Judge
from worldquiz.tea.taskgraph import (
    Box2,
    Box3,
    Count,
    Crop,
    Given,
    Goal,
    Instance,
    Metres,
    Truth,
    Word,
)
from worldquiz_scenes.cameras import ego
from worldquiz_scenes.scene import Room, Scene, Thing
from worldquiz_scenes.view import Camera, View

HALL = Room("hall-1", "hall", (0.0, 0.0), (8.0, 8.0), OAK, OAK)
NORTH = pi / 2


def seen_from(name: str, camera: Camera, pose: tuple[float, float, float]) -> View:
    return View(name, 0.0, "flat", "hall-1", camera, pose, (), (), {})


def north(name: str, x: float, y: float) -> View:
    """Return a view to the north from the height of an agent's eyes."""
    return seen_from(name, ego(x, y, NORTH, pitch=0.0), (x, y, NORTH))


def crate(id: str, x: float, y: float, *half: float) -> Thing:
    """Return a box at the height of the eyes."""
    a, b, c = half or (0.25, 0.25, 0.25)
    return thing(id, (x, y, 1.5), (a, b, c), room="hall-1")


CRATES = (crate("crate-1", 4.0, 4.0), crate("crate-2", 4.0, 7.0, 0.2, 0.2, 0.2),
          crate("trunk-1", 6.0, 4.0))  # fmt: skip
"""The second is behind the first."""
EGO = north("0000-ego", 4.0, 1.0)
FOCAL = 240 / 0.5773502691896258
SIDE = 0.25 / 2.75 * FOCAL  # px from the middle to a side of the first crate's front
BOX = (round(320 - SIDE), round(240 - SIDE), round(320 + SIDE), round(240 + SIDE))


def judge(things: tuple[Thing, ...] = CRATES, views: tuple[View, ...] = (EGO,)) -> Judge:
    flat = Scene("flat", 0, "plain", 3.0, (HALL,), (), things, (4.0, 1.0, NORTH))
    return Judge(flat, {view.id: view for view in views})


def task(type: str, truth: Truth, *, view: str = "0000-ego", **told: Given) -> Instance:
    given = {name.replace("_", "."): each for name, each in told.items()}
    words = " ".join(each.value for each in told.values() if isinstance(each, Word))
    bind = {"object": "crate-1", "other": "trunk-1", "class": words}
    return Instance(f"{type}/x", type, "flat", view, bind, f"Tell: {words}.", truth, given)


CRATE, TRUNK, PICTURE = Word("crate"), Word("trunk"), Crop("0000-ego", BOX)
GOOD = (
    task("localization", Box2(BOX), object_label=CRATE),
    task("classification", Word("crate"), object_picture=PICTURE),
    task("depth", Metres(2.75), object_box2d=Box2(BOX)),
    task("localization-3d", Box3((0, 0, 3), (0.5, 0.5, 0.5)), object_label=CRATE),
    task("embodied-counting", Count(1), class_label=CRATE),
    task("embodied-counting", Count(0), class_label=Word("bed")),
    task("relation", Word("left of"), object_label=CRATE, other_label=TRUNK),
    replace(task("navigation", Goal("trunk-1", 1.0), object_label=TRUNK),
            bind={"object": "trunk-1"}),
)  # fmt: skip


@pytest.mark.parametrize("good", GOOD, ids=lambda good: good.type)
def test_a_true_answer_agrees(good: Instance) -> None:
    assert judge().judged(good) == ""


@pytest.mark.parametrize(
    ("number", "truth", "reason"),
    [
        (0, Box2((BOX[0] - 4, *BOX[1:])), "found [28"),
        (2, Metres(3.0), "found 2.75 m, stored is 3.00 m"),
        (3, Box3((0, 0, 3), (0.5, 0.5, 0.4)), "lengths 0.50, 0.50, 0.50 m, stored is"),
        (4, Count(2), "the count is 1 to 1, stored is 2"),
        (6, Word("right of"), "found left of"),
        (7, Goal("crate-1", 1.0), "of trunk-1, stored is"),
    ],
)
def test_a_false_answer_is_found(number: int, truth: Truth, reason: str) -> None:
    assert reason in judge().judged(replace(GOOD[number], truth=truth))


def test_a_label_that_means_two_things_is_found() -> None:
    beside = (*CRATES, crate("crate-3", 5.0, 4.0, 0.2, 0.2, 0.2))
    assert "2 things are meant" in judge(beside).judged(GOOD[0])
    lone = task("navigation", Goal("crate-1", 1.0), object_label=CRATE)
    assert "2 things are meant" in judge().judged(lone)


def test_a_picture_that_may_be_of_a_twin_is_found() -> None:
    twin = task("depth-by-picture", Metres(2.75), object_picture=PICTURE)
    assert "may be one of crate-2" in judge().judged(twin)


def mirror(half: tuple[float, float], x: float = 4.0, y: float = 3.0) -> Thing:
    return replace(crate("mirror-1", x, y, 0.5, 0.02, 0.5), mirror=half)


@pytest.mark.parametrize(
    ("wide", "count", "wrong"),
    [
        (0.45, 1, ""),
        (0.45, 0, "the count is 1 to 1, stored is 0"),
        (0.13, 1, "neither clear nor hidden"),
        (0.03, 1, "is 0 to 0"),
    ],
)
def test_things_in_mirrors_are_counted(wide: float, count: int, wrong: str) -> None:
    """The vase behind the camera is seen in the glass around x = 4.15 m, some 0.21 m wide."""
    things = (mirror((wide, 0.45)), crate("vase-1", 3.0, 0.3, 0.25, 0.001, 0.25))
    counted = task("mirror-counting", Count(count), class_label=Word("vase"))
    found = judge(things, (north("0000-ego", 5.0, 1.0),)).judged(counted)
    assert wrong in found
    assert bool(wrong) == bool(found)


PERSON = north("0000-ego", 4.5, 3.0)
AHEAD, ASIDE = crate("crate-1", 4.9, 6.5), crate("crate-1", 7.0, 3.2)
BEHIND = crate("crate-1", 5.6, 1.4, 0.1, 0.1, 0.1)
BOARD = crate("board-1", 4.575, 5.0, 0.375, 0.05, 1.5)
"""Between the person and what is ahead of them; the other camera looks past it."""


def in_view(answer: str, *things: Thing, x: float = 6.0) -> str:
    """Return what is wrong with an answer on whether a person who looks north sees a crate.

    The camera that watches is at (x, 0.2) and looks north, too.
    """
    lens = replace(ego(x, 0.2, NORTH, pitch=0.0), name="watch-hall-1-1")
    watch = seen_from("0000-watch-hall-1-1", lens, PERSON.agent)
    asked = task("in-view", Word(answer), view=watch.id, object_label=CRATE)
    return judge(tuple(sorted(things, key=lambda each: each.id)), (watch, PERSON)).judged(asked)


@pytest.mark.parametrize(
    ("answer", "things", "wrong"),
    [
        ("yes", [AHEAD], ""),
        ("no", [AHEAD], "found yes"),
        ("no", [AHEAD, BOARD], ""),
        ("no", [ASIDE], "sees crate-1, but not clearly ahead"),
        ("no", [BEHIND], ""),
        ("yes", [crate("crate-1", 6.3, 6.0)], "sees crate-1, but not clearly ahead"),
        ("no", [BEHIND, crate("crate-2", 1.5, 3.2, 0.3, 0.3, 0.3)], "may see crate-2 as well"),
    ],
)
def test_what_a_person_sees_is_found_by_rays(answer: str, things: list[Thing], wrong: str) -> None:
    found = in_view(answer, *things)
    assert wrong in found
    assert bool(wrong) == bool(found)
