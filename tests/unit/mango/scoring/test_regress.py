"""Contests become regressions: which predictors, of what was read, with what in them."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

import pytest

from mango_contests import contest, contestant, some_mazes
from mango_folder import TOY
from worldquiz.errors import KnobError
from worldquiz.mango.maze.maze import Maze
from worldquiz.mango.scoring.grade import Question
from worldquiz.mango.scoring.predictors import predictors
from worldquiz.mango.scoring.regression import regress

MAZES = some_mazes(12)
FEW = dict(list(MAZES.items())[:4])
"""Enough where only predictors are looked at."""


def by_length(question: Question, maze: Maze) -> float:
    return max(0.0, 1 - 0.08 * (question.shortest or 0))


@pytest.fixture(scope="module")
def found() -> Any:
    """Somebody who fails at long routes, and nothing else."""
    return regress(contest(MAZES, contestant("short", MAZES, by_length)))


def test_predictors_of_the_toy() -> None:
    ground = predictors(TOY, 6)
    assert (ground["locations"], ground["explicit_edges"], ground["imputed_edges"]) == (5, 5, 1)
    assert ground["avg_imputed_in_hard"] == 1  # one edge alone was never taken
    assert ground["avg_len_easy"] == pytest.approx((4 * 1 + 2 + 2 + 2 + 1) / 8)  # listed by hand
    assert ground["avg_len_hard"] == pytest.approx((1 + 2 + 2 + 2) / 4)
    assert ground["confusable_locations"] == 5
    assert ground["avg_len_scene"] is None  # a map alone has no texts


def test_predictors_are_those_of_what_was_read() -> None:
    ground = predictors(TOY, 2)
    assert (ground["locations"], ground["explicit_edges"], ground["imputed_edges"]) == (2, 2, 0)
    assert ground["avg_len_hard"] is None
    early = predictors(TOY, 1)
    assert (early["explicit_edges"], early["imputed_edges"]) == (1, 1)


def test_more_steps_than_there_are_are_all_of_them() -> None:
    assert predictors(TOY, 10**9) == predictors(TOY, 6)


def test_it_is_a_json_document_of_every_task_level_and_score(found: Any) -> None:
    assert json.loads(json.dumps(found, allow_nan=False)) == found
    tasks = found["contestants"]["short"]
    assert list(tasks) == ["df", "rf"]
    for levels in tasks.values():
        assert list(levels) == ["easy", "hard", "all"]
        assert all(list(scores) == ["success", "reasoning"] for scores in levels.values())


def test_lines_are_the_rows_of_table_10_and_ours(found: Any) -> None:
    def rows(level: str) -> list[str]:
        cells = found["contestants"]["short"]["df"][level]["success"]
        return [each.get("predictor", each.get("what")) for each in cells]

    assert rows("easy") == [
        "locations", "explicit_edges", "confusable_locations", "avg_len_easy", "avg_len_scene",
        "alike_locations",
    ]  # fmt: skip
    assert rows("hard")[2:7] == [
        "imputed_edges", "confusable_locations", "avg_len_hard", "avg_imputed_in_hard",
        "avg_len_scene",
    ]  # fmt: skip


def test_somebody_who_is_always_right_has_nothing_to_explain() -> None:
    told = regress(contest(MAZES, contestant("sure", MAZES, lambda *_: 1.0)))
    cell = told["contestants"]["sure"]["df"]["easy"]["success"]
    assert cell[0]["why"] == "the rate is 1.00 in all 12 mazes"
    assert all(each["kind"] == "refused" for each in cell)


def test_each_contestant_has_the_mazes_as_he_read_them() -> None:
    all_of_it = contestant("whole", FEW, by_length)
    part = contestant("part", FEW, by_length, steps=15)
    told = regress(contest(FEW, all_of_it, part))["predictors"]
    for name, maze in FEW.items():
        assert told["part"][name]["steps"] == min(15, maze.steps)
        assert told["part"][name]["locations"] <= told["whole"][name]["locations"]
        assert told["whole"][name]["locations"] == len(maze.places)


def test_the_order_of_answers_changes_nothing(found: Any) -> None:
    one = contestant("short", MAZES, by_length)
    back = replace(one, marked=one.marked[::-1])
    told = regress(contest(MAZES, back))["contestants"]["short"]
    for task, levels in found["contestants"]["short"].items():
        for level, scores in levels.items():
            for ours, other in zip(scores["success"], told[task][level]["success"], strict=True):
                assert ours.get("beta") == pytest.approx(other.get("beta"))


def test_answers_that_count_nowhere_are_left_out() -> None:
    one = contestant("short", MAZES, by_length)
    beyond = replace(one.marked[0], level=None)
    told = regress(contest(MAZES, replace(one, marked=(*one.marked, beyond))))
    assert told == regress(contest(MAZES, one))


def test_a_maze_read_twice_differently_is_an_error_that_says_what_to_do() -> None:
    one = contestant("short", MAZES, by_length)
    mixed = replace(one.marked[0], steps=7)
    with pytest.raises(KnobError, match=r"short: maze 'maze-00' was read to step 7 and to step "):
        regress(contest(MAZES, replace(one, marked=(mixed, *one.marked))))


def test_who_reads_names_alone_has_scenes_of_few_words() -> None:
    full = contestant("full", FEW, by_length)
    brief = replace(full, name="brief", settings={"walkthrough": "simplified"})
    told = regress(contest(FEW, full, brief))["predictors"]
    for game in FEW:
        whole, names = told["full"][game], told["brief"][game]
        assert 0 < names["avg_len_scene"] < 4 < whole["avg_len_scene"]
        assert {**whole, "avg_len_scene": 0} == {**names, "avg_len_scene": 0}
