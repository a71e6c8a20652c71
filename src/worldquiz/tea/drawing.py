"""Drawing of an apartment for the page: its plan, the walk through it, and pictures of its tasks.

North is up; centimetres are the units. Of a run of TEA-Test, parts are shown when their question is
chosen: the camera with the field of its view, the things that the task is about, and the walk of
the answerer. Of a run of the recall quiz, the steps are the pictures that were shown, and a thing
is shown once some picture shows it clearly.

The tasks' folder must be there: where the run's manifest says it is, or where the user says.
"""

from __future__ import annotations

import base64
import io
from collections.abc import Callable, Iterable, Iterator, Sequence
from html import escape
from math import atan, atan2, cos, hypot, radians, sin, tan
from pathlib import Path
from typing import Any

from worldquiz.errors import MissingExtra, RecordError
from worldquiz.facts.row import AnswerStatus, Row
from worldquiz.page.drawing import Drawing, DrawnPicture, DrawnStep
from worldquiz.records import read_json
from worldquiz.runs.benchmark import stated_kind
from worldquiz.runs.folder import FOLDER, MANIFEST
from worldquiz.runs.rows import read_rows
from worldquiz.tea.answering import holds_tasks
from worldquiz.tea.data import Folder, cropped, folders, opened, pillow
from worldquiz.tea.exam import walk
from worldquiz.tea.exam.exam import KIND, measures_of
from worldquiz.tea.exam.show import COLOURS, boxes, crops, whole
from worldquiz.tea.kinds.kinds import Look
from worldquiz.tea.recall.shown import walk as walked
from worldquiz.tea.scoring.tables import Trip
from worldquiz.tea.taskgraph import Box2, Crop, Goal, Instance
from worldquiz_scenes.arrays import np
from worldquiz_scenes.geometry import corners
from worldquiz_scenes.locomotion import outline_of
from worldquiz_scenes.scene import CEILING, WALL, Scene
from worldquiz_scenes.view import View

UNIT = 100.0
"""Units of the drawing in a metre."""
EDGE = 0.25
"""Metres around an apartment."""
HIGH = 2.0
"""Metres above which nothing is drawn: what hangs there is in nobody's way."""
FLAT = 0.03
"""Metres of a rug's height at most."""
REACH = 1.5
"""Metres before a camera that are drawn of its view."""
WIDEST, QUALITY = 400, 72
"""Pixels and quality of a picture on a page."""
MOST_BYTES = 3_000_000
"""Of the pictures of one apartment; tasks beyond have none."""
LEGEND = {
    True: "The apartment from above, north being up. Bright is what some picture has shown clearly "
    "so far; the dot is the camera.",
    False: "The apartment from above, north being up, with what the chosen task is about: the "
    "camera's field of view, the things ringed, the walk as a line. In pictures, yellow and cyan "
    "are boxes that the task gives, green is the true answer.",
}
_STYLE = """.plan { max-height: 24rem }
.plan .room { fill: var(--paper); stroke: var(--soft); stroke-width: 3 }
.plan .gap { stroke: var(--paper); stroke-width: 8 }
.plan .mirror { stroke: var(--ink); stroke-width: 5 }
.plan text { fill: var(--ink); font-size: 24px; text-anchor: middle;
  paint-order: stroke; stroke: var(--paper); stroke-width: 6 }
.plan .thing { fill: var(--line); stroke: var(--ink) } .plan .rug { fill: var(--card) }
.plan .cone { fill: var(--accent); fill-opacity: .2; stroke: var(--accent) }
.plan .ring { fill: none; stroke: var(--run-4); stroke-width: 5 }
.plan .walk { fill: none; stroke: var(--run-1); stroke-width: 5; stroke-linejoin: round }"""
_GIVEN, _TRUE = {name: f"rgb{COLOURS[name]}" for name in COLOURS}, "rgb(53, 211, 106)"


def drawings(run: Path, data: Path | None = None) -> Callable[[str], Drawing | None]:
    """Open the apartments of a run to be drawn by name.

    Raises `RecordError` for a folder `data` that does not hold the tasks of the run.
    """
    manifest = read_json(run / MANIFEST)
    place = data or run / str(manifest.get(FOLDER, ""))
    if not holds_tasks(place, manifest.get("data")):
        if data is None:
            return lambda world: None
        raise RecordError(
            f"{data}: does not hold the tasks that were asked: give the folder that the run was "
            "made on, or none for a page without drawings"
        )
    known = {folder.path.name: folder for folder in folders(place)}
    examined = stated_kind(run) == KIND
    rows = tuple(read_rows(run)) if examined else ()
    views = None if examined else int(manifest["asked"]["views"])

    def drawn(world: str) -> Drawing | None:
        folder = known.get(world)
        if folder is None:
            return None
        if views is not None:
            return _recalled(folder, walked(folder.views)[:views])
        return _examined(folder, [row for row in rows if row.world == world], run)

    return drawn


