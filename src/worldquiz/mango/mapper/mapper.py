"""A reader of walkthroughs without a model: it draws the map from the text, then searches it.

MANGO calls this road "not promising" (arXiv 2403.19913, section 3.2 and appendix C.4), having had
models draw the map. Here rules draw it: what a text says of places, where the walk can have been,
and that a direction leads back by its opposite unless the walkthrough shows where that leads. It
knows what a model is told: the walkthrough, and the names of the places and of the actions.
"""

from __future__ import annotations

import heapq
from collections.abc import Iterable, Sequence

from worldquiz.mango.mapper.drawnmap import BACK, Leg, trajectory
from worldquiz.mango.mapper.mapper_names import Names
from worldquiz.mango.mapper.mapper_walk import Move, Trust, walked
from worldquiz.mango.maze.walkthrough import WalkStep

__all__ = ["Leg", "Mapper", "trajectory"]

Allowed = frozenset[str] | None
Doubt = tuple[int, int]
"""How little a move is trusted: moves between places that the text did not name for sure, or by an
action that moves nobody; and moves that the walk never took. Doubts add up along a route."""
NONE: Doubt = (0, 0)


class Mapper:
    """A map drawn from a walkthrough; `exits` is what it holds."""

    def __init__(
        self,
        walkthrough: Iterable[WalkStep],
        places: Iterable[str],
        actions: Iterable[str] | None = None,
    ) -> None:
        """Read a walkthrough whose places, and the actions that move somebody, have these names.

        Without `actions` any action may be a move.
        """
        names = Names(places)
        allowed = None if actions is None else frozenset(actions)
        self.exits: dict[str, dict[str, str]] = {place: {} for place in names.places}
        self._doubts: dict[tuple[str, str], Doubt] = {}
        moves = walked(walkthrough, names, allowed)
        self._take(moves, Trust.SURE, allowed)
        self._take(moves, Trust.SHARED, allowed)
        self._impute(moves, Trust.SURE, allowed)
        self._take(moves, Trust.GUESS, allowed)
        self._impute(moves, Trust.SHARED, allowed)
        self._impute(moves, Trust.GUESS, allowed)

    def destination(self, source: str, actions: Sequence[str]) -> list[Leg]:
        """Return the legs of some moves, as far as the map knows them."""
        legs: list[Leg] = []
        here = source
        for action in actions:
            there = self.exits.get(here, {}).get(action)
            if there is None:
                break
            legs.append(Leg(here, action, there))
            here = there
        return legs

    def route(self, source: str, target: str) -> list[Leg]:
        """Return the least doubtful route by the map, nothing if it has none.

        Of those equally doubtful it is one of the shortest; ties go by name.
        """
        came: dict[str, Leg | None] = {}
        start: tuple[Doubt, int, list[str], str, Leg | None] = (NONE, 0, [], source, None)
        queue = [start]
        while queue and target not in came:
            (unsure, imputed), length, actions, here, leg = heapq.heappop(queue)
            if here in came:
                continue
            came[here] = leg
            for action, there in self.exits.get(here, {}).items():
                more = self._doubts[here, action]
                doubt = (unsure + more[0], imputed + more[1])
                way = (doubt, length + 1, [*actions, action], there, Leg(here, action, there))
                heapq.heappush(queue, way)
        return _back(came, target)

    def imputed(self, source: str, action: str) -> bool:
        """Tell whether the map has a move only as the opposite of one that was taken."""
        return self._doubts.get((source, action), NONE)[1] > 0

    def _take(self, moves: Iterable[Move], trust: Trust, allowed: Allowed) -> None:
        """Draw moves that were taken, the later ones over the earlier, but not over better ones."""
        known = set(self._doubts)
        for leg, how in moves:
            if how is trust and (leg.source, leg.action) not in known:
                odd = allowed is not None and leg.action not in allowed
                self._draw(leg, (int(odd or trust is not Trust.SURE), 0))

    def _impute(self, moves: Iterable[Move], trust: Trust, allowed: Allowed) -> None:
        """Draw what leads back, unless the map shows where that leads."""
        for leg, how in moves:
            back = BACK.get(leg.action)
            if how is not trust or back is None or (allowed is not None and back not in allowed):
                continue
            if (leg.target, back) not in self._doubts:
                unsure, _ = self._doubts[leg.source, leg.action]
                self._draw(Leg(leg.target, back, leg.source), (unsure, 1))

    def _draw(self, leg: Leg, doubt: Doubt) -> None:
        self.exits[leg.source][leg.action] = leg.target
        self._doubts[leg.source, leg.action] = doubt


def _back(came: dict[str, Leg | None], target: str) -> list[Leg]:
    """Return the route that a search has found, from its start."""
    legs: list[Leg] = []
    leg = came.get(target)
    while leg is not None:
        legs.append(leg)
        leg = came[leg.source]
    return legs[::-1]
