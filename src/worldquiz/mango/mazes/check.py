"""Mazes and their questions once more, by a plain second way: `worldquiz mango check`.

It reads a maze's edges and its walkthrough, follows every move and searches every route breadth
first, and shares no code with what draws questions and labels them (`worldquiz.mango.paths`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache

from worldquiz.mango.maze.maze import Edge, Maze
from worldquiz.mango.maze.walkthrough import plain
from worldquiz.mango.paths.pairs import Route
from worldquiz.mango.scoring.grade import Question, Task

Moves = Mapping[str, Sequence[tuple[str, str]]]
"""The moves that leave each place: action, target."""
ByStep = Callable[[int], Moves]
"""The moves that are known by a step of the walkthrough."""


@dataclass(frozen=True, slots=True)
class MazeVerdict:
    """Result of checking one maze."""

    maze: str
    edges: int
    questions: int
    faults: tuple[str, ...]


def checked(maze: Maze, questions: Sequence[Question], steps: int, easy: Route) -> MazeVerdict:
    """Check a maze, and the questions about so many steps of its walkthrough."""
    faults = [*_walkthrough_faults(maze)]
    shown = _by_step(maze, lambda edge: edge.told.first)  # either way
    taken = _by_step(maze, lambda edge: edge.told.forward)
    for question in questions:
        if question.task is Task.DF:
            found = _df_faults(question, shown, taken, steps)
        else:
            found = _rf_faults(question, shown, taken, steps, easy)
        faults += (f"{question.task} {_named(question)}: {fault}" for fault in found)
    return MazeVerdict(maze.name, len(maze.edges), len(questions), tuple(faults))


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


def _df_faults(asked: Question, shown: ByStep, taken: ByStep, steps: int) -> Iterator[str]:
    """Follow the moves of a question: they lead to its target from the steps that it states."""

    def leads(edges: Moves) -> bool:
        places = {asked.source}
        for action in asked.actions:
            places = {
                target for place in places for known, target in edges.get(place, ())
                if known == action
            }  # fmt: skip
        return asked.target in places

    yield from _label_faults("answerable", asked.answerable_from, leads, shown, steps)
    yield from _label_faults("easy", asked.easy_from, leads, taken, steps)


def _rf_faults(
    asked: Question, shown: ByStep, taken: ByStep, steps: int, easy: Route
) -> Iterator[str]:
    """Search a question's route: it is as long as stated, from the steps that it states."""
    shortest = _distance(shown(steps), asked.source, asked.target)
    if shortest != asked.shortest:
        yield f"the shortest route has {shortest} moves, not {asked.shortest}"

    def any_route(edges: Moves) -> bool:
        return _distance(edges, asked.source, asked.target) is not None

    def easy_route(edges: Moves) -> bool:
        found = _distance(edges, asked.source, asked.target)
        return found is not None and (easy is Route.ANY or found == shortest)

    yield from _label_faults("answerable", asked.answerable_from, any_route, shown, steps)
    yield from _label_faults("easy", asked.easy_from, easy_route, taken, steps)


def _label_faults(
    label: str, stated: int | None, holds: Callable[[Moves], bool], known: ByStep, steps: int
) -> Iterator[str]:
    """Compare the step from which something holds with the one that a question states."""
    if stated is None or stated > steps:
        if holds(known(steps)):
            yield f"it is {label} by step {steps}, not from {stated}"
    elif not holds(known(stated)):
        yield f"it is not {label} at step {stated}"
    elif stated and holds(known(stated - 1)):
        yield f"it is {label} before step {stated}"


def _by_step(maze: Maze, since: Callable[[Edge], int | None]) -> ByStep:
    """Return the moves known by each step: those known `since` it or one before.

    The moves known by a step are gathered once.
    """

    @cache
    def known(steps: int) -> Moves:
        found: dict[str, list[tuple[str, str]]] = {}
        for edge in maze.edges:
            step = since(edge)
            if step is not None and step <= steps:
                found.setdefault(edge.source, []).append((edge.action, edge.target))
        return found

    return known


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


def _named(question: Question) -> str:
    ends = f"from {question.source!r}"
    if question.task is Task.DF:
        return f"{ends} by {', '.join(question.actions)}"
    return f"{ends} to {question.target!r}"
