"""Walks to a goal, the measures of the paper's Table 4, and the baselines that walk.

A walk is controlled by a model's replies, or by a baseline:

    oracle  takes the shortest path
    noisy   takes the shortest path, but makes random moves at a fixed rate
    random  makes only random moves
    prior   walks straight ahead, as does blind

A move is a turn, then at most 3 m straight ahead. A walk ends when the agent is near enough to the
goal, after 10 moves, or when the agent gives up. Only walks that the oracle can finish are asked.

*Table 4*. The paper describes its measures in words; these are our formulas. A trip lists the
agent's positions (`Stand`), before the first move and after each. At each, d (`away`) is the
distance still to walk until the agent is near enough, where d = 0. With T moves and a limit of 10:

    gain     (d_0 - d_T) / max(d_0, d_T), in -1..1
    success  d_T = 0 with T <= 10
    steps    T, on average over all trips, and over the successful ones
    neglect  of the trips with the target in view before some move, the share with such a move that
             led away from the target: d_(t+1) > d_t + 0.1 m
    lack of 3D awareness
             of the trips that began without the target in view, or on which only a mirror showed it
             before some move, the share that either gave up without ever having the target in view,
             or followed a mirror: such a move came nearer to the mirror (m is its distance), but
             not to the target, m_(t+1) < m_t - 0.1 m and d_(t+1) >= d_t

The target is in view if the agent's own camera shows it directly, not in a mirror.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass, field
from functools import cache, lru_cache
from itertools import groupby, pairwise
from math import hypot
from statistics import fmean
from typing import Any

from worldquiz import rng
from worldquiz.records import read_record
from worldquiz.tea.data import Folder
from worldquiz.tea.exam.grade import read_step
from worldquiz.tea.exam.sample import order
from worldquiz.tea.exam.show import cut_outs
from worldquiz.tea.kinds.kinds import Goal, Instance
from worldquiz_scenes.build import build
from worldquiz_scenes.episode import Walker, png
from worldquiz_scenes.errors import SceneError
from worldquiz_scenes.locomotion import Field, Ground, Move, Moved, Pose
from worldquiz_scenes.render import Canvas
from worldquiz_scenes.view import Camera, Show, shown

LONGEST = 3.0
"""Metres of a move."""
SIZE = (320, 240)
"""Size in pixels of the pictures on baselines' walks, which nobody sees."""
NOISE = 0.2
"""Error rate of the noisy baseline."""

LIMIT = 10
"""Most moves of a trip."""
SLACK = 0.1
"""Least metres away from the target, or towards a mirror, for a move to count."""
TABLE_4: dict[str, tuple[float, ...]] = {
    "GPT-4o": (0.48, 0.62, 4.04, 0.08, 0.14),
    "o1": (0.12, 0.38, 9.80, 0.72, 0.00),
}
"""By model: gain, success, steps, target neglect, lack of 3D awareness."""


@dataclass(frozen=True, slots=True)
class Stand:
    """One position of an agent on a walk, and what it sees of the target there."""

    away: float  # metres to walk until the goal is near enough
    seen: bool  # whether its camera shows the target directly
    mirrors: Mapping[str, float] = field(default_factory=dict)  # metres to each mirror
    shown: tuple[str, ...] = ()  # the mirrors in which its camera shows the target
    at: tuple[float, float, float] | None = None  # x, y, heading; not used by measures


@dataclass(frozen=True, slots=True)
class Trip:
    """A walk to a goal: the agent's position at the start, then after each move."""

    id: str
    stands: tuple[Stand, ...]
    gave_up: bool = False  # whether the agent gave up before the goal and the limit

    def __post_init__(self) -> None:
        if not self.stands or min(stand.away for stand in self.stands) < 0:
            raise ValueError(f"trip {self.id!r} must have a start, and no negative distance")
        for one, two in pairwise(self.stands):
            if not set(one.shown) <= one.mirrors.keys() & two.mirrors.keys():
                raise ValueError(f"trip {self.id!r} lacks a distance to a mirror showing the goal")

    @property
    def steps(self) -> int:
        """Number of moves."""
        return len(self.stands) - 1


def gain(trip: Trip) -> float:
    """Return how much nearer to its goal a trip ended, as a share of the distance, -1..1."""
    first, last = trip.stands[0].away, trip.stands[-1].away
    farther = max(first, last)
    return (first - last) / farther if farther else 0.0


def success(trip: Trip) -> bool:
    """Return whether a trip ended at its goal within the limit."""
    return trip.stands[-1].away == 0 and trip.steps <= LIMIT


