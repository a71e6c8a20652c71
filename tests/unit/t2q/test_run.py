"""Runs on a suite: records, resuming, refusals, and what a manifest says."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any

import pytest

import worldquiz as wq
from played import episodes, tree
from worldquiz.errors import RecordError
from worldquiz.facts.replies import READER
from worldquiz.t2q import T2QSuite

RANDOM: dict[str, Any] = {"agent": "random", "answerer": "worldgraph", "seed": 3, "max_steps": 12}
NOWHERE = {"model": "m", "base_url": "http://127.0.0.1:9/v1", "retries": 0}


@pytest.fixture(scope="module")
def finished(suite: T2QSuite, tmp_path_factory: pytest.TempPathFactory) -> wq.Run:
    """The run of `RANDOM`."""
    return suite.run(**RANDOM, out=tmp_path_factory.mktemp("run"))


def test_a_run_holds_all_that_scoring_needs(finished: wq.Run, tmp_path: Path) -> None:
    assert sorted(tree(finished.path)) == sorted(
        ["episodes.jsonl", "manifest.json", "rows.jsonl", "scores.json"]
    )
    shutil.copytree(finished.path, tmp_path / "copy")
    (tmp_path / "copy" / "scores.json").unlink()
    wq.Run(tmp_path / "copy").score()
    assert tree(tmp_path / "copy") == tree(finished.path)


def test_every_task_is_played_and_every_question_answered(
    finished: wq.Run, suite: T2QSuite
) -> None:
    played = episodes(finished.path)
    assert [*played] == [*suite.worlds]
    for world, some in played.items():
        bundle = suite.bundle(world)
        assert [episode["task"] for episode in some] == [task.id for task in bundle.tasks]
        asked = [row.item for row in finished.rows if row.world == world]
        assert asked == [question.id for question in bundle.questions]
        assert all(len(episode["steps"]) <= 13 for episode in some)


def test_the_manifest_says_who_and_on_what(finished: wq.Run, suite: T2QSuite) -> None:
    manifest = json.loads((finished.path / "manifest.json").read_text())
    assert manifest.pop("versions")["worldquiz"]
    assert (finished.path / manifest.pop("folder")).resolve() == suite.path.resolve()
    assert manifest == {
        **RANDOM, "kind": "run", "suite": suite.digest, "worlds": ["easy-00", "easy-01"],
        "reader": READER,
    }  # fmt: skip


@pytest.mark.parametrize(
    ("change", "key"),
    [({"agent": "idle"}, "agent"), ({"seed": 9}, "seed"), ({"max_steps": 13}, "max_steps")],
)
def test_another_run_is_refused(
    finished: wq.Run, suite: T2QSuite, change: dict[str, Any], key: str
) -> None:
    with pytest.raises(RecordError, match=f"begun with other settings \\({key} was"):
        suite.run(**{**RANDOM, **change}, out=finished.path)


def test_another_suite_is_refused(finished: wq.Run, tmp_path: Path) -> None:
    other = wq.t2q.build("easy", seed=5, worlds=1, out=tmp_path)
    with pytest.raises(RecordError, match="suite was"):
        other.run(**RANDOM, out=finished.path)


def test_without_steps_only_the_first_sight_is_seen(suite: T2QSuite, tmp_path: Path) -> None:
    run = suite.run(agent="explorer", answerer="abstainer", max_steps=0, out=tmp_path)
    tasks = [row for row in run.tasks if row.world == "easy-00"]
    assert {(row.reply, row.measures["outcome"]) for row in tasks} == {("", "step_limit")}
    assert {row.status for row in run.rows} == {"abstained"}
