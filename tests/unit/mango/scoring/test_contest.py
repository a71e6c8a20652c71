"""Means over mazes and of pairs, with their counts."""

from __future__ import annotations

import pytest

from worldquiz.llm.reply_lists import Form
from worldquiz.mango.scoring.contest import LEVELS, Scored, Tally, of, pair, table, tally
from worldquiz.mango.scoring.grade import Grade, Level, Task


def scored(
    game: str, id: str, success: float, *, level: Level = Level.EASY, task: Task = Task.DF
) -> Scored:
    form = Form.CLEAN if success else Form.ILL_FORMED
    return Scored(game, id, task, level, Grade(form, success, float(success == 1), success / 2))


SOME = (
    scored("a", "1", 1.0),
    scored("a", "2", 0.0),
    scored("a", "3", 0.5, level=Level.HARD),
    scored("b", "1", 1.0),
    scored("b", "4", 1.0, task=Task.RF),
)


def test_every_maze_weighs_the_same_in_the_macro_mean_every_question_in_the_micro_mean() -> None:
    cell = table(SOME)["df"]["all"]
    assert cell["success"]["macro"] == pytest.approx((0.5 + 1) / 2)
    assert cell["success"]["micro"] == pytest.approx(2.5 / 4)
    assert cell["reasoning"]["micro"] == pytest.approx(2 / 4)
    assert (cell["asked"], cell["mazes"], cell["clean"], cell["ill_formed"]) == (4, 2, 3, 1)


def test_ill_formed_answers_are_in_the_denominator() -> None:
    assert table(SOME, resamples=0)["df"]["easy"]["success"]["micro"] == pytest.approx(2 / 3)


def test_an_interval_needs_two_mazes() -> None:
    found = table(SOME)
    low, high = found["df"]["easy"]["success"]["interval"]
    assert low == 0.5
    assert high == 1.0
    assert found["df"]["hard"]["success"]["interval"] is None
    assert found["rf"]["hard"]["success"] == {"macro": None, "interval": None, "micro": None}


def test_the_levels_add_up_to_all() -> None:
    tallies = [of(SOME, Task.DF, level)["a"] for level in LEVELS]
    assert tallies[0] == tallies[1] + tallies[2]


def test_tallies_add_up() -> None:
    grades = [each.grade for each in SOME]
    assert tally(grades[:2]) + tally(grades[2:]) == tally(grades)
    assert Tally().record()["success"] is None


def test_a_pair_is_compared_on_what_both_were_asked() -> None:
    other = (
        scored("a", "1", 0.5),
        scored("a", "3", 1.0),  # easy for one, hard for the other
        scored("b", "1", 0.5),
        scored("b", "9", 1.0),
    )
    found = pair(SOME, other)
    assert (found["shared"], found["of_two_levels"]) == (3, 1)
    cell = found["df"]["easy"]
    assert (cell["asked"], cell["mazes"]) == (2, 2)
    assert (cell["success"]["left"], cell["success"]["right"]) == (1.0, 0.5)
    assert cell["success"]["difference"] == {"value": 0.5, "low": 0.5, "high": 0.5, "p": 0.5}
    assert found["rf"]["all"]["success"] == {"left": None, "right": None, "difference": None}
    assert pair(SOME, other, resamples=0)["df"]["easy"]["success"]["difference"] is None
