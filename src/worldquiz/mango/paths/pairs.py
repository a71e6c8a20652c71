"""Routes between pairs of places, without listing them: lengths, labels, imputed moves.

A route-finding question is easy from the step on at which some route is. The paper (section 2.2)
asks that of the shortest route, the released data of any simple path; both are offered by name.
*Any*: the best route's worst edge is a minimax path, and leaving out its circles makes no edge of
it worse, so a search by worst edge finds it. *Shortest*: the best among equally short routes, found
level by level. How many moves of a shortest route are *imputed* (no walkthrough took them) is found
likewise.
"""

from __future__ import annotations

import heapq
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from enum import StrEnum
from operator import add

from worldquiz.mango.paths.path_tree import ABSENT, Label, Net, check_size


class Route(StrEnum):
    """Which routes between two places count for a label."""

    ANY = "any"
    SHORTEST = "shortest"


@dataclass(frozen=True)
class Pairs:
    """What routes a maze has between each pair of places, by their numbers."""

    shortest: tuple[tuple[int | None, ...], ...]  # [source][target]: edges; None: no route
    labels: tuple[tuple[tuple[int, ...], ...], ...]  # [label][source][target], ABSENT: never


def pairs(net: Net, route: Route) -> Pairs:
    """Return the lengths and the labels of all pairs. Raises `KnobError` for too many places."""
    check_size(net)
    leaving, target, levels = _searched(net)
    found = []
    for kind in Label:
        label: list[int] = net.label[kind].tolist()
        if route is Route.ANY:
            rows = [_minimax(source, leaving, target, label) for source in range(len(levels))]
        else:
            rows = [_best_shortest(level, leaving, target, label, max) for level in levels]
        found.append(tuple(rows))
    return Pairs(tuple(tuple(level) for level in levels), tuple(found))


def on_shortest(
    net: Net, *, limit: int, by: Label = Label.TOLD_FORWARD
) -> tuple[tuple[tuple[int, int] | None, ...], ...]:
    """Return, for each pair of places, the length of a shortest route and its imputed moves.

    Of equally short routes the one with fewest imputed moves counts. None where there is none.
    """
    leaving, target, levels = _searched(net)
    late: list[int] = (net.label[by] > limit).astype(int).tolist()
    rows = ((level, _best_shortest(level, leaving, target, late, add)) for level in levels)
    return tuple(
        tuple(
            None if away is None else (away, load) for away, load in zip(level, loads, strict=True)
        )
        for level, loads in rows
    )


def along(
    net: Net, source: str, actions: Sequence[str], target: str, *, limit: int,
    by: Label = Label.TOLD_FORWARD,
) -> int | None:  # fmt: skip
    """Return how many imputed moves some actions take from a place to another.

    The fewest where an action leads to several places; None where the actions do not lead there.
    """
    late = net.label[by] > limit
    ahead = {source: 0}
    for action in actions:
        beyond: dict[str, int] = {}
        for place, load in ahead.items():
            start = net.number[place]
            for number in range(net.first[start], net.first[start + 1]):
                edge = net.edges[number]
                if edge.action == action:
                    more = load + int(late[number])
                    beyond[edge.target] = min(more, beyond.get(edge.target, more))
        ahead = beyond
    return ahead.get(target)


def _searched(net: Net) -> tuple[list[range], list[int], list[list[int | None]]]:
    """Return the edges that leave each place, where edges lead, and how far places are apart."""
    places = range(len(net.places))
    leaving = [range(net.first[place], net.first[place + 1]) for place in places]
    target: list[int] = net.target.tolist()
    return leaving, target, [_levels(source, leaving, target) for source in places]


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
    value: Sequence[int],
    joined: Callable[[int, int], int],
) -> tuple[int, ...]:
    """Return the smallest value of a shortest route to each place, its edges' values joined."""
    reached = sorted((away, place) for place, away in enumerate(level) if away is not None)
    best = [ABSENT] * len(leaving)
    best[reached[0][1]] = 0
    for away, place in reached:
        for edge in leaving[place]:
            if level[target[edge]] == away + 1:
                step = joined(best[place], value[edge])
                best[target[edge]] = min(best[target[edge]], step)
    return tuple(best)
