"""The commands of Task2Quiz: what they print for people and for programs."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

import worldquiz as wq
from conftest import Cli


def test_the_version(cli: Cli) -> None:
    said = cli("--version")
    assert (said.code, said.out) == (0, f"worldquiz {wq.__version__}\n")


def test_without_a_command_there_is_help(cli: Cli) -> None:
    said = cli()
    assert (said.code, said.out) == (2, "")
    assert "compare" in said.err


def test_build_prints_manifest_digest_and_number_of_worlds(cli: Cli, tmp_path: Path) -> None:
    arguments = ("t2q", "build", "--preset", "easy", "--worlds", 2, "--seed", 5,
                 "--jobs", 1, "--out", tmp_path / "s")  # fmt: skip
    said = cli(*arguments, "--json")
    assert said.code == 0
    assert sorted(said.json) == ["digest", "manifest", "worlds"]
    assert said.json["worlds"] == 2
    manifest = json.loads(Path(said.json["manifest"]).read_text())
    assert manifest["digest"] == said.json["digest"]
    assert cli(*arguments, "--json").json == said.json
    assert said.json["digest"][:16] in cli(*arguments).out


def test_build_turns_knobs_in_any_order(cli: Cli, tmp_path: Path) -> None:
    arguments = ("t2q", "build", "--preset", "easy", "--worlds", 1, "--seed", 5)
    rooms, doors = ("--set", "rooms=4..4"), ("--set", "doors=0.5")
    one = cli(*arguments, *rooms, *doors, "--out", tmp_path / "one", "--json").json
    other = cli(*arguments, *doors, *rooms, "--out", tmp_path / "other", "--json").json
    assert one["digest"] == other["digest"]
    assert json.loads(Path(one["manifest"]).read_text())["worlds"][0]["rooms"] == 4


def test_stats_stands_beside_the_paper(cli: Cli, suite: Any) -> None:
    said = cli("t2q", "stats", suite.path)
    assert said.code == 0
    for number in ("2.4", "4.17", "34.6", "31.1%", "21.5%", "20.6%", "8.6%", "18.3%"):
        assert number in said.out


def test_run_speaks_its_contract(cli: Cli, suite: Any, tmp_path: Path) -> None:
    said = cli("t2q", "run", suite.path, "--agent", "idle", "--answerer", "abstainer",
               "--out", tmp_path, "--jobs", 1, "--json")  # fmt: skip
    assert said.code == 0
    assert {"knowledge", "false_answers", "tsr", "eus", "by_type", "counts"} <= set(said.json)
    assert said.json == json.loads((tmp_path / "scores.json").read_text())
    assert (said.json["tsr"], said.json["knowledge"]) == (0, 0)


def test_show_lists_the_worlds_of_a_suite(cli: Cli, suite: Any) -> None:
    said = cli("t2q", "show", suite.path)
    assert all(world in said.out for world in suite.worlds)
    assert cli("t2q", "show", suite.path, "--json").json == dict(suite.manifest)


def test_show_shows_a_world(cli: Cli, suite: Any) -> None:
    bundle = suite.bundle("easy-00")
    said = cli("t2q", "show", suite.path, "easy-00")
    for room in bundle.spec.rooms:
        assert room.name in said.out
    for task in bundle.tasks:
        assert task.objective in said.out
        assert ", ".join(task.walkthrough.commands) in said.out
    assert f"and {len(bundle.questions) - 10} more questions" in said.out
    everything = cli("t2q", "show", suite.path, "easy-00", "--all").out
    assert all(question.text in everything for question in bundle.questions)


def test_show_shows_a_world_to_programs(cli: Cli, suite: Any) -> None:
    bundle = suite.bundle("easy-01")
    shown = cli("t2q", "show", suite.path, "easy-01", "--json").json
    assert shown["spec"]["facts"] == [str(fact) for fact in bundle.spec.facts]
    assert [task["walkthrough"]["commands"] for task in shown["tasks"]] == [
        list(task.walkthrough.commands) for task in bundle.tasks
    ]
    assert len(shown["questions"]) == len(bundle.questions)


def test_verify_ends_with_1_and_names_the_fault(
    cli: Cli, suite: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(world: object, task: object) -> None:
        raise AssertionError("law 6: the walkthrough does not win")

    monkeypatch.setattr("worldquiz.t2q.check.check_world", broken)
    said = cli("t2q", "check", suite.path, "--jobs", 1)
    assert said.code == 1
    assert said.out.splitlines()[0].startswith("easy-00: task '")
    assert said.out.splitlines()[0].endswith("': law 6: the walkthrough does not win")
    found = cli("t2q", "check", suite.path, "--jobs", 1, "--json").json
    assert found["faults"][0]["world"] == "easy-00"


def test_agents_are_listed_with_role_and_a_line_each(cli: Cli) -> None:
    found = cli("t2q", "agents", "--json").json
    table = " ".join(cli("t2q", "agents").out.split())
    for entry in [*found["agents"], *found["answerers"]]:
        assert entry["name"] in table
        assert entry["summary"].split()[-1] in table
        assert entry["role"]


def test_ctrl_c_says_how_to_go_on(
    cli: Cli, suite: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "stopping.py").write_text(
        "class Stop:\n    def act(self, observation):\n        raise KeyboardInterrupt\n"
    )
    monkeypatch.syspath_prepend(tmp_path)
    said = cli("t2q", "run", suite.path, "--agent", "stopping:Stop", "--answerer", "constant",
               "--jobs", 1, "--out", tmp_path / "run")  # fmt: skip
    assert (said.code, said.out) == (130, "")
    assert "is kept: run the same command again to continue" in said.err


def test_runs_on_other_data_are_not_compared_whatever_their_worlds_are_called(
    cli: Cli, tmp_path: Path
) -> None:
    for seed in (1, 2):
        suite = wq.t2q.build("easy", worlds=2, seed=seed, out=tmp_path / f"suite-{seed}")
        suite.run(agent="idle", answerer="abstainer", out=tmp_path / f"t2q-{seed}")
        mazes = wq.mango.build(mazes=1, size=8, seed=seed, out=tmp_path / f"mazes-{seed}")
        mazes.run("go", per_maze=4, out=tmp_path / f"mango-{seed}")
    for benchmark in ("t2q", "mango"):
        one, other = (tmp_path / f"{benchmark}-{seed}" for seed in (1, 2))
        assert wq.load(one).frame()["world"][0] == wq.load(other).frame()["world"][0]
        said = cli("compare", one, other)
        assert (said.code, "the runs share no graded question" in said.err) == (2, True)
        page = cli("report", one, other, "--out", tmp_path / "page.html")
        assert page.code == 0
        assert "+1.00" not in (tmp_path / "page.html").read_text()
        assert cli("compare", one, one).code == 0
