"""Scoring spread over workers: equal bytes, whatever they share and in whatever order they end."""

from __future__ import annotations

from pathlib import Path

import pytest

import people
import synthetic
from workers import backwards
from worldquiz.errors import RecordError
from worldquiz.runs import run as rescore
from worldquiz.runs.folder import SCORES, claimed
from worldquiz.runs.run import Run, score_all

MAKERS = {
    "worlds": lambda out: people.worlds(out, synthetic.run(worlds=5)),
    "a model's worlds": lambda out: people.worlds(out, synthetic.model_run(worlds=3)),
    "mazes": people.mazes,
    "tasks": people.tasks,
}


@pytest.fixture
def spread(monkeypatch: pytest.MonkeyPatch) -> None:
    """Have work go to workers."""
    monkeypatch.setattr(rescore, "each", backwards)
    monkeypatch.setattr(rescore, "LEAST", 2)


@pytest.fixture(scope="module")
def folders(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    home = tmp_path_factory.mktemp("runs")
    return {name: make(home / name.replace(" ", "-")) for name, make in MAKERS.items()}


@pytest.mark.usefixtures("spread")
def test_workers_write_the_bytes_of_one_process(folders: dict[str, Path]) -> None:
    runs = [Run(path) for path in folders.values()]
    alone = {run.path: (run.score(), (run.path / SCORES).read_bytes()) for run in runs}
    for path in alone:
        (path / SCORES).unlink()
    told: list[str] = []
    found = score_all([*map(Run, alone), Run(runs[0].path)], jobs=2, done=told.append)
    assert found == {path: scores for path, (scores, _) in alone.items()}
    assert {path: (path / SCORES).read_bytes() for path in alone} == {
        path: data for path, (_, data) in alone.items()
    }
    assert sorted(told) == sorted(run.name for run in runs)


@pytest.mark.usefixtures("spread")
def test_a_run_that_another_process_writes_is_not_scored(folders: dict[str, Path]) -> None:
    runs = [Run(folders["mazes"]), Run(folders["worlds"])]
    with claimed(folders["worlds"]), pytest.raises(RecordError, match="another worldquiz"):
        score_all(runs, jobs=2)
    with claimed(folders["mazes"]):  # it was let go
        pass
