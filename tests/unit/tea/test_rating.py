"""Ratings: the same three questions of a drawn share of each type, and each verdict as a row."""

from __future__ import annotations

from pathlib import Path
from types import SimpleNamespace
from typing import cast

from hypothesis import given
from hypothesis import strategies as st

import tea_contest
from conftest import Cli
from worldquiz.records import write_json
from worldquiz.runs.folder import MANIFEST
from worldquiz.runs.rows import about_item
from worldquiz.runs.run import Run
from worldquiz.tea.exam.exam import Exam
from worldquiz.tea.exam.sample import families
from worldquiz.tea.human import KIND, PAPER, QUESTIONS, Ratings, rated
from worldquiz.tea.taskgraph import Goal, Instance, Metres, Word

ASKED = tea_contest.asked(4)


@given(st.floats(0, 1), st.floats(0, 1), st.integers(0, 3))
def test_a_larger_share_holds_a_smaller_one_and_each_type(
    one: float, other: float, seed: int
) -> None:
    few, more = (rated(ASKED, each, seed) for each in sorted((one, other)))
    assert {task.id for task in few} <= {task.id for task in more}
    assert families(few).keys() == families(ASKED).keys()
    for name, some in families(more).items():
        assert len(some) == max(1, round(max(one, other) * len(families(ASKED)[name])))


def test_each_verdict_is_a_row_and_what_was_not_judged_has_no_score(tmp_path: Path) -> None:
    write_json(tmp_path / MANIFEST, {"kind": KIND, "answerer": "human", "name": "Ada"})
    one = quiz()
    said = {"valid": "yes", "helpful": "no", "everyday": ""}
    one.keep(tmp_path, [{**about_item(each.key), "reply": said[each.key[1]], "seconds": 2.0}
                        for each in one.asked])  # fmt: skip
    run = Run(tmp_path)
    assert [row.score for row in run.rows] == [1.0, 0.0, None] * 2
    assert {row.gold for row in run.rows} == {"yes"}
    found = run.score()
    assert found["paper"] == PAPER
    cells = {name: (cell["score"], cell["counts"]["scored"])
             for name, cell in found["by_type"].items()}  # fmt: skip
    assert cells == {"valid": (1.0, 2), "helpful": (0.0, 2), "everyday": (None, 0)}


def test_the_paper_and_how_far_people_agree_stand_beside_the_ratings(
    tmp_path: Path, cli: Cli
) -> None:
    for name, helpful in (("Ada", "no"), ("Ben", "yes")):
        folder = tmp_path / name
        folder.mkdir()
        write_json(folder / MANIFEST, {"kind": KIND, "answerer": "human", "name": name})
        one = quiz()
        said = {"valid": "yes", "helpful": helpful, "everyday": "no"}
        one.keep(folder, [{**about_item(each.key), "reply": said[each.key[1]], "seconds": 2.0}
                          for each in one.asked])  # fmt: skip
    lines = cli("score", tmp_path / "Ada", tmp_path / "Ben").out.splitlines()
    assert "In the paper: valid 1.00, helpful 0.91, everyday 0.85." in lines
    assert "People differ on: valid 0 %, helpful 100 %, everyday 0 % of what both judged." in lines
    assert not any("differ" in line for line in cli("score", tmp_path / "Ada").out.splitlines())


def quiz() -> Ratings:
    """A page about a depth and a walk."""
    tasks = (
        Instance("a", "depth", "flat", "v", {"object": "mug"}, "How far is the mug?", Metres(2.0),
                 {"object.label": Word("mug")}),
        Instance("c", "navigation", "flat", "v", {"object": "mug"}, "Go there.", Goal("mug", 1.0)),
    )  # fmt: skip
    exam = SimpleNamespace(tasks=tasks, walks=(), camera=lambda task: tea_contest.CAMERA)
    return Ratings(cast("Exam", exam), {"kind": KIND, "share": 1.0, "seed": 0}, "Ada")


def test_a_task_is_shown_with_its_answer_and_one_question_at_a_time() -> None:
    asked = quiz().asked
    assert [each.key[1:] for each in asked] == [(one, id) for id in "ac" for one in QUESTIONS]
    assert [each.part for each in asked] == ["depth"] * 3 + ["navigation"] * 3
    assert {each.choices for each in asked} == {("yes", "no")}
    for words in ("How far is the mug?", "2.00 m", QUESTIONS["helpful"]):
        assert words in asked[1].words
