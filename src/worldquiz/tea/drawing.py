"""Drawings for the page: an apartment's plan with a walk or tasks on it, and pictures.

North is up; units are centimetres. For a run of TEA-Test, choosing a question shows the camera with
its field of view, a ring around each thing that the task is about, and the answerer's walk. For a
run of the recall quiz, each step is a picture that the answerer was shown; a thing is highlighted
once a picture has shown it clearly.

Drawing needs the folder of tasks, at the path in the run's manifest or a path that the user gives.
"""

from __future__ import annotations

import base64
import io
from collections.abc import Callable, Iterable, Sequence
from html import escape
from math import atan, atan2, cos, hypot, radians, sin, tan
from pathlib import Path

from worldquiz.errors import RecordError
from worldquiz.facts.row import AnswerStatus, Row
from worldquiz.page.html import Drawing, DrawnPicture, DrawnStep
from worldquiz.records import read_json
from worldquiz.runs.benchmark import stated_kind
from worldquiz.runs.folder import MANIFEST, data_folder, if_there
from worldquiz.runs.rows import read_rows
from worldquiz.tea.data import Folder, cut, folders, opened
from worldquiz.tea.exam import walk
from worldquiz.tea.exam.exam import KIND, measures_of
from worldquiz.tea.exam.show import COLOURS, boxes, crops, whole
from worldquiz.tea.kinds.kinds import Box2, Goal, Look
from worldquiz.tea.recall.shown import walk as walked
from worldquiz_scenes.arrays import np
from worldquiz_scenes.geometry import corners
from worldquiz_scenes.locomotion import outline_of
from worldquiz_scenes.scene import CEILING, WALL, Scene, Thing
from worldquiz_scenes.view import Box, View

