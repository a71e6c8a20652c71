"""Walks to a goal, which Table 4 measures, and the baselines that lead them.

A walk is led by replies (`Steps`), or without a model:

    oracle  takes the shortest way
    noisy   takes it too, but makes any move at a set rate
    random  draws every move
    prior   walks straight on, and so does blind

A move turns and walks at most 3 m. A walk ends within the goal's distance, after 10 moves, or
where the agent gives up. Only walks that the oracle ends within the limit are asked.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import asdict
from functools import cache
from itertools import groupby
from math import hypot
from typing import TYPE_CHECKING, Any

import pydantic

from worldquiz import rng
from worldquiz.errors import RecordError
from worldquiz.records import fault
from worldquiz.tea.data import Folder, cropped
from worldquiz.tea.exam.sample import order
from worldquiz.tea.exam.show import crops
from worldquiz.tea.scoring.parse import read_step
from worldquiz.tea.scoring.tables import LIMIT, Stand, Trip
from worldquiz.tea.taskgraph import Goal, Instance
from worldquiz_scenes.build import build
from worldquiz_scenes.episode import Shot, Walker, png
from worldquiz_scenes.errors import SceneError
from worldquiz_scenes.locomotion import Ground, Move, Moved, Pose, span
from worldquiz_scenes.quality import quality
from worldquiz_scenes.render import Canvas
from worldquiz_scenes.scene import Scene
from worldquiz_scenes.view import Camera, Show, shown

if TYPE_CHECKING:
    from worldquiz_scenes.locomotion import Field

LONGEST = 3.0
"""Metres of a move."""
SIZE = (320, 240)
"""Pixels of what is looked at where nobody is shown it."""

_TRIP = pydantic.TypeAdapter(Trip)


def line(trip: Trip) -> dict[str, Any]:
    """Return a trip as a line of answers."""
    return asdict(trip)


def read(told: Mapping[str, Any]) -> Trip:
    """Return a line of answers as a trip. Raises `RecordError` where it is none."""
    try:
        return _TRIP.validate_python({name: told[name] for name in ("id", "stands", "gave_up")})
    except pydantic.ValidationError as error:
        where = getattr(told, "where", told["id"])
        raise RecordError(f"{where}: {fault(error)}: the file is damaged") from error


class ThingWays:
    """The ways to a scene's things."""

    def __init__(self, scene: Scene) -> None:
        self.scene, self.ground = scene, Ground(scene)
        self._fields: dict[tuple[str, float], Field] = {}

    def to(self, goal: Goal) -> Field:
        """Return the way to a goal. Raises `SceneError` where there is none."""
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
    ways = cache(lambda scene: ThingWays(by_scene[scene].scene))
    found: list[Instance] = []
    for task in order([task for folder in folders for task in folder.tasks], seed):
        if len(found) == size:
            break
        way, goal, pose = ways(task.scene), goal_of(task), start(by_scene[task.scene], task)
        with suppress(SceneError):  # of a goal that no way leads to
            if 0 < len(way.to(goal).moves(pose, LONGEST)) <= LIMIT and way.away(goal, pose) > 0:
                found.append(task)
    return tuple(sorted(found, key=lambda each: each.id))


def start(folder: Folder, task: Instance) -> Pose:
    """Return where a walk begins. Raises `KeyError` for no such view."""
    return Pose(*folder.view[task.view].agent)


def goal_of(task: Instance) -> Goal:
    """Return where a walk is to end. Raises `ValueError` for a task that is no walk."""
    if not isinstance(task.truth, Goal):
        raise ValueError(f"task {task.id!r} is no walk")
    return task.truth


def trips(
    folders: Mapping[str, Folder], tasks: Iterable[Instance], name: str, seed: int, error: float
) -> Iterator[tuple[Instance, Trip]]:
    """Walk to each goal as a baseline does, scene by scene, and yield the tasks with their trips.

    An oracle that errs at a `rate` draws so many of its moves.
    """
    rate = {"oracle": 0.0, "noisy": error, "random": 1.0}.get(name)
    for scene, group in groupby(sorted(tasks, key=lambda t: (t.scene, t.id)), lambda t: t.scene):
        folder = folders[scene]
        ways = ThingWays(folder.scene)
        with Canvas(build(folder.scene, folder.path), size=SIZE) as canvas:
            for task in group:
                pose, draw = start(folder, task), rng.child(seed, "walk", name, task.id)
                walker = Walker(canvas, ground=ways.ground, start=pose, size=SIZE, colours=False)
                walk = Walk(walker, ways, task)
                while not walk.over:
                    if rate is None:  # without a look: straight on
                        walk.go(Move(walk=LONGEST))
                    elif draw.random() < rate:
                        walk.go(Move(draw.uniform(-180, 180), draw.uniform(0, LONGEST)))
                    else:
                        moves = ways.to(goal_of(task)).moves(walker.pose, LONGEST)
                        walk.go(moves[0] if moves else None)
                yield task, walk.trip


