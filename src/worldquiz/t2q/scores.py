"""Scores of a run, computed from its rows alone, as the JSON document that commands print.

    {"knowledge", "knowledge_ci",               at most 1; guessing gives 0
     SHARE, ...                                 0..1, null where undefined
     "by_type":  {TYPE:  {the same without tsr, "counts", "ci"}},
     "by_level": {LEVEL: {the same with tsr,    "counts", "ci"}},
     "counts":   {"worlds", "tasks", "won", "questions", "answerable", ...},
     "ci":       {KEY: [low, high]},            95 %, clustered by world; null for fewer than two
     "steps":    {"spl", "efficiency_won", "commands", "walkthrough"},
     "stale", "beliefs":                        for worlds in which things were moved (`_beliefs`)
     "split":    {"all" and each TYPE: {"from_answerable", "from_non_answerable", ...}},
     "usage"}                                   for a language model only

``tsr`` is the task success rate (arXiv 2601.09503, equation 1); for the other shares see
`facts.knowledge`. Commands are compared with the walkthrough as in SPL
(success weighted by path length; Anderson et al., arXiv 1807.06757): a won task gets walkthrough /
max(walkthrough, commands), a lost task 0. The maximum is needed because a walkthrough by
dependency order is not proven shortest and may be beaten.

Every number is a ratio of sums over worlds.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from itertools import product
from math import fsum
from pathlib import Path
from typing import Any

from worldquiz.facts import knowledge
from worldquiz.facts.knowledge import FRACTIONS, SIGNED, share, whole
from worldquiz.facts.row import TASK, UNREAD, AnswerStatus, Purpose, Row
from worldquiz.runs.rows import read_rows
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
    """Return the scores of a finished run; with `paper`, by the paper's rule of answerability.

    Raises `RecordError`.
    """
    from worldquiz.t2q.rollout import WorldRow

    rows = read_rows(run, WorldRow)
    return scores(map(by_paper, rows) if paper else rows)


def scores(rows: Iterable[Row], *, resamples: int = RESAMPLES) -> Scores:
    """Return all scores of a run. Intervals need numpy; ``resamples=0`` leaves them out.

    Worlds that failed are left out.
    """
    by_world: dict[str, list[Row]] = {}
    for row in rows:
        by_world.setdefault(row.world, []).append(row)
    worlds = [some for some in by_world.values()
              if any(row.status is not AnswerStatus.FAILED for row in some)]  # fmt: skip
    every = [row for world in worlds for row in world]
    total = _block(worlds, resamples)
    total["counts"] = {"worlds": len(worlds), **total["counts"]}
    total["by_type"] = {
        type: _block([[row for row in world if row.type == type] for world in worlds], resamples,
                     FRACTIONS, _answered)
        for type in dict.fromkeys((*MIX, *sorted({row.type for row in every if row.asked})))
    }  # fmt: skip
    total["by_level"] = {
        level: _block([world for world in worlds if world[0].level == level], resamples)
        for level in dict.fromkeys(row.level or "" for row in every)
    }
    total["steps"] = _steps(row for row in every if row.type == TASK)
    parts = {"all": total, **total["by_type"]}
    total["split"] = {name: _split(block["counts"]) for name, block in parts.items()}
    total |= _beliefs(every)
    used = [each for row in every for each in row.measures.get("usage", {}).items()]
    return total | ({"usage": _usage(used)} if used else {})


def counted(rows: Iterable[Row]) -> dict[str, float]:
    """Return all counts of questions, tasks and commands in the rows of one world, by name."""
    every = list(rows)
    tasks = [row for row in every if row.type == TASK]
    return {
        **_answered(every),
        **{key: sum(row.measures.get(key, 0) for row in tasks)
           for key in ("commands", "walkthrough")},
        "tasks": len(tasks),
        "won": sum(row.correct == 1 for row in tasks),
    }  # fmt: skip


def by_paper(row: Row) -> Row:
    """Return a question's row by the paper's rule of answerability; any other row unchanged."""
    if not row.asked:
        return row
    rule = row.measures.get("paper")
    if rule is None:  # a question about the agent's own play
        return row
    measures = {**row.measures, "at_start": rule["at_start"]}
    return replace(row, shown=rule["shown"] is not None, measures=measures)


def _answered(rows: Iterable[Row]) -> dict[str, float]:
    """Return all counts of questions, by name."""
    asked = [row for row in rows if row.asked]
    graded = [row for row in asked if row.grade is not None]
    return {
        **knowledge.counts(asked),
        "at_start": sum(row.measures["at_start"] for row in graded),
        "unread": sum(row.status in UNREAD for row in graded),
    }


def _block(
    worlds: Sequence[Sequence[Row]],
    resamples: int,
    shares: Mapping[str, tuple[str, str]] = COUNTED,
    count: Callable[[Sequence[Row]], dict[str, float]] = counted,
) -> Scores:
    """Return shares, counts and intervals over rows of some worlds."""
    parts = [count(world) for world in worlds]
    counts = {name: whole(fsum(part[name] for part in parts)) for name in count(())}
    found = intervals(ratios(parts, shares, signed=SIGNED), resamples=resamples)
    bounds = {key: list(each) if each else None for key, each in found.items()}
    return {
        **{key: share(counts[above], counts[below]) for key, (above, below) in shares.items()},
        "counts": counts,
        "ci": bounds,
        "knowledge_ci": bounds["knowledge"],  # beside the headline, for readers of that alone
    }


def _steps(tasks: Iterable[Row]) -> dict[str, float | None]:
    """Return commands compared with the walkthroughs' commands, from the rows of tasks."""
    walks = [(row.measures["walkthrough"], row.measures["commands"], row.correct) for row in tasks]
    won = [least / max(least, given, 1) for least, given, right in walks if right]
    return {
        "spl": share(fsum(won), len(walks)),
        "efficiency_won": share(fsum(won), len(won)),
        "commands": share(sum(given for _, given, _ in walks), len(walks)),
        "walkthrough": share(sum(least for least, _, _ in walks), len(walks)),
    }


def _beliefs(rows: Iterable[Row]) -> dict[str, Any]:
    """Count which place replies name for a thing after the change: its first place or the other.

    Things are counted if the agent was shown their first place, and the start does not show the
    later one. A belief is stale if a thing was moved and the agent was shown its new place, but the
    reply still names the first. ``stale`` is the share of such replies; guessing gives a half.
    """
    later = [row for row in rows if "first" in row.measures and not row.measures["at_start"]]
    found = {}
    for moved, shown in product((True, False), repeat=2):
        some = [row for row in later
                if (row.gold != row.measures["first"], row.shown) == (moved, shown)]  # fmt: skip
        right = sum(row.correct == 1 for row in some)
        wrong = sum(row.correct == 0 for row in some)
        first, other = (wrong, right) if moved else (right, wrong)
        name = f"{'moved' if moved else 'kept'}, {'shown' if shown else 'not shown'}"
        none = len(some) - right - wrong
        found[name] = {
            "asked": len(some), "first place": first, "other place": other, "no answer": none
        }  # fmt: skip
    told = found["moved, shown"]
    return {"stale": share(told["first place"], told["asked"]), "beliefs": found} if later else {}


def _split(counts: Mapping[str, float]) -> dict[str, float | None]:
    """Return the shares of correct replies that answer and that abstain (appendix D, figure 8).

    The last two values are the accuracies on answerable questions and on all others.
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
