"""Viewpoints: positions from which an agent is likely to get views that give tasks.

Some tasks need hidden things, several things with one label or pattern, or things in mirrors. Only
the boxes of things and a few rays are used to estimate what a view would show; nothing is drawn.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from itertools import zip_longest
from math import atan2, dist, radians
from typing import TypeVar

from worldquiz.tea.kinds.counting import PATTERNS, WORN, covered
from worldquiz.tea.kinds.perception import EDGE, beside
from worldquiz_scenes.arrays import np
from worldquiz_scenes.cameras import EYES, corners, ego, focal, into, matrix, plane, watchers
from worldquiz_scenes.episode import Walker, eyes_of, watched
from worldquiz_scenes.geometry import framed
from worldquiz_scenes.locomotion import Ground, Pose
from worldquiz_scenes.render import Caster
from worldquiz_scenes.scene import Scene, Spot, Thing
from worldquiz_scenes.view import Camera

T = TypeVar("T")

NEAR, FAR, SLANT = 0.7, 4.0, 0.5
"""Metres from the glass; least cosine of the angle to its normal."""
TRIED, APART = 12, 0.3
"""Places that are tried for each chosen place; least metres between two chosen places."""
CORNERS = 6
"""Corners of a thing's box, of eight, that must be seen in the glass, or by a room's camera."""
SPOTS, THICK = 60, 0.02
"""Places that are tried for each place with a hidden thing; metres in front of a thing's corner."""
LARGE, SLIM = 0.005, 0.1
"""Least product of two sides of a thing over the square of its distance: about 900 pixels. Least
side over the distance: about 40 pixels."""


def likely(walker: Walker, camera: Camera, things: Iterable[Thing]) -> list[Thing]:
    """Return the things among `things` that a camera is likely to show clearly.

    They are large enough, with their middle well inside the picture and most corners visible.
    """
    return [
        thing
        for thing in things
        if _large(thing, dist(camera.at, thing.position))
        if framed(camera, [thing.position], -EDGE) and _in_sight(walker, camera, thing) >= CORNERS
    ]


def promise(walker: Walker, turn: float = 0.0) -> int:
    """Return the number of things in the room that an agent likely sees clearly after a turn."""
    x, y, heading = walker.pose.plan
    eye = eyes_of(Pose(x, y, heading + radians(turn)), walker.size)
    return len(likely(walker, eye, _in(walker, walker.room)))


def hiding_places(walker: Walker, count: int, draw: random.Random) -> list[tuple[Spot, Thing]]:
    """Return at most `count` positions, each with a thing in the same room that is hidden there.

    An agent facing the thing sees no corner of it, even from a step aside, but sees another thing.
    The cameras of the room are likely to show both things.
    """
    labels = Counter(thing.label for thing in walker.scene.things if thing.has_label)
    seen: dict[str, set[Thing]] = {}
    for lens in watchers(walker.scene, size=walker.size):
        seen.setdefault(room := watched(lens), set()).update(
            likely(walker, lens, _in(walker, room))
        )
    found: dict[str, list[tuple[Spot, Thing]]] = {}
    for spot, room in _spots(walker, SPOTS * count, draw):
        for thing in sorted(seen.get(room, ()), key=lambda thing: thing.id):
            if labels[thing.label] == 1:
                eye = _facing(walker, spot, thing)
                hidden = framed(eye, [thing.position], -EDGE) and not any(
                    _in_sight(walker, each, thing) for each in (eye, *beside(eye, thing))
                )
                if hidden and likely(walker, eye, seen[room]):
                    found.setdefault(thing.id, []).append((spot, thing))
    return _in_turn(found.values(), count)


def several_places(walker: Walker, count: int, draw: random.Random) -> list[tuple[Spot, Thing]]:
    """Return at most `count` positions from which several things with one label or pattern show.

    With each position comes the one of these things that the agent should face.
    """
    sorts: dict[tuple[str, str], list[Thing]] = {}
    for thing in walker.scene.things:
        worn = [str(each) for each in PATTERNS if covered(thing, each) >= WORN]
        for name in (*worn, thing.label) if thing.has_label else worn:
            sorts.setdefault((thing.room, name), []).append(thing)
    best: dict[str, dict[str, tuple[int, Spot, Thing]]] = {"pattern": {}, "label": {}}
    for spot, here in _spots(walker, SPOTS * 2, draw):
        for (room, name), some in sorts.items():
            if room != here or len(some) < 2:
                continue
            eye = _facing(walker, spot, thing := draw.choice(some))
            shown = len(likely(walker, eye, some))
            doubted = sum(framed(eye, [each.position], EDGE) for each in some) - shown
            group = best["pattern" if name in [*PATTERNS] else "label"]
            if shown - doubted > max(group.get(name, (0,))[0], 1):
                group[name] = shown - doubted, spot, thing
    ranked = [sorted(each.values(), key=lambda one: -one[0]) for each in best.values()]
    return _in_turn([[(spot, thing) for _, spot, thing in each] for each in ranked], count)


