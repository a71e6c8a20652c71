"""MANGO by tools: a walkthrough that is read, and answers with the records of any answerer."""

from __future__ import annotations

import json
import shutil
from itertools import cycle
from pathlib import Path
from typing import Any

import pytest

import worldquiz
from command import worldquiz as command
from serving import plays, serve, tree
from worldquiz.errors import WorldError
from worldquiz.mango import MazeSet
from worldquiz.records import read_json
from worldquiz.runs.folder import MANIFEST
from worldquiz.serve.seats import Seats, ServedReading
from worldquiz.serve.session import ToolError

WAY = [{"prev_node": "hall", "action": "north", "node": "attic"}]
SAID: list[Any] = [json.dumps(WAY), "no idea", ""]


@pytest.fixture(scope="module")
def mazes(tmp_path_factory: pytest.TempPathFactory) -> MazeSet:
    return worldquiz.mango.build(
        mazes=2, seed=3, size=5, out=tmp_path_factory.mktemp("m") / "mazes"
    )


class Scripted:
    """Gives the same answers in every maze."""

    name = "claude"

    def __init__(self) -> None:
        self._said = cycle(SAID)

    def answer(self, prompt: str) -> Any:
        return next(self._said)


def calls(served: int) -> list[tuple[str, dict[str, Any]]]:
    return [("done", {}), *(("answer", {"answer": SAID[n % 3]}) for n in range(served))]


def asked(mazes: MazeSet) -> int:
    return 4  # two of each task


def test_records_are_those_of_an_answerer_in_python(mazes: MazeSet, tmp_path: Path) -> None:
    """Through two ends of the server, and whoever comes first."""
    every = calls(asked(mazes))

    def ends_early(seats: Seats) -> None:
        plays(seats, "a", every[:3])
        plays(seats, "b", every)
        shutil.copytree(out, tmp_path / "killed")  # as a server is that is killed now

    def goes_on(seats: Seats) -> None:
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
    assert {name for name in wanted if served[name] != wanted[name]} == {MANIFEST}
    assert read_json(out / MANIFEST)["answerer"] == "claude"


def test_the_walkthrough_is_read_at_any_time_and_questions_come_after_it(
    mazes: MazeSet, tmp_path: Path
) -> None:
    def door(seats: Seats) -> None:
        assert "`done` ends the reading" in seats.call("a", "look", {}).text
        walkthrough = seats.call("a", "read", {}).text
        assert "STEP NUM: 0" in walkthrough
        assert "The list of places are: " in walkthrough
        with pytest.raises(ToolError, match=r"answer: not now: call `done`"):
            seats.call("a", "answer", {"answer": "x"})
        first = seats.call("a", "done", {}).text
        assert first.startswith("Question 1 of ")
        assert "Python list" in first
        assert "STEP NUM: 0" not in first
        assert seats.call("a", "read", {}).text == walkthrough
        assert seats.call("a", "look", {}).text == first
        with pytest.raises(ToolError, match=r"done: not now: call `answer`"):
            seats.call("a", "done", {})
        with pytest.raises(ToolError, match="at most 20,000"):
            seats.call("a", "answer", {"answer": "x" * 20_001})
        assert "Question 2" in seats.call("a", "answer", {"answer": WAY}).text  # JSON, not a text

    serve(mazes.path, tmp_path / "run", door, per_maze="2")


def test_a_maze_that_breaks_fails_alone(
    mazes: MazeSet, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    script = ServedReading.script

    async def broken(self: ServedReading, place: str, kept: Any) -> str:
        if place == "maze-00":
            raise WorldError("the map burns")
        return await script(self, place, kept)

    monkeypatch.setattr(ServedReading, "script", broken)

    def door(seats: Seats) -> None:
        with pytest.raises(ToolError, match=r"this maze cannot go on \(the map burns\)"):
            seats.call("a", "look", {})
        plays(seats, "a", calls(asked(mazes)))

    scores = serve(mazes.path, tmp_path / "run", door, per_maze="2")
    assert scores is not None
    assert scores["failed"]["reasons"] == {"the map burns": asked(mazes)}


@pytest.mark.parametrize("name", ["mapper", "model"])
def test_an_agent_is_not_called_like_a_baseline(mazes: MazeSet, name: str) -> None:
    said = command("serve", mazes.path, "--agent-name", name, "--out", mazes.path / "x")
    assert "worldquiz calls one of its own so" in said.err
