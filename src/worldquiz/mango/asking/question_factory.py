"""Questions with their labels, made of a maze's paths and pairs.

Whoever asks a question and whoever scores its answer make it here, so both give it the same id and
the same labels. A path's labels are those of its own moves. Which routes there are between two
places, and which of them are shortest, depends on what was read: a route-finding question belongs
to the maze as so many steps show it, as in the paper's Tables 5 and 6.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from worldquiz.mango.maze.maze import Edge, Maze
from worldquiz.mango.paths.official import pair_id, path_id
from worldquiz.mango.paths.pairs import Pairs, Route, pairs
from worldquiz.mango.paths.path_tree import ABSENT, Label, Net
from worldquiz.mango.scoring.grade import Question, Task


def destination(game: str, path: Sequence[Edge]) -> Question:
    """Return the destination-finding question of a path."""
    return Question(
        game, path_id(path), Task.DF, path[0].source,
        tuple(edge.action for edge in path), path[-1].target, len(path),
        _latest([edge.told.forward for edge in path]),
        _latest([edge.told.first for edge in path]),
    )  # fmt: skip


class Routes:
    """The route-finding questions of a maze as so many steps show it."""

    def __init__(self, maze: Maze, steps: int, easy: Route) -> None:
        """Find all routes. A question is easy by one choice of them, and answerable by any."""
        self._net = Net.of(maze.prefix(steps))
        self._any = pairs(self._net, Route.ANY)
        self._easy = self._any if easy is Route.ANY else pairs(self._net, easy)

    def __iter__(self) -> Iterator[Question]:
        """Yield the question of every pair with a route, by the names of its places."""
        for source in self._net.places:
            for target in self._net.places:
                if question := self.question(source, target):
                    yield question

    def question(self, source: str, target: str) -> Question | None:
        """Return the question of two different places, None where no route is shown."""
        number = self._net.number
        if source not in number or target not in number:
            return None
        pair = number[source], number[target]
        if not self._any.shortest[pair[0]][pair[1]]:
            return None
        return route(self._net.name, self._net, pair, easy=self._easy, every=self._any)


def route(game: str, net: Net, pair: tuple[int, int], *, easy: Pairs, every: Pairs) -> Question:
    """Return the route-finding question of a pair of places, by their numbers.

    It is easy by one choice of routes, and answerable by any.
    """
    source, target = (net.places[number] for number in pair)
    return Question(
        game, pair_id(source, target), Task.RF, source, (), target,
        every.shortest[pair[0]][pair[1]],
        _label(easy, Label.TOLD_FORWARD, pair),
        _label(every, Label.TOLD_FIRST, pair),
    )  # fmt: skip


def _latest(steps: Sequence[int | None]) -> int | None:
    """Return when all of some steps have come, None if one never does."""
    known = [step for step in steps if step is not None]
    return max(known) if len(known) == len(steps) else None


def _label(found: Pairs, label: Label, pair: tuple[int, int]) -> int | None:
    step = found.labels[label][pair[0]][pair[1]]
    return None if step == ABSENT else step
