"""Floors and the ceiling: what each says, and what each can never know."""

from __future__ import annotations

import asyncio

import pytest

from worldquiz.facts.evidence import Evidence
from worldquiz.facts.fact import AT, LISTED
from worldquiz.facts.question import (
    ABSTAIN,
    Description,
    Format,
    Prompt,
    Question,
    Type,
    What,
    Where,
    Which,
    YesNo,
    gold,
    prompt,
)
from worldquiz.facts.requirement import START, All, Seen
from worldquiz.t2q.agents.base import AnswersQuiz
from worldquiz.t2q.agents.scripted import Abstainer, Constant, Oracle

HAT, BOX = Seen(AT("hat", "attic")), Seen(LISTED("box"))
QUESTIONS: tuple[Question, ...] = (
    YesNo("1", Type.LOCATION, "Was the hat in the attic?", True, HAT, ("hat",)),
    YesNo("2", Type.LOCATION, "Was the hat elsewhere?", False, BOX, ("hat",)),
    Which("3", Type.MATCH, "Which key?", ("tin key", "old key"), "old key", HAT, ()),
    Where("4", Type.LOCATION, "Where was the hat?", ("rack", "attic"), HAT, ("hat",)),
    What("5", Type.DIRECTION, "Which way leads to the attic?", ("east",), All((HAT, BOX)), ()),
    Description("6", Type.LOCATION, "What was in the box?", ("food", "key"), HAT, ("box",)),
    Description("7", Type.LOCATION, "What was in the bin?", (), HAT, ("bin",)),
)
REPLIES = ["yes", "no", "old key", "rack", "east", "food, key", "nothing"]


def replies(answerer: AnswersQuiz) -> list[str]:
    async def run() -> list[str]:
        await answerer.study([])
        return [await answerer.answer(prompt(question)) for question in QUESTIONS]

    return asyncio.run(run())


def test_the_abstainer_abstains() -> None:
    assert replies(Abstainer()) == [ABSTAIN] * len(QUESTIONS)


def test_the_constant_answers_by_format() -> None:
    assert replies(Constant()) == ["yes", "yes", "tin key", "kitchen", "north", "object", "object"]


@pytest.mark.parametrize("format", [f for f in Format if f is not Format.WHICH])
def test_the_constant_never_abstains(format: Format) -> None:
    assert asyncio.run(Constant().answer(Prompt("So?", format))) not in (ABSTAIN, "")


def test_the_oracle_knows_all_that_was_shown() -> None:
    shown = Evidence({HAT.fact: START, BOX.fact: START})
    assert replies(Oracle(QUESTIONS, shown)) == REPLIES


def test_the_oracle_abstains_where_something_is_missing() -> None:
    silent = replies(Oracle(QUESTIONS, Evidence({HAT.fact: START})))
    assert silent == ["yes", ABSTAIN, "old key", "rack", ABSTAIN, "food, key", "nothing"]
    assert replies(Oracle(QUESTIONS, Evidence({}))) == [ABSTAIN] * len(QUESTIONS)


def test_the_oracle_knows_no_other_quiz() -> None:
    with pytest.raises(KeyError):
        asyncio.run(Oracle((), Evidence({})).answer(prompt(QUESTIONS[0])))


def test_right_replies() -> None:
    assert [gold(question) for question in QUESTIONS] == REPLIES
