"""TEA in Python: build, run and recall with names and with objects; rows; nothing left behind."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Sequence
from math import fsum
from pathlib import Path
from typing import Any

import pytest

import worldquiz as wq

ASKED: dict[str, Any] = {"tasks": 24, "walks": 2, "seed": 1}
VIEWS = 6


@pytest.fixture(scope="module")
def tasks(flats: Path) -> wq.tea.TaskFolder:
    return wq.tea.TaskFolder(flats)


class Learns:
    """An answerer that answers by how often it was asked: what it keeps shows in its replies."""

    name = "learns"

    def __init__(self) -> None:
        self.asked = 0

    def answer(self, prompt: str, pictures: Sequence[bytes]) -> str:
        self.asked += 1
        assert all(each.startswith(b"\x89PNG") for each in pictures)
        return json.dumps({"answer": self.asked})


class Walks(Learns):
    """One that walks straight ahead as well."""

    async def act(self, observation: Any) -> str | None:
        await asyncio.sleep(0)
        self.walked = getattr(self, "walked", 0) + 1
        assert "moves" in observation.text or "Move" in observation.text
        assert observation.pictures[0].startswith(b"\x89PNG")
        return json.dumps({"turn": 0, "walk": 1}) if self.walked < 3 else None


# Building


def test_a_folder_of_tasks_says_what_it_holds_and_is_loaded_again(tasks: wq.tea.TaskFolder) -> None:
    assert repr(tasks) == f"TaskFolder({str(tasks.path)!r}, tiny-01, tiny-02)"
    assert tasks.summary["tasks"] == sum(tasks.summary["by_scene"].values()) > 100
    again = wq.load(tasks.path)
    assert isinstance(again, wq.tea.TaskFolder)
    assert again.manifest == tasks.manifest


# Rows


def check_rows(run: wq.Run) -> None:
    """Check that rows are a run's questions, each once, and whole."""
    rows = run.rows
    assert len({(row.world, row.item) for row in rows}) == len(rows)
    assert {row.run for row in rows} == {run.path.name}
    assert {row.benchmark for row in rows} == {"tea"}
    assert len(run.frame()) == len(rows)
    assert all(row.type and row.prompt and row.gold for row in rows)
    assert all(row.grade is not None and 0 <= row.grade <= 1 for row in rows)


@pytest.mark.parametrize("answerer", ["oracle", "noisy"])
def test_rows_of_a_run_give_its_scores(
    tasks: wq.tea.TaskFolder, tmp_path: Path, answerer: str
) -> None:
    run = tasks.run(answerer=answerer, **ASKED, out=tmp_path / answerer)
    check_rows(run)
    walks = [row for row in run.rows if row.format == "walk"]
    asked = [row for row in run.rows if row.format != "walk"]
    assert (len(asked), len(walks)) == (run.scores["all"]["asked"], 2)
    for name, cell in run.scores["types"].items():
        some = [row.grade or 0.0 for row in asked if row.type == name]
        assert len(some) == cell["asked"]
        assert fsum(some) / len(some) == pytest.approx(cell["mean"])
    success = run.scores["navigation"]["success"]
    assert sum(row.grade or 0 for row in walks) == success["count"]
    assert {row.answerer for row in run.rows} == {answerer}
    assert all(len(json.loads(row.reply)) > 1 for row in walks)
    if answerer == "oracle":
        assert [row.answer for row in asked] == [row.gold for row in asked]
        assert {row.answer for row in walks} == {"arrived"}


@pytest.mark.parametrize("answerer", ["oracle", "abstainer"])
def test_rows_of_a_recall_give_its_scores(
    tasks: wq.tea.TaskFolder, tmp_path: Path, answerer: str
) -> None:
    run = tasks.recall(answerer=answerer, views=VIEWS, out=tmp_path / answerer)
    check_rows(run)
    counts, rows = run.scores["counts"], run.rows
    assert len(rows) == counts["questions"]
    assert sum(row.shown for row in rows) == counts["answerable"]
    abstained = [row for row in rows if row.status is wq.AnswerStatus.ABSTAINED]
    assert len(abstained) == counts["abstained"]
    assert all((row.step is None) is not row.shown for row in rows)


# Answerers of one's own


def test_an_own_answerer_answers_and_walks(tasks: wq.tea.TaskFolder, tmp_path: Path) -> None:
    run = tasks.run(answerer=lambda: Walks(), **ASKED, out=tmp_path / "own")
    assert len(run.rows) == 26
    assert run.scores["navigation"]["trips"] == 2
    scenes: dict[str, list[int]] = {}
    for row in run.rows:
        if row.format != "walk":
            scenes.setdefault(row.world, []).append(json.loads(row.reply)["answer"])
    for said in scenes.values():  # nothing is carried from one scene into the next
        assert sorted(said) == list(range(1, len(said) + 1))
    without = tasks.run(answerer=Learns(), **ASKED, out=tmp_path / "without")
    assert (len(without.rows), without.manifest["answerer"]) == (24, "learns")
    with pytest.raises(wq.WorldquizError, match="missing method 'act'"):
        tasks.run(answerer=Learns(), tasks=0, walks=2, out=tmp_path / "walks")
    assert not (tmp_path / "walks").exists()


def test_a_walk_that_fails_is_named_with_its_question(
    tasks: wq.tea.TaskFolder, tmp_path: Path
) -> None:
    class Fails(Walks):
        async def act(self, observation: Any) -> str:
            raise ValueError("no legs")

    with pytest.raises(wq.WorldquizError, match=r"'learns' failed at question .*no legs"):
        tasks.run(answerer=Fails, tasks=0, walks=1, out=tmp_path / "run")


def test_a_missing_library_leaves_no_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(__import__("sys").modules, "skimage", None)
    with pytest.raises(wq.WorldquizError, match=r"worldquiz\[tea\]"):
        wq.tea.build("tiny", scenes=1, out=tmp_path / "out")
    assert not (tmp_path / "out").exists()
