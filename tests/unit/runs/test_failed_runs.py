"""Runs in which something failed, or was not reached: every verb works, and says so."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable
from dataclasses import replace
from itertools import islice
from pathlib import Path

import pytest

import people
from command import worldquiz
from worldquiz import api
from worldquiz.errors import RecordError
from worldquiz.facts.row import AnswerStatus, Row
from worldquiz.mango.running import replies
from worldquiz.runs.journal_file import framed
from worldquiz.runs.losses import FILE
from worldquiz.runs.progress import so_far
from worldquiz.runs.rows import kept, write_rows
from worldquiz.runs.run import Run

RUNS: dict[str, Callable[[Path], Path]] = {
    "mango": people.mazes,
    "tea-test": people.tasks,
    "tea-recall": people.views,
}
WHY = "HTTP 500 <b>no</b>"


@pytest.fixture(params=RUNS)
def run(request: pytest.FixtureRequest, tmp_path: Path) -> Path:
    return RUNS[request.param](tmp_path / request.param)


def write(run: Path, rows: Iterable[Row], **losses: object) -> None:
    nothing = {"failed": {}, "unfinished": [], "reason": ""}
    (run / FILE).write_text(json.dumps(nothing | losses))
    write_rows(run, rows)


def unit(row: Row) -> str:
    return f"{row.world}/{row.type}/{row.item}"


@pytest.mark.slow
def test_what_failed_is_in_no_score_and_is_told_by_every_verb(run: Path, tmp_path: Path) -> None:
    first, *rest = before = Run(run).rows
    lost = replace(first, reply="", answer=None, status=AnswerStatus.FAILED, correct=None,
                   points=None, unscored=WHY)  # fmt: skip
    write(run, [lost, *rest], failed={unit(first): WHY})
    found = Run(run)
    failed = [row for row in found.rows if row.status is AnswerStatus.FAILED]
    assert 0 < len(failed) <= len(before) == len(found.rows)
    assert all((row.score, row.unscored) == (None, WHY) for row in failed if row.score is None)
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
    first, *rest = Run(run).rows
    write(run, rest, unfinished=[unit(first)], reason="--max-cost 1 is reached")
    assert len(Run(run).rows) == len(rest)
    assert Run(run).score()["unfinished"] == {"units": 1, "reason": "--max-cost 1 is reached"}
    said = worldquiz("score", run)
    assert "Unfinished: 1 of the run's units (--max-cost 1 is reached)" in said.out


@pytest.mark.slow
def test_a_run_that_goes_on_is_shown_as_far_as_it_is(run: Path, tmp_path: Path) -> None:
    before = Run(run).rows
    journal = run / ".rows.journal"
    lines = replies.finished(run).values() if run.name == "mango" else map(kept, before)
    held = [framed(json.dumps(line).encode()) for line in islice(lines, 2)]
    journal.write_bytes(b"".join(held) + b"0123abcd 99 {")  # the next is half written
    written = journal.read_bytes()
    for name in ("rows.jsonl", "scores.json"):
        (run / name).unlink()
    with pytest.raises(RecordError, match="no rows"):
        _ = Run(run).rows
    with so_far():
        assert Run(run).rows == before[:2]
        page = api.write_report(run, tmp_path / "page.html").read_text("utf-8")
    assert "2 replies kept" in page
    assert journal.read_bytes() == written
    with pytest.raises(RecordError, match="no rows"):
        _ = Run(run).rows
