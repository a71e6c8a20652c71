"""The agent in the loop: walks and executed tasks show new views, and views give new tasks.

Equations 5-7 of arXiv 2602.05249. Each loop makes several walks, its `bouts`: with probability
epsilon, and as long as there are no tasks, a walk goes to a random point; else to the objects of a
chosen task. At each stop the agent looks, and at times so do its room's cameras. After a loop's
walks the agent looks into each mirror from a few places. A loop's views add tasks; the next loop
executes a few of them, chosen to represent all.
"""

from __future__ import annotations

import random
from collections.abc import Hashable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from math import atan2, cos, degrees, dist, radians, sin
from typing import TYPE_CHECKING

from worldquiz import rng
from worldquiz.tea.kinds.counting import paired
from worldquiz.tea.kinds.kinds import TaskKind, harvest
from worldquiz.tea.kinds.perception import WITHIN
from worldquiz.tea.kinds.task_filter import centred, described, labels, representatives, worded
from worldquiz.tea.taskgraph import Crop, Goal, Instance
from worldquiz_scenes.arrays import np
from worldquiz_scenes.cameras import EYES, corners, matrix, plane
from worldquiz_scenes.episode import Shot, Walker
from worldquiz_scenes.errors import SceneError
from worldquiz_scenes.locomotion import Ground, Move, wrapped
from worldquiz_scenes.scene import Scene, Spot, Thing
from worldquiz_scenes.view import BODY, View

if TYPE_CHECKING:
    from worldquiz.tea.kinds.task_filter import Vector

Content = tuple[Hashable, ...]
TURNS = (-120.0, -60.0, 60.0, 120.0)
"""Degrees by which an agent turns to look around, give or take 15."""
OPEN = 1.5
"""Metres to the wall ahead from which on a look around is likely to show something."""


NEAR, FAR, SLANT = 0.7, 4.0, 0.5
"""Metres from the glass; least cosine of the angle to its normal."""
TRIED, APART = 12, 0.3
"""Places that are tried for each that is taken; metres between two that are taken."""
CORNERS = 6
"""Corners of a thing's box, of eight, that must be seen in the glass."""
LARGE = 0.005
"""Least product of a thing's two longest sides, in the square of its distance: some 900 pixels."""


@dataclass(frozen=True, slots=True)
class Loops:
    """Parameters of interaction."""

    loops: int = 2
    bouts: int = 12  # of each loop
    looks: int = 8  # of each bout
    epsilon: float = 0.2  # probability of a random walk once there are tasks
    chosen: int = 5  # tasks that stand for all of them: k of the paper's filter
    stride: float = 1.0  # metres between two looks
    watched: int = 2  # every how many looks the room's cameras look on
    mirrors: int = 12  # places from which each mirror is looked into, in each loop


def interact(
    walker: Walker, kinds: Sequence[TaskKind], loops: Loops, seed: int
) -> tuple[list[View], list[Instance], list[list[str]]]:
    """Let an agent loop in its scene; return views, tasks, and those that each later loop executed.

    Equal seeds see the same and find the same tasks.
    """
    scene = walker.scene
    views: list[View] = []
    rows: dict[str, Vector] = {}
    tasks: dict[str, Instance] = {}
    asked: set[Content] = set()
    near = within_reach(walker.ground)
    chosen: list[tuple[Instance, ...]] = []
    for loop in range(1, loops.loops + 1):
        todo = chosen[-1] if chosen else ()
        draw = rng.child(seed, "bouts", scene.id, loop)
        fresh = []
        for shot in _shots(walker, todo, loops, draw):
            fresh.append(shot.view)
            if loop < loops.loops and shot.images.rgb is not None:
                rows[shot.view.id] = described(shot.images.rgb)
        views += fresh
        by_id = {view.id: view for view in views}
        for each in paired(scene, fresh, harvest(scene, fresh, kinds, loop=loop)):
            same = content(each, by_id)
            if same not in asked and (not isinstance(each.truth, Goal) or each.truth.thing in near):
                asked.add(same)
                tasks[each.id] = each
        if loop < loops.loops:
            chosen.append(_chosen(scene, tuple(tasks.values()), loops.chosen, rows, seed))
    return views, list(tasks.values()), [[each.id for each in some] for some in chosen]


def content(task: Instance, views: Mapping[str, View]) -> Content:
    """Return a task's given values and answer, without its time: fixed cameras see much twice."""
    view = views[task.view]
    given = [
        (name, views[told.view].camera, told.box) if isinstance(told, Crop) else (name, told)
        for name, told in sorted(task.given.items())
    ]
    stands = view.agent if BODY in task.bind.values() else None
    return (task.type, view.camera, stands, *given, task.truth)


def within_reach(ground: Ground) -> frozenset[str]:
    """Return the things that an agent can come near enough to for a task of navigation."""
    things = ground.scene.things
    return frozenset(thing.id for thing in things if ground.grid.near(thing, WITHIN))


