"""The tables of the page: Table 3 by type, Table 4 of walks, and takers two by two."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from statistics import fmean
from typing import Any

from worldquiz.llm.reply_lists import Form
from worldquiz.report import canvas, labels
from worldquiz.stats.intervals import Interval, holm, mean_interval, wilson
from worldquiz.tea.report.published import MEASURES
from worldquiz.tea.scoring import navigation
from worldquiz.tea.scoring.confidence import DRAWS, Paired, difference, interval
from worldquiz.tea.scoring.contest import Contest, Contestant, Role, shared
from worldquiz.tea.scoring.grade import family
from worldquiz.tea.scoring.table import Scored

MOST_PAIRS = 28
"""Pairs that are compared; beyond, only the first contestant with each."""
_SAID = {"kind", "model", "taker", "name", "folder", "data", "error"}
"""What a taker's name says already, and where things are."""
ORDER = (Role.FLOOR, Role.CONTESTANT, Role.CEILING)


@dataclass(frozen=True, slots=True)
class Cell:
    """A mean of some answers; how many were ill-formed, which are worth 0."""

    mean: float
    interval: Interval | None
    asked: int
    ill_formed: int
    repaired: int


@dataclass(frozen=True, slots=True)
class Measure:
    """One of Table 4's measures of some walks."""

    value: float | None
    interval: Interval | None
    counts: str = ""  # of a rate: "3 of 40"


@dataclass(frozen=True, slots=True)
class Entry:
    """A taker on the page."""

    place: int
    tag: str  # its letter
    taker: Contestant
    settings: Mapping[str, str]
    scored: tuple[Scored, ...]
    types: Mapping[str, Cell]
    forms: Mapping[str, Cell]  # by the whole name of the type
    every: Cell | None  # over all tasks
    walks: Mapping[str, Measure]  # by `MEASURES`, and "steps_of_successes"

    @property
    def name(self) -> str:
        """What it is called."""
        return self.taker.name

    @property
    def role(self) -> Role:
        """What it stands for."""
        return self.taker.role

    @property
    def colour(self) -> str:
        """The CSS variable of its colour."""
        return canvas.colour(self.place)

    @property
    def macro(self) -> float | None:
        """The mean of its types' means."""
        return fmean(cell.mean for cell in self.types.values()) if self.types else None


@dataclass(frozen=True, slots=True)
class Pair:
    """Two takers on the same tasks: how they differ, in all and by type."""

    left: Entry
    right: Entry
    every: Paired
    adjusted: float | None  # p of all tasks, by Holm over the pairs
    types: Mapping[str, tuple[Paired, float | None]]  # p by Holm over the pair's types


def entries(contest: Contest) -> list[Entry]:
    """Return the takers with their scores: floors first, then contestants, then the ceiling."""
    ordered = [one for role in ORDER for one in contest.contestants if one.role is role]
    return [_entry(place, one, contest) for place, one in enumerate(ordered)]


def _entry(place: int, taker: Contestant, contest: Contest) -> Entry:
    scored = taker.scored(contest.tasks)
    types, forms = _grouped(scored, whole=False), _grouped(scored, whole=True)
    return Entry(
        place, labels.tag(place), taker, labels.settings(taker.settings, _SAID), scored,
        {name: cell(some) for name, some in types.items()},
        {name: cell(some) for name, some in forms.items()},
        cell(scored) if scored else None,
        walks(taker),
    )  # fmt: skip


def cell(scored: Sequence[Scored]) -> Cell:
    """Return the mean of some answers. Raises `StatisticsError` for none."""
    told = [each.form for each in scored]
    return Cell(
        fmean(each.score for each in scored), interval(scored), len(scored),
        told.count(Form.ILL_FORMED), told.count(Form.REPAIRED),
    )  # fmt: skip


def walks(taker: Contestant) -> dict[str, Measure]:
    """Return the measures of a taker's walks, none where it did not walk."""
    trips = [taker.trips[id] for id in sorted(taker.trips)]
    if not trips:
        return {}
    told = navigation.table(trips)
    found = {
        "gain": _mean(told["gain"], [navigation.gain(trip) for trip in trips]),
        "steps": _mean(told["steps"], [float(trip.steps) for trip in trips]),
        "steps_of_successes": Measure(told["steps_of_successes"], None),
    }
    for name in ("success", "neglect", "lack_of_3d_awareness"):
        found[name] = _rate(told[name])
    return {name: found[name] for name in (*MEASURES, "steps_of_successes")}


def _mean(value: float | None, values: Sequence[float]) -> Measure:
    return Measure(value, mean_interval(values, resamples=DRAWS))


def _rate(told: Mapping[str, Any]) -> Measure:
    bounds = wilson(told["count"], told["of"]) if told["of"] else None
    return Measure(told["rate"], bounds, f"{told['count']} of {told['of']}")


def pairs(shown: Sequence[Entry]) -> list[Pair]:
    """Compare takers two by two on what both were asked, floors not with each other."""
    every = [
        (one, two)
        for one, two in combinations(shown, 2)
        if {one.role, two.role} != {Role.FLOOR} and Role.CEILING not in (one.role, two.role)
    ]
    if len(every) > MOST_PAIRS:
        first = next(one for one in shown if one.role is Role.CONTESTANT)
        every = [both for both in every if first in both]
    found = []
    for left, right in every:
        both = shared(left.scored, right.scored)
        whole = difference(both)
        if whole:
            found.append((left, right, whole, _by_type(both)))
    adjusted = holm([whole.p for _, _, whole, _ in found])
    return [
        Pair(left, right, whole, p, types)
        for (left, right, whole, types), p in zip(found, adjusted, strict=True)
    ]


def _by_type(
    both: Sequence[tuple[Scored, Scored]],
) -> dict[str, tuple[Paired, float | None]]:
    groups: dict[str, list[tuple[Scored, Scored]]] = {}
    for one, two in both:
        groups.setdefault(family(one.type), []).append((one, two))
    found = {name: difference(some) for name, some in sorted(groups.items())}
    known = {name: each for name, each in found.items() if each}
    adjusted = holm([each.p for each in known.values()])
    return {name: (each, p) for (name, each), p in zip(known.items(), adjusted, strict=True)}


def spread(shown: Sequence[Entry], type: str) -> float | None:
    """Return the greatest less the least mean of a type among contestants, None of one alone."""
    means = [
        one.types[type].mean for one in shown if one.role is Role.CONTESTANT and type in one.types
    ]
    return max(means) - min(means) if len(means) > 1 else None


def _grouped(scored: Sequence[Scored], *, whole: bool) -> dict[str, list[Scored]]:
    found: dict[str, list[Scored]] = {}
    for each in scored:
        found.setdefault(each.type if whole else family(each.type), []).append(each)
    return dict(sorted(found.items()))