def _recalled(folder: Folder, views: Sequence[View]) -> Drawing:
    """Draw a walk whose pictures were shown: a thing is a part, which a clear view shows."""
    plan, shown, steps, pictures = Plan(folder.scene), set[str](), [], Pictures(folder)
    for number, view in enumerate(views, start=1):
        clear = {thing.id for thing, _ in Look(folder.scene, view).clear} - shown
        shown |= clear
        steps.append(
            DrawnStep(
                step=number,
                text=f"Picture {number}, in the {view.room.rsplit('-', 1)[0]}",
                shows=tuple(plan.part(thing) for thing in sorted(clear)),
                at=(UNIT * view.agent[0], -UNIT * view.agent[1]),
                picture=pictures.of(view),
            )
        )
    return Drawing(svg=plan.svg(), steps=tuple(steps), legend=LEGEND[True])


def _examined(folder: Folder, rows: Sequence[Row], run: Path) -> Drawing:
    """Draw what each task is about, to be shown when its question is chosen."""
    plan, pictures = Plan(folder.scene), Pictures(folder)
    about, shown = {}, {}
    tasks = {task.id: task for task in folder.tasks}
    for row in rows:
        if (task := tasks.get(row.item)) is None:  # a damaged line
            continue
        view, goal = folder.view[task.view], task.truth if isinstance(task.truth, Goal) else None
        things = {each for each in task.bind.values() if each in plan.things}
        things |= {goal.thing} if goal else set()
        parts = [plan.view(view), *map(plan.ring, sorted(things & plan.things.keys()))]
        if goal and row.status is not AnswerStatus.FAILED:
            parts.append(plan.walk(task.id, walk.read(measures_of(row, run))))
        about[task.id] = tuple(parts)
        whole_view = pictures.of(view, _overlay(task)) if goal or whole(task) else None
        cuts = [pictures.cut(crop) for crop in crops(task)]
        shown[task.id] = tuple(each for each in (whole_view, *cuts) if each)
    return Drawing(svg=plan.svg(), about=about, pictures=shown, legend=LEGEND[False])


def _overlay(task: Instance) -> str:
    """Return the boxes of a task over its picture: those that are given, and the true answer."""
    found = [(_GIVEN[name], box.value) for name, box in boxes(task)]
    if isinstance(task.truth, Box2):
        found.append((_TRUE, task.truth.value))
    return "".join(
        f'<rect x="{x0:g}" y="{y0:g}" width="{x1 - x0:g}" height="{y1 - y0:g}" fill="none" '
        f'stroke="{colour}" stroke-width="3"/>'
        for colour, (x0, y0, x1, y1) in found
    )


class Pictures:
    """Small pictures of an apartment's views, as long as there is room for them."""

    def __init__(self, folder: Folder) -> None:
        self._folder, self._left, self._made = folder, MOST_BYTES, dict[object, str]()

    def of(self, view: View, lines: str = "") -> DrawnPicture | None:
        """Return a view's picture with lines over it, None where there is none, or no room."""
        camera = view.camera
        return self._drawn(
            view.id, camera.width, camera.height, lambda: opened(self._folder, view), lines
        )

    def cut(self, crop: Crop) -> DrawnPicture | None:
        """Return an object's own picture."""
        x0, y0, x1, y1 = crop.box
        return self._drawn(
            (crop.view, crop.box), x1 - x0, y1 - y0, lambda: cropped(self._folder, crop)
        )

    def _drawn(
        self, key: object, width: int, height: int, pixels: Callable[[], Any], lines: str = ""
    ) -> DrawnPicture | None:
        if key not in self._made:
            try:
                uri = _jpeg(pixels())
            except (MissingExtra, RecordError):  # generated without pictures, or no Pillow
                uri = ""
            self._left -= len(uri)
            self._made[key] = uri if self._left >= 0 else ""
        uri = self._made[key]
        return DrawnPicture(uri=uri, width=width, height=height, lines=lines) if uri else None


def _jpeg(pixels: Any) -> str:
    picture = pillow().fromarray(pixels)
    if picture.width > WIDEST:
        picture = picture.resize((WIDEST, max(1, round(picture.height * WIDEST / picture.width))))
    stream = io.BytesIO()
    picture.save(stream, "JPEG", quality=QUALITY, optimize=True)
    return "data:image/jpeg;base64," + base64.b64encode(stream.getvalue()).decode()


