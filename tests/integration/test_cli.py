"""The command line as a stranger meets it: real processes, real signals, a real terminal."""

from __future__ import annotations

import json
import os
import pty
import random
import re
import signal
import subprocess
import sys
import sysconfig
import time
from collections.abc import Iterator, Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest

import people
from command import tree
from deep import DEEP
from process import PATIENCE, ended, start
from worldquiz.t2q import T2QSuite

COMMAND = (sys.executable, "-m", "worldquiz")
BUILD = ("t2q", "build", "--preset", "easy", "--seed", "1", "--worlds")


def worldquiz(
    *arguments: object, env: Mapping[str, str] | None = None, **more: Any
) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [*COMMAND, *map(str, arguments)],
        env={**os.environ, **(env or {})}, capture_output=True, text=True, check=False, **more,
    )  # fmt: skip


# Determinism


def test_no_process_count_and_no_hash_seed_shows_in_the_bytes(
    suite: T2QSuite, tmp_path: Path
) -> None:
    trees = []
    for hash_seed, jobs in (("0", 1), ("1", 2)):
        folder, env = tmp_path / hash_seed, {"PYTHONHASHSEED": hash_seed}
        for words in ((*BUILD, 2, "--jobs", jobs, "--out", folder / "suite"),
                      ("t2q", "run", suite.path, "--agent", "random", "--answerer", "worldgraph",
                       "--jobs", jobs, "--out", folder / "run"),
                      ("tea", "scene", "--seed", 11, "--out", folder / "scene")):  # fmt: skip
            done = worldquiz(*words, env=env)
            assert done.returncode == 0, done.stderr
        trees.append(tree(folder))
    assert trees[0] == trees[1]
    assert {"suite/manifest.json", "run/scores.json", "scene/scene.json"} < set(trees[0])


def killed(command: tuple[object, ...], seconds: float, *, all_of_it: bool) -> bool:
    """Kill a command after a while, with its workers or without; tell whether that was in time."""
    process = start(*command)
    time.sleep(seconds)
    in_time = process.poll() is None
    if all_of_it and in_time:
        os.killpg(process.pid, signal.SIGKILL)
    else:
        process.kill()
    process.communicate()
    gone(process.pid)
    return in_time


@pytest.mark.parametrize("words", ["build", "run"])
def test_a_killed_command_is_resumed_to_the_same_bytes(words: str, tmp_path: Path) -> None:
    """At a random point; where no kill came in time, the next one comes sooner."""
    command: tuple[object, ...] = (*BUILD, 10, "--jobs", 2, "--out")
    if words == "run":
        ended(*command, tmp_path / "suite")
        command = ("t2q", "run", tmp_path / "suite", "--agent", "random", "--answerer",
                   "worldgraph", "--jobs", 2, "--out")  # fmt: skip
    begun, draw, hits, rounds = time.monotonic(), random.Random(1), 0, 0
    ended(*command, tmp_path / "calm")
    seconds = time.monotonic() - begun
    while hits < (8 if DEEP else 2):
        out = tmp_path / f"round-{(rounds := rounds + 1)}"
        struck = killed((*command, out), draw.uniform(0.1, seconds), all_of_it=rounds % 2 == 0)
        ended(*command, out)
        assert tree(out) == tree(tmp_path / "calm")
        hits += struck
        seconds *= 1 if struck else 0.7


