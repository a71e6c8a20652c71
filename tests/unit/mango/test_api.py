"""MANGO in Python: build, open, run with names, objects and classes; then scores, rows, pages."""

from __future__ import annotations

import asyncio
import json
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

import worldquiz as wq
from command import tree, worldquiz
from worldquiz.errors import (
    AgentError,
    CatalogError,
    KnobError,
    MissingExtra,
    RecordError,
    WorldError,
)
from worldquiz.mango import MazeSet

FEW: dict[str, Any] = {"per_maze": 2, "steps": 30}


class Northward:
    """Says the same of every question."""

    def answer(self, prompt: str) -> str:
        assert prompt.startswith("===========\n==>STEP NUM: 0")
        return "[{'prev_node': 'hall', 'action': 'north', 'node': 'attic'}]"


class Looking:
    """Takes pictures too, of which mazes have none."""

    async def answer(self, prompt: str, pictures: Sequence[bytes]) -> str:
        assert not pictures
        return Northward().answer(prompt)


@pytest.fixture(scope="module")
def mazes(tmp_path_factory: pytest.TempPathFactory) -> MazeSet:
    folder = tmp_path_factory.mktemp("mango") / "mazes"
    return wq.mango.build(mazes=2, seed=7, out=folder, size=7)


@pytest.fixture(scope="module")
def mapper(mazes: MazeSet, tmp_path_factory: pytest.TempPathFactory) -> wq.Run:
    return mazes.run("mapper", out=tmp_path_factory.mktemp("runs") / "mapper", **FEW)


def test_built_mazes_are_opened_by_any_door(mazes: MazeSet) -> None:
    for again in (wq.load(mazes.path), wq.mango.load(str(mazes.path))):
        assert isinstance(again, wq.mango.MazeSet)
        assert again.games == ("maze-00", "maze-01")
    assert repr(mazes) == f"MazeSet({str(mazes.path)!r}, mazes=2)"
    with pytest.raises(RecordError, match="contains no game"):
        wq.mango.load(mazes.path.parent)
    with pytest.raises(AttributeError, match="no attribute 'close'"):
        wq.mango.close  # noqa: B018


def test_a_named_baseline_is_scored_shown_and_exported(mapper: wq.Run, tmp_path: Path) -> None:
    assert mapper.scores == mapper.score()
    assert mapper.manifest["answerer"] == "mapper"
    assert mapper.scores["rf"]["all"]["success"]["macro"] > 0
    frame = mapper.frame()
    assert len(frame) == len(mapper.rows)
    assert mapper.export(tmp_path / "q.parquet").is_file()
    assert "mapper" in mapper.report(tmp_path / "page.html").read_text("utf-8")
    assert wq.load(mapper.path).rows == mapper.rows


@pytest.mark.parametrize("answerer", [Northward(), Northward, lambda: Northward(), Looking])
def test_an_object_a_class_or_a_function_answers(
    answerer: object, mazes: MazeSet, mapper: wq.Run, tmp_path: Path
) -> None:
    told: list[str] = []
    run = mazes.run(answerer, out=tmp_path / "mine", progress=told.append, **FEW)
    assert len(told) == len(run.rows) == len(mapper.rows)
    assert {row.answerer for row in run.rows} == {run.manifest["answerer"]}
    assert {row.answer for row in run.rows if row.type == "rf"} == {"north"}
    found = wq.compare(mapper, run)
    assert found["questions"] == len(run.rows)
    assert found["left"] >= found["right"]
    page = wq.report([mapper, run], tmp_path / "both.html")
    assert run.manifest["answerer"].strip("<>") in page.read_text("utf-8")


def test_it_runs_where_an_event_loop_runs(mazes: MazeSet, mapper: wq.Run, tmp_path: Path) -> None:
    async def notebook() -> tuple[wq.Run, wq.Run]:
        sync = mazes.run("mapper", out=tmp_path / "sync" / "mapper", **FEW)
        return sync, await mazes.arun("mapper", out=tmp_path / "async" / "mapper", **FEW)

    sync, later = asyncio.run(notebook())
    for run in (sync, later):
        assert (run.rows, run.scores) == (mapper.rows, mapper.scores)


class Named(Northward):
    """Is called like a baseline."""

    name = "mapper"


