"""From a seed to tasks on disk, killed and resumed, and judged by an oracle that shares no code."""

from __future__ import annotations

import json
import shutil
from collections import Counter
from dataclasses import replace
from pathlib import Path

import pytest
from PIL import Image

from conftest import Cli
from process import ended, killed
from worldquiz.tea.data import folders, read_tasks, write_tasks
from worldquiz.tea.interact import content
from worldquiz.tea.oracle import check
from worldquiz.tea.taskgraph import Box2, Count, Instance, Metres, Truth, Word
from worldquiz_scenes import gl

SIZE = (320, 240)
COMMAND = (
    "tea", "build", "--preset", "tiny", "--scenes", 2, "--seed", 5, "--loops", 2,
    "--trajectories", 1, "--looks", 2, "--size", "320x240", "--jobs", 1, "--json", "--out",
)  # fmt: skip


@pytest.fixture(scope="module")
def data(flats: Path) -> Path:
    return flats


@pytest.fixture(scope="module")
def few(flats: Path) -> Path:
    return flats


def contents(folder: Path) -> dict[str, bytes]:
    return {
        str(path.relative_to(folder)): path.read_bytes()
        for path in sorted(folder.rglob("*"))
        if path.is_file()
    }


def test_the_oracle_agrees_with_every_task(data: Path) -> None:
    found = check(data, sample=45)
    assert found["disagree"] == []
    assert found["agree"] == found["checked"] == 45
    assert len(found["by_type"]) >= 15


def test_another_process_and_another_opengl_draw_the_same_bytes(few: Path, tmp_path: Path) -> None:
    """Mesa's renderer is the same behind EGL and OSMesa, however many threads it draws with."""
    missing = gl.works("osmesa")
    if missing:
        pytest.skip(f"no OSMesa here: {missing}")
    env = {"MUJOCO_GL": "osmesa", gl.FOUND: "", "PYTHONHASHSEED": "7", "LP_NUM_THREADS": "1"}
    ended(*COMMAND, tmp_path / "again", "--scenes", 1, env=env)
    one, two = (contents(each / "scenes" / "tiny-01") for each in (few, tmp_path / "again"))
    drawn = [json.loads(each.pop("renderer.json")) for each in (one, two)]
    assert drawn[1]["backend"] == "osmesa"
    if drawn[0]["renderer"] != drawn[1]["renderer"]:
        pytest.skip(f"two renderers: {drawn}")
    assert one == two


def test_every_task_is_asked_once_of_a_view_that_is_there(data: Path) -> None:
    for folder in folders(data):
        views = {view.id: view for view in folder.views}
        ids = [task.id for task in folder.tasks]
        assert len(set(ids)) == len(ids)
        own = [task for task in folder.tasks if task.origin == "interaction"]
        asked = Counter(content(task, views) for task in own)
        assert asked.most_common(1)[0][1] == 1
        for view in folder.views:
            with Image.open(folder.path / view.files["rgb"]) as picture:
                assert picture.size == SIZE


def lie(task: Instance) -> Truth | None:
    """Return a wrong answer to a task, None for one whose answers are not told apart here."""
    match task.truth:
        case Word("yes"):
            return Word("no")
        case Word("no"):
            return Word("yes")
        case Word(value) if value in ("left of", "right of"):
            return Word("right of" if value == "left of" else "left of")
        case Word():
            return Word("spaceship")
        case Count(value):
            return Count(value + 1)
        case Metres(value):
            return Metres(value * 1.05 + 0.03)
        case Box2((x0, y0, x1, y1)):
            return Box2((x0 + 5, y0, x1 + 5, y1))
    return None


def test_the_oracle_finds_every_lie(data: Path, tmp_path: Path, cli: Cli) -> None:
    shutil.copytree(data, tmp_path / "lies")
    for folder in folders(tmp_path / "lies"):
        path = folder.path / "tasks.parquet"
        told = [(task, lie(task)) for task in read_tasks(path)]
        write_tasks(path, [replace(task, truth=truth) for task, truth in told if truth is not None])
    said = cli("tea", "check", tmp_path / "lies", "--sample", 45, "--jobs", 1)
    assert said.code == 1
    assert "0 of 45 tasks agree" in said.out


def test_a_killed_command_goes_on_to_the_same_bytes(few: Path, tmp_path: Path) -> None:
    """It is killed between its first flat and its second, and goes on in other processes."""
    out = tmp_path / "killed"
    assert killed((out / "scenes" / "tiny-01").is_dir, *COMMAND, out)
    assert not (out / "manifest.json").exists()
    document = ended(*COMMAND, out, "--jobs", 2).json
    assert contents(out) == contents(few)
    assert document["scenes"] == 2
    assert document["tasks"] == sum(document["by_type"].values())
    assert document["tasks"] == sum(document["by_scene"].values())


def test_mir_is_proven_on_sets_of_the_papers_size(cli: Cli, data: Path) -> None:
    found = cli("tea", "mir", data, "--jobs", 1, "--json").json
    assert found["optimal"]
    for scene in found["by_scene"].values():
        assert set(scene["sets"]) == {"loop 1", "loop 2", "interaction", "evolved"}
        for one in scene["sets"].values():
            assert one["independent"] == one["bound"] <= one["tasks"]
            curve = [one["curve"][key] for key in sorted(one["curve"], key=float)]
            assert curve == sorted(curve)
        assert scene["spatial"]["loop 1"]["volume"] > 0


@pytest.mark.parametrize(
    ("arguments", "reason"),
    [
        (("--preset", "papr"), "did you mean 'paper'"),
        (("--size", "640"), "WIDTHxHEIGHT"),
        (("--size", "9x9"), "64 to 2048"),
        (("--pictures", "rbg"), "not one of 'rgb', 'depth'"),
    ],
)
def test_a_mistake_is_named(
    cli: Cli, tmp_path: Path, arguments: tuple[str, ...], reason: str
) -> None:
    said = cli("tea", "build", "--seed", 1, "--scenes", 1, *arguments, "--out", tmp_path / "x")
    assert said.code == 2
    assert reason in said.err
    assert "Traceback" not in said.err


def test_without_opengl_there_is_a_word_on_what_to_install(tmp_path: Path) -> None:
    env = {"MUJOCO_GL": "disable", "WORLDQUIZ_GL": ""}
    said = ended(*COMMAND, tmp_path / "x", code=2, env=env)
    assert "MUJOCO_GL=disable" in said.err
    assert "Traceback" not in said.err
