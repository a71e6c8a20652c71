"""``t2q checkpoints``: Figure 8 by the paper's rule; nothing on disk changes."""

from __future__ import annotations

from pathlib import Path

import pytest

import worldquiz as wq
from command import worldquiz


@pytest.fixture(scope="module")
def random_run(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A run that has not seen all of its worlds."""
    folder = tmp_path_factory.mktemp("score")
    suite = wq.t2q.build("easy", seed=4, worlds=2, out=folder / "suite")
    suite.run(agent="random", answerer="worldgraph", max_steps=4, out=folder / "run")
    return folder / "run"


def test_the_papers_checkpoints_call_more_answerable_and_change_no_record(random_run: Path) -> None:
    ours = worldquiz("score", random_run, "--json").json
    before = {path: path.read_bytes() for path in random_run.rglob("*") if path.is_file()}
    theirs = worldquiz("t2q", "checkpoints", random_run, "--json").json
    assert 0 < ours["coverage"] < theirs["coverage"] <= 1
    assert ours["accuracy_answerable"] == 1 > theirs["accuracy_answerable"]
    assert {path: path.read_bytes() for path in before} == before


def test_the_table_says_by_which_rule(random_run: Path) -> None:
    text = worldquiz("t2q", "checkpoints", random_run).out
    assert "random + worldgraph: questions answerable by the paper's rule" in text
