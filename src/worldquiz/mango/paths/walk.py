"""Moves of a walkthrough, step by step, and the number of steps that are read.

A maze keeps only the first step that took each move. The others follow: from a place, an action
that is known to lead somewhere leads there again, unless the next first step says otherwise. Of all
ways to read a walkthrough the one with the fewest exceptions is taken: a known move that did not
come off counts little, a change of place without a move (one dies, or is carried off) much. Ties go
by name. In 16 games of MANGO's 70-step set this gives, step for step, the published annotation.

A prefix of steps is `Maze.prefix`. Here tokens become steps; the caller chooses the tokenizer and
the text of a step.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from typing import NamedTuple

from worldquiz.errors import KnobError
from worldquiz.llm.prompts import Count
from worldquiz.mango.maze.maze import Edge, Maze
from worldquiz.mango.maze.walkthrough import WalkStep, plain, published

Show = Callable[[Sequence[WalkStep]], str]
_FAILED, _CARRIED = 1, 1000
"""What exceptions cost: a known move that did not come off, a change of place without a move."""


class _Come(NamedTuple):
    """The cheapest way to stand somewhere after a step."""

    cost: int
    before: str  # where one stood
    edge: Edge | None  # what the step took, None if it stayed or was carried off


def taken(maze: Maze, steps: int | None = None) -> dict[int, Edge]:
    """Return the moves of a maze's walkthrough by the number of the step that made them.

    Of so many steps, which should be no more than the maze's labels are of: in the published
    70-step set that is 70, though its walkthroughs go on. Raises `KnobError` for a maze without its
    walkthrough's text.
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
    """Yield the ways of a step: it is the first to take one of some moves, or else takes a move
    known by now, or stays.
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


def simplified(maze: Maze) -> Maze:
    """Return a maze whose walkthrough tells nothing but the name of the place after each step.

    Names are the maze's own, as its questions use them. Where they are is known as far as the
    maze's moves go. Raises `KnobError` for a maze without its walkthrough's text.
    """
    moves = taken(maze)
    here = moves[min(moves)].source if moves else ""
    steps = []
    for step in maze.walkthrough:
        here = moves[step.number].target if step.number in moves else here
        steps.append(replace(step, observation=here))
    return replace(maze, walkthrough=tuple(steps))


def steps_within(maze: Maze, tokens: int, count: Count, *, show: Show = published) -> int:
    """Return the last step up to which a maze's walkthrough fits into so many tokens.

    More text is taken to have no fewer tokens. Raises `KnobError` where not even step 0 fits, or
    where there is no walkthrough to count.
    """
    walk = maze.text
    low = bisect_right(range(1, len(walk) + 1), tokens, key=lambda most: count(show(walk[:most])))
    if not low:
        raise KnobError(
            f"maze {maze.name!r}: step 0 alone has {count(show(walk[:1]))} tokens, "
            f"{tokens} are allowed"
        )
    return walk[low - 1].number
