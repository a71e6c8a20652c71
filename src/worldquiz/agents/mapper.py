"""A reader of walkthroughs without a model: it draws the map from the text, then searches it.

MANGO calls this road "not promising" (arXiv 2403.19913, section 3.2 and appendix C.4), having had
models draw the map. Here three rules draw it. A line of an observation that is the name of a place
says where one is; an action after which one is elsewhere is a move; and a direction leads back by
its opposite, unless the walkthrough shows where that leads. It knows what a model is told: the
walkthrough, the names of the places and of the actions.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from worldquiz.model.maze import COMPASS, WalkStep

_PAIRS = (*COMPASS, ("in", "out"), ("enter", "exit"), ("inside", "outside"))
_BACK = {one: other for pair in _PAIRS for one, other in (pair, pair[::-1])}


class Leg(NamedTuple):
    """One move of a route."""

    source: str
    action: str
    target: str


class Mapper:
    """A map drawn from a walkthrough; `exits` is what it holds."""

    def __init__(self, walkthrough: Iterable[WalkStep], places: Iterable[str]) -> None:
        """Read a walkthrough whose places have these names."""
        self._names = _named(places)
        self.exits: dict[str, dict[str, str]] = {place: {} for place in self._names.values()}
        moves = list(self._moves(walkthrough))
        for leg in moves:
            self.exits[leg.source][leg.action] = leg.target
        for leg in moves:
            if back := _BACK.get(leg.action):
                self.exits[leg.target].setdefault(back, leg.source)

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
        """Return a shortest route by the map, nothing if it has none. Ties go by name."""
        came: dict[str, Leg | None] = {source: None}
        queue = deque([source])
        while queue and target not in came:
            here = queue.popleft()
            for action, there in sorted(self.exits.get(here, {}).items()):
                if there not in came:
                    came[there] = Leg(here, action, there)
                    queue.append(there)
        legs: list[Leg] = []
        leg = came.get(target)
        while leg is not None:
            legs.append(leg)
            leg = came[leg.source]
        return legs[::-1]

    def place_of(self, observation: str) -> str | None:
        """Return the place that an observation names in a line of its own, the last one if many."""
        found = [self._names.get(_plain(line)) for line in observation.splitlines()]
        return next((place for place in reversed(found) if place), None)

    def _moves(self, walkthrough: Iterable[WalkStep]) -> Iterable[Leg]:
        here: str | None = None
        for step in walkthrough:
            there = self.place_of(step.observation)
            if there is None:
                continue
            if here is not None and there != here:
                yield Leg(here, step.action, there)
            here = there


def trajectory(legs: Iterable[Leg]) -> list[dict[str, str]]:
    """Return legs in the form that MANGO's prompts ask for."""
    return [{"prev_node": leg.source, "node": leg.target, "action": leg.action} for leg in legs]


def _named(places: Iterable[str]) -> dict[str, str]:
    """Return places by what a line may call them: without their mark, where only one is so called.

    MANGO marks places that share a name: ``hall (3rd floor)``.
    """
    every = list(places)
    bare = [_plain(place.partition("(")[0]) for place in every]
    short = {name: place for name, place in zip(bare, every, strict=True) if bare.count(name) == 1}
    return short | {_plain(place): place for place in every}


def _plain(text: str) -> str:
    return " ".join(text.casefold().strip(" .:!-<>").split())
