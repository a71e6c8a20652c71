"""Task2Quiz runs where the modules and signals of POSIX are missing, with equal results."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

import without_posix
from worldquiz.errors import RecordError
from worldquiz.runs.folder import busy, claimed


@pytest.fixture(scope="module")
def elsewhere(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, set[str]]:
    """A folder with all that was written without POSIX, and the modules that were loaded."""
    folder = tmp_path_factory.mktemp("elsewhere")
    done = subprocess.run(
        [sys.executable, without_posix.__file__, folder], capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr
    return folder, set(done.stdout.split())


def files(folder: Path) -> dict[Path, bytes]:
    found = (path for path in folder.rglob("*") if path.is_file())
    return {path.relative_to(folder): path.read_bytes() for path in found}


@pytest.mark.slow
def test_results_do_not_depend_on_the_system(
    elsewhere: tuple[Path, set[str]], tmp_path: Path
) -> None:
    without_posix.road(tmp_path, jobs=1)
    assert files(elsewhere[0]) == files(tmp_path)


@pytest.mark.slow
def test_no_text_game_is_loaded(elsewhere: tuple[Path, set[str]]) -> None:
    loaded = {name.removeprefix("worldquiz.t2q.").partition(".")[0] for name in elsewhere[1]}
    assert not loaded & {"textworld", "jericho"}


def test_a_folder_has_one_writer_at_a_time(tmp_path: Path) -> None:
    run = tmp_path / "run"
    with claimed(run):
        assert busy(run)
        with pytest.raises(RecordError, match="another worldquiz is writing"), claimed(run):
            pass
    assert not busy(run)
    assert list(tmp_path.iterdir()) == [run]
