"""The oracle answers by itself, and finds what is wrong with a task."""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import asdict, replace
from math import pi
from pathlib import Path
from typing import Any

import pytest

from command import worldquiz
from recalls import write_lines
from views import OAK, thing
from worldquiz_scenes.cameras import ego
from worldquiz_scenes.save import write_scene
from worldquiz_scenes.scene import Room, Scene, Thing
from worldquiz_scenes.view import Camera, View

HALL = Room("hall-1", "hall", (0.0, 0.0), (8.0, 8.0), OAK, OAK)
NORTH = pi / 2
Task = dict[str, Any]


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
BOX = [round(320 - SIDE), round(240 - SIDE), round(320 + SIDE), round(240 + SIDE)]


def task(type: str, truth: object, *, view: str = "0000-ego", kind: str = "", **told: Any) -> Task:
    """Return a task as its file holds it; what is told of a vertex is a label, box or picture."""
    kind = kind or ("count" if isinstance(truth, int) else "word")
    given = {
        name.replace("_", "."): {"kind": "word", "value": value}
        if isinstance(value, str)
        else value
        for name, value in told.items()
    }
    words = " ".join(value for value in told.values() if isinstance(value, str))
    goal = truth["thing"] if isinstance(truth, dict) and "thing" in truth else "crate-1"
    bind = {"object": goal, "other": "trunk-1", "class": words}
    plain = truth if isinstance(truth, dict) else {"value": truth}
    return {
        "type": type, "scene": "flat", "view": view, "command": f"Tell: {words}.", "loop": 1,
        "origin": "interaction", "truth": {"kind": kind, **plain}, "given": given, "bind": bind,
    }  # fmt: skip


def faults(
    folder: Path, tasks: Iterable[Task], things: Iterable[Thing] = CRATES, *views: View
) -> list[str]:
    """Return what `tea check` says of each task, "" where it agrees."""
    rows = [{"id": str(number), **each} for number, each in enumerate(tasks)]
    home, seen = folder / "scenes" / "flat", views or (EGO,)
    ordered = tuple(sorted(things, key=lambda each: each.id))
    write_scene(home, Scene("flat", 0, "plain", 3.0, (HALL,), (), ordered, (4.0, 1.0, NORTH)))
    write_lines(home / "views.jsonl", [*map(asdict, seen)])
    write_lines(home / "tasks.jsonl", rows)
    manifest = {"kind": "tea", "scenes": {"flat": {"files": {}}}}
    (folder / "manifest.json").write_text(json.dumps(manifest))
    found = worldquiz("tea", "check", folder, "--sample", 0, "--jobs", 1, "--json").json
    assert found["checked"] == len(rows)
    wrong = {each["task"]: each["wrong"] for each in found["disagree"]}
    return [wrong.get(row["id"], "") for row in rows]


PICTURE = {"kind": "crop", "view": "0000-ego", "box": BOX}
SOLID = {"centre": [0, 0, 3], "size": [0.5, 0.5, 0.5]}
GOOD = (
    task("localization", BOX, kind="box2", object_label="crate"),
    task("classification", "crate", object_picture=PICTURE),
    task("depth", 2.75, kind="metres", object_box2d={"kind": "box2", "value": BOX}),
    task("localization-3d", SOLID, kind="box3", object_label="crate"),
    task("embodied-counting", 1, class_label="crate"),
    task("embodied-counting", 0, class_label="bed"),
    task("relation", "left of", object_label="crate", other_label="trunk"),
    task("navigation", {"thing": "trunk-1", "within": 1.0}, kind="goal", object_label="trunk"),
)


def test_true_answers_agree_and_false_ones_are_found(tmp_path: Path) -> None:
    lies = (
        (0, {"kind": "box2", "value": [BOX[0] - 4, *BOX[1:]]}, "expected [28"),
        (2, {"kind": "metres", "value": 3.0}, "expected 2.75, found 3.0"),
        (3, {"kind": "box3", **SOLID, "size": [0.5, 0.5, 0.4]}, '"size": [0.5, 0.5, 0.4]}'),
        (4, {"kind": "count", "value": 2}, "expected a count of 1 to 1, found 2"),
        (6, {"kind": "word", "value": "right of"}, "expected left of"),
        (7, {"kind": "goal", "thing": "crate-1", "within": 1.0}, "expected trunk-1 within 1 m, "),
    )  # fmt: skip
    false = [{**GOOD[number], "truth": truth} for number, truth, _ in lies]
    told = faults(tmp_path, [*GOOD, *false])
    assert told[: len(GOOD)] == [""] * len(GOOD)
    for (_, _, reason), fault in zip(lies, told[len(GOOD) :], strict=True):
        assert reason in fault


