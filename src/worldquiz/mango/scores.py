"""Means of the scores of rows: for each maze, and over mazes.

The paper averages over mazes (arXiv 2403.19913, Figure 2): every maze weighs the same, however many
questions it has (``macro``). ``micro`` weighs every question the same. Every mean stands beside the
number of questions asked and of mazes. *Knowledge* stands apart: it is pooled over all questions
(`facts.knowledge`). A 95 % interval draws whole mazes again
(`worldquiz.stats.intervals`), and so needs two mazes.

Questions that the steps read do not settle are left out and counted (``unanswerable``), failed ones
are left out; every other failure is in the denominator, but for `by_paper`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import product
from statistics import fmean
from typing import Any

from worldquiz.facts import knowledge
from worldquiz.facts.row import AnswerStatus, Row
from worldquiz.mango.grade import SCORES, Level, Task
from worldquiz.mango.rows import Book, answerer_of
from worldquiz.runs.rows import reply_line
from worldquiz.stats.intervals import RESAMPLES, Ratio, intervals
from worldquiz.stats.row_scores import headline

LEVELS = ("all", Level.EASY, Level.HARD)
Games = Mapping[str, Sequence[Row]]
"""The rows of each maze, by its name."""


def counted(rows: Iterable[Row]) -> tuple[Row, ...]:
    """Return the answers to questions that what was read settles."""
    return tuple(row for row in rows if row.shown and row.status is not AnswerStatus.FAILED)


def by_paper(
    rows: Iterable[Row], book: Callable[[str], Book], manifest: Mapping[str, Any]
) -> tuple[tuple[Row, ...], dict[str, Any]]:
    """Return the answers that the paper scores, as it does, and how many were ill-structured.

    `book` grades by its rule. "We could only evaluate the non-GPT models on the questions to which
    the answers were well-structured and thus could be parsed" (appendix B.2). A non-GPT model has
    no "gpt" in its name; people and baselines are no models.
    """
    lines = ((row, reply_line(row)) for row in rows)
    every = [book(row.world).again(row, line, row.answerer) if line else row for row, line in lines]
    ill = [row for row in counted(every) if row.status is not AnswerStatus.ANSWERED]
    told = {str(task): sum(row.type == task for row in ill) for task in Task}
    model = "model" in manifest or "imported" in manifest
    whole = not model or "gpt" in answerer_of(manifest).casefold()
    read = (AnswerStatus.ANSWERED, AnswerStatus.FAILED)
    return tuple(row for row in every if whole or row.status in read), {**told, "counted": whole}


def of(rows: Iterable[Row], task: Task | None = None, level: str = "all") -> Games:
    """Return the rows of a task (None: of both) at a level that count, maze by maze."""
    games: dict[str, list[Row]] = {}
    for row in counted(rows):
        if task in (None, row.type) and level in ("all", row.level):
            games.setdefault(row.world, []).append(row)
    return dict(sorted(games.items()))


def record(rows: Sequence[Row]) -> dict[str, float | int | None]:
    """Return counts and means over rows, None where nothing was asked."""
    means = {score: mean(rows, score) for score in SCORES}
    return {**_counts(rows), **means, "knowledge": knowledge.knowledge(rows)}


def _counts(rows: Sequence[Row]) -> dict[str, int]:
    return {
        "asked": len(rows),
        "ill_formed": sum(row.status is not AnswerStatus.ANSWERED for row in rows),
    }  # fmt: skip


def mean(rows: Sequence[Row], score: str) -> float | None:
    """Return the mean of a score over rows, None without any."""
    return fmean(row.measures[score] for row in rows) if rows else None


def macro(games: Games, score: str) -> Ratio:
    """Return a score's mean over mazes, one entry a maze."""
    return Ratio(tuple(mean(rows, score) or 0.0 for rows in games.values()), (1.0,) * len(games))


def means(games: Games, *, resamples: int = RESAMPLES) -> dict[str, Any]:
    """Return the means over mazes: macro with its 95 % interval, micro; knowledge; the counts."""
    every = [row for rows in games.values() for row in rows]
    ratios = {score: macro(games, score) for score in SCORES}
    bounds = intervals(ratios, resamples=resamples)
    scores = {
        score: {"macro": each.value, "interval": bounds[score],
                "micro": mean(every, score)}
        for score, each in ratios.items()
    }  # fmt: skip
    first = headline(every, resamples=resamples)
    return {**_counts(every), "mazes": len(games), **first, **scores}


def table(rows: Iterable[Row], *, resamples: int = RESAMPLES) -> dict[str, Any]:
    """Return ``{task: {level: means with their counts and intervals}}``.

    Raises `MissingExtra` without numpy unless ``resamples`` is 0.
    """
    every = tuple(rows)
    return {
        str(task): {
            str(level): means(of(every, task, level), resamples=resamples) for level in LEVELS
        }
        for task in Task
    }


def document(rows: Sequence[Row]) -> dict[str, Any]:
    """Return the scores of rows as a JSON document."""
    there = [row for row in rows if row.status is not AnswerStatus.FAILED]
    games: dict[str, Any] = {}
    for game, task in product(sorted({row.world for row in there}), Task):
        mine = [row for row in there if row.world == game and row.type == task]
        games.setdefault(game, {})[str(task)] = {
            **{str(level): record(of(mine, task, level).get(game, ())) for level in LEVELS},
            "unanswerable": sum(not row.shown for row in mine),
        }
    return {**headline(counted(rows)), **table(rows), "games": games}
