"""MANGO by tools: a walkthrough that is read, and answers with the records of any answerer."""

from __future__ import annotations

import json
import shutil
from itertools import cycle
from pathlib import Path
from typing import Any

import pytest

import worldquiz as wq
from command import worldquiz as command
from serving import plays, serve, tree
from worldquiz.mango import MazeSet

WAY = [{"prev_node": "hall", "action": "north", "node": "attic"}]
SAID: list[Any] = [json.dumps(WAY), "no idea", ""]


@pytest.fixture(scope="module")
def mazes(tmp_path_factory: pytest.TempPathFactory) -> MazeSet:
    return wq.mango.build(mazes=2, seed=3, size=5, out=tmp_path_factory.mktemp("m") / "mazes")


class Scripted:
    """Gives the same answers in every maze."""

    name = "claude"

    def __init__(self) -> None:
        self._said = cycle(SAID)

    def answer(self, prompt: str) -> Any:
        return next(self._said)


def calls(served: int) -> list[tuple[str, dict[str, Any]]]:
    return [("answer", {"answer": SAID[n % 3]}) for n in range(served)]


ASKED = 8  # of each maze: two lists of moves, each from two places, and four routes


def test_records_are_those_of_an_answerer_in_python(mazes: MazeSet, tmp_path: Path) -> None:
    """Through two ends of the server, and whoever comes first."""
    every = calls(ASKED)

    def ends_early(seats: Any) -> None:
        plays(seats, "a", every[:3])
        plays(seats, "b", every)
        shutil.copytree(out, tmp_path / "killed")  # as a server is that is killed now

    def goes_on(seats: Any) -> None:
        assert seats.left == 1
        plays(seats, "a", every[3:])

    out = tmp_path / "served"
    assert serve(mazes.path, out, ends_early, per_maze="2") is None
    assert serve(mazes.path, out, goes_on, per_maze="2") is not None
    mazes.run(Scripted, per_maze=2, out=tmp_path / "own")
    assert serve(mazes.path, tmp_path / "killed", goes_on, per_maze="2") is not None
    assert tree(tmp_path / "killed") == tree(out)
    served, wanted = tree(out), tree(tmp_path / "own")
    assert served.keys() == wanted.keys()
    assert {name for name in wanted if served[name] != wanted[name]} == {"manifest.json"}
    assert json.loads((out / "manifest.json").read_text())["answerer"] == "claude"


def test_the_walkthrough_is_shown_before_any_question(mazes: MazeSet, tmp_path: Path) -> None:
    def door(seats: Any) -> None:
        with pytest.raises(wq.WorldquizError, match="call `look` first"):
            seats.call("a", "answer", {"answer": "x"})
        first = seats.call("a", "look", {}).text
        walkthrough, _, question = first.partition("Question 1 of ")
        assert "STEP NUM: 0" in walkthrough
        assert "The list of places are: " in walkthrough
        assert "Python list" in question
        assert seats.call("a", "look", {}).text == first
        with pytest.raises(wq.WorldquizError, match="at most 20000 characters"):
            seats.call("a", "answer", {"answer": "x" * 20_001})
        second = seats.call("a", "answer", {"answer": WAY}).text  # JSON, not a text
        assert second.startswith("Question 2 of ")
        assert "STEP NUM: 0" not in second
        assert seats.call("a", "look", {}).text == walkthrough + second

    serve(mazes.path, tmp_path / "run", door, per_maze="2")


@pytest.mark.parametrize("name", ["mapper", "model"])
def test_an_agent_is_not_called_like_a_baseline(mazes: MazeSet, tmp_path: Path, name: str) -> None:
    said = command("serve", mazes.path, "--agent-name", name, "--out", tmp_path / "x")
    assert "is taken by worldquiz" in said.err
