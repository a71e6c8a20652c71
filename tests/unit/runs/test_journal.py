"""The journal of a run: nothing is lost but a line cut short, also where a disk is full."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

import worldquiz as wq
from command import tree

TESTS = Path(__file__).parents[2]
STOP = 7
"""Questions that are answered before somebody presses ctrl-C."""


class Stop(BaseException):
    """What no run catches."""


class Answerer:
    """Answers by how often it was asked, so it must be asked again from the start of a maze."""

    name = "answerer"
    asked = 0

    def answer(self, prompt: str) -> str:
        self.asked += 1
        return f"{self.asked} ü\u2028{{?" * 300


@pytest.fixture(scope="module")
def mazes(tmp_path_factory: pytest.TempPathFactory) -> Any:
    return wq.mango.build(mazes=2, size=5, seed=3, out=tmp_path_factory.mktemp("data") / "mazes")


@pytest.fixture(scope="module")
def whole(mazes: Any, tmp_path_factory: pytest.TempPathFactory) -> dict[str, bytes]:
    out = tmp_path_factory.mktemp("whole") / "run"
    mazes.run(Answerer(), per_maze=5, out=out)
    return tree(out)


@pytest.fixture
def stopped(mazes: Any, tmp_path: Path) -> Path:
    left = iter(range(STOP - 1))

    def stop(name: str) -> None:
        if next(left, None) is None:
            raise Stop

    with pytest.raises(Stop):
        mazes.run(Answerer(), per_maze=5, out=tmp_path / "run", progress=stop)
    return tmp_path / "run"


def test_any_torn_end_costs_the_last_line_at_most(
    mazes: Any, whole: dict[str, bytes], stopped: Path, tmp_path: Path
) -> None:
    journal = (stopped / ".rows.journal").read_bytes()
    assert journal.count(b"\n") == STOP
    lines = journal.splitlines(keepends=True)
    cuts = {len(b"".join(lines[:n])) + more for n in (0, 1, STOP - 1) for more in (0, 1, 30)}
    for cut in sorted(cuts | {len(journal) - 1, len(journal)}):
        torn = Path(shutil.copytree(stopped, tmp_path / f"torn-{cut}"))
        (torn / ".rows.journal").write_bytes(journal[:cut])
        mazes.run(Answerer(), per_maze=5, out=torn)
        assert tree(torn) == whole


@pytest.mark.parametrize("line", ["no json", "[]", "{}", '{"game": ["cave"], "task": 1, "id": 2}'])
def test_a_line_that_is_none_is_named(mazes: Any, stopped: Path, line: str) -> None:
    (stopped / ".rows.journal").write_text(line + "\n")
    with pytest.raises(wq.WorldquizError, match=r"\.rows\.journal:1"):
        mazes.run(Answerer(), per_maze=5, out=stopped)


FULL = """
import resource, sys
import worldquiz as wq
from tests_answerer import Answerer
resource.setrlimit(resource.RLIMIT_FSIZE, (int(sys.argv[3]), -1))  # the disk is full
try:
    wq.mango.load(sys.argv[1]).run(Answerer(), per_maze=5, out=sys.argv[2])
except (OSError, wq.WorldquizError) as error:
    sys.exit(f"full: {error}")
"""


def test_a_full_disk_costs_what_was_not_written_and_no_more(
    mazes: Any, whole: dict[str, bytes], tmp_path: Path
) -> None:
    """In a process of its own, since its limit on the size of files holds for good."""
    (tmp_path / "tests_answerer.py").write_bytes(Path(__file__).read_bytes())
    out = tmp_path / "run"
    command = [sys.executable, "-c", FULL, str(mazes.path), str(out)]
    here = {**os.environ, "PYTHONPATH": os.pathsep.join(map(str, (tmp_path, TESTS)))}
    ended = subprocess.run(
        [*command, "20000"], capture_output=True, text=True, cwd=tmp_path, env=here
    )
    assert (ended.returncode, ended.stderr.count("full: ")) == (1, 1), ended.stderr
    assert (out / ".rows.journal").read_bytes().endswith(b"\n")
    mazes.run(Answerer(), per_maze=5, out=out)
    assert tree(out) == whole
