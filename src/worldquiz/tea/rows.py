"""Every answer of a finished run of TEA-Test as a row."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from worldquiz.facts.knowledge import whole
from worldquiz.facts.row import AnswerStatus, Row
from worldquiz.llm.reply_lists import Form
from worldquiz.runs.answer_lines import spent, status_of
from worldquiz.runs.folder import answered_by
from worldquiz.runs.journal import unreached
from worldquiz.tea.exam import run as exam
from worldquiz.tea.exam import show, walk
from worldquiz.tea.exam.sample import chance
from worldquiz.tea.scoring.grade import family, grade, shape
from worldquiz.tea.scoring.navigation import Trip, success
from worldquiz.tea.scoring.parse import Value
from worldquiz.tea.taskgraph import Box2, Box3, Goal, Instance

Line = Mapping[str, Any]
Plain = Value | Sequence[float] | dict[str, list[float]]


def of_exam(run: Path) -> Iterator[Row]:
    """Yield the tasks and walks of a run of TEA-Test, in order.

    A walk's score is its success, its reply the path: x, y in metres and heading in radians of
    each stand. Raises `RecordError` for a run that is not finished.
    """
    manifest = exam.manifest_of(run)
    tasks, lines = exam.asked_and_answered(run)
    chances = chance(task for task in tasks if not isinstance(task.truth, Goal))
    left = unreached(run, (task.id for task in tasks), lines)
    for task in tasks:
        if task.id in left:
            continue
        line = lines[task.id]
        told = _told(task, line, chances)
        yield Row(
            run=run.name,
            benchmark="tea",
            answerer=answered_by(manifest),
            world=task.scene,
            item=task.id,
            type=family(task.type),
            prompt=show.command(task),
            shown=True,
            **told,
            seconds=line.get("seconds"),
            **spent(line),
        )


def _told(task: Instance, line: Line, chances: Mapping[str, Any]) -> dict[str, Any]:
    """Return a reply and its score; a failed task has no score, and states the reason."""
    walks = isinstance(task.truth, Goal)
    if line.get("status") != AnswerStatus.FAILED:
        return _walk(task, line) if walks else _task(task, line, chances)
    return {
        "format": "walk" if walks else str(shape(task)),
        "gold": _goal(task) if walks else _said(show.plain(task.truth)),
        "reply": "", "status": AnswerStatus.FAILED, "correct": None,
        "unscored": str(line.get("failure")),
    }  # fmt: skip


def _goal(task: Instance) -> str:
    goal = walk.goal_of(task)
    return f"{goal.thing} within {goal.within:g} m"


def _task(task: Instance, line: Line, chances: Mapping[str, Any]) -> dict[str, Any]:
    text = str(line["reply"])
    found = grade(task, text, choices=show.choices(task))
    blind = chances[family(task.type)]
    return {
        "format": str(shape(task)),
        "choices": show.choices(task),
        "gold": _said(show.plain(task.truth)),
        "reply": text,
        "answer": None if found.said is None else _said(_shaped(task, found.said)),
        "status": (
            status := status_of(line.get("status"), readable=found.form is not Form.ILL_FORMED)
        ),
        "correct": found.score if status is AnswerStatus.ANSWERED else None,
        "guess": blind["one_answer" if blind["words_only"] is None else "words_only"],
    }


def _shaped(task: Instance, said: Value) -> Plain:
    """Return an answer that was read in the form in which it is asked for."""
    match task.truth, said:
        case Box2(), tuple():
            return [whole(each) for each in said]
        case Box3(), tuple():
            return {"centre": list(said[:3]), "size": list(said[3:])}
    return said


def _walk(task: Instance, line: Line) -> dict[str, Any]:
    trip = walk.read(line)
    return {
        "format": "walk",
        "gold": _goal(task),
        "reply": json.dumps([stand.at for stand in trip.stands]),
        "answer": _outcome(trip),
        "status": AnswerStatus.ANSWERED,
        "correct": float(success(trip)),
    }


def _outcome(trip: Trip) -> str:
    if success(trip):
        return "arrived"
    return "gave up" if trip.gave_up else "out of moves"


def _said(value: Plain) -> str:
    return value if isinstance(value, str) else json.dumps(value)
