"""The quiz that is made of any run's rows: nothing of the truth is shown, and answers are rows."""

from __future__ import annotations

import importlib.util
import shutil
import sys
from pathlib import Path
from typing import Any

import pytest

from worldquiz.errors import RecordError
from worldquiz.facts.question import ABSTAIN
from worldquiz.human.agreement import beside, earned
from worldquiz.human.quiz import quiz_of
from worldquiz.human.sitting import Sitting
from worldquiz.plugins import Catalogue
from worldquiz.runs import benchmark
from worldquiz.runs.executor import silent
from worldquiz.runs.run import Run

EXAMPLE = Path(__file__).parents[3] / "examples" / "own_benchmark.py"


@pytest.fixture
def own(monkeypatch: pytest.MonkeyPatch) -> Any:
    """The example's module, as the only benchmark that is installed."""
    told = importlib.util.spec_from_file_location("own_benchmark", EXAMPLE)
    assert told
    assert told.loader
    module = importlib.util.module_from_spec(told)
    monkeypatch.setitem(sys.modules, "own_benchmark", module)
    told.loader.exec_module(module)
    known = Catalogue("benchmark", "none", {"rooms": "own_benchmark:BENCHMARK"})
    monkeypatch.setattr(benchmark, "CATALOGUE", known)
    return module


@pytest.fixture
def run(own: Any, tmp_path: Path) -> Path:
    """A finished run of the upper bound on two houses."""
    path: Path = own.build(tmp_path / "houses", houses=2).run("reader", out=tmp_path / "run").path
    return path


def sit(run: Path, name: str, *, right: bool) -> Path:
    """Answer all questions, with the truth or by abstaining; return the person's folder."""
    out = run.with_name(f"run-{name}")
    out.mkdir()
    sitting = Sitting(quiz_of(run, name), out, silent)
    truth = {(row.world, row.type, row.item): row for row in Run(run).rows}
    for number, item in enumerate(sitting.sheet.items):
        row = truth[item.key[0], item.key[1], item.key[2]]
        sitting.answer(number, row.gold if right and row.shown else None, 2.5)
    sitting.finish()
    return out


def test_a_person_becomes_a_run_like_any_other(run: Path) -> None:
    out = sit(run, "Anna", right=True)
    mine, theirs = Run(out).rows, Run(run).rows
    assert [(row.world, row.item, row.score, row.status) for row in mine] == [
        (row.world, row.item, row.score, row.status) for row in theirs
    ]
    assert {row.answerer for row in mine} == {"human (Anna)"}
    assert {row.seconds for row in mine} == {2.5}
    assert Run(out).score() == Run(out).scores == Run(run).scores


def test_people_agree_by_what_their_answers_earned(run: Path) -> None:
    anna, ben = sit(run, "Anna", right=True), sit(run, "Ben", right=False)
    assert earned(Run(anna)).keys() == earned(Run(ben)).keys()
    [found] = beside(anna)
    missed = sum(row.shown for row in Run(run).rows)
    assert found["with"] == "Ben"
    assert found["questions"] == len(earned(Run(anna)))
    assert found["error"] == pytest.approx(missed / len(earned(Run(anna))))


def test_nothing_that_is_shown_holds_the_answer_of_a_free_question(run: Path) -> None:
    sheet = quiz_of(run, "human")
    for item in sheet.items:
        row = next(row for row in Run(run).rows if item.key == (row.world, row.type, row.item))
        shown = sheet.shown(item)
        assert shown["words"] == row.prompt
        assert shown["form"] == ("choice" if row.choices else "text")
        assert row.choices or row.gold not in str(shown)
        assert row.item not in (shown.get("id"), shown.get("key"))


def test_an_answer_is_a_choice_or_words_or_that_it_cannot_be_known(run: Path) -> None:
    sheet = quiz_of(run, "human")
    choice = next(item for item in sheet.items if item.key[1] == "route")
    free = next(item for item in sheet.items if item.key[1] == "location")
    assert sheet.line(free, " the  attic ", 1)["reply"] == "the attic"
    assert sheet.line(choice, None, 1)["reply"] == ABSTAIN
    for item, said in ((choice, "moon"), (choice, 3), (free, ""), (free, 3)):
        with pytest.raises(ValueError, match="first"):
            sheet.line(item, said, 1)


def test_a_world_is_read_as_the_benchmark_gives_it(run: Path, own: Any) -> None:
    sheet = quiz_of(run, "human")
    assert sheet.reading(1) == own.Houses(run.parent / "houses").reading("house-01")


def test_moved_data_are_given_and_must_be_those_of_the_run(run: Path, own: Any) -> None:
    shutil.move(run.parent / "houses", run.parent / "moved")
    with pytest.raises(RecordError, match="no manifest"):
        quiz_of(run, "human")
    assert quiz_of(run, "human", run.parent / "moved").parts
    own.build(run.parent / "others", houses=2, seed=8)
    with pytest.raises(RecordError, match="is not the data that"):
        quiz_of(run, "human", run.parent / "others")
