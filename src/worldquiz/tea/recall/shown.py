"""Evidence of an agent's views in an apartment: facts, with the view that showed each first.

For every question two moments matter: when the views settle it, and when they first hint at its
answer. So each matter has a firm fact and a faint one, the firm one never before the faint one:

    clear(thing)            it was shown clearly             glimpsed(thing)    at all, or mirrored
    together(thing, other)  one view showed both clearly     (both glimpsed)
    surveyed(room)          9 of 10 of its points were seen  glanced(room)      3 of 4
    recognised(room)        what tells its kind was clear    noticed(room)      anything of it
    joined(room, other)     most of their doorway was seen,  peeked(room, other) a part of it
                            or walked through

The moments are those of one episode; step n is the n-th view of the walk, from 1.

Points of rooms and doorways are seen where a ray from the camera stays within rooms and doorways on
the plan and misses the boxes of all parts of all things. Round parts count as smaller boxes;
reflections in mirrors do not count.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import product
from typing import Any

from worldquiz.facts.evidence import Evidence
from worldquiz.facts.fact import Fact
from worldquiz.facts.requirement import Seen
from worldquiz.tea.kinds.kinds import Look
from worldquiz_scenes.arrays import Floats, Mask, np
from worldquiz_scenes.cameras import focal, into, matrix
from worldquiz_scenes.scene import Door, Part, Scene, Shape, Vec
from worldquiz_scenes.view import BODY, EGO, Camera, Show, View, reflected

STEP, HEIGHTS = 0.35, (0.1, 0.9, 1.6)
"""Metres between a room's points on the plan, and their heights."""
JAMB, SILLS = 0.3, (0.3, 1.0, 1.7)
"""Of a doorway's points: shares of its width from its middle, and heights in metres."""
ROUND = 0.8
"""Lengths of a round part's box over its own."""
SPARE = 0.02
"""Metres around things in which no point lies, and by which doorways reach into rooms."""
NEAR, SLACK = 0.05, 1e-6
TELLING: dict[str, tuple[tuple[str, ...], ...]] = {
    "bathroom": (("bathtub",), ("toilet",), ("washbasin",)),
    "bedroom": (("bed",), ("wardrobe",)),
    "hall": (("shoe rack",), ("coat rack",), ("umbrella stand",)),
    "kitchen": (("fridge",), ("kitchen counter",), ("sink",), ("stove",)),
    "living room": (("coffee table",), ("sofa",), ("tv",), ("tv stand",)),
    "study": (("bookshelf", "desk"), ("bookshelf", "office chair")),
}
"""Labels that together tell a room's kind."""
SURVEYED, GLANCED = 0.9, 0.75
"""Shares of a room's points that must be seen for it to be surveyed, or glanced at."""
MOST = 0.5
"""Share of a doorway's points that must be seen for it to be plain where it leads."""


def _fact(name: str, *, ordered: bool = False) -> Callable[..., Seen]:
    """Return the requirement that a fact was shown, of ids and names: ``clear("mug-1")``."""

    def seen(*of: str) -> Seen:
        return Seen(Fact(name, tuple(sorted(of)) if ordered else of))

    return seen


clear, glimpsed, together = map(_fact, ("clear", "glimpsed", "together"))
surveyed, glanced, recognised = map(_fact, ("surveyed", "glanced", "recognised"))
noticed, joined = _fact("noticed"), _fact("joined", ordered=True)
peeked = _fact("peeked", ordered=True)


def telling(scene: Scene) -> dict[str, tuple[frozenset[str], ...]]:
    """Return the sets of labels that tell each room's kind, of those that it holds.

    A set that a room of another kind also holds tells nothing.
    """
    holds = {
        room.name: {thing.label for thing in scene.things if thing.room == room.name}
        for room in scene.rooms
    }
    found = {}
    for room in scene.rooms:
        others = [holds[each.name] for each in scene.rooms if each.kind != room.kind]
        sets = [frozenset(labels) for labels in TELLING.get(room.kind, ())]
        found[room.name] = tuple(
            labels
            for labels in sets
            if labels <= holds[room.name] and not any(labels <= other for other in others)
        )
    return found


def walk(views: Iterable[View]) -> tuple[View, ...]:
    """Return the agent's own views in the order in which they were taken."""
    own = [view for view in views if view.camera.name == EGO]
    return tuple(sorted(own, key=lambda view: (view.time, view.id)))


