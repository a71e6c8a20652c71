"""The quiz on what was seen, end to end: real pictures, real commands, a model that looks.

That a question counts as answerable is checked by brute force: whatever the pictures themselves
show, pixel by pixel, and nothing that the quiz computes.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from PIL import Image

from command import worldquiz
from conftest import Cli
from modelserver import Reply, Request, Running, Script, Text, serving
from worldquiz.records import write_json
from worldquiz.rng import child
from worldquiz.runs.folder import MANIFEST
from worldquiz.tea.data import KIND, Folder, picture, write_views
from worldquiz.tea.exam.show import address
from worldquiz.tea.recall.questions import Standing
from worldquiz.tea.recall.quiz import NOT_SHOWN, Recall, Walked, reply
from worldquiz.tea.settings import TeaRecallSettings
from worldquiz_scenes.build import build
from worldquiz_scenes.cameras import focal, frame
from worldquiz_scenes.episode import KINDS, Walker
from worldquiz_scenes.generate import suite
from worldquiz_scenes.locomotion import Move
from worldquiz_scenes.render import Canvas
from worldquiz_scenes.save import read_scene, write_scene
from worldquiz_scenes.scene import Scene
from worldquiz_scenes.view import View

SIZE, LOOPS, LOOKS, VIEWS = (320, 240), 2, 7, 10
NEVER = 10**9  # tokens from which on prompts are cached: what is cached depends on who asked before


def stroll(walker: Walker, seed: int) -> list[View]:
    """Return what an agent sees that goes to random spots and turns there."""
    draw, grid, views = child(seed, "stroll", walker.scene.id), walker.ground.grid, list[View]()
    while len(views) < LOOPS * LOOKS:
        way = grid.to_point(*grid.spot(draw.randrange(len(grid.points))))
        for move in [*list(way.moves(walker.pose, 1.5))[:2], Move(turn=draw.choice((-100, 100)))]:
            views += [shot.view for shot in walker.step(move)[1]]
    return views[: LOOPS * LOOKS]


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Two walked flats with pictures, depth and instances, as a finished folder without tasks."""
    out = tmp_path_factory.mktemp("recall") / "data"
    scenes = (*suite("paper", 7, 1), *suite("tiny", 7, 1))
    for scene in scenes:
        folder = out / "scenes" / scene.id
        write_scene(folder, scene)
        with Canvas(build(read_scene(folder)), size=SIZE) as canvas:
            walker = Walker(canvas, size=SIZE, folder=folder, kinds=KINDS)
            write_views(folder / "views.jsonl", stroll(walker, 1))
    loops = {"loops": LOOPS, "bouts": 1, "looks": LOOKS}
    names: dict[str, Any] = {scene.id: {} for scene in scenes}
    write_json(out / MANIFEST, {"kind": KIND, "scenes": names, "loops": loops, "digest": "d"})
    return out


@pytest.fixture(scope="module")
def quiz(data: Path) -> Recall:
    return Recall(data, TeaRecallSettings(views=VIEWS, seed=2))


def command(data: Path, out: Path, *more: object) -> tuple[object, ...]:
    options = ("--out", out, "--views", VIEWS, "--seed", 2, "--json", *more)
    return "tea", "recall", data, *options


def take(data: Path, out: Path, *more: object) -> Any:
    done = worldquiz(*command(data, out, *more))
    assert done.code == 0, done.err
    return done.json


class Brute:
    """What the pictures of a walk show, counted pixel by pixel."""

    def __init__(self, folder: Folder, views: tuple[View, ...]) -> None:
        self.scene: Scene = folder.scene
        self.counts: list[dict[str, int]] = []
        for view in views:
            with Image.open(folder.path / view.files["instances"]) as image:
                values, counts = np.unique(np.asarray(image), return_counts=True)
            ids = [self.scene.things[value - 1].id for value in values if value]
            self.counts.append(dict(zip(ids, counts[values > 0].tolist(), strict=True)))

    def most(self, thing: str) -> int:
        """Return the most pixels that any picture has of a thing."""
        return max((each.get(thing, 0) for each in self.counts), default=0)


def clear_pixels() -> float:
    return 400 * SIZE[0] * SIZE[1] / (640 * 480)


def hidden_pixels() -> float:
    return 40 * SIZE[0] * SIZE[1] / (640 * 480)


def needed(item: Any) -> list[str]:
    """Return the things that must be in the pictures for a question to be answerable."""
    return [
        each for each in item.question.about if item.kind not in ("count", "doorway", "presence")
    ]


def test_answerability_agrees_with_the_pixels_of_the_pictures(quiz: Recall) -> None:
    checked = {Standing.ANSWERABLE: 0, Standing.NOT_SHOWN: 0}
    for name, flat in quiz.flats.items():
        brute = Brute(quiz.folders[name], flat.views)
        for item in flat.asked:
            things, now = needed(item), flat.standings[item.id]
            if not things:
                continue
            if now is Standing.ANSWERABLE:
                assert all(brute.most(thing) >= clear_pixels() for thing in things), item
            elif item.kind not in ("nearer", "side"):
                assert brute.most(things[0]) < hidden_pixels(), item
            else:
                assert any(brute.most(thing) < hidden_pixels() for thing in things), item
            checked[now] += 1
    assert min(checked.values()) >= 10


