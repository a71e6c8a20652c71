"""Moves in a drawing: the two places that each joins, its direction, and its floor.

North is up. A compass move points one way; up and down lead to another floor; any other move ("in",
"pray") only joins. Moves between the same two places are one link, whichever way they lead.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from enum import Enum

from worldquiz.mango.maze.maze import Edge, Maze
from worldquiz.mango.maze.recorder.words import spelled

Vector = tuple[int, int]  # to the east and to the south

COMPASS: dict[str, Vector] = {
    "north": (0, -1), "northeast": (1, -1), "east": (1, 0), "southeast": (1, 1),
    "south": (0, 1), "southwest": (-1, 1), "west": (-1, 0), "northwest": (-1, -1),
}  # fmt: skip
"""Where each direction points."""
_CLIMBS = ("climb", "go", "walk", "crawl", "swim")


class LinkKind(Enum):
    """Kind of a link, the most telling first."""

    COMPASS = 0
    VERTICAL = 1
    OTHER = 2


@dataclass(frozen=True, slots=True)
class Link:
    """All moves between two places, of which `one` comes first in the maze."""

    one: str
    other: str
    there: tuple[int, ...]  # numbers of the edges from `one` to `other`, as first told
    back: tuple[int, ...]
    kind: LinkKind
    towards: Vector | None  # where `other` lies from `one`; (0, -1) for up; None: anywhere

    @property
    def moves(self) -> tuple[int, ...]:
        """The numbers of its edges, those from `one` first."""
        return (*self.there, *self.back)

    @property
    def both_ways(self) -> bool:
        """Tell whether there is a move each way."""
        return bool(self.there and self.back)


def direction(action: str) -> str | None:
    """Return the direction of a move: a compass direction, "up", "down", or None."""
    words = spelled(action).split()
    if not words:
        return None
    if words[-1] in COMPASS or (words[-1] in ("up", "down") and len(words) == 1):
        return words[-1]
    if words[0] in _CLIMBS and len(words) > 1 and words[1] in ("up", "down"):
        return words[1]
    return None


def links(maze: Maze) -> tuple[Link, ...]:
    """Return the links of a maze; moves that lead back to where they start are none."""
    order = {place: number for number, place in enumerate(maze.places)}
    joined: dict[tuple[str, str], list[int]] = {}
    for number, edge in enumerate(maze.edges):
        if edge.source != edge.target:
            one, other = sorted((edge.source, edge.target), key=lambda each: order[each])
            joined.setdefault((one, other), []).append(number)
    return tuple(_link(maze, *ends, numbers) for ends, numbers in joined.items())


def _link(maze: Maze, one: str, other: str, numbers: Iterable[int]) -> Link:
    def first(number: int) -> tuple[int, str]:
        told = maze.edges[number].told.first
        return (10**9 if told is None else told, maze.edges[number].action)

    ranked = sorted(numbers, key=first)
    edges = [maze.edges[number] for number in ranked]
    there = tuple(number for number in ranked if maze.edges[number].source == one)
    back = tuple(number for number in ranked if maze.edges[number].source == other)
    for kind, table in (
        (LinkKind.COMPASS, COMPASS),
        (LinkKind.VERTICAL, {"up": (0, -1), "down": (0, 1)}),
    ):
        towards = _towards(edges, one, table)
        if towards:
            return Link(one, other, there, back, kind, towards)
    return Link(one, other, there, back, LinkKind.OTHER, None)


def _towards(edges: Iterable[Edge], one: str, table: dict[str, Vector]) -> Vector | None:
    """Return where the other place lies by the first move each way that a table has.

    Where the two do not undo each other the passage bends: it lies between their directions.
    """
    first: dict[bool, Vector] = {}
    for edge in edges:
        vector = table.get(direction(edge.action) or "")
        if vector:
            first.setdefault(edge.source == one, vector)
    there, back = first.get(True), first.get(False)
    if back is None or there is None:
        return there or (back and (-back[0], -back[1]))
    bent = (_sign(there[0] - back[0]), _sign(there[1] - back[1]))
    return bent if any(bent) else there


def _sign(number: int) -> int:
    return (number > 0) - (number < 0)
