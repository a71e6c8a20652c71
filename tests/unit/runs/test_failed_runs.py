"""Runs in which something failed, or was not reached: every verb works, and says so."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

import pytest

import people
import worldquiz as wq
from command import worldquiz

RUNS: dict[str, Callable[[Path], Path]] = {
    "mango": people.mazes,
    "tea-test": people.tasks,
    "tea-recall": people.views,
}
WHY = "HTTP 500 <b>no</b>"


@pytest.fixture(params=RUNS)
def run(request: pytest.FixtureRequest, tmp_path: Path) -> Path:
    return RUNS[request.param](tmp_path / request.param)


def write(run: Path, lines: Iterable[dict[str, Any]], **told: object) -> None:
    (run / "scores.json").unlink()
    manifest = json.loads((run / "manifest.json").read_text())
    (run / "manifest.json").write_text(json.dumps(manifest | told))
    (run / "rows.jsonl").write_text("".join(f"{json.dumps(line)}\n" for line in lines))


def read(run: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in (run / "rows.jsonl").read_text("utf-8").splitlines()]


@pytest.mark.slow
def test_what_failed_is_in_no_score_and_is_told_by_every_verb(run: Path, tmp_path: Path) -> None:
    first, *rest = before = read(run)
    nothing = dict.fromkeys(("answer", "correct", "points"))
    lost = {**first, **nothing, "reply": "", "status": "failed", "unscored": WHY}
    write(run, [lost, *rest])
    found = wq.Run(run)
    failed = [row for row in found.rows if row.status is wq.AnswerStatus.FAILED]
    assert 0 < len(failed) <= len(before) == len(found.rows)
    assert all((row.grade, row.unscored) == (None, WHY) for row in failed if row.grade is None)
    assert found.score()["failed"]["reasons"] == {WHY: found.score()["failed"]["questions"]}
    often = "once" if len(failed) == 1 else f"{len(failed)} times"
    assert f"({often} {WHY})" in worldquiz("score", run).out
    assert worldquiz("export", run, "--out", tmp_path / "rows.parquet").code == 0
    page = tmp_path / "page.html"
    said = worldquiz("report", run, "--out", page)
    assert said.code == 0, said.err
    assert "HTTP 500 &lt;b&gt;no" in page.read_text("utf-8")


@pytest.mark.slow
def test_what_was_not_reached_is_no_row(run: Path) -> None:
    rest = read(run)[1:]
    write(run, rest, unfinished={"units": 1, "reason": "--max-tokens 1 is reached"})
    assert len(wq.Run(run).rows) == len(rest)
    assert wq.Run(run).score()["unfinished"] == {"units": 1, "reason": "--max-tokens 1 is reached"}
    said = worldquiz("score", run)
    assert "Unfinished: 1 parts of the run (--max-tokens 1 is reached)" in said.out
