"""How far people agree, and how long they take (arXiv 2403.19913, section 3.4 and appendix C.6).

Of each question that several people answered, the squared difference of what two of them earned,
averaged over all twos; then the mean over questions (the paper's MSE, Table 13). 0 is agreement, 1
its opposite.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import combinations
from math import fsum
from typing import Any

from worldquiz.mango.scoring.grade import Task
from worldquiz.mango.scoring.table import LEVELS, Key, Scored

SCORES = ("success", "reasoning")


@dataclass(frozen=True, slots=True)
class Rated:
    """One person's answer to one question."""

    rater: str
    scored: Scored
    minutes: float | None  # that it took; None where nobody looked at the clock


def agreement(rated: Iterable[Rated]) -> dict[str, Any]:
    """Return ``{task: {level: {"questions", "success", "reasoning"}}}``; None for no question."""
    by_question: dict[Key, list[Scored]] = {}
    for each in rated:
        by_question.setdefault(each.scored.key, []).append(each.scored)
    shared = [answers for answers in by_question.values() if len(answers) > 1]
    return {
        str(task): {
            str(level): _error([answers for answers in shared if _is(answers[0], task, level)])
            for level in LEVELS
        }
        for task in Task
    }


def minutes(rated: Iterable[Rated]) -> dict[str, Any]:
    """Return ``{task: {"mean", "answers"}}`` over the answers that were timed."""
    timed = [(each.scored.task, each.minutes) for each in rated if each.minutes is not None]
    found = {}
    for task in Task:
        mine = [taken for kind, taken in timed if kind is task]
        found[str(task)] = {"mean": _mean(mine), "answers": len(mine)}
    return found


def _is(scored: Scored, task: Task, level: str) -> bool:
    return scored.task is task and level in ("all", scored.level)


def _error(questions: Sequence[Sequence[Scored]]) -> dict[str, Any]:
    errors = {
        score: _mean(
            [
                _mean([(a - b) ** 2 for a, b in combinations(_values(answers, score), 2)]) or 0.0
                for answers in questions
            ]
        )
        for score in SCORES
    }
    return {"questions": len(questions), **errors}


def _values(answers: Sequence[Scored], score: str) -> list[float]:
    return [getattr(each.grade, score) for each in answers]


def _mean(values: Sequence[float]) -> float | None:
    return fsum(values) / len(values) if values else None
