"""Walks as episodes of Habitat: ObjectNav where the goal is told by its label, else ImageNav.

    OUT/objectnav/test/test.json.gz                      categories; no episodes
    OUT/objectnav/test/content/SCENE.json.gz             episodes, goals by category
    OUT/instance_imagenav/test/test.json.gz              no episodes
    OUT/instance_imagenav/test/content/SCENE.json.gz     episodes, goals with their cameras
    OUT/scenes/worldquiz/SCENE/SCENE.glb                 the scene, by its episodes' scene_id

habitat-lab reads these as ObjectNav-v1 and InstanceImageNav-v1. A goal's view points are all spots
of our grid from which it is near enough; a distance is what an agent must walk to the nearest of
them. Where our picture of a goal is cut out of a view, `info.box` says what is cut out.

Positions and rotations are in Habitat's  Here x grows to the east, y to the north and z up;
heading 0 looks east and grows to the left. There (habitat-sim) y is up, an agent that is not turned
looks along -z, and rotations are quaternions x, y, z, w. Our north is its -z: (x, y, z) becomes
(x, z, -y), and a heading h becomes a turn about y by h - pi/2.
"""

from __future__ import annotations

import gzip
import io
import json
from collections import Counter
from collections.abc import Iterable, Mapping
from math import atan, atan2, cos, degrees, dist, pi, radians, sin, tan
from pathlib import Path
from typing import Any

from worldquiz.errors import WorldError
from worldquiz.extras import need
from worldquiz.records import write_bytes
from worldquiz.scenes.geometry import cross
from worldquiz.scenes.locomotion import Ground, span
from worldquiz.scenes.scene import Scene, Thing, Vec
from worldquiz.scenes.view import Camera, View
from worldquiz.tea.export.glb import glb
from worldquiz.tea.taskgraph import Crop, Goal, Instance

OBJECTS, IMAGES, SCENES = "objectnav", "instance_imagenav", "scenes"
SPLIT = "test"
DIGITS = 9
"""Decimal places that are kept of unit quaternions and of positions (metres)."""
Turn = tuple[float, float, float, float]
"""A rotation: x, y, z, w."""
Document = dict[str, Any]


class Episodes:
    """A scene's episodes and goals, as they are gathered."""

    def __init__(self, scene: Scene, views: Mapping[str, View]) -> None:
        self._scene, self._views, self._ground = scene, views, Ground(scene)
        self._points: dict[tuple[str, float], list[Document]] = {}
        self.objects: Document = {"episodes": [], "goals_by_category": {}}
        self.images: Document = {"episodes": [], "goals": {}}

    def add(self, task: Instance) -> bool:
        """Add a walk, unless nobody comes near its goal; tell whether it was added."""
        goal, thing = task.truth, self._scene.thing[task.bind["object"]]
        if not isinstance(goal, Goal):
            raise ValueError(f"task {task.id!r} is no walk")
        x, y, _ = self._views[task.view].agent
        try:
            far = self._ground.grid.to_thing(thing, goal.within).distance(x, y)
        except WorldError:
            return False
        crop = next((told for told in task.given.values() if isinstance(told, Crop)), None)
        if crop is None:
            self._by_label(task, thing, goal, far)
        else:
            self._by_picture(task, thing, goal, far, crop)
        return True

    def _by_label(self, task: Instance, thing: Thing, goal: Goal, far: float) -> None:
        key = f"{scene_id(task.scene).rpartition('/')[2]}_{thing.label}"
        goals = self.objects["goals_by_category"].setdefault(key, [])
        if all(each["object_id"] != thing.id for each in goals):
            goals.append(self._goal(thing, goal.within))
        episode = self._episode(task, thing, far, len(self.objects["episodes"]))
        self.objects["episodes"].append({**episode, "goals": []})

    def _by_picture(self, task: Instance, thing: Thing, goal: Goal, far: float, crop: Crop) -> None:
        key = f"{self._scene.id}_{thing.id}"
        goals = self.images["goals"]
        if key not in goals:
            goals[key] = {**self._goal(thing, goal.within), "image_goals": []}
        picture = _camera(self._views[crop.view], thing)
        cameras = goals[key]["image_goals"]
        if picture not in cameras:
            cameras.append(picture)
        episode = self._episode(task, thing, far, len(self.images["episodes"]))
        episode["info"] |= {"view": crop.view, "box": list(crop.box)}
        self.images["episodes"].append(
            {
                **episode,
                "goals": [],
                "goal_object_id": thing.id,
                "goal_image_id": cameras.index(picture),
            }
        )

    def _episode(self, task: Instance, thing: Thing, far: float, number: int) -> Document:
        x, y, heading = self._views[task.view].agent
        return {
            "episode_id": str(number),
            "scene_id": scene_id(task.scene),
            "scene_dataset_config": "default",
            "additional_obj_config_paths": [],
            "start_position": _rounded(point((x, y, 0.0))),
            "start_rotation": _rounded(turn(heading)),
            "object_category": thing.label,
            "start_room": None,
            "shortest_paths": None,
            "info": {
                "geodesic_distance": far,
                "euclidean_distance": round(dist((x, y), thing.position[:2]), 6),
                "closest_goal_object_id": thing.id,
                "task": task.id,
            },
        }

    def _goal(self, thing: Thing, within: float) -> Document:
        return {
            "position": _rounded(point(thing.position)),
            "radius": within,
            "object_id": thing.id,
            "object_name": thing.id,
            "object_name_id": None,
            "object_category": thing.label,
            "room_id": thing.room,
            "room_name": thing.room,
            "view_points": self._near(thing, within),
        }

    def _near(self, thing: Thing, within: float) -> list[Document]:
        """Return the spots from which a thing is near enough, each looking at its middle."""
        key = thing.id, within
        if key not in self._points:
            spots = self._ground.grid.points
            near = spots[span(thing, spots) <= within].tolist()
            middle = thing.position
            self._points[key] = [
                {
                    "agent_state": {
                        "position": _rounded(point((x, y, 0.0))),
                        "rotation": _rounded(turn(atan2(middle[1] - y, middle[0] - x))),
                    },
                    "iou": None,
                }
                for x, y in near
            ]
        return self._points[key]


