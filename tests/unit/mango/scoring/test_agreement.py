"""How far people agree: by hand, and against what the paper prints."""

from __future__ import annotations

from itertools import permutations

import pytest

from worldquiz.llm.reply_lists import Form
from worldquiz.mango.scoring.contest import Scored
from worldquiz.mango.scoring.grade import Grade, Level, Task
from worldquiz.mango.scoring.people import Rated, agreement, minutes


def rated(
    rater: str, question: str, success: float, reasoning: float = 0.0, *,
    task: Task = Task.RF, level: Level = Level.EASY, taken: float | None = None,
) -> Rated:  # fmt: skip
    grade = Grade(Form.CLEAN, success, reasoning, success)
    return Rated(rater, Scored("toy", question, task, level, grade), taken)


def test_questions_that_one_person_answered_say_nothing() -> None:
    found = agreement([rated("ann", "1", 1), rated("bob", "2", 0)])
    assert found["rf"]["all"] == {"questions": 0, "success": None, "reasoning": None}


def test_two_people() -> None:
    found = agreement(
        [rated("ann", "1", 1, 1), rated("bob", "1", 0.5, 1), rated("ann", "2", 1, 0),
         rated("bob", "2", 1, 1)]
    )["rf"]  # fmt: skip
    assert found["all"] == found["easy"]
    assert found["easy"] == {"questions": 2, "success": 0.125, "reasoning": 0.5}
    assert found["hard"]["questions"] == 0


def test_three_people_are_three_twos() -> None:
    found = agreement([rated("ann", "1", 1), rated("bob", "1", 0), rated("cem", "1", 0)])
    assert found["rf"]["easy"]["success"] == pytest.approx(2 / 3)


def test_a_question_counts_once_however_many_answered_it() -> None:
    many = [rated(name, "1", float(name == "a")) for name in "abcdefgh"]
    both = [rated("a", "2", 1), rated("b", "2", 1)]
    alone, together = agreement(many), agreement([*many, *both])
    first = alone["rf"]["all"]["success"]
    assert together["rf"]["all"]["success"] == pytest.approx(first / 2)


def test_neither_order_nor_names_matter() -> None:
    some = [rated("ann", "1", 1), rated("bob", "1", 0.25), rated("cem", "1", 0)]
    assert len({str(agreement(order)) for order in permutations(some)}) == 1


def test_tasks_and_levels_are_kept_apart() -> None:
    found = agreement(
        [rated(name, "1", float(name == "a"), task=task, level=level)
         for name in "ab" for task in Task for level in Level]
    )  # fmt: skip
    # one id, two levels: the same question cannot be both, so all four answers are to one
    assert found["df"]["all"]["questions"] == 1
    assert found["rf"]["all"]["questions"] == 1


def test_minutes_are_those_of_timed_answers() -> None:
    found = minutes(
        [rated("a", "1", 1, taken=20), rated("b", "1", 1, taken=40), rated("c", "1", 1)]
    )
    assert found == {"df": {"mean": None, "answers": 0}, "rf": {"mean": 30, "answers": 2}}


def test_no_answers() -> None:
    assert agreement([])["df"]["all"]["success"] is None
