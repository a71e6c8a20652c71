"""The tables of the page: Table 3 by type, Table 4 of walks, and answerers two by two.

The paper's figures (arXiv 2602.05249, Tables 3 and 4) stand beside a run's own. They are of other
tasks in other scenes, so those columns are a background and no comparison. The last column of
Table 3 is the greatest less the least value of its row, Human among them.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from statistics import fmean
from typing import Any

from worldquiz.llm.reply_lists import Form
from worldquiz.report import canvas, labels
from worldquiz.stats.intervals import Interval, holm, mean_interval, wilson
from worldquiz.tea.scoring import navigation
from worldquiz.tea.scoring.confidence import DRAWS, Paired, difference, interval
from worldquiz.tea.scoring.contest import Contest, Contestant, Role, shared
from worldquiz.tea.scoring.grade import family
from worldquiz.tea.scoring.table import Scored, by_type

MOST_PAIRS = 28
"""Pairs that are compared; beyond, only the first contestant with each."""
_SAID = {"kind", "model", "answerer", "name", "folder", "data", "error", "there"}
"""What a taker's name or Table 3 says already, and where things are."""
ORDER = (Role.FLOOR, Role.CONTESTANT, Role.CEILING)
TAKERS = (
    "GPT-5", "GPT-4o", "GPT-4.1", "Gemini-2.5-Pro", "Gemini-2.5-Flash", "Claude-Opus-4",
    "llama-4-Scout", "o3-2025", "Human",
)  # fmt: skip
HUMAN = TAKERS.index("Human")
TABLE_3: dict[str, tuple[float, ...]] = {
    "embodied-counting": (
        0.6571, 0.7810, 0.8000, 0.7143, 0.8190, 0.7143, 0.7619, 0.8095, 0.8476,
    ),
    "mirror-counting": (0.8800, 0.9200, 0.8800, 0.8800, 0.8700, 0.9700, 0.9700, 0.9800, 0.8300),
    "in-view": (0.4872, 0.4274, 0.1880, 0.4957, 0.4530, 0.4274, 0.4444, 0.4359, 0.6239),
    "classification": (0.4056, 0.0769, 0.3566, 0.3357, 0.3217, 0.0490, 0.3007, 0.4196, 0.7448),
    "localization": (0.3174, 0.0468, 0.2396, 0.1587, 0.1242, 0.4367, 0.0775, 0.3703, 0.4913),
    "pattern-counting": (0.7010, 0.6701, 0.7216, 0.6804, 0.7938, 0.7423, 0.7010, 0.7835, 0.8041),
    "relation": (0.8050, 0.8300, 0.8500, 0.8300, 0.8600, 0.8700, 0.8100, 0.9400, 0.8900),
}  # fmt: skip
"""By our name of the type; depth and localization in space are not in it."""
RANGES = {
    "embodied-counting": 0.1905, "mirror-counting": 0.1500, "in-view": 0.4359,
    "classification": 0.6958, "localization": 0.4445, "pattern-counting": 0.1340,
    "relation": 0.1350,
}  # fmt: skip
"""The last column as printed."""
MEASURES = ("gain", "success", "steps", "neglect", "lack_of_3d_awareness")
TABLE_4: dict[str, tuple[float, ...]] = {
    "GPT-4o": (0.48, 0.62, 4.04, 0.08, 0.14),
    "o1": (0.12, 0.38, 9.80, 0.72, 0.00),
}


@dataclass(frozen=True, slots=True)
class ScoreCell:
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
class TakerEntry:
    """An answerer on the page."""

    place: int
    tag: str  # its letter
    taker: Contestant
    settings: Mapping[str, str]
    scored: tuple[Scored, ...]
    types: Mapping[str, ScoreCell]
    forms: Mapping[str, ScoreCell]  # by the whole name of the type
    every: ScoreCell | None  # over all tasks
    walks: Mapping[str, Measure]  # by `MEASURES`, and "steps_of_successes"

    @property
    def name(self) -> str:
        """The answerer's name."""
        return self.taker.name

    @property
    def role(self) -> Role:
        """The answerer's role."""
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
    """Difference of two answerers on the same tasks, in all and by type."""

    left: TakerEntry
    right: TakerEntry
    every: Paired
    adjusted: float | None  # p of all tasks, by Holm over the pairs
    types: Mapping[str, tuple[Paired, float | None]]  # p by Holm over the pair's types


def entries(contest: Contest) -> list[TakerEntry]:
    """Return the answerers with their scores: lower bounds, contestants, upper bounds."""
    ordered = [one for role in ORDER for one in contest.contestants if one.role is role]
    return [_entry(place, one, contest) for place, one in enumerate(ordered)]


def _entry(place: int, taker: Contestant, contest: Contest) -> TakerEntry:
    scored = taker.scored(contest.tasks)
    types, forms = by_type(scored, families=True), by_type(scored)
    return TakerEntry(
        place, labels.tag(place), taker, _settings(taker), scored,
        {name: cell(some) for name, some in types.items()},
        {name: cell(some) for name, some in forms.items()},
        cell(scored) if scored else None,
        walks(taker),
    )  # fmt: skip


def _settings(taker: Contestant) -> dict[str, str]:
    """Return an answerer's settings in the page's words."""
    told = labels.settings(taker.settings, _SAID)
    return {{"tasks": "tasks asked", "trips": "walks asked"}.get(name, name): value
            for name, value in told.items()}  # fmt: skip


def cell(scored: Sequence[Scored]) -> ScoreCell:
    """Return the mean of some answers. Raises `StatisticsError` for none."""
    told = [each.form for each in scored]
    return ScoreCell(
        fmean(each.score for each in scored), interval(scored), len(scored),
        told.count(Form.ILL_FORMED), told.count(Form.REPAIRED),
    )  # fmt: skip


def walks(taker: Contestant) -> dict[str, Measure]:
    """Return the measures of an answerer's walks, none where it did not walk."""
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


def pairs(shown: Sequence[TakerEntry]) -> list[Pair]:
    """Compare answerers two by two on shared tasks: no upper bounds, no two lower bounds."""
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
            found.append((left, right, whole, by_family(both)))
    adjusted = holm([whole.p for _, _, whole, _ in found])
    return [
        Pair(left, right, whole, p, types)
        for (left, right, whole, types), p in zip(found, adjusted, strict=True)
    ]


def by_family(
    both: Sequence[tuple[Scored, Scored]],
) -> dict[str, tuple[Paired, float | None]]:
    """Return how two answerers differ by type, with p after Holm's adjustment over the types."""
    groups: dict[str, list[tuple[Scored, Scored]]] = {}
    for one, two in both:
        groups.setdefault(family(one.type), []).append((one, two))
    found = {name: difference(some) for name, some in sorted(groups.items())}
    known = {name: each for name, each in found.items() if each}
    adjusted = holm([each.p for each in known.values()])
    return {name: (each, p) for (name, each), p in zip(known.items(), adjusted, strict=True)}


def spread(shown: Sequence[TakerEntry], type: str) -> float | None:
    """Return the greatest less the least mean of a type among contestants, None of one alone."""
    means = [
        one.types[type].mean for one in shown if one.role is Role.CONTESTANT and type in one.types
    ]
    return max(means) - min(means) if len(means) > 1 else None


def models(type: str) -> tuple[float, float] | None:
    """Return the least and the greatest of the models' scores in a type, None where none is."""
    row = TABLE_3.get(type)
    return (min(row[:HUMAN]), max(row[:HUMAN])) if row else None


def human(type: str) -> float | None:
    """Return the participants' score in a type."""
    row = TABLE_3.get(type)
    return row[HUMAN] if row else None
