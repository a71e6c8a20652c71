"""Views for writing tasks: the start of a scene's agent, its walks, and its views of a task.

    without    the views at its start, turning round once, again and again
    first      the same, then the stops of random walks: there are no tasks yet (equation 6)
    second-N   the stops of executing the N-th of the tasks that stand for those of `first`

So the first requests of `without` and of `first` are the same, picture and words. A view that shows
fewer than two marked things is passed over.
"""

from __future__ import annotations

import random
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import islice
from pathlib import Path

from worldquiz import rng
from worldquiz.errors import WorldError
from worldquiz.tea.interact import Loops, bout
from worldquiz.tea.taskgraph import Instance
from worldquiz.tea.written.marks import LEAST, marks
from worldquiz_scenes.build import build
from worldquiz_scenes.episode import Shot, Walker, save
from worldquiz_scenes.locomotion import Move, Pose
from worldquiz_scenes.render import Canvas
from worldquiz_scenes.scene import Scene
from worldquiz_scenes.view import View

PATIENCE = 6
"""Stops that are made for each view that is wanted, at most."""


@dataclass(frozen=True, slots=True)
class Looking:
    """Settings of the views of a scene: walks, size, and the folder of their pictures."""

    scene: Scene
    folder: Path
    size: tuple[int, int]  # px
    loops: Loops  # of which a walk's looks, stride and epsilon are taken
    near: frozenset[str]  # see `interact.within_reach`
    seed: int

    def kept(self, shots: Iterable[Shot], wanted: int, most: int) -> Iterator[View]:
        """Yield the views that show enough, with their pictures kept: so many, of `most` shots."""
        good = (
            shot
            for shot in islice(shots, most)
            if len(marks(self.scene, shot.view, self.near)) >= LEAST
        )
        for shot in islice(good, wanted):
            files = {"rgb": f"views/{shot.view.id}.rgb.png"}
            save(shot.images, files, self.folder)
            yield replace(shot.view, files=files)

    def walking(
        self, walker: Walker, tasks: Sequence[Instance], *names: str, wanted: int
    ) -> list[View]:
        """Return the views of walks: random ones, or to the objects of tasks."""
        draw = rng.child(self.seed, "written", self.scene.id, *names)
        shots = _bouts(walker, tasks, self.loops, draw)
        return list(self.kept(shots, wanted, PATIENCE * wanted))


def look_first(looking: Looking, turns: int, wanted: int) -> tuple[list[View], list[View]]:
    """Return the views at the start, and on walks from there until there are so many.

    At the start the agent turns round once, looking `turns` times. Raises `WorldError` for a scene
    in which nothing is seen.
    """
    scene, size = looking.scene, looking.size
    with Canvas(build(scene, looking.folder), size=size) as canvas:
        walker = Walker(canvas, size=size)
        around = list(looking.kept(_turning(walker, turns), turns, turns))
        more = max(wanted - len(around), 0 if around else 1)
        walked = looking.walking(walker, (), "walks", wanted=more)
    if not around:
        around, walked = walked[:1], walked[1:]
    if not around:
        raise WorldError(
            f"scene {scene.id!r}: no view shows {LEAST} things clearly, so there is nothing to "
            "write tasks about: draw larger pictures, or furnish the scene"
        )
    return around, walked


def look_second(
    looking: Looking, chosen: Sequence[Instance], start: View, wanted: int
) -> list[list[View]]:
    """Return the views while each chosen task is executed, one after another, from `start`."""
    size = looking.size
    with Canvas(build(looking.scene, looking.folder), size=size) as canvas:
        walker = Walker(canvas, start=Pose(*start.agent), size=size)
        walker.index, walker.time = int(start.id.partition("-")[0]) + 1, start.time
        return [
            looking.walking(walker, (task,), "executes", task.id, wanted=wanted) for task in chosen
        ]


def _turning(walker: Walker, turns: int) -> Iterator[Shot]:
    yield from walker.see()
    for _ in range(turns - 1):
        yield from walker.step(Move(turn=360 / turns))[1]


def _bouts(
    walker: Walker, tasks: Sequence[Instance], loops: Loops, draw: random.Random
) -> Iterator[Shot]:
    while True:
        yield from bout(walker, tasks, loops, draw)
