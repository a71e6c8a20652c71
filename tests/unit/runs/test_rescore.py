"""Scoring spread over processes: equal bytes, whatever they share."""

from __future__ import annotations

import fcntl
import json
import os
from collections.abc import Callable
from pathlib import Path

import pytest

import people
import worldquiz as wq
from command import worldquiz

MAKERS: dict[str, Callable[[Path], Path]] = {
    "worlds": people.worlds, "mazes": people.mazes, "tasks": people.tasks,
}  # fmt: skip


@pytest.mark.slow
def test_processes_write_the_bytes_of_one(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("worldquiz.runs.run.LEAST", 2)
    runs = [make(tmp_path / name) for name, make in MAKERS.items()]
    assert worldquiz("score", *runs, "--jobs", 1).code == 0
    alone = [(run / "scores.json").read_bytes() for run in runs]
    for run in runs:
        (run / "scores.json").unlink()
    said = worldquiz("score", *runs, runs[0], "--jobs", 2)
    assert (said.code, said.err) == (0, "")
    assert [(run / "scores.json").read_bytes() for run in runs] == alone


def test_a_run_that_another_process_writes_is_not_scored(tmp_path: Path) -> None:
    runs = [people.worlds(tmp_path / "worlds"), people.mazes(tmp_path / "mazes")]
    held = os.open(runs[1], os.O_RDONLY)
    fcntl.flock(held, fcntl.LOCK_EX)
    assert "mazes: another worldquiz is writing here" in worldquiz("score", *runs).err
    os.close(held)
    assert worldquiz("score", *runs).code == 0


def test_a_finished_run_without_scores_says_so_and_how_to_get_them(tmp_path: Path) -> None:
    run = people.worlds(tmp_path / "worlds")
    (run / "scores.json").unlink()
    said = worldquiz("show", run)
    assert (
        said.out == f"worlds: is finished, and has no scores: `worldquiz score {run}` writes them\n"
    )
    assert worldquiz("score", run).code == 0


def test_what_was_lost_is_told_without_reading_a_row_again(tmp_path: Path) -> None:
    run = people.worlds(tmp_path / "worlds")
    rows = [json.loads(line) for line in (run / "rows.jsonl").read_text("utf-8").splitlines()]
    asked = [row for row in rows if row["type"] != "task"]
    for row in asked:
        row |= {"status": "cut", "answer": None}
    (run / "rows.jsonl").write_text("".join(f"{json.dumps(row)}\n" for row in rows))
    wq.Run(run).score()
    (run / "rows.jsonl").unlink()
    cut, unread = wq.Run(run).losses
    assert cut.startswith(f"{len(asked)} of {len(asked)} replies were cut at the limit of tokens")
    assert unread.startswith(f"in {len(asked)} of {len(asked)} replies no answer can be read")