def evidence(scene: Scene, views: Sequence[View], space: Space) -> Evidence:
    """Return the first view of a walk that showed each fact.

    Longer walks show all that shorter ones did, at the same steps.
    """
    told, labels = telling(scene), {room.name: set[str]() for room in scene.rooms}
    steps: list[list[Fact]] = [[]]
    surveys = shares(space, (view.camera for view in views))
    before: View | None = None
    for view, surveyed_so_far in zip(views, surveys, strict=True):
        look = Look(scene, view)
        for thing, _ in look.clear:
            labels[thing.room].add(thing.label)
        new = list(_things(look))
        for room, share in surveyed_so_far.items():
            new += [glanced(room)] * (share >= GLANCED) + [surveyed(room)] * (share >= SURVEYED)
        for rooms, points in space.doors.items():
            seen = float(space.seen(view.camera, points).mean())
            through = (  # the agent has just walked straight from one of the rooms into the other
                before is not None
                and pair(before.room, view.room) == rooms
                and space.straight(before.agent, view.agent)
            )
            if seen or through:
                new.append(peeked(*rooms))
            if seen >= MOST or through:
                new.append(joined(*rooms))
        for room, sets in told.items():
            if any(each <= labels[room] for each in sets):
                new.append(recognised(room))
        steps.append([each.fact for each in new])
        before = view
    return Evidence.of_steps(steps)


def _things(look: Look) -> Iterator[Seen]:
    clearly = {thing.id: thing for thing, _ in look.clear}
    for name, thing in clearly.items():
        yield clear(name)
        if thing.support in clearly:
            yield together(name, thing.support)
    yield noticed(look.view.room)
    mirrored = (
        look.scene.thing[each.thing]
        for each in look.view.reflections
        if each.thing != BODY and reflected(look.view, each) is not Show.HIDDEN
    )
    for thing in (*look.noticed, *mirrored):
        yield glimpsed(thing.id)
        yield noticed(thing.room)


@dataclass(frozen=True)
class Boxes:
    """Boxes that may be turned: middles (n x 3), axes as columns (n x 3 x 3), half lengths."""

    middles: Floats
    axes: Floats
    halves: Floats

    @classmethod
    def of(cls, found: Iterable[tuple[Floats, Floats, Vec]]) -> Boxes:
        """Return some boxes, each as its middle, axes and half lengths."""
        every = list(found)
        middles, axes, halves = (np.array([each[n] for each in every]) for n in range(3))
        return cls(middles.reshape(-1, 3), axes.reshape(-1, 3, 3), halves.reshape(-1, 3))

    def inside(self, points: Floats) -> Mask:
        """Tell of each point whether it lies in some box."""
        own = np.einsum("pki,kij->pkj", points[:, None] - self.middles, self.axes)
        found: Mask = (np.abs(own) <= self.halves + SPARE).all(axis=2).any(axis=1)
        return found

    def between(self, eye: Floats, points: Floats) -> Mask:
        """Tell of each point whether some box lies between it and the eye."""
        start = np.einsum("ki,kij->kj", eye - self.middles, self.axes)
        ways = np.einsum("pi,kij->pkj", points - eye, self.axes)
        enter, leave = _crossed(-self.halves - start, self.halves - start, ways)
        found: Mask = np.any((enter <= leave) & (leave > 0) & (enter < 1), axis=1)
        return found


