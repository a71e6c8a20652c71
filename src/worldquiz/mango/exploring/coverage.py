"""How much of a game's map a trajectory showed.

    places   places come through / places of the map
    moves    moves shown, either way / moves of the map
    routes   pairs of places that shown moves join / pairs that the map joins

Routes are the most that a perfect answerer can know: MANGO's route-finding questions about the
whole map, of which those that the trajectory does not join cannot be answered by whoever saw only
that. Each share grows with every command that shows something, and never falls.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import NamedTuple

from worldquiz.mango.maze.maze import Maze


class Part(NamedTuple):
    """So many of so many."""

    shown: int
    of: int

    @property
    def share(self) -> float:
        """The share, 0..1; of nothing everything is shown."""
        return self.shown / self.of if self.of else 1.0


@dataclass(frozen=True, slots=True)
class Coverage:
    """How much of a map was shown."""

    places: Part
    moves: Part
    routes: Part


def coverage(own: Maze, whole: Maze, called: Mapping[str, str] | None = None) -> Coverage:
    """Return how much of a whole map a trajectory's own map shows.

    `called` tells how the whole map calls the own one's places, where the two differ; a place that
    it leaves out is none of the map.
    """
    names = {place: place for place in own.places} if called is None else called
    moves = {
        (names[edge.source], edge.action, names[edge.target])
        for edge in own.edges
        if edge.source in names and edge.target in names
    }
    every = {edge.key for edge in whole.edges}
    shown = moves & every
    return Coverage(
        Part(len(set(names.values()) & set(whole.places)), len(whole.places)),
        Part(len(shown), len(every)),
        Part(len(routes(shown)), len(routes(every))),
    )


def routes(moves: Iterable[tuple[str, str, str]]) -> set[tuple[str, str]]:
    """Return the pairs of different places that some moves join."""
    onward: dict[str, set[str]] = {}
    for source, _, target in moves:
        onward.setdefault(source, set()).add(target)
    found = set()
    for start in onward:
        reached, queue = {start}, [start]
        for place in queue:  # it grows as it is walked
            queue += sorted(onward.get(place, set()) - reached)
            reached |= onward.get(place, set())
        found |= {(start, end) for end in reached - {start}}
    return found
