"""Non-answerable questions are not settled by the transcript: each has a twin world.

The paper's metric counts a question that no observation answers as one to be declined (arXiv
2601.09503, section 2.3). That is fair only if the transcript leaves the answer open. A twin proves
it: another world, played with the same commands, prints the same, and the question has another
answer there. ``benchmarks/twins.py`` does this for a larger sample.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import NamedTuple

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import synthetic
from conftest import SpecOf
from sketch import Sketch
from twinning import Laws, Search, Sort, Truth, difference, prove, solvable
from worldquiz.facts.episode import Episode
from worldquiz.facts.fact import parse
from worldquiz.facts.grade import grade
from worldquiz.facts.question import ABSTAIN, Answer, Format, Prompt, Question, Type, prompt
from worldquiz.t2q.agents import catalog
from worldquiz.t2q.agents.base import Brief
from worldquiz.t2q.budget import PerTask
from worldquiz.t2q.quiz.ask import ask
from worldquiz.t2q.rollout import play
from worldquiz.t2q.rows import results
from worldquiz.t2q.store import Bundle, Played
from worldquiz.t2q.tasks.targets import tasks as tasks_of
from worldquiz.t2q.world.config import PRESETS
from worldquiz.t2q.world.game import Game
from worldquiz.t2q.world.generate import generate
from worldquiz.t2q.world.spec import WorldSpec

RUNS = (("medium", 801, "random", 25), ("hard", 802, "random", 25), ("easy", 803, "idle", 0))
"""Level and seed, player, and its steps in each of its two episodes."""

FEW = 150
"""Tries per sort where no twin is expected."""

worlds = st.builds(
    lambda level, seed: generate(PRESETS[level], seed, id=f"{level}-{seed}", level=level),
    st.sampled_from(sorted(PRESETS)),
    st.integers(0, 10**9),
)


class Case(NamedTuple):
    """One player's run in one world, and its questions."""

    bundle: Bundle
    episodes: tuple[Episode, ...]
    search: Search
    closed: list[Question]  # answerable
    open: list[Question]


@pytest.fixture(scope="module", params=RUNS, ids=lambda run: f"{run[0]}-{run[2]}")
def case(request: pytest.FixtureRequest, spec_of: SpecOf) -> Case:
    level, seed, player, steps = request.param
    spec = spec_of(level, seed)
    tasks = tasks_of(spec)[:2]
    bundle = Bundle(spec, tasks, ask(spec))
    agent = catalog.agent(player, Brief(spec, tasks, bundle.questions, seed))
    episodes = play(Game(spec), agent, tasks, seed=seed, name=player, budget=PerTask(steps))
    answers = tuple(Answer(question.id, ABSTAIN) for question in bundle.questions)
    found = results(Played(bundle, episodes, answers))
    known = {result.question for result in found if result.answerable is not None}
    closed = [question for question in bundle.questions if question.id in known]
    rest = [question for question in bundle.questions if question.id not in known]
    return Case(bundle, episodes, Search(spec, tasks, episodes), closed, rest)


def first_of_each_type(questions: list[Question]) -> Iterator[Question]:
    for type in Type:
        yield from [question for question in questions if question.type is type][:1]


def test_a_question_left_open_has_a_twin(case: Case) -> None:
    for question in first_of_each_type(case.open):
        verdict = prove(case.search, question, case.bundle.tasks, case.episodes)
        assert verdict.twin is not None, question
        assert verdict.twin.sort is not Sort.CUT_OFF, question
        assert verdict.refuted == (), question


def test_a_twin_is_a_world_of_ours_with_another_answer(case: Case) -> None:
    spec = case.bundle.spec
    for question in first_of_each_type(case.open):
        twin = next(case.search.twins(question))
        assert (twin.spec.id, twin.spec.seed, twin.spec.start) == (spec.id, spec.seed, spec.start)
        assert Laws(twin.spec).broken() == []
        assert solvable(twin.spec)
        for reply in twin.answers:
            assert grade(question, answerable=True, reply=reply).value == 0, question


def test_an_answerable_question_has_no_twin(case: Case) -> None:
    for question in first_of_each_type(case.closed):
        assert next(case.search.twins(question, tries=FEW), None) is None, question


def test_a_world_that_differs_in_sight_is_told_apart(case: Case) -> None:
    found = difference(other_start(case.bundle.spec), case.bundle.tasks, case.episodes)
    assert found is not None
    assert "step 0" in found


def other_start(spec: WorldSpec) -> WorldSpec:
    """Return the world with its start moved to the next room."""
    rooms = [room.name for room in spec.rooms]
    facts = [fact for fact in spec.facts if fact.predicate != "player_at"]
    facts.append(parse(f"player_at({rooms[1]})"))
    return replace(spec, start=rooms[1], facts=tuple(sorted(facts)))


@settings(max_examples=25, deadline=None)
@given(worlds)
def test_answers_read_off_the_words_are_the_quizs_own(spec: WorldSpec) -> None:
    truth = Truth(spec)
    for question in ask(spec):
        read = truth.answers(prompt(question))
        assert read, question
        for reply in read:
            assert grade(question, answerable=True, reply=reply).value == 1, (question, reply)


@settings(max_examples=25, deadline=None)
@given(worlds)
def test_a_sketch_unchanged_is_the_world(spec: WorldSpec) -> None:
    assert Sketch.of(spec).spec(spec, bent=False) == spec


@settings(max_examples=25, deadline=None)
@given(worlds)
def test_every_world_keeps_the_laws(spec: WorldSpec) -> None:
    assert Laws(spec).broken() == []


BROKEN = {
    "law 1": ("at(blue vase, attic)", "at(blue vase, hall)"),
    "law 2": ("leads(attic, south, hall)", "leads(attic, south, cellar)"),
    "law 3": ("door_at(oak door, cellar, west)", "door_at(oak door, attic, south)"),
    "law 4": ("", "match(brass key, iron chest)"),
    "law 5": ("shut(oak door)", "open(oak door)"),
    "law 6": ("locked(oak door)", "unlocked(oak door)"),
}


@pytest.mark.parametrize("law", BROKEN)
def test_a_broken_law_is_noticed(law: str) -> None:
    whole = synthetic.spec()
    removed, added = BROKEN[law]
    facts = {fact for fact in whole.facts if str(fact) != removed} | {parse(added)}
    assert Laws(whole).broken() == []
    assert law in Laws(replace(whole, facts=tuple(sorted(facts)))).broken()


def test_what_a_question_takes_for_granted_must_hold() -> None:
    truth = Truth(synthetic.spec())
    key = Prompt("Which key fits the oak door?", Format.WHICH, ("tin key", "old key"))
    assert truth.answers(key) == frozenset()
    assert truth.answers(replace(key, choices=("tin key", "brass key"))) == {"brass key"}
    locked = Prompt("Was the oak door unlocked at the start?", Format.YES_NO)
    assert truth.answers(locked) == {"no"}
