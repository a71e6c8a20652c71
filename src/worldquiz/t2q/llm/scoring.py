"""Inspect's scorer of a world: from its rows, by the same functions as everything else.

A score's value holds counts, not shares, so that epochs and worlds pool rightly: a share is the
ratio of two sums. The metric `shares` makes the shares, with 95 % intervals clustered by world.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from inspect_ai.scorer import Metric, SampleScore, Score, Scorer, Target, metric, scorer
from inspect_ai.solver import TaskState

from worldquiz.facts import knowledge
from worldquiz.facts.knowledge import share
from worldquiz.facts.row import Row
from worldquiz.llm.inspect_model import as_accuracy
from worldquiz.stats.intervals import intervals, ratios
from worldquiz.t2q.llm.sample import UNANSWERED, UNTOUCHED, rows_left
from worldquiz.t2q.scoring import COUNTED, SIGNED, Sitting, quiz_counts, sitting, task_counts

_BOUNDED = ("knowledge", "tsr", "eus", "known")
"""Shares that are given with their intervals."""


@metric
def shares() -> Metric:
    """Task success, environment understanding and their parts, as ratios of sums over worlds.

    `accuracy` is environment understanding by the name that evaluations call it.
    """

    def pooled(scores: list[SampleScore]) -> dict[str, float]:
        rows = [score.score.as_dict() for score in scores]
        counts = [{name: float(value or 0) for name, value in row.items()} for row in rows]
        found_ratios = ratios(counts, COUNTED, signed=SIGNED)
        values = {key: ratio.value for key, ratio in found_ratios.items()}
        found = {key: value for key, value in values.items() if value is not None}
        for key, bounds in intervals(found_ratios).items():
            if bounds and key in _BOUNDED:  # behind the shares: viewers show the first few
                found[f"{key}_low"], found[f"{key}_high"] = bounds
        return found | as_accuracy(found_ratios["eus"])

    return pooled


@scorer(metrics=[shares()])
def quiz() -> Scorer:
    """Grade the quiz and count the tasks won."""

    async def score(state: TaskState, target: Target) -> Score:
        rows = rows_left(state)
        world = sitting(str(state.sample_id), rows)
        asked = questions(rows)
        return Score(
            value=quiz_counts(world.results) | task_counts(world.attempts),
            answer=summary(world),
            explanation=_left(state.metadata) + _explained(asked),
            metadata={"questions": asked},
        )

    return score


def summary(world: Sitting) -> str:
    """Say in a line how a world went."""
    known = knowledge.of(world.results)
    won = sum(attempt.won for attempt in world.attempts)
    correct = share(known.correct, known.questions)
    return (
        f"{won} of {len(world.attempts)} tasks won; {known.correct:g} of {known.questions} "
        f"answers right (EUS {correct or 0:.2f}), {known.correct_answerable:g} of them known"
    )


def questions(rows: Sequence[Row]) -> list[dict[str, Any]]:
    """Return one row a question, for inspect's data frames and viewer."""
    return [
        {
            "id": row.item,
            "type": row.type,
            "format": row.format,
            "question": row.prompt,
            "reply": row.answer or row.reply,
            "answer": row.gold if row.shown else "non-answerable",
            "grade": row.score,
            "cause": row.cause,
        }
        for row in rows
        if row.asked
    ]


def _left(told: Mapping[str, Any]) -> str:
    """Say what a solver left, and what to do where it found no tools."""
    if told.get(UNTOUCHED):
        return (
            "The solver called no tool of the world, so all tasks count as given up and all "
            "questions as wrong. If it had none: an agent that takes its tools as an argument, "
            "such as `react`, is given the world's as `worldquiz/react`, or by `tools=[world()]`."
            "\n\n"
        )
    if count := told.get(UNANSWERED):
        return f"The solver stopped with {count} questions unanswered, which count as wrong.\n\n"
    return ""


def _explained(rows: Sequence[Mapping[str, Any]]) -> str:
    """Return the wrong answers as a list for people."""
    wrong = [row for row in rows if row["grade"] is not None and row["grade"] != 1]
    if not wrong:
        return "No answer is wrong."
    lines = (
        f"- {row['question']} said {row['reply']!r}, right is {row['answer']!r}"
        + (f" ({row['cause']})" if row["cause"] else "")
        for row in wrong
    )
    return "\n".join([f"{len(wrong)} wrong answers:", "", *lines])
