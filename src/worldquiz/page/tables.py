"""Grouping of runs into tables, on pages and in terminals, and the causes of lost points.

Runs of one kind on the same data share a table; runs in different tables are never compared. The
first score of a table is knowledge (`facts.knowledge`), or the mean grade if no run has knowledge.
False answers and the paper's own scores follow.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from worldquiz.facts.knowledge import CAUSES, Bounds, lost_points
from worldquiz.facts.row import Cause
from worldquiz.page.findings import PageRun, findings, minus
from worldquiz.page.html import many
from worldquiz.stats.row_scores import shares_data

EXPLAINED = {
    "knowledge": "Knowledge: share of right answers, corrected for guessing: 0 or less for a "
    "guesser, 1 if everything was shown and answered right.",
    "grade": "Mean grade: the mean over graded questions, 0 to 1.",
}
LOST = {
    Cause.EXPLORE: "not explored",
    Cause.MEMORY: "lost by memory",
    Cause.UNREAD: "no readable answer",
    Cause.MISREAD: "misread",
}
LOST_EXPLAINED = (
    "Shares of all points; they add up to 1.00. Not explored: never shown to the agent. Lost by "
    "memory: shown, but not recalled. Misread: recalled, but answered wrongly or not at all. Two "
    "numbers are bounds: if a memory recalls prose, memory or reader may be to blame."
)


@dataclass(frozen=True, slots=True)
class RunTable:
    """Runs in one table, the best first."""

    entries: Sequence[PageRun]
    apart: str = ""  # sentence on runs of the same kind on other data

    @property
    def kind(self) -> str:
        """Kind of the runs."""
        first = min(self.entries, key=lambda run: run.place)
        return f"{first.kind} on the data of {first.name}" if self.apart else first.kind

    @property
    def term(self) -> str:
        """Name of the table's first score."""
        return self.entries[0].term

    @property
    def explained(self) -> str:
        """Explanation of the table's first score."""
        return EXPLAINED[self.entries[0].key]

    @property
    def measured(self) -> Sequence[PageRun]:
        """The runs that are not baselines; all runs, if there are only baselines."""
        return [run for run in self.entries if not run.bound] or self.entries

    @property
    def bounds(self) -> Sequence[PageRun]:
        """The baselines beside the measured runs."""
        return [run for run in self.entries if run not in self.measured]

    @property
    def findings(self) -> Sequence[str]:
        """Sentences about the runs."""
        return findings(self.entries)

    @property
    def types(self) -> Sequence[str]:
        """The types of questions."""
        return sorted({name for run in self.entries for name in run.scores["by_type"]})

    @property
    def paper(self) -> Sequence[str]:
        """Names of the paper's own scores that at least one run has."""
        told = (name for run in self.entries for name, share in run.paper.items() if share)
        return list(dict.fromkeys(told))

    @property
    def hidden(self) -> bool:
        """True if some question was asked whose answer had not been shown."""
        return any(run.scores["false_answers"] is not None for run in self.entries)

    @property
    def uncounted(self) -> str:
        """Sentence on questions that do not count in knowledge; empty if all count."""
        counts = self.entries[0].key == "knowledge"
        return not_counted(max(run.uncounted for run in self.entries) if counts else 0)

    @property
    def lost(self) -> Sequence[tuple[PageRun, Sequence[str]]]:
        """Knowledge and lost points of each run with questions that count."""
        told = ((run, lost_cells(lost_points(run.rows))) for run in self.entries)
        return [(run, cells) for run, cells in told if cells]


def not_counted(number: int) -> str:
    """Return a sentence that `number` questions do not count in knowledge, or "" for 0."""
    told = many(number, "question"), "does" if number == 1 else "do"
    why = "the start gives the answer away, or the rate of right guesses is unknown"
    return f"{' '.join(told)} not count in knowledge: {why}." if number else ""


def tables_of(runs: Sequence[PageRun]) -> list[RunTable]:
    """Return tables of runs, each with runs of one kind whose data are the same or overlap."""
    found: list[list[PageRun]] = []
    placed = [replace(run, place=place) for place, run in enumerate(runs)]
    for run in placed:
        for some in found:
            if run.kind == some[0].kind and shares_data(run.data, some[0].data):
                some.append(run)
                break
        else:
            found.append([run])
    return [RunTable(_ranked(some), _apart(some, placed)) for some in found]


def _ranked(runs: Iterable[PageRun]) -> list[PageRun]:
    mine = list(runs)
    known = any(run.scores["knowledge"] is not None for run in mine)
    key = "knowledge" if known else "grade"
    return sorted((replace(run, key=key) for run in mine), key=lambda run: -run.value)


def _apart(mine: Sequence[PageRun], every: Iterable[PageRun]) -> str:
    """Return a sentence on runs of the same kind on other data, or "" if there are none."""
    first = mine[0]
    others = [run.name for run in every
              if run.kind == first.kind and not shares_data(run.data, first.data)]  # fmt: skip
    told = ", ".join(run.name for run in mine), ", ".join(others)
    line = f"Not compared: {told[0]} and {told[1]}; their data have no {first.world} in common."
    return line if others else ""


def lost_cells(lost: Mapping[str, Bounds]) -> list[str]:
    """Return knowledge and each cause's share of the points, in hundredths that add up to 1.

    `lost` comes from `facts.knowledge.lost_points`; if it is empty, there are no cells.
    """
    if not lost:
        return []
    least = [lost[cause][0] for cause in CAUSES]
    either = lost[Cause.MEMORY][1] - lost[Cause.MEMORY][0]
    *known, open_ = _hundredths(1 - sum(least) - either, [*least, either])
    told = [minus(each / 100) for each in known]
    for place, cause in enumerate(CAUSES, start=1):
        if open_ and cause in (Cause.MEMORY, Cause.MISREAD):
            told[place] += f"..{(known[place] + open_) / 100:.2f}"
    return told


def _hundredths(knowledge: float, lost: list[float]) -> list[int]:
    """Round to hundredths that add up to 1: knowledge to the nearest, causes down or up."""
    exact = [100 * each for each in lost]
    found = [int(each + 1e-9) for each in exact]
    first = round(100 * knowledge)
    short = 100 - first - sum(found)
    by_rest = sorted(range(len(lost)), key=lambda place: found[place] - exact[place])
    for place in by_rest[:short]:
        found[place] += 1
    return [first, *found]
