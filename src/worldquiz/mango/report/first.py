"""What the page says first: who knows more of the same mazes, and who finds more ways."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from worldquiz.mango.report.tables import ContestantEntry
from worldquiz.mango.scoring.contest import Contest, Explored, headlines, knowledge
from worldquiz.mango.scoring.grade import Task
from worldquiz.report.findings import Gaps, Share, Side, Terms
from worldquiz.report.first_screen import first_screen
from worldquiz.stats.intervals import Ratio, differences, intervals

TERMS = Terms(doing="routes found", does="finds")
EXPLORING = Terms(doing="routes shown", does="was shown")


def first(contest: Contest, shown: Sequence[ContestantEntry]) -> dict[str, Any]:
    """Return the first screen of a contest. Raises `MissingExtra` without numpy."""
    if contest.of_explorers:
        return _of_explorers(contest, shown)
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


def _of_explorers(contest: Contest, shown: Sequence[ContestantEntry]) -> dict[str, Any]:
    """Compare agents by what they know of the whole games: each is asked about its own way."""
    explored = [each.explored or {} for each in contest.contestants]

    def compare(left: Side, right: Side) -> Gaps:
        one, other = explored[left.place], explored[right.place]
        both = sorted(one.keys() & other.keys())
        found = differences(
            {part: (_mean(one, both, part), _mean(other, both, part)) for part in Explored._fields}
        )
        why = "no game of both whose map is known" if not both else "one game, so no interval"
        return Gaps(found["known"], found["routes"], why=why)

    sides = []
    for entry, games in zip(shown, explored, strict=True):
        known, ceiling, routes = _shares(games)
        sides.append(
            Side(entry.tag, entry.name, entry.place, knowing=known, doing=routes, shown=ceiling)
        )
    return first_screen(sides, compare, EXPLORING)


def _shares(games: Mapping[str, Explored]) -> Iterator[Share | None]:
    """Yield the means over games of the parts of `Explored`."""
    means = {part: _mean(games, sorted(games), part) for part in Explored._fields}
    bounds = intervals(means)
    for part, mean in means.items():
        yield None if mean.value is None else Share(mean.value, bounds[part])


def _mean(games: Mapping[str, Explored], names: Sequence[str], part: str) -> Ratio:
    values = tuple(getattr(games[name], part) for name in names)
    return Ratio(values, (1.0,) * len(values), signed=part == "known")


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
