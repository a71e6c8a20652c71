"""First screen of the page: contestants compared by knowledge and by route finding."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from worldquiz.mango.report.tables import ContestantEntry
from worldquiz.mango.scoring.contest import Contest, headlines, knowledge
from worldquiz.mango.scoring.grade import Task
from worldquiz.report.findings import Gaps, Share, Side, Terms
from worldquiz.report.first_screen import first_screen

TERMS = Terms(doing="routes found", does="finds")


def first(contest: Contest, shown: Sequence[ContestantEntry]) -> dict[str, Any]:
    """Return the first screen of a contest. Raises `MissingExtra` without numpy."""
    scored = [tuple(each.scored) for each in contest.contestants]

    def compare(left: Side, right: Side) -> Gaps:
        found = headlines(scored[left.place], scored[right.place])
        alike = found["knowledge"] is not None or len(contest.mazes) > 1
        why = "no shared question" if alike else "one maze, so no interval"
        return Gaps(found["knowledge"], found["routes"], why=why)

    sides = [
        Side(entry.tag, entry.name, entry.place, knowing=_knowing(each), doing=_doing(entry))
        for entry, each in zip(shown, scored, strict=True)
    ]
    return first_screen(sides, compare, TERMS)


def _knowing(scored: Sequence[Any]) -> Share | None:
    found = knowledge(scored)
    value = found["knowledge"]
    return None if value is None else Share(value, found["knowledge_ci"])


def _doing(entry: ContestantEntry) -> Share | None:
    found = entry.scores[str(Task.RF)]["all"]
    success = found["success"]
    if success["macro"] is None:
        return None
    return Share(success["macro"], success["interval"], f"of {found['asked']}", "routes")
