"""A map drawn from moves that were read off a text, and the routes that a search finds in it.

MANGO calls drawing a map first and searching it "not promising" (arXiv 2403.19913, appendix C.4),
since models could not draw it. The search itself cannot fail: what it answers is right where the
map is. A direction leads back by its opposite, unless the map shows where that leads.
"""

from __future__ import annotations

import heapq
from collections.abc import Callable, Iterable, Sequence
from typing import NamedTuple

from worldquiz.mango.maze.walkthrough import BACK, plain

Doubt = tuple[int, int]
"""How little a move is trusted: moves between places that the text did not name for sure, or by an
action that moves nobody; and moves that the walk never took. Doubts add up along a route."""
NONE: Doubt = (0, 0)


class Leg(NamedTuple):
    """One move of a route."""

    source: str
    action: str
    target: str


class SearchedMap:
    """Moves that are drawn one by one, and the ways that they make."""

    def __init__(self, named: Callable[[str], str]) -> None:
        """Begin an empty map; places and actions are one if they are `named` alike."""
        self._named = named
        self._exits: dict[str, dict[str, tuple[Leg, Doubt]]] = {}

    def draw(self, leg: Leg, doubt: Doubt = NONE) -> None:
        """Draw a move, over any by that action from that place."""
        exits = self._exits.setdefault(self._named(leg.source), {})
        exits[self._named(leg.action)] = leg, doubt

    def drawn(self, source: str, action: str) -> tuple[Leg, Doubt] | None:
        """Return where an action leads from a place, and the doubt of it; None if unknown."""
        return self._exits.get(self._named(source), {}).get(self._named(action))

    def destination(self, source: str, actions: Sequence[str]) -> list[Leg]:
        """Return the legs of some moves, as far as the map knows them."""
        legs: list[Leg] = []
        here = source
        for action in actions:
            if (known := self.drawn(here, action)) is None:
                break
            legs.append(known[0])
            here = legs[-1].target
        return legs

    def route(self, source: str, target: str) -> list[Leg]:
        """Return the least doubtful route by the map, nothing if it has none.

        Of those equally doubtful it is one of the shortest; ties go by action.
        """
        came: dict[str, Leg | None] = {}
        queue: list[tuple[Doubt, int, list[str], str, Leg | None]]
        queue, end = [(NONE, 0, [], self._named(source), None)], self._named(target)
        while queue and end not in came:
            (unsure, imputed), length, actions, here, leg = heapq.heappop(queue)
            if here in came:
                continue
            came[here] = leg
            for action, (onward, more) in self._exits.get(here, {}).items():
                doubt = (unsure + more[0], imputed + more[1])
                there = self._named(onward.target)
                heapq.heappush(queue, (doubt, length + 1, [*actions, action], there, onward))
        legs: list[Leg] = []
        last = came.get(end)
        while last is not None:
            legs.append(last)
            last = came[self._named(last.source)]
        return legs[::-1]


class DrawnMap(SearchedMap):
    """A map of moves that somebody told; names are alike whatever their case and blanks."""

    def __init__(self, legs: Iterable[Leg]) -> None:
        """Draw moves in the order read: of two by one action from one place the later counts."""
        super().__init__(plain)
        moves = [leg for leg in legs if plain(leg.source) != plain(leg.target)]
        for leg in moves:
            self.draw(leg)
        for leg in moves:
            back = BACK.get(plain(leg.action))
            if back is not None and self.drawn(leg.target, back) is None:
                self.draw(Leg(leg.target, back, leg.source))


def trajectory(legs: Iterable[Leg]) -> list[dict[str, str]]:
    """Return legs in the form that MANGO's prompts ask for."""
    return [{"prev_node": leg.source, "node": leg.target, "action": leg.action} for leg in legs]
