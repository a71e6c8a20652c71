"""A line of ``answers.jsonl`` as any benchmark may keep it, and what a `Row` takes from it.

    {"world", "type", "id", "reply", "status"?, "usage"?, "seconds"?}

``status`` says why a provider gave no reply (``overflow``, ``filtered``); ``usage`` is what
`llm.asking` keeps of a model's call, ``seconds`` what `human` keeps of a person.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from worldquiz.facts.answer_text import abstains
from worldquiz.facts.row import AnswerStatus

QuestionKey = tuple[str, str, str]
"""A question of a run: its world, its type and its id."""


def by_question(line: Mapping[str, Any]) -> QuestionKey:
    """Return which question a line is about."""
    return line["world"], line["type"], line["id"]


def about_question(key: QuestionKey) -> dict[str, str]:
    """Return the part of a line that says which question it is about."""
    return dict(zip(("world", "type", "id"), key, strict=True))


def row_fields(line: Mapping[str, Any], answer: str | None) -> dict[str, Any]:
    """Return what a `Row` takes from a line: reply, answer, status, and what the reply cost.

    `answer` is what was read from the reply, None if it holds no answer of the form asked for.
    """
    status, used = _status(line, answer), line.get("usage") or {}
    return {
        "reply": line["reply"],
        "status": status,
        "answer": answer if status is AnswerStatus.ANSWERED else None,
        "calls": used.get("calls"),
        "tokens": used["input"] + used["output"] if used else None,
        "cost": used.get("cost"),
        "seconds": line.get("seconds"),
    }


def _status(line: Mapping[str, Any], answer: str | None) -> AnswerStatus:
    if line.get("status"):
        return AnswerStatus(line["status"])
    if abstains(line["reply"]):
        return AnswerStatus.ABSTAINED
    return AnswerStatus.UNREADABLE if answer is None else AnswerStatus.ANSWERED
