"""Output: a line of progress now and then, no control character from a name, and signals."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import click
import pytest
from hypothesis import given
from hypothesis import strategies as st

from conftest import Cli
from worldquiz.cli import main, shell
from worldquiz.page.labels import visible


@given(st.text(st.characters()))
def test_what_is_visible_turns_and_moves_nothing(text: str) -> None:
    shown = visible(text)
    assert shown.encode() is not None
    assert visible(shown) == shown
    assert all(each.isprintable() or each == "\n" for each in shown)


def test_visible_shows_what_it_takes_out() -> None:
    assert visible("\ufdd0\ue000 ü") == "\\ufdd0\\ue000 ü"  # no character, and one of nobody's
    assert visible("a\x1b[31m\u202eb\ud800\tc\n\x00é") == "a\\x1b[31m\\u202eb\\ud800\\tc\n\\x00é"


def test_a_line_comes_every_thirty_seconds_and_quick_work_says_nothing(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    times = iter([0.0, 10.0, 45.0, 60.0, 125.0])
    with monkeypatch.context() as patch:
        patch.setattr("time.monotonic", lambda: next(times))
        with shell.working("building", 3) as done:
            for world in ("a", "b"):
                done(world)
            done.within("c", 7)
            done("c")
    assert capsys.readouterr().err.splitlines() == [
        "building: 2 of 3, b, 0 min", "building: 3 of 3, c, 2 min",
    ]  # fmt: skip


def test_printed_names_cannot_drive_the_terminal(capsys: pytest.CaptureFixture[str]) -> None:
    from worldquiz.page.terminal import table

    name = "evil\x1b[2J\x9b31m"
    shell.say(name, table([(name, "1")], "world", "count"))
    shell.emit({"name": name})
    said = capsys.readouterr().out
    assert "\x1b" not in said
    assert "\x9b" not in said
    assert json.loads(said[said.index("{") :]) == {"name": name}


def test_a_result_is_one_document_or_lines_that_hold_no_markup(
    capsys: pytest.CaptureFixture[str],
) -> None:
    def shown() -> Iterator[str]:
        yield "run: runs/[bold]x[/bold]"
        yield "x" * 300

    shell.tell({"a": 1}, shown(), json=False)
    assert capsys.readouterr().out == f"run: runs/[bold]x[/bold]\n{'x' * 300}\n"
    shell.tell({"a": 1}, (1 / 0 for _ in "x"), json=True)  # nothing of it is computed
    assert json.loads(capsys.readouterr().out) == {"a": 1}


@pytest.mark.parametrize("closed", ["stdout", "stderr"])
@pytest.mark.parametrize(
    ("arguments", "code"),
    [(["--help"], 0), (["--version"], 0), (["t2q", "agents", "--json"], 0),
     (["show", "nowhere"], 2), (["--bogus"], 2)],
)  # fmt: skip
def test_a_closed_output_is_no_error(
    closed: str, arguments: list[str], code: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "argv", ["worldquiz", *arguments])
    monkeypatch.setattr(sys, closed, None)  # as Python leaves it after ``>&-``
    with pytest.raises(SystemExit) as ended:
        main()
    getattr(sys, closed).close()
    assert int(ended.value.code or 0) == code


def test_a_mistake_leaves_no_file_open(cli: Cli, tmp_path: Path) -> None:
    """Commands run by the thousand in one process: by tests, and by whoever calls `main`."""
    before = len(list(Path("/proc/self/fd").iterdir()))
    for _ in range(3):
        assert cli("show", tmp_path / "nothing").code == 2
    assert len(list(Path("/proc/self/fd").iterdir())) == before


@pytest.mark.parametrize("terminal", [True, False])
def test_a_signal_that_a_library_drops_stops_after_the_piece_under_way(
    terminal: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sys.stderr.isatty", lambda: terminal)
    signal.signal(signal.SIGHUP, signal.SIG_IGN)  # as nohup has it
    shell.stop_by_signals()
    assert signal.getsignal(signal.SIGHUP) is signal.SIG_IGN
    finished: list[str] = []
    with pytest.raises(click.exceptions.Exit):
        _finish(finished)
    assert finished == ["a", "b"]
    assert shell.stopped_code() == 143


def _finish(finished: list[str]) -> None:
    with shell.working("pieces", 3) as done:
        for name in ("a", "b", "c"):
            with suppress(KeyboardInterrupt):
                if name == "b":
                    signal.raise_signal(signal.SIGTERM)
            finished.append(name)
            done(name)


STOPPED_AT_ONCE = """
import os, signal, sys, threading, time
from worldquiz.cli import app, main
sys.argv = ["worldquiz", "--version"]
app.main = lambda *words, **options: os.kill(os.getpid(), signal.SIGTERM) or time.sleep(9)
threading.Thread(target=threading.Event().wait).start()
main()
"""


def test_a_stopped_command_ends_although_a_thread_waits_for_good() -> None:
    script = [sys.executable, "-c", STOPPED_AT_ONCE]
    ended = subprocess.run(script, capture_output=True, check=False)
    assert (ended.returncode, ended.stdout, ended.stderr) == (143, b"", b"")
