"""A person's walks, in the scene itself: each move is made by the walker that models are led by.

Moves are kept as they are made, so a walk that a killed server left in its middle goes on there.
One scene is drawn at a time. OpenGL wants to be used from one thread: whoever calls this keeps to
one.
"""

from __future__ import annotations

import json
from contextlib import ExitStack
from pathlib import Path
from typing import Any

from worldquiz.human.sheet import Line, Shown, number
from worldquiz.runs.executor import silent
from worldquiz.runs.journal import Lines, by_id
from worldquiz.scenes import cameras
from worldquiz.scenes.locomotion import Moved
from worldquiz.scenes.render import Canvas
from worldquiz.tea.exam.exam import Exam
from worldquiz.tea.exam.steps import begun, canvas, goal_pictures, moved_by, sight
from worldquiz.tea.exam.walk import LONGEST, Walk, Ways, line
from worldquiz.tea.exam.words import crops
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
        self._scene: tuple[str, Canvas, Ways] | None = None
        self._walk: Walk | None = None
        self._moves: list[str] = []
        self._moved: Moved | None = None
        self._kept: Lines[str] | None = None

    def begin(self, out: Path) -> None:
        """Keep moves in a folder, and read those that are there."""
        self._kept = Lines(out, by_id, silent, whole=MOVES)

    def close(self) -> None:
        """Let go of the scene, and of moves that the answers hold by now."""
        self._held.close()
        self._scene = self._walk = None
        if self._kept is not None:
            self._kept.settle([]).unlink()

    def shown(self, task: Instance) -> Shown:
        """Return where a walk is, as far as its walker knows."""
        walk = self._at(task)
        camera = walk.shot.view.camera
        moved = self._moved
        return {
            "form": "walk", "words": task.command, "pictures": 1 + len(crops(task)),
            "moves": len(self._moves), "limit": LIMIT, "longest": LONGEST,
            "width": camera.width, "height": camera.height, "fovy": camera.fovy,
            "pitch": cameras.PITCH, "over": walk.over, "outcome": _outcome(walk),
            "walked": None if moved is None else round(moved.walked, 2),
            "bumped": moved is not None and moved.stopped_by is not None,
        }  # fmt: skip

    def picture(self, task: Instance, number: int) -> bytes:
        """Return what the walker sees now (0), or a picture of what it looks for."""
        return goal_pictures(self._exam, task)[number - 1] if number else sight(self._at(task))

    def move(self, task: Instance, said: Any) -> None:
        """Make a move, or give up. Raises `ValueError`."""
        walk = self._at(task)
        if walk.over:
            raise ValueError("this walk is over")
        told = _told(said)
        self._moves.append(told)
        assert self._kept is not None
        self._kept.keep({"id": task.id, "replies": self._moves})
        self._moved = moved_by(walk, told)

    def line(self, task: Instance) -> Line | None:
        """Return a walk that is over as a line of answers."""
        walk = self._at(task)
        return {**line(walk.trip), "replies": list(self._moves)} if walk.over else None

    def _at(self, task: Instance) -> Walk:
        """Return a task's walk where it is; the moves made before are made again if need be."""
        if self._walk is None or self._walk.task.id != task.id:
            self._walk = self._begun(task)
            self._moves = list(self._before(task))
            self._moved = None
            for told in self._moves:
                self._moved = moved_by(self._walk, told)
        return self._walk

    def _before(self, task: Instance) -> list[str]:
        assert self._kept is not None
        return list(self._kept.lines.get(task.id, {}).get("replies", ()))

    def _begun(self, task: Instance) -> Walk:
        size, at = self._exam.size(task), self._scene
        if at is None or at[0] != task.scene or at[1].size != size:
            self._held.close()
            drawn = self._held.enter_context(canvas(self._exam, task))
            at = self._scene = task.scene, drawn, Ways(self._exam.folders[task.scene].scene)
        return begun(self._exam, at[1], at[2], task)


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
