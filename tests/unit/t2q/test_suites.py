"""Suites: equal plans give equal bytes, a stopped build goes on, and damage is named."""

from __future__ import annotations

import json
import shutil
import sys
from pathlib import Path
from typing import Any

import pytest

import worldquiz as wq
from command import tree, worldquiz

WORLDS = ("easy-00", "easy-01", "medium-00", "medium-01", "hard-00", "hard-01")
FILES = ("spec.jsonl", "tasks.jsonl", "quiz.jsonl")


def paper_in(folder: Path, **changes: Any) -> Any:
    return wq.t2q.build(**{"preset": "paper", "seed": 3, "worlds": 2, "out": folder, **changes})


@pytest.fixture(scope="module")
def paper(tmp_path_factory: pytest.TempPathFactory) -> Any:
    """Two worlds of each of the paper's levels."""
    return paper_in(tmp_path_factory.mktemp("paper"))


@pytest.fixture
def copy(paper: Any, tmp_path: Path) -> Path:
    """A suite that may be damaged."""
    return Path(shutil.copytree(paper.path, tmp_path / "copy"))


def test_a_suite_holds_what_is_asked_for(paper: Any) -> None:
    assert paper.worlds == WORLDS
    records = [f"worlds/{world}/{name}" for world in WORLDS for name in FILES]
    assert sorted(tree(paper.path)) == sorted(["manifest.json", "plan.json", *records])
    assert wq.load(paper.path).digest == paper.digest


@pytest.mark.slow
def test_the_number_of_processes_changes_nothing(paper: Any, tmp_path: Path) -> None:
    assert tree(paper_in(tmp_path, jobs=2).path) == tree(paper.path)


def test_a_larger_suite_begins_with_the_smaller_and_a_level_is_the_same_alone(
    paper: Any, tmp_path: Path
) -> None:
    hard = tree(wq.t2q.build("hard", seed=3, worlds=3, out=tmp_path).path / "worlds")
    assert {name for name in hard if name.startswith("hard-02")}
    told = tree(paper.path / "worlds").items()
    assert {each for each in told if each[0].startswith("hard")} < set(hard.items())


@pytest.mark.parametrize("change", [{"seed": 4}, {"worlds": 1}, {"parameters": {"ajar": 0.9}}])
def test_other_content_has_another_digest(
    paper: Any, tmp_path: Path, change: dict[str, Any]
) -> None:
    assert paper_in(tmp_path, **change).digest != paper.digest


def test_a_build_that_was_stopped_goes_on_where_it_was(paper: Any, tmp_path: Path) -> None:
    def stop(world: str) -> None:
        if world == "medium-00":
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        paper_in(tmp_path, progress=stop)
    with pytest.raises(wq.WorldquizError, match="the build was stopped: run its command"):
        wq.load(tmp_path).run(agent="idle", answerer="abstainer", out=tmp_path / "run")
    kept = {path: path.stat().st_mtime_ns for path in tmp_path.glob("worlds/*/*")}
    assert len(kept) == 3 * len(FILES)
    paper_in(tmp_path)
    assert {path: path.stat().st_mtime_ns for path in kept} == kept
    assert tree(tmp_path) == tree(paper.path)


@pytest.mark.parametrize(
    ("change", "difference"),
    [
        ({"seed": 4}, "seed was 3, is now 4"),
        ({"per_task_games": True}, "per_task_games was False, is now True"),
        ({"preset": "hard", "worlds": 1}, "preset was 'paper', is now 'hard'; worlds was 2"),
    ],
)
def test_another_plan_is_refused(paper: Any, change: dict[str, Any], difference: str) -> None:
    with pytest.raises(wq.WorldquizError, match=difference):
        paper_in(paper.path, **change)


