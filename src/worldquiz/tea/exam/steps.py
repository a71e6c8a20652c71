"""A walk that is led by replies: what is said and shown before each move, and how a reply moves."""

from __future__ import annotations

from worldquiz.scenes.build import build
from worldquiz.scenes.episode import Walker, png
from worldquiz.scenes.locomotion import Move, Moved
from worldquiz.scenes.render import Canvas
from worldquiz.tea.encode import cut
from worldquiz.tea.exam.exam import Exam
from worldquiz.tea.exam.walk import LONGEST, Walk, Ways, start
from worldquiz.tea.exam.words import crops, journey, onward
from worldquiz.tea.pictures import opened
from worldquiz.tea.scoring.navigation import LIMIT
from worldquiz.tea.scoring.parse import read_step
from worldquiz.tea.taskgraph import Instance


class Steps:
    """One walk, led by replies."""

    def __init__(self, exam: Exam, walk: Walk) -> None:
        self._exam, self.walk = exam, walk
        self.replies: list[str] = []
        self.words = journey(walk.task, walk.shot.view.camera, LONGEST, LIMIT)
        self.pictures = [self._seen(), *goal_pictures(exam, walk.task)]

    def go(self, reply: str) -> Moved | None:
        """Move as a reply says; return how far it went, None where the reply gives up."""
        self.replies.append(reply)
        moved = moved_by(self.walk, reply)
        if moved is not None:
            bumped = moved.stopped_by is not None
            self.words = onward(len(self.replies) + 1, LIMIT, moved.walked, stopped=bumped)
            self.pictures = [self._seen()]
        return moved

    def _seen(self) -> bytes:
        return sight(self.walk)


def canvas(exam: Exam, task: Instance) -> Canvas:
    """Return what a walk's scene is drawn with; to be closed."""
    folder = exam.folders[task.scene]
    return Canvas(build(folder.scene, folder.path), size=exam.size(task))


def begun(exam: Exam, drawn: Canvas, ways: Ways, task: Instance) -> Walk:
    """Return a walk at its start."""
    pose = start(exam.folders[task.scene], task)
    walker = Walker(drawn, ground=ways.ground, start=pose, size=exam.size(task))
    return Walk(walker, ways, task)


def moved_by(walk: Walk, reply: str) -> Moved | None:
    """Move as a reply says. A reply that tells no move is a move spent standing."""
    step = read_step(reply)
    return walk.go(None if step.stop else Move(step.turn, min(step.walk, LONGEST)))


def sight(walk: Walk) -> bytes:
    """Return what a walker sees now, as PNG."""
    assert walk.shot.images.rgb is not None
    return png(walk.shot.images.rgb)


def goal_pictures(exam: Exam, task: Instance) -> list[bytes]:
    """Return the pictures that denote a walk's goal, as PNG. Raises `RecordError`."""
    folder, views = exam.folders[task.scene], exam.views[task.scene]
    return [png(cut(opened(folder, views[each.view]), each.box)) for each in crops(task)]