@dataclass(frozen=True)
class Space:
    """Rooms and doorways of an apartment as sample points, and the boxes that hide them."""

    scene: Scene

    @cached_property
    def rooms(self) -> dict[str, Floats]:
        """The points of each room that lie in no thing: n x 3."""
        whole = Boxes.of(
            (np.array(each.position), matrix(each.rotation), each.half)
            for each in self.scene.things
        )
        found = {}
        for room in self.scene.rooms:
            xs, ys = (np.arange(start + STEP / 2, end, STEP)
                      for start, end in zip(room.low, room.high, strict=True))  # fmt: skip
            every = np.array([(x, y, z) for z in HEIGHTS for x in xs for y in ys]).reshape(-1, 3)
            found[room.name] = every[~whole.inside(every)]
        return found

    @cached_property
    def doors(self) -> dict[tuple[str, str], Floats]:
        """The points of the doorways between two rooms, by their names in order."""
        found: dict[tuple[str, str], Any] = {}
        for door in self.scene.doors:
            (x, y), wide = door.at, door.width
            for z, share in product(SILLS, (-JAMB, 0.0, JAMB)):
                along = (share * wide, 0.0) if door.along == "x" else (0.0, share * wide)
                spot = (x + along[0], y + along[1], z)
                found.setdefault(pair(*door.rooms), []).append(spot)
        return {rooms: np.array(points) for rooms, points in sorted(found.items())}

    @cached_property
    def _parts(self) -> Boxes:
        turned = [(thing, matrix(thing.rotation)) for thing in self.scene.things]
        return Boxes.of(
            (np.array(thing.position) + turn @ part.at, turn @ matrix(part.turn), _half(part))
            for thing, turn in turned
            for part in thing.parts
        )

    @cached_property
    def _floors(self) -> tuple[Floats, Floats]:
        """The corners of all rooms and doorways on the plan."""
        areas = [(room.low, room.high) for room in self.scene.rooms]
        areas += [_sill(self.scene, door) for door in self.scene.doors]
        return np.array([low for low, _ in areas]), np.array([high for _, high in areas])

    def seen(self, camera: Camera, points: Floats) -> Mask:
        """Tell of each point (n x 3) whether a camera sees it."""
        found: Mask = np.zeros(len(points), bool)
        inside = np.flatnonzero(_framed(camera, points))
        eye = np.array(camera.at)
        inside = inside[self._open(eye, points[inside])]
        inside = inside[~self._parts.between(eye, points[inside])]
        found[inside] = True
        return found

    def straight(self, one: Sequence[float], two: Sequence[float]) -> bool:
        """Tell whether no wall stands between two places on the plan."""
        start, end = (np.array([*place[:2], 0.0]) for place in (one, two))
        return bool(self._open(start, end[None])[0])

    def _open(self, eye: Floats, points: Floats) -> Mask:
        """Tell of each point whether no wall hides it: whether its ray leaves no floor."""
        low, high = self._floors
        ways = points[:, None, :2] - eye[:2]
        enter, leave = _crossed(low - eye[:2], high - eye[:2], ways)
        reach = np.zeros(len(points))
        for _ in range(len(low)):
            on = (enter <= reach[:, None] + SLACK) & (leave >= enter)
            reach = np.maximum(reach, np.where(on, leave, 0.0).max(axis=1))
        found: Mask = reach >= 1 - SLACK
        return found


def shares(space: Space, cameras: Iterable[Camera]) -> Iterator[dict[str, float]]:
    """Yield, after each camera, which share of each room's points some camera has seen: 0..1."""
    left = dict(space.rooms)
    found = {name: 0.0 if len(points) else 1.0 for name, points in left.items()}
    for camera in cameras:
        for name, points in left.items():
            if len(points):
                left[name] = points[~space.seen(camera, points)]
                found[name] = 1 - len(left[name]) / len(space.rooms[name])
        yield dict(found)


def pair(one: str, two: str) -> tuple[str, str]:
    """Return two names in order."""
    return (one, two) if one <= two else (two, one)


def _crossed(low: Floats, high: Floats, ways: Floats) -> tuple[Floats, Floats]:
    """Return where rays (p x k x axes) enter and leave boxes from `low` to `high`, in ray lengths.

    The corners are relative to the rays' start. A ray that misses a box leaves it before entering.
    """
    ways = np.where(np.abs(ways) < 1e-12, 1e-12, ways)
    one, two = low / ways, high / ways
    return np.minimum(one, two).max(axis=2), np.maximum(one, two).min(axis=2)


def _framed(camera: Camera, points: Floats) -> Mask:
    """Tell of each point whether it lies in a camera's field of view."""
    right, down, ahead = into(camera, points).T
    wide, high = (ahead * side / 2 / focal(camera) for side in (camera.width, camera.height))
    found: Mask = (ahead > NEAR) & (np.abs(right) <= wide) & (np.abs(down) <= high)
    return found


def _sill(scene: Scene, door: Door) -> tuple[tuple[float, float], tuple[float, float]]:
    """Return the corners of a doorway on the plan: through the wall, and a little into rooms."""
    across = 1 if door.along == "x" else 0
    sides = [scene.room[name] for name in door.rooms]
    first, second = sorted(sides, key=lambda room: room.low[across])
    low, high = [0.0, 0.0], [0.0, 0.0]
    low[across], high[across] = first.high[across] - SPARE, second.low[across] + SPARE
    low[1 - across] = door.at[1 - across] - door.width / 2
    high[1 - across] = door.at[1 - across] + door.width / 2
    return (low[0], low[1]), (high[0], high[1])


def _half(part: Part) -> Vec:
    x, y, z = part.size
    match part.shape:
        case Shape.BOX | Shape.MESH:
            return part.size
        case Shape.ELLIPSOID:
            return x * ROUND, y * ROUND, z * ROUND
        case Shape.SPHERE:
            return x * ROUND, x * ROUND, x * ROUND
        case Shape.CYLINDER:
            return x * ROUND, x * ROUND, y
        case Shape.CAPSULE:
            return x * ROUND, x * ROUND, y + x * ROUND
