"""The quiz on what was seen, end to end: real pictures, real commands, a model that looks.

That a question counts as answerable is checked by brute force: whatever the pictures themselves
show, pixel by pixel, and nothing that the quiz computes.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from PIL import Image

import worldquiz as wq
from conftest import Cli
from modelserver import Reply, Request, Text, serving
from process import ended
from view_reader import disagreements

pytest.importorskip("mujoco")
WIDE, HIGH, VIEWS = 320, 240, 8
CLEAR, HIDDEN = (pixels * WIDE * HIGH / (640 * 480) for pixels in (400, 40))
NEVER = 10**9  # tokens from which on prompts are cached: what is cached depends on who asked before


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Three walked flats, with pictures that tell each thing from the others."""
    folder = tmp_path_factory.mktemp("recall")
    ended(
        "tea", "build", "--preset", "tiny", "--scenes", 3, "--seed", 7, "--loops", 1,
        "--trajectories", 1, "--looks", 7, "--mirrors", 0, "--size", f"{WIDE}x{HIGH}",
        "--pictures", "rgb", "--pictures", "instances", "--jobs", 1, "--out", folder / "data",
    )  # fmt: skip
    return folder / "data"


def take(data: Path, out: Path, answerer: str | None = None, **model: Any) -> Any:
    return wq.tea.load(data).recall(answerer, views=VIEWS, seed=2, out=out, **model)


@pytest.fixture(scope="module")
def oracle(data: Path, tmp_path_factory: pytest.TempPathFactory) -> Any:
    return take(data, tmp_path_factory.mktemp("oracle") / "run", "oracle")


def brute(scene: Path) -> Counter[str]:
    """Return the most pixels that any picture of a walk has of each thing."""
    things = json.loads((scene / "scene.json").read_text())["scene"]["things"]
    lines = (scene / "views.jsonl").read_text().splitlines()[1:]
    own = [view for view in map(json.loads, lines) if view["camera"]["name"] == "ego"]
    most = Counter[str]()
    for view in sorted(own, key=lambda view: (view["time"], view["id"]))[:VIEWS]:
        with Image.open(scene / view["files"]["instances"]) as image:
            values, counts = np.unique(np.asarray(image), return_counts=True)
        for value, count in zip(values.tolist(), counts.tolist(), strict=True):
            if value:
                most |= Counter({things[value - 1]["id"]: count})
    return most


def test_answerability_agrees_with_the_pixels_of_the_pictures(data: Path, oracle: Any) -> None:
    checked = Counter[bool]()
    known = {path.name: brute(path) for path in (data / "scenes").iterdir()}
    for row in oracle.rows:
        most = known[row.world]
        things = row.item.split("/")[2:]
        if row.type in ("count", "doorway"):
            continue
        if row.shown:
            assert all(most[id] >= CLEAR for id in things), row.item
        elif row.type == "side":
            assert any(most[id] < HIDDEN for id in things), row.item
        else:
            assert most[things[0]] < HIDDEN, row.item
        checked[row.shown] += 1
    assert min(checked[True], checked[False]) >= 10


def test_the_command_asks_and_score_tells_what_is_known_and_falsely_answered(
    data: Path, oracle: Any, tmp_path: Path, cli: Cli
) -> None:
    words = ("--answerer", "oracle", "--views", VIEWS, "--seed", 2, "--out", tmp_path / "run")
    told = cli("tea", "recall", data, *words, "--json").json
    assert disagreements(oracle, data) == []
    for found in (oracle.scores, told):
        assert found["grade"] == 1.0
        assert found["knowledge"] == found["ceiling"] > 0
        assert found["counts"]["answerable"] < found["counts"]["questions"]
    take(data, tmp_path / "random", "random")
    shown = cli("score", tmp_path / "run", tmp_path / "random").out
    assert re.search(r"\nrandom .* 1\.00 ", shown)


def test_a_model_is_shown_the_walk_and_then_asked(data: Path, oracle: Any, tmp_path: Path) -> None:
    right = {(row.prompt, ", ".join(row.choices)): row.gold if row.shown else "Not shown."
             for row in oracle.rows}  # fmt: skip

    def knows(request: Request) -> Reply:
        question = request.messages[-1].text
        said = next(
            answer for (words, choices), answer in right.items()
            if words in question and f"one of: {choices}, not shown" in question
        )  # fmt: skip
        return Text(json.dumps({"answer": said}))

    with serving(knows, minimum=NEVER) as server:
        run = take(data, tmp_path / "run", model="m", base_url=server.base_url)
    assert run.scores["grade"] == 1.0
    assert run.scores["knowledge"] == run.scores["ceiling"]
    assert run.scores["counts"]["unreadable"] == 0
    assert {call.images for call in server.calls} == {VIEWS}
    assert all("You walked through a flat" in call.prompt for call in server.calls)
    assert len(server.calls) == len(run.rows) == sum(bool(row.usage) for row in run.rows)
