"""From generated tasks to a dataset, and from a scene to GLB, read by other libraries.

What is exported is what a run asks: the same words, the same pixels, and answers worth full marks.
"""

from __future__ import annotations

import base64
import json
import shutil
from pathlib import Path
from typing import Any

import pytest

import worldquiz as wq
from command import tree
from conftest import Cli
from modelserver import Reply, Request, Text, serving
from process import ended

pytest.importorskip("mujoco")
OPTIONS = ("--tasks", 30, "--walks", 2, "--seed", 3)


@pytest.fixture(scope="module")
def out(flats: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Exported tasks and walks."""
    target = tmp_path_factory.mktemp("export") / "out"
    ended("tea", "export", flats, "--out", target, *OPTIONS, env={"PYTHONHASHSEED": "7"})
    return target


@pytest.fixture(scope="module")
def rows(out: Path, tmp_path_factory: pytest.TempPathFactory) -> Any:
    """The rows of the dataset, as `datasets` reads them, with pictures as they are stored."""
    with pytest.MonkeyPatch.context() as patch:
        for name in ("HF_HUB_OFFLINE", "HF_DATASETS_OFFLINE"):
            patch.setenv(name, "1")
        cache = str(tmp_path_factory.mktemp("cache"))
        patch.setenv("HF_HOME", cache)
        datasets: Any = pytest.importorskip("datasets")
        datasets.disable_progress_bars()
        read = datasets.load_dataset(str(out), cache_dir=cache)["test"]
        names = [name for name, kind in read.features.items() if kind == datasets.Image()]
        assert names == ["image", "image_2", "image_3"]
        for name in names:
            read = read.cast_column(name, datasets.Image(decode=False))
        return list(read)


def test_the_dataset_holds_what_a_model_is_asked_and_answers_worth_full_marks(
    rows: Any, flats: Path, tmp_path: Path
) -> None:
    known = {}
    for row in rows:
        shown = [row[name]["bytes"] for name in ("image", "image_2", "image_3") if row[name]]
        addresses = (base64.b64encode(png).decode() for png in shown)
        key = row["prompt"], tuple(f"data:image/png;base64,{each}" for each in addresses)
        known[key] = f'{{"answer": {row["answer"]}}}'
    asked = []

    def by_heart(request: Request) -> Reply:
        message = request.messages[-1]
        asked.append((message.text, message.images))
        return Text(known.get((message.text, message.images), "I was never shown this."))

    with serving(by_heart) as server:
        run = wq.tea.load(flats).run(
            model="m", base_url=server.base_url, tasks=30, walks=0, seed=3, out=tmp_path / "run"
        )
    answered = [row for row in rows if row["family"] != "navigation"]
    assert {row.item for row in run.rows} == {row["id"] for row in answered}
    assert {row.grade for row in run.rows} == {1.0}
    assert len(asked) == len(answered) < len(rows)


def test_equal_requests_give_equal_bytes(cli: Cli, flats: Path, out: Path, tmp_path: Path) -> None:
    told = cli("tea", "export", flats, "--out", tmp_path / "again", *OPTIONS, "--json").json
    assert tree(tmp_path / "again") == tree(out)
    assert told["files"].keys() == tree(out).keys()
    again = cli("tea", "export", flats, "--out", tmp_path / "again", *OPTIONS)
    assert (again.code, "is not empty" in again.err) == (2, True)


def test_missing_pictures_are_named_and_leave_no_folder(
    cli: Cli, flats: Path, tmp_path: Path
) -> None:
    copy, target = tmp_path / "copy", tmp_path / "out"
    shutil.copytree(flats, copy)
    for picture in copy.glob("scenes/*/views/*-ego.rgb.png"):
        picture.write_bytes(picture.read_bytes()[:900])
    for _ in range(2):
        done = cli("tea", "export", copy, "--out", target, "--all")
        assert (done.code, ".rgb.png" in done.err) == (2, True)
        for picture in copy.glob("scenes/*/views/*.png"):
            picture.unlink()
    assert sorted(path.name for path in tmp_path.iterdir()) == ["copy"]


def test_other_libraries_find_every_thing_of_a_glb_where_it_is(cli: Cli, tmp_path: Path) -> None:
    trimesh = pytest.importorskip("trimesh")
    out = tmp_path / "flat"
    told = cli(
        "tea", "scene", "--preset", "tiny", "--seed", 3, "--glb", "--out", out, "--json"
    ).json
    scene = json.loads((out / "scene.json").read_text())["scene"]
    loaded = trimesh.load(out / "scene.glb")
    for thing in scene["things"]:
        matrix, _ = loaded.graph.get(thing["id"])
        x, y, z = thing["position"]
        assert matrix[:3, 3] == pytest.approx((x, z, -y), abs=1e-6)  # glTF's y is up
        high = -1e9
        for name in loaded.graph.nodes_geometry:
            if name.startswith(f"{thing['id']}."):
                placed, geometry = loaded.graph.get(name)
                points = trimesh.transform_points(loaded.geometry[geometry].vertices, placed)
                high = max(high, points[:, 1].max())
        assert z - 0.06 < high < z + sum(thing["half"])
    back = cli("tea", "scene", "--import", out / "scene.glb", "--out", tmp_path / "back", "--json")
    assert {name: back.json[name] for name in ("rooms", "things", "mirrors")} == {
        name: told[name] for name in ("rooms", "things", "mirrors")
    }  # our own importer
