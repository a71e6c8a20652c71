"""Real-looking replies, each with the reading of a careful human grader (``replies.toml``)."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Any, cast

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
    Graded,
    Question,
    Type,
    What,
    Where,
    Which,
    YesNo,
    gold,
)
from worldquiz.facts.requirement import All, AnyOf, Reachable, Requirement, Seen, any_of
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
    right = grade(asked, answerable=True, reply=text).value == 1
    if reading in ("right", "wrong"):
        assert (found, right) == (AnswerStatus.ANSWERED, reading == "right")
    else:
        assert (found, right) == (AnswerStatus(reading), False)
    abstained = grade(asked, answerable=False, reply=text).value == 1
    assert abstained is (reading == "abstained")


@pytest.mark.parametrize("level", ["easy", "medium", "hard"])
def test_gold_is_right_for_every_question_of_a_world(level: str) -> None:
    asked = ask(generate(PRESETS[level], 11, id="w", level=level))
    assert len(asked) > 10
    for each in asked:
        for reply in (gold(each), gold(each).upper(), f"The answer is {gold(each)}.", *known(each)):
            assert status(each, reply) is AnswerStatus.ANSWERED, (each, reply)
            assert grade(each, answerable=True, reply=reply).value == 1, (each, reply)
        for wrong in set(false(each)):
            assert grade(each, answerable=True, reply=wrong).value == 0, (each, wrong)
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
                right = grade(asked, answerable=True, reply=said).value
                assert given is AnswerStatus.ANSWERED or right == 0


@pytest.mark.parametrize("name", TABLE)
def test_what_is_too_long_is_unreadable(name: str) -> None:
    asked = QUESTIONS[name]
    long = gold(asked) + "." * answer_text.LONGEST
    assert status(asked, long) is AnswerStatus.UNREADABLE
    assert status(asked, gold(asked) + "." * 100) is AnswerStatus.ANSWERED


# One question of each format

NOW = All(())


def right(question: Question, reply: str) -> bool:
    return grade(question, answerable=True, reply=reply).value == 1


YES = YesNo("q", Type.PROPERTY, "Was it locked?", True, NOW, ())
KEY = Which("q", Type.MATCH, "Which?", ("brass key", "tin key"), "tin key", NOW, ())
PLACE = Where("q", Type.LOCATION, "Where?", ("red chest", "kitchen"), NOW, ())
FLOOR = Which(
    "q", Type.LOCATION, "Which?", ("on the floor of the attic", "in the red chest"),
    "on the floor of the attic", NOW, (),
)  # fmt: skip
WAY = What("q", Type.DIRECTION, "Which way?", ("east",), NOW, ())
KINDS = Description("q", Type.LOCATION, "What kinds?", ("food", "key"), NOW, ())
EMPTY = Description("q", Type.LOCATION, "What kinds?", (), NOW, ())


@pytest.mark.parametrize(
    "question", [YES, KEY, PLACE, FLOOR, WAY, KINDS, EMPTY], ids=lambda q: q.text
)
def test_on_a_non_answerable_question_only_abstaining_is_right(question: Question) -> None:
    """Equations 2 and 3: a lucky right answer earns nothing."""
    scores = {
        (answerable, reply): grade(question, answerable=answerable, reply=reply)
        for answerable in (True, False)
        for reply in (gold(question), ABSTAIN, "the moon")
    }
    assert {key for key, score in scores.items() if score == Graded(1.0)} == {
        (True, gold(question)),
        (False, ABSTAIN),
    }
    assert set(scores.values()) == {Graded(1.0), Graded(0.0)}


@pytest.mark.slow
@given(st.text(max_size=200))
def test_no_reply_whatever_breaks_the_grader(reply: str) -> None:
    for question in (YES, KEY, PLACE, FLOOR, WAY, KINDS, EMPTY):
        assert grade(question, answerable=True, reply=reply).value in (0, 1)
        assert grade(question, answerable=False, reply=reply).value in (0, 1)


def test_a_question_of_no_known_kind_is_not_graded() -> None:
    with pytest.raises(AssertionError, match="a riddle"):
        right(cast("Question", "a riddle"), "yes")


def test_gold_is_written_as_a_taker_would() -> None:
    answers = [gold(q) for q in (YES, KEY, PLACE, WAY, KINDS, EMPTY)]
    assert answers == ["yes", "tin key", "red chest", "east", "food, key", "nothing"]


def test_a_name_has_fifteen_words_at_most() -> None:
    words = [f"{'abcdefghijklmnop'[n]}{'abcdefghijklmnop'[n]}room" for n in range(16)]
    for count, found in ((15, AnswerStatus.ANSWERED), (16, AnswerStatus.UNREADABLE)):
        assert status(PLACE, " ".join(words[:count])) is found


def test_only_a_door_is_in_both_of_two_rooms() -> None:
    rooms = ("attic", "kitchen")
    ends = AnyOf(tuple(Seen(DOOR_AT("gate", room, "east")) for room in rooms))
    for requires, known in ((ends, True), (Reachable(*rooms), False), (NOW, False)):
        place = Where("q", Type.LOCATION, "Where was the gate?", rooms, requires, ("gate",))
        assert right(place, "attic and kitchen") is known


def test_an_answer_has_sixty_words_at_most() -> None:
    for question, answer in ((PLACE, "kitchen"), (WAY, "east")):
        for more, found in ((59, True), (60, False)):
            assert right(question, f"{'the ' * more}{answer}") is found
