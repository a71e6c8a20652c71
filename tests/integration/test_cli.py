"""The command line as a stranger meets it: real processes, real signals, a real terminal."""

from __future__ import annotations

import json
import os
import pty
import re
import resource
import select
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import pytest

from conftest import Cli
from worldquiz.t2q.builder import build
from worldquiz.t2q.cli import demo as t2q_demo
from worldquiz.t2q.run import Trial, run
from worldquiz.t2q.suites import Plan, Suite
from worldquiz.tea.cli import demo as tea_demo
from worldquiz.tea.interact import Loops

COMMAND = [sys.executable, "-m", "worldquiz"]
README = Path(__file__).parents[2] / "README.md"
CHECKED = 6
"""Tasks of the demo that the oracle answers once more."""


def worldquiz(
    *arguments: object,
    env: Mapping[str, str] | None = None,
    stdin: str = "",
    limit: Callable[[], None] | None = None,
) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [*COMMAND, *map(str, arguments)],
        env={**os.environ, **(env or {})},
        input=stdin,
        capture_output=True,
        text=True,
        check=False,
        preexec_fn=limit,
    )


def tree(folder: Path) -> dict[str, bytes]:
    return {
        str(path.relative_to(folder)): path.read_bytes()
        for path in sorted(folder.rglob("*"))
        if path.is_file()
    }


# The demo


def test_the_demo(cli: Cli, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Every part as the command runs it, of fewer worlds, views and questions."""
    monkeypatch.setattr(t2q_demo, "PLAN", Plan("easy", seed=7, worlds=1))
    monkeypatch.setattr(tea_demo, "LOOPS", Loops(loops=2, bouts=1, looks=1))
    small = {
        "PRESET": "tiny",
        "CHECKED": CHECKED,
        "TASKS": 10,
        "WALKS": 1,
        "ANSWERERS": ("random", "oracle"),
    }
    for name, value in small.items():
        monkeypatch.setattr(tea_demo, name, value)
    done = cli("demo", "--out", tmp_path, "--jobs", 1, "--json")
    assert done.code == 0, done.err
    document = done.json
    check_the_flat(document["tea"])
    runs = {(run["agent"], run["answerer"]): run["scores"] for run in document["runs"]}
    assert runs["idle", "abstainer"]["known"] == 0
    assert runs["idle", "abstainer"]["eus"] > 0.5
    assert runs["walkthrough", "worldgraph"]["tsr"] == 1
    assert runs["explorer", "oracle"]["known"] == pytest.approx(1)
    assert {run["role"] for run in document["runs"]} >= {"lower-bound", "upper-bound"}
    assert Path(document["report"]) == tmp_path / "report.html"
    assert "worldgraph" in (tmp_path / "report.html").read_text()
    check_the_mazes(document["mango"])

    before = tree(tmp_path)
    again = cli("demo", "--out", tmp_path, "--jobs", 1)
    assert again.code == 0
    assert tree(tmp_path) == before
    assert "idle" in again.out
    assert f"report: {tmp_path / 'report.html'}" in again.out


def test_the_readme_tells_what_the_demo_finds(tmp_path: Path) -> None:
    assert ("random", "worldgraph") in t2q_demo.PAIRS
    suite = build(t2q_demo.PLAN, tmp_path / "suite")
    counts = run(suite, Trial("random", "worldgraph"), tmp_path / "run")["counts"]
    told = (
        "wins {won} of {tasks} tasks, and yet it saw enough to answer {answerable} of {questions} "
    )
    assert told.format(**counts) in README.read_text()


def check_the_mazes(mango: dict[str, Any]) -> None:
    """Check the MANGO part: the map builder answers what a lower bound does not."""
    means = {name: found["rf"]["all"]["success"]["macro"] for name, found in mango["runs"].items()}
    assert means["mapper"] > means["speechless"] == 0
    assert "mapper" in Path(mango["report"]).read_text()


def check_the_flat(tea: dict[str, Any]) -> None:
    """Check the TEA part: true tasks, a filter's five, MIR, and takers from floor to ceiling."""
    if "OpenGL" in tea.get("left_out", ""):
        return
    assert tea["checked"]["agree"] == tea["checked"]["checked"] == CHECKED
    assert len(tea["chosen"]) == 5
    assert tea["optimal"]
    assert 0 < tea["mir"]["loop 1"] <= 1
    means = {name: found["all"]["mean"] for name, found in tea["answerers"].items()}
    assert means["oracle"] == 1
    assert means["oracle"] > means["random"]
    assert Path(tea["sheet"]).stat().st_size > 10_000
    assert "oracle" in Path(tea["report"]).read_text()


# Determinism


def test_no_process_count_and_no_hash_seed_shows_in_the_bytes(suite: Suite, tmp_path: Path) -> None:
    trees = []
    for hash_seed, jobs in (("0", 1), ("1", 2)):
        folder, env = tmp_path / hash_seed, {"PYTHONHASHSEED": hash_seed}
        built = worldquiz("t2q", "build", "--preset", "easy", "--worlds", 2, "--seed", 7,
                          "--jobs", jobs, "--out", folder / "suite", env=env)  # fmt: skip
        assert built.returncode == 0, built.stderr
        run = worldquiz("t2q", "run", suite.path, "--agent", "random",
                        "--answerer", "worldgraph", "--jobs", jobs, "--out", folder / "run",
                        env=env)  # fmt: skip
        assert run.returncode == 0, run.stderr
        trees.append(tree(folder))
    assert trees[0] == trees[1]
    assert {"suite/manifest.json", "run/scores.json"} < set(trees[0])


# Output


def test_json_is_all_that_stdout_holds(suite: Suite, tmp_path: Path) -> None:
    done = worldquiz("t2q", "run", suite.path, "--agent", "idle", "--answerer", "constant",
                     "--out", tmp_path / "run", "--json")  # fmt: skip
    assert json.loads(done.stdout)["counts"]["worlds"] == 2
    assert done.stderr == ""


def test_a_reader_who_leaves_early_hears_no_complaint(suite: Suite) -> None:
    shell = f"{sys.executable} -m worldquiz t2q show {suite.path} --json | head -c 20"
    done = subprocess.run(shell, shell=True, capture_output=True, text=True, check=False)
    assert done.stdout
    assert done.stderr == ""


def test_output_that_cannot_be_written_is_a_clear_error() -> None:
    with Path("/dev/full").open("w") as full:
        done = subprocess.run(
            [*COMMAND, "t2q", "agents", "--json"],
            stdout=full,
            stderr=subprocess.PIPE,
            text=True,
            check=False,
        )
    assert done.returncode == 2
    assert "No space left on device" in done.stderr
    assert "Traceback" not in done.stderr


# A full disk


def small_files(size: int) -> Callable[[], None]:
    """Let a process write no file larger than this, as on a disk with no more room."""
    return lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (size, resource.RLIM_INFINITY))


