"""Where a walkthrough went, by example: again, in vain, carried off, and two ways at once."""

from __future__ import annotations

from dataclasses import replace

import pytest

from mango_data import edge, maze_of
from worldquiz.errors import KnobError
from worldquiz.mango.maze import Edge, Maze, taken
from worldquiz.mango.walkthrough import WalkStep


def walked(actions: str, *edges: Edge) -> Maze:
    """Return a maze with a walkthrough of some actions."""
    acts = ["Init", *actions.split()]
    walk = tuple(WalkStep(number, act, "x") for number, act in enumerate(acts))
    return replace(maze_of(*edges, steps=len(acts) - 1), walkthrough=walk)


def route(maze: Maze, steps: int | None = None) -> dict[int, str]:
    return {step: f"{e.source}>{e.target}" for step, e in taken(maze, steps).items()}


UP = edge("hall", "up", "attic", 1)
DOWN = edge("attic", "down", "hall", 2)


def test_a_known_move_leads_there_again() -> None:
    assert route(walked("up down look UP down", UP, DOWN)) == {
        1: "hall>attic", 2: "attic>hall", 4: "hall>attic", 5: "attic>hall",
    }  # fmt: skip


def test_an_action_that_leads_nowhere_from_here_moves_nobody() -> None:
    assert route(walked("up up down", UP, replace(DOWN, seen=edge("a", "b", "c", 3).seen))) == {
        1: "hall>attic", 3: "attic>hall",
    }  # fmt: skip


def test_a_move_that_did_not_come_off_is_told_by_where_one_is_later() -> None:
    slide = edge("hall", "slide", "cellar", 5)
    maze = walked("up down up look slide", UP, DOWN, slide)
    assert route(maze) == {1: "hall>attic", 2: "attic>hall", 5: "hall>cellar"}


def test_one_who_is_carried_off_goes_on_from_there() -> None:
    dig = edge("cave", "dig", "pit", 3)
    assert route(walked("up wait dig", UP, dig)) == {1: "hall>attic", 3: "cave>pit"}


def test_of_two_places_that_an_action_leads_to_the_one_that_fits() -> None:
    left, right = edge("hall", "jump", "left", 1), edge("hall", "jump", "right", 3)
    back, forth = edge("left", "back", "hall", 2), edge("right", "back", "hall", 4)
    ring = edge("right", "ring", "bell", 6)
    maze = walked("jump back jump back jump ring", left, right, back, forth, ring)
    assert route(maze)[5] == "hall>right"


def test_a_move_is_not_known_before_its_first_step() -> None:
    late = edge("attic", "jump", "hall", 3)
    assert route(walked("up jump jump", UP, late)) == {1: "hall>attic", 3: "attic>hall"}


def test_only_so_many_steps_are_followed() -> None:
    assert route(walked("up down up down", UP, DOWN), 3) == {
        1: "hall>attic", 2: "attic>hall", 3: "hall>attic",
    }  # fmt: skip


def test_a_maze_without_moves_is_not_left() -> None:
    assert taken(replace(walked("up down", UP), places=(), edges=())) == {}


def test_a_maze_without_text_is_refused() -> None:
    with pytest.raises(KnobError, match=r"'toy' has no walkthrough text here; put toy"):
        taken(maze_of(UP, DOWN))