class Walk:
    """One walk: the agent's stands so far, and its present view."""

    def __init__(self, walker: Walker, ways: ThingWays, task: Instance) -> None:
        self.walker, self.task = walker, task
        self._ways, self._goal = ways, goal_of(task)
        self._stands: list[Stand] = []
        self._gave_up = False
        self.shot = self._look()

    @property
    def over(self) -> bool:
        """True if the agent is near enough to the goal, reached the limit of moves, or gave up."""
        return self._gave_up or self._stands[-1].away == 0 or len(self._stands) > LIMIT

    @property
    def trip(self) -> Trip:
        """The trip so far."""
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
        """Look around, and record the agent's stand and its view of the goal."""
        shot, pose = self.walker.see()[0], self.walker.pose
        thing = self._goal.thing
        mirrors = {
            each.id: round(hypot(each.position[0] - pose.x, each.position[1] - pose.y), 6)
            for each in self.walker.scene.mirrors
        }
        stand = Stand(
            self._ways.away(self._goal, pose),
            shown(shot.view, thing) is Show.CLEAR,
            mirrors,
            tuple(sorted({each.mirror for each in shot.view.reflections if each.thing == thing})),
            (round(pose.x, 4), round(pose.y, 4), round(pose.heading, 4)),
        )
        self._stands.append(stand)
        return shot


class Steps:
    """A walk that is led by replies: prompt and pictures before each, and its moves."""

    def __init__(self, folder: Folder, walk: Walk) -> None:
        self.walk = walk
        self.goal = goal_pictures(folder, walk.task)
        self.replies: list[str] = []
        self.moved: Moved | None = None  # by the last reply; None before the first, and at the end

    @property
    def line(self) -> dict[str, Any]:
        """The walk so far as a line of answers, with its replies."""
        return {**line(self.walk.trip), "replies": self.replies}

    @property
    def pictures(self) -> list[bytes]:
        """Pictures before the next reply; the first time with those that denote the goal."""
        assert self.walk.shot.images.rgb is not None
        sight = png(self.walk.shot.images.rgb)
        return [sight] if self.replies else [sight, *self.goal]

    @property
    def words(self) -> str:
        """Prompt before the next reply."""
        if self.moved is None:
            return journey(self.walk.task, self.walk.shot.view.camera)
        return onward(len(self.replies) + 1, self.moved)

    def go(self, reply: str) -> Moved | None:
        """Move as a reply says; return how far it went, None where the reply gives up.

        A reply that tells no move is a move spent standing.
        """
        self.replies.append(reply)
        step = read_step(reply)
        self.moved = self.walk.go(None if step.stop else Move(step.turn, min(step.walk, LONGEST)))
        return self.moved


@contextmanager
def walking(folder: Folder) -> Iterator[Callable[[Instance], Steps]]:
    """Open a scene for walks that replies lead; yield a function that begins the walk of a task.

    Pictures are as large as those of the scene's views, and of their quality.
    """
    ways, camera = ThingWays(folder.scene), folder.views[0].camera
    size, drawn = (camera.width, camera.height), quality(folder.quality)
    with Canvas(build(folder.scene, folder.path), quality=drawn, size=size) as canvas:

        def begin(task: Instance) -> Steps:
            pose = start(folder, task)
            walker = Walker(canvas, ground=ways.ground, start=pose, size=size)
            return Steps(folder, Walk(walker, ways, task))

        yield begin


def goal_pictures(folder: Folder, task: Instance) -> list[bytes]:
    """Return the pictures that denote a walk's goal, as PNG. Raises `RecordError`."""
    return [png(cropped(folder, each)) for each in crops(task)]


def journey(task: Instance, camera: Camera) -> str:
    """Return the prompt of a walk to a goal, beside the first picture."""
    return (
        f"{task.command} Picture 1 is what you see now; it shows {camera.fovy:g} degrees from top "
        f"to bottom. You have {LIMIT} moves. A move turns you (degrees to the left; negative: to "
        f"the right), then walks you straight ahead, 0 to {LONGEST:g} metres or until something is "
        "in the way; after it you see the next picture. You arrive as soon as you are near enough. "
        'Reply with one JSON object and nothing else: {"turn": degrees, "walk": metres}, or '
        '{"stop": true} to end the search.'
    )


def onward(number: int, moved: Moved) -> str:
    """Return the text with the picture before the move of a number, counted from 1."""
    bump = "" if moved.stopped_by is None else " until something was in the way"
    return (
        f"You walked {moved.walked:.2f} metres{bump}. This is what you see now. Move {number} of "
        f"{LIMIT}:"
    )
