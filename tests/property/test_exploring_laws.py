"""Laws of exploring: what is asked, what can be answered, and what an answer is worth."""

from __future__ import annotations

import re
from collections import defaultdict
from typing import Any

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from exploring import seeded_mazes, trajectory, walks
from worldquiz.mango.asking.ask import Asked, questions
from worldquiz.mango.exploring.coverage import coverage, routes
from worldquiz.mango.exploring.game import MazeGame
from worldquiz.mango.maze.generate import Knobs, generate
from worldquiz.mango.maze.maze import Maze
from worldquiz.mango.scoring.baselines import Baseline, answered
from worldquiz.mango.scoring.contest import counted, knowledge
from worldquiz.mango.scoring.grade import Task
from worldquiz.mango.scoring.guide import Guide
from worldquiz.mango.scoring.score import Book

pytest.importorskip("numba")
ASKED = Asked(10**6, per_maze=20)
Moves = dict[tuple[str, str], str]
_NAME = re.compile(r"You are in the ([^.]+)\. ")


def asked(maze: Maze) -> tuple[Any, ...]:
    return questions(maze, ASKED, maze.steps)


def walked(own: Maze, whole: Maze) -> Moves:
    """Return what leads where, read off the trajectory's texts alone, and what leads back."""
    here, found = "", {}
    for step in own.walkthrough:
        match = _NAME.search(step.observation)
        if match and step.action not in ("Init", "look"):
            found[here, step.action] = match[1]
        here = match[1] if match else here
    first: dict[int, tuple[str, str, str]] = {
        edge.seen.forward: edge.key for edge in whole.edges if edge.seen.forward
    }
    pairs = [(edge.key, first[edge.seen.backward]) for edge in whole.edges if edge.seen.backward]
    for one, other in [*pairs, *(pair[::-1] for pair in pairs)]:
        if found.get(one[:2]) == one[2]:
            found.setdefault(other[:2], other[2])
    return found


@given(walks())
def test_questions_depend_on_nothing_but_the_trajectory(drawn: tuple[Maze, list[str]]) -> None:
    """In a world that holds no more than what was seen, the same commands are asked the same."""
    maze, commands = drawn
    own = trajectory(maze, commands)
    assume(own.edges)
    again = trajectory(own, commands)
    assert set(again.edges) == set(own.edges)
    assert asked(again) == asked(own)


@given(walks(), st.data())
def test_more_commands_take_nothing_away(drawn: tuple[Maze, list[str]], data: Any) -> None:
    maze, commands = drawn
    own = trajectory(maze, commands)
    part = data.draw(st.integers(0, len(commands)))
    shorter = trajectory(maze, commands[:part])
    assert shorter == own.prefix(part)
    labels = {each.id: each.answerable_from for each in asked(own) if each.task is Task.RF}
    for each in asked(shorter):
        if each.task is Task.RF and each.id in labels:
            assert labels[each.id] == each.answerable_from
    before, after = (coverage(each, maze) for each in (shorter, own))
    for name in ("places", "moves", "routes"):
        assert getattr(before, name).shown <= getattr(after, name).shown
    key = {edge.key for edge in shorter.edges}
    assert routes(key) <= routes(edge.key for edge in own.edges)


@given(walks(), st.data())
def test_a_route_is_judged_as_an_independent_walk_judges_it(
    drawn: tuple[Maze, list[str]], data: Any
) -> None:
    maze, commands = drawn
    own = trajectory(maze, commands)
    assume(own.edges)
    leads, book = walked(own, maze), Book(own, ASKED.rf_easy)
    assert {(edge.source, edge.action): edge.target for edge in own.edges} == leads
    every = [each for each in asked(own) if each.task is Task.RF]
    for each in every[:5]:
        said = data.draw(st.lists(st.sampled_from(own.actions), min_size=1, max_size=5))
        here: str | None = each.source
        for action in said:
            here = leads.get((here or "", action))
        reply = [{"prev_node": "?", "action": action, "node": "?"} for action in said]
        assert book.mark(each, own.steps, reply).grade.success == float(here == each.target)


@given(walks())
def test_a_route_is_asked_where_an_independent_search_finds_one(
    drawn: tuple[Maze, list[str]],
) -> None:
    maze, commands = drawn
    own = trajectory(maze, commands)
    onward = defaultdict(set)
    for (source, _), target in walked(own, maze).items():
        onward[source].add(target)
    found = set()
    for start in list(onward):
        reached, grown = {start}, True
        while grown:
            grown = not reached >= (more := set().union(*(onward[each] for each in reached)))
            reached |= more
        found |= {(start, end) for end in reached - {start}}
    every = questions(own, Asked(10**6, (Task.RF,), per_maze=10**6), own.steps)
    assert {(each.source, each.target) for each in every} == found
    assert routes(edge.key for edge in own.edges) == found


@given(walks())
def test_a_perfect_keeper_of_the_map_is_right_on_all(drawn: tuple[Maze, list[str]]) -> None:
    own = trajectory(*drawn)
    book, guide = Book(own, ASKED.rf_easy), Guide(own)
    for each in asked(own):
        edges = [own.edges[number] for number in guide.answer(each, own.steps) or ()]
        reply = [
            {"prev_node": edge.source, "action": edge.action, "node": edge.target} for edge in edges
        ]
        grade = book.mark(each, own.steps, reply).grade
        assert grade.success == grade.reasoning == 1
        assert grade.points in (None, 1)


@given(seeded_mazes)
def test_the_walkthrough_shows_all_of_a_maze(maze: Maze) -> None:
    game = MazeGame(maze)
    own = trajectory(maze, game.walkthrough)
    assert set(own.edges) == set(maze.edges)
    found = coverage(own, maze)
    assert found.places.share == found.moves.share == found.routes.share == 1


def test_who_has_no_map_earns_nothing() -> None:
    """Over random walks in twenty mazes, as far as they came: the best guess is worth no point."""
    marked: dict[Baseline, list[Any]] = {baseline: [] for baseline in Baseline}
    for seed in range(20):
        maze = generate(Knobs(size=12), seed, name=f"maze-{seed}")
        own = trajectory(maze, MazeGame(maze).walkthrough[: 4 + seed])
        some, book = asked(own), Book(own, ASKED.rf_easy)
        for baseline in Baseline:
            replies = zip(some, answered(baseline, own, some), strict=True)
            marked[baseline] += [book.mark(each, own.steps, reply) for each, reply in replies]
    earned = {baseline: knowledge(counted(each), resamples=0) for baseline, each in marked.items()}
    assert all(each["counted"] > 300 for each in earned.values())
    assert max(each["knowledge"] for each in earned.values()) < 0.05
