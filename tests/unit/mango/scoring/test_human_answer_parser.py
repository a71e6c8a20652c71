"""Answers as people write them: every form, what it earns, and what is no form."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mango_folder import TOY
from worldquiz.llm.reply_lists import Form, ToldMove, read_moves
from worldquiz.mango.scoring.grade import Grade, Question, Task, Ways, grade
from worldquiz.mango.scoring.people import written

WAYS = Ways(TOY)
WHERE = Question("toy", "1", Task.DF, "hall", ("north", "up"), "attic", 2, 3, 3)
HOW = Question("toy", "2", Task.RF, "hall", (), "attic", 2, 3, 3)
WHOLE = (ToldMove("hall", "north", "kitchen"), ToldMove("kitchen", "up", "attic"))


def earned(question: Question, text: str) -> Grade:
    return grade(WAYS, question, written(text, question.task).reply)


@pytest.mark.parametrize(
    "text",
    [
        "hall -> north -> kitchen -> up -> attic",
        " hall-->north-->kitchen --> up-->attic\n",
        "hall → north → kitchen → up → attic",
        "Hall => North => Kitchen => UP => Attic",
        "[{'prev_node': 'hall', 'action': 'north', 'node': 'kitchen'},"
        " {'prev_node': 'kitchen', 'action': 'up', 'node': 'attic'}]",
        "[{'location_before': 'hall', 'action': 'north', 'location_after': 'kitchen'},"
        " {'location_before': 'kitchen', 'action': 'up', 'location_after': 'attic'}]",
    ],
)
def test_a_trajectory_earns_all_of_it(text: str) -> None:
    for question in (WHERE, HOW):
        assert not written(text, question.task).bare
        assert earned(question, text) == Grade(Form.CLEAN, 1, 1, 1)


@pytest.mark.parametrize("text", ["north, up", "north; up", "north\nup", "go north,up,"])
def test_moves_alone_earn_success_and_no_reasoning(text: str) -> None:
    assert written(text, Task.RF).bare
    assert earned(HOW, text) == Grade(Form.CLEAN, 1, 0, 1)


def test_wrong_moves_alone_earn_nothing() -> None:
    assert earned(HOW, "north, south") == Grade(Form.CLEAN, 0, 0, 0)


def test_a_place_alone_earns_success_and_no_reasoning() -> None:
    assert written("attic", Task.DF).bare
    assert earned(WHERE, " Attic ") == Grade(Form.CLEAN, 1, 0, 1)
    assert earned(WHERE, "attics").success == pytest.approx(5 / 6)  # partial credit, as for models


def test_a_place_may_have_commas() -> None:
    (move,) = written("hall (1st floor, middle of north/south hall)", Task.DF).moves
    assert move.target == "hall (1st floor, middle of north/south hall)"


def test_not_knowing_is_an_answer_that_earns_nothing() -> None:
    for task in Task:
        assert written(" ? ", task).reply is None
    assert earned(HOW, "?") == Grade(Form.ILL_FORMED, 0, 0, 0)


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("", "no answer; write ? for"),
        ("  \n", "no answer"),
        ("hall -> north", "ends with a place"),
        ("hall -> -> kitchen", "place -> move -> place"),
        ("-> north -> kitchen", "place -> move -> place"),
        ("[{'prev_node': 'hall'}]", "no list of moves"),
        ("[__import__('os')]", "no list of moves"),
    ],
)
def test_what_is_no_answer_is_said(text: str, why: str) -> None:
    for task in Task:
        with pytest.raises(ValueError, match=why.replace("?", r"\?")):
            written(text, task)


@given(st.lists(st.sampled_from(["north", "go to 'x'", 'open "it"', "up"]), min_size=1, max_size=9))
def test_moves_alone_are_read_back_as_they_are(moves: list[str]) -> None:
    told = written(", ".join(moves), Task.RF)
    assert [move.action for move in told.moves] == moves
    assert read_moves(told.reply).moves == told.moves


@given(st.lists(st.sampled_from(["hall", "b 'x'", 'c "y"', "dôme"]), min_size=2, max_size=7))
def test_trajectories_are_read_back_as_they_are(places: list[str]) -> None:
    told = written(" -> move -> ".join(places), Task.DF)
    assert [(m.source, m.target) for m in told.moves] == list(pairwise(places))
    assert read_moves(told.reply).moves == told.moves
    assert read_moves(told.reply).form is Form.CLEAN
