"""Routes between pairs of places, without listing them: lengths and labels.

A route-finding question is easy from the step on at which some route is. The paper (section 2.2)
asks that of the shortest route, the released data of any simple path; both are offered by name.
*Any*: the best route's worst edge is a minimax path, and leaving out its circles makes no edge of
it worse, so a search by worst edge finds it. *Shortest*: the best among equally short routes, found
level by level.
"""

from __future__ import annotations

import heapq
from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

from worldquiz.mango.paths.path_tree import ABSENT, Net, check_size


class Route(StrEnum):
    """Routes between two places that count for a label."""

    ANY = "any"
    SHORTEST = "shortest"


@dataclass(frozen=True)
class Pairs:
    """Shortest lengths and labels of the routes between each pair of places, by their numbers."""

    shortest: tuple[tuple[int | None, ...], ...]  # [source][target]: edges; None: no route
    labels: tuple[tuple[tuple[int, ...], ...], ...]  # [label][source][target], ABSENT: never


def pairs(net: Net, route: Route) -> Pairs:
    """Return the lengths and the labels of all pairs. Raises `KnobError` for too many places."""
    check_size(net)
    leaving, target = net.leaving, net.target
    levels = [_levels(source, leaving, target) for source in range(len(net.places))]
    found = []
    for label in net.label:
        if route is Route.ANY:
            rows = [_minimax(source, leaving, target, label) for source in range(len(levels))]
        else:
            rows = [_best_shortest(level, leaving, target, label) for level in levels]
        found.append(tuple(rows))
    return Pairs(tuple(tuple(level) for level in levels), tuple(found))


def _levels(source: int, leaving: Sequence[range], target: Sequence[int]) -> list[int | None]:
    """Return how many edges away each place is."""
    level: list[int | None] = [None] * len(leaving)
    level[source], reached = 0, [source]
    for place in reached:  # it grows as it is walked
        for edge in leaving[place]:
            if level[target[edge]] is None:
                level[target[edge]] = (level[place] or 0) + 1
                reached.append(target[edge])
    return level


def _minimax(
    source: int, leaving: Sequence[range], target: Sequence[int], label: Sequence[int]
) -> tuple[int, ...]:
    """Return the smallest label from which on each place can be reached, over any route."""
    best = [ABSENT] * len(leaving)
    best[source] = 0
    queue = [(0, source)]
    while queue:
        high, place = heapq.heappop(queue)
        if high > best[place]:
            continue
        for edge in leaving[place]:
            step = max(high, label[edge])
            if step < best[target[edge]]:
                best[target[edge]] = step
                heapq.heappush(queue, (step, target[edge]))
    return tuple(best)


def _best_shortest(
    level: Sequence[int | None],
    leaving: Sequence[range],
    target: Sequence[int],
    label: Sequence[int],
) -> tuple[int, ...]:
    """Return the smallest label from which on some shortest route to each place is taken."""
    reached = sorted((away, place) for place, away in enumerate(level) if away is not None)
    best = [ABSENT] * len(leaving)
    best[reached[0][1]] = 0
    for away, place in reached:
        for edge in leaving[place]:
            if level[target[edge]] == away + 1:
                step = max(best[place], label[edge])
                best[target[edge]] = min(best[target[edge]], step)
    return tuple(best)
