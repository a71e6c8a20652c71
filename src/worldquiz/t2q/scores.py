"""Numbers of a run, counted from its rows alone, as the JSON document that commands print.

    {"knowledge", "knowledge_ci",               at most 1; guessing earns 0
     SHARE, ...                                 0..1, null where undefined
     "by_type":  {TYPE:  {the same without tsr, "counts", "ci"}},
     "by_level": {LEVEL: {the same with tsr,    "counts", "ci"}},
     "counts":   {"worlds", "tasks", "won", "questions", "answerable", ...},
     "ci":       {KEY: [low, high]},            95 %, clustered by world; null for fewer than two
     "steps":    {"spl", "efficiency_won", "commands", "walkthrough"},
     "split":    {"all" and each TYPE: {"from_answerable", "from_non_answerable", ...}},
     "usage"}                                    of a language model only

``tsr`` is the task success rate (arXiv 2601.09503, equation 1); for the other shares see
`facts.knowledge`. Commands are set against the walkthrough as in SPL
(success weighted by path length; Anderson et al., arXiv 1807.06757): a won task earns walkthrough /
max(walkthrough, commands), a lost one nothing. The maximum is there because a walkthrough by
dependency order is not proven shortest and may be beaten.

Every number is a ratio of sums over worlds. A world is folded to its counts when it is read, so a
run of a thousand worlds is scored from a few kilobytes a world.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import chain, groupby
from math import fsum
from pathlib import Path
from typing import Any, NamedTuple

from worldquiz.errors import RecordError
from worldquiz.facts import knowledge
from worldquiz.facts.episode import Outcome
from worldquiz.facts.knowledge import FRACTIONS, SIGNED, share, whole
from worldquiz.facts.row import TASK, UNREAD, AnswerStatus, Purpose, Row
from worldquiz.runs.rows import ROWS, read_rows
from worldquiz.stats.intervals import RESAMPLES, intervals, ratios
from worldquiz.stats.row_scores import usage_total
from worldquiz.t2q.question import MIX

Scores = dict[str, Any]
"""The document above: plain JSON."""
COUNTED: Mapping[str, tuple[str, str]] = {
    **FRACTIONS,
    "tsr": ("won", "tasks"),  # task success rate (equation 1)
}
"""Each share's numerator and denominator, as "counts" names them, in the order of tables."""


def of_run(run: Path, *, paper: bool = False) -> Scores:
    """Return the scores of a finished run, also by the `paper`'s rule of what is answerable.

    Raises `RecordError`.
    """
    from worldquiz.t2q.rollout import WorldRow

    rows = read_rows(run, WorldRow)
    try:
        return scores(map(by_paper, rows) if paper else rows)
    except ValueError as error:
        raise RecordError(f"{run / ROWS}: {error}: the file is damaged: restore it") from error


def scores(rows: Iterable[Row], *, resamples: int = RESAMPLES) -> Scores:
    """Return all numbers of a run. With ``resamples=0`` no intervals are drawn (and numpy unused).

    Worlds that failed are left out. Raises `ValueError` where a world occurs twice: it would count
    as two independent ones.
    """
    worlds = tuple(_worlds(rows))
    if len({world.name for world in worlds}) != len(worlds):
        raise ValueError("a world occurs twice in one run")
    total = _block(worlds, resamples)
    total["counts"] = {"worlds": len(worlds), **total["counts"]}
    types = dict.fromkeys(chain(MIX, *(world.counts for world in worlds)))
    total["by_type"] = {type: _block(worlds, resamples, type) for type in types if type}
    total["by_level"] = {
        level: _block([world for world in worlds if world.level == level], resamples)
        for level in dict.fromkeys(world.level for world in worlds)
    }
    tasks, earned = total["counts"], fsum(world.earned for world in worlds)
    total["steps"] = {
        "spl": share(earned, tasks["tasks"]),
        "efficiency_won": share(earned, tasks["won"]),
        "commands": share(tasks["commands"], tasks["tasks"]),
        "walkthrough": share(tasks["walkthrough"], tasks["tasks"]),
    }
    parts = {"all": total, **total["by_type"]}
    total["split"] = {name: _split(block["counts"]) for name, block in parts.items()}
    used = [each for world in worlds for each in world.usage]
    return total | ({"usage": _usage(used)} if used else {})


