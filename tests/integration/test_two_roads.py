"""Two independent roads to the truth, on whole games.

`reveal` and the exam decide from the simulator's state what an agent can know; `worldgraph` reads
the text alone. It must be right on every answerable question and silent on every other one, turn by
turn. Where the two disagree, one of them is wrong: neither is to be tuned to the other.
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import pairwise

import pytest

from conftest import SpecOf
from deep import DEEP
from games import played
from worldquiz.facts.episode import Episode
from worldquiz.facts.requirement import Moment
from worldquiz.facts.row import Row
from worldquiz.t2q.agents import catalog
from worldquiz.t2q.question import Answer, Question, prompt
from worldquiz.t2q.quiz.ask import WORDINGS, settled, understood
from worldquiz.t2q.reader.graph import Reader
from worldquiz.t2q.rollout import Played, question_rows
from worldquiz.t2q.world.config import PRESETS

SEEDS = (901, 902) if DEEP else (901,)
PLAYERS = ("walkthrough", "random", "explorer", "idle", "admissible", "babbler")
CASES = [(level, seed, name) for level in PRESETS for seed in SEEDS for name in PLAYERS]
CASES += [("infer", seed, name) for seed in (904, 907, 919) for name in PLAYERS]  # other families
Case = tuple[str, int, str]
EACH = pytest.mark.parametrize("case", CASES, ids=str)


def graded(play: Played, answerer: str, episodes: Sequence[Episode]) -> list[Row]:
    """Return the rows of an answerer that has studied some of the episodes."""
    bundle = play.bundle
    answering = catalog.ANSWERERS.made(answerer, bundle, 7, episodes)

    async def run() -> Sequence[Answer]:
        await answering.study([episode.transcript for episode in episodes])
        return await answering.answers([prompt(question) for question in bundle.questions])

    return list(question_rows(Played(bundle, play.episodes, tuple(asyncio.run(run())))))


def wrong(play: Played, answerer: str) -> list[str]:
    """Return each disagreement in words: question, right answer, when answerable, reply."""
    found = zip(play.bundle.questions, graded(play, answerer, play.episodes), strict=True)
    return [
        f"{one.text} {one.gold} (answerable: {row.shown}) got {row.reply!r}"
        for one, row in found
        if row.grade != 1
    ]


def answerable(play: Played) -> set[str]:
    """Return the questions that the episodes answer, by the exam."""
    silent = graded(play, "abstainer", play.episodes)
    return {row.item for row in silent if row.shown}


@pytest.fixture(scope="module")
def history(spec_of: SpecOf) -> dict[Case, Played]:
    """Every player's episodes in every world."""
    return {case: played(spec_of(case[0], case[1]), case[2]) for case in CASES}


@EACH
def test_the_text_settles_what_the_exam_calls_answerable_and_no_more(
    case: Case, history: dict[Case, Played]
) -> None:
    assert wrong(history[case], "worldgraph") == []
    assert wrong(history[case], "oracle") == []  # a ceiling


def test_every_wording_is_asked_in_some_world(history: dict[Case, Played]) -> None:
    questions = (question for play in history.values() for question in play.bundle.questions)
    asked = {found.wording for each in questions if (found := understood(prompt(each)))}
    assert set(WORDINGS) == asked, "add a seed of such a world to CASES"


def moments(
    episodes: Sequence[Episode], questions: Sequence[Question]
) -> Iterator[tuple[Moment, dict[str, str | None]]]:
    """Yield what the text so far settles of each question, after each turn."""
    reader = Reader()
    for number, episode in enumerate(episodes):
        for step, (action, observation) in enumerate(episode.transcript):
            if action is None:
                reader.begin(observation)
            else:
                reader.step(action, observation)
            now = {question.id: settled(reader.graph, prompt(question)) for question in questions}
            yield Moment(number, step), now
    assert reader.unread == []


@EACH
def test_a_question_is_settled_at_the_very_turn_that_the_exam_names_and_for_good(
    case: Case, history: dict[Case, Played]
) -> None:
    play = history[case]
    assert [each for each in play.bundle.questions if understood(prompt(each)) is None] == []
    first: dict[str, Moment] = {}
    found = list(moments(play.episodes, play.bundle.questions))
    for moment, now in found:
        first |= {id: moment for id, reply in now.items() if reply is not None and id not in first}
    for (_, before), (moment, now) in pairwise(found):
        assert all(now[id] == reply for id, reply in before.items() if reply is not None), moment
    exam = graded(play, "abstainer", play.episodes)
    shown = [each for each in exam if each.shown]
    assert {each.item: (each.episode, each.step) for each in shown} == first


@pytest.mark.parametrize("level", PRESETS)
def test_a_reader_that_misses_an_episode_fails_where_no_other_episode_tells(
    level: str, history: dict[Case, Played]
) -> None:
    """And nowhere else; each level has such questions."""
    play, failures = history[level, SEEDS[0], "walkthrough"], 0
    known = answerable(play)
    for missed in range(len(play.episodes)):
        rest = (*play.episodes[:missed], *play.episodes[missed + 1 :])
        found = graded(play, "worldgraph", rest)
        failed = {row.item for row in found if row.grade != 1}
        assert failed == known - answerable(replace(play, episodes=rest)), missed
        failures += len(failed)
    assert failures


@pytest.mark.parametrize("level", PRESETS)
def test_the_explorer_makes_every_question_answerable(level: str, spec_of: SpecOf) -> None:
    play = played(spec_of(level, SEEDS[0]), "explorer", steps=200)
    assert len(answerable(play)) == len(play.bundle.questions)