UNIT = 100.0
"""Units of the drawing in a metre."""
EDGE = 0.25
"""Metres around an apartment."""
HIGH = 2.0
"""Metres above which things are not drawn, since they do not block the way."""
FLAT = 0.03
"""Greatest height of a rug, in metres."""
REACH = 1.5
"""Metres of a camera's field of view that are drawn."""
WIDEST, QUALITY = 400, 72
"""Pixels and quality of a picture on a page."""
MOST_BYTES = 3_000_000
"""Most characters for the pictures of an apartment; further tasks have no pictures."""
LEGEND = {
    True: "The apartment from above, with north up. Bright things have been shown clearly in a "
    "picture so far; the dot is the camera.",
    False: "The apartment from above, with north up, and the parts of the chosen task: the "
    "camera's field of view, its things in rings, the walk as a line. In pictures, yellow and "
    "cyan boxes are given by the task; green is the true answer.",
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
    """Return a function that draws an apartment of a run, given its name.

    Raises `RecordError` if the folder `data` does not hold the tasks of the run.
    """
    place = if_there(data_folder, run, data)
    if place is None:
        return lambda world: None
    known = {folder.path.name: folder for folder in folders(place)}
    examined = stated_kind(run) == KIND
    rows = tuple(read_rows(run)) if examined else ()
    views = None if examined else int(read_json(run / MANIFEST)["views"])

    def drawn(world: str) -> Drawing | None:
        folder = known.get(world)
        if folder is None:
            return None
        if views is not None:
            return _recalled(folder, walked(folder.views)[:views])
        return _examined(folder, [row for row in rows if row.world == world], run)

    return drawn


def _recalled(folder: Folder, views: Sequence[View]) -> Drawing:
    """Draw the walk of a recall quiz; each step highlights things that it first shows clearly."""
    plan, shown, steps, pictures = Plan(folder.scene), set[str](), [], Pictures(folder)
    for number, view in enumerate(views, start=1):
        clear = {thing.id for thing, _ in Look(folder.scene, view).clear} - shown
        shown |= clear
        steps.append(
            DrawnStep(
                step=number,
                text=f"Picture {number}, in the {view.room.rsplit('-', 1)[0]}",
                shows=tuple(plan.part("thing", thing) for thing in sorted(clear)),
                at=(UNIT * view.agent[0], -UNIT * view.agent[1]),
                picture=pictures.shown(view),
            )
        )
    return Drawing(svg=plan.svg(), steps=tuple(steps), legend=LEGEND[True])


def _examined(folder: Folder, rows: Sequence[Row], run: Path) -> Drawing:
    """Draw the camera, things and walk of each task, to be shown when its question is chosen."""
    plan, pictures, about, shown = Plan(folder.scene), Pictures(folder), {}, {}
    for row in rows:
        if (task := folder.task.get(row.item)) is None:  # a damaged line
            continue
        view, goal = folder.view[task.view], task.truth if isinstance(task.truth, Goal) else None
        bound = {*task.bind.values(), goal.thing if goal else ""}
        parts = [plan.field(view)]
        parts += [plan.ring(thing) for thing in folder.scene.things if thing.id in bound]
        if goal and row.status is not AnswerStatus.FAILED:
            stands = walk.read(measures_of(row, run)).stands
            points = [stand.at[:2] for stand in stands if stand.at is not None]
            line = f'<path class="walk" d="{_line(points)}"/>' if points else ""
            parts.append(plan.part("walk", task.id, line))
        about[task.id] = tuple(parts)
        framed = [(_GIVEN[name], box.value) for name, box in boxes(task)]
        if isinstance(task.truth, Box2):
            framed.append((_TRUE, task.truth.value))
        lines = "".join(
            f'<rect x="{x0:g}" y="{y0:g}" width="{x1 - x0:g}" height="{y1 - y0:g}" fill="none" '
            f'stroke="{colour}" stroke-width="3"/>'
            for colour, (x0, y0, x1, y1) in framed
        )
        whole_view = pictures.shown(view, lines=lines) if goal or whole(task) else None
        cuts = [pictures.shown(folder.view[crop.view], crop.box) for crop in crops(task)]
        shown[task.id] = tuple(each for each in (whole_view, *cuts) if each)
    return Drawing(svg=plan.svg(), about=about, pictures=shown, legend=LEGEND[False])


class Pictures:
    """Small pictures of an apartment's views, up to a total size of `MOST_BYTES`."""

    def __init__(self, folder: Folder) -> None:
        self._folder, self._left, self._made = folder, MOST_BYTES, dict[object, str]()

    def shown(self, view: View, box: Box | None = None, lines: str = "") -> DrawnPicture | None:
        """Return a view's picture, or the part of it within a box, with lines drawn on top.

        None if the view has no picture, or if the total size would be exceeded.
        """
        part = x0, y0, x1, y1 = box or (0, 0, view.camera.width, view.camera.height)
        if (view.id, part) not in self._made:
            self._made[view.id, part] = self._uri(view, part)
        uri = self._made[view.id, part]
        return DrawnPicture(uri=uri, width=x1 - x0, height=y1 - y0, lines=lines) if uri else None

    def _uri(self, view: View, box: Box) -> str:
        from PIL import Image

        try:
            picture = Image.fromarray(cut(opened(self._folder, view), box))
        except RecordError:  # generated without pictures
            return ""
        high, stream = max(1, round(picture.height * WIDEST / picture.width)), io.BytesIO()
        small = picture.resize((WIDEST, high)) if picture.width > WIDEST else picture
        small.save(stream, "JPEG", quality=QUALITY, optimize=True)
        uri = "data:image/jpeg;base64," + base64.b64encode(stream.getvalue()).decode()
        self._left -= len(uri)
        return uri if self._left >= 0 else ""


class Plan:
    """Plan of an apartment. The page shows or highlights its elements by number (`data-part`)."""

    def __init__(self, scene: Scene) -> None:
        self._scene = scene
        self._numbers: dict[tuple[str, str], int] = {}
        self._over: list[str] = []  # parts that are shown when their question is chosen

    def part(self, kind: str, name: str, drawn: str = "") -> int:
        """Return the number of an element of the plan. If it is new, draw its SVG over the plan."""
        new = drawn and (kind, name) not in self._numbers
        number = self._numbers.setdefault((kind, name), len(self._numbers))
        if new:
            self._over.append(f'<g class="only" data-part="{number}">{drawn}</g>')
        return number

    def ring(self, thing: Thing) -> int:
        """Add a ring around a thing, and return its number."""
        (x, y, _), (wide, deep, _) = thing.position, thing.half
        radius = max(hypot(wide, deep), EDGE)
        drawn = f'cx="{_n(UNIT * x)}" cy="{_n(-UNIT * y)}" r="{_n(UNIT * radius)}"'
        return self.part("ring", thing.id, f'<circle class="ring" {drawn}/>')

    def field(self, view: View) -> int:
        """Add a camera with its horizontal field of view, and return its number."""
        camera, (x, y, _), (east, north, _) = view.camera, view.camera.at, view.camera.forward
        heading = atan2(north, east)
        half = atan(tan(radians(camera.fovy) / 2) * camera.width / camera.height)
        sides = (heading - half, heading + half)
        ends = [(x + REACH * cos(way), y + REACH * sin(way)) for way in sides]
        return self.part("view", view.id, f'<path class="cone" d="{_line([(x, y), *ends])}Z"/>')

    def svg(self) -> str:
        """Return the plan as one SVG element: rooms, doorways, mirrors, and things on the floor."""
        scene, inner, names = self._scene, [], []
        for room in scene.rooms:
            (x0, y0), (x1, y1) = room.low, room.high
            rim = _line([(x0, y0), (x1, y0), (x1, y1), (x0, y1)])
            inner.append(f'<path class="room" d="{rim}Z"/>')
            at = f'x="{_n(UNIT * (x0 + x1) / 2)}" y="{_n(-UNIT * (y0 + y1) / 2)}"'
            names.append(f"<text {at}>{escape(room.kind)}</text>")
        for door in scene.doors:
            (x, y), half = door.at, door.width / 2
            dx, dy = (half, 0.0) if door.along == "x" else (0.0, half)
            inner.append(f'<path class="gap" d="{_line([(x - dx, y - dy), (x + dx, y + dy)])}"/>')
        standing = [
            each for each in scene.things
            if each.mirror or (each.support not in scene.thing
                               and each.support not in (WALL, CEILING)
                               and each.position[2] - each.half[2] < HIGH)
        ]  # fmt: skip
        for thing in sorted(standing, key=lambda it: (bool(it.mirror), it.half[2] > FLAT, it.id)):
            kind = "mirror" if thing.mirror else "rug" if thing.half[2] <= FLAT else "thing"
            points = np.array([(round(x, 4), round(y, 4)) for x, y, _ in corners(thing)])
            part = f'data-part="{self.part("thing", thing.id)}"'
            rim = f'd="{_line(outline_of(points).tolist())}Z"'
            title = f"<title>{escape(thing.label)}</title>"
            inner.append(f'<path class="{kind}" {part} {rim}>{title}</path>')
        x0, y0 = (min(room.low[axis] for room in scene.rooms) - EDGE for axis in (0, 1))
        x1, y1 = (max(room.high[axis] for room in scene.rooms) + EDGE for axis in (0, 1))
        box = " ".join(_n(UNIT * each) for each in (x0, -y1, x1 - x0, y1 - y0))
        return (
            f'<svg xmlns="http://www.w3.org/2000/svg" class="plan" viewBox="{box}" role="group" '
            f'aria-label="Plan of {escape(scene.id)}" width="100%"><style>{_STYLE}</style>'
            f"{''.join((*inner, *names, *self._over))}</svg>"
        )


def _line(points: Iterable[Sequence[float]]) -> str:
    return "M" + "L".join(f"{_n(UNIT * x)} {_n(-UNIT * y)}" for x, y in points)


def _n(value: float) -> str:
    """Return a coordinate as a short text."""
    return f"{round(value, 1) + 0.0:g}"
