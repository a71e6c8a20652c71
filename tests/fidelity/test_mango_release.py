"""``--compat release`` gives the released evaluator's own figures on its own example answers."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from mango_data import mango_data
from worldquiz.mango.maze.mango import Layout
from worldquiz.mango.paths.pairs import Route
from worldquiz.mango.scoring.answers import WHOLE
from worldquiz.mango.scoring.grade import Answer, Task
from worldquiz.mango.scoring.score import Atlas, Compat, score


@pytest.fixture
def examples() -> Path:
    folder = mango_data() / "official_eval_examples"
    if not folder.is_dir():
        pytest.skip(f"the release's example answers are not at {folder}")
    return folder


def found(examples: Path, compat: Compat, task: Task) -> Any:
    return score(examples, examples.parent, compat=compat)[task]


@pytest.mark.parametrize("task", Task)
def test_the_release_s_figures_are_reproduced_exactly(examples: Path, task: Task) -> None:
    published = json.loads((examples.parent / "official_eval_905.json").read_text("utf-8"))
    wanted = published[f"{task.upper()}_all"]
    for table in ("905", "summary"):
        ours = found(examples, Compat.RELEASE, task)[table]["all"]
        assert {name: ours[name] for name in wanted} == wanted


def test_looking_at_the_answers_takes_two_destinations_back(examples: Path) -> None:
    ours = found(examples, Compat.RELEASE_FIXED, Task.DF)["905"]["all"]
    assert ours["strict_score"] == 14
    assert ours["loose_score_average"] == pytest.approx(14.3636363636 / 16)


def test_questions_without_a_route_are_not_unreadable_answers(examples: Path) -> None:
    ours = found(examples, Compat.RELEASE_FIXED, Task.RF)["905"]["all"]
    assert (ours["parsing_error"], ours["step_num_error"], ours["valid_task"]) == (0, 4, 16)


def test_by_the_paper_every_asked_question_counts(examples: Path) -> None:
    df, rf = (found(examples, Compat.PAPER, task)["all"] for task in Task)
    assert df["asked"] == rf["asked"] == 16
    assert df["success"]["micro"] == pytest.approx(14.3636363636 / 16)
    assert rf["success"]["micro"] == 11 / 16
    assert (df["reasoning"]["micro"], rf["reasoning"]["micro"]) == (14 / 16, 11 / 16)


def test_every_published_question_is_found_by_its_id_with_its_labels() -> None:
    root = mango_data()
    atlas = Atlas(root, Layout.STEPS70, easy=Route.ANY)
    for game in sorted(atlas.names):
        book = atlas.book(game)
        for task, name in ((Task.DF, "all2all"), (Task.RF, "all_pairs")):
            text = (root / game / "steps70" / f"{game}.{name}.jsonl").read_text("utf-8")
            for line in text.splitlines():
                entry = json.loads(line)
                actions = tuple(move["action"] for move in entry.get("path_details", ()))
                question = book.find(
                    Answer(game, entry["id"], task, entry["src_node"], actions,
                           entry["dst_node"], None, WHOLE, None, "here")
                )  # fmt: skip
                assert question is not None, entry
                assert (question.easy_from or 9999) == entry["min_step_forward_answerable"]
                assert (question.answerable_from or 9999) == entry["min_step_total_answerable"]