def test_what_means_two_things_is_found(tmp_path: Path) -> None:
    beside = (*CRATES, crate("crate-3", 5.0, 4.0, 0.2, 0.2, 0.2))
    assert "identifies 2 things" in faults(tmp_path / "beside", GOOD[:1], beside)[0]
    goal = {"thing": "crate-1", "within": 1.0}
    lone = task("navigation", goal, kind="goal", object_label="crate")
    twin = task("depth-by-picture", 2.75, kind="metres", object_picture=PICTURE)
    one, two = faults(tmp_path / "twin", [lone, twin])
    assert "identifies 2 things" in one
    assert "may also show crate-2" in two


@pytest.mark.parametrize(
    ("wide", "wrong"),
    [
        (0.45, ("expected a count of 1 to 1, found 0", "")),
        (0.13, ("neither clear nor hidden", "neither clear nor hidden")),
        (0.03, ("", "of 0 to 0")),
    ],
)
def test_things_in_mirrors_are_counted(tmp_path: Path, wide: float, wrong: tuple[str, str]) -> None:
    """The vase behind the camera is seen in the glass around x = 4.15 m, some 0.21 m wide."""
    glass = replace(crate("mirror-1", 4.0, 3.0, 0.5, 0.02, 0.5), mirror=(wide, 0.45))
    things = (glass, crate("vase-1", 3.0, 0.3, 0.25, 0.001, 0.25))
    counted = [task("mirror-counting", count, class_label="vase") for count in (0, 1)]
    for reason, fault in zip(
        wrong, faults(tmp_path, counted, things, north("0000-ego", 5.0, 1.0)), strict=True
    ):
        assert reason in fault
        assert bool(reason) == bool(fault)


PERSON = north("0000-ego", 4.5, 3.0)
AHEAD, ASIDE = crate("crate-1", 4.9, 6.5), crate("crate-1", 7.0, 3.2)
BEHIND = crate("crate-1", 5.6, 1.4, 0.1, 0.1, 0.1)
BOARD = crate("board-1", 4.69, 5.0, 0.34, 0.05, 1.5)
"""Between the person and what is ahead of them, also for eyes 0.3 m aside; the other camera looks
past it."""
NARROW = crate("board-1", 4.73, 5.0, 0.2, 0.05, 1.5)
"""Hides it from the person alone."""


SIDE_CRATE = crate("crate-2", 1.5, 3.2, 0.3, 0.3, 0.3)
"""At the person's side."""


@pytest.mark.parametrize(
    ("answer", "things", "person", "camera"),
    [
        ("yes", [AHEAD], "", ""),
        ("no", [AHEAD], "expected yes", "expected yes"),
        ("no", [AHEAD, BOARD], "", ""),
        ("no", [AHEAD, NARROW], "visible from a step aside", "visible from a step aside"),
        ("no", [ASIDE], "crate-1 is neither clearly in front", ""),
        ("no", [BEHIND], "", ""),
        ("yes", [crate("crate-1", 6.3, 6.0)], "crate-1 is neither clearly in front", "unclear"),
        ("no", [crate("crate-1", 6.9, 5.4)], "crate-1 is neither clearly in front", "unclear"),
        ("no", [BEHIND, SIDE_CRATE], "may also see crate-2", ""),
        ("no", [BEHIND, crate("crate-2", 4.2, 5.0)], "may also see crate-2", "also shows crate-2"),
    ],
)
def test_what_a_person_or_their_camera_sees_is_found_by_rays(
    tmp_path: Path, answer: str, things: list[Thing], person: str, camera: str
) -> None:
    """The person looks north; the camera that watches is at (6, 0.2) and looks north, too."""
    lens = replace(ego(6.0, 0.2, NORTH, pitch=0.0), name="watch-hall-1-1")
    watch = seen_from("0000-watch-hall-1-1", lens, PERSON.agent)
    for kind, wrong in (("person-view", person), ("in-view", camera)):
        asked = task(kind, answer, view=watch.id, object_label="crate")
        (found,) = faults(tmp_path / kind, [asked], things, watch, PERSON)
        assert wrong in found
        assert bool(wrong) == bool(found)
