"""What a command may write over: nothing but files and folders."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

import people
from command import worldquiz
from worldquiz.errors import RecordError
from worldquiz.records import write_folder, write_text


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A run of MANGO."""
    return people.mazes(tmp_path_factory.mktemp("runs") / "r")


def pipe(folder: Path) -> Path:
    os.mkfifo(folder / "pipe.parquet")
    return folder / "pipe.parquet"


@pytest.mark.parametrize("verb", ["report", "export", "run", "t2q"])
def test_a_pipe_is_not_replaced(run: Path, tmp_path: Path, verb: str) -> None:
    target = pipe(tmp_path)
    words: dict[str, tuple[object, ...]] = {
        "report": ("report", run), "export": ("export", run),
        "run": ("run", run.with_name("mazes-of-r"), "--answerer", "mapper"),
        "t2q": ("t2q", "build", "--preset", "easy", "--seed", 1),
    }  # fmt: skip
    said = worldquiz(*words[verb], "--out", target)
    assert said.code == 2
    assert len(said.err.splitlines()) == 1
    assert f"{target}: " in said.err
    assert target.is_fifo()
    assert [path.name for path in tmp_path.iterdir()] == [target.name]


def test_only_files_and_folders_are_written_over(tmp_path: Path) -> None:
    """Devices are made here, never taken from the system: a fault would replace them."""
    target = pipe(tmp_path)
    (tmp_path / "stdout").symlink_to("/proc/self/fd/1")
    for place in (target, tmp_path / "stdout", tmp_path):
        with pytest.raises(RecordError, match="cannot write: it is a "):
            write_text(place, "x")
    with pytest.raises(RecordError, match="cannot write: it is not a folder"):
        write_folder(target, lambda folder: None)
    (tmp_path / "link").symlink_to(target)
    with pytest.raises(RecordError, match="a device or pipe"):
        write_text(tmp_path / "link", "x")
    assert (tmp_path / "stdout").is_symlink()


def test_a_link_is_replaced_and_not_followed(tmp_path: Path) -> None:
    (tmp_path / "precious").write_text("mine")
    (tmp_path / "link").symlink_to(tmp_path / "precious")
    write_text(tmp_path / "link", "x")
    assert (tmp_path / "precious").read_text() == "mine"
    assert (tmp_path / "link").read_text() == "x"
