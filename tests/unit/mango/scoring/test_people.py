"""Answers of several people: agreement, minutes, and lines that are no answer."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from mango_folder import TOY, df_row, rf_row, write_rows
from worldquiz.errors import RecordError
from worldquiz.mango.asking.ask import Asked
from worldquiz.mango.maze.walkthrough import WalkStep
from worldquiz.mango.running.folder import begin_run
from worldquiz.mango.scoring.people import RATERS, read_people
from worldquiz.runs.folder import claimed

WALKED = replace(
    TOY, walkthrough=tuple(WalkStep(n, "wait" if n else "Init", f"text {n}") for n in range(7))
)
ANN = {"rater": "ann", "minutes": 15, "steps": 6}
BOB = {"rater": "bob", "minutes": 5, "steps": 6}
WHERE = df_row(0, 2, answer="hall -> north -> kitchen -> up -> attic")
HOW = rf_row("hall", "attic", answer="north, up")


def kept(folder: Path, *rows: dict[str, Any]) -> Path:
    """Return a run of people who gave these answers."""
    with claimed(folder):
        begin_run(folder, {"model": "human", **Asked(6).record()}, {"toy": WALKED})
        write_rows(folder / RATERS, *rows)
    return folder


def test_two_people_in_a_run_agree_as_those_in_two_runs(tmp_path: Path) -> None:
    ann, bob = {**WHERE, **ANN}, {**WHERE, **BOB, "answer": "attics"}
    both = read_people([kept(tmp_path / "both", ann, bob)])
    assert both == read_people([kept(tmp_path / "a", ann), kept(tmp_path / "b", bob)])
    assert both is not None
    cell = both["agreement"]["df"]["all"]
    assert (cell["questions"], cell["reasoning"]) == (1, 1)
    assert cell["success"] == pytest.approx(1 / 36)  # one letter of six
    assert both["minutes"]["df"] == {"mean": 10, "answers": 2}


def test_moves_alone_and_no_answer_are_graded_as_written(tmp_path: Path) -> None:
    found = read_people([kept(tmp_path / "r", {**HOW, **ANN}, {**HOW, **BOB, "answer": "?"})])
    assert found is not None
    cell = found["agreement"]["rf"]["all"]
    assert (cell["success"], cell["reasoning"]) == (1, 0)


def test_a_run_that_is_no_persons_has_no_people(tmp_path: Path) -> None:
    assert read_people([tmp_path]) is None


@pytest.mark.parametrize(
    ("row", "why"),
    [
        ({**WHERE, "answer": " "}, r"raters\.jsonl:1: no answer"),
        ({**WHERE, "task": "dff"}, r"raters\.jsonl:1: 'dff' is not a valid Task"),
        ({"game": "toy"}, r"raters\.jsonl:1: lacks 'answer'"),
        ({**WHERE, "game": "toyy"}, r"raters\.jsonl:1: .*no maze 'toyy'; did you mean 'toy'"),
        ({**WHERE, "id": "f00"}, r"raters\.jsonl:1: maze 'toy' has no question .* id 'f00'"),
    ],
)
def test_a_bad_line_is_named(tmp_path: Path, row: dict[str, Any], why: str) -> None:
    with pytest.raises(RecordError, match=why):
        read_people([kept(tmp_path / "r", {**ANN, **row})])
