"""Scores of finished runs, computed again from their rows."""

from __future__ import annotations

import fcntl
import json
import os
from pathlib import Path

import people
import worldquiz as wq
from command import worldquiz


def test_a_run_that_another_process_writes_is_not_scored(tmp_path: Path) -> None:
    runs = [people.worlds(tmp_path / "worlds"), people.mazes(tmp_path / "mazes")]
    held = os.open(runs[1], os.O_RDONLY)
    fcntl.flock(held, fcntl.LOCK_EX)
    assert "mazes: another worldquiz process is writing here" in worldquiz("score", *runs).err
    os.close(held)
    assert worldquiz("score", *runs).code == 0


def test_a_finished_run_without_scores_is_scored_where_it_is_shown(tmp_path: Path) -> None:
    run = people.worlds(tmp_path / "worlds")
    before = worldquiz("show", run)
    (run / "scores.json").unlink()
    assert worldquiz("show", run) == before


def test_what_was_lost_is_told_without_reading_a_row_again(tmp_path: Path) -> None:
    run = people.worlds(tmp_path / "worlds")
    rows = [json.loads(line) for line in (run / "rows.jsonl").read_text("utf-8").splitlines()]
    asked = [row for row in rows if row["type"] != "task"]
    for row in asked:
        row |= {"status": "cut", "answer": None}
    (run / "rows.jsonl").write_text("".join(f"{json.dumps(row)}\n" for row in rows))
    wq.Run(run).score()
    (run / "rows.jsonl").unlink()
    (cut,) = wq.Run(run).losses
    assert cut.startswith(f"{len(asked)} of {len(asked)} replies were cut at the token limit")
