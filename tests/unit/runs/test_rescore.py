"""Scoring spread over workers: equal bytes, whatever they share and in whatever order they end."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import people
import synthetic
from workers import backwards
from worldquiz.errors import RecordError
from worldquiz.records import write_json
from worldquiz.runs import rescore
from worldquiz.runs.folder import SCORES, claimed
from worldquiz.runs.losses import FILE
from worldquiz.runs.rescore import each_run, score_all
from worldquiz.runs.run import Run
from worldquiz.t2q import pipeline

MAKERS = {
    "worlds": lambda out: people.worlds(out, synthetic.run(worlds=5)),
    "a model's worlds": lambda out: people.worlds(out, synthetic.model_run(worlds=3)),
    "mazes": people.mazes,
    "tasks": people.tasks,
}


@pytest.fixture
def spread(monkeypatch: pytest.MonkeyPatch) -> None:
    """Have work go to workers, who take a world at a time."""
    monkeypatch.setattr(rescore, "each", backwards)
    monkeypatch.setattr(rescore, "LEAST", 2)
    monkeypatch.setattr(pipeline, "PART", 1)


@pytest.fixture(scope="module")
def folders(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    home = tmp_path_factory.mktemp("runs")
    return {name: make(home / name.replace(" ", "-")) for name, make in MAKERS.items()}


@pytest.mark.usefixtures("spread")
@pytest.mark.parametrize("jobs", [2, 100])  # runs are dealt out whole, and in parts
def test_workers_write_the_bytes_of_one_process(folders: dict[str, Path], jobs: int) -> None:
    runs = [Run(path) for path in folders.values()]
    alone = {run.path: (run.score(), (run.path / SCORES).read_bytes()) for run in runs}
    for path in alone:
        (path / SCORES).unlink()
    told: list[str] = []
    found = score_all([*map(Run, alone), Run(runs[0].path)], jobs=jobs, done=told.append)
    assert found == {path: scores for path, (scores, _) in alone.items()}
    assert {path: (path / SCORES).read_bytes() for path in alone} == {
        path: data for path, (_, data) in alone.items()
    }
    assert sorted(told) == sorted(run.name for run in runs)


@pytest.mark.usefixtures("spread")
def test_what_failed_is_told_of_parts_too(tmp_path: Path) -> None:
    run = Run(people.worlds(tmp_path / "run", synthetic.run(worlds=3)))
    write_json(run.path / FILE, {"failed": {}, "unfinished": ["easy-02"], "reason": "a limit"})
    assert run.score()["unfinished"] == {"units": 1, "reason": "a limit"}
    assert score_all([Run(run.path)], jobs=100) == {run.path: run.scores}


@pytest.mark.usefixtures("spread")
def test_a_run_that_another_process_writes_is_not_scored(folders: dict[str, Path]) -> None:
    runs = [Run(folders["mazes"]), Run(folders["worlds"])]
    with claimed(folders["worlds"]), pytest.raises(RecordError, match="another worldquiz"):
        score_all(runs, jobs=2)
    with claimed(folders["mazes"]):  # it was let go
        pass


@settings(max_examples=8)
@given(part=st.integers(1, 9), worlds=st.integers(1, 8))
def test_a_run_in_parts_has_its_own_scores(
    part: int, worlds: int, tmp_path_factory: pytest.TempPathFactory
) -> None:
    run = Run(people.worlds(tmp_path_factory.mktemp("parts") / "run", synthetic.run(worlds=worlds)))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(pipeline, "PART", part)
        parts = run.kind.parts
        assert parts is not None
        split = parts.split(run.path)
    assert len(split) == -(-worlds // part)
    assert parts.join(run.path, [parts.grade(each) for each in split]) == run.computed()


def test_few_units_are_done_here(folders: dict[str, Path], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(rescore, "_spread", lambda *_, **__: pytest.fail("workers were begun"))
    paths = list(folders.values())
    assert len(score_all(list(map(Run, paths)), jobs=8)) == len(paths)
    assert each_run(lambda path: {"at": path}, paths, jobs=8) == {p: {"at": p} for p in paths}


@pytest.mark.slow
def test_processes_write_the_bytes_of_one(
    folders: dict[str, Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(rescore, "LEAST", 2)
    runs = [Run(folders["mazes"]), Run(folders["worlds"])]
    alone = [(run.score(), (run.path / SCORES).read_bytes())[1] for run in runs]
    score_all(runs, jobs=2)
    assert [(run.path / SCORES).read_bytes() for run in runs] == alone
