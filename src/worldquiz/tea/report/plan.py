"""Walks drawn from above: rooms, furniture, the goal, mirrors, and the answerers' paths.

A scene is drawn once and used by each of its walks. North is up; centimetres are the drawing's
units.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from html import escape
from math import atan, atan2, cos, radians, sin, tan

from worldquiz.tea.scoring.navigation import Stand, Trip, success
from worldquiz_scenes.geometry import corners
from worldquiz_scenes.locomotion import outline_of
from worldquiz_scenes.scene import CEILING, WALL, Scene, Thing
from worldquiz_scenes.view import EGO, View

UNIT = 100.0
"""Units of the drawing in a metre."""
EDGE = 0.25
"""Metres around a flat."""
HIGH = 2.0
"""Metres above which nothing is drawn: what hangs there is in nobody's way."""
ARROW = 0.2
"""Metres of the arrow that shows where a walk begins."""
REACH, RAYS = 4.0, 8
"""Metres before a camera that are drawn of its view, and into how many parts each half of it."""
WIDE, TALL = 400.0, 310.0
"""Pixels of a plan: lines and letters have the same size in flats of any."""
NEAR = 0.6
"""Metres between the ends of two walks whose letters stand side by side."""
FLAT = 0.03
"""Metres of a rug's height at most."""
Point = tuple[float, float]


def symbol(scene: Scene, name: str) -> str:
    """Return a scene as an SVG symbol of that name."""
    return (
        f'<symbol id="{escape(name)}" viewBox="{sheet(scene)[0]}" overflow="visible">'
        f"{flat(scene)}</symbol>"
    )


def flat(scene: Scene) -> str:
    """Return the drawing of a scene, for an SVG element with its `sheet`."""
    things = (_thing(each) for each in _standing(scene))
    return "".join((*_rooms(scene), *_doors(scene), *things, *_names(scene)))


def sheet(scene: Scene) -> tuple[str, float]:
    """Return a scene's SVG view box, and its units in a pixel of a plan."""
    low, high = _span(scene)
    width, height = (UNIT * (two - one) for one, two in zip(low, high, strict=True))
    return _box(low, high), max(width / WIDE, height / TALL)


def drawing(
    scene: Scene, name: str, goal: str, trips: Sequence[tuple[str, str, Trip]], label: str
) -> str:
    """Return the walks to a goal as SVG; `trips` come with each answerer's letter and colour."""
    (box, scale), (low, high) = sheet(scene), _span(scene)
    width, height = (UNIT * (two - one) for one, two in zip(low, high, strict=True))
    return (
        f'<svg class="plan" style="--k:{_n(scale)}" '
        f'viewBox="{box}" role="img" aria-label="{escape(label)}">'
        f'<use href="#{escape(name)}" x="{_n(UNIT * low[0])}" y="{_n(-UNIT * high[1])}" '
        f'width="{_n(width)}" height="{_n(height)}"/>'
        f"{walked(scene, goal, trips)}</svg>"
    )


def walked(scene: Scene, goal: str, trips: Sequence[tuple[str, str, Trip]]) -> str:
    """Return the layer over a scene's drawing: a goal, and the walks to it."""
    _, scale = sheet(scene)
    parts = [marked(scene.thing[goal]) if goal in scene.thing else ""]
    starts = [trip.stands[0].at for _, _, trip in trips if trip.stands[0].at is not None]
    ends = [trip.stands[-1].at for _, _, trip in trips]
    for turn, (tag, colour, trip) in enumerate(trips):
        parts.append(_path(tag, colour, trip, turn))
        parts.append(_letter(tag, colour, ends[turn], _beside(ends[: turn + 1]), scale))
    parts += [_start(at, ARROW * max(1.0, scale)) for at in starts[:1]]
    return "".join(parts)


