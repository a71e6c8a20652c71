"""What a page of rows says first: which run is best, by how much, and whether that is certain.

Runs are compared on the questions that both were graded on, paired, with intervals by world. A lead
is called clear only where the 95 % interval of the difference lies above 0.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from worldquiz.facts.row import AnswerStatus, Row
from worldquiz.report.html import many
from worldquiz.stats.row_scores import compare

Scored = Mapping[str, Mapping[str, Any]]
"""Runs by name, each with its document of `stats.row_scores.scores`."""
LOST = (AnswerStatus.UNREADABLE, AnswerStatus.OVERFLOW, AnswerStatus.FILTERED, AnswerStatus.FAILED)


def finding(runs: Mapping[str, Sequence[Row]], scored: Scored, *, resamples: int) -> list[str]:
    """Return sentences about runs of one benchmark, the most important first."""
    ranked = sorted(
        (name for name, found in scored.items() if found["score"] is not None),
        key=lambda name: (-scored[name]["score"], name),
    )
    if not ranked:
        return ["No question has a grade.", *_lost(scored)]
    if len(ranked) == 1:
        return [_alone(ranked[0], scored[ranked[0]]), *_lost(scored)]
    return [*_leader(runs, scored, ranked, resamples), *_lost(scored)]


def _alone(name: str, found: Mapping[str, Any]) -> str:
    counts = found["counts"]
    told = (
        f"{name} scores {_mean(found)} on {many(counts['scored'], 'question')} "
        f"about {many(counts['worlds'], 'world')}"
    )
    types = [each for each in found["by_type"].items() if each[1]["score"] is not None]
    if len(types) < 2:
        return f"{told}."
    best, worst = (pick(types, key=lambda each: each[1]["score"]) for pick in (max, min))
    return (
        f"{told}: most on {best[0]} ({best[1]['score']:.2f}), "
        f"least on {worst[0]} ({worst[1]['score']:.2f})."
    )


def _leader(
    runs: Mapping[str, Sequence[Row]], scored: Scored, ranked: Sequence[str], resamples: int
) -> list[str]:
    """Compare the run with the highest mean with each other one."""
    first, second = ranked[:2]
    means = f"{first} {_mean(scored[first])}, {second} {_mean(scored[second])}"
    found = {name: _compared(runs[first], runs[name], resamples) for name in ranked[1:]}
    doubts = [f"{name} ({doubt})" for name, each in found.items() if (doubt := _doubt(each))]
    if doubts:
        return [
            f"No run is clearly best. {first} has the highest mean ({means}), but its lead over "
            f"{_joined(doubts)} is not clear."
        ]
    lead = found[second]
    over = many(lead["questions"], "shared question")
    return [
        f"{first} is best: {_gap(lead)} more than {second} over {over} ({means}).",
        *_by_type(lead),
    ]


def _compared(left: Sequence[Row], right: Sequence[Row], resamples: int) -> dict[str, Any]:
    """Return how two runs differ, an empty document where they share no question."""
    try:
        return compare(left, right, resamples=resamples)
    except ValueError:
        return {}


def _doubt(found: Mapping[str, Any]) -> str:
    """Return why a lead is not clear, empty where it is."""
    if not found:
        return "no shared question"
    if found["ci"] is None:
        return "one world, so no interval"
    return _gap(found) if found["ci"][0] <= 0 else ""


def _gap(found: Mapping[str, Any]) -> str:
    low, high = found["ci"]
    return f"{found['difference']:.2f} [{low:.2f}, {high:.2f}]".replace("-", "−")


def _by_type(found: Mapping[str, Any]) -> list[str]:
    cells = found["by_type"]
    if len(cells) < 2:
        return []
    clear = [name for name, cell in cells.items() if cell["ci"] and cell["ci"][0] > 0]
    behind = [name for name, cell in cells.items() if cell["ci"] and cell["ci"][1] < 0]
    rest = [name for name in cells if name not in clear and name not in behind]
    parts = [
        f"clear on {_joined(clear)}" if clear else "clear on no single type",
        f"not clear on {_joined(rest)}" if rest and clear else "",
        f"reversed on {_joined(behind)}" if behind else "",
    ]
    return [f"The lead is {'; '.join(part for part in parts if part)}."]


def _lost(scored: Scored) -> list[str]:
    """Say how many replies hold no answer, where there are any."""
    found = []
    for name, each in scored.items():
        counts = each["counts"]
        lost = {status: counts[status] for status in LOST if counts[status]}
        if lost:
            words = ", ".join(f"{count:,} {status}" for status, count in lost.items())
            found.append(f"{name}, of {counts['questions']:,} replies: {words}.")
    return found


def _mean(found: Mapping[str, Any]) -> str:
    bounds = found["ci"]["score"]
    interval = f" [{bounds[0]:.2f}, {bounds[1]:.2f}]" if bounds else ""
    return f"{found['score']:.2f}{interval}"


def _joined(names: Sequence[str]) -> str:
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} and {names[-1]}"
