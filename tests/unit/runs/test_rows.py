"""Rows as runs keep them: each benchmark writes them, and they read back as what it graded."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

import people
import synthetic
import worldquiz as wq

RUNS: dict[str, Callable[[Path], Path]] = {
    "t2q": people.worlds,
    "t2q-model": lambda folder: people.worlds(folder, synthetic.model_run()),
    "mango": people.mazes,
    "tea-test": people.tasks,
    "tea-recall": people.views,
}
PROMISED = {
    "world", "item", "type", "format", "prompt", "gold", "reply", "status", "correct", "guess",
    "shown",
}  # fmt: skip


@pytest.mark.parametrize("kind", RUNS)
def test_a_scored_run_holds_its_rows_one_a_line(kind: str, tmp_path: Path) -> None:
    run = wq.Run(RUNS[kind](tmp_path / kind))
    run.score()
    lines = (run.path / "rows.jsonl").read_text("utf-8").splitlines()
    assert all(json.loads(line).keys() >= PROMISED for line in lines)
    again = wq.load(run.path)
    assert (again.rows, again.tasks) == (run.rows, run.tasks)
    assert len(lines) == len(run.rows) + len(run.tasks)


ROW = wq.Row(
    run="run", benchmark="toy", answerer="me", world="w", item="1", type="t", format="text",
    prompt="?", gold="x", reply="x", shown=True, status=wq.AnswerStatus.ANSWERED, correct=0.5,
)  # fmt: skip


def test_the_grade_of_a_row_follows_from_what_was_shown_and_said() -> None:
    def grade(shown: bool, status: wq.AnswerStatus, correct: float | None) -> float | None:
        told = {"shown": shown, "status": status, "correct": correct}
        return wq.Row(**{**{n: getattr(ROW, n) for n in ROW.__slots__}, **told}).grade

    assert grade(True, wq.AnswerStatus.ANSWERED, 0.5) == 0.5
    assert grade(True, wq.AnswerStatus.ABSTAINED, None) == 0
    assert grade(False, wq.AnswerStatus.ABSTAINED, None) == 1
    assert grade(False, wq.AnswerStatus.ANSWERED, 1.0) == 0  # a lucky guess
    assert grade(False, wq.AnswerStatus.UNREADABLE, None) == 0
    assert grade(True, wq.AnswerStatus.FAILED, None) is None


@pytest.mark.parametrize("line", ["[]", "{", '{"world": 3}', '{"world": "w"}'])
def test_a_line_that_is_no_row_is_named(line: str, tmp_path: Path) -> None:
    path = people.tasks(tmp_path / "run") / "rows.jsonl"
    first, *rest = path.read_text("utf-8").splitlines()
    path.write_text("\n".join([first, line, *rest, ""]))
    with pytest.raises(wq.WorldquizError, match=r"rows\.jsonl:2"):
        _ = wq.load(path.parent).rows


def test_no_run_lies_in_its_own_data(tmp_path: Path) -> None:
    mazes = wq.mango.build(mazes=1, size=5, seed=3, out=tmp_path / "mazes")
    with pytest.raises(wq.WorldquizError, match=r"mazes/run: lies inside the data folder"):
        mazes.run("walk", out=tmp_path / "mazes" / "run")