def _shots(
    walker: Walker, todo: Sequence[Instance], loops: Loops, draw: random.Random
) -> Iterator[Shot]:
    """Yield the shots of one loop."""
    for _ in range(loops.bouts):
        yield from bout(walker, todo, loops, draw)
    walker.watch = "none"
    for mirror in walker.scene.mirrors:
        for x, y in looking_places(walker.ground, mirror, loops.mirrors, draw):
            for move in walker.ground.grid.to_point(x, y).moves(walker.pose):
                walker.go(move)
            yield from walker.step(_facing(walker, mirror))[1]


def bout(
    walker: Walker, tasks: Sequence[Instance], loops: Loops, draw: random.Random
) -> Iterator[Shot]:
    """Walk once; yield the shots of every stop."""
    walk = draw.random() < loops.epsilon or not tasks
    about = None if walk else draw.choice(list(tasks)).bind.get("object")
    thing = walker.scene.thing.get(about or "")
    for look, move in zip(range(loops.looks), _moves(walker, thing, loops, draw), strict=False):
        walker.watch = "room" if look % loops.watched == 0 else "none"
        yield from walker.step(move)[1]


def _moves(
    walker: Walker, thing: Thing | None, loops: Loops, draw: random.Random
) -> Iterator[Move]:
    """Yield the moves of a walk: to a task's object, or anywhere, and a look around there."""
    grid, way = walker.ground.grid, None
    with suppress(SceneError):  # of a thing that no way leads near to
        way = grid.to_thing(thing, 1.2) if thing else None
    way = way or grid.to_point(*grid.spot(draw.randrange(len(grid.points))))
    yield from way.moves(walker.pose, loops.stride)
    if thing is not None:
        yield _facing(walker, thing)
    while True:
        turns = [turn + draw.uniform(-15, 15) for turn in draw.sample(TURNS, len(TURNS))]
        yield Move(turn=next((turn for turn in turns if _open(walker, turn)), turns[0]))


def _facing(walker: Walker, thing: Thing) -> Move:
    """Return the turn towards a thing."""
    ahead = atan2(thing.position[1] - walker.pose.y, thing.position[0] - walker.pose.x)
    return Move(turn=degrees(wrapped(ahead - walker.pose.heading)))


def _open(walker: Walker, turn: float) -> bool:
    """Tell whether the walls of an agent's room are far enough away, once it has turned."""
    pose, room = walker.pose, walker.scene.room[walker.room]
    way = pose.heading + radians(turn)
    ends = zip((pose.x, pose.y), (cos(way), sin(way)), room.low, room.high, strict=True)
    return min(
        ((high if along > 0 else low) - at) / along for at, along, low, high in ends if along
    ) >= OPEN  # fmt: skip


def _chosen(
    scene: Scene, tasks: Sequence[Instance], k: int, rows: Mapping[str, Vector], seed: int
) -> tuple[Instance, ...]:
    """Return tasks that represent all, by similarity of their pictures, commands and labels."""
    known = [task for task in tasks if task.view in rows]
    if not known:
        return ()
    pictures = dict(zip(rows, centred(list(rows.values())), strict=True))
    views = np.array([pictures[task.view] for task in known], "float32")
    modalities = (views, worded([task.command for task in known]), worded(labels(scene, known)))
    picked = representatives(modalities, k, seed=rng.child_seed(seed, "filter", scene.id))
    return tuple(known[number] for number in picked)


def looking_places(
    ground: Ground, mirror: Thing, count: int, draw: random.Random
) -> tuple[Spot, ...]:
    """Return so many places, or fewer, those first that are likely to show most in a mirror.

    It is likely to show a thing where most corners of the thing's mirror image lie, for the eye,
    within the edges of the glass, and where it is large enough. Obstacles are not considered: the
    pictures show them.
    """
    glass, normal = plane(mirror)
    points = ground.grid.points
    away = points - glass[:2]
    far = np.hypot(away[:, 0], away[:, 1])
    good = (far >= NEAR) & (far <= FAR) & (away @ normal[:2] >= SLANT * far)
    spots = [(x, y) for x, y in points[good].tolist() if ground.room(x, y) == mirror.room]
    tried = draw.sample(spots, min(TRIED * count, len(spots)))
    found: list[Spot] = []
    for spot in sorted(tried, key=lambda spot: -len(_mirrored(ground.scene, mirror, spot))):
        if len(found) < count and all(dist(spot, other) >= APART for other in found):
            found.append(spot)
    return tuple(found)


def _mirrored(scene: Scene, mirror: Thing, spot: Spot) -> set[str]:
    """Return the things of its room that a mirror is likely to show to an eye above a spot."""
    if mirror.mirror is None:
        return set()
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
    likely = (depth > 0).all(axis=1) & (within.sum(axis=1) >= CORNERS)
    likely &= 4 * sides.prod(axis=1) >= LARGE * far**2
    return {each.id for each, sure in zip(things, likely.tolist(), strict=True) if sure}
