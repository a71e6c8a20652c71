from __future__ import annotations

import asyncio
from collections.abc import Sequence
from pathlib import Path

import pytest

from conftest import SpecOf
from worldquiz.facts.episode import Episode, Observation, Outcome, Step, Transcript
from worldquiz.facts.fact import LOCKED
from worldquiz.facts.knowledge import FRACTIONS
from worldquiz.facts.question import Prompt, Type
from worldquiz.t2q import pipeline as t2q
from worldquiz.t2q.run import Trial, run
from worldquiz.t2q.suites import Suite
from worldquiz.t2q.world.config import PRESETS


def test_every_section_of_the_paper_has_its_name() -> None:
    for section in ("environment", "tasks", "questions", "interact", "examine", "scores"):
        assert callable(getattr(t2q, section))
        assert f"`{section}`" in str(t2q.__doc__)


def test_equal_worlds_have_equal_tasks_and_questions(spec_of: SpecOf) -> None:
    assert t2q.bundle(spec_of("medium", 4)) == t2q.bundle(spec_of("medium", 4))


def test_a_world_has_questions_of_all_types_and_a_lock() -> None:
    spec = t2q.environment(PRESETS["hard"], 1, id="hard-1", level="hard")
    assert {question.type for question in t2q.questions(spec)} == set(Type)
    assert list(LOCKED.of(spec.facts))


class Notebook:
    """An answerer that notes what it is given."""

    def __init__(self) -> None:
        self.studied: list[Transcript] = []
        self.asked: list[Prompt] = []

    async def study(self, transcripts: Sequence[Transcript]) -> None:
        assert not self.asked
        self.studied = list(transcripts)

    async def answer(self, prompt: Prompt) -> str:
        self.asked.append(prompt)
        return f"reply {len(self.asked)}"


def test_a_answerer_gets_transcripts_and_prompts_and_nothing_else(spec_of: SpecOf) -> None:
    questions = t2q.questions(spec_of("easy", 1))
    step = Step(0, None, None, Observation("text", "", 0, False, "Go."), (), (), ())
    episode = Episode("easy-1", "t", "a", 0, Outcome.GAVE_UP, (step,))
    answerer = Notebook()
    answers = asyncio.run(t2q.examine(answerer, [episode, episode], questions))
    assert answerer.studied == [episode.transcript] * 2
    assert all(type(prompt) is Prompt for prompt in answerer.asked)
    assert [prompt.text for prompt in answerer.asked] == [question.text for question in questions]
    assert [answer.question for answer in answers] == [question.id for question in questions]
    assert [answer.reply for answer in answers][:2] == ["reply 1", "reply 2"]


def test_the_contract_of_scores(suite: Suite, tmp_path: Path) -> None:
    scores = run(suite, Trial("walkthrough", "abstainer"), tmp_path)
    assert {"tsr", *FRACTIONS, "by_type", "by_level", "counts"} <= set(scores)
    assert (scores["tsr"], scores["known"]) == (1.0, 0.0)
    assert scores["eus"] == pytest.approx(1 - scores["coverage"])
    assert scores["counts"]["worlds"] == 2
    assert list(scores["by_level"]) == ["easy"]
    assert list(scores["by_type"]) == [str(type) for type in Type]
