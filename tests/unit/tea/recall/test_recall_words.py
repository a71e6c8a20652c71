"""What is said around pictures, and how replies are read."""

from __future__ import annotations

import json
from functools import cache
from math import pi

import pytest

from recalls import around, flat, look
from worldquiz.facts.question import ABSTAIN
from worldquiz.tea.recall.quiz.exam import ask
from worldquiz.tea.recall.quiz.kinds import kinds
from worldquiz.tea.recall.walked import Walked
from worldquiz.tea.recall.words import NOT_SHOWN, caption, questions, read, reply


@cache
def walked(size: int = 60) -> Walked:
    views = (look(0, 2, 1, pi / 2, "mug-1", "cabinet-1"), *around(1, 2, 2, "stove-1"))
    return Walked(flat(), views, ask(flat(), kinds(), each=3), size)


def test_captions_say_where_a_picture_was_taken_as_seen_from_the_first() -> None:
    views = (look(0, 2, 1, pi / 2), look(1, 2, 2.5, pi / 2), look(2, 1, 2.5, pi), look(3, 2, 1, 0))
    flat_ = Walked(flat(), views, ())
    assert caption(flat_, 1) == "Picture 1: x 0.00, y 0.00, looking 0"
    assert caption(flat_, 2) == "Picture 2: x 1.50, y 0.00, looking 0"
    assert caption(flat_, 3) == "Picture 3: x 1.50, y 1.00, looking 90"
    assert caption(flat_, 4) == "Picture 4: x 0.00, y 0.00, looking -90"


def test_nothing_that_is_said_tells_what_was_shown() -> None:
    flat_ = walked()
    for sheet in flat_.sheets:
        said = questions(sheet)
        assert said.count("\n") == len(sheet.items) + 1
        assert ABSTAIN not in said
        assert f'answer "{NOT_SHOWN}"' in said


def test_kinds_that_give_others_away_have_sheets_of_their_own() -> None:
    for size in (60, 4):
        flat_ = walked(size)
        asked = [item.question.id for sheet in flat_.sheets for item in sheet.items]
        assert sorted(asked) == sorted(item.question.id for item in flat_.asked)
        for sheet in flat_.sheets:
            found = {item.kind for item in sheet.items}
            assert found in ({"presence"}, {"count"}) or not found & {"presence", "count"}
            assert len(sheet.items) <= size
        assert len({sheet.id for sheet in flat_.sheets}) == len(flat_.sheets)


@pytest.mark.parametrize(
    "said",
    [
        NOT_SHOWN,
        "Not shown.",
        "not-shown",
        '"not shown"',
        "non-answerable",
        "NOT SHOWN",
        "not shown in the pictures",
        "It was not shown",
    ],
)
def test_what_says_that_it_was_not_shown_abstains(said: str) -> None:
    sheet = walked().sheets[0]
    answers = read(sheet, reply([said] * len(sheet.items)))
    assert {each.lower() for each in answers.values()} == {ABSTAIN}


def test_answers_are_read_by_their_number() -> None:
    sheet = walked().sheets[0]
    ids = [item.question.id for item in sheet.items]
    turned = [{"question": n, "answer": f"a{n}"} for n in range(len(ids), 0, -1)]
    assert read(sheet, json.dumps({"answers": turned}))[ids[1]] == "a2"
    plain = read(sheet, json.dumps({"answers": ["x", "y"]}))
    assert [plain[id] for id in ids[:3]] == ["x", "y", ""]
    odd = read(sheet, json.dumps({"answers": [{"question": "Q2.", "answer": "z"}]}))
    assert [odd[id] for id in ids[:3]] == ["", "z", ""]


@pytest.mark.parametrize("said", ["", "I do not know", "[]", '{"answers": 5}', '{"answers": [[]]}'])
def test_what_is_no_reply_answers_nothing(said: str) -> None:
    sheet = walked().sheets[0]
    assert set(read(sheet, said).values()) == {""}
