"""Games to explore: text goes in and out, and what was done becomes a maze.

A trajectory is a maze like any other (`maze.maze`): the places that the agent came through, the
moves that it made, and those of their reverses that the game confirms. So whatever asks about a
recorded walkthrough asks about it. Laws: the maze of a trajectory depends on nothing but the game
and the commands; and more commands never take anything from it.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import NamedTuple, Protocol

from worldquiz.errors import KnobError
from worldquiz.mango.exploring.coverage import Coverage, coverage
from worldquiz.mango.maze.generate import described
from worldquiz.mango.maze.maze import Edge, Maze, Sight
from worldquiz.mango.maze.recorder.words import direction, spelled
from worldquiz.mango.maze.walkthrough import WalkStep

LONGEST = 200
"""Characters of a command; what follows is not given to the game."""
REFUSED = "You can't go that way."
Key = tuple[str, str, str]
"""An edge: from a place, by an action, to a place."""


class Told(NamedTuple):
    """What a game answers to a command."""

    text: str
    over: bool = False  # it takes no more commands


class GameScore(NamedTuple):
    """What a game itself says that its player earned, of how much."""

    points: int
    most: int


class Game(Protocol):
    """A game that is being explored."""

    @property
    def walkthrough(self) -> tuple[str, ...]:
        """Commands that are known to lead through it; none where none are known."""
        ...

    def begin(self) -> Told:
        """Start it, and return what is seen before any command."""
        ...

    def send(self, command: str) -> Told:
        """Give it a command as `canonical` returns it."""
        ...

    def trajectory(self) -> Maze:
        """Return what the commands so far showed. Raises `WorldError` where that is unknown."""
        ...

    def coverage(self) -> Coverage | None:
        """Return how much of its map that is; None where nobody knows its map."""
        ...

    def score(self) -> GameScore | None:
        """Return the score so far; None where the game keeps none."""
        ...

    def close(self) -> None:
        """Free what it holds."""
        ...


def canonical(command: str) -> str:
    """Return a command as games are given it: one line of printable ASCII, "n" as "north".

    So one move has one name in a trajectory, however it is said.
    """
    text = command[:LONGEST].encode("ascii", "replace").decode()
    plain = " ".join("".join(each if each.isprintable() else " " for each in text).split())
    return direction(spelled(plain)) or plain


class MazeGame:
    """Walks through a maze: each place tells its name, and the ways that lead on.

    A move that leads to several places leads to the one that was shown first; the others are no
    part of the map that can be explored.
    """

    def __init__(self, maze: Maze) -> None:
        """Raises `KnobError` for a maze in which nobody ever moves."""
        taken = [edge for edge in maze.edges if edge.seen.forward is not None]
        if not taken:
            raise KnobError(f"maze {maze.name!r}: no move was ever made in it: nobody can explore")
        self.maze = maze
        self._start = min(taken, key=lambda edge: edge.seen.forward or 0).source
        self._exits: dict[str, dict[str, Edge]] = {place: {} for place in maze.places}
        for edge in sorted(maze.edges, key=lambda edge: (edge.seen.first or 0, edge.key)):
            self._exits[edge.source].setdefault(edge.action, edge)
        self._back = _reverses(maze)
        self._whole = maze.of(self._reachable())
        self.begin()

    @property
    def walkthrough(self) -> tuple[str, ...]:
        """The commands of the maze's own walkthrough."""
        return tuple(step.action for step in self.maze.walkthrough[1:])

    @property
    def exits(self) -> Collection[str]:
        """The actions that lead on from here, as the text tells them."""
        return self._exits[self.here].keys()

    @property
    def known(self) -> Collection[Key]:
        """The moves that were shown so far, either way."""
        return self._known

    def begin(self) -> Told:
        """Stand at the start, as if for the first time."""
        self.here = self._start
        self.been = {self.here: 0}  # places, numbered in the order of first visits
        self._taken: dict[Key, int] = {}
        self._known: dict[Key, None] = {}
        self._steps = [WalkStep(0, "Init", self._text())]
        return Told(self._steps[0].observation)

    def send(self, command: str) -> Told:
        """Go where a command leads, or look, or be refused."""
        edge = self._exits[self.here].get(command.lower())
        number = len(self._steps)
        if edge is not None:
            self.here = edge.target
            self.been.setdefault(self.here, len(self.been))
            self._taken.setdefault(edge.key, number)
            self._known |= dict.fromkeys((edge.key, *self._back.get(edge.key, ())))
        moved = edge is not None or spelled(command) == "look"
        text = self._text() if moved else REFUSED
        self._steps.append(WalkStep(number, command, text))
        return Told(text)

    def trajectory(self) -> Maze:
        """Return the moves made, and the reverses that the maze's own walkthrough confirms."""
        edges = tuple(Edge(*key, self._sight(key), self._sight(key)) for key in self._known)
        ends = {place for edge in edges for place in (edge.source, edge.target)}
        places = tuple(place for place in self.been if place in ends)
        return Maze(self.maze.name, places, edges, tuple(self._steps), len(self._steps) - 1)

    def coverage(self) -> Coverage:
        """Return how much of the maze that is, as far as it can be reached."""
        return coverage(self.trajectory(), self._whole)

    def score(self) -> None:
        """Return nothing: walking a maze earns no points."""

    def close(self) -> None:
        """Hold nothing."""

    @property
    def moves(self) -> int:
        """How many moves can be shown."""
        return len(self._whole.edges)

    def _reachable(self) -> list[Edge]:
        """Return the moves that can be made, and those of their reverses that are known."""
        found: dict[Key, None] = {}
        queue = [self._start]
        for place in queue:  # it grows as it is walked
            for edge in self._exits[place].values():
                found |= dict.fromkeys((edge.key, *self._back.get(edge.key, ())))
                if edge.target not in queue:
                    queue.append(edge.target)
        return [edge for edge in self.maze.edges if edge.key in found]

    def _sight(self, key: Key) -> Sight:
        undone = [self._taken[back] for back in self._back.get(key, ()) if back in self._taken]
        return Sight(self._taken.get(key), min(undone, default=None))

    def _text(self) -> str:
        return described(self.here, self._exits[self.here])


def _reverses(maze: Maze) -> Mapping[Key, tuple[Key, ...]]:
    """Return the moves that lead back, by the moves that they undo: one step shows both first."""
    forward = {edge.seen.forward: edge for edge in maze.edges if edge.seen.forward is not None}
    found: dict[Key, dict[Key, None]] = {}
    for edge in maze.edges:
        other = forward.get(edge.seen.backward) if edge.seen.backward is not None else None
        if other is not None and (other.source, other.target) == (edge.target, edge.source):
            found.setdefault(edge.key, {})[other.key] = None
            found.setdefault(other.key, {})[edge.key] = None
    return {key: tuple(others) for key, others in found.items()}
