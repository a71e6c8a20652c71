"""Laws of rows: one a question, with the scores of scores.json, for every kind of run."""

from __future__ import annotations

import json
import random
from math import fsum
from pathlib import Path
from statistics import fmean
from typing import Any

import pytest

import worldquiz as wq
from command import worldquiz

REPLIES = (
    "I do not know.",
    "",
    "[{'prev_node': 'x', 'action': 'north', 'node': 'y'}]",
    "north", "None", "[]",
)  # fmt: skip


class Guessing:
    """Answers anything, by what it is asked."""

    def answer(self, prompt: str) -> str:
        actions = prompt.rpartition("list: [")[2].partition("]")[0].split(", ")
        return random.Random(prompt).choice((*REPLIES, actions[0]))


ALL: dict[str, Any] = {"choice": "published"}


@pytest.fixture(scope="module")
def mazes(tmp_path_factory: pytest.TempPathFactory) -> wq.mango.MazeSet:
    folder = tmp_path_factory.mktemp("rows") / "mazes"
    return wq.mango.build(mazes=2, seed=3, out=folder, size=8, one_way=0.3)


@pytest.fixture(scope="module", params=["mapper", "guessing"])
def quiz(request: Any, mazes: wq.mango.MazeSet, tmp_path_factory: pytest.TempPathFactory) -> wq.Run:
    answerer = "mapper" if request.param == "mapper" else Guessing
    return mazes.run(answerer, out=tmp_path_factory.mktemp("quiz") / "run", per_maze=12, **ALL)


@pytest.fixture(scope="module")
def minigames(mazes: wq.mango.MazeSet, tmp_path_factory: pytest.TempPathFactory) -> wq.Run:
    return mazes.run(Guessing, tasks="minigame", out=tmp_path_factory.mktemp("minigames") / "run")


@pytest.fixture(scope="module", params=[0, 5])
def maps(request: Any, mazes: wq.mango.MazeSet, tmp_path_factory: pytest.TempPathFactory) -> wq.Run:
    out = tmp_path_factory.mktemp("maps") / "run"
    return mazes.run(Guessing, out=out, shots=request.param)


def mean(rows: list[Any]) -> float:
    return fsum(row.grade or 0 for row in rows) / len(rows)


def check(run: wq.Run) -> None:
    """Check what holds of the rows of any run."""
    assert len({(row.world, row.type, row.item) for row in run.rows}) == len(run.rows)
    for row in run.rows:
        assert (row.grade is None) == (row.unscored is not None)
        assert row.grade is None or 0 <= row.grade <= 1
        assert row.shown == (row.step is not None)
        assert (row.answer is None) or row.status == "answered"
        assert row.prompt
        assert "==>STEP NUM" not in row.prompt
    assert run.score() == json.loads((run.path / "scores.json").read_text("utf-8")) == run.scores


def check_quiz(run: wq.Run) -> None:
    asked = [row for row in run.rows if row.type in ("df", "rf")]
    assert len(asked) == run.manifest["questions"]
    for task in ("df", "rf"):
        mine = [row for row in asked if row.type == task and row.grade is not None]
        for level in ("easy", "hard"):
            some = [row for row in mine if row.level == level]
            assert len(some) == run.scores[task][level]["asked"]
        success = fmean(row.measures["success"] for row in mine)
        assert success == pytest.approx(run.scores[task]["all"]["success"]["micro"])
        assert all(row.grade == (row.measures["success"] == 1) for row in mine)


def test_rows_of_questions(quiz: wq.Run) -> None:
    check(quiz)
    check_quiz(quiz)
    assert {row.run for row in quiz.rows} == {"run"}
    assert all(row.calls is row.tokens is row.cost is None for row in quiz.rows)


def test_the_gold_of_a_route_leads_there(mazes: wq.mango.MazeSet, quiz: wq.Run) -> None:
    ways: dict[tuple[str, str, str], str] = {}
    for path in mazes.path.glob("*/steps70/*.edges.json"):
        for edge in json.loads(path.read_text("utf-8")):
            place = (path.parts[-3], edge["src_node"], edge["action"])
            ways[place] = edge["dst_node"]
    for row in quiz.rows:
        here = row.measures["source"]
        if row.type == "df":
            assert f"Starting from {here}, perform" in row.prompt
        else:
            assert row.prompt.startswith(f"How can you go from {here} to {row.measures['target']}?")
        route = row.measures["actions"] if row.type == "df" else row.gold.split(", ")
        for action in route:
            here = ways[row.world, here, action]
        assert here == (row.gold if row.type == "df" else row.measures["target"])


def test_a_row_says_from_which_step_on_its_question_is_answerable(
    mazes: wq.mango.MazeSet, quiz: wq.Run, tmp_path: Path
) -> None:
    """With a step less read, the question is not asked."""
    row = max(quiz.rows, key=lambda row: row.step or 0)
    assert row.step is not None
    less = mazes.run("mapper", out=tmp_path / "less", steps=row.step - 1, per_maze=500, **ALL)
    asked = {each.item for each in less.rows if each.world == row.world}
    assert row.item not in asked
    enough = mazes.run("mapper", out=tmp_path / "enough", steps=row.step, per_maze=500, **ALL)
    assert row.item in {each.item for each in enough.rows if each.world == row.world}


def test_rows_of_minigames(minigames: wq.Run) -> None:
    check(minigames)
    for setting in ("plain", "map"):
        mine = [row for row in minigames.rows if row.level == setting]
        cell = minigames.scores["minigames"][setting]
        assert len(mine) == cell["asked"]
        assert mean(mine) == pytest.approx(cell["share"])
        assert sum(row.answer is None for row in mine) == cell["ill_formed"]
        assert fsum(row.guess or 0 for row in mine) / len(mine) == pytest.approx(cell["chance"])
    for row in minigames.rows:
        assert row.gold in row.choices
        assert row.answer is None or row.answer in row.choices
        assert f"[{', '.join(row.choices)}]" in row.prompt


def test_rows_of_drawn_maps(maps: wq.Run) -> None:
    check(maps)
    check_quiz(maps)
    read = [row for row in maps.rows if row.type == "triplet"]
    micro = maps.scores["triplets"]["micro"]
    if maps.manifest["shots"]:
        assert len(read) == micro["asked"]
        assert mean(read) == pytest.approx(micro["accuracy"])
    for name, cell in maps.scores["triplets"]["games"].items():
        mine = [row for row in read if row.world == name]
        assert mean(mine) == pytest.approx(cell["accuracy"])


def test_how_right_the_triplets_of_drawn_maps_are_is_printed(maps: wq.Run) -> None:
    told = maps.scores["triplets"]
    assert f" {told['accuracy']['macro']:.2f} " in worldquiz("score", maps.path).out
