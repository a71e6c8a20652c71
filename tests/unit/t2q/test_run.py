from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

import worldquiz
from conftest import no_file_beyond
from played import RunRecord, read_run, tree
from worldquiz.errors import CatalogError, KnobError, RecordError
from worldquiz.facts.episode import Outcome
from worldquiz.facts.question import ABSTAIN
from worldquiz.records import write_folder
from worldquiz.runs import folder
from worldquiz.t2q import run as module
from worldquiz.t2q.builder import Plan, build
from worldquiz.t2q.run import Trial, play, run
from worldquiz.t2q.store import Played
from worldquiz.t2q.suites import Suite
from worldquiz.t2q.world.config import PerTask

RANDOM = Trial("random", "worldgraph", seed=3, budget=PerTask(12))


@pytest.fixture(scope="module")
def finished(suite: Suite, tmp_path_factory: pytest.TempPathFactory) -> RunRecord:
    """The run of `RANDOM`."""
    out = tmp_path_factory.mktemp("run")
    run(suite, RANDOM, out)
    return read_run(out)


def test_a_run_holds_all_that_scoring_needs(finished: RunRecord) -> None:
    assert sorted(tree(finished.path)) == sorted(
        ["episodes.jsonl", "manifest.json", "rows.jsonl", "scores.json"]
    )
    assert finished.name == "random + worldgraph"


def test_every_task_is_played_and_every_question_answered(
    finished: RunRecord, suite: Suite
) -> None:
    for world, played in zip(suite.worlds, finished.worlds, strict=True):
        bundle = suite.bundle(world)
        assert played.bundle == bundle
        assert [episode.task for episode in played.episodes] == [task.id for task in bundle.tasks]
        assert [answer.question for answer in played.answers] == [
            question.id for question in bundle.questions
        ]
        assert all(episode.actions <= 12 for episode in played.episodes)


def test_the_number_of_processes_changes_nothing(
    finished: RunRecord, suite: Suite, tmp_path: Path
) -> None:
    run(suite, RANDOM, tmp_path, jobs=2)
    assert tree(tmp_path) == tree(finished.path)


def test_another_seed_is_another_run(finished: RunRecord, suite: Suite, tmp_path: Path) -> None:
    run(suite, Trial("random", "worldgraph", seed=4, budget=PerTask(12)), tmp_path)
    other = read_run(tmp_path)
    assert [played.episodes for played in other.worlds] != [
        played.episodes for played in finished.worlds
    ]


def test_the_manifest_says_who_and_on_what(finished: RunRecord, suite: Suite) -> None:
    manifest = json.loads((finished.path / "manifest.json").read_text())
    assert manifest.pop("versions")["worldquiz"]
    assert (finished.path / manifest.pop("folder")).resolve() == suite.path.resolve()
    assert manifest == {
        "kind": "run",
        "suite": suite.digest,
        "agent": "random",
        "answerer": "worldgraph",
        "seed": 3,
        "max_steps": 12,
        "worlds": ["easy-00", "easy-01"],
    }


def test_a_run_that_was_stopped_ends_with_the_same_bytes(
    finished: RunRecord, suite: Suite, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def stop(world: str) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        run(suite, RANDOM, tmp_path, done=stop)
    assert not (tmp_path / "scores.json").exists()
    with pytest.raises(RecordError, match=r"has no rows\.jsonl yet: give the run's command again"):
        read_run(tmp_path)
    told: list[str] = []
    played: list[str] = []

    def counted(path: Path, trial: Trial, world: str) -> Played:
        played.append(world)
        return play(path, trial, world)

    monkeypatch.setattr(module, "play", counted)
    run(suite, RANDOM, tmp_path, done=told.append)
    assert told == ["easy-00", "easy-01"]
    assert played == ["easy-01"]
    assert tree(tmp_path) == tree(finished.path)


def test_a_full_disk_loses_nothing(
    finished: RunRecord, suite: Suite, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def cramped(target: Path, fill: Callable[[Path], None]) -> None:
        with no_file_beyond(12_000):
            write_folder(target, fill)

    with monkeypatch.context() as patch:
        patch.setattr(folder, "write_folder", cramped)
        with pytest.raises(RecordError, match=r"easy-00/.*jsonl: cannot write: File too large"):
            run(suite, RANDOM, tmp_path)
    assert list((tmp_path / "worlds").iterdir()) == []
    run(suite, RANDOM, tmp_path)
    assert tree(tmp_path) == tree(finished.path)


def test_scoring_again_gives_the_same_scores(finished: RunRecord, tmp_path: Path) -> None:
    shutil.copytree(finished.path, tmp_path / "copy")
    (tmp_path / "copy" / "scores.json").unlink()
    worldquiz.Run(tmp_path / "copy").score()
    assert tree(tmp_path / "copy") == tree(finished.path)


@pytest.mark.parametrize(
    ("change", "key"),
    [
        ({"agent": "idle"}, "agent"),
        ({"seed": 9}, "seed"),
        ({"budget": PerTask(13)}, "max_steps"),
    ],
)
def test_another_trial_is_refused(
    finished: RunRecord, suite: Suite, change: dict[str, Any], key: str
) -> None:
    trial = replace(RANDOM, **change)
    with pytest.raises(RecordError, match=f"begun by another command \\({key} was"):
        run(suite, trial, finished.path)


def test_another_suite_is_refused(finished: RunRecord, tmp_path: Path) -> None:
    other = build(Plan("easy", 5, 1), tmp_path)
    with pytest.raises(RecordError, match="suite was"):
        run(other, RANDOM, finished.path)


@pytest.mark.parametrize(
    ("trial", "message"),
    [
        (Trial("rndom", "constant"), "no agent 'rndom'; did you mean 'random'"),
        (Trial("random", "constnat"), "no answerer 'constnat'; did you mean 'constant'"),
        (Trial("constant", "constant"), "no agent 'constant'"),
        (Trial("human", "human"), "a person plays, and takes the quiz, with `worldquiz t2q play`"),
        (Trial("random", "human"), "with `worldquiz t2q play`"),
    ],
)
def test_nobody_of_that_name_leaves_nothing_behind(
    suite: Suite, tmp_path: Path, trial: Trial, message: str
) -> None:
    with pytest.raises(CatalogError, match=message):
        run(suite, trial, tmp_path / "out")
    assert not (tmp_path / "out").exists()


def test_negative_steps_are_refused() -> None:
    with pytest.raises(KnobError, match="max steps: -1 is below 0"):
        Trial("random", "constant", budget=PerTask(-1))


def test_without_steps_only_the_first_sight_is_seen(suite: Suite) -> None:
    played = play(suite.path, Trial("explorer", "abstainer", budget=PerTask(0)), "easy-00")
    assert {episode.outcome for episode in played.episodes} == {Outcome.STEP_LIMIT}
    assert {len(episode.steps) for episode in played.episodes} == {1}
    assert {answer.reply for answer in played.answers} == {ABSTAIN}


def test_a_world_is_played_alike_alone_and_among_others(finished: RunRecord, suite: Suite) -> None:
    assert play(suite.path, RANDOM, "easy-01") == finished.worlds[1]
