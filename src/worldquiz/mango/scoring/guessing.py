"""Guessing rates of MANGO's questions for an answerer that has no map.

The rate of a question is the highest accuracy of three guessers. They know more than the question
tells, so that nobody who knows less is ahead of them:

* one who walks at random from the source, along moves that the maze shows, for as many moves as
  the question has (DF) or the shortest route has (RF);
* for a destination, one who names the place where most paths of so many moves end;
* for a route, one who repeats one move, the best for routes of this length in this maze.

A destination is right if its name is (`grade.Grade.success` of 1): most wrong places resemble the
right one a little, which is why any fixed place has a success of a third or more.
"""

from __future__ import annotations

from collections import Counter
from functools import cache, cached_property
from typing import TYPE_CHECKING, Any

from worldquiz.errors import KnobError
from worldquiz.extras import later
from worldquiz.mango.maze.maze import Maze
from worldquiz.mango.paths.pairs import Pairs, Route, pairs
from worldquiz.mango.paths.path_tree import Net, count
from worldquiz.mango.scoring.grade import Question, Task

if TYPE_CHECKING:
    import numpy as np
else:
    np = later("numpy", extra="mango")

MOST_PATHS = 20_000_000
"""Paths of a maze that are counted; with more, a place counts as often as moves lead to it."""


class Guessing:
    """The guessing rates of the questions about a maze, as some steps show it."""

    def __init__(self, maze: Maze, steps: int) -> None:
        self._net = Net.of(maze.prefix(steps))
        self._leads: dict[tuple[str, str], set[str]] = {}
        for edge in maze.edges:  # the whole maze, in which told moves are carried out
            self._leads.setdefault((edge.source, edge.action), set()).add(edge.target)
        self.walked = cache(self._walked)
        self.repeated = cache(self._repeated)

    def rate(self, question: Question) -> float:
        """Return how often a question is guessed, 0..1; 0 where its places are not shown."""
        number = self._net.number
        if question.source not in number or question.target not in number:
            return 0.0
        length = len(question.actions) or question.shortest or 0
        walked = self.walked(length)[number[question.source], number[question.target]]
        known = self.repeated(length) if question.task is Task.RF else self._commonest(length)
        return float(max(walked, known))

    @cached_property
    def _step(self) -> Any:
        """Chance of each random move, [from, to]; a move to several places leads to all of them."""
        number, size = self._net.number, len(self._net.places)
        found = np.zeros((size, size))
        moves = {(edge.source, edge.action) for edge in self._net.edges}
        of_place = Counter(source for source, _ in moves)
        for source, action in moves:
            for end in self._leads[source, action] & number.keys():
                found[number[source], number[end]] += 1 / of_place[source]
        return found

    def _walked(self, length: int) -> Any:
        """Return how likely so many random moves lead, [from, to]; at most 1."""
        return np.minimum(np.linalg.matrix_power(self._step, length), 1)

    def end(self, length: int) -> str:
        """Return the place where most paths of a length end, the first in the alphabet of several.

        With more paths than are counted, where most moves lead.
        """
        number: int = self._ends(length).argmax()
        return self._net.places[number]

    def move(self, length: int) -> str:
        """Return the move that finds most routes of a length if it is repeated."""
        asked = self._asked(length)
        actions = sorted({edge.action for edge in self._net.edges})
        found = {action: len(asked & self._led(action, length)) for action in actions}
        return max(found, key=found.__getitem__, default="")

    def _commonest(self, length: int) -> float:
        """Return the share of paths of a length that end at the place where most do."""
        ends = self._ends(length)
        return float(ends.max() / ends.sum()) if ends.sum() else 0.0

    def _ends(self, length: int) -> Any:
        """Return how many paths of a length end at each place."""
        if self._ends_of_paths is not None:
            return self._ends_of_paths[length]
        return np.bincount(self._net.target, minlength=len(self._net.places))

    @cached_property
    def _ends_of_paths(self) -> Any:
        """Number of paths of each length that end at each place; None where there are too many."""
        try:
            return np.array(count(self._net, most=MOST_PATHS).ends)
        except KnobError:
            return None

    @cached_property
    def _pairs(self) -> Pairs:
        return pairs(self._net, Route.ANY)

    def _repeated(self, length: int) -> float:
        """Return the share of routes of a length that the best repeated move finds."""
        asked = self._asked(length)
        return len(asked & self._led(self.move(length), length)) / len(asked) if asked else 0.0

    def _asked(self, length: int) -> set[tuple[str, str]]:
        """Return the pairs of places that a shortest route of a length joins."""
        number = self._net.number
        return {
            (one, other)
            for one in number
            for other in number
            if self._pairs.shortest[number[one]][number[other]] == length
        }

    def _led(self, action: str, length: int) -> set[tuple[str, str]]:
        """Return from where to where an action leads that is taken so many times."""
        reached = {place: {place} for place in self._net.places}
        for _ in range(length):
            reached = {
                start: {end for here in ends for end in self._leads.get((here, action), ())}
                for start, ends in reached.items()
            }
        return {(start, end) for start, ends in reached.items() for end in ends}
