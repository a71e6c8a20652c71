"""A map drawn from moves, whoever read them off a text, and the ways that a search finds in it.

MANGO calls drawing a map first and searching it "not promising" (arXiv 2403.19913, appendix C.4),
since models could not draw it. The search itself cannot fail: what it answers is right where the
map is. A direction leads back by its opposite, unless the map shows where that leads.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from worldquiz.mango.maze.walkthrough import COMPASS

_PAIRS = (*COMPASS, ("in", "out"), ("enter", "exit"), ("inside", "outside"))
BACK = {one: other for pair in _PAIRS for one, other in (pair, pair[::-1])}
"""Actions that lead back, by the action that leads there."""


class Leg(NamedTuple):
    """One move of a route."""

    source: str
    action: str
    target: str


class DrawnMap:
    """A map to be searched; names are alike whatever their case and blanks."""

    def __init__(self, legs: Iterable[Leg]) -> None:
        """Draw moves in the order read: of two by one action from one place the later counts."""
        self._exits: dict[str, dict[str, Leg]] = {}
        moves = [leg for leg in legs if _plain(leg.source) != _plain(leg.target)]
        for leg in moves:
            self._exits.setdefault(_plain(leg.source), {})[_plain(leg.action)] = leg
        for leg in moves:
            if back := BACK.get(_plain(leg.action)):
                exits = self._exits.setdefault(_plain(leg.target), {})
                exits.setdefault(back, Leg(leg.target, back, leg.source))

    def destination(self, source: str, actions: Sequence[str]) -> list[Leg]:
        """Return the legs of some moves, as far as the map knows them."""
        legs: list[Leg] = []
        here = _plain(source)
        for action in actions:
            exits = self._exits.get(here, {})
            if _plain(action) not in exits:
                break
            legs.append(exits[_plain(action)])
            here = _plain(legs[-1].target)
        return legs

    def route(self, source: str, target: str) -> list[Leg]:
        """Return a shortest route by the map, nothing if it has none. Ties go by action."""
        start, end = _plain(source), _plain(target)
        came: dict[str, Leg | None] = {start: None}
        queue = deque([start])
        while queue and end not in came:
            for _, leg in sorted(self._exits.get(queue.popleft(), {}).items()):
                there = _plain(leg.target)
                if there not in came:
                    came[there] = leg
                    queue.append(there)
        legs: list[Leg] = []
        last = came.get(end)
        while last is not None:
            legs.append(last)
            last = came[_plain(last.source)]
        return legs[::-1]


def trajectory(legs: Iterable[Leg]) -> list[dict[str, str]]:
    """Return legs in the form that MANGO's prompts ask for."""
    return [{"prev_node": leg.source, "node": leg.target, "action": leg.action} for leg in legs]


def _plain(text: str) -> str:
    return " ".join(text.casefold().split())
