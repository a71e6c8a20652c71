"""Scoring spread over processes: equal bytes, whatever they share."""

from __future__ import annotations

import fcntl
import os
from collections.abc import Callable
from pathlib import Path

import pytest

import people
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
