"""Mazes and their questions once more, by a plain second way: `worldquiz mango check`.

It reads a maze's edges and its walkthrough, follows every move and searches every route breadth
first, and shares no code with what draws questions and labels them (`worldquiz.mango.paths`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cache, partial

from worldquiz.mango.grade import Question, Task
from worldquiz.mango.maze import Maze
from worldquiz.mango.paths import Route
from worldquiz.mango.walkthrough import plain

Moves = Mapping[str, Sequence[tuple[str, str]]]
"""The moves that leave each place: action, target."""


def faults(maze: Maze, questions: Sequence[Question], steps: int, easy: Route) -> Iterator[str]:
    """Yield what is wrong with a maze, and with questions about so many steps of it."""

    @cache
    def known(label: str, step: int) -> Moves:
        """Return the moves that are taken by a step ("easy"), or shown either way."""
        found: dict[str, list[tuple[str, str]]] = {}
        for edge in maze.edges:
            since = edge.told.forward if label == "easy" else edge.told.first
            if since is not None and since <= step:
                found.setdefault(edge.source, []).append((edge.action, edge.target))
        return found

    def holds(asked: Question, label: str, step: int) -> bool:
        """Tell whether a question is easy, or can be answered, by a step."""
        moves = known(label, step)
        if asked.task is Task.DF:
            places = {asked.source}
            for action in asked.actions:
                places = {to for at in places for act, to in moves.get(at, ()) if act == action}
            return asked.target in places
        length = _distance(moves, asked.source, asked.target)
        short = label == "answerable" or easy is Route.ANY or length == asked.shortest
        return length is not None and short

    yield from _walkthrough_faults(maze)
    for asked in questions:
        moves = f"by {', '.join(asked.actions)}" if asked.actions else f"to {asked.target!r}"
        name = f"{asked.task} from {asked.source!r} {moves}"
        length = _distance(known("answerable", steps), asked.source, asked.target)
        if asked.task is Task.RF and length != asked.shortest:
            yield f"{name}: the shortest route has {length} moves, not {asked.shortest}"
        for fault in _label_faults(asked, partial(holds, asked), steps):
            yield f"{name}: {fault}"


def _label_faults(asked: Question, holds: Callable[[str, int], bool], steps: int) -> Iterator[str]:
    """Compare the steps from which a question is answerable and easy with those it states."""
    for label, since in (("answerable", asked.answerable_from), ("easy", asked.easy_from)):
        if since is None or since > steps:
            if holds(label, steps):
                yield f"it is {label} by step {steps}, not from {since}"
        elif not holds(label, since):
            yield f"it is not {label} at step {since}"
        elif since and holds(label, since - 1):
            yield f"it is {label} before step {since}"


def _walkthrough_faults(maze: Maze) -> Iterator[str]:
    """Yield where an edge's steps are not such as take its action, or that of an edge back."""
    acts = {step.number: plain(step.action) for step in maze.walkthrough}
    actions = {(edge.source, edge.target, plain(edge.action)) for edge in maze.edges}
    for edge in maze.edges:
        ahead, back = edge.seen.forward, edge.seen.backward
        if ahead is not None and acts.get(ahead) != plain(edge.action):
            yield f"{edge}: step {ahead} of the walkthrough is {acts.get(ahead)!r}"
        if back is not None and (edge.target, edge.source, acts.get(back)) not in actions:
            yield f"{edge}: step {back} of the walkthrough, {acts.get(back)!r}, is not its reverse"


def _distance(edges: Moves, source: str, target: str) -> int | None:
    """Return the moves of a shortest route, None where there is none."""
    reached, border, moves = {source}, {source}, 0
    while border:
        if target in border:
            return moves
        border = {to for place in border for _, to in edges.get(place, ())} - reached
        reached |= border
        moves += 1
    return None