def counted(rows: Iterable[Row]) -> dict[str, float]:
    """Return every count over the rows of one world, by its name in "counts"."""
    (world,) = _worlds(rows, failed=True)
    return dict(world.counts[None])


class World(NamedTuple):
    """Counts of one world."""

    name: str
    level: str
    counts: Mapping[str | None, Mapping[str, float]]  # by type, and of all questions and tasks
    earned: float  # tasks won, by path length
    usage: Sequence[tuple[str, Mapping[str, Any]]]  # of a model, each with its purpose


def _worlds(rows: Iterable[Row], *, failed: bool = False) -> Iterator[World]:
    """Yield the counts of each world that was played; with `failed`, of each."""
    for name, some in groupby(rows, key=lambda row: row.world):
        every = list(some)
        if not failed and all(row.status is AnswerStatus.FAILED for row in every):
            continue
        asked = [row for row in every if row.asked]
        counts: dict[str | None, dict[str, float]] = {
            type: _answered([row for row in asked if row.type == type])
            for type in sorted({row.type for row in asked})
        }
        tasks = [row.measures for row in every if row.type == TASK]
        counts[None] = _answered(asked) | _walked(tasks)
        walks = [(t["walkthrough"], t["commands"]) for t in tasks if t["outcome"] == Outcome.WON]
        earned = fsum(least / max(least, given, 1) for least, given in walks)
        used = [each for row in every for each in row.measures.get("usage", {}).items()]
        yield World(name, every[0].level or "", counts, earned, used)


def by_paper(row: Row) -> Row:
    """Return a question's row as it counts by the paper's rule; other rows as they are."""
    if not row.asked:
        return row
    rule = row.measures["paper"]
    measures = {**row.measures, "at_start": rule["at_start"]}
    return replace(row, shown=rule["shown"] is not None, measures=measures)


def _answered(asked: Sequence[Row]) -> dict[str, float]:
    """Return every count of questions by name, whole ones as integers."""
    graded = [row for row in asked if row.grade is not None]
    return {
        **knowledge.counts(asked),
        "at_start": sum(row.measures["at_start"] for row in graded),
        "unread": sum(row.status in UNREAD for row in graded),
    }


def _walked(tasks: Sequence[Mapping[str, Any]]) -> dict[str, float]:
    """Return counts of tasks by name, from their measures."""
    return {
        **{key: sum(each[key] for each in tasks) for key in ("commands", "walkthrough")},
        "tasks": len(tasks),
        "won": sum(each["outcome"] == Outcome.WON for each in tasks),
    }


def _block(worlds: Sequence[World], resamples: int, type: str | None = None) -> dict[str, Any]:
    """Return shares, counts and intervals over some worlds, or over their questions of a type."""
    none = _answered(()) | ({} if type else _walked(()))
    parts = [world.counts.get(type, none) for world in worlds]
    counts = {name: whole(fsum(part[name] for part in parts)) for name in none}
    fractions = {key: COUNTED[key] for key in COUNTED if key != "tsr" or type is None}
    block: Scores = {key: share(counts[a], counts[b]) for key, (a, b) in fractions.items()}
    block["counts"] = counts
    found = intervals(ratios(parts, fractions, signed=SIGNED), resamples=resamples)
    block["ci"] = {key: list(bounds) if bounds else None for key, bounds in found.items()}
    block["knowledge_ci"] = block["ci"]["knowledge"]  # beside the headline, for who reads that only
    return block


def _split(counts: Mapping[str, float]) -> dict[str, float | None]:
    """Return where correct answers come from (appendix D, figure 8): facts or rightly abstaining.

    The first two are shares of all that is correct, the others of what was asked.
    """
    right, known = counts["correct"], counts["correct_answerable"]
    return {
        "from_answerable": share(known, right),
        "from_non_answerable": share(right - known, right),
        "accuracy_answerable": share(known, counts["answerable"]),
        "accuracy_non_answerable": share(right - known, counts["non_answerable"]),
    }


def _usage(used: Sequence[tuple[str, Mapping[str, Any]]]) -> dict[str, Any]:
    """Return calls, tokens and cost, in all and by purpose."""
    parts = {each: [told for name, told in used if name == each] for each in map(str, Purpose)}
    by_purpose = {name: usage_total(some) for name, some in parts.items()}
    return usage_total([told for _, told in used]) | {"by_purpose": by_purpose}
