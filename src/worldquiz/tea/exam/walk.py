"""Walks to a goal, what Table 4's measures are measured on, and who walks without a model.

    oracle  takes the shortest way
    noisy   takes it too, but makes any move at a set rate
    random  draws every move
    prior   walks straight on, and so does blind

A move turns and walks at most 3 m. A walk ends within the goal's distance, after 10 moves, or
where the agent gives up. Only walks that the oracle ends within the limit are asked.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import asdict
from itertools import groupby
from math import hypot
from typing import TYPE_CHECKING, Any

import pydantic

from worldquiz import rng
from worldquiz.errors import WorldError
from worldquiz.scenes.build import build
from worldquiz.scenes.episode import Shot, Walker
from worldquiz.scenes.locomotion import Ground, Move, Moved, Pose, span
from worldquiz.scenes.render import Canvas
from worldquiz.scenes.scene import Scene, Thing
from worldquiz.scenes.view import Show, View, shown
from worldquiz.tea.data import Folder
from worldquiz.tea.exam.sample import order
from worldquiz.tea.scoring.navigation import LIMIT, Stand, Trip
from worldquiz.tea.taskgraph import Goal, Instance

if TYPE_CHECKING:
    from worldquiz.scenes.navgrid import Field

LONGEST = 3.0
"""Metres of a move."""
SIZE = (320, 240)
"""Pixels of what is looked at where nobody is shown it."""

Guide = Callable[[int, Pose], Move | None]
"""Gives the next move by its number and where the agent stands; none to give up."""
_TRIP = pydantic.TypeAdapter(Trip)


def line(trip: Trip) -> dict[str, Any]:
    """Return a trip as a line of answers."""
    return asdict(trip)


def read(told: dict[str, Any]) -> Trip:
    """Return a line of answers as a trip."""
    return _TRIP.validate_python({name: told[name] for name in ("id", "stands", "gave_up")})


class Ways:
    """The ways to a scene's things."""

    def __init__(self, scene: Scene) -> None:
        self.scene, self.ground = scene, Ground(scene)
        self._fields: dict[tuple[str, float], Field] = {}

    def to(self, goal: Goal) -> Field:
        """Return the way to a goal. Raises `WorldError` where there is none."""
        key = goal.thing, goal.within
        if key not in self._fields:
            thing = self.scene.thing[goal.thing]
            self._fields[key] = self.ground.grid.to_thing(thing, goal.within)
        return self._fields[key]

    def away(self, goal: Goal, pose: Pose) -> float:
        """Return how many metres are to be walked until the goal is near enough."""
        import numpy as np

        near = span(self.scene.thing[goal.thing], np.array([[pose.x, pose.y]]))[0]
        return 0.0 if near <= goal.within else self.to(goal).distance(pose.x, pose.y)


def chosen(folders: Sequence[Folder], size: int, seed: int) -> tuple[Instance, ...]:
    """Draw so many walks that can be ended within the limit, by id."""
    by_scene = {folder.path.name: folder for folder in folders}
    ways: dict[str, Ways] = {}
    found: list[Instance] = []
    for task in order([task for folder in folders for task in folder.tasks], seed):
        if len(found) == size:
            break
        folder = by_scene[task.scene]
        if task.scene not in ways:
            ways[task.scene] = Ways(folder.scene)
        if _possible(ways[task.scene], task, start(folder, task)):
            found.append(task)
    return tuple(sorted(found, key=lambda each: each.id))


def _possible(ways: Ways, task: Instance, pose: Pose) -> bool:
    goal = goal_of(task)
    try:
        return 0 < len(ways.to(goal).moves(pose, LONGEST)) <= LIMIT and ways.away(goal, pose) > 0
    except WorldError:
        return False


def start(folder: Folder, task: Instance) -> Pose:
    """Return where a walk begins. Raises `StopIteration` for no such view."""
    return Pose(*next(view.agent for view in folder.views if view.id == task.view))


def goal_of(task: Instance) -> Goal:
    """Return where a walk is to end. Raises `ValueError` for a task that is no walk."""
    if not isinstance(task.truth, Goal):
        raise ValueError(f"task {task.id!r} is no walk")
    return task.truth


def trips(
    folders: Sequence[Folder], tasks: Iterable[Instance], name: str, seed: int, error: float
) -> Iterator[Trip]:
    """Walk to each goal as a baseline does, scene by scene, and yield what came of it."""
    by_scene = {folder.path.name: folder for folder in folders}
    for scene, group in groupby(sorted(tasks, key=lambda t: (t.scene, t.id)), lambda t: t.scene):
        folder = by_scene[scene]
        ways = Ways(folder.scene)
        with Canvas(build(folder.scene, folder.path), size=SIZE) as canvas:
            for task in group:
                pose = start(folder, task)
                walker = Walker(canvas, ground=ways.ground, start=pose, size=SIZE, colours=False)
                yield trip(Walk(walker, ways, task), guide(name, ways, task, seed, error))


class Walk:
    """One walk: where the agent stood so far, and what it sees now."""

    def __init__(self, walker: Walker, ways: Ways, task: Instance) -> None:
        self.walker, self.task = walker, task
        self._ways, self._goal = ways, goal_of(task)
        self._stands: list[Stand] = []
        self._gave_up = False
        self.shot = self._look()

    @property
    def over(self) -> bool:
        """Whether the goal is near enough, the limit is reached, or it was given up."""
        return self._gave_up or self._stands[-1].away == 0 or len(self._stands) > LIMIT

    @property
    def trip(self) -> Trip:
        """What came of it so far."""
        return Trip(self.task.id, tuple(self._stands), self._gave_up)

    def go(self, move: Move | None) -> Moved | None:
        """Make a move, and look; none gives up."""
        if move is None:
            self._gave_up = True
            return None
        moved = self.walker.go(move)
        self.shot = self._look()
        return moved

    def _look(self) -> Shot:
        """Look around, and keep where the agent stands and what it sees of its goal."""
        shot, pose = self.walker.see()[0], self.walker.pose
        thing = self._goal.thing
        stand = Stand(
            self._ways.away(self._goal, pose),
            shown(shot.view, thing) is Show.CLEAR,
            {each.id: _far(each, pose) for each in self.walker.scene.mirrors},
            _reflected(shot.view, thing),
            (round(pose.x, 4), round(pose.y, 4), round(pose.heading, 4)),
        )
        self._stands.append(stand)
        return shot


def trip(walk: Walk, lead: Guide) -> Trip:
    """Walk as a guide leads, and return what came of it."""
    number = 0
    while not walk.over:
        walk.go(lead(number, walk.walker.pose))
        number += 1
    return walk.trip


def guide(name: str, ways: Ways, task: Instance, seed: int, error: float) -> Guide:
    """Return how a baseline walks."""
    draw = rng.child(seed, "walk", name, task.id)
    if name in ("prior", "blind"):
        return lambda number, pose: Move(walk=LONGEST)
    rate = {"oracle": 0.0, "noisy": error, "random": 1.0}[name]

    def lead(number: int, pose: Pose) -> Move | None:
        if draw.random() < rate:
            return Move(draw.uniform(-180, 180), draw.uniform(0, LONGEST))
        moves = ways.to(goal_of(task)).moves(pose, LONGEST)
        return moves[0] if moves else None

    return lead


def _reflected(view: View, thing: str) -> tuple[str, ...]:
    return tuple(sorted({each.mirror for each in view.reflections if each.thing == thing}))


def _far(mirror: Thing, pose: Pose) -> float:
    return round(hypot(mirror.position[0] - pose.x, mirror.position[1] - pose.y), 6)
