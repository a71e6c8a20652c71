"""Habitat's episodes: converted back they are our poses, and their distances are our walks."""

from __future__ import annotations

import gzip
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from math import cos, hypot, sin
from pathlib import Path
from typing import Any

import pytest

from exports import axes_back, heading_back, point_back, task
from scenes import studio
from worldquiz.scenes.locomotion import Ground, span
from worldquiz.scenes.scene import Scene
from worldquiz.scenes.view import Camera, Sighting, View
from worldquiz.tea.export import habitat
from worldquiz.tea.taskgraph import Crop, Goal, Instance

np = pytest.importorskip("numpy")
pytest.importorskip("scipy")
pytest.importorskip("trimesh")
WITHIN = 1.0


@dataclass(frozen=True)
class Flat:
    """A scene with some of its walks."""

    scene: Scene
    views: Mapping[str, View]
    walks: Sequence[Instance]


def seen(scene: Scene, number: int, agent: tuple[float, float, float], thing: str) -> View:
    x, y, heading = agent
    lens = Camera(
        "ego", (x, y, 1.5), (cos(heading), sin(heading), 0.0), (0.0, 0.0, 1.0), 60.0, 640, 480
    )
    sighting = Sighting(thing, 3072, 0.75, (10, 20, 74, 68), 2.0, cut=False)
    return View(f"{number:04}-ego", 0.0, scene.id, "living-1", lens, agent, (sighting,), (), {})


@pytest.fixture(scope="module")
def flat() -> Flat:
    """Two walks to a thing by its label, and two by pictures of it."""
    scene = studio()
    goal = next(each.id for each in scene.things if each.id.startswith("table"))
    x, y, heading = scene.start
    views = [seen(scene, n, (x, y, heading + n), goal) for n in range(4)]
    crop = Crop("0003-ego", (10, 20, 74, 68))
    walks = [
        task(kind, Goal(goal, WITHIN), view=view.id, scene=scene.id, thing=goal, number=n,
             given={"object.picture": crop} if kind.endswith("picture") else None)
        for n, (kind, view) in enumerate(
            zip(["navigation", "navigation-by-picture"] * 2, views, strict=True)
        )
    ]  # fmt: skip
    walks = [replace(each, bind={"object": goal}) for each in walks]
    return Flat(scene, {view.id: view for view in views}, walks)


@pytest.fixture(scope="module")
def folder(flat: Flat, tmp_path_factory: pytest.TempPathFactory) -> Path:
    out = tmp_path_factory.mktemp("habitat")
    rows, types = habitat.write_scene(out, flat.scene, flat.views, flat.walks)
    assert rows == {"objectnav": 2, "instance_imagenav": 2}
    assert types == {"navigation": 2, "navigation-by-picture": 2}
    habitat.finish(out, [thing.label for thing in flat.scene.things])
    return out


def read(path: Path) -> Any:
    return json.loads(gzip.decompress(path.read_bytes()))


def episodes(folder: Path, flat: Flat) -> list[tuple[dict[str, Any], Instance]]:
    found = [
        episode
        for name in (habitat.OBJECTS, habitat.IMAGES)
        for episode in read(habitat.content(folder, name, flat.scene.id))["episodes"]
    ]
    tasks = {each.id: each for each in flat.walks}
    return [(episode, tasks[episode["info"]["task"]]) for episode in found]


def test_an_episode_converted_back_starts_where_its_task_does(folder: Path, flat: Flat) -> None:
    for episode, each in episodes(folder, flat):
        x, y, heading = flat.views[each.view].agent
        assert point_back(episode["start_position"]) == pytest.approx((x, y, 0.0))
        back = heading_back(episode["start_rotation"])
        assert (cos(back), sin(back)) == pytest.approx((cos(heading), sin(heading)))


