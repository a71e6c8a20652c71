"""Mazes: places, moves between them, and the walkthrough steps that show the moves.

MANGO (arXiv 2403.19913, section 2) reads a maze from a game's walkthrough. A move was *taken* at
some step, or it is *imputed*: the walkthrough took its reverse, and the game confirms that the move
leads back. Reading more steps only adds moves, so any first steps show a part of the whole maze.

A maze keeps only the first step that took each move. Later moves are inferred: an action is assumed
to lead where it led before, unless the next new move starts at a different place. Of all readings
of a walkthrough, the cheapest is chosen: a known move that fails costs little; a change of place
without a move (the player dies or is carried off) costs much. Ties go by name. In 16 games of
MANGO's 70-step set, this gives the published annotation step for step.

`Maze.prefix` cuts a maze to its first steps; `steps_within` finds how many fit a token limit.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import NamedTuple

from worldquiz.errors import KnobError
from worldquiz.llm.prompts import Count
from worldquiz.mango.walkthrough import WalkStep, plain, published

NEVER = 9999
"""Step that means never in MANGO's files; here None does."""


@dataclass(frozen=True, slots=True)
class Sight:
    """The first steps at which a walkthrough takes a move and its reverse; None for never."""

    forward: int | None = None  # the step that takes it
    backward: int | None = None  # the step that takes its reverse

    @property
    def first(self) -> int | None:
        """The first step that takes the move or its reverse."""
        return min(
            (step for step in (self.forward, self.backward) if step is not None), default=None
        )

    def until(self, step: int) -> Sight:
        """Return these steps, with None for those after a given step."""
        return Sight(
            self.forward if self.forward is not None and self.forward <= step else None,
            self.backward if self.backward is not None and self.backward <= step else None,
        )


@dataclass(frozen=True, slots=True)
class Edge:
    """A move from one place to another."""

    source: str
    action: str
    target: str
    seen: Sight  # when the game showed it
    told: Sight  # when the text had named both its places as well: from then on it is answerable

    @property
    def last(self) -> int:
        """The latest of the steps that show the edge, 0 if none does."""
        steps = (self.seen.forward, self.seen.backward, self.told.forward, self.told.backward)
        return max(step or 0 for step in steps)

    @property
    def key(self) -> tuple[str, str, str]:
        """Key that is unique within the maze."""
        return self.source, self.action, self.target

    def __str__(self) -> str:
        """Return the edge's places and action, for error messages."""
        return f"{self.source!r} --> {self.action!r} --> {self.target!r}"

    @property
    def imputed(self) -> bool:
        """Return whether the walkthrough never takes the move itself."""
        return self.seen.forward is None

    def published(self) -> dict[str, int]:
        """Return the steps that show the edge, under the keys of MANGO's files."""
        steps = {
            "seen_in_forward": self.seen.forward,
            "seen_in_reversed": self.seen.backward,
            "edge_min_step": self.seen.first,
            "seen_in_forward_answerable": self.told.forward,
            "seen_in_reversed_answerable": self.told.backward,
            "edge_min_step_answerable": self.told.first,
        }
        return {name: NEVER if step is None else step for name, step in steps.items()}


@dataclass(frozen=True, slots=True)
class Maze:
    """A maze, and the walkthrough that it was read from."""

    name: str
    places: tuple[str, ...]  # in the order of their file, or of their first appearance
    edges: tuple[Edge, ...]
    walkthrough: tuple[WalkStep, ...] = ()  # empty if only the map is available
    steps: int = 0  # of the walkthrough, step 0 not counted

    @property
    def actions(self) -> tuple[str, ...]:
        """Every action that moves the player, in the order of first appearance."""
        return tuple(dict.fromkeys(edge.action for edge in self.edges))

    @property
    def text(self) -> tuple[WalkStep, ...]:
        """The walkthrough. Raises `KnobError` if only the map is available."""
        if not self.walkthrough:
            raise KnobError(
                f"maze {self.name!r} has no walkthrough text; put {self.name}.walkthrough beside "
                "its map, or use the layout steps70"
            )
        return self.walkthrough

    @property
    def size(self) -> dict[str, int]:
        """Counts of places, edges, imputed edges and steps."""
        imputed = sum(edge.imputed for edge in self.edges)
        return {
            "places": len(self.places), "edges": len(self.edges), "imputed": imputed,
            "steps": self.steps,
        }  # fmt: skip

    def prefix(self, steps: int) -> Maze:
        """Return the part of the maze that the first steps show; step 0 is always read.

        Places without a remaining edge are left out.
        """
        edges = (
            replace(edge, seen=edge.seen.until(steps), told=edge.told.until(steps))
            for edge in self.edges
            if edge.told.until(steps).first is not None
        )
        walkthrough = tuple(step for step in self.walkthrough if step.number <= steps)
        return replace(self.of(edges), walkthrough=walkthrough, steps=min(self.steps, steps))

    def of(self, edges: Iterable[Edge]) -> Maze:
        """Return the maze with only the given edges, and only the places that they name."""
        kept = tuple(edges)
        named = {place for edge in kept for place in (edge.source, edge.target)}
        places = tuple(place for place in self.places if place in named)
        return replace(self, places=places, edges=kept)


