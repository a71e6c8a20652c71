"""Work in several processes: a worker that dies is told, and nothing of stopped work runs on."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from importlib import import_module
from pathlib import Path

import pytest

import worldquiz as wq
from process import PATIENCE, start

DIES = "import os\nclass Dies:\n    def act(self, observation):\n        os._exit(3)\n"


def _wait(condition: Callable[[], bool]) -> None:
    deadline = time.monotonic() + PATIENCE
    while not condition():
        assert time.monotonic() < deadline
        time.sleep(0.05)


def _alive(process: int) -> bool:
    try:
        return Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except FileNotFoundError:
        return False


def _children(process: int) -> list[int]:
    text = Path(f"/proc/{process}/task/{process}/children").read_text()
    return [int(number) for number in text.split()]


@pytest.mark.slow
def test_a_worker_that_dies_is_told_and_leaves_nothing_behind(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "dying.py").write_text(DIES)
    monkeypatch.syspath_prepend(tmp_path)
    suite = wq.t2q.build("easy", worlds=3, seed=5, out=tmp_path / "suite")
    before = set(threading.enumerate())
    with pytest.raises(wq.WorldquizError, match="a worker process died"):
        suite.run(
            agent=import_module("dying").Dies, answerer="abstainer", out=tmp_path / "run", jobs=2
        )
    assert set(threading.enumerate()) == before


@pytest.mark.slow
def test_workers_end_with_their_parent(tmp_path: Path) -> None:
    words = ("t2q", "build", "--preset", "easy", "--worlds", 5000, "--seed", 1, "--jobs", 2)
    parent = start(*words, "--out", tmp_path / "suite")
    _wait(lambda: len(list((tmp_path / "suite").glob("worlds/easy-*"))) > 3)
    children = _children(parent.pid)
    assert len(children) >= 2
    parent.kill()
    parent.communicate()
    _wait(lambda: not any(map(_alive, children)))