def scene_id(scene: str) -> str:
    """Return what Habitat calls a scene: where it is beneath the folder of scenes."""
    return f"worldquiz/{scene}/{scene}.glb"


def write_scene(
    folder: Path,
    scene: Scene,
    views: Mapping[str, View],
    walks: Iterable[Instance],
    meshes: Path | None = None,
) -> tuple[dict[str, int], dict[str, int]]:
    """Write a scene and its episodes, and return how many there are, by their kind and by type.

    `meshes` is the folder that the scene's meshes' names are beneath. Walks whose goal nobody comes
    near are left out. Raises `MissingExtra` without trimesh or SciPy, `WorldError` for a mesh that
    is missing.
    """
    write_bytes(folder / SCENES / scene_id(scene.id), glb(scene, meshes))
    found = Episodes(scene, views)
    types = Counter(task.type for task in walks if found.add(task))
    for name, document in ((OBJECTS, found.objects), (IMAGES, found.images)):
        write(content(folder, name, scene.id), document)
    rows = {OBJECTS: len(found.objects["episodes"]), IMAGES: len(found.images["episodes"])}
    return rows, types


def content(folder: Path, name: str, scene: str) -> Path:
    """Return where a scene's episodes are."""
    return folder / name / SPLIT / "content" / f"{scene}.json.gz"


def finish(folder: Path, labels: Iterable[str]) -> None:
    """Write what stands beside the scenes' files: the categories, each with its number."""
    numbers = {label: number for number, label in enumerate(sorted(set(labels)))}
    categories = {
        "category_to_task_category_id": numbers,
        "category_to_scene_annotation_category_id": numbers,
    }
    write(folder / OBJECTS / SPLIT / f"{SPLIT}.json.gz", {"episodes": [], **categories})
    write(folder / IMAGES / SPLIT / f"{SPLIT}.json.gz", {"episodes": [], "goals": {}})


def write(path: Path, document: Mapping[str, Any]) -> None:
    """Write a JSON document, compressed; equal documents, equal bytes."""
    text = json.dumps(document, ensure_ascii=False, sort_keys=True, separators=(",", ":"))
    stream = io.BytesIO()
    with gzip.GzipFile("", "wb", 6, stream, mtime=0) as packed:
        packed.write(text.encode())
    write_bytes(path, stream.getvalue())


def _camera(view: View, thing: Thing) -> Document:
    camera = view.camera
    half = atan(tan(radians(camera.fovy / 2)) * camera.width / camera.height)
    sighting = view.seen.get(thing.id)
    found: Document = {
        "position": _rounded(point(camera.at)),
        "rotation": _rounded(rotation(camera)),
        "hfov": round(2 * degrees(half), DIGITS),
        "image_dimensions": [camera.height, camera.width],
        "frame_coverage": None,
        "object_coverage": None,
    }
    if sighting is not None:
        pixels = camera.width * camera.height
        found["frame_coverage"] = round(sighting.pixels / pixels, 6)
        found["object_coverage"] = sighting.visible
    return found


def _rounded(values: Iterable[float]) -> list[float]:
    return [round(value, DIGITS) + 0.0 for value in values]


def point(at: Vec) -> Vec:
    """Return a point of ours in Habitat's frame."""
    x, y, z = at
    return x, z, -y + 0.0


def turn(heading: float) -> Turn:
    """Return the rotation of an agent that looks along a heading (radians)."""
    half = (heading - pi / 2) / 2
    return 0.0, sin(half), 0.0, cos(half)


def rotation(camera: Camera) -> Turn:
    """Return how a camera of ours is turned, the quaternion's largest part above zero."""
    right = point(cross(camera.forward, camera.up))
    (ux, uy, uz), (fx, fy, fz) = point(camera.up), point(camera.forward)
    rows = ((right[0], ux, -fx), (right[1], uy, -fy), (right[2], uz, -fz))
    x, y, z, w = need("scipy.spatial.transform", extra="scene").Rotation.from_matrix(rows).as_quat()
    return float(x), float(y), float(z), float(w)
