"""Which questions the text itself settles, so that whoever reads it right must answer right.

A line that is the name of exactly one place (or what stands before its mark in brackets) *tells*
where one is. It holds until another line does; a line that names several places leaves it open, and
so does a step that may have moved somebody but is answered by no such line. So a walkthrough
*claims* moves: from a place that was told, by this action, to that place, or to one of several. A
direction claims its opposite too, weaker than a move that was taken. Claims are read off the text
alone. An edge of the maze is *readable* if the claims about its place and action are that one edge.
A question is unambiguous if its edges are readable and no false claim lies where a reader of the
same text would come across it.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

Maze = Any
"""Anything with ``places``, ``actions``, ``edges`` and a ``walkthrough``, as mazes have them."""
_PAIRS = (
    ("north", "south"), ("east", "west"), ("northeast", "southwest"), ("northwest", "southeast"),
    ("up", "down"), ("in", "out"), ("enter", "exit"), ("inside", "outside"),
)  # fmt: skip
BACK = {one: other for pair in _PAIRS for one, other in (pair, pair[::-1])}
Claims = Mapping[tuple[str, str], frozenset[str]]
"""Where the text says that an action leads from a place."""


@dataclass(frozen=True)
class TextClaims:
    """What a walkthrough's text claims of a maze."""

    maze: Maze
    taken: Claims
    imputed: Claims  # by an opposite; where nothing was taken

    def readable(self, edge: Any) -> bool:
        """Tell whether the text claims an edge, and nothing else by its action from its place.

        Nor does the maze have another such edge.
        """
        key = (edge.source, edge.action)
        claimed = self.taken.get(key) or self.imputed.get(key)
        return claimed == frozenset((edge.target,)) == self._leads[key]

    def path(self, edges: Iterable[Any]) -> bool:
        """Tell whether a destination-finding question is unambiguous."""
        return all(map(self.readable, edges))

    def pair(self, source: str, target: str) -> bool:
        """Tell whether a route-finding question is unambiguous.

        Some route is claimed, and all that is claimed of the places that can be reached from its
        start is true: first by moves that were taken; if they don't suffice, by the imputed too.
        """
        for claims in (self.taken, {**self.imputed, **self.taken}):
            reached = _reached(claims, source)
            if target in reached:
                return self._true(claims, reached)
        return False

    def _true(self, claims: Claims, reached: frozenset[str]) -> bool:
        return all(
            len(targets) == 1 and targets <= self._leads.get(key, frozenset())
            for key, targets in claims.items()
            if key[0] in reached
        )

    @cached_property
    def _leads(self) -> Claims:
        """Where the maze's moves lead."""
        found: dict[tuple[str, str], set[str]] = defaultdict(set)
        for edge in self.maze.edges:
            found[edge.source, edge.action].add(edge.target)
        return _frozen(found)


def told(maze: Maze) -> TextClaims:
    """Return what a maze's walkthrough claims of its places."""
    taken: dict[tuple[str, str], set[str]] = defaultdict(set)
    imputed: dict[tuple[str, str], set[str]] = defaultdict(set)
    called = _called(maze.places)
    for source, action, targets in _moves(maze, called):
        taken[source, action] |= targets
        if (back := BACK.get(action)) and len(targets) == 1:
            imputed[next(iter(targets)), back].add(source)
    weaker = {key: targets for key, targets in imputed.items() if key not in taken}
    return TextClaims(maze, _frozen(taken), _frozen(weaker))


def _moves(
    maze: Maze, called: Mapping[str, frozenset[str]]
) -> Iterable[tuple[str, str, frozenset[str]]]:
    """Yield the moves that a text claims, from a place that it names for certain, and to where."""
    here: frozenset[str] = frozenset()
    movers = {*maze.actions, *BACK}
    for step in maze.walkthrough:
        lines = _lines(step, called)
        if not lines:
            here = frozenset() if step.action in movers else here
            continue
        there = lines[-1]
        if len(here) == 1 and here != there:
            yield next(iter(here)), step.action, there
        here = there


def heading(line: str) -> str:
    """Return a line as names are compared: without case, runs of blanks and marks around it."""
    return " ".join(line.strip(" .:!-<>()[]*").casefold().split())


def _lines(step: Any, called: Mapping[str, frozenset[str]]) -> list[frozenset[str]]:
    """Return what places the lines of an observation name, those that name any."""
    names = map(heading, step.observation.splitlines())
    return [called[name] for name in names if name in called]


def _called(places: Iterable[str]) -> dict[str, frozenset[str]]:
    """Return the places that a line may name, by the line."""
    found: dict[str, set[str]] = defaultdict(set)
    for place in places:
        for name in (place, place.partition("(")[0]):
            found[heading(name)].add(place)
    found.pop("", None)
    return {name: frozenset(some) for name, some in found.items()}


def _reached(claims: Claims, source: str) -> frozenset[str]:
    ways: dict[str, set[str]] = defaultdict(set)
    for (place, _), targets in claims.items():
        ways[place] |= targets
    found, fresh = {source}, [source]
    while fresh:
        beyond = ways[fresh.pop()] - found
        found |= beyond
        fresh += beyond
    return frozenset(found)


def _frozen(claims: Mapping[tuple[str, str], set[str]]) -> Claims:
    return {key: frozenset(targets) for key, targets in claims.items()}
