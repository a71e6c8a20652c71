"""How a walkthrough is shown: as published, as released, and simplified."""

from __future__ import annotations

from dataclasses import replace

import pytest

from mango_data import edge, maze_of
from worldquiz.errors import KnobError
from worldquiz.mango.maze import simplified, steps_within
from worldquiz.mango.walkthrough import WalkStep, published, released

WALK = (
    WalkStep(0, "Init", "Hall\nA hall."),
    WalkStep(1, "north", "Kitchen\nIt smells."),
    WalkStep(2, "take pan", "Taken."),
    WalkStep(3, "south", "Hall"),
)
HOUSE = replace(
    maze_of(edge("hall", "north", "kitchen", 1, 3), edge("kitchen", "south", "hall", 3, 1)),
    walkthrough=WALK,
    steps=3,
)


def test_as_published_each_step_stands_under_a_rule() -> None:
    assert published(WALK[:2]) == (
        "===========\n==>STEP NUM: 0\n==>ACT: Init\n==>OBSERVATION: Hall\nA hall.\n\n"
        "===========\n==>STEP NUM: 1\n==>ACT: north\n==>OBSERVATION: Kitchen\nIt smells.\n"
    )


def test_as_released_there_are_no_rules_and_the_end_shows_whether_it_is_all() -> None:
    part = (
        "\n==>STEP NUM: 0\n==>ACT: Init\n==>OBSERVATION: Hall\nA hall.\n\n\n"
        "==>STEP NUM: 1\n==>ACT: north\n==>OBSERVATION: Kitchen\nIt smells.\n"
    )
    assert released(WALK[:2], last=3) == part + "\n"
    assert released(WALK[:2], last=1) == part


def test_simplified_each_step_names_the_place_where_it_ends() -> None:
    walk = simplified(HOUSE).walkthrough
    assert [step.observation for step in walk] == ["hall", "kitchen", "kitchen", "hall"]
    assert [(step.number, step.action) for step in walk] == [
        (step.number, step.action) for step in WALK
    ]
    assert simplified(HOUSE).edges == HOUSE.edges


def test_simplified_nothing_is_named_where_nobody_moves() -> None:
    still = replace(HOUSE, edges=(), places=())
    assert {step.observation for step in simplified(still).walkthrough} == {""}


def test_simplified_needs_a_walkthrough() -> None:
    with pytest.raises(KnobError, match="no walkthrough text"):
        simplified(replace(HOUSE, walkthrough=()))


def test_fewer_tokens_are_needed_for_a_simplified_walkthrough() -> None:
    def words(text: str) -> int:
        return len(text.split())

    full, simple = (words(published(maze.walkthrough)) for maze in (HOUSE, simplified(HOUSE)))
    assert simple < full
    assert steps_within(HOUSE, simple, words) < 3 == steps_within(simplified(HOUSE), simple, words)
