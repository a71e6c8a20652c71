"""Curves put each answer into one class of each kind, and means are those of its answers."""

from __future__ import annotations

import json
import shutil
import xml.etree.ElementTree as ET
from pathlib import Path

import pytest

import command
from worldquiz.mango.maze.generate import Knobs, generate
from worldquiz.mango.maze.write import write
from worldquiz.mango.running.run import read_contest
from worldquiz.mango.scoring.context import curves
from worldquiz.mango.scoring.grade import Task


@pytest.fixture(scope="module")
def runs(tmp_path_factory: pytest.TempPathFactory) -> list[Path]:
    """Runs of one answerer that read 10, 50 and all steps of two mazes."""
    folder = tmp_path_factory.mktemp("curve")
    for seed, name in enumerate(("cave", "keep")):
        write(generate(Knobs(24, loops=0.3), seed, name=name), folder / "mazes")
    found = []
    for steps in (10, 50, 1_000):
        out = folder / f"read-{steps}"
        done = command.worldquiz(
            "mango", "run", folder / "mazes", "--answerer", "mapper", "--steps", steps,
            "--sampling", "strata", "--per-maze", 20, "--out", out,
        )  # fmt: skip
        assert done.code == 0, done.err
        found.append(out)
    return found


def test_every_answer_is_in_one_class_of_each_kind(runs: list[Path]) -> None:
    contest = read_contest(runs)
    found = curves(contest)
    assert set(found) == {"mapper", "go", "source", "frequent", "walk"}
    answers = {(each.question.game, each.question.id, each.question.task, each.steps)
               for one in contest.contestants for each in one.marked}  # fmt: skip
    for cells in found["mapper"].values():
        for task in Task:
            asked = sum(cell[str(task)]["asked"] for cell in cells.values())
            assert asked == sum(key[2] is task for key in answers)
    assert len(found["mapper"]["steps"]) >= 2


def test_equal_answers_of_two_runs_count_once(runs: list[Path], tmp_path: Path) -> None:
    shutil.copytree(runs[0], tmp_path / "again")
    twice = curves(read_contest([runs[0], tmp_path / "again"]))
    assert curves(read_contest(runs[:1]))["mapper"] == twice["mapper"]


def test_the_command_prints_and_draws(runs: list[Path], tmp_path: Path) -> None:
    picture = tmp_path / "curve.svg"
    done = command.worldquiz("mango", "curve", *runs, "--score", "knowledge", "--out", picture)
    assert done.code == 0, done.err
    assert "knowledge by steps read" in done.out
    assert max(map(len, done.out.splitlines())) <= 80
    root = ET.fromstring(picture.read_text("utf-8"))
    assert "mapper" in "".join(root.itertext())
    told = json.loads(command.worldquiz("mango", "curve", *runs, "--json").out)
    assert told["mapper"]["distance"]["1"]["df"]["asked"] > 0
    for wrong in (("--score", "luck"), ("--out", tmp_path / "curve.png")):
        done = command.worldquiz("mango", "curve", *runs, *wrong)
        assert done.code == 2
        assert "Traceback" not in done.err


def test_games_can_be_chosen_by_name(runs: list[Path], tmp_path: Path) -> None:
    one = json.loads(command.worldquiz("mango", "curve", *runs, "--game", "keep", "--json").out)
    assert {cell["df"]["mazes"] for cell in one["mapper"]["steps"].values()} == {1}
    done = command.worldquiz("mango", "tables", runs[0], "--game", "keep", "--out", tmp_path)
    assert done.code == 0, done.err
    games = (tmp_path / "games.csv").read_text("utf-8")
    assert "keep" in games
    assert "cave" not in games
    (tmp_path / "zork1.z5").write_bytes(b"no game")
    for wrong in (
        ("curve", runs[0], "--game", "kep"),
        ("regress", runs[0], "--game", "kep"),
        ("record", "--roms", tmp_path, "--out", tmp_path / "out", "--game", "zork"),
    ):
        done = command.worldquiz("mango", *wrong)
        assert done.code == 2
        assert "did you mean" in done.err
