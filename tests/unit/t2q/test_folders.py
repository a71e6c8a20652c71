"""Folders of suites and runs: one writer, whole or not at all, and nothing beyond them touched."""

from __future__ import annotations

import fcntl
import os
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import worldquiz as wq
from command import tree


def build(out: Path, **changes: Any) -> Any:
    return wq.t2q.build(**{"preset": "easy", "worlds": 2, "seed": 5, "out": out, **changes})


def names(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


@pytest.fixture
def stopped(tmp_path: Path) -> Path:
    """A suite of which one of two worlds is built."""

    def stop(world: str) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        build(tmp_path / "suite", progress=stop)
    return tmp_path / "suite"


def test_two_worlds_in_one_folder_are_refused(suite: Any, tmp_path: Path) -> None:
    copy = Path(shutil.copytree(suite.path, tmp_path / "copy"))
    path = copy / "worlds" / "easy-00" / "spec.jsonl"
    header, record, _ = path.read_text().split("\n")
    path.write_text("\n".join([header.replace("1,", "2,", 1), record, record, ""]))
    with pytest.raises(wq.WorldquizError, match="expected one world, found 2"):
        wq.t2q.load(copy).bundle("easy-00")


def test_one_process_at_a_time_writes(tmp_path: Path) -> None:
    (tmp_path / "suite").mkdir()
    handle = os.open(tmp_path / "suite", os.O_RDONLY)
    fcntl.flock(handle, fcntl.LOCK_EX)
    with pytest.raises(wq.WorldquizError, match="another worldquiz process is writing here"):
        build(tmp_path / "suite")
    os.close(handle)
    build(tmp_path / "suite")
    handles = len(list(Path("/proc/self/fd").iterdir()))
    build(tmp_path / "suite")
    assert len(list(Path("/proc/self/fd").iterdir())) == handles


def test_what_a_killed_process_left_is_swept_and_nothing_else(stopped: Path) -> None:
    (stopped / ".manifest.json.x7f").write_text("{")
    (stopped / ".hidden").write_text("mine")
    (stopped / "worlds" / ".easy-01.abc").mkdir()
    (stopped / "worlds" / ".easy-01.abc" / "spec.jsonl").write_text("{")
    build(stopped)
    assert names(stopped) == [".hidden", "manifest.json", "plan.json", "worlds"]
    assert names(stopped / "worlds") == ["easy-00", "easy-01"]


def test_a_process_killed_while_it_wrote_the_first_file_can_go_on(tmp_path: Path) -> None:
    (tmp_path / ".plan.json.x7f").write_text("{")
    build(tmp_path)
    assert names(tmp_path) == ["manifest.json", "plan.json", "worlds"]


@pytest.mark.parametrize("fresh", [False, True])
def test_a_run_killed_at_any_deletion_ends_with_the_same_bytes(
    suite: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, fresh: bool
) -> None:
    """Neither a world half deleted after the join is lost, nor is a run half deleted gone on with.

    A fresh run deletes what an earlier one left.
    """

    def run(name: str, **options: Any) -> dict[str, bytes]:
        suite.run(agent="idle", answerer="abstainer", out=tmp_path / name, **options)
        return tree(tmp_path / name)

    calm, point, killed = run("calm"), 0, True
    while killed:
        name = f"killed-at-{point}"
        if fresh:
            shutil.copytree(tmp_path / "calm", tmp_path / name)
        with monkeypatch.context() as patch:
            for call in ("unlink", "rmdir"):
                patch.setattr(os, call, dying(getattr(os, call), point))
            try:
                run(name, fresh=fresh)
                killed = False
            except KeyboardInterrupt:
                pass
        assert run(name) == calm
        point += 1
    assert point > 2


def dying(call: Callable[..., None], after: int) -> Callable[..., None]:
    """Return a function that interrupts the process after so many calls."""
    left = [None] * after

    def called(*told: Any, **more: Any) -> None:
        if not left:
            raise KeyboardInterrupt
        left.pop()
        call(*told, **more)

    return called


@pytest.mark.parametrize("link", ["logs", "worlds/easy-01"])
def test_nothing_is_written_through_a_link(stopped: Path, tmp_path: Path, link: str) -> None:
    (tmp_path / "elsewhere").mkdir()
    (stopped / link).symlink_to(tmp_path / "elsewhere")
    with pytest.raises(wq.WorldquizError, match=f"{Path(link).name}: links to a file outside the"):
        build(stopped)
    assert names(tmp_path / "elsewhere") == []
    (stopped / link).unlink()
    (stopped / "logs").symlink_to("worlds")
    build(stopped)
