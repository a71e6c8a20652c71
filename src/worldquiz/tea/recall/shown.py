"""Evidence of an agent's views in an apartment: which facts they showed, and which view did first.

A question depends on when the views showed its answer, and when they first hinted at it. So most
facts come in pairs: the weaker fact (on the right) is shown no later than the stronger one.

    clear(thing)            it was shown clearly             glimpsed(thing)    at all, or mirrored
    surveyed(room)          9 of 10 of its points were seen  glanced(room)      3 of 4
    joined(room, other)     half of their doorway was seen,  peeked(room, other) a part of it
                            or walked through
    recognised(room)        things that identify its kind were clear

A walk is one episode; step n is the n-th view of the walk, from 1.

A point of a room or doorway is seen if a ray from the camera hits no wall or thing on the way; the
agent's own body is ignored, and reflections in mirrors do not count.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property, partial
from itertools import product
from pathlib import Path
from typing import Any

from worldquiz.facts.evidence import Evidence
from worldquiz.facts.fact import Fact
from worldquiz.facts.requirement import Seen
from worldquiz.tea.kinds.kinds import Look
from worldquiz_scenes.arrays import Floats, Mask, np
from worldquiz_scenes.build import NEAR, Built, build
from worldquiz_scenes.cameras import focal, into, matrix
from worldquiz_scenes.render import Caster
from worldquiz_scenes.scene import Scene
from worldquiz_scenes.view import BODY, EGO, Camera, Show, View, reflected

STEP, HEIGHTS = 0.35, (0.1, 0.9, 1.6)
"""Metres between the sample points of a room, and their heights."""
JAMB, SILLS = 0.3, (0.3, 1.0, 1.7)
"""Points of a doorway: shares of its width from its middle, and heights in metres."""
SPARE = 0.02
"""Metres around things in which no points are placed."""
WAIST = 1.0
"""Metres above the floor at which a straight way is checked for walls."""
TELLING: dict[str, tuple[tuple[str, ...], ...]] = {
    "bathroom": (("bathtub",), ("toilet",), ("washbasin",)),
    "bedroom": (("bed",), ("wardrobe",)),
    "hall": (("shoe rack",), ("coat rack",), ("umbrella stand",)),
    "kitchen": (("fridge",), ("kitchen counter",), ("sink",), ("stove",)),
    "living room": (("coffee table",), ("sofa",), ("tv",), ("tv stand",)),
    "study": (("bookshelf", "desk"), ("bookshelf", "office chair")),
}
"""Labels that together identify a room's kind."""
SURVEYED, GLANCED = 0.9, 0.75
"""Shares of a room's points that must be seen for it to be surveyed, or glanced at."""
MOST = 0.5
"""Share of a doorway's points that must be seen to make clear where it leads."""


def _shown(name: str, *of: str) -> Seen:
    """Return the requirement that a fact was shown: ``clear("mug-1")`` requires a clear view."""
    return Seen(Fact(name, of))


clear, glimpsed = partial(_shown, "clear"), partial(_shown, "glimpsed")
surveyed, glanced = partial(_shown, "surveyed"), partial(_shown, "glanced")
joined, peeked = partial(_shown, "joined"), partial(_shown, "peeked")  # of a `pair` of rooms
recognised = partial(_shown, "recognised")


def telling(scene: Scene) -> dict[str, tuple[frozenset[str], ...]]:
    """Return, for each room, the sets of labels in it that identify its kind: those in `TELLING`
    which do not also occur in a room of another kind.
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


def evidence(space: Space, views: Sequence[View]) -> Evidence:
    """Return the facts that a walk showed, each with the first view that showed it.

    More views add facts, but do not change the step at which an earlier fact was shown.
    """
    scene = space.scene
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
    for thing, _ in look.clear:
        yield clear(thing.id)
    mirrored = (
        look.scene.thing[each.thing]
        for each in look.view.reflections
        if each.thing != BODY and reflected(look.view, each) is not Show.HIDDEN
    )
    for thing in (*look.noticed, *mirrored):
        yield glimpsed(thing.id)


@dataclass(frozen=True)
class Space:
    """Rooms and doorways of an apartment as sample points, which walls and things may hide."""

    scene: Scene
    meshes: Path | None = None  # the folder of the scene's meshes

    @cached_property
    def rooms(self) -> dict[str, Floats]:
        """The points of each room that are outside the boxes of all things: n x 3."""
        found = {}
        for room in self.scene.rooms:
            xs, ys = (np.arange(start + STEP / 2, end, STEP)
                      for start, end in zip(room.low, room.high, strict=True))  # fmt: skip
            points = np.array([(x, y, z) for z in HEIGHTS for x in xs for y in ys]).reshape(-1, 3)
            for thing in self.scene.things:
                own = (points - thing.position) @ matrix(thing.rotation)
                points = points[(np.abs(own) > np.array(thing.half) + SPARE).any(axis=1)]
            found[room.name] = points
        return found

    @cached_property
    def doors(self) -> dict[tuple[str, str], Floats]:
        """The points of the doorways between two rooms, keyed by the rooms' sorted names."""
        found: dict[tuple[str, str], Any] = {}
        for door in self.scene.doors:
            (x, y), wide = door.at, door.width
            for z, share in product(SILLS, (-JAMB, 0.0, JAMB)):
                along = (share * wide, 0.0) if door.along == "x" else (0.0, share * wide)
                spot = (x + along[0], y + along[1], z)
                found.setdefault(pair(*door.rooms), []).append(spot)
        return {rooms: np.array(points) for rooms, points in sorted(found.items())}

    @cached_property
    def _built(self) -> Built:
        return build(self.scene, self.meshes)

    def seen(self, camera: Camera, points: Floats) -> Mask:
        """Return for each point (n x 3) whether a camera sees it."""
        right, down, ahead = into(camera, points).T
        wide, high = (ahead * side / 2 / focal(camera) for side in (camera.width, camera.height))
        found: Mask = (ahead > NEAR) & (np.abs(right) <= wide) & (np.abs(down) <= high)
        found[found] = self._open(camera.at, points[found], ~self._built.figure)
        return found

    def straight(self, one: Sequence[float], two: Sequence[float]) -> bool:
        """Return whether no wall is between two points of the plan."""
        start, end = ((*place[:2], WAIST) for place in (one, two))
        walls = (self._built.thing < 0) & ~self._built.figure
        return bool(self._open(start, np.array([end]), walls)[0])

    def _open(self, eye: Sequence[float], points: Floats, blocking: Mask) -> Mask:
        """Return for each point whether no `blocking` geometry hides it from an eye."""
        met, when = Caster(self._built).first(np.array(eye), points - np.array(eye), blocking)
        found: Mask = (met < 0) | (when >= 1)
        return found


def shares(space: Space, cameras: Iterable[Camera]) -> Iterator[dict[str, float]]:
    """Yield, for each camera, the share (0..1) of each room's points seen up to then."""
    left = dict(space.rooms)
    found = {name: 0.0 if len(points) else 1.0 for name, points in left.items()}
    for camera in cameras:
        for name, points in left.items():
            if len(points):
                left[name] = points[~space.seen(camera, points)]
                found[name] = 1 - len(left[name]) / len(space.rooms[name])
        yield dict(found)


def pair(one: str, two: str) -> tuple[str, str]:
    """Return two names in sorted order."""
    return (one, two) if one <= two else (two, one)
