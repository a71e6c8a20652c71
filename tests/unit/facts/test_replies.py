"""Real-looking replies, each with the reading of a careful human grader (``replies.toml``)."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from pydantic import TypeAdapter

from worldquiz.facts import answer_text
from worldquiz.facts.answer_text import bearing, direction
from worldquiz.facts.fact import COMPASS, DOOR_AT
from worldquiz.facts.grade import grade, status
from worldquiz.facts.question import (
    ABSTAIN,
    Description,
    Question,
    Type,
    What,
    Where,
    Which,
    YesNo,
    gold,
)
from worldquiz.facts.requirement import All, Requirement, Seen, any_of
from worldquiz.facts.row import AnswerStatus
from worldquiz.llm.json_replies import read_answer
from worldquiz.t2q.quiz.ask import ask
from worldquiz.t2q.world.config import PRESETS
from worldquiz.t2q.world.generate import generate

TABLE: dict[str, dict[str, Any]] = tomllib.loads(
    (Path(__file__).parent / "replies.toml").read_text("utf-8")
)
READINGS = ("right", "wrong", "abstained", "unreadable", "refused")
_OF_DOOR = any_of(*(Seen(DOOR_AT("grey hatch", room, "north")) for room in ("attic", "nursery")))


def dump(requires: Requirement) -> object:
    return TypeAdapter[Requirement](Requirement).dump_python(requires)


def question(name: str) -> Question:
    told = {key: value for key, value in TABLE[name].items() if key not in (*READINGS, "door")}
    requires = dump(_OF_DOOR if TABLE[name].get("door") else All(()))
    fields = {"id": name, "type": Type.LOCATION, "requires": requires, **told}
    return TypeAdapter[Question](Question).validate_python(fields)


QUESTIONS = {name: question(name) for name in TABLE}
CASES = [
    (name, reply, reading)
    for name, told in TABLE.items()
    for reading in READINGS
    for reply in told.get(reading, ())
]


@pytest.mark.parametrize(("name", "reply", "reading"), CASES)
def test_a_reply_is_read_as_a_careful_grader_reads_it(name: str, reply: str, reading: str) -> None:
    asked, (text, _) = QUESTIONS[name], read_answer(reply)
    found = status(asked, text)
    right = grade(asked, answerable=True, reply=text) == 1
    if reading in ("right", "wrong"):
        assert (found, right) == (AnswerStatus.ANSWERED, reading == "right")
    else:
        assert (found, right) == (AnswerStatus(reading), False)
    abstained = grade(asked, answerable=False, reply=text) == 1
    assert abstained is (reading == "abstained")


@pytest.mark.parametrize("level", ["easy", "medium", "hard"])
def test_gold_is_right_for_every_question_of_a_world(level: str) -> None:
    asked = ask(generate(PRESETS[level], 11, id="w", level=level))
    assert len(asked) > 10
    for each in asked:
        for reply in (gold(each), gold(each).upper(), f"The answer is {gold(each)}.", *known(each)):
            assert status(each, reply) is AnswerStatus.ANSWERED, (each, reply)
            assert grade(each, answerable=True, reply=reply) == 1, (each, reply)
        for wrong in set(false(each)):
            assert grade(each, answerable=True, reply=wrong) == 0, (each, wrong)
        assert status(each, ABSTAIN) is AnswerStatus.ABSTAINED


def known(asked: Question) -> list[str]:
    """Return more right replies: every answer, and both places of a thing."""
    match asked:
        case Where(answers=(holder, room)):
            return [room, f"in the {holder}, {room}", f"{room}, {holder}"]
        case Where(answers=answers) | What(answers=answers):
            return list(answers)
        case YesNo() | Which() | Description():
            return []


def false(asked: Question) -> list[str]:
    """Return replies that are wrong: other choices, the other word, one place too many."""
    match asked:
        case YesNo(answer=answer):
            return ["no" if answer else "yes", "yes and no"]
        case Which(choices=choices, answer=right):
            return [*(each for each in choices if each != right), " or ".join(choices)]
        case Where(answers=answers):
            return [f"{each}, moon room" for each in answers] + [f"in the {answers[0]} in the moon"]
        case What(answers=answers):
            return [f"not {answers[0]}", f"{answers[0]} or moon"]
        case Description(categories=found):
            return ["moon", ", ".join((*found, "moon"))]


@pytest.mark.parametrize("way", COMPASS)
def test_a_direction_has_many_spellings(way: str) -> None:
    parts = way.split("-")
    short = "".join(part[0] for part in parts)
    spellings = {
        way, "".join(parts), " ".join(parts), short, short.upper(), f"{way}ward", f"{way}wards",
        f"{way}ern", way.title(), way.replace("-", "–"), ".".join(short) + ".",
    }  # fmt: skip
    assert {direction(each) for each in spellings} == {way}
    assert {bearing(f"go {each}", "", ()) for each in spellings} == {way}


DEEP = (
    "[" * 100_000,
    "{" * 100_000,
    '{"answer": ' * 5_000,
    '{"answer": ' + "[" * 900 + "]" * 900 + "}",
)
ANY = st.text(st.characters() | st.characters(categories=["Cs"]))


@given(st.one_of(ANY, st.sampled_from(CASES).map(lambda case: case[1])), ANY)
@example("\ud800", "")
@example(DEEP[0], "")
@example(DEEP[1], "")
@example(DEEP[2], "")
@example(DEEP[3], "}")
@example('{"answer": "\\ud800"}', "")
@example('{"answer": ' + "9" * 5_000 + "}", "")
@example("the " * 50_000, "answer")
@example('{"' * 9_000, "")
def test_any_text_can_be_read_and_kept(one: str, two: str) -> None:
    for reply in (one, one + two):
        text, _ = read_answer(reply)
        text.encode()
        for asked in QUESTIONS.values():
            for said in (text, reply):
                given = status(asked, said)
                right = grade(asked, answerable=True, reply=said)
                assert given is AnswerStatus.ANSWERED or right == 0


@pytest.mark.parametrize("name", TABLE)
def test_what_is_too_long_is_unreadable(name: str) -> None:
    asked = QUESTIONS[name]
    long = gold(asked) + "." * answer_text.LONGEST
    assert status(asked, long) is AnswerStatus.UNREADABLE
    assert status(asked, gold(asked) + "." * 100) is AnswerStatus.ANSWERED