def test_what_is_in_the_flat_was_in_a_picture(quiz: Recall) -> None:
    for name, flat in quiz.flats.items():
        brute = Brute(quiz.folders[name], flat.views)
        for item in flat.asked:
            if item.kind == "presence":
                things = [
                    each.id for each in flat.scene.things if each.label == item.question.answer
                ]
                seen = max(brute.most(thing) for thing in things)
                answerable = flat.standings[item.id] is Standing.ANSWERABLE
                assert (seen >= clear_pixels()) if answerable else (seen < hidden_pixels())


def test_points_that_count_as_seen_are_in_the_depth_pictures(quiz: Recall) -> None:
    """What is seen is no farther than what its pixel shows; what is not lies behind that."""
    right = wrong = 0
    for name, flat in quiz.flats.items():
        folder = quiz.folders[name]
        points = np.concatenate(list(flat.space.rooms.values()))
        for view in flat.views:
            with Image.open(folder.path / view.files["depth"]) as image:
                depth = np.asarray(image).astype(float) / 1000
            axes, scale = frame(view.camera), focal(view.camera)
            own = (points - axes.at) @ np.stack([axes.right, axes.down, axes.ahead], 1)
            ahead = own[:, 2] > 0.05
            column, row = (
                np.floor(own[:, k] / np.where(ahead, own[:, 2], 1) * scale + SIZE[k] / 2)
                for k in (0, 1)
            )
            inside = ahead & (column >= 0) & (column < SIZE[0]) & (row >= 0) & (row < SIZE[1])
            seen = flat.space.seen(view.camera, points)
            assert not (seen & ~ahead).any()
            shown = depth[row[inside].astype(int), column[inside].astype(int)]
            before = own[inside, 2] <= shown + 0.05
            right += int((seen[inside] == before).sum())
            wrong += int((seen[inside] != before).sum())
    assert right + wrong > 1500
    assert wrong < 0.01 * (right + wrong)


@pytest.mark.parametrize("answerer", ["oracle", "reader"])
def test_the_ceilings_are_right_on_every_question(
    cli: Cli, data: Path, tmp_path: Path, answerer: str
) -> None:
    told = cli(*command(data, tmp_path / "run", "--answerer", answerer)).json
    assert told["eus"] == told["accuracy_answerable"] == told["abstention_recall"] == 1.0
    assert told["known"] == told["coverage"] > 0
    assert told["counts"]["non_answerable"] > 0
    assert told["ci"]["known"] is not None


def test_abstaining_wins_nothing_and_guessing_claims_everything(
    cli: Cli, data: Path, tmp_path: Path
) -> None:
    def told(answerer: str) -> Any:
        return cli(*command(data, tmp_path / answerer, "--answerer", answerer)).json

    silent, guess = told("abstainer"), told("random")
    assert silent["known"] == 0 < guess["known"] < guess["coverage"]
    assert (silent["overclaim"], guess["overclaim"]) == (0.0, 1.0)
    assert silent["eus"] > guess["eus"]


def knows(quiz: Recall) -> Script:
    """Return a model that answers by heart what it is shown these very pictures before."""
    heart = {}
    for name, flat in quiz.flats.items():
        shown = tuple(address(picture(quiz.folders[name], view)) for view in flat.views)
        for sheet in flat.sheets:
            heart[sheet.words(), shown] = reply([right(flat, item) for item in sheet.items])

    def script(request: Request) -> Reply:
        message = request.messages[-1]
        known = [said for (words, shown), said in heart.items()
                 if words in message.text and shown == message.images]  # fmt: skip
        return Text(known[0] if known else "I was never there.")

    return script


def right(flat: Walked, item: Any) -> str:
    answerable = flat.standings[item.id] is Standing.ANSWERABLE
    return item.question.answer if answerable else NOT_SHOWN


def ask(data: Path, out: Path, server: Running, *more: object) -> Any:
    return take(data, out, "--model", "m", "--base-url", server.base_url, *more)


@pytest.fixture(scope="module")
def calm(
    data: Path, quiz: Recall, tmp_path_factory: pytest.TempPathFactory
) -> tuple[Any, Path, Running]:
    """A run of the model that knows, which nobody disturbed."""
    out = tmp_path_factory.mktemp("calm") / "run"
    with serving(knows(quiz), minimum=NEVER) as server:
        return ask(data, out, server), out, server


def test_a_model_is_shown_the_walk_and_then_asked(
    calm: tuple[Any, Path, Running], quiz: Recall
) -> None:
    told, out, server = calm
    assert told["eus"] == 1.0
    assert told["known"] == told["coverage"]
    assert told["counts"]["ill_formed"] == 0
    sheets = [sheet for flat in quiz.flats.values() for sheet in flat.sheets]
    assert len(server.calls) == len(sheets)
    assert {call.images for call in server.calls} == {VIEWS}
    assert all("You walked through" in call.prompt for call in server.calls)
    rows = [json.loads(row) for row in (out / "rows.jsonl").read_text().splitlines()]
    assert len(rows) + told["counts"]["unclear"] == told["of_quiz"]["questions"]
    assert sum("said" in row["measures"] for row in rows) == len(sheets)  # each reply once
    assert sum(bool(row["usage"]) for row in rows) == len(sheets)
