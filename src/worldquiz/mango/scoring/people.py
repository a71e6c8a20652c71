"""People's answers: how far they agree, and how long they take.

Success is about where one ends (arXiv 2403.19913, section 2.3), so moves alone and a place alone
can earn it. Reasoning is about a trajectory that is spelled out, from place to place (appendix
A.6): where none is, none is right.

A person's run holds how long each answer took. Agreement (section 3.4 and appendix C.6; the
paper's MSE, Table 13) is that of `worldquiz.stats.agreement`, of each task at each level: a person
with two runs counts as two people.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from statistics import fmean
from typing import Any

from worldquiz.mango.scoring.contest import LEVELS, Key, Marked, counted
from worldquiz.mango.scoring.grade import Task
from worldquiz.stats.agreement import agreement as agreed


def agreement(people: Sequence[Iterable[Marked]]) -> dict[str, Any]:
    """Return ``{task: {level: {"questions", "success", "reasoning"}}}``; None for no question.

    A question counts at the level that it has for the first who was asked.
    """
    every = [counted(each) for each in people]
    level_of: dict[Key, str] = {}
    for marked in every:
        for each in marked:
            level_of.setdefault(each.key, str(each.level))

    def cell(task: Task, level: str) -> dict[str, Any]:
        mine = [[each for each in marked if each.question.task is task
                 and level in ("all", level_of[each.key])] for marked in every]  # fmt: skip
        found = {
            score: agreed([{each.key: getattr(each.grade, score) for each in one} for one in mine])
            for score in ("success", "reasoning")
        }
        errors = {score: each.error for score, each in found.items()}
        return {"questions": found["success"].questions, **errors}

    return {str(task): {str(level): cell(task, str(level)) for level in LEVELS} for task in Task}


def minutes(lines: Iterable[Mapping[str, Any]]) -> dict[str, Any]:
    """Return ``{task: {"mean", "answers"}}`` over the answers that were timed."""
    timed = [line for line in lines if line.get("seconds") is not None]
    taken = {task: [each["seconds"] / 60 for each in timed if each["task"] == task]
             for task in Task}  # fmt: skip
    return {
        str(task): {"mean": fmean(some) if some else None, "answers": len(some)}
        for task, some in taken.items()
    }
