from __future__ import annotations

import math
import operator
import os
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest

from worldquiz.errors import WorldError
from worldquiz.runs.executor import each


@pytest.mark.parametrize("jobs", [1, 2, 5])
def test_every_item_comes_back_once_with_its_result(jobs: int) -> None:
    items = list(range(12))
    assert sorted(each(operator.neg, items, jobs=jobs)) == [(item, -item) for item in items]


@pytest.mark.parametrize("jobs", [1, 2])
def test_the_first_error_ends_it(jobs: int) -> None:
    with pytest.raises(ValueError, match="negative"):
        list(each(math.factorial, [3, -1, 5], jobs=jobs))


def test_a_worker_that_dies_is_reported() -> None:
    with pytest.raises(WorldError, match="a worker process ended before its work"):
        list(each(os._exit, [3, 3], jobs=2))


def test_whoever_stops_listening_leaves_no_worker_behind() -> None:
    started = time.monotonic()
    results = each(time.sleep, [0, 3600, 3600], jobs=2)
    next(results)
    results.close()  # type: ignore[attr-defined]
    assert time.monotonic() - started < 1800


@pytest.mark.slow
@pytest.mark.parametrize("size", [1, 64_000_000])
def test_nothing_of_stopped_work_is_left_to_run(size: int) -> None:
    before = set(threading.enumerate())
    for _ in range(3):
        results = each(bytes, [size] * 6, jobs=2)
        next(results)
        results.close()  # type: ignore[attr-defined]
        assert set(threading.enumerate()) == before


def _alive(process: int) -> bool:
    try:
        return Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except FileNotFoundError:
        return False


def _wait(condition, seconds: float = 600) -> bool:  # type: ignore[no-untyped-def]
    deadline = time.monotonic() + seconds
    while time.monotonic() < deadline:
        if condition():
            return True
        time.sleep(0.05)
    return False


def _children(process: int) -> list[int]:
    text = Path(f"/proc/{process}/task/{process}/children").read_text()
    return [int(number) for number in text.split()]


@pytest.fixture
def parent(tmp_path: Path) -> subprocess.Popen[bytes]:
    """A process with two workers that are busy for longer than anybody here waits."""
    script = tmp_path / "parent.py"
    script.write_text(
        "import time\nfrom worldquiz.runs.executor import each\n"
        "if __name__ == '__main__':\n    list(each(time.sleep, [3600, 3600], jobs=2))\n"
    )
    process = subprocess.Popen([sys.executable, str(script)], start_new_session=True)
    assert _wait(lambda: len(_children(process.pid)) >= 2)
    time.sleep(1)  # until the workers have begun to work
    return process


@pytest.mark.slow
@pytest.mark.parametrize("blow", [signal.SIGKILL, signal.SIGINT])
def test_workers_end_with_their_parent(
    parent: subprocess.Popen[bytes], blow: signal.Signals
) -> None:
    children = _children(parent.pid)
    parent.send_signal(blow)
    parent.wait(600)
    assert _wait(lambda: not any(map(_alive, children)))
