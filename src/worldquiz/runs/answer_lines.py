"""A line of ``answers.jsonl`` as any benchmark may keep it, and what a `Row` takes from it.

    {"world", "type", "id", "reply", "status"?, "usage"?, "seconds"?, "failure"?}

``status`` says why there is no reply (``overflow``, ``filtered``; ``failed``, for the reason that
``failure`` gives); ``usage`` is what
`llm.asking` keeps of a model's call, ``seconds`` what `human` keeps of a person.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from worldquiz.facts.answer_text import abstains
from worldquiz.facts.question import Result, Unscored
from worldquiz.facts.row import AnswerStatus
from worldquiz.runs.losses import FAILED


@dataclass(frozen=True)
class UsageLine:
    """Usage of a reply, as `llm.records.kept_usage` gives it."""

    __pydantic_config__ = {"extra": "forbid"}  # noqa: RUF012  # pydantic reads it

    calls: int
    input: int
    cached: int
    output: int
    cost: float | None
    unknown: int = 0


@dataclass(frozen=True)
class AnswerLine:
    """The keys of a line that mean the same in every benchmark; each may be absent."""

    id: str = ""
    reply: str | None = None
    status: str | None = None
    usage: UsageLine | None = None
    seconds: float | None = None
    failure: str | None = None


def row_fields(line: Mapping[str, Any], answer: str | None) -> dict[str, Any]:
    """Return what a `Row` takes from a line: reply, answer, status, and what the reply cost.

    `answer` is what was read from the reply, None if it holds no answer of the form asked for. Of a
    question that failed it says why (``unscored``): its row has no score.
    """
    if line.get("status") == FAILED:
        lost = {"status": AnswerStatus.FAILED, "unscored": str(line.get("failure"))}
        return {"reply": "", "answer": None, **lost, **spent(line)}
    abstained = abstains(line["reply"])
    status = status_of(line.get("status"), readable=answer is not None, abstained=abstained)
    return {
        "reply": line["reply"],
        "status": status,
        "answer": answer if status is AnswerStatus.ANSWERED else None,
        "seconds": line.get("seconds"),
        **spent(line),
    }


def result_fields(result: Result) -> dict[str, Any]:
    """Return what a `Row` takes from a graded question: when it became answerable, its score."""
    moment, score = result.answerable, result.score
    return {
        "world": result.world,
        "item": result.question,
        "format": str(result.format),
        "shown": moment is not None,
        "episode": moment.episode if moment else None,
        "step": moment.step if moment else None,
        "unscored": score.reason if isinstance(score, Unscored) else None,
    }


def status_of(withheld: str | None, *, readable: bool, abstained: bool = False) -> AnswerStatus:
    """Return what became of a question; `withheld` says why there is no answer, if so.

    How a reply was written ("bare", "prose") is no reason.
    """
    if withheld in tuple(AnswerStatus):
        return AnswerStatus(withheld)
    if abstained:
        return AnswerStatus.ABSTAINED
    return AnswerStatus.ANSWERED if readable else AnswerStatus.UNREADABLE


def spent(line: Mapping[str, Any]) -> dict[str, Any]:
    """Return the usage of a line's reply, None where no model was called."""
    used = line.get("usage") or {}
    return {"usage": dict(used) if used.get("calls") else None}
