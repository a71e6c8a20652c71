"""Task2Quiz runs where the modules and signals of POSIX are missing, with equal results."""

from __future__ import annotations

import errno
import subprocess
import sys
from pathlib import Path

import pytest

import without_posix
from command import tree
from worldquiz.errors import RecordError
from worldquiz.runs.folder import claimed


@pytest.mark.slow
def test_results_do_not_depend_on_the_system_and_no_text_game_is_loaded(tmp_path: Path) -> None:
    here, elsewhere = tmp_path / "here", tmp_path / "elsewhere"
    for folder in (here, elsewhere):
        folder.mkdir()
    script = [sys.executable, str(without_posix.__file__), str(elsewhere)]
    done = subprocess.run(script, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    without_posix.road(here, jobs=1)
    assert tree(elsewhere) == tree(here)
    named = (name.removeprefix("worldquiz.t2q.") for name in done.stdout.split())
    assert not {name.partition(".")[0] for name in named} & {"textworld", "jericho"}


def test_a_folder_has_one_writer_at_a_time(tmp_path: Path) -> None:
    run = tmp_path / "run"
    refused = pytest.raises(RecordError, match="another worldquiz process is writing")
    with claimed(run), refused, claimed(run):
        pass
    with claimed(run):
        pass
    assert list(tmp_path.iterdir()) == [run]


def test_a_file_system_without_locks_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def unlocked(*told: object) -> None:
        raise OSError(errno.ENOSYS, "Function not implemented")

    monkeypatch.setattr("fcntl.flock", unlocked)
    with (
        pytest.raises(RecordError, match="its file system has no locks"),
        claimed(tmp_path / "run"),
    ):
        pass
