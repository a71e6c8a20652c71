"""Laws of reading: an answer, once settled by the text, stands, and is settled when the exam says.

The two roads agree not only at the end of a run but turn by turn: `worldgraph`, given what was said
up to any moment, answers exactly the questions whose prerequisites the episodes had met by then.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from conftest import WorldOf
from worldquiz.facts.episode import Episode
from worldquiz.facts.question import ABSTAIN, Answer, Question, prompt
from worldquiz.facts.requirement import Moment
from worldquiz.t2q.agents import catalog
from worldquiz.t2q.agents.base import Brief
from worldquiz.t2q.budget import PerTask
from worldquiz.t2q.quiz.ask import ask
from worldquiz.t2q.reader import Reader
from worldquiz.t2q.reader.questions import settled
from worldquiz.t2q.rollout import play
from worldquiz.t2q.rows import results
from worldquiz.t2q.store import Bundle, Played
from worldquiz.t2q.tasks.targets import tasks as tasks_of
from worldquiz.t2q.world.base import World
from worldquiz.t2q.world.config import PRESETS

Settled = dict[str, str | None]  # question -> the answer that the text settles


@pytest.fixture(scope="module")
def games(world_of: WorldOf) -> Iterator[dict[str, tuple[World, Bundle]]]:
    found: dict[str, tuple[World, Bundle]] = {}
    for level in PRESETS:
        world: World = world_of(level, 906)
        spec = world.spec
        found[level] = world, Bundle(spec, tasks_of(spec), ask(spec))
    yield found
    for world, _ in found.values():
        world.close()


def played(world: World, bundle: Bundle, name: str, seed: int) -> tuple[Episode, ...]:
    """Play the first two tasks, in an order drawn by seed."""
    tasks = bundle.tasks[:2] if seed % 2 or name == "walkthrough" else bundle.tasks[1::-1]
    agent = catalog.agent(name, Brief(bundle.spec, bundle.tasks, bundle.questions, seed))
    return play(world, agent, tasks, seed=seed, name=name, budget=PerTask(40))


def moments(
    episodes: Sequence[Episode], questions: Sequence[Question]
) -> Iterator[tuple[Moment, Settled]]:
    """Yield what the text so far settles, after each turn."""
    reader = Reader()
    for number, episode in enumerate(episodes):
        for step, (action, observation) in enumerate(episode.transcript):
            if action is None:
                reader.begin(observation)
            else:
                reader.step(action, observation)
            now = {question.id: settled(reader.graph, prompt(question)) for question in questions}
            yield Moment(number, step), now


def first_settled(found: Sequence[tuple[Moment, Settled]], id: str) -> Moment | None:
    return next((moment for moment, now in found if now[id] is not None), None)


runs = given(
    level=st.sampled_from(sorted(PRESETS)),
    name=st.sampled_from(("random", "explorer", "walkthrough")),
    seed=st.integers(0, 10**6),
)
few = settings(max_examples=12, deadline=None)


@few
@runs
def test_the_text_settles_a_question_at_the_very_turn_that_the_exam_names_and_for_good(
    games: dict[str, tuple[World, Bundle]], level: str, name: str, seed: int
) -> None:
    world, bundle = games[level]
    episodes = played(world, bundle, name, seed)
    found = list(moments(episodes, bundle.questions))
    for (_, before), (moment, now) in pairwise(found):
        known = {id: reply for id, reply in before.items() if reply is not None}
        assert {id: now[id] for id in known} == known, moment
    answers = tuple(Answer(question.id, ABSTAIN) for question in bundle.questions)
    exam = results(Played(bundle, episodes, answers))
    late = {
        result.question: (result.answerable, first_settled(found, result.question))
        for result in exam
        if result.answerable != first_settled(found, result.question)
    }
    assert late == {}
