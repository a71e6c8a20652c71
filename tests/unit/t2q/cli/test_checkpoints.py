"""``score --checkpoints paper``: Figure 8 by the paper's rule; nothing on disk changes."""

from __future__ import annotations

from pathlib import Path

import pytest

from command import worldquiz
from worldquiz.t2q.budget import PerTask
from worldquiz.t2q.builder import build
from worldquiz.t2q.run import Trial, run
from worldquiz.t2q.suites import Plan


@pytest.fixture(scope="module")
def random_run(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A run that has not seen all of its worlds."""
    folder = tmp_path_factory.mktemp("score")
    suite = build(Plan("easy", 4, 2), folder / "suite")
    run(suite, Trial("random", "worldgraph", 0, budget=PerTask(4)), folder / "run")
    return folder / "run"


def test_the_papers_checkpoints_call_more_answerable_and_change_no_record(random_run: Path) -> None:
    ours = worldquiz("score", random_run, "--json").json
    before = {path: path.read_bytes() for path in random_run.rglob("*") if path.is_file()}
    theirs = worldquiz("score", random_run, "--checkpoints", "paper", "--json").json
    assert theirs["checkpoints"] == "paper"
    assert 0 < ours["coverage"] < theirs["coverage"] <= 1
    assert ours["accuracy_answerable"] == 1 > theirs["accuracy_answerable"]
    assert {path: path.read_bytes() for path in before} == before


def test_the_table_says_by_which_rule(random_run: Path) -> None:
    text = worldquiz("score", random_run, "--checkpoints", "paper").out
    assert "random + worldgraph: questions answerable by the paper's rule" in text
    assert "property" in text


def test_rules_that_a_benchmark_has_not_are_named(random_run: Path) -> None:
    refused = worldquiz("score", random_run, "--checkpoints", "papers")
    assert refused.code == 2
    assert "Task2Quiz run has no checkpoints 'papers'; did you mean 'paper'?" in refused.err
