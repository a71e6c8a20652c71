"""Answerable means settled in all worlds that are possible, by trying all of them (`tiny_worlds`).

*Sound*: where the requirement of a question is met, one answer is right in every world in which
the same could have been seen. That holds of whatever is seen, also of what nobody sees by itself.
*Complete*: where playing leaves a requirement unmet, no answer is right in all of these worlds.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable, Iterable
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import tiny_worlds
from deep import DEEP
from fact_texts import met
from tiny_questions import rights, settled
from tiny_worlds import Possible, TinyWorld, plays
from worldquiz.facts.fact import Fact
from worldquiz.facts.requirement import Requirement
from worldquiz.facts.requirement import Seen as FactSeen
from worldquiz.t2q import WorldSpec
from worldquiz.t2q.question import Question
from worldquiz.t2q.quiz import connectivity, properties
from worldquiz.t2q.quiz.ask import ask
from worldquiz.t2q.world.predicates import EXIT

PLAYS = 400 if DEEP else 200  # in one of ten worlds a question asks about a lock
seeds = st.integers(0, 2**32)


def outcomes(
    world: TinyWorld, spec: WorldSpec, seen: Iterable[Fact]
) -> list[tuple[Question, bool, bool]]:
    """Return for each question whether its requirement is met, and whether it is settled."""
    possible = Possible(world, seen)
    return [
        (question, met(question.requires, seen), settled(question, possible))
        for question in ask(spec)
    ]


def played(seed: int) -> list[tuple[Question, bool, bool]]:
    """Play a world drawn by seed for some turns."""
    draw = random.Random(seed)
    world = tiny_worlds.drawn(draw)
    spec = tiny_worlds.spec(world, seed)
    return outcomes(world, spec, plays(spec, draw, draw.randint(0, 25)))


def test_playing_makes_answerable_what_it_settles_and_nothing_else() -> None:
    found: Counter[tuple[bool, bool]] = Counter()
    for seed in range(PLAYS):
        for question, is_met, is_settled in played(seed):
            found[is_met, is_settled] += 1
            assert is_met == is_settled, (seed, question)
    assert found[True, True] > 10 * PLAYS
    assert found[False, False] > 2.2 * PLAYS


@settings(max_examples=40)
@given(seeds, st.data())
def test_whatever_is_seen_what_is_answerable_is_settled(seed: int, data: st.DataObject) -> None:
    world = tiny_worlds.drawn(random.Random(seed))
    spec = tiny_worlds.spec(world, seed)
    seen = data.draw(st.lists(st.sampled_from(sorted(spec.initial)), max_size=20))
    for question, is_met, is_settled in outcomes(world, spec, seen):
        assert is_settled or not is_met, question


def test_who_sees_everything_leaves_one_answer_to_every_question_and_it_is_the_right_one() -> None:
    for seed in range(PLAYS // 2):
        world = tiny_worlds.drawn(random.Random(seed))
        spec = tiny_worlds.spec(world, seed)
        for question in ask(spec):
            possible = Possible(world, spec.initial)
            right = [each for each in rights(question, possible) if each is not None]
            assert right
            assert all(_words(question.gold) in map(_words, each) for each in right), question


def _words(answer: str) -> str:
    """Return an answer as `tiny_worlds` gives it: categories sorted, a phrase's last word kept."""
    if ", " in answer:
        return ", ".join(sorted(answer.split(", ")))
    return "" if answer == "nothing" else answer.split()[-1] if answer else ""


def seen_lid(spec: WorldSpec, thing: str) -> Requirement:
    """Take a lock to be known once its lid is: a closed box may be locked."""
    return properties.lid_state(spec, thing)


def seen_exit(spec: WorldSpec, room: str, way: str) -> Requirement:
    """Take it to be known where an exit leads once it was seen."""
    return FactSeen(EXIT(room, way))


@pytest.mark.parametrize(
    ("family", "name", "wrong"),
    [(properties, "lock_state", seen_lid), (connectivity, "passage", seen_exit)],
)
def test_a_wrong_requirement_is_found_out(
    family: Any, name: str, wrong: Callable[..., Requirement], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(family, name, wrong)
    found = (
        (is_met, is_settled) for seed in range(PLAYS) for _, is_met, is_settled in played(seed)
    )
    assert (True, False) in found
