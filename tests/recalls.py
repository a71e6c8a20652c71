"""A flat of four rooms in a row, made by hand, and views of a walk through it. Nothing is drawn."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace
from itertools import pairwise
from math import pi
from pathlib import Path
from typing import Any

from views import OAK, RED, STRIPED, sighting, thing
from worldquiz.facts.row import Row
from worldquiz.runs.rows import about_item
from worldquiz.tea.answering import Baseline
from worldquiz.tea.recall.questions import FlatQuestion, ask
from worldquiz.tea.recall.quiz import Recall, Walked
from worldquiz.tea.recall.run import RecallRun, about, scores
from worldquiz.tea.settings import TeaRecallSettings
from worldquiz_scenes.cameras import ego
from worldquiz_scenes.scene import Door, Paint, Part, Room, Scene, Shape, Thing
from worldquiz_scenes.view import Reflection, Sighting, View

WHITE = Paint("white", (0.9, 0.9, 0.9), "stone")
BLACK = Paint("black", (0.1, 0.1, 0.1), "metal")
EAST, NORTH, WEST, SOUTH = 0.0, pi / 2, pi, -pi / 2
_ROOMS = (
    ("kitchen-1", 0.0, 4.0),
    ("hall-1", 4.1, 7.0),
    ("bedroom-1", 7.1, 11.0),
    ("bathroom-1", 11.1, 14.0),
)


def flat(*more: Thing) -> Scene:
    """Return kitchen, hall, bedroom and bathroom from west to east, doorways in between.

    Mug and kettle stand on the kitchen's cabinet, a laptop lies on the bed; two of the three chairs
    are in the kitchen. Nothing hides anything.
    """
    rooms = tuple(
        Room(name, name.rsplit("-", 1)[0], (low, 0.0), (high, 4.0), OAK, WHITE)
        for name, low, high in sorted(_ROOMS)
    )
    doors = tuple(
        Door((one[0], two[0]), (one[2] + 0.05, 2.0), 0.9, "y") for one, two in pairwise(_ROOMS)
    )
    things = (
        thing("bed-1", (9.0, 3.0, 0.3), (0.9, 0.7, 0.3), room="bedroom-1", paint=STRIPED),
        thing("cabinet-1", (2.0, 3.6, 0.5), (0.4, 0.3, 0.5), paint=OAK),
        thing("chair-1", (1.0, 1.0, 0.4), (0.2, 0.2, 0.4)),
        thing("chair-2", (3.0, 1.0, 0.4), (0.2, 0.2, 0.4)),
        thing("chair-3", (8.0, 0.5, 0.4), (0.2, 0.2, 0.4), room="bedroom-1"),
        thing("kettle-1", (2.2, 3.6, 1.1), support="cabinet-1", paint=BLACK),
        thing("laptop-1", (9.0, 3.0, 0.7), support="bed-1", room="bedroom-1", paint=WHITE),
        thing("mug-1", (1.8, 3.6, 1.1), support="cabinet-1", paint=RED),
        thing("plant-1", (6.0, 3.5, 0.5), (0.2, 0.2, 0.5), room="hall-1"),
        thing("shoe-rack-1", (5.0, 0.3, 0.3), (0.4, 0.2, 0.3), room="hall-1", paint=WHITE),
        thing("stool-1", (12.0, 3.5, 0.3), (0.2, 0.2, 0.3), room="bathroom-1", paint=RED),
        thing("stove-1", (0.4, 2.0, 0.5), (0.3, 0.3, 0.5), paint=WHITE),
        thing("toilet-1", (13.5, 1.0, 0.4), (0.3, 0.2, 0.4), room="bathroom-1", paint=WHITE),
        thing("vase-1", (10.5, 0.5, 0.3), room="bedroom-1", paint=STRIPED),
    )
    ordered = tuple(sorted((*things, *more), key=lambda each: each.id))
    return Scene("row", 0, "plain", 2.5, rooms, doors, ordered, (1.0, 2.0, 0.0))


def screen(x: float, *, room: str = "kitchen-1") -> Thing:
    """Return a wall of a thing across a room, from floor to ceiling."""
    part = Part(Shape.BOX, (0.0, 0.0, 0.0), (0.05, 2.0, 1.25), OAK)
    whole = thing("screen-1", (x, 2.0, 1.25), (0.05, 2.0, 1.25), room=room)
    return replace(whole, parts=(part,))


def look(
    time: float,
    x: float,
    y: float,
    heading: float,
    *seen: str | Sighting,
    reflections: tuple[Reflection, ...] = (),
) -> View:
    """Return what the agent sees from a place; things that are named are clear."""
    room = next(name for name, low, high in _ROOMS if x <= high + 0.1 or name == "bathroom-1")
    clear = [sighting(each) if isinstance(each, str) else each for each in seen]
    ordered = tuple(sorted(clear, key=lambda each: each.thing))
    return View(
        f"{int(time):04d}-ego", time, "row", room, ego(x, y, heading), (x, y, heading), ordered,
        reflections, {},
    )  # fmt: skip


def around(time: float, x: float, y: float, *seen: str | Sighting) -> list[View]:
    """Return six views from one place, all around; the first shows what is named."""
    turns = [look(time + n, x, y, n * pi / 3) for n in range(1, 6)]
    return [look(time, x, y, 0.0, *seen), *turns]


WALK = (
    look(0, 2, 2, NORTH, "mug-1", "cabinet-1", "kettle-1", "stove-1"),
    *around(1, 1, 2, "stove-1"),
    *around(10, 3.5, 3.5),
    *around(20, 3.5, 0.5),
    look(30, 2, 3, SOUTH, "chair-1", "chair-2"),
    look(31, 2, 2, EAST, "shoe-rack-1", sighting("plant-1", 200)),
)


def recall(
    *scenes: Scene, views: tuple[View, ...] = WALK, items: tuple[FlatQuestion, ...] | None = None
) -> Recall:
    """Return the quiz on some flats, all walked alike, without a folder."""
    made = Recall(Path("nowhere"), TeaRecallSettings(seed=1))
    flats = {
        each.id: Walked(each, views, ask(each, seed=1) if items is None else items)
        for each in scenes
    }
    vars(made).update(flats=flats, pool={each.id: ask(each, each=None) for each in scenes})
    return made


def begun(quiz: Recall) -> RecallRun:
    """Return a run of the baseline ``reader``."""
    made = RecallRun(quiz, Baseline("reader"))
    vars(made)["manifest"] = {"answerer": "reader"}
    return made


def answered(quiz: Recall, say: Callable[[Walked, FlatQuestion], str]) -> tuple[Row, ...]:
    """Return the rows of somebody who is asked every question."""
    run = begun(quiz)
    return tuple(run.row({**about_item(key), "reply": say(*run.asked[key])}) for key in run.units)


def scored(quiz: Recall, found: Iterable[Row]) -> dict[str, Any]:
    """Return the scores of rows, without intervals."""
    return scores(found, {"asked": {"seed": 1}, **about(quiz)}, resamples=0)
