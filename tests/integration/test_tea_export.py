"""From generated tasks to a dataset, and from a scene to GLB, read by other libraries.

What is exported is what is asked: the same words, the same pixels, and answers worth full marks.
"""

from __future__ import annotations

import io
import shutil
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from PIL import Image

from conftest import Cli
from process import ended
from worldquiz.tea.data import Folder, folders
from worldquiz.tea.exam.sample import sample
from worldquiz.tea.exam.show import choices, pictures, prompt
from worldquiz.tea.scoring.grade import grade
from worldquiz.tea.taskgraph import Instance
from worldquiz_scenes.geometry import corners
from worldquiz_scenes.importing import read
from worldquiz_scenes.save import read_scene
from worldquiz_scenes.scene import Vec

pytest.importorskip("mujoco")
OPTIONS = ("--tasks", 30, "--walks", 2, "--seed", 3)


@pytest.fixture(scope="module")
def out(flats: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Exported tasks and walks."""
    target = tmp_path_factory.mktemp("export") / "out"
    ended("tea", "export", flats, "--out", target, *OPTIONS, env={"PYTHONHASHSEED": "7"})
    return target


@pytest.fixture(scope="module")
def chosen(flats: Path) -> dict[str, tuple[Folder, Instance]]:
    """The tasks of the sample, with their scenes."""
    scenes = {folder.path.name: folder for folder in folders(flats)}
    every = [task for folder in scenes.values() for task in folder.tasks]
    return {task.id: (scenes[task.scene], task) for task in sample(every, 30, 3)}


@pytest.fixture(scope="module")
def rows(out: Path, tmp_path_factory: pytest.TempPathFactory) -> Any:
    """The rows of the dataset, as `datasets` reads them."""
    with pytest.MonkeyPatch.context() as patch:
        for name in ("HF_HUB_OFFLINE", "HF_DATASETS_OFFLINE"):
            patch.setenv(name, "1")
        cache = str(tmp_path_factory.mktemp("cache"))
        patch.setenv("HF_HOME", cache)
        datasets: Any = pytest.importorskip("datasets")
        datasets.disable_progress_bars()
        read = datasets.load_dataset(str(out), cache_dir=cache)["test"]
        assert read.features["image"] == datasets.Image()
        assert read.features["count"] == datasets.Value("int32")
        return list(read)


def pixels(image: Image.Image) -> tuple[tuple[int, int], bytes]:
    return image.size, image.convert("RGB").tobytes()


def test_the_dataset_holds_what_is_asked_pixel_by_pixel(
    rows: Any, chosen: dict[str, tuple[Folder, Instance]]
) -> None:
    answered = {row["id"]: row for row in rows if row["family"] != "navigation"}
    assert answered.keys() == chosen.keys()
    assert len(rows) > len(answered)
    for id, (folder, task) in chosen.items():
        row = answered[id]
        shown = [pixels(row[name]) for name in ("image", "image_2", "image_3") if row[name]]
        wanted = [pixels(Image.open(io.BytesIO(png))) for png in pictures(folder, task)]
        assert shown == wanted
        assert row["prompt"] == prompt(task, folder.view[task.view].camera)
        reply = f'{{"answer": {row["answer"]}}}'
        assert grade(task, reply, choices=choices(task)).score == 1
    for row in rows:
        typed = [row[n] for n in ("word", "count", "metres", "box2d", "box3d_centre", "goal")]
        assert sum(value is not None for value in typed) == 1


def test_equal_requests_give_equal_bytes(cli: Cli, flats: Path, out: Path, tmp_path: Path) -> None:
    def contents(folder: Path) -> dict[str, bytes]:
        files = [path for path in folder.rglob("*") if path.is_file()]
        return {path.relative_to(folder).as_posix(): path.read_bytes() for path in files}

    told = cli("tea", "export", flats, "--out", tmp_path / "again", *OPTIONS, "--json").json
    assert contents(tmp_path / "again") == contents(out)
    assert told["files"].keys() == contents(out).keys()
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
    assert cli("tea", "scene", "--preset", "tiny", "--seed", 3, "--glb", "--out", out).code == 0
    scene, loaded = read_scene(out), trimesh.load(out / "scene.glb")

    def point(at: Vec) -> Vec:
        """Return a point of ours in glTF's frame: y up."""
        return at[0], at[2], -at[1]

    for thing in scene.things:
        matrix, _ = loaded.graph.get(thing.id)
        assert matrix[:3, 3] == pytest.approx(point(thing.position), abs=1e-6)
        low, high = [1e9] * 3, [-1e9] * 3
        for name in loaded.graph.nodes_geometry:
            if name.startswith(f"{thing.id}."):
                placed, geometry = loaded.graph.get(name)
                points = trimesh.transform_points(loaded.geometry[geometry].vertices, placed)
                low = [min(*pair) for pair in zip(low, points.min(0), strict=True)]
                high = [max(*pair) for pair in zip(high, points.max(0), strict=True)]
        box = [point(corner) for corner in corners(thing)]
        for axis in range(3):  # ears and handles reach out a little
            assert low[axis] > min(corner[axis] for corner in box) - 0.06
            assert high[axis] < max(corner[axis] for corner in box) + 0.06
    found = read(out / "scene.glb").scene  # our own importer
    assert Counter(each.label for each in found.things) == Counter(
        each.label for each in scene.things
    )
    assert len(found.mirrors) == len(scene.mirrors)