def neglect(trip: Trip) -> bool | None:
    """Return whether a trip shows `neglect`; None if no move began with the target in view."""
    spotted = [(one, two) for one, two in pairwise(trip.stands) if one.seen]
    if not spotted:
        return None
    return any(two.away > one.away + SLACK for one, two in spotted)


def unaware(trip: Trip) -> bool | None:
    """Return whether a trip shows a lack of 3D awareness; None if the measure does not apply."""
    mirrored = [(one, two) for one, two in pairwise(trip.stands) if one.shown and not one.seen]
    if trip.stands[0].seen and not mirrored:
        return None
    ended = trip.gave_up and not any(stand.seen for stand in trip.stands)
    return ended or any(
        two.away >= one.away
        and any(two.mirrors[name] < one.mirrors[name] - SLACK for name in one.shown)
        for one, two in mirrored
    )


def table_4(trips: Iterable[Trip]) -> dict[str, Any]:
    """Return the measures of Table 4 for some trips; rates come with their counts."""
    every = sorted(trips, key=lambda trip: trip.id)
    done = [trip for trip in every if success(trip)]

    def rate(tell: Callable[[Trip], bool | None]) -> dict[str, Any]:
        told = [each for each in map(tell, every) if each is not None]
        return {"rate": fmean(told) if told else None, "of": len(told), "count": sum(told)}

    return {
        "trips": len(every),
        "gain": fmean(map(gain, every)) if every else None,
        "success": rate(success),
        "steps": fmean(trip.steps for trip in every) if every else None,
        "steps_of_successes": fmean(trip.steps for trip in done) if done else None,
        "neglect": rate(neglect),
        "lack_of_3d_awareness": rate(unaware),
    }


def read(told: Mapping[str, Any]) -> Trip:
    """Return a trip from its recorded fields. Raises `RecordError` if they are damaged."""
    trip: Trip = read_record(
        json.dumps({name: told[name] for name in ("id", "stands", "gave_up")}), Trip,
        getattr(told, "where", told["id"]),
    )  # fmt: skip
    return trip


@lru_cache(maxsize=256)  # many tasks have one goal
def ways(ground: Ground, goal: Goal) -> Field:
    """Return the field of shortest paths to a goal. Raises `SceneError` if no path exists."""
    return ground.grid.to_thing(ground.scene.thing[goal.thing], goal.within)


def short(ground: Ground, goal: Goal, pose: Pose) -> bool:
    """Return whether an agent at a pose still has to walk, and can reach the goal in time."""
    try:
        field = ways(ground, goal)
    except SceneError:  # no way leads to it
        return False
    return 0 < len(field.moves(pose, LONGEST)) <= LIMIT and field.distance(pose.x, pose.y) > 0


def chosen(folders: Sequence[Folder], size: int, seed: int) -> tuple[Instance, ...]:
    """Choose at most `size` walks that can reach their goals within the limit, sorted by id."""
    by_scene = {folder.path.name: folder for folder in folders}
    ground = cache(lambda scene: Ground(by_scene[scene].scene))
    found: list[Instance] = []
    for task in order([task for folder in folders for task in folder.tasks], seed):
        if len(found) == size:
            break
        assert isinstance(task.truth, Goal)
        start = Pose(*by_scene[task.scene].view[task.view].agent)
        if short(ground(task.scene), task.truth, start):
            found.append(task)
    return tuple(sorted(found, key=lambda each: each.id))