def test_a_distance_is_what_an_agent_walks(folder: Path, flat: Flat) -> None:
    ground = Ground(flat.scene)
    for episode, each in episodes(folder, flat):
        thing = flat.scene.thing[each.bind["object"]]
        x, y, _ = flat.views[each.view].agent
        far = ground.grid.to_thing(thing, WITHIN).distance(x, y)
        assert episode["info"]["geodesic_distance"] == far > 0
        beeline = hypot(x - thing.position[0], y - thing.position[1])
        assert episode["info"]["euclidean_distance"] == pytest.approx(beeline, abs=1e-6)


def test_goals_are_where_things_are_and_view_points_are_near_and_free(
    folder: Path, flat: Flat
) -> None:
    found = read(habitat.content(folder, habitat.OBJECTS, flat.scene.id))
    ((key, goals),) = found["goals_by_category"].items()
    episode = found["episodes"][0]
    assert key == f"{Path(episode['scene_id']).name}_{episode['object_category']}"
    (goal,) = goals
    thing = flat.scene.thing[goal["object_id"]]
    assert point_back(goal["position"]) == pytest.approx(thing.position)
    ground = Ground(flat.scene)
    assert len(goal["view_points"]) > 10
    for each in goal["view_points"]:
        x, y, z = point_back(each["agent_state"]["position"])
        assert z == 0
        assert ground.free(x, y)
        assert span(thing, np.array([[x, y]]))[0] <= WITHIN
        heading = heading_back(each["agent_state"]["rotation"])
        ahead = (thing.position[0] - x, thing.position[1] - y)
        assert ahead[0] * sin(heading) - ahead[1] * cos(heading) == pytest.approx(0, abs=1e-6)
        assert ahead[0] * cos(heading) + ahead[1] * sin(heading) > 0


def test_a_goal_by_picture_has_the_camera_that_took_it(folder: Path, flat: Flat) -> None:
    found = read(habitat.content(folder, habitat.IMAGES, flat.scene.id))
    episode = found["episodes"][1]
    goal = found["goals"][f"{flat.scene.id}_{episode['goal_object_id']}"]
    (camera,) = goal["image_goals"]
    assert episode["goal_image_id"] == 0
    assert episode["info"]["box"] == [10, 20, 74, 68]
    lens = flat.views["0003-ego"].camera
    assert point_back(camera["position"]) == pytest.approx(lens.at)
    assert axes_back(camera["rotation"])[0] == pytest.approx(lens.forward, abs=1e-8)
    assert camera["hfov"] == pytest.approx(75.178178939)  # 60 degrees high, 4:3
    assert camera["image_dimensions"] == [480, 640]
    assert (camera["frame_coverage"], camera["object_coverage"]) == (0.01, 0.75)


def test_categories_stand_beside_and_every_scene_is_there(folder: Path, flat: Flat) -> None:
    top = read(folder / "objectnav/test/test.json.gz")
    assert top["episodes"] == []
    assert top["category_to_task_category_id"] == top["category_to_scene_annotation_category_id"]
    labels = {thing.label for thing in flat.scene.things}
    assert sorted(top["category_to_task_category_id"]) == sorted(labels)
    assert read(folder / "instance_imagenav/test/test.json.gz") == {"episodes": [], "goals": {}}
    for episode, _ in episodes(folder, flat):
        assert (folder / "scenes" / episode["scene_id"]).is_file()


def test_equal_walks_give_equal_bytes(folder: Path, flat: Flat, tmp_path: Path) -> None:
    habitat.write_scene(tmp_path, flat.scene, flat.views, flat.walks)
    for path in tmp_path.rglob("*"):
        if path.is_file():
            assert path.read_bytes() == (folder / path.relative_to(tmp_path)).read_bytes()


def test_a_goal_that_nobody_comes_near_is_left_out(flat: Flat) -> None:
    first = flat.walks[0]
    never = replace(first, truth=Goal(first.bind["object"], -1.0))
    found = habitat.Episodes(flat.scene, flat.views)
    assert not found.add(never)
    assert found.add(first)
    assert len(found.objects["episodes"]) == 1
