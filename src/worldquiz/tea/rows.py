"""Rows of TEA-Test: each reply with its grade, each walk as it went."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from worldquiz.facts.knowledge import whole
from worldquiz.facts.row import AnswerStatus, Row
from worldquiz.llm.reply_lists import Form
from worldquiz.records import Told
from worldquiz.runs.journal import spent, status_of
from worldquiz.runs.rows import ROWS, ItemKey, RowLine
from worldquiz.tea.exam import show, walk
from worldquiz.tea.scoring.grade import family, grade, shape
from worldquiz.tea.scoring.navigation import Stand, Trip, success
from worldquiz.tea.scoring.parse import Value
from worldquiz.tea.taskgraph import Box2, Box3, Goal, Instance

WALK = "walk"
"""The format of a task that is walked."""
Line = Mapping[str, Any]
Plain = Value | Sequence[float] | dict[str, list[float]]


@dataclass(frozen=True)
class ExamMeasures:
    """Form of a task, and how it was answered: the form of the reply, or the walk."""

    type: str
    form: Form | None = None
    stands: Sequence[Stand] = ()
    gave_up: bool = False
    replies: Sequence[str] = ()


@dataclass(frozen=True, kw_only=True)
class ExamRow(RowLine):
    """A line of ``rows.jsonl``."""

    measures: ExamMeasures  # type: ignore[assignment]  # of keys that are known


def key(task: Instance) -> ItemKey:
    """Return the key of a task's row."""
    return task.scene, family(task.type), task.id


def row_of(task: Instance, line: Line, who: str, chances: Mapping[str, Any]) -> Row:
    """Return the row of a reply or a walk, kept as a line; `chances` as `sample.chance`.

    A walk's score is its success, its reply the path: x, y in metres and heading in radians of
    each stand.
    """
    return Row(
        run="",
        benchmark="tea",
        answerer=who,
        world=task.scene,
        item=task.id,
        type=family(task.type),
        prompt=show.command(task),
        shown=True,
        **_told(task, line, chances),
        seconds=line.get("seconds"),
        **spent(line),
    )


def measures_of(row: Row, run: Path) -> Told:
    """Return the measures of a run's row, which raise `RecordError` for one that it lacks."""
    return Told({"id": row.item, **row.measures}, f"{run / ROWS}: {row.item}")


def _told(task: Instance, line: Line, chances: Mapping[str, Any]) -> dict[str, Any]:
    """Return a reply and its score; a failed task has no score, and states the reason."""
    walks = isinstance(task.truth, Goal)
    if line.get("status") != AnswerStatus.FAILED:
        return _walk(task, line) if walks else _task(task, line, chances)
    return {
        "format": WALK if walks else str(shape(task)),
        "gold": _goal(task) if walks else _said(show.plain(task.truth)),
        "reply": "", "status": AnswerStatus.FAILED, "correct": None,
        "unscored": str(line.get("failure")), "measures": {"type": task.type},
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
        "measures": {"type": task.type, "form": str(found.form)},
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
    trip = walk.read({**line, "id": task.id})
    kept = {name: line[name] for name in ("stands", "gave_up", "replies") if name in line}
    return {
        "format": WALK,
        "gold": _goal(task),
        "reply": json.dumps([stand.at for stand in trip.stands]),
        "answer": _outcome(trip),
        "status": AnswerStatus.ANSWERED,
        "correct": float(success(trip)),
        "measures": {"type": task.type, **kept},
    }


def _outcome(trip: Trip) -> str:
    if success(trip):
        return "arrived"
    return "gave up" if trip.gave_up else "out of moves"


def _said(value: Plain) -> str:
    return value if isinstance(value, str) else json.dumps(value)