class Walk:
    """One walk: the agent's positions so far, its present view, and the replies."""

    def __init__(self, folder: Folder, walker: Walker, task: Instance) -> None:
        assert isinstance(task.truth, Goal)
        self.walker, self.task, self.goal = walker, task, task.truth
        self.field = ways(walker.ground, task.truth)
        self.replies: list[str] = []
        self._folder, self._gave_up = folder, False
        self._moved: Moved | None = None  # by the last reply; None before the first, and at the end
        self._stands: list[Stand] = []
        self._look()

    @property
    def over(self) -> bool:
        """True if the agent is near enough to the goal, reached the limit of moves, or gave up."""
        return self._gave_up or self._stands[-1].away == 0 or len(self._stands) > LIMIT

    @property
    def trip(self) -> Trip:
        """The trip so far."""
        return Trip(self.task.id, tuple(self._stands), self._gave_up)

    @property
    def line(self) -> dict[str, Any]:
        """The walk so far, with its replies, in the form in which runs record it."""
        return {**asdict(self.trip), "replies": self.replies}

    @property
    def pictures(self) -> list[bytes]:
        """Pictures for the next reply: the view, at first also pictures that show the goal."""
        assert self._shot.images.rgb is not None
        sight = png(self._shot.images.rgb)
        return [sight] if self.replies else [sight, *cut_outs(self._folder, self.task)]

    @property
    def words(self) -> str:
        """Prompt for the next reply."""
        if self._moved is None:
            return journey(self.task, self._shot.view.camera)
        bump = "" if self._moved.stopped_by is None else " until something was in the way"
        return (
            f"You walked {self._moved.walked:.2f} metres{bump}. This is what you see now. Move "
            f"{len(self.replies) + 1} of {LIMIT}:"
        )

    def say(self, reply: str) -> Moved | None:
        """Make the move in a reply, and return how it went; None if the reply gives up.

        A reply without a readable move counts as a move that goes nowhere.
        """
        self.replies.append(reply)
        step = read_step(reply)
        self._moved = self.go(Move(step[0], min(step[1], LONGEST)) if step else None)
        return self._moved

    def go(self, move: Move | None) -> Moved | None:
        """Make a move and take a picture; give up if the move is None."""
        if move is None:
            self._gave_up = True
            return None
        moved = self.walker.go(move)
        self._look()
        return moved

    def _look(self) -> None:
        """Take a picture, and record the agent's position and what it sees of the goal."""
        self._shot, pose, thing = self.walker.see()[0], self.walker.pose, self.goal.thing
        view = self._shot.view
        mirrors = {
            each.id: round(hypot(each.position[0] - pose.x, each.position[1] - pose.y), 6)
            for each in self.walker.scene.mirrors
        }
        self._stands.append(
            Stand(
                self.field.distance(pose.x, pose.y),
                shown(view, thing) is Show.CLEAR,
                mirrors,
                tuple(sorted({each.mirror for each in view.reflections if each.thing == thing})),
                (round(pose.x, 4), round(pose.y, 4), round(pose.heading, 4)),
            )
        )


@contextmanager
def walking(
    folder: Folder, size: tuple[int, int] | None = None, *, colours: bool = True
) -> Iterator[Callable[[Instance], Walk]]:
    """Open a scene for walks, and yield a function that begins the walk of a task.

    Pictures are as large as the scene's views, unless a `size` is given.
    """
    ground, camera = Ground(folder.scene), folder.views[0].camera
    size = size or (camera.width, camera.height)
    with Canvas(build(folder.scene, folder.path), size=size) as canvas:

        def begin(task: Instance) -> Walk:
            pose = Pose(*folder.view[task.view].agent)
            walker = Walker(canvas, ground=ground, start=pose, size=size, colours=colours)
            return Walk(folder, walker, task)

        yield begin


def trips(
    folders: Mapping[str, Folder], tasks: Iterable[Instance], name: str, seed: int
) -> Iterator[tuple[Instance, Trip]]:
    """Let a baseline walk to the goal of each task, and yield the tasks with their trips.

    Tasks are sorted by scene and id.
    """
    rate = {"oracle": 0.0, "noisy": NOISE, "random": 1.0}.get(name)
    for scene, group in groupby(sorted(tasks, key=lambda t: (t.scene, t.id)), lambda t: t.scene):
        with walking(folders[scene], SIZE, colours=False) as begin:
            for task in group:
                walk, draw = begin(task), rng.child(seed, "walk", name, task.id)
                while not walk.over:
                    if rate is None:  # without a look: straight on
                        walk.go(Move(walk=LONGEST))
                    elif draw.random() < rate:
                        walk.go(Move(draw.uniform(-180, 180), draw.uniform(0, LONGEST)))
                    else:
                        moves = walk.field.moves(walk.walker.pose, LONGEST)
                        walk.go(moves[0] if moves else None)
                yield task, walk.trip


def journey(task: Instance, camera: Camera) -> str:
    """Return the prompt of a walk to a goal, for use with the first picture."""
    return (
        f"{task.command} Picture 1 is what you see now; it shows {camera.fovy:g} degrees from top "
        f"to bottom. You have {LIMIT} moves. A move turns you (degrees to the left; negative: to "
        f"the right), then walks you straight ahead, 0 to {LONGEST:g} metres or until something is "
        "in the way; after it you see the next picture. You arrive as soon as you are near enough. "
        'Reply with one JSON object and nothing else: {"turn": degrees, "walk": metres}, or '
        '{"stop": true} to end the search.'
    )