def _spots(walker: Walker, count: int, draw: random.Random) -> Iterator[tuple[Spot, str]]:
    """Yield at most `count` random points of the floor, each with its room."""
    grid = walker.ground.grid
    for index in draw.sample(range(len(grid.points)), min(count, len(grid.points))):
        spot = grid.spot(index)
        if room := walker.ground.room(*spot):
            yield spot, room


def _facing(walker: Walker, spot: Spot, thing: Thing) -> Camera:
    """Return the camera of an agent that is at a spot and faces a thing."""
    ahead = atan2(thing.position[1] - spot[1], thing.position[0] - spot[0])
    return ego(*spot, ahead, size=walker.size)


def _in(walker: Walker, room: str) -> list[Thing]:
    return [thing for thing in walker.scene.things if thing.room == room]


def _in_turn(groups: Iterable[Sequence[T]], count: int) -> list[T]:
    """Return at most `count` items, one from each group in turn."""
    turns = zip_longest(*groups)
    return [each for turn in turns for each in turn if each is not None][:count]


def _large(thing: Thing, far: float) -> bool:
    """Return whether a thing is large enough in a picture taken from `far` metres away."""
    _, deep, long = sorted(thing.half)
    return 4 * deep * long >= LARGE * far**2


def _in_sight(walker: Walker, camera: Camera, thing: Thing) -> int:
    """Return the number of corners of a thing's box that nothing hides from a camera."""
    built = walker.eyes.built
    x, y, depth = into(camera, corners(thing)).T
    if (depth <= 0).any():
        return 0
    scale = focal(camera) / depth
    columns, rows = x * scale + camera.width / 2 - 0.5, y * scale + camera.height / 2 - 0.5
    owners, met = Caster(built).pixels(camera, ~built.figure, columns, rows, None)
    blocked = (
        (owners >= 0) & (met < depth - THICK) & (built.thing[owners] != built.ids.index(thing.id))
    )
    return int((~blocked).sum())


def looking_places(
    ground: Ground, mirror: Thing, count: int, draw: random.Random
) -> tuple[Spot, ...]:
    """Return at most `count` positions from which a mirror is likely to show many things.

    Half of them are those with the most things of one label, the rest those with the most things in
    all. A mirror is likely to show a thing that is large enough, if most corners of its mirror
    image are within the glass. Obstacles in between are ignored.
    """
    glass, normal = plane(mirror)
    points = ground.grid.points
    away = points - glass[:2]
    far = np.hypot(away[:, 0], away[:, 1])
    good = (far >= NEAR) & (far <= FAR) & (away @ normal[:2] >= SLANT * far)
    spots = [(x, y) for x, y in points[good].tolist() if ground.room(x, y) == mirror.room]
    tried = draw.sample(spots, min(TRIED * count, len(spots)))
    shows = {spot: _mirrored(ground.scene, mirror, spot) for spot in tried}
    found: list[Spot] = []
    for size, most in ((count // 2, max), (count, sum)):
        for spot in sorted(tried, key=lambda spot: -most((0, *shows[spot].values()))):
            if len(found) < size and all(dist(spot, other) >= APART for other in found):
                found.append(spot)
    return tuple(found)


def _mirrored(scene: Scene, mirror: Thing, spot: Spot) -> Counter[str]:
    """Return the numbers of things, by label, that a mirror is likely to show from a spot.

    Labels are left out if a thing is likely to be vague, since tasks cannot count them then.
    """
    assert mirror.mirror is not None
    glass, normal = plane(mirror)
    things = [each for each in scene.things if each.room == mirror.room and each.id != mirror.id]
    points = np.array([corners(each) for each in things]).reshape(len(things), 8, 3)
    eye = np.array([*spot, EYES])
    own, depth = (eye - glass) @ normal, (points - glass) @ normal
    images = points - 2 * depth[..., None] * normal
    met = eye + (images - eye) * (own / np.maximum(own + depth, 1e-6))[..., None]
    across, _, up = np.moveaxis((met - glass) @ matrix(mirror.rotation), -1, 0)
    within = (np.abs(across) <= mirror.mirror[0]) & (np.abs(up) <= mirror.mirror[1])
    sides = np.sort([each.half for each in things], axis=1).reshape(-1, 3)[:, 1:]
    far = np.linalg.norm(images.mean(axis=1) - eye, axis=1)
    seen, area = (within & (depth > 0)).sum(axis=1), 4 * sides.prod(axis=1) / far**2
    clear = (seen >= CORNERS) & (area >= LARGE) & (2 * sides[:, 0] >= SLIM * far)
    labels = np.array([thing.label for thing in things])
    doubted = set(labels[(seen > 0) & (area >= LARGE / 20) & ~clear].tolist())
    return Counter(label for label in labels[clear].tolist() if label not in doubted)
