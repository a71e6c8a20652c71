"""Replies as people and models write them."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from worldquiz.facts.answer_text import abstains, normal
from worldquiz.facts.answer_values import categories, yes_no
from worldquiz.facts.grade import grade
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
from worldquiz.facts.requirement import All

NOW = All(())


def right(question: Question, reply: str) -> bool:
    return grade(question, answerable=True, reply=reply, kinds={"attic": "room"}) == 1


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
    ("question", "reply"),
    [
        (YES, "yes"), (YES, "Yes."), (YES, "YES, it was"), (YES, "'yes'"),
        (KEY, "tin key"), (KEY, "the tin key"), (KEY, "Tin Key."), (KEY, "**tin key**"),
        (PLACE, "red chest"), (PLACE, "in the red chest"), (PLACE, "The Kitchen"),
        (PLACE, "red chest in the kitchen"),
        (FLOOR, "on the floor of the attic"), (FLOOR, "attic"),
        (WAY, "east"), (WAY, "East."), (WAY, "to the east"),
        (KINDS, "food, key"), (KINDS, "key and food"), (KINDS, "[food, key]"),
        (KINDS, "keys, foods"), (EMPTY, "nothing"), (EMPTY, "None."),
    ],
)  # fmt: skip
def test_right_replies(question: Question, reply: str) -> None:
    assert right(question, reply)


@pytest.mark.parametrize(
    ("question", "reply"),
    [
        (YES, "no"), (YES, "yesterday"), (YES, "maybe"), (YES, ""), (YES, "not yes"),
        (KEY, "brass key"), (KEY, "key"), (KEY, "tin key or brass key"),
        (PLACE, "chest"), (PLACE, "red chest in the attic"), (PLACE, "attic"),
        (FLOOR, "in the red chest"), (WAY, "west"), (WAY, "north-east"),
        (KINDS, "food"), (KINDS, "food, key, object"), (KINDS, "apple, key"), (KINDS, ""),
        (EMPTY, "food"), (EMPTY, ""), (KINDS, "nothing"),
    ],
)  # fmt: skip
def test_wrong_replies(question: Question, reply: str) -> None:
    assert not right(question, reply)


@pytest.mark.parametrize(
    "reply", ["non-answerable", "Non-Answerable.", "non answerable", '"non-answerable"',
              "unanswerable", "NON_ANSWERABLE", "not seen", "Not shown."],
)  # fmt: skip
def test_abstaining_is_recognised(reply: str) -> None:
    assert abstains(reply)


@pytest.mark.parametrize("reply", ["", "no", "answerable", "I know", "non-answerable key"])
def test_anything_else_is_an_attempt(reply: str) -> None:
    assert not abstains(reply)


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
    assert {key for key, score in scores.items() if score == 1} == {
        (True, gold(question)),
        (False, ABSTAIN),
    }
    assert set(scores.values()) == {0, 1}


@pytest.mark.slow
@given(st.text(max_size=200))
def test_no_reply_whatever_breaks_the_grader(reply: str) -> None:
    for question in (YES, KEY, PLACE, FLOOR, WAY, KINDS, EMPTY):
        assert grade(question, answerable=True, reply=reply) in (0, 1)
        assert grade(question, answerable=False, reply=reply) in (0, 1)


def test_gold_is_written_as_a_taker_would() -> None:
    answers = [gold(q) for q in (YES, KEY, PLACE, WAY, KINDS, EMPTY)]
    assert answers == ["yes", "tin key", "red chest", "east", "food, key", "nothing"]


def test_unreadable_yes_no_and_categories_are_none() -> None:
    assert yes_no("perhaps", "Was it locked?") is None
    assert categories("lamp", "What kinds?", (), {}) is None


@pytest.mark.parametrize(
    ("name", "plain"),
    [
        ("In the red chest", "red chest"), ("on the floor of the attic", "attic"),
        ("Red\n chest", "red chest"), ("'Red chest.'", "red chest"), ("red chest !", "red chest"),
        ("`red chest`", "red chest"), ("Xylophone stand", "xylophone stand"),
        ("into a red chest", "red chest"),
    ],
)  # fmt: skip
def test_a_name_is_compared_without_case_article_preposition_quotes_and_end_mark(
    name: str, plain: str
) -> None:
    assert normal(name) == plain