class Stay(NamedTuple):
    """A stay of the walk in one place."""

    place: str
    came: int  # the step that led here
    action: str | None  # what that step did; None if it was not a move
    back: str | None  # the action that leads back from here, if known
    told: int | None  # the step of the stay at which the text names the place; None: never


def walked(stays: Sequence[Stay]) -> tuple[Edge, ...]:
    """Return the moves that a walk shows, with the steps that show them.

    Moves that the walk takes come first, then moves that lead back, each in order of appearance.
    """
    named: dict[str, int] = {}  # the step at which the text first names a place
    for stay in stays:
        if stay.told is not None:
            named.setdefault(stay.place, stay.told)
    taken, undone = (dict[tuple[str, str, str], list[tuple[int, int | None]]]() for _ in range(2))
    for (source, *_), (target, came, action, back, told) in pairwise(stays):
        both = max(told, named[source]) if told is not None and source in named else None
        if action is not None:
            taken.setdefault((source, action, target), []).append((came, both))
            if back is not None:
                undone.setdefault((target, back, source), []).append((came, both))
    edges = []
    for key in {**taken, **undone}:
        ways = taken.get(key, []), undone.get(key, [])
        seen_at = (min((step for step, _ in some), default=None) for some in ways)
        told_at = (min((at for _, at in some if at is not None), default=None) for some in ways)
        edges.append(Edge(*key, Sight(*seen_at), Sight(*told_at)))
    return tuple(edges)


_FAILED, _CARRIED = 1, 1000
"""Costs of exceptions: a known move that failed, and a change of place without a move."""


class _Come(NamedTuple):
    """The cheapest way to be in a place after a step of a walk."""

    cost: int
    before: str  # the place before the step
    edge: Edge | None  # the move taken; None if the player stayed


def taken(maze: Maze, steps: int | None = None) -> dict[int, Edge]:
    """Return the moves taken by the first steps of a maze's walkthrough, by step number. `steps`
    should not exceed the steps that the maze's labels cover: 70 in the published 70-step set, whose
    walkthroughs are longer. Raises `KnobError` for a maze without its walkthrough's text.
    """
    exits: dict[str, dict[str, list[Edge]]] = {}  # moves ever taken, by action and source
    firsts: dict[int, list[Edge]] = {}  # and by their first step
    for edge in sorted(maze.edges, key=lambda edge: (edge.source, edge.target)):
        if edge.seen.forward is not None:
            exits.setdefault(plain(edge.action), {}).setdefault(edge.source, []).append(edge)
            firsts.setdefault(edge.seen.forward, []).append(edge)
    walk = [each for each in maze.text[1:] if steps is None or each.number <= steps]
    costs, trail = dict.fromkeys(sorted(maze.places), 0), []
    for step in walk:
        come: dict[str, _Come] = {}
        known = exits.get(plain(step.action), {})
        for there, way in _ways(costs, firsts.get(step.number, []), known, step.number):
            if there not in come or way.cost < come[there].cost:
                come[there] = way
        trail.append(come)
        costs = {place: way.cost for place, way in sorted(come.items())}
    found: dict[int, Edge] = {}
    here = min(costs, key=lambda place: (costs[place], place), default="")
    for step, come in zip(reversed(walk), reversed(trail), strict=True):
        if not come:  # a maze without places
            break
        if (taken := come[here].edge) is not None:
            found[step.number] = taken
        here = come[here].before
    return dict(sorted(found.items()))


def _ways(
    costs: dict[str, int], first: list[Edge], known: dict[str, list[Edge]], number: int
) -> Iterator[tuple[str, _Come]]:
    """Yield the places where a step may end, each with a way to get there. If there are new moves
    at this step, it takes one of them; otherwise it takes a move known by then, or stays.
    """
    for edge in first:
        for place, cost in costs.items():
            carried = 0 if place == edge.source else _CARRIED
            yield edge.target, _Come(cost + carried, place, edge)
    for place, cost in () if first else costs.items():
        open_now = [e for e in known.get(place, ()) if (e.seen.forward or 0) < number]
        for edge in open_now:
            yield edge.target, _Come(cost, place, edge)
        yield place, _Come(cost + _FAILED * bool(open_now), place, None)


def shown_as(maze: Maze, text: str) -> Maze:
    """Return a maze with the ``full`` or a ``simplified`` text of its walkthrough (section 3.1).

    The simplified text of a step is only the name of the place after it, as inferred from the
    moves. Raises `KnobError` for a maze without its walkthrough's text.
    """
    if text != "simplified":
        return maze
    moves = taken(maze)
    here = moves[min(moves)].source if moves else ""
    steps = []
    for step in maze.walkthrough:
        here = moves[step.number].target if step.number in moves else here
        steps.append(replace(step, observation=here))
    return replace(maze, walkthrough=tuple(steps))


def steps_within(maze: Maze, tokens: int, count: Count) -> int:
    """Return the last step up to which a maze's walkthrough fits into a number of tokens.

    A longer text is assumed not to have fewer tokens. Raises `KnobError` if not even step 0 fits,
    or if there is no walkthrough.
    """
    walk = maze.text
    low = bisect_right(
        range(1, len(walk) + 1), tokens, key=lambda most: count(published(walk[:most]))
    )
    if not low:
        raise KnobError(
            f"maze {maze.name!r}: step 0 alone has {count(published(walk[:1]))} tokens, more than "
            f"--tokens {tokens}: raise this limit"
        )
    return walk[low - 1].number
