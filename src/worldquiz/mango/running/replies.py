"""Lines of replies to MANGO's questions: kept while a run goes on, and read from its rows."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from worldquiz.facts.row import AnswerStatus
from worldquiz.llm.model import Purpose, Usage, kept_usage
from worldquiz.runs.executor import silent
from worldquiz.runs.journal import Lines, finished_file
from worldquiz.runs.rows import ROWS, RowLines

Key = tuple[str, str, str]
Line = Mapping[str, Any]
Replies = Lines[Key]
NOTHING = Usage(Purpose.QUIZ)
"""What a reply takes that no model gave."""
_GIVEN = (AnswerStatus.ANSWERED, AnswerStatus.ABSTAINED, AnswerStatus.UNREADABLE)


def key(line: Line) -> Key:
    """Return which question, minigame or step a line replies to."""
    return line["game"], line["task"], line["id"]


def replied(about: Line, reply: str | None, usage: Usage = NOTHING) -> dict[str, Any]:
    """Return a line: what it is about, the reply, and what the reply took."""
    return {**about, "reply": reply, "status": None, "usage": kept_usage(usage)}


def line_of(row: Line) -> dict[str, Any]:
    """Return the line that a row was made of; its measures tell what was asked."""
    status = AnswerStatus(row["status"])
    more = {"seconds": row["seconds"]} if row.get("seconds") is not None else {}
    if status is AnswerStatus.FAILED:
        more["failure"] = row.get("unscored")
    return {
        "game": row["world"], "task": row["type"], "id": row["item"], **row.get("measures", {}),
        "reply": None if status is AnswerStatus.ABSTAINED else row["reply"],
        "status": None if status in _GIVEN else str(status),
        "usage": row.get("usage") or kept_usage(NOTHING), **more,
    }  # fmt: skip


def finished(run: Path) -> dict[Key, dict[str, Any]]:
    """Return the replies of a finished run. Raises `RecordError` if it is not finished."""
    path = finished_file(run, ROWS)
    if path.parent != run:  # a copy of what a run that goes on has kept so far
        return Lines(path.parent, key, silent, whole=ROWS).lines
    return RowLines(run, key, silent, lambda lines: (), line_of).lines
