"""OpenEnv's client plays worlds of Task2Quiz over the wire, on a server in OpenEnv's layout."""

from __future__ import annotations

import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path

import pytest

from trainers import FOLDER, Earned, answers_of, commands_of, earned, example

pytest.importorskip("openenv.core", reason="openenv is missing: run `just trainers`")
t2q = example("openenv_t2q")
SESSIONS = 6


@contextmanager
def served() -> Iterator[str]:
    """Run the server in a process, and return its address."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    command = [
        str(Path(sys.executable).with_name("uvicorn")), "--factory", "--app-dir", str(FOLDER),
        "openenv_t2q:application", "--port", str(port), "--log-level", "error",
    ]  # fmt: skip
    url = f"http://127.0.0.1:{port}"
    with subprocess.Popen(command) as server:
        try:
            for _ in range(600):
                assert server.poll() is None
                try:
                    urllib.request.urlopen(f"{url}/health").close()
                    break
                except OSError:
                    time.sleep(0.1)
            yield url
        finally:
            server.terminate()


@pytest.fixture(scope="module")
def url() -> Iterator[str]:
    with served() as found:
        yield found


def played(url: str, number: int) -> list[Earned]:
    """Return what an episode has earned after each action, over a connection of its own."""
    found, total = [], {"task": 0.0, "knowledge": 0.0, "quiz": 0.0}
    texts = [*commands_of(number), *answers_of(number)]
    with t2q.T2QClient(base_url=url).sync() as client:
        assert not client.reset(seed=number).done
        for text in texts:
            result = client.step(t2q.T2QAction(text=text))
            assert result.reward == pytest.approx(sum(result.observation.rewards.values()))
            total = {name: total[name] + each for name, each in result.observation.rewards.items()}
            found.append(total)
        assert result.done
        assert client.state().step_count == len(texts)
    return found


def test_many_sessions_earn_what_scores_say(url: str) -> None:
    """At once, each in a world of its own or in the same one."""
    numbers = [3, 4] * (SESSIONS // 2)
    with ThreadPoolExecutor(SESSIONS) as pool:
        found = list(pool.map(lambda number: played(url, number), numbers))
    for number, each in zip(numbers, found, strict=True):
        assert each == [pytest.approx(wanted) for wanted in earned(number)]


def test_after_the_end_nothing_is_earned_and_before_the_start_a_reset_is_due(url: str) -> None:
    with t2q.T2QClient(base_url=url).sync() as client:
        with pytest.raises(Exception, match="reset"):
            client.step(t2q.T2QAction(text="look"))
        client.reset(seed=3)
        for _ in [*commands_of(3), *answers_of(3)]:
            client.step(t2q.T2QAction(text="look"))
        while not client.step(t2q.T2QAction(text="non-answerable")).done:
            pass
        after = client.step(t2q.T2QAction(text="non-answerable"))
        assert after.done
        assert after.reward == 0