class Uncopied(Northward):
    def __deepcopy__(self, memo: object) -> Uncopied:
        raise TypeError("it holds a lock")


@pytest.mark.parametrize(
    ("options", "error", "told"),
    [
        ({}, KnobError, "give either --model or --answerer"),
        ({"answerer": "mapper", "model": "m"}, KnobError, "give either --model or --answerer"),
        ({"answerer": "mapper", "tasks": "minigame"}, KnobError, "cannot play minigames"),
        ({"answerer": "maper"}, CatalogError, "no answerer 'maper'; did you mean 'mapper'"),
        ({"answerer": Uncopied()}, CatalogError, "pass a class or function that makes one"),
        ({"answerer": Named}, CatalogError, "give the object another `name`"),
        ({"answerer": object()}, CatalogError, "'object': missing method 'answer'"),
        ({"answerer": "mapper", "games": ["maze-2"]}, KnobError, "no game 'maze-2'"),
        ({"answerer": "mapper", "retries": 2}, KnobError, "retries has no effect without a model"),
        ({"model": "openai/gpt-5.1"}, CatalogError, "OPENAI_API_KEY"),
        (
            {"model": "m", "base_url": "http://127.0.0.1:9/v1", "retries": 0},
            WorldError,
            "Cannot connect",
        ),
        (
            {"model": "m", "base_url": "http://127.0.0.1:9/v1", "generate": {"heat": 1}},
            KnobError,
            "generate .*heat",
        ),
    ],
)
def test_what_cannot_start_leaves_nothing_behind(
    options: dict[str, Any], error: type[Exception], told: str, mazes: MazeSet, tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:  # fmt: skip
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)
    with pytest.raises(error, match=told.replace("?", r"\?")):
        mazes.run(**options, out=tmp_path / "run", per_maze=1)
    assert not (tmp_path / "run").exists()


@pytest.mark.parametrize("library", ["numpy", "rapidfuzz"])
def test_a_missing_extra_is_told_in_one_line(
    library: str, mazes: MazeSet, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, library, None)
    with pytest.raises(MissingExtra, match=rf"{library} is not installed: pip install") as error:
        mazes.run("mapper", out=tmp_path / "run")
    assert "\n" not in str(error.value)
    with pytest.raises(MissingExtra, match=library):
        mazes.run(Northward, tasks="minigame", out=tmp_path / "run")
    assert not (tmp_path / "run").exists()


def test_an_answerer_that_fails_is_named_with_the_question(mazes: MazeSet, tmp_path: Path) -> None:
    class Fails:
        def answer(self, prompt: str) -> str:
            raise KeyError("attic")

    told = r"^answerer 'Fails' failed at question maze-00/df/\w+: KeyError: 'attic'; finished"
    with pytest.raises(AgentError, match=told):
        mazes.run(Fails, out=tmp_path / "run", per_maze=1)


def test_the_manifest_says_what_was_asked(mapper: wq.Run) -> None:
    told = json.loads((mapper.path / "manifest.json").read_text("utf-8"))
    assert (told["kind"], told["per_maze"], told["steps"]) == ("mango", 2, 30)
    assert "model" not in told
    assert sorted(told["data"]) == ["maze-00", "maze-01"]


def test_the_order_of_games_changes_nothing(mazes: MazeSet, tmp_path: Path) -> None:
    for name, games in (("one", ["maze-00", "maze-01"]), ("other", ["maze-01", "maze-00"])):
        mazes.run("mapper", out=tmp_path / name / "run", games=games, **FEW)
    assert tree(tmp_path / "one") == tree(tmp_path / "other")


def test_what_a_terminal_shows_has_the_papers_scores(
    mazes: MazeSet, mapper: wq.Run, tmp_path: Path
) -> None:
    played = mazes.run(lambda: Northward(), tasks="minigame", out=tmp_path / "played")
    for run, headings in ((mapper, {"DF", "RF", "success"}), (played, {"minigames", "w/o", "map"})):
        assert headings <= set(worldquiz("show", run.path).out.split())
    said = worldquiz("mango", "run", mapper.path, "--answerer", "go", "--out", tmp_path / "x")
    assert "contains no game; expected GAME.edges.json" in said.err
