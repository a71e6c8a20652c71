"""Questions asked in pairs: lists of moves that mostly cannot be made from one of two places."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import people
import worldquiz as wq
from command import worldquiz
from worldquiz.mango import MazeSet

CANNOT = "cannot be made"


@pytest.fixture(scope="module")
def mazes(tmp_path_factory: pytest.TempPathFactory) -> MazeSet:
    return wq.mango.build(mazes=6, seed=7, size=12, out=tmp_path_factory.mktemp("m") / "mazes")


@pytest.fixture(scope="module")
def keeper(mazes: MazeSet) -> wq.Run:
    return mazes.run("keeper", out=mazes.path.parent / "keeper", per_maze=20)


def says(mazes: MazeSet, out: Path, reply: str) -> wq.Run:
    class Same:
        def answer(self, prompt: str) -> str:
            return reply

    return mazes.run(Same(), out=out, label=out.name, per_maze=20, tasks="df")


def test_a_keeper_of_the_map_knows_all_and_nobody_gains_by_a_constant(
    mazes: MazeSet, keeper: wq.Run, tmp_path: Path
) -> None:
    assert keeper.headline["knowledge"] == 1.0
    assert {row.guess for row in keeper.rows} == {1 / 2, 1 / 4}
    ends = [row.gold for row in keeper.rows if row.type == "df"]
    assert 0.4 < ends.count(CANNOT) / len(ends) <= 0.5
    assert says(mazes, tmp_path / "constant", CANNOT).headline["knowledge"] <= 0.0
    assert says(mazes, tmp_path / "silent", "").headline["knowledge"] == 0.0


@pytest.mark.parametrize(
    ("reply", "right"),
    [
        (CANNOT, True),
        ("The moves can't be made: there is no exit north.\n\nCannot be made.", True),
        ("<think>I go north to the attic.</think> These moves CANNOT BE MADE", True),
        ("[{'prev_node': 'a', 'action': 'north', 'node': 'b'}]", False),
        ("These moves can be made.", False),
        ("I do not know.", False),
    ],
)
def test_only_who_says_it_is_right_about_moves_that_cannot_be_made(
    mazes: MazeSet, tmp_path: Path, reply: str, right: bool
) -> None:
    run = says(mazes, tmp_path / "run", reply)
    assert {bool(row.correct) for row in run.rows if row.gold == CANNOT} == {right}
    assert not any(row.correct for row in run.rows if row.gold != CANNOT and right)


def test_replies_that_are_graded_again_keep_their_grades(keeper: wq.Run) -> None:
    before = (keeper.path / "rows.jsonl").read_bytes()
    assert worldquiz("check", keeper.path).code == 0
    assert worldquiz("score", keeper.path, "--regrade").code == 0
    assert (keeper.path / "rows.jsonl").read_bytes() == before
    assert json.loads((keeper.path / "manifest.json").read_text())["choice"] == "paired"


def test_a_person_says_it_too(keeper: wq.Run, tmp_path: Path) -> None:
    told = [
        CANNOT if row.gold == CANNOT else people.way(json.loads(row.reply), row.type)
        for row in keeper.rows
    ]
    said = people.sat(keeper.path, tmp_path / "human", told)
    assert said["scores"]["df"]["all"]["success"]["micro"] == 1.0


def test_the_fewest_questions_are_two_lists_and_four_routes(mazes: MazeSet, tmp_path: Path) -> None:
    rows = mazes.run("mapper", out=tmp_path / "run", per_maze=1, tasks="rf").rows
    assert {len([row for row in rows if row.world == name]) for name in mazes.games} == {4}


def test_keeping_all_questions_helps_with_the_published_ones_only(
    mazes: MazeSet, tmp_path: Path
) -> None:
    """A map drawn from the questions: trees of moves are laid over each other."""

    def known(name: str, choice: str) -> float:
        out = tmp_path / f"{name}-{choice}"
        run = mazes.run(name, out=out, choice=choice, per_maze=1000, games=mazes.games[:2])
        return float(run.headline["knowledge"])

    assert known("sheet", "published") > max(0.5, known("walk", "published") + 0.3)
    assert known("sheet", "paired") < 0.05
