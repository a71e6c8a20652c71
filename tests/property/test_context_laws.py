"""Laws of reading what a memory recalled: any part of the truth is read as part of the truth.

Players walk, fetch, drop, lock and abbreviate in games; hypothesis chooses what a memory has
kept of that, and in which order it tells it.
"""

from __future__ import annotations

import random
from collections.abc import Sequence

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from conftest import WorldOf
from worldquiz.facts.episode import Episode, Observation
from worldquiz.facts.question import Question, What, Where, gold, prompt
from worldquiz.facts.requirement import Moment
from worldquiz.memory.base import rendered
from worldquiz.t2q.agents import catalog
from worldquiz.t2q.agents.base import Agent, Brief
from worldquiz.t2q.agents.scripted import plausible
from worldquiz.t2q.budget import PerTask
from worldquiz.t2q.quiz.ask import ask
from worldquiz.t2q.reader import Graph, Reader
from worldquiz.t2q.reader.memory import read_context, render
from worldquiz.t2q.reader.questions import settled
from worldquiz.t2q.rollout import play
from worldquiz.t2q.store import Bundle, Played
from worldquiz.t2q.tasks.targets import tasks as tasks_of
from worldquiz.t2q.world.base import World
from worldquiz.t2q.world.config import PRESETS

SEEDS = (906,)
PLAYERS = ("walkthrough", "random", "explorer", "clipper")
History = dict[tuple[str, int, str], Played]


class Clipper:
    """A random player that calls things by one word of their names wherever it fancies."""

    def __init__(self, seed: int) -> None:
        self._rng = random.Random(seed)
        self._reader = Reader()
        self._last: str | None = None

    async def begin(self, observation: Observation) -> None:
        self._reader.begin(observation)
        self._last = None

    async def act(self, observation: Observation) -> str:
        if self._last is not None:
            self._reader.step(self._last, observation)
        weighted = plausible(self._reader)
        command = self._rng.choices(list(weighted), list(weighted.values()))[0]
        for name in self._reader.in_sight():
            if self._rng.random() < 0.3:
                command = command.replace(name, self._rng.choice(name.split()))
        self._last = command
        return command

    async def end(self, observation: Observation) -> None:
        pass


def played(world: World, name: str, seed: int) -> Played:
    """Play a world; players that do not end by themselves get three tasks."""
    spec = world.spec
    bundle = Bundle(spec, tasks_of(spec), ask(spec))
    aimless = name in ("random", "clipper")
    agent: Agent = (
        Clipper(seed)
        if name == "clipper"
        else catalog.agent(name, Brief(spec, bundle.tasks, bundle.questions, seed))
    )
    tasks = bundle.tasks[:3] if aimless else bundle.tasks
    return Played(bundle, play(world, agent, tasks, seed=seed, name=name, budget=PerTask(60)), ())


@pytest.fixture(scope="module")
def history(world_of: WorldOf) -> History:
    """Every player's episodes in every world."""
    found: History = {}
    for level in PRESETS:
        for seed in SEEDS:
            world = world_of(level, seed)
            found |= {(level, seed, name): played(world, name, seed) for name in PLAYERS}
            world.close()
    return found


def turns_of(episodes: Sequence[Episode]) -> list[str]:
    """Return all turns as text, in the order played."""
    return [
        rendered(Moment(number, step), turn)
        for number, episode in enumerate(episodes)
        for step, turn in enumerate(episode.transcript)
    ]


def false_of(graph: Graph, questions: Sequence[Question]) -> list[tuple[str, str, str]]:
    """Return what a graph settles wrongly: question, what it settles, right answer."""
    found = []
    for question in questions:
        answer = settled(graph, prompt(question))
        right = question.answers if isinstance(question, Where | What) else (gold(question),)
        if answer is not None and answer not in right:
            found.append((question.text, answer, right[0]))
    return found


cases = st.tuples(
    st.sampled_from(sorted(PRESETS)), st.sampled_from(SEEDS), st.sampled_from(PLAYERS)
)
shares = st.sampled_from((0.02, 0.1, 0.3, 0.6, 0.9, 0.97))
rngs = st.integers(0, 10**9).map(random.Random)
many = settings(max_examples=60, deadline=None)
some_runs = settings(max_examples=40, deadline=None)
Case = tuple[str, int, str]


def some(items: Sequence[str], share: float, rng: random.Random) -> list[str]:
    return [item for item in items if rng.random() < share]


@pytest.mark.slow
@many
@given(cases, shares, rngs)
def test_what_some_of_the_turns_settle_is_right(
    history: History, case: Case, share: float, rng: random.Random
) -> None:
    run = history[case]
    read = read_context("".join(some(turns_of(run.episodes), share, rng)))
    assert read.exact
    assert false_of(read.graph, run.bundle.questions) == []


@settings(max_examples=60, deadline=None)
@given(cases, st.integers(0, 10**6), st.integers(1, 40))
def test_what_a_stretch_of_turns_settles_is_right(
    history: History, case: Case, start: int, length: int
) -> None:
    run = history[case]
    turns = turns_of(run.episodes)
    start %= len(turns)
    read = read_context("".join(turns[start : start + length]))
    assert false_of(read.graph, run.bundle.questions) == []


@some_runs
@given(cases, rngs)
def test_all_turns_in_any_order_are_read_as_the_transcripts_are(
    history: History, case: Case, rng: random.Random
) -> None:
    run = history[case]
    turns = turns_of(run.episodes)
    rng.shuffle(turns)
    whole = Reader.of([episode.transcript for episode in run.episodes]).graph
    found = read_context("".join(turns)).graph
    assert found == whole
    for question in run.bundle.questions:
        assert settled(found, prompt(question)) == settled(whole, prompt(question))


@pytest.mark.slow
@some_runs
@given(cases, shares, rngs)
def test_a_map_in_sentences_is_the_same_map(
    history: History, case: Case, share: float, rng: random.Random
) -> None:
    run = history[case]
    turns = turns_of(run.episodes)
    whole = Reader.of([episode.transcript for episode in run.episodes]).graph
    for graph in (
        whole,
        read_context("".join(turns[: rng.randint(1, len(turns))])).graph,
        read_context("".join(some(turns, share, rng))).graph,
    ):
        read = read_context(render(graph))
        assert read.exact
        assert read.graph == graph
        assert render(read.graph) == render(graph)
        for question in run.bundle.questions:
            assert settled(read.graph, prompt(question)) == settled(graph, prompt(question))


@pytest.mark.slow
@many
@given(cases, shares, shares, rngs)
def test_what_some_sentences_and_some_turns_settle_is_right(
    history: History, case: Case, sentences: float, turns: float, rng: random.Random
) -> None:
    run = history[case]
    whole = Reader.of([episode.transcript for episode in run.episodes]).graph
    lines = some([f"{line}\n" for line in render(whole).splitlines()], sentences, rng)
    told = [*lines, *some(turns_of(run.episodes), turns, rng)]
    rng.shuffle(told)
    read = read_context("".join(told))
    assert read.exact
    assert false_of(read.graph, run.bundle.questions) == []
