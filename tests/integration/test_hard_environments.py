"""Commands under odd outputs, and ended by signals: no traceback, and a word on how to go on."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

import people
from process import PATIENCE, ended, start
from worldquiz.t2q.suites import Suite

COMMAND = (sys.executable, "-m", "worldquiz")
BUILD = ("t2q", "build", "--preset", "easy", "--seed", "1", "--worlds", "400")


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A run of Task2Quiz, whose tables hold letters beyond ASCII."""
    return people.worlds(tmp_path_factory.mktemp("runs") / "r")


@pytest.mark.parametrize(
    "env",
    [
        {"LANG": "C", "LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"},
        {"PYTHONIOENCODING": "ascii"},
    ],
    ids=["the locale C", "ascii"],
)
def test_letters_that_an_output_lacks_are_spelled(run: Path, env: dict[str, str]) -> None:
    done = subprocess.run(
        [*COMMAND, "score", run], env={**os.environ, **env}, capture_output=True, check=False
    )
    assert (done.returncode, done.stderr) == (0, b"")
    assert done.stdout.isascii()
    assert b"scout" in done.stdout


def test_nobody_listens(run: Path) -> None:
    line = " ".join([*COMMAND, "score", str(run), ">&-"])
    done = subprocess.run(line, shell=True, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")


@pytest.mark.parametrize(("number", "jobs"), [(signal.SIGTERM, "1"), (signal.SIGHUP, "2")])
def test_a_signal_stops_a_command_as_ctrl_c_does(
    tmp_path: Path, number: signal.Signals, jobs: str
) -> None:
    scratch, out = tmp_path / "tmp", tmp_path / "suite"
    scratch.mkdir()
    process = start(*BUILD, "--jobs", jobs, "--out", out, env={"TMPDIR": str(scratch)})
    while not list(out.glob("worlds/*")) and process.poll() is None:
        time.sleep(0.01)
    process.send_signal(number)
    said, told = process.communicate()
    assert (process.returncode, said) == (128 + number, ""), told
    kept = "stopped; what is built is kept: give the same command again to go on\n"
    assert told == kept
    assert list(scratch.iterdir()) == []
    deadline = time.monotonic() + PATIENCE
    while living(process.pid):  # workers, and Python's own tracker of what they share
        assert time.monotonic() < deadline, "something of the command goes on"
        time.sleep(0.01)


def test_a_signal_during_an_import_is_told_by_the_exit_code(suite: Suite, tmp_path: Path) -> None:
    """Python imports dataclasses and named tuples by an ``exec``."""
    (tmp_path / "struck.py").write_text(
        'exec("import signal; signal.raise_signal(signal.SIGTERM)")', encoding="utf-8"
    )
    ended(
        "t2q", "run", suite.path, "--agent", "struck:Agent",
        "--answerer", "abstainer", "--out", tmp_path / "run",
        code=128 + signal.SIGTERM, env={"PYTHONPATH": str(tmp_path)},
    )  # fmt: skip


def living(group: int) -> bool:
    """Tell whether a process of a group is left."""
    try:
        os.killpg(group, 0)
    except ProcessLookupError:
        return False
    return True
