"""OpenEnv's client plays worlds of Task2Quiz over the wire, on a server in OpenEnv's layout."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import asdict
from pathlib import Path
from typing import Any

import pytest

from trainers import Calls, calls_of, earned
from worldquiz.errors import KnobError
from worldquiz.t2q.training.rewards import Rewards

pytest.importorskip("openenv.core", reason="openenv is missing: run `just trainers`")

from worldquiz.t2q.training.openenv import (
    T2QAction,
    T2QClient,
    T2QEnvironment,
    application,
)

LAYOUT = Path(__file__).parents[2] / "examples" / "openenv_t2q"
SESSIONS = 6


def program(name: str) -> str:
    """Return a program that is installed beside this Python."""
    return str(Path(sys.executable).with_name(name))


@contextmanager
def served() -> Iterator[str]:
    """Run the server of the layout in a process, and return its address."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    told = {"T2Q_SESSIONS": str(SESSIONS)}
    command = [program("uvicorn"), "server.app:app", "--port", str(port), "--log-level", "error"]
    url = f"http://127.0.0.1:{port}"
    with subprocess.Popen(command, cwd=LAYOUT, env={**os.environ, **told}) as server:
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


def action(tool: str, arguments: dict[str, Any]) -> T2QAction:
    """Return a call as an action: typed tools are commands."""
    match tool:
        case "go":
            return T2QAction(text=f"go {arguments['direction']}")
        case "look":
            return T2QAction(text="", tool="look")
    return T2QAction(text=next(iter(arguments.values())))


def played(url: str, number: int, calls: Calls) -> list[Rewards]:
    """Return what an episode has earned after each call, made over a connection of its own."""
    found, total = [], {"task": 0.0, "knowledge": 0.0, "quiz": 0.0}
    with T2QClient(base_url=url).sync() as client:
        assert not client.reset(seed=number).done
        for call in calls:
            result = client.step(action(*call))
            assert result.reward == pytest.approx(sum(result.observation.rewards.values()))
            total = {name: total[name] + each for name, each in result.observation.rewards.items()}
            found.append(Rewards(**total))
        state = client.state()
        assert result.done
        assert state.rewards == pytest.approx(total)
        assert (state.number, state.step_count) == (number, len(calls))
        assert state.won == state.tasks > 0
    return found


def test_many_sessions_earn_what_the_same_calls_earn_here(url: str) -> None:
    """At once, each in a world of its own or in the same one."""
    numbers = [3, 4] * (SESSIONS // 2)
    plans = {number: calls_of(number) for number in (3, 4)}
    with ThreadPoolExecutor(SESSIONS) as pool:
        found = list(pool.map(lambda number: played(url, number, plans[number]), numbers))
    wanted = {number: earned(number, plans[number]) for number in plans}
    for number, each in zip(numbers, found, strict=True):
        assert [list(asdict(one).values()) for one in each] == [
            pytest.approx(list(asdict(one).values())) for one in wanted[number]
        ]


def test_what_cannot_be_done_is_told_and_earns_nothing(url: str) -> None:
    with T2QClient(base_url=url).sync() as client:
        with pytest.raises(Exception, match="reset"):
            client.step(T2QAction(text="look"))
        client.reset(seed=3)
        wrong = client.step(T2QAction(text="yes", tool="answer"))
        assert wrong.observation.refused
        assert "not now" in wrong.observation.text
        assert wrong.reward == 0
        client.step(T2QAction(text="", tool="done", all_tasks=True))
        while not (result := client.step(T2QAction(text="non-answerable"))).done:
            pass
        assert result.reward == 0
        after = client.step(T2QAction(text="non-answerable"))
        assert after.observation.refused
        assert after.done


def test_worlds_are_drawn_where_no_seed_is_given() -> None:
    env = T2QEnvironment(questions=1)
    text = env.reset(episode_id="mine").text
    drawn = env.state
    assert drawn.episode_id == "mine"
    assert drawn.number is not None
    assert env.reset(seed=drawn.number).text == text
    env.close()


def test_its_own_validator_passes(url: str) -> None:
    for target in (["--level", "static", "--skip-build", "."], ["--url", url]):
        said = subprocess.run(
            [program("openenv"), "validate", *target], cwd=LAYOUT, capture_output=True, text=True
        )
        assert "Verdict: PASS" in said.stdout, said.stdout


@pytest.mark.parametrize(
    ("told", "said"),
    [
        ({"T2Q_LEVEL": "easi"}, "did you mean 'easy'"),
        ({"T2Q_QUESTIONS": "many"}, "T2Q_QUESTIONS: 'many' is no number"),
        ({"T2Q_BUDGET": "1", "T2Q_MAX_STEPS": "2"}, "give one of them"),
    ],
)
def test_a_server_that_cannot_be_is_refused_at_its_start(told: dict[str, str], said: str) -> None:
    with pytest.raises(KnobError, match=said):
        application(told)