# Output


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A run of Task2Quiz, whose tables hold letters beyond ASCII."""
    return people.worlds(tmp_path_factory.mktemp("runs") / "r")


def test_json_is_all_that_stdout_holds(run: Path) -> None:
    done = worldquiz("score", run, "--json")
    assert json.loads(done.stdout)["counts"]["worlds"] == 2
    assert done.stderr == ""


@pytest.mark.parametrize(
    "env",
    [
        {"LANG": "C", "LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"},
        {"PYTHONIOENCODING": "ascii"},
    ],
    ids=["the locale C", "ascii"],
)
def test_letters_that_an_output_lacks_are_spelled(run: Path, env: dict[str, str]) -> None:
    done = worldquiz("score", run, env=env)
    assert (done.returncode, done.stderr, done.stdout.isascii()) == (0, "", True)
    assert "knowledge" in done.stdout


@pytest.mark.parametrize(
    ("pipe", "code", "said"),
    [("| head -c 20", 0, ""), (">&-", 0, ""), ("> /dev/full", 2, "No space left on device")],
)
def test_an_output_that_ends_early_is_no_traceback(
    run: Path, pipe: str, code: int, said: str
) -> None:
    shell = f"{sys.executable} -m worldquiz show {run} --json {pipe}"
    done = subprocess.run(shell, shell=True, capture_output=True, text=True, check=False)
    assert done.returncode == code
    assert said in done.stderr
    assert len(done.stderr.splitlines()) == bool(said)


# Signals


def living(group: int) -> Iterator[Path]:
    """Yield the processes of a group that run; one that waits to be buried does not."""
    for path in Path("/proc").glob("[0-9]*"):
        with suppress(OSError, ValueError):
            state, _, its = (path / "stat").read_text().rpartition(")")[2].split()[:3]
            if int(its) == group and state != "Z":
                yield path


def starting_worker(group: int) -> int | None:
    """Return a worker process in which Python starts, and where ctrl-C would be a traceback."""
    for path in living(group):
        with suppress(OSError):
            (caught,) = re.findall(r"SigCgt:\s*(\w+)", (path / "status").read_text())
            if b"spawn_main" in (path / "cmdline").read_bytes() and int(caught, 16) & 2:
                return int(path.name)
    return None


def gone(group: int) -> None:
    """Wait until no process of a group runs."""
    deadline = time.monotonic() + PATIENCE
    while any(living(group)):
        assert time.monotonic() < deadline, "something of the command goes on"
        time.sleep(0.02)


@pytest.mark.parametrize(
    ("number", "jobs"), [(signal.SIGINT, 2), (signal.SIGTERM, 1), (signal.SIGHUP, 2)]
)
def test_a_signal_ends_a_command_at_once_and_says_how_to_go_on(
    tmp_path: Path, number: signal.Signals, jobs: int
) -> None:
    """A terminal sends ctrl-C to all processes, also to a worker in which Python still starts."""
    scratch, out = tmp_path / "tmp", tmp_path / "suite"
    scratch.mkdir()
    process = start(*BUILD, 400, "--jobs", jobs, "--out", out, env={"TMPDIR": str(scratch)})
    if number is signal.SIGINT:
        while not (worker := starting_worker(process.pid)) and process.poll() is None:
            time.sleep(0.001)
        os.kill(worker or process.pid, number)
    while not list(out.glob("worlds/easy-*")) and process.poll() is None:
        time.sleep(0.01)
    os.killpg(process.pid, number) if number is signal.SIGINT else process.send_signal(number)
    said, told = process.communicate()
    assert (process.returncode, said) == (128 + number, ""), told
    assert told == "stopped; what is built is kept: run the same command again to continue\n"
    assert list(scratch.iterdir()) == list(out.glob("worlds/.*")) == []
    gone(process.pid)  # workers, and Python's own tracker of what they share


def test_a_signal_during_an_import_is_told_by_the_exit_code(
    suite: T2QSuite, tmp_path: Path
) -> None:
    """Python imports dataclasses and named tuples by an ``exec``."""
    (tmp_path / "struck.py").write_text(
        'exec("import signal; signal.raise_signal(signal.SIGTERM)")', encoding="utf-8"
    )
    ended(
        "t2q", "run", suite.path, "--agent", "struck:Agent",
        "--answerer", "abstainer", "--out", tmp_path / "run",
        code=128 + signal.SIGTERM, env={"PYTHONPATH": str(tmp_path)},
    )  # fmt: skip


# Players and people

MINE = """
class Walker:
    def act(self, observation):
        return "look"


class Silent:
    def answer(self, prompt):
        return "I do not know"
"""


def test_a_module_in_the_current_folder_is_found(suite: T2QSuite, tmp_path: Path) -> None:
    """By the installed script, which Python starts without the current folder on its path."""
    (tmp_path / "my_players.py").write_text(MINE, encoding="utf-8")
    script = Path(sysconfig.get_path("scripts")) / "worldquiz"
    who = ("--agent", "my_players:Walker", "--answerer", "my_players:Silent", "--max-steps", "1")
    done = subprocess.run(
        [script, "run", suite.path, *who, "--jobs", "2", "--out", "run"],
        cwd=tmp_path, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert (done.returncode, done.stderr) == (0, "")
    assert (tmp_path / "run" / "scores.json").is_file()


def test_somebody_who_looks_sees_how_far_it_is(suite: T2QSuite) -> None:
    """At a pseudo-terminal."""
    process, handle = pty.fork()
    if not process:  # the child
        os.environ.update(TERM="xterm", COLUMNS="120", NO_COLOR="1")
        os.execv(sys.executable, [*COMMAND, "t2q", "check", str(suite.path)])
    said = ""
    with suppress(OSError):  # the command has ended
        while True:
            said += os.read(handle, 65536).decode()
    assert os.waitstatus_to_exitcode(os.waitpid(process, 0)[1]) == 0
    assert "replaying" in said
    assert "2 of 2" in said