def looking(scene: Scene, view: View) -> str:
    """Return the SVG of a camera's place, and of its field of view from side to side.

    For a camera that the agent does not carry, also of the agent's place and direction.
    """
    camera, size = view.camera, ARROW * max(1.0, sheet(scene)[1])
    (x, y, _), (east, north, _) = camera.at, camera.forward
    heading = atan2(north, east)
    half = atan(tan(radians(camera.fovy) / 2) * camera.width / camera.height)
    rays = [_ray(scene, (x, y), heading + half * part / RAYS) for part in range(-RAYS, RAYS + 1)]
    cone = f'<path class="cone" d="{_line([(x, y), *rays])}Z"/>{_start((x, y, heading), size)}'
    return cone if camera.name == EGO else cone + _person(view.agent, size)


def _ray(scene: Scene, at: Point, heading: float) -> Point:
    """Return the point where a drawn line of sight ends: at the scene's outline, or at `REACH`."""
    low, high = _span(scene)
    reach = REACH
    for axis, step in enumerate((cos(heading), sin(heading))):
        if step:
            edge = high[axis] - EDGE if step > 0 else low[axis] + EDGE
            reach = min(reach, max(0.0, (edge - at[axis]) / step))
    return at[0] + reach * cos(heading), at[1] + reach * sin(heading)


def _person(at: tuple[float, float, float], size: float) -> str:
    x, y, heading = at
    nose = (x + 1.6 * size * cos(heading), y + 1.6 * size * sin(heading))
    return (
        f'<g class="person"><path d="{_line([(x, y), nose])}"/>'
        f'<circle cx="{_n(UNIT * x)}" cy="{_n(-UNIT * y)}" r="{_n(UNIT * size * 0.6)}"/></g>'
    )


def ending(trip: Trip) -> str:
    """Return in words how a walk ended."""
    moves = f"{trip.steps} move{'' if trip.steps == 1 else 's'}"
    if success(trip):
        return f"there in {moves}"
    how = "gave up" if trip.gave_up else "stopped"
    return f"{how} {trip.stands[-1].away:.1f} m short, after {moves}"


def _span(scene: Scene) -> tuple[Point, Point]:
    xs = [x for room in scene.rooms for x in (room.low[0], room.high[0])]
    ys = [y for room in scene.rooms for y in (room.low[1], room.high[1])]
    return (min(xs) - EDGE, min(ys) - EDGE), (max(xs) + EDGE, max(ys) + EDGE)


def _box(low: Point, high: Point) -> str:
    return " ".join(
        _n(UNIT * each) for each in (low[0], -high[1], high[0] - low[0], high[1] - low[1])
    )


def _rooms(scene: Scene) -> Iterable[str]:
    for room in scene.rooms:
        (x0, y0), (x1, y1) = room.low, room.high
        yield (
            f'<rect class="room" x="{_n(UNIT * x0)}" y="{_n(-UNIT * y1)}" '
            f'width="{_n(UNIT * (x1 - x0))}" height="{_n(UNIT * (y1 - y0))}"/>'
        )


def _names(scene: Scene) -> Iterable[str]:
    for room in scene.rooms:
        x, y = ((one + two) / 2 for one, two in zip(room.low, room.high, strict=True))
        yield (
            f'<text class="room-name" x="{_n(UNIT * x)}" y="{_n(-UNIT * y)}">'
            f"{escape(room.kind)}</text>"
        )


def _doors(scene: Scene) -> Iterable[str]:
    for door in scene.doors:
        (x, y), half = door.at, door.width / 2
        one, two = ((x - half, y), (x + half, y)) if door.along == "x" else (
            (x, y - half), (x, y + half)
        )  # fmt: skip
        yield f'<path class="gap" d="{_line([one, two])}"/>'


def _standing(scene: Scene) -> list[Thing]:
    """Return things to draw, from below: rugs, then furniture, then mirrors; no small things."""
    found = [
        thing
        for thing in scene.things
        if thing.mirror
        or (thing.support not in scene.thing and thing.support not in (WALL, CEILING)
            and thing.position[2] - thing.half[2] < HIGH)
    ]  # fmt: skip
    return sorted(found, key=lambda each: (bool(each.mirror), each.half[2] > FLAT, each.id))


def _thing(thing: Thing) -> str:
    kind = "mirror" if thing.mirror else "rug" if thing.half[2] <= FLAT else "thing"
    return (
        f'<path class="{kind}" d="{_line(outline(thing))}Z"><title>{escape(thing.label)}</title>'
        "</path>"
    )


