"""TEA in Python: build, run and recall with names and with objects; rows; nothing left behind."""

from __future__ import annotations

import asyncio
import json
import shutil
import threading
from collections.abc import Sequence
from math import fsum
from pathlib import Path
from typing import Any

import pytest

import worldquiz as wq
from conftest import Cli

ASKED: dict[str, Any] = {"tasks": 24, "walks": 2, "seed": 1}
VIEWS = 6


@pytest.fixture(scope="module")
def tasks(flats: Path) -> wq.tea.TaskFolder:
    return wq.tea.TaskFolder(flats)


def files(folder: Path) -> dict[str, bytes]:
    return {
        str(path.relative_to(folder)): path.read_bytes()
        for path in sorted(folder.rglob("*"))
        if path.is_file() and "logs" not in path.parts
    }


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


@pytest.mark.parametrize("kind", ["run", "recall"])
def test_a_run_is_scored_again_reported_exported_and_loaded(
    tasks: wq.tea.TaskFolder, tmp_path: Path, kind: str
) -> None:
    asked = ASKED if kind == "run" else {"views": VIEWS}
    own = wq.tea.TaskFolder(shutil.copytree(tasks.path, tmp_path / "tasks"))
    run = getattr(own, kind)(answerer="random", **asked, out=tmp_path / "run")
    told = (run.path / "scores.json").read_bytes()
    own.path.rename(tmp_path / "away")  # scores need the run's own records only
    assert wq.load(run.path).score() == json.loads(told)
    assert (run.path / "scores.json").read_bytes() == told
    (tmp_path / "away").rename(own.path)
    assert run.report(tmp_path / "page.html").stat().st_size > 1000
    assert run.export(tmp_path / "rows.parquet").stat().st_size > 1000


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


OWN = """
import json

class Own:
    name = "own"

    def answer(self, prompt, pictures):
        assert all(each.startswith(b"\\x89PNG") for each in pictures)
        return json.dumps({"answer": len(prompt) % 3})

    def act(self, observation):
        return json.dumps({"turn": 0, "walk": 1})
"""


def test_an_own_answerer_is_named_on_the_command_line(
    tasks: wq.tea.TaskFolder, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, cli: Cli
) -> None:
    (tmp_path / "own_tea.py").write_text(OWN)
    monkeypatch.syspath_prepend(tmp_path)
    out, place = tmp_path / "run", "own_tea:Own"
    command = ("tea", "run", tasks.path, "--tasks", 12, "--walks", 1, "--out", out, "--answerer")
    said = cli(*command, place)
    assert said.code == 0, said.err
    manifest = wq.Run(out).manifest
    assert manifest["answerer"] == place
    assert manifest["code"].keys() == {"answerer"}
    assert {row.answerer for row in wq.Run(out).rows} == {place}
    assert wq.Run(out).scores["navigation"]["trips"] == 1
    before = files(out)
    assert cli(*command, place).code == 0  # resumed: nothing is left to do
    assert files(out) == before
    wrong = cli(*command[:-2], tmp_path / "other", "--answerer", "own_tea:Else")
    assert wrong.code == 2
    assert "cannot import 'own_tea:Else'" in wrong.err
    assert not (tmp_path / "other").exists()


# Nothing is found missing after the folder was claimed


class Held:
    """Holds what cannot be copied."""

    def __init__(self) -> None:
        self.lock = threading.Lock()

    def answer(self, prompt: str, pictures: Sequence[bytes]) -> str:
        return ""


class Named(Learns):
    """Called like a baseline."""

    name = "oracle"


@pytest.mark.parametrize(
    ("who", "words"),
    [
        ({}, "either --model or --answerer"),
        ({"answerer": "oracle", "base_url": "http://x"}, "base_url has no effect without a model"),
        ({"answerer": "orakle"}, "did you mean 'oracle'"),
        ({"answerer": Named()}, "give the object another"),
        ({"answerer": Held()}, "pass a class or function that makes one"),
        ({"model": "openai/gpt-5.1"}, "OPENAI_API_KEY"),
        ({"model": "m", "base_url": "http://127.0.0.1:9/v1"}, "Cannot connect"),
    ],
)
def test_who_cannot_answer_leaves_no_folder(
    tasks: wq.tea.TaskFolder, tmp_path: Path, monkeypatch: pytest.MonkeyPatch,
    who: dict[str, Any], words: str,
) -> None:  # fmt: skip
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)
    with pytest.raises(wq.WorldquizError, match=words):
        tasks.run(**who, out=tmp_path / "run")
    assert not (tmp_path / "run").exists()


@pytest.mark.parametrize("library", ["skimage", "sklearn"])
def test_a_missing_library_leaves_no_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, library: str
) -> None:
    monkeypatch.setitem(__import__("sys").modules, library, None)
    with pytest.raises(wq.WorldquizError, match=r"worldquiz\[tea\]"):
        wq.tea.build("tiny", scenes=1, out=tmp_path / "out")
    assert not (tmp_path / "out").exists()
