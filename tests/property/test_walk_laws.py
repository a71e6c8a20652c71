"""A walk that is written down as a maze keeps it - first steps only - is found again."""

from __future__ import annotations

import random
from dataclasses import replace
from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from worldquiz.mango.maze.generate import Knobs, generate
from worldquiz.mango.maze.maze import Edge, Maze, Sight
from worldquiz.mango.maze.walkthrough import WalkStep
from worldquiz.mango.paths.walk import taken

PLACES = ("attic", "barn", "cellar", "den")
ACTIONS = ("north", "up", "wait", "Dig  here")
Legs = list[tuple[str, str, str] | None]


def walk(seed: int, length: int) -> Legs:
    """Walk at random where each action leads to one place or nowhere."""
    draw = random.Random(seed)
    leads = {(p, a): draw.choice([*PLACES, None, None]) for p in PLACES for a in ACTIONS}
    here, legs = PLACES[0], Legs()
    for _ in range(length):
        action = draw.choice(ACTIONS)
        there = leads[here, action]
        legs.append((here, action, there) if there is not None else None)
        here = there or here
    return legs


def maze_from(seed: int, legs: Legs) -> Maze:
    """Write a walk down as a maze: each move with the first step that took it."""
    draw, first = random.Random(seed), dict[tuple[str, str, str], int]()
    steps = [WalkStep(0, "Init", "")]
    for number, leg in enumerate(legs, start=1):
        if leg is not None:
            first.setdefault(leg, number)
        steps.append(WalkStep(number, leg[1] if leg else "hum", ""))
    edges = [Edge(*leg, Sight(step), Sight(step)) for leg, step in first.items()]
    draw.shuffle(edges)
    return Maze("walked", PLACES, tuple(edges), tuple(steps), len(legs))


@given(st.integers(0, 10**6), st.integers(0, 40))
def test_a_walk_is_found_again(seed: int, length: int) -> None:
    legs = walk(seed, length)
    found = taken(maze_from(seed, legs))
    told = {step: (edge.source, edge.action, edge.target) for step, edge in found.items()}
    assert told == {step: leg for step, leg in enumerate(legs, start=1) if leg is not None}


@given(st.integers(0, 10**6), st.integers(1, 40))
def test_neither_case_nor_blanks_nor_order_matter(seed: int, length: int) -> None:
    maze = maze_from(seed, walk(seed, length))
    loud = tuple(replace(s, action=f" {s.action.upper()} ") for s in maze.walkthrough)
    other = replace(maze, walkthrough=loud, edges=maze.edges[::-1], places=maze.places[::-1])
    assert taken(other) == taken(maze)


@given(st.integers(0, 50))
def test_in_a_generated_maze_each_first_step_is_its_edges(seed: int) -> None:
    maze = generate(Knobs(size=8), seed, name="drawn")
    found = taken(maze)
    for edge in maze.edges:
        if edge.seen.forward is not None:
            assert found[edge.seen.forward] == edge
    stands = [(edge.source, edge.target) for edge in found.values()]
    assert all(one[1] == two[0] for one, two in pairwise(stands))
