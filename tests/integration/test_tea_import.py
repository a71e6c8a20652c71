"""Scenes from files of other programs on the whole road: import, look, walk, ask, check."""

from __future__ import annotations

import json
import re
import shutil
from pathlib import Path

import numpy as np
import pytest

import foreign
import worldquiz as wq
from command import Said
from conftest import Cli
from recalls import signed
from worldquiz.tea import Loops
from worldquiz_scenes.build import build
from worldquiz_scenes.cameras import ego, watchers
from worldquiz_scenes.importing import read, save
from worldquiz_scenes.locomotion import Ground, Move, Pose
from worldquiz_scenes.render import Canvas, Caster
from worldquiz_scenes.save import read_scene
from worldquiz_scenes.sight import look


@pytest.fixture(scope="module")
def files(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    folder = tmp_path_factory.mktemp("files")
    return {"glb": foreign.glb(folder / "of-glb.glb"), "sh3d": foreign.HOME}


@pytest.fixture(scope="module")
def scenes(files: dict[str, Path], tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    out = tmp_path_factory.mktemp("scenes")
    for kind, file in files.items():
        save(out / kind, read(file))
    return {kind: out / kind for kind in files}


@pytest.mark.parametrize("kind", ["glb", "sh3d"])
def test_an_imported_scene_looks_alike_by_drawing_and_by_rays(
    scenes: dict[str, Path], kind: str
) -> None:
    scene = read_scene(scenes[kind])
    built = build(scene, scenes[kind])
    cameras = [ego(*scene.start, size=(240, 180)), *watchers(scene, size=(240, 180))]
    seen: set[str] = set()
    same = []
    with Canvas(built, plain=True) as canvas:
        for camera in cameras:
            drawn, cast = look(canvas, camera), look(Caster(built), camera)
            same.append(
                float(((drawn.instances == cast.instances) & (drawn.mirror == cast.mirror)
                       & (drawn.reflected == cast.reflected)).mean())
            )  # fmt: skip
            seen |= {built.ids[at] for at in np.unique(drawn.instances) if at >= 0}
    assert np.mean(same) > 0.999
    assert len(seen) >= 0.8 * len(scene.things)


def test_a_pictures_top_is_up(scenes: dict[str, Path]) -> None:
    scene = read_scene(scenes["glb"])
    built = build(scene, scenes["glb"])
    x, y, _ = scene.thing["picture-1"].position
    with Canvas(built, plain=True) as canvas:
        images = look(canvas, ego(x, y - 1.5, np.pi / 2, size=(240, 180), pitch=0.0))
    assert images.rgb is not None
    rows, columns = np.nonzero(images.instances == built.ids.index("picture-1"))
    middle = rows.mean()
    above = images.rgb[rows[rows < middle], columns[rows < middle]].mean(axis=0)
    below = images.rgb[rows[rows > middle], columns[rows > middle]].mean(axis=0)
    assert above[0] > above[2], "red above"
    assert below[2] > below[0], "blue below"


def test_an_agent_walks_through_the_doorway_of_a_home(scenes: dict[str, Path]) -> None:
    ground = Ground(read_scene(scenes["sh3d"]))
    moved = ground.move(Pose(3.0, 1.55, 0.0), Move(walk=2.5))
    assert moved.stopped_by is None
    assert ground.room(moved.pose.x, moved.pose.y) == "study-1"
    assert ground.move(Pose(3.0, 2.5, 0.0), Move(walk=2.5)).stopped_by == "wall:living-room-1"


@pytest.fixture(scope="module")
def tasks(scenes: dict[str, Path], tmp_path_factory: pytest.TempPathFactory) -> Path:
    out = tmp_path_factory.mktemp("tasks") / "data"
    made = wq.tea.build(
        seed=3, scenes=[*scenes.values()], loops=Loops(1, 2, 3), size=(320, 240), out=out
    )
    assert made.summary["tasks"] > 60
    return out


def test_the_oracle_agrees_with_every_task_about_meshes(tasks: Path, cli: Cli) -> None:
    found = cli("tea", "check", tasks, "--sample", 60, "--jobs", 1, "--json").json
    assert found["disagree"] == []
    assert found["agree"] == found["checked"] == 60


def test_the_oracle_finds_a_thing_that_was_moved(tasks: Path, tmp_path: Path, cli: Cli) -> None:
    shutil.copytree(tasks, tmp_path / "lies")
    for path in (tmp_path / "lies").glob("scenes/*/scene.json"):
        whole = json.loads(path.read_text())
        for thing in whole["scene"]["things"]:
            thing["position"][2] += 0.4
        path.write_text(json.dumps(whole))
    said = cli("tea", "check", signed(tmp_path / "lies"), "--sample", 120, "--jobs", 1, "--json")
    assert said.code == 1
    found = said.json["by_type"]["localization"]
    assert found["agree"] < 0.2 * found["checked"]


def test_names_and_their_labels_are_told_and_unknown_ones_cured_by_another_name(
    cli: Cli, tmp_path: Path
) -> None:
    def imported(name: str) -> Said:
        file = tmp_path / f"{name}.glb"
        foreign.changed(
            foreign.glb(file), lambda header: foreign.node(header, "Couch").update(name=name)
        )
        return cli("tea", "scene", "--import", file, "--out", tmp_path / name)

    said = imported("Blorb_01")
    assert "1 of 7 things have names that are not known" in said.err
    assert "(blorb)" in said.err
    assert re.search(r"blorb +not known", said.out)
    said = imported("Ecksofa_01")
    assert said.err == ""
    assert re.search(r"ecksofa +sofa", said.out)


@pytest.mark.parametrize(
    ("options", "problem"),
    [
        (["--import", "{sh3d}", "--up", "z"], "--up 'z': a home fixes its own axis"),
        (["--import", "gone.glb"], "gone.glb: no such file"),
        (["--import", "{glb}", "--unit", "mile"], "--unit 'mile': no such unit"),
        (["--import", "{glb}", "--preset", "tiny"], "leave out --preset"),
        (["--preset", "tiny"], "--seed is missing"),
    ],
)
def test_a_mistake_is_one_line_and_nothing_is_written(
    options: list[str], problem: str, files: dict[str, Path], cli: Cli, tmp_path: Path
) -> None:
    given = [each.format(**files) for each in options]
    said = cli("tea", "scene", *given, "--out", tmp_path / "out")
    assert said.code == 2
    assert problem in said.err
    assert "Traceback" not in said.err
    assert list(tmp_path.iterdir()) == []
