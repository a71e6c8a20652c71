"""First screen of the page: who perceives more in the same tasks, and who arrives more often."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from worldquiz.llm.reply_lists import Form
from worldquiz.report.findings import Gaps, Share, Side, Terms
from worldquiz.report.first_screen import first_screen
from worldquiz.stats.intervals import Difference
from worldquiz.tea.report.tables import TakerEntry, by_family
from worldquiz.tea.scoring.confidence import Paired, difference
from worldquiz.tea.scoring.contest import Contest, Role, shared
from worldquiz.tea.scoring.navigation import success
from worldquiz.tea.scoring.table import Scored

TERMS = Terms(
    knowing="mean of tasks", doing="walks that arrive", knows="perceives", does="arrives on",
    corrected=False,
)  # fmt: skip
ROLES = {Role.FLOOR: "lower-bound", Role.CONTESTANT: "agent", Role.CEILING: "upper-bound"}


def first(contest: Contest, shown: Sequence[TakerEntry]) -> dict[str, Any]:
    """Return the first screen of a contest. Raises `MissingExtra` without numpy."""

    def compare(left: Side, right: Side) -> Gaps:
        return _gaps(contest, shown[left.place], shown[right.place])

    return first_screen([_side(entry) for entry in shown], compare, TERMS)


def _side(entry: TakerEntry) -> Side:
    walks, every = entry.walks.get("success"), entry.every
    doing = None
    if walks and walks.value is not None:
        doing = Share(walks.value, walks.interval, walks.counts, "walks")
    knowing = Share(every.mean, every.interval, f"of {every.asked}", "tasks") if every else None
    return Side(entry.tag, entry.name, entry.place, ROLES[entry.role], knowing=knowing, doing=doing)


def _gaps(contest: Contest, left: TakerEntry, right: TakerEntry) -> Gaps:
    """Return how two answerers differ on the tasks and the walks of both."""
    both = shared(left.scored, right.scored)
    walked = shared(_walked(contest, left), _walked(contest, right))
    types: Mapping[str, tuple[Paired, object]] = by_family(both)
    return Gaps(
        _plain(difference(both)),
        _plain(difference(walked)),
        types={name: _plain(found) for name, (found, _) in types.items()},
        why="fewer than two shared tasks",
    )


def _walked(contest: Contest, entry: TakerEntry) -> list[Scored]:
    """Return an answerer's walks as tasks that are worth 1 where it arrived."""
    return [
        Scored(id, "walk", contest.walks[id].scene, float(success(trip)), Form.CLEAN)
        for id, trip in sorted(entry.taker.trips.items())
    ]


def _plain(found: Paired | None) -> Difference | None:
    return Difference(found.value, found.low, found.high, found.p) if found else None
