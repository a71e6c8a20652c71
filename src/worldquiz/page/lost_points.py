"""Table of where the points went: a run's knowledge and what took the rest, adding up to 1.00."""

from __future__ import annotations

from collections.abc import Mapping

from rich.markup import escape
from rich.table import Table

from worldquiz.facts.lost_points import CAUSES, Bounds
from worldquiz.facts.row import Cause
from worldquiz.page.terminal import titled

TITLE = "Where the points went"
HEADINGS = {
    Cause.EXPLORE: "not explored",
    Cause.MEMORY: "lost by memory",
    Cause.UNREAD: "no readable answer",
    Cause.MISREAD: "misread",
}
EXPLAINED = (
    "Shares of all points, which add up to 1.00. Not explored: the agent was not shown it. Lost by "
    "memory: shown, and not handed over. Misread: handed over, and not answered or answered "
    "wrongly. Two numbers (at least..at most): the memory hands over prose, so it may be either."
)


def cells(lost: Mapping[str, Bounds]) -> list[str]:
    """Return knowledge and each cause's share of the points, in hundredths that add up to 1.

    `lost` is as `facts.lost_points` gives it, or ``scores.json``; of nothing there are no cells.
    """
    if not lost:
        return []
    least = [lost[cause][0] for cause in CAUSES]
    either = lost[Cause.MEMORY][1] - lost[Cause.MEMORY][0]
    *known, open_ = _hundredths(1 - sum(least) - either, [*least, either])
    told = [f"{each / 100:.2f}" for each in known]
    for place, cause in enumerate(CAUSES, start=1):
        if open_ and cause in (Cause.MEMORY, Cause.MISREAD):
            told[place] += f"..{(known[place] + open_) / 100:.2f}"
    return told


def _hundredths(knowledge: float, lost: list[float]) -> list[int]:
    """Round to hundredths: knowledge to the nearest, the others up or down, so that all add up."""
    exact = [100 * each for each in lost]
    found = [int(each + 1e-9) for each in exact]
    first = round(100 * knowledge)
    short = 100 - first - sum(found)
    by_rest = sorted(range(len(lost)), key=lambda place: found[place] - exact[place])
    for place in by_rest[:short]:
        found[place] += 1
    return [first, *found]


def table(runs: Mapping[str, Mapping[str, Bounds]]) -> Table:
    """Return where the points of runs went, by the runs' names."""
    found = titled(TITLE)
    found.caption, found.caption_justify = EXPLAINED, "left"
    found.add_column("run")
    for name in ("knowledge", *HEADINGS.values()):
        found.add_column(name, justify="right")
    for name, lost in runs.items():
        found.add_row(escape(name), *cells(lost))
    return found