class Plan:
    """An apartment from above. Each thing, ring, camera and walk is a part with a number."""

    def __init__(self, scene: Scene) -> None:
        self._scene, self.things = scene, scene.thing
        self._numbers: dict[tuple[str, str], int] = {}
        self._over: list[str] = []  # parts that are shown when their question is chosen

    def part(self, thing: str) -> int:
        """Return the number of a thing's part."""
        return self._numbers.setdefault(("thing", thing), len(self._numbers))

    def ring(self, thing: str) -> int:
        """Return the number of a ring around a thing."""
        (x, y, _), (wide, deep, _) = self.things[thing].position, self.things[thing].half
        radius = max(hypot(wide, deep), EDGE)
        drawn = f'cx="{_n(UNIT * x)}" cy="{_n(-UNIT * y)}" r="{_n(UNIT * radius)}"'
        return self._only("ring", thing, f'<circle class="ring" {drawn}/>')

    def view(self, view: View) -> int:
        """Return the number of a camera's place and its field of view from side to side."""
        camera, (x, y, _), (east, north, _) = view.camera, view.camera.at, view.camera.forward
        heading = atan2(north, east)
        half = atan(tan(radians(camera.fovy) / 2) * camera.width / camera.height)
        sides = (heading - half, heading + half)
        ends = [(x + REACH * cos(way), y + REACH * sin(way)) for way in sides]
        return self._only("view", view.id, f'<path class="cone" d="{_line([(x, y), *ends])}Z"/>')

    def walk(self, task: str, trip: Trip) -> int:
        """Return the number of a walk as a line."""
        points = [each.at[:2] for each in trip.stands if each.at is not None]
        drawn = f'<path class="walk" d="{_line(points)}"/>' if points else ""
        return self._only("walk", task, drawn)

    def _only(self, kind: str, name: str, drawn: str) -> int:
        new = (kind, name) not in self._numbers
        number = self._numbers.setdefault((kind, name), len(self._numbers))
        if new:
            self._over.append(f'<g class="only" data-part="{number}">{drawn}</g>')
        return number

    def svg(self) -> str:
        """Return the plan as one SVG element."""
        rooms = self._scene.rooms
        x0, y0 = (min(room.low[axis] for room in rooms) - EDGE for axis in (0, 1))
        x1, y1 = (max(room.high[axis] for room in rooms) + EDGE for axis in (0, 1))
        box = " ".join(_n(UNIT * each) for each in (x0, -y1, x1 - x0, y1 - y0))
        names = []
        for room in rooms:
            x, y = ((low + high) / 2 for low, high in zip(room.low, room.high, strict=True))
            names.append(f'<text x="{_n(UNIT * x)}" y="{_n(-UNIT * y)}">{escape(room.kind)}</text>')
        inner = "".join((*self._rooms(), *self._standing(), *names, *self._over))
        return (
            f'<svg xmlns="http://www.w3.org/2000/svg" class="plan" viewBox="{box}" role="group" '
            f'aria-label="Plan of {escape(self._scene.id)}" width="100%"><style>{_STYLE}</style>'
            f"{inner}</svg>"
        )

    def _rooms(self) -> Iterator[str]:
        for room in self._scene.rooms:
            (x0, y0), (x1, y1) = room.low, room.high
            yield f'<path class="room" d="{_line([(x0, y0), (x1, y0), (x1, y1), (x0, y1)])}Z"/>'
        for door in self._scene.doors:
            (x, y), half = door.at, door.width / 2
            across = (half, 0.0) if door.along == "x" else (0.0, half)
            ends = [(x + sign * across[0], y + sign * across[1]) for sign in (-1, 1)]
            yield f'<path class="gap" d="{_line(ends)}"/>'

    def _standing(self) -> Iterator[str]:
        """Yield things from below: rugs, furniture, mirrors; no small things."""
        found = [
            each for each in self._scene.things
            if each.mirror or (each.support not in self.things
                               and each.support not in (WALL, CEILING)
                               and each.position[2] - each.half[2] < HIGH)
        ]  # fmt: skip
        for thing in sorted(found, key=lambda it: (bool(it.mirror), it.half[2] > FLAT, it.id)):
            kind = "mirror" if thing.mirror else "rug" if thing.half[2] <= FLAT else "thing"
            points = np.array([(round(x, 4), round(y, 4)) for x, y, _ in corners(thing)])
            drawn = f'data-part="{self.part(thing.id)}" d="{_line(outline_of(points).tolist())}Z"'
            yield f'<path class="{kind}" {drawn}><title>{escape(thing.label)}</title></path>'


def _line(points: Iterable[Sequence[float]]) -> str:
    return "M" + "L".join(f"{_n(UNIT * x)} {_n(-UNIT * y)}" for x, y in points)


def _n(value: float) -> str:
    """Return a coordinate in few letters."""
    return f"{round(value, 1) + 0.0:g}"
