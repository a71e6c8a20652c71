"""Runs that are followed: a page is written when more is finished, and once more at the end."""

from __future__ import annotations

from pathlib import Path

import pytest

from pages import Reader
from worldquiz.cli import runs as cli
from worldquiz.facts.row import AnswerStatus, Row
from worldquiz.report.page import PageRun, build
from worldquiz.runs.journal_file import framed
from worldquiz.runs.progress import Progress
from worldquiz.runs.run import Run


def followed(
    states: list[Progress], tmp_path: Path, monkeypatch: pytest.MonkeyPatch, kind: str = "run"
) -> list[int]:
    """Follow a run that goes through some states; return after which of them pages were written."""
    (tmp_path / "manifest.json").write_text(f'{{"kind": "{kind}", "worlds": ["a", "b"]}}')
    left, written = list(states), []
    monkeypatch.setattr("worldquiz.runs.progress.progress_of", lambda _: left.pop(0))
    monkeypatch.setattr("worldquiz.cli.runs.time.sleep", lambda _: None)
    cli.follow([Run(tmp_path)], lambda: written.append(len(states) - len(left)))
    assert not left
    return written


def at(worlds: int, *, replies: int = 0, working: bool = True, finished: bool = False) -> Progress:
    return Progress(working, finished, worlds, 2, replies=replies)


def test_a_page_is_written_when_a_world_is_finished(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    states = [at(0), at(0), at(1), at(1), at(2), at(2, working=False, finished=True)]
    assert followed(states, tmp_path, monkeypatch) == [1, 3, 5]
    said = capsys.readouterr().err.splitlines()
    assert said == ["0 of 2 worlds", "1 of 2 worlds", "2 of 2 worlds", "finished"]
    assert followed([at(2, working=False, finished=True)], tmp_path, monkeypatch) == []


@pytest.mark.parametrize("kind", ["mango", "tea-run", "tea-recall"])
def test_a_page_of_answers_is_written_once_there_are_some(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, kind: str
) -> None:
    states = [at(0), at(0, replies=1), at(0, replies=1), at(0, replies=4), at(0, working=False)]
    assert followed(states, tmp_path, monkeypatch, kind) == []  # no journal: nothing can be read
    (tmp_path / ".rows.journal").write_bytes(framed(b'{"id": "q"}'))
    assert followed(states, tmp_path, monkeypatch, kind) == [1, 2, 4]


def test_a_kind_that_cannot_be_read_so_far_is_waited_for(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    states = [at(0), at(1), at(1, working=False, finished=True)]
    assert followed(states, tmp_path, monkeypatch, "tea-ratings") == []


def test_only_a_page_of_a_run_that_goes_on_reads_itself_again(tmp_path: Path) -> None:
    row = Row(
        run="a", benchmark="rooms", answerer="a", world="w", item="1", type="place",
        format="room", prompt="Where?", gold="attic", reply="attic", shown=True,
        status=AnswerStatus.ANSWERED, correct=1.0,
    )  # fmt: skip
    runs, out = [PageRun(name="a", rows=[row])], tmp_path / "page.html"
    live = build(runs, out, live=7, resamples=0).read_text("utf-8")
    done = build(runs, out, resamples=0).read_text("utf-8")
    assert 'http-equiv="refresh" content="7"' in live
    assert "location.reload()" in live
    assert any(attrs.get("id") == "live" for _, attrs in Reader(live).tags)
    assert "refresh" not in done
    assert "location.reload()" not in done
