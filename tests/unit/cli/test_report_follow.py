"""A report that follows runs: written when a world is finished, and once more at the end."""

from __future__ import annotations

from pathlib import Path

import pytest

import worldquiz.cli.runs as cli
from pages import Reader
from worldquiz.facts.row import AnswerStatus, Row
from worldquiz.report.html import reloading
from worldquiz.report.rows_page import render
from worldquiz.runs.progress import Progress, is_so_far
from worldquiz.runs.run import Run


def followed(
    states: list[Progress], tmp_path: Path, monkeypatch: pytest.MonkeyPatch, kind: str = "run"
) -> list[tuple[bool, int]]:
    """Follow a run that goes through some states; return how each page was written, and when."""
    (tmp_path / "manifest.json").write_text(f'{{"kind": "{kind}", "worlds": ["a", "b"]}}')
    (tmp_path / "answers.jsonl").write_text("")
    left, written = list(states), []
    monkeypatch.setattr(cli, "progress_of", lambda _: left.pop(0))
    monkeypatch.setattr("worldquiz.cli.runs.time.sleep", lambda _: None)
    cli._follow([Run(tmp_path)], lambda: written.append((is_so_far(), len(states) - len(left))))
    assert not left
    return written


def at(worlds: int, *, working: bool = True, finished: bool = False) -> Progress:
    return Progress(working, finished, worlds, 2)


def test_a_page_is_written_when_a_world_is_finished(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    states = [at(0), at(0), at(1), at(1), at(2), at(2, working=False, finished=True)]
    assert followed(states, tmp_path, monkeypatch) == [(True, 1), (True, 3), (True, 5)]
    assert followed([at(2, working=False, finished=True)], tmp_path, monkeypatch) == []


def test_a_kind_that_cannot_be_read_so_far_is_waited_for(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    states = [at(0), at(1), at(1, working=False, finished=True)]
    assert followed(states, tmp_path, monkeypatch, "mango") == []


def test_only_a_page_of_a_run_that_goes_on_reads_itself_again() -> None:
    row = Row(
        run="a", benchmark="rooms", answerer="a", world="w", question="1", type="place",
        format="room", text="Where?", gold="attic", reply="attic", answerable=True,
        status=AnswerStatus.ANSWERED, score=1.0,
    )  # fmt: skip
    with reloading(7):
        live = render({"a": [row]}, resamples=0)
    done = render({"a": [row]}, resamples=0)
    assert 'http-equiv="refresh" content="7"' in live
    assert "location.reload()" in live
    assert any(attrs.get("id") == "live" for _, attrs in Reader(live).tags)
    assert "refresh" not in done
    assert "location.reload()" not in done
