"""Two independent roads to the truth, on whole games.

`reveal` and the exam decide from the simulator's state what an agent can know; `worldgraph` reads
the text alone. It must be right on every answerable question and silent on every other one. Where
the two disagree, one of them is wrong: neither is to be tuned to the other. Some players draw their
commands from what the reader takes for plausible, and some from elsewhere (`wild_players`).
"""

from __future__ import annotations

import asyncio
import random
import re
from collections.abc import Iterator, Sequence
from dataclasses import replace

import pytest

from conftest import SpecOf
from deep import DEEP
from wild_players import wild
from worldquiz.facts.episode import Episode, Observation
from worldquiz.facts.question import Answer, Graded, Question, Result, prompt
from worldquiz.t2q.agents import catalog
from worldquiz.t2q.agents.base import Agent, Brief
from worldquiz.t2q.agents.paper import Paper
from worldquiz.t2q.agents.scripted import plausible
from worldquiz.t2q.budget import PerTask
from worldquiz.t2q.quiz.ask import ask
from worldquiz.t2q.reader import Reader
from worldquiz.t2q.reader.questions import read_question, settled
from worldquiz.t2q.rollout import play
from worldquiz.t2q.rows import results
from worldquiz.t2q.scoring.blind import paper_of
from worldquiz.t2q.store import Bundle, Played
from worldquiz.t2q.tasks.targets import tasks as tasks_of
from worldquiz.t2q.world.config import PRESETS
from worldquiz.t2q.world.game import Game
from worldquiz.t2q.world.spec import WorldSpec

SEEDS = (901, 902) if DEEP else (901,)
PLAYERS = ("walkthrough", "random", "explorer", "idle", "mumbler", "admissible", "babbler")
ENDLESS = ("random", "mumbler", "admissible", "babbler")
History = dict[tuple[str, int, str], Played]
CASES = [(level, seed, name) for level in PRESETS for seed in SEEDS for name in PLAYERS]
EACH = pytest.mark.parametrize("case", CASES, ids=str)


class Mumbler:
    """A random player that says what it wants in other words than the game's own."""

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
        options = plausible(self._reader)
        command = self._rng.choices(list(options), list(options.values()))[0]
        self._last = self._mumble(command)
        return self._last

    async def end(self, observation: Observation) -> None:
        pass

    def _mumble(self, command: str) -> str:
        pick = self._rng.choice
        verb, _, rest = command.partition(" ")
        if verb == "go":
            doors = [door for door, way in self._reader.doors().items() if way == rest]
            through = [f"enter {d}" for d in doors] + [f"walk through the {d}" for d in doors]
            return pick([rest, rest[0].upper(), f"Head to the {rest}.", *through, *through])
        parts = re.split(r"( with | into | on | from )", rest)
        rest = "".join(part if n % 2 else self._short(part) for n, part in enumerate(parts))
        swap = {
            "take": ("get", "pick up", "grab"),
            "insert": ("put", "place"),
            "put": ("place", "lay"),
            "examine": ("x", "look at"),
            "close": ("shut",),
        }
        words = f"{pick((verb, *swap.get(verb, ())))} {rest}".strip()
        return re.sub(" with ", pick((" with ", " using ")), words)

    def _short(self, name: str) -> str:
        words = name.split()
        return self._rng.choice([name, f"the {name}", words[-1], words[0]]) if words else name


def player(name: str, brief: Brief) -> Agent:
    match name:
        case "mumbler":
            return Mumbler(brief.seed)
        case "babbler" | "admissible":
            return wild(name, brief)
        case _:
            return catalog.agent(name, brief)


def played(spec: WorldSpec, name: str) -> Played:
    """Play a world (its first three tasks, where a player does not end by itself)."""
    bundle = Bundle(spec, tasks_of(spec), ask(spec))
    agent = player(name, Brief(spec, bundle.tasks, bundle.questions, 7))
    tasks = bundle.tasks[:3] if name in ENDLESS else bundle.tasks
    episodes = play(Game(spec), agent, tasks, seed=7, name=name, budget=PerTask(60))
    return Played(bundle, episodes, ())


