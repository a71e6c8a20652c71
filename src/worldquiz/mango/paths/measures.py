"""How long a maze's routes are, and how much of them nobody took: over all of its simple paths.

A move that what was read of a walkthrough does not take is *imputed*; a path with one is hard. The
paper asks what makes a maze difficult (arXiv 2403.19913, section 3.3), among other things by the
mean length of easy and of hard paths and the mean number of imputed moves on hard ones. All three
follow from one count of the paths by those two numbers, which writes none of them down.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from worldquiz.errors import KnobError
from worldquiz.mango.paths.path_tree import MOST, Label, Net
from worldquiz.mango.paths.search import Array, burden, compiled


@dataclass(frozen=True)
class Burden:
    """A maze's simple paths, counted by imputed moves and by length."""

    counts: Array  # [imputed moves, length in moves]

    @property
    def easy(self) -> int:
        """How many paths were taken move by move."""
        return int(self.counts[0].sum())

    @property
    def hard(self) -> int:
        """How many have an imputed move."""
        return int(self.counts[1:].sum())

    @property
    def mean_easy(self) -> float | None:
        """Mean length of the easy ones; None where there are none."""
        return _mean(self.counts[0].tolist())

    @property
    def mean_hard(self) -> float | None:
        """Mean length of the hard ones; None where there are none."""
        return _mean(self.counts[1:].sum(axis=0).tolist())

    @property
    def mean_imputed(self) -> float | None:
        """Mean number of imputed moves on the hard ones; None where there are none."""
        return _mean([0, *self.counts[1:].sum(axis=1).tolist()])


def burdens(net: Net, *, limit: int, by: Label = Label.TOLD_FORWARD, most: int = MOST) -> Burden:
    """Count the simple paths of a maze whose moves count as taken up to a step.

    Raises `KnobError` where there are more than `most`.
    """
    import numpy

    size, left = len(net.places), most
    counts = numpy.zeros((size + 1, size + 1), "int64")
    search, room = compiled(burden), net.room()
    for source in range(size):
        found = search(source, net.first, net.target, net.label[by], limit, left, counts, *room)
        if found < 0:
            raise KnobError(
                f"maze {net.name!r} has more than {most:,} simple paths: take fewer steps of its "
                "walkthrough"
            )
        left -= found
    return Burden(counts)


def on_shortest(
    net: Net, *, limit: int, by: Label = Label.TOLD_FORWARD
) -> tuple[tuple[tuple[int, int] | None, ...], ...]:
    """Return, for each pair of places, the length of a shortest route and its imputed moves.

    Of equally short routes the one with fewest imputed moves counts. None where there is none.
    """
    late = (net.label[by] > limit).tolist()
    target, first = net.target.tolist(), net.first.tolist()
    leaving = [range(first[place], first[place + 1]) for place in range(len(net.places))]
    return tuple(_from(source, leaving, target, late) for source in range(len(net.places)))


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


def _from(
    source: int, leaving: Sequence[range], target: Sequence[int], late: Sequence[bool]
) -> tuple[tuple[int, int] | None, ...]:
    """Search level by level, keeping for each place of a level the fewest imputed moves."""
    best: list[tuple[int, int] | None] = [None] * len(leaving)
    best[source] = (0, 0)
    level, away = {source: 0}, 0
    while level:
        away += 1
        beyond: dict[int, int] = {}
        for place, load in level.items():
            for edge in leaving[place]:
                end = target[edge]
                if best[end] is None:
                    more = load + late[edge]
                    beyond[end] = min(more, beyond.get(end, more))
        for place, load in beyond.items():
            best[place] = (away, load)
        level = beyond
    return tuple(best)


def _mean(counts: Sequence[int]) -> float | None:
    """Return the mean of 0, 1, 2, ... that came so often; None where none came."""
    total = sum(counts)
    return sum(value * count for value, count in enumerate(counts)) / total if total else None