def test_a_build_on_a_full_disk_loses_nothing(tmp_path: Path) -> None:
    command = ("t2q", "build", "--preset", "easy", "--worlds", 2, "--seed", 5,
               "--jobs", 1, "--out", tmp_path / "suite")  # fmt: skip
    full = worldquiz(*command, limit=small_files(6_000))
    assert full.returncode == 2
    assert "worlds/easy-00/quiz.jsonl: cannot write: File too large" in full.stderr
    assert worldquiz(*command).returncode == 0


# Signals


def test_ctrl_c_ends_at_once_and_says_how_to_go_on(suite: Suite, tmp_path: Path) -> None:
    out = tmp_path / "suite"
    command = [*COMMAND, "t2q", "build", "--preset", "easy", "--seed", "3", "--worlds", "400",
               "--jobs", "2", "--out", str(out)]  # fmt: skip
    process = subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, start_new_session=True
    )
    while not list(out.glob("worlds/easy-*")):
        time.sleep(0.05)
    os.killpg(process.pid, signal.SIGINT)
    stdout, stderr = process.communicate()
    told = "stopped; what is built is kept: give the same command again to go on\n"
    assert (process.returncode, stdout, stderr) == (130, "", told)
    assert not list(out.glob("worlds/.*"))


# A person


class Terminal:
    """A pseudo-terminal with a command in it."""

    def __init__(self, *arguments: object) -> None:
        self.said = ""
        self.process, self._handle = pty.fork()
        if not self.process:  # the child
            os.environ.update(TERM="xterm", COLUMNS="120", NO_COLOR="1")
            os.execv(sys.executable, [*COMMAND, *map(str, arguments)])

    def wait(self, pattern: str) -> None:
        """Read until something is said that was not said before."""
        heard = len(self.said)
        while not re.search(pattern, self.said[heard:]):
            if not self._hear():
                return

    def _hear(self) -> bool:
        """Read what there is; false where the command has ended."""
        try:
            self.said += os.read(self._handle, 65536).decode()
        except OSError:
            return False
        return True

    def type(self, text: str) -> None:
        os.write(self._handle, text.encode())

    def interrupt(self) -> None:
        """Press ctrl-C until the command ends: a press between a prompt and its reading is lost."""
        hearing = True
        while hearing:
            self.type("\x03")
            while hearing and select.select([self._handle], [], [], 20)[0]:
                hearing = self._hear()

    def end(self) -> int:
        """Read the rest; return the exit code."""
        while self._hear():
            pass
        return os.waitstatus_to_exitcode(os.waitpid(self.process, 0)[1])


@pytest.fixture(scope="module")
def walkthroughs(suite: Suite) -> str:
    """All that a perfect player would type in the first world, and "yes" to every question."""
    bundle = suite.bundle("easy-00")
    commands = [command for task in bundle.tasks for command in task.walkthrough.commands]
    return "\n".join([*commands, *["yes"] * len(bundle.questions), ""])


def test_a_person_plays_and_takes_the_quiz(suite: Suite, walkthroughs: str, tmp_path: Path) -> None:
    done = worldquiz("t2q", "play", suite.path, "--out", tmp_path, "--json", stdin=walkthroughs)
    assert done.returncode == 0, done.stderr
    scores = json.loads(done.stdout)
    assert (scores["tsr"], scores["counts"]["worlds"]) == (1, 1)
    assert scores["counts"]["abstained"] == 0
    assert suite.bundle("easy-00").tasks[0].objective in " ".join(done.stderr.split())
    times = json.loads((tmp_path / "times.json").read_text())
    assert sorted(times["easy-00"]) == ["play", "quiz"]
    page = worldquiz("report", tmp_path, "--out", tmp_path / "page.html")
    assert page.returncode == 0, page.stderr


def test_ctrl_c_at_the_terminal_keeps_no_half_world(suite: Suite, tmp_path: Path) -> None:
    terminal = Terminal("t2q", "play", suite.path, "--out", tmp_path)
    terminal.wait("> ")
    terminal.type("look\n")
    terminal.wait("> ")
    terminal.interrupt()
    assert terminal.end() == 130
    assert "give the same command again" in terminal.said
    assert not list(tmp_path.glob("worlds/*"))


def test_somebody_who_looks_sees_how_far_it_is(suite: Suite) -> None:
    terminal = Terminal("t2q", "check", suite.path)
    assert terminal.end() == 0
    assert "replaying" in terminal.said
    assert "2/2" in terminal.said
