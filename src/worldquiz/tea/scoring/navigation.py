"""Measures of walks to a goal (arXiv 2602.05249, Table 4). The paper gives words, no formulas.

A trip lists the agent's stands before and after each of its moves. `away` is d: how far it would
have to walk to be within the goal's distance; 0 there, where the trip ends. With T moves and a
limit of 10:

    gain     (d_0 - d_T) / max(d_0, d_T), in -1..1
    success  d_T = 0 with T <= 10
    steps    T; of successful trips apart
    neglect  of the trips on which the target was in view before some move: the share with a move
             from there that led away from it, d_(t+1) > d_t + 0.1 m
    lack of 3D awareness
             of the trips on which the target was not in view at first, or was in view in mirrors
             only before some move: the share that ended by themselves before the target was ever
             in view, or that had a move from there which led towards the mirror and not towards
             the target: m_(t+1) < m_t - 0.1 m, d_(t+1) >= d_t, m being the distance to it

In view means that the agent's own camera shows the target directly.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from statistics import fmean
from typing import Any

LIMIT = 10
"""Moves of a trip."""
SLACK = 0.1
"""Metres that a move must lead away, or towards a mirror, to count."""


@dataclass(frozen=True, slots=True)
class Stand:
    """One position of an agent, and its view of the target there."""

    away: float  # metres to be walked until the goal is near enough
    seen: bool  # whether its camera shows the target directly
    mirrors: Mapping[str, float] = field(default_factory=dict)  # metres to each mirror
    shown: tuple[str, ...] = ()  # the mirrors in which its camera shows the target
    at: tuple[float, float, float] | None = None  # x, y, heading; no measure needs them


@dataclass(frozen=True, slots=True)
class Trip:
    """A walk to a goal: the start, then where each move led."""

    id: str
    stands: tuple[Stand, ...]
    gave_up: bool = False  # whether it ended by itself, short of the goal and the limit

    def __post_init__(self) -> None:
        if not self.stands or min(stand.away for stand in self.stands) < 0:
            raise ValueError(f"trip {self.id!r} has no start, or less than no way left")
        for one, two in pairwise(self.stands):
            if not set(one.shown) <= one.mirrors.keys() & two.mirrors.keys():
                raise ValueError(f"trip {self.id!r} lacks how far a mirror is that showed the goal")

    @property
    def steps(self) -> int:
        """Number of moves."""
        return len(self.stands) - 1


def gain(trip: Trip) -> float:
    """Return how much nearer a trip came, -1..1; 0 for one that began at its goal and stayed."""
    first, last = trip.stands[0].away, trip.stands[-1].away
    farther = max(first, last)
    return (first - last) / farther if farther else 0.0


def success(trip: Trip) -> bool:
    """Tell whether a trip ended at its goal within the limit."""
    return trip.stands[-1].away == 0 and trip.steps <= LIMIT


def neglect(trip: Trip) -> bool | None:
    """Tell whether a move led away from a target in view; None if it was not before any move."""
    spotted = [(one, two) for one, two in pairwise(trip.stands) if one.seen]
    if not spotted:
        return None
    return any(two.away > one.away + SLACK for one, two in spotted)


def unaware(trip: Trip) -> bool | None:
    """Tell whether a trip shows a lack of 3D awareness; None where it could not."""
    mirrored = [(one, two) for one, two in pairwise(trip.stands) if one.shown and not one.seen]
    if trip.stands[0].seen and not mirrored:
        return None
    ended = trip.gave_up and not any(stand.seen for stand in trip.stands)
    return ended or any(_to_mirror(one, two) for one, two in mirrored)


def _to_mirror(one: Stand, two: Stand) -> bool:
    """Tell whether a move led towards a mirror that showed the target, and not towards that."""
    nearer = any(two.mirrors[name] < one.mirrors[name] - SLACK for name in one.shown)
    return nearer and two.away >= one.away


def table(trips: Iterable[Trip]) -> dict[str, Any]:
    """Return the measures of some trips; rates are told with their counts."""
    every = sorted(trips, key=lambda trip: trip.id)
    done = [trip for trip in every if success(trip)]
    return {
        "trips": len(every),
        "gain": fmean(map(gain, every)) if every else None,
        "success": _rate(every, success),
        "steps": fmean(trip.steps for trip in every) if every else None,
        "steps_of_successes": fmean(trip.steps for trip in done) if done else None,
        "neglect": _rate(every, neglect),
        "lack_of_3d_awareness": _rate(every, unaware),
    }


def _rate(trips: Sequence[Trip], tell: Callable[[Trip], bool | None]) -> dict[str, Any]:
    told = [each for each in map(tell, trips) if each is not None]
    return {"rate": fmean(told) if told else None, "of": len(told), "count": sum(told)}
