"""Replies graded again: a run that an older reader read becomes the run of today's reader."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import people
import recalls
import worldquiz as wq
from command import tree, worldquiz
from modelserver import Text, serving
from serving import many_rooms, module_of
from worldquiz.facts.replies import READER

HOUSES = module_of("own_benchmark")


def own(folder: Path) -> wq.Run:
    class Says:
        def answer(self, prompt: str) -> str:
            return "I cannot tell." if "Choose one of" in prompt else "<think>hm</think>attic"

    return HOUSES.Houses.build(folder.with_name("houses"), houses=1).run(Says, out=folder)  # type: ignore[no-any-return]


def worlds(folder: Path) -> wq.Run:
    suite = many_rooms(folder.with_name("suite"), 1)
    with serving(lambda _: Text('{"answer": "hall"}')) as server:
        given: dict[str, Any] = {"model": "m", "base_url": server.base_url}
        return suite.run(out=folder, agent="walkthrough", **given)


def minigames(folder: Path) -> wq.Run:
    class Down:
        def answer(self, prompt: str) -> str:
            return "Action: down"

    mazes = wq.mango.build(mazes=1, seed=4, size=7, loops=0.3, out=folder.with_name("mazes"))
    return mazes.run(Down, tasks="minigame", out=folder)


def tasks(folder: Path) -> wq.Run:
    data = recalls.walked(folder.with_name("data"), tasks=recalls.several(2))
    return wq.tea.load(data).run("noisy", out=folder, walks=0)


MAKERS: dict[str, Callable[[Path], wq.Run]] = {
    "own": own, "worlds": worlds,
    "mazes": lambda folder: wq.load(people.mazes(folder)), "minigames": minigames,
    "tasks": tasks,
    "views": lambda folder: wq.load(people.views(folder)),
}  # fmt: skip


def misread(run: wq.Run) -> None:
    """Leave a run as a reader of version 0 would that could read nothing."""
    told = [json.loads(line) for line in (run.path / "rows.jsonl").read_text().splitlines()]
    for line in told:
        if line["status"] in ("answered", "abstained") and line["format"] not in ("play", "walk"):
            line |= {"status": "unreadable", "answer": None, "correct": None}
    (run.path / "rows.jsonl").write_text("".join(f"{json.dumps(line)}\n" for line in told))
    manifest = json.loads((run.path / "manifest.json").read_text())
    (run.path / "manifest.json").write_text(json.dumps({**manifest, "reader": 0}))


@pytest.mark.parametrize("name", MAKERS)
def test_a_run_that_is_graded_again_has_the_bytes_of_one_read_today(
    name: str, tmp_path: Path
) -> None:
    made = MAKERS[name](tmp_path / "run")
    of = HOUSES.BENCHMARK if name == "own" else None
    assert made.manifest["reader"] == READER
    before = tree(made.path)
    misread(made)
    run = wq.Run(made.path, of)
    assert {row.status for row in run.rows if row.reply} & {"unreadable"}
    assert f"graded by reader version 0; the current one is {READER}" in " ".join(run.losses)
    run.regrade()
    assert tree(made.path) == before
    assert not [line for line in run.losses if "version" in line]


def test_the_command_finds_the_data_or_says_what_to_give(tmp_path: Path) -> None:
    run = tmp_path / "run"
    made = tasks(run)
    before = tree(run)
    misread(made)
    shown = worldquiz("show", run)
    assert "--regrade` grades them again" in shown.out
    moved = (tmp_path / "data").rename(tmp_path / "elsewhere")
    said = worldquiz("score", run, "--regrade")
    assert (said.code, "--data FOLDER" in said.err) == (2, True)
    said = worldquiz("score", run, "--regrade", "--data", moved)
    assert (said.code, "version" in said.out) == (0, False)
    assert tree(run) == before


@pytest.mark.parametrize(
    ("given", "complaint"),
    [
        (["--data", "."], "--data needs --regrade"),
        (["--regrade", "--data", "."], "pass the mazes of"),
    ],
)
def test_mistakes(given: list[str], complaint: str, tmp_path: Path) -> None:
    said = worldquiz("score", people.mazes(tmp_path / "run"), *given)
    assert (said.code, complaint in said.err) == (2, True)
