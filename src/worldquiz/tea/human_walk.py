"""A person's walks, in the scene itself: each move is made by the walker that models are led by.

Moves are kept as they are made, so a walk that a killed server left in its middle goes on there.
One scene is drawn at a time. OpenGL wants to be used from one thread: whoever calls this keeps to
one.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from contextlib import ExitStack
from pathlib import Path
from typing import Any

from worldquiz.human.sheet import Line, Shown, number
from worldquiz.runs.executor import silent
from worldquiz.runs.journal import Lines, by_id
from worldquiz.scenes import cameras
from worldquiz.tea.exam.exam import Exam
from worldquiz.tea.exam.walk import LONGEST, Steps, Walk, line, walking
from worldquiz.tea.scoring.navigation import LIMIT
from worldquiz.tea.taskgraph import Instance

MOVES = "moves.jsonl"
FURTHEST = 180.0
"""Degrees of a turn."""


class Walking:
    """The walks of an exam, of which one is under way."""

    def __init__(self, exam: Exam) -> None:
        self._exam = exam
        self._held = ExitStack()
        self._scene: tuple[str, Callable[[Instance], Steps]] | None = None
        self._steps: Steps | None = None
        self._kept: Lines[str] | None = None

    def begin(self, out: Path) -> None:
        """Keep moves in a folder, and read those that are there."""
        self._kept = Lines(out, by_id, silent, whole=MOVES)

    def close(self) -> None:
        """Let go of the scene, and of moves that the answers hold by now."""
        self._held.close()
        self._scene = self._steps = None
        if self._kept is not None:
            self._kept.settle([]).unlink()

    def shown(self, task: Instance) -> Shown:
        """Return where a walk is, as far as its walker knows."""
        steps = self._at(task)
        walk, moved = steps.walk, steps.moved
        camera = walk.shot.view.camera
        return {
            "form": "walk", "words": task.command, "pictures": 1 + len(steps.goal),
            "moves": len(steps.replies), "limit": LIMIT, "longest": LONGEST,
            "width": camera.width, "height": camera.height, "fovy": camera.fovy,
            "pitch": cameras.PITCH, "over": walk.over, "outcome": _outcome(walk),
            "walked": None if moved is None else round(moved.walked, 2),
            "bumped": moved is not None and moved.stopped_by is not None,
        }  # fmt: skip

    def picture(self, task: Instance, number: int) -> bytes:
        """Return what the walker sees now (0), or a picture of what it looks for."""
        steps = self._at(task)
        return steps.goal[number - 1] if number else steps.sight

    def move(self, task: Instance, said: Any) -> None:
        """Make a move, or give up. Raises `ValueError`."""
        steps = self._at(task)
        if steps.walk.over:
            raise ValueError("this walk is over")
        told = _told(said)
        assert self._kept is not None
        self._kept.keep({"id": task.id, "replies": [*steps.replies, told]})
        steps.go(told)

    def line(self, task: Instance) -> Line | None:
        """Return a walk that is over as a line of answers."""
        steps = self._at(task)
        walk = steps.walk
        return {**line(walk.trip), "replies": list(steps.replies)} if walk.over else None

    def _at(self, task: Instance) -> Steps:
        """Return a task's walk where it is; the moves made before are made again if need be."""
        if self._steps is None or self._steps.walk.task.id != task.id:
            assert self._kept is not None
            if self._scene is None or self._scene[0] != task.scene:
                self._held.close()
                opened = walking(self._exam.folders[task.scene])
                self._scene = task.scene, self._held.enter_context(opened)
            self._steps = self._scene[1](task)
            for told in self._kept.lines.get(task.id, {}).get("replies", ()):
                self._steps.go(told)
        return self._steps


def _told(said: Any) -> str:
    """Return a move as a model would reply it. Raises `ValueError`."""
    if said is None:
        return json.dumps({"stop": True})
    if not isinstance(said, dict):
        raise ValueError("a move turns and walks")
    turn = number(said.get("turn"), -FURTHEST, FURTHEST, " degrees")
    return json.dumps({"turn": turn, "walk": number(said.get("walk"), 0, LONGEST, " metres")})


def _outcome(walk: Walk) -> str | None:
    """Return how a walk ended, None where it goes on."""
    if not walk.over:
        return None
    last = walk.trip.stands[-1]
    if last.away == 0:
        return "arrived"
    return "given up" if walk.trip.gave_up else "out of moves"