def graded(play: Played, answerer: str, episodes: Sequence[Episode]) -> tuple[Result, ...]:
    """Return the results of an answerer that has studied some of the episodes."""
    bundle = play.bundle
    brief = Brief(bundle.spec, bundle.tasks, bundle.questions, 7)
    answering = catalog.answerer(answerer, brief, episodes)

    async def run() -> list[Answer]:
        await answering.study([episode.transcript for episode in episodes])
        return [Answer(q.id, await answering.answer(prompt(q))) for q in bundle.questions]

    return results(Played(bundle, play.episodes, tuple(asyncio.run(run()))))


def wrong(play: Played, found: Sequence[Result]) -> Iterator[str]:
    """Yield each disagreement in words: question, right answer, when answerable, reply."""
    for question, result in zip(play.bundle.questions, found, strict=True):
        if result.score != Graded(1.0):
            yield (
                f"{result.world} {result.question}: {question.text} {_right(question)} "
                f"(answerable: {result.answerable}) got {result.reply!r}: {result.score}"
            )


def _right(question: Question) -> str:
    fields = ("choices", "answer", "answers", "categories")
    return " ".join(f"{f}={getattr(question, f)}" for f in fields if hasattr(question, f))


@pytest.fixture(scope="module")
def history(spec_of: SpecOf) -> History:
    """Every player's episodes in every world."""
    return {case: played(spec_of(case[0], case[1]), case[2]) for case in CASES}


@EACH
def test_the_text_settles_what_the_exam_calls_answerable_and_no_more(
    case: tuple[str, int, str], history: History
) -> None:
    play = history[case]
    assert list(wrong(play, graded(play, "worldgraph", play.episodes))) == []


@EACH
def test_the_oracle_is_a_ceiling(case: tuple[str, int, str], history: History) -> None:
    play = history[case]
    assert list(wrong(play, graded(play, "oracle", play.episodes))) == []


@EACH
def test_a_guesser_reads_off_the_first_screen_what_the_world_shows(
    case: tuple[str, int, str], history: History
) -> None:
    """Guessing rates are made from the world, and guessers read text."""
    play = history[case]
    shown = paper_of(play.bundle)
    read = Paper(shown.prompts).begun([episode.transcript for episode in play.episodes])
    told = {episode.transcript[0].observation.objective for episode in play.episodes}
    assert (read.start, read.ways, set(read.objectives)) == (shown.start, shown.ways, told)
    for name in (name for names in shown.names.values() for name in names):
        assert read.shown(name) == shown.shown(name), name


@EACH
def test_seeing_more_unsettles_nothing(case: tuple[str, int, str], history: History) -> None:
    play = history[case]
    graphs = [
        Reader.of([episode.transcript for episode in play.episodes[:count]]).graph
        for count in (1, 2, len(play.episodes))
    ]
    for question in play.bundle.questions:
        replies = [settled(graph, prompt(question)) for graph in graphs]
        known = [reply for reply in replies if reply is not None]
        assert replies == [None] * (len(replies) - len(known)) + known
        assert len(set(known)) <= 1


@EACH
def test_every_sentence_and_question_is_understood(
    case: tuple[str, int, str], history: History
) -> None:
    play = history[case]
    for episode in play.episodes:
        assert Reader.of([episode.transcript]).unread == []
    assert [q.text for q in play.bundle.questions if read_question(q.text) is None] == []


@pytest.mark.parametrize("level", PRESETS)
def test_a_reader_that_misses_an_episode_fails_where_no_other_episode_tells(
    level: str, history: History
) -> None:
    """And nowhere else; each level has such questions."""
    failures = 0
    for seed in SEEDS:
        play = history[level, seed, "walkthrough"]
        known = answerable(play)
        for missed in range(len(play.episodes)):
            rest = (*play.episodes[:missed], *play.episodes[missed + 1 :])
            found = graded(play, "worldgraph", rest)
            failed = {result.question for result in found if result.score != Graded(1.0)}
            assert failed == known - answerable(replace(play, episodes=rest)), missed
            failures += len(failed)
    assert failures


def answerable(play: Played) -> set[str]:
    """Return the questions that the episodes answer, by the exam."""
    silent = graded(play, "abstainer", play.episodes)
    return {result.question for result in silent if result.answerable is not None}


@pytest.mark.parametrize("level", PRESETS)
def test_the_explorer_makes_every_question_answerable(level: str, history: History) -> None:
    play = history[level, SEEDS[0], "explorer"]
    found = graded(play, "worldgraph", play.episodes)
    assert [result.question for result in found if result.answerable is None] == []