def test_suites_of_other_question_rules_open_and_are_not_finished(copy: Path) -> None:
    for name in ("plan.json", "manifest.json"):
        document = json.loads((copy / name).read_text())
        (document if name == "plan.json" else document["plan"])["rules"] = 1
        (copy / name).write_text(json.dumps(document))
    assert wq.load(copy).worlds == WORLDS
    with pytest.raises(wq.WorldquizError, match="rules was 1, is now 9"):
        paper_in(copy)


@pytest.mark.parametrize("key", ["digest", "world", "worlds"])
def test_a_manifest_that_lacks_something_is_refused(copy: Path, key: str) -> None:
    manifest = json.loads((copy / "manifest.json").read_text())
    del manifest[key]
    (copy / "manifest.json").write_text(json.dumps(manifest))
    with pytest.raises(wq.WorldquizError, match=f"manifest.json.*{key}: Field required"):
        wq.load(copy)


@pytest.mark.parametrize("name", FILES)
def test_a_file_that_was_altered_is_named(copy: Path, name: str) -> None:
    path = copy / "worlds" / "easy-00" / name
    path.write_text(path.read_text().replace("go", "og", 1).replace("at", "ta", 1) + "\n")
    checked = worldquiz("check", copy)
    assert checked.code in (1, 2)
    assert name in checked.out + checked.err


def test_every_walkthrough_wins(paper: Any) -> None:
    found = worldquiz("t2q", "check", paper.path, "--json").json
    assert (found["worlds"], found["sound"], found["faults"]) == (6, True, [])
    assert found["tasks"] == sum(world["tasks"] for world in paper.manifest["worlds"])


def test_stats_are_means_beside_the_papers(paper: Any) -> None:
    found = worldquiz("t2q", "stats", paper.path, "--json").json
    hard = [world for world in paper.manifest["worlds"] if world["level"] == "hard"]
    for key in ("rooms", "objects", "tasks", "questions"):
        assert found["levels"]["hard"][key] == sum(world[key] for world in hard) / 2
    assert sum(found["levels"]["hard"]["types"].values()) == pytest.approx(1)


@pytest.mark.slow
def test_per_task_games_stand_beside_the_world(tmp_path: Path) -> None:
    made = wq.t2q.build("easy", seed=3, worlds=1, per_task_games=True, out=tmp_path)
    tasks = [json.loads(line)["id"] for line in
             (made.folder("easy-00") / "tasks.jsonl").read_text().splitlines()[1:]]  # fmt: skip
    found = {path.name for path in (made.folder("easy-00") / "games").iterdir()}
    assert found == {f"{task}.{suffix}" for task in tasks for suffix in ("ni", "z8", "json")}


def test_games_alone_need_textworld(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    imported = [name for name in sys.modules if name.split(".")[0] in ("textworld", "jericho")]
    for name in {*imported, "textworld", "jericho"}:
        monkeypatch.setitem(sys.modules, name, None)
    with pytest.raises(wq.WorldquizError, match="textworld is not installed"):
        wq.t2q.build("easy", worlds=1, per_task_games=True, out=tmp_path / "games")
    assert not (tmp_path / "games").exists()
    made = wq.t2q.build("easy", worlds=1, out=tmp_path / "suite")
    run = made.run(agent="walkthrough", answerer="worldgraph", out=tmp_path / "run")
    assert run.scores["tsr"] == 1


def test_a_seed_that_is_not_given_is_drawn_told_and_kept(tmp_path: Path) -> None:
    build = ("t2q", "build", "--preset", "easy", "--worlds", 1, "--out")
    drawn = [worldquiz(*build, tmp_path / name) for name in ("a", "b", "a")]
    seeds = [json.loads((tmp_path / name / "plan.json").read_text())["seed"] for name in "ab"]
    assert [said.code for said in drawn] == [0, 0, 0]
    assert [len(str(seed)) for seed in {*seeds}] == [15, 15]
    for said, seed in zip(drawn, seeds, strict=False):
        assert f"worldquiz: seed: {seed}" in said.err
    assert "seed" not in drawn[2].err
    assert "--shard needs --seed" in worldquiz(*build, tmp_path / "c", "--shard", "1/2").err
