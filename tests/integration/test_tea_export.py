"""From generated tasks to a dataset, and from a scene to GLB, read by other libraries.

What is exported is what a run asks: the same words, the same pixels, and answers worth full marks.
"""

from __future__ import annotations

import ast
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
from worldquiz_scenes import cameras
from worldquiz_scenes.build import build
from worldquiz_scenes.render import Canvas
from worldquiz_scenes.save import read_scene
from worldquiz_scenes.sight import look

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


def test_trainers_and_vlmevalkit_read_the_same_questions_and_no_picture_twice(
    cli: Cli, flats: Path, rows: Any, tmp_path: Path
) -> None:
    import pandas as pd

    told = cli("tea", "export", flats, "--out", tmp_path / "out", *OPTIONS, "--chats", "--json")
    lines = (tmp_path / "out" / "messages.jsonl").read_text().splitlines()
    table = pd.read_csv(tmp_path / "out" / "WorldQuizTEA.tsv", sep="\t")
    asked = [row for row in rows if row["family"] != "navigation"]
    assert len(lines) == len(table) == len(asked) == len(set(table["index"]))
    shown = set()
    for line, row, (_, cells) in zip(lines, asked, table.iterrows(), strict=True):
        chat = json.loads(line)
        user, assistant = chat["messages"]
        pictures = [row[name]["bytes"] for name in ("image", "image_2", "image_3") if row[name]]
        assert [(tmp_path / "out" / name).read_bytes() for name in chat["images"]] == pictures
        assert user == {"role": "user", "content": "<image>" * len(pictures) + row["prompt"]}
        assert json.loads(assistant["content"])["answer"] == json.loads(row["answer"])
        path = str(cells["image_path"])
        assert (ast.literal_eval(path) if path.startswith("[") else [path]) == chat["images"]
        assert (cells["question"], cells["index"]) == (row["prompt"], row["id"])
        shown |= set(chat["images"])
    kept = sorted((tmp_path / "out" / "images").iterdir())
    assert sorted(Path(name).name for name in shown) == [path.name for path in kept]
    assert len({path.read_bytes() for path in kept}) == len(kept)
    assert set(told.json["files"]) > shown


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


def hit(world: Any, camera: Any, rows: Any, columns: Any) -> Any:
    """Return the colours (0..1) that rays through pixels meet in a GLB: of textures, without light.

    A renderer of a few lines: it knows nothing of ours but where the camera is.
    """
    import numpy as np
    import trimesh

    up = np.linalg.inv(((1, 0, 0, 0), (0, 0, 1, 0), (0, -1, 0, 0), (0, 0, 0, 1)))
    placed = [world.graph.get(name) for name in world.graph.nodes_geometry]
    meshes = [world.geometry[name] for _, name in placed]
    corners = [trimesh.transform_points(mesh.vertices, up @ pose)[mesh.faces]
               for mesh, (pose, _) in zip(meshes, placed, strict=True)]  # fmt: skip
    whose = np.repeat(np.arange(len(meshes)), [len(mesh.faces) for mesh in meshes])
    which = np.concatenate([np.arange(len(mesh.faces)) for mesh in meshes])
    every = np.concatenate(corners)
    soup = trimesh.Trimesh(every.reshape(-1, 3), np.arange(3 * len(every)).reshape(-1, 3))
    fan, at = cameras.rays(camera, columns.astype(float), rows.astype(float)), np.array(camera.at)
    face = soup.ray.intersects_first(np.tile(at, (len(fan), 1)), fan)
    triangles, colours = every[face], np.zeros((len(fan), 3))
    normal = np.cross(triangles[:, 1] - triangles[:, 0], triangles[:, 2] - triangles[:, 0])
    far = ((triangles[:, 0] - at) * normal).sum(axis=1) / (fan * normal).sum(axis=1)
    barycentric: Any = trimesh.triangles.points_to_barycentric
    shares = barycentric(triangles, at + far[:, None] * fan)
    for number in np.unique(whose[face]):
        here, look = whose[face] == number, meshes[number].visual
        colours[here] = (np.array(look.material.baseColorFactor[:3]) / 255) ** (1 / 2.2)
        if (skin := look.material.baseColorTexture) is not None:
            corner = meshes[number].faces[which[face[here]]]
            u, v = (look.uv[corner] * shares[here][..., None]).sum(axis=1).T % 1
            x, y = (u * skin.width).astype(int), ((1 - v) % 1 * skin.height).astype(int)
            colours[here] *= np.asarray(skin.convert("RGB"))[y, x] / 255
    return colours


def test_another_renderer_and_our_importer_see_the_patterns_of_a_glb(
    cli: Cli, tmp_path: Path
) -> None:
    trimesh = pytest.importorskip("trimesh")
    import numpy as np

    one, two = tmp_path / "one", tmp_path / "two"
    cli("tea", "scene", "--preset", "paper", "--seed", 91321, "--glb", "--out", one)
    cli("tea", "scene", "--import", one / "scene.glb", "--out", two)
    scene, again = read_scene(one), read_scene(two)
    worn, back = (
        sorted(
            (thing.label, *sorted({(str(part.paint.pattern), part.paint.colour) for part in
                                   thing.parts if part.paint.rgb2}))
            for thing in each.things
        )
        for each in (scene, again)
    )  # fmt: skip
    assert worn == back
    assert {"stripes", "checks", "dots"} <= {shown[0] for _, *every in worn for shown in every}
    walls = ([list(room.wall.rgb) for room in each.rooms] for each in (scene, again))
    assert np.array(sorted(next(walls))) == pytest.approx(np.array(sorted(next(walls))), abs=0.02)
    world, compared = trimesh.load(one / "scene.glb"), 0
    with Canvas(build(scene), plain=True) as canvas:
        for camera in cameras.watchers(scene):
            images = look(canvas, camera, mirrors=False, self_seen=False)
            assert images.rgb is not None
            for number, thing in enumerate(scene.things):
                rows, columns = np.nonzero(images.instances == number)
                if thing.paint.pattern == "plain" or len(rows) < 2000:
                    continue
                met = hit(world, camera, rows, columns)
                light, dark = (
                    np.abs(met - rgb).sum(axis=1) < 0.05
                    for rgb in (thing.paint.rgb2, thing.paint.rgb)
                )
                assert min(light.sum(), dark.sum()) > 200, thing.id
                drawn = images.rgb[rows, columns].mean(axis=1)
                level = (np.median(drawn[light]) + np.median(drawn[dark])) / 2
                same = (drawn > level)[light].sum() + (drawn <= level)[dark].sum()
                assert same / (light.sum() + dark.sum()) > 0.75, thing.id
                compared += 1
    assert compared >= 2
