"""The earliest moment of each requirement, by example; its laws: property/test_model_laws.py."""

from __future__ import annotations

from typing import cast

import pytest

from worldquiz.facts.fact import Fact
from worldquiz.facts.requirement import (
    START,
    All,
    AnyOf,
    Moment,
    Reachable,
    Requirement,
    Seen,
    all_of,
    any_of,
    earliest,
)
from worldquiz.t2q.quiz.connectivity import walked
from worldquiz.t2q.world.predicates import LEADS, OPEN, SHUT

LID, DOOR, NEVER = OPEN("box"), SHUT("door"), OPEN("safe")
THERE, BACK, ON = LEADS("a", "east", "b"), LEADS("b", "west", "a"), LEADS("c", "north", "b")
FIRST = {
    LID: Moment(0, 2), DOOR: Moment(1, 0), THERE: Moment(0, 4), BACK: Moment(0, 3),
    ON: Moment(1, 1),
}  # fmt: skip


@pytest.mark.parametrize(
    ("requirement", "moment"),
    [
        (Seen(LID), Moment(0, 2)),
        (Seen(NEVER), None),
        (All(()), START),
        (All((Seen(LID), Seen(DOOR))), Moment(1, 0)),
        (All((Seen(LID), Seen(NEVER))), None),
        (All((Seen(NEVER), Seen(LID))), None),
        (AnyOf(()), None),
        (AnyOf((Seen(DOOR), Seen(LID))), Moment(0, 2)),
        (AnyOf((Seen(NEVER), Seen(DOOR))), Moment(1, 0)),
        (AnyOf((Seen(NEVER),)), None),
        (Reachable("a", "a"), START),
        (Reachable("nowhere", "nowhere"), START),
        (Reachable("a", "b"), Moment(0, 3)),
        (Reachable("b", "a"), Moment(0, 3)),
        (Reachable("a", "c"), Moment(1, 1)),
        (Reachable("c", "a"), Moment(1, 1)),
        (Reachable("a", "d"), None),
        (Reachable("d", "a"), None),
    ],
    ids=str,
)
def test_the_earliest_moment(requirement: Requirement, moment: Moment | None) -> None:
    assert earliest(requirement, FIRST) == moment


def test_a_requirement_of_no_known_kind_is_refused() -> None:
    with pytest.raises(AssertionError, match="a riddle"):
        earliest(cast("Requirement", "a riddle"), FIRST)


def test_facts_other_than_passages_join_no_rooms() -> None:
    assert earliest(Reachable("box", "door"), {LID: START, DOOR: START}) is None


def test_a_chain_of_rooms_is_joined_by_its_last_passage() -> None:
    chain = [LEADS(f"r{n}", "east", f"r{n + 1}") for n in range(5)]
    first = {fact: Moment(0, step) for step, fact in enumerate([*chain[1:], chain[0]])}
    assert earliest(Reachable("r0", "r5"), first) == Moment(0, 4)
    assert earliest(Reachable("r1", "r4"), first) == Moment(0, 2)


@pytest.mark.parametrize("fact", [THERE, BACK])
def test_a_passage_is_walked_from_either_end_alone(fact: Fact) -> None:
    assert earliest(walked("a", "east", "b"), {fact: START}) == START


@pytest.mark.parametrize(
    "fact",
    [LEADS("a", "west", "b"), LEADS("b", "east", "a"), LEADS("a", "east", "c"), LID],
)
def test_another_passage_says_nothing(fact: Fact) -> None:
    assert earliest(walked("a", "east", "b"), {fact: START}) is None


def test_one_part_needs_no_wrapper_and_two_or_none_do() -> None:
    assert all_of(Seen(LID)) == any_of(Seen(LID)) == Seen(LID)
    assert all_of(Seen(LID), Seen(DOOR)) == All((Seen(LID), Seen(DOOR)))
    assert any_of(Seen(LID), Seen(DOOR)) == AnyOf((Seen(LID), Seen(DOOR)))
    assert (all_of(), any_of()) == (All(()), AnyOf(()))
