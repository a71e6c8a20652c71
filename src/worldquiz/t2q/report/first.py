"""First screen of the page: who knows more of the same worlds, and whether by exploration.

A difference in knowledge is the sum of two differences: in the shares that agents were shown
(`knowledge_ceiling`), and in how far answerers fell short of them. Where both runs have causes
(`t2q.trace`), the second is taken apart by them: memory, reasoning, false answers.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from worldquiz.report.findings import Gaps, Share, Side, Terms
from worldquiz.report.first_screen import first_screen, plot
from worldquiz.stats.intervals import Ratio, differences
from worldquiz.t2q.report.entries import Entry
from worldquiz.t2q.report.tables import cell

TERMS = Terms(doing="tasks won (TSR)", does="wins", knows="knows")


def first(entries: Sequence[Entry]) -> dict[str, Any]:
    """Return the first screen of some runs. Raises `MissingExtra` without numpy."""

    def compare(left: Side, right: Side) -> Gaps:
        return gaps(entries[left.place], entries[right.place])

    return first_screen([side(entry) for entry in entries], compare, TERMS)


def success_against_eus(entries: Sequence[Entry]) -> str:
    """Draw TSR against the paper's EUS, in which abstaining earns."""
    sides = [replace(side(entry), knowing=_share(entry.row.scores, "eus")) for entry in entries]
    return plot(sides, replace(TERMS, knowing="EUS"), name="eus")


def side(entry: Entry) -> Side:
    """Return a run as the first screen shows it."""
    scores = entry.row.scores
    return Side(
        entry.tag, entry.name, entry.place, str(entry.row.role),
        knowing=_share(scores, "knowledge"), doing=_share(scores, "tsr", counted=True),
        shown=_share(scores, "knowledge_ceiling"),
    )  # fmt: skip


def _share(scores: Mapping[str, Any], key: str, *, counted: bool = False) -> Share | None:
    found = cell(scores, key)
    if found.value is None:
        return None
    return Share(found.value, found.interval, found.count if counted else "", "tasks")


def gaps(left: Entry, right: Entry) -> Gaps:
    """Return how two runs differ, and in which part of knowing; nothing on different worlds."""
    if left.worlds != right.worlds:
        return Gaps()
    found = differences(
        {
            **{key: (left.shares[key], right.shares[key]) for key in ("knowledge", "tsr")},
            "exploration": (left.shares["knowledge_ceiling"], right.shares["knowledge_ceiling"]),
            **_answering(left, right),
        }
    )
    knowing, doing = found.pop("knowledge"), found.pop("tsr")
    return Gaps(knowing, doing, found, why="one world, so no interval")


def _answering(left: Entry, right: Entry) -> dict[str, tuple[Ratio, Ratio]]:
    """Return how far knowledge lies below its ceiling, by cause where both runs have causes."""
    if left.lost is None or right.lost is None:
        return {"memory and reasoning": (_below(left), _below(right))}
    names = dict.fromkeys((*left.lost, *right.lost))
    return {name: (_by_cause(left, name), _by_cause(right, name)) for name in names}


def _below(entry: Entry) -> Ratio:
    knowing, most = entry.shares["knowledge"], entry.shares["knowledge_ceiling"]
    above = tuple(one - other for one, other in zip(knowing.above, most.above, strict=True))
    return Ratio(above, knowing.below, signed=True)


def _by_cause(entry: Entry, name: str) -> Ratio:
    below = entry.shares["knowledge"].below
    return Ratio((entry.lost or {}).get(name, (0.0,) * len(below)), below, signed=True)