def outline(thing: Thing) -> list[Point]:
    """Return the outline of a thing's box from above, counter-clockwise."""
    import numpy

    points = [(round(x, 4), round(y, 4)) for x, y, _ in corners(thing)]
    return [(float(x), float(y)) for x, y in outline_of(numpy.array(points))]


def marked(thing: Thing) -> str:
    """Return a thing with a ring around it."""
    x, y, _ = thing.position
    reach = UNIT * max(0.22, max(thing.half[:2]) + 0.12)
    return (
        f'<path class="goal" d="{_line(outline(thing))}Z"/>'
        f'<circle class="ring" cx="{_n(UNIT * x)}" cy="{_n(-UNIT * y)}" r="{_n(reach)}"/>'
    )


def _path(tag: str, colour: str, trip: Trip, turn: int) -> str:
    """Return a walk as a line with a dot a move; walks lie a little beside each other."""
    shift = 0.035 * (turn - 1)
    stands = [stand for stand in trip.stands if stand.at is not None]
    points = [_at(stand, shift) for stand in stands]
    if not points:
        return ""
    dots = "".join(
        f'<circle cx="{_n(UNIT * x)}" cy="{_n(-UNIT * y)}" r="4"/>' for x, y in points[1:]
    )
    end = "there" if success(trip) else "short"
    return (
        f'<g class="walk {end}" style="--c:var({colour})"><title>{escape(tag)}: {ending(trip)}'
        f'</title><path class="under" d="{_line(points)}"/><path d="{_line(points)}"/>{dots}</g>'
    )


def _beside(ends: Sequence[tuple[float, float, float] | None]) -> int:
    """Return how many walks before the last one end where it ends, or near."""
    *others, last = ends
    near = NEAR if last else 0.0
    return sum(
        bool(last and one and abs(one[0] - last[0]) < near and abs(one[1] - last[1]) < near)
        for one in others
    )


def _letter(
    tag: str, colour: str, at: tuple[float, float, float] | None, beside: int, scale: float
) -> str:
    """Return an answerer's letter at the end of its walk, beside those that end there too."""
    if at is None:
        return ""
    x, y = UNIT * at[0] + scale * (6 + 11 * beside), -UNIT * at[1] - scale * 6
    return (
        f'<g class="walk" style="--c:var({colour})"><text x="{_n(x)}" y="{_n(y)}">{escape(tag)}'
        "</text></g>"
    )


def _at(stand: Stand, shift: float) -> Point:
    assert stand.at is not None
    return stand.at[0] + shift, stand.at[1] + shift


def _start(at: tuple[float, float, float], size: float) -> str:
    x, y, heading = at
    tip = (x + size * cos(heading), y + size * sin(heading))
    sides = [
        (x + size / 2 * cos(heading + turn), y + size / 2 * sin(heading + turn))
        for turn in (2.4, -2.4)
    ]
    return f'<path class="start" d="{_line([sides[0], tip, sides[1]])}Z"/>'


def _line(points: Sequence[Point]) -> str:
    return "M" + "L".join(f"{_n(UNIT * x)} {_n(-UNIT * y)}" for x, y in points)


def _n(value: float) -> str:
    """Return a coordinate in few letters."""
    return f"{round(value, 1) + 0.0:g}" if abs(value) < 1e5 else f"{value:.0f}"


def picked(walks: Mapping[str, str], trips: Mapping[str, Sequence[Trip]], most: int) -> list[str]:
    """Return ids of walks to be drawn: those that end most differently, each scene in turn.

    `walks` holds each walk's scene, `trips` its trips, by its id.
    """

    def differing(id: str) -> tuple[float, str]:
        ends = [trip.stands[-1].away for trip in trips[id]]
        return -(max(ends) - min(ends)), id

    groups: dict[str, list[str]] = {}
    for id in sorted((each for each in walks if trips.get(each)), key=differing):
        groups.setdefault(walks[id], []).append(id)
    found: list[str] = []
    while len(found) < most and any(groups.values()):
        found += [group.pop(0) for _, group in sorted(groups.items()) if group]
    return found[:most]
