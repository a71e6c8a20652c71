"""Export for other tools: tasks as a dataset with their pictures, and a scene as one GLB file.

    OUT/README.md               how to read the dataset, and what each column means
    OUT/CREDITS.md              authors and licences of the scenes' models
    OUT/tasks/SCENE.parquet     a row for each task: words, pictures, answer, camera
    OUT/messages.jsonl          with `chats`: each task except walks, as a chat for trainers
    OUT/WorldQuizTEA.tsv        with `chats`: the same tasks for VLMEvalKit
    OUT/images/DIGEST.png       with `chats`: the pictures of these tasks, each once

The folder appears only once it is complete. Equal data and settings give equal bytes.
"""

from __future__ import annotations

import csv
import json
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import islice
from pathlib import Path
from typing import Any

from worldquiz.errors import KnobError, RecordError
from worldquiz.export.rows import IMAGE, Kind, pyarrow, schema
from worldquiz.plugins import need
from worldquiz.records import digest, read_bytes, whole_file, write_bytes, write_folder, write_text
from worldquiz.runs.executor import Done, silent
from worldquiz.tea.data import Folder
from worldquiz.tea.exam import show, walk
from worldquiz.tea.exam.exam import TeaRun
from worldquiz.tea.exam.grade import family
from worldquiz.tea.kinds.kinds import Goal, Instance
from worldquiz.tea.kinds.perception import navigation
from worldquiz.tea.settings import TeaSettings
from worldquiz_scenes.arrays import np
from worldquiz_scenes.meshes import triangulated
from worldquiz_scenes.paints import finish
from worldquiz_scenes.save import CREDITS, credits
from worldquiz_scenes.scene import Paint, Part, Quat, Scene, Shape, slabs
from worldquiz_scenes.skins import skin, worn

PICTURES = (IMAGE, "image_2", "image_3")
"""Columns of a task's pictures: its view, and one of each of two objects."""
ROWS = 256
"""Tasks per row group, which stores a picture shared by many tasks once."""
COLUMNS: Mapping[str, tuple[Kind, str]] = {
    "id": ("string", "unique"),
    "type": ("string", "what is asked, and how its object is denoted (after -by-)"),
    "family": ("string", "what is asked"),
    "scene": ("string", "the apartment"),
    "view": ("string", "the view whose picture is given; a walk starts there"),
    "image": (IMAGE, "picture 1: the view with given boxes drawn in, or an object's own picture"),
    "image_2": (IMAGE, "picture 2, if there is one: an object's own"),
    "image_3": (IMAGE, "picture 3, if there is one: another object's own"),
    "command": ("string", "the task in words"),
    "prompt": ("string", "the task as a model is asked, with how to reply"),
    "choices": (["string"], "the choices that it offers, if any"),
    "answer": (
        "string",
        "the answer as JSON: a word, a count, metres, a box (x0, y0, x1, y1 in pixels from the "
        "upper left), a solid (metres in the camera's frame: x right, y down, z ahead), or the id "
        "of the thing to be reached",
    ),
    "origin": ("string", "interaction, reuse or recombination"),
    "loop": ("int", "the loop of interaction that its views come from"),
    "room": ("string", "where the agent is"),
    "time": ("double", "seconds since the walk's start"),
    "camera": ("string", "ego, or the name of a camera that watches"),
    "camera_at": (["double"], "metres; x east, y north, z up"),
    "camera_forward": (["double"], "a unit vector"),
    "camera_up": (["double"], "a unit vector"),
    "fovy": ("double", "degrees from top to bottom"),
    "agent": (["double"], "x, y, heading in radians (0 looks east, growing to the left)"),
}
"""Type and meaning of each column."""
README = """---
pretty_name: TEA tasks of worldquiz
license: other
license_name: see-credits
license_link: CREDITS.md
configs:
- config_name: tasks
  data_files:
  - split: test
    path: tasks/*.parquet
---

# TEA tasks of worldquiz

Tasks from walks through 3D scenes, after TEA (https://arxiv.org/abs/2602.05249).
`datasets.load_dataset("DIR")["test"]` reads them. The pictures are those shown to a model, numbered
as in `command`. Tasks are sorted by view, so shuffle them before you take only the first.
`CREDITS.md` names the authors and licences of the models in each scene.

| type | tasks |
|---|---|
{types}

| column | meaning |
|---|---|
{columns}
"""
MESSAGES, TABLE = "messages.jsonl", "WorldQuizTEA.tsv"
DETAIL = 2
"""Sides of round shapes: 24."""
GLASS = Paint("black", (0.1, 0.11, 0.12), "glass")
PLATE = 0.002
"""Half the thickness of a mirror's glass, in metres."""
TO_GLTF = ((1, 0, 0, 0), (0, 0, 1, 0), (0, -1, 0, 0), (0, 0, 0, 1))
"""Rotation from our frame to glTF's."""


def export(
    data: Path, out: Path, settings: TeaSettings | None, *, chats: bool = False, done: Done = silent
) -> dict[str, Any]:
    """Write the tasks of a TEA-Test as a dataset, and with `chats` also as chats for trainers.

    Without `settings`, all tasks of the folder are written. Returns counts, and digests of the
    files. Raises `KnobError` if there is nothing to export, and `RecordError` if `out` is not
    empty, or if a picture is missing or incomplete.
    """
    if out.exists() and (not out.is_dir() or any(out.iterdir())):
        raise RecordError(f"{out}: is not empty: choose another folder")
    exam = TeaRun(data, settings)
    found = exam.every if settings is None else tuple(exam.tasks.values())
    by_scene: dict[str, list[Instance]] = {}
    for task in sorted(found, key=lambda task: (task.scene, task.view, task.id)):
        by_scene.setdefault(task.scene, []).append(task)
    if not by_scene:
        raise KnobError(f"{data}: no tasks to export: set tasks or walks higher")
    by_type = dict(sorted(Counter(task.type for task in found).items()))
    pyarrow()

    def fill(folder: Path) -> None:
        for scene, some in by_scene.items():
            every = rows(exam.folders[scene], some)
            every = chatted(folder, every) if chats else every
            _write(folder / "tasks" / f"{scene}.parquet", every)
            done(scene)
        types = "\n".join(f"| {name} | {count} |" for name, count in by_type.items())
        columns = "\n".join(f"| {name} | {told} |" for name, (_, told) in COLUMNS.items())
        write_text(folder / "README.md", README.format(types=types, columns=columns))
        made = (credits(exam.folders[scene].scene) for scene in by_scene)
        write_text(folder / CREDITS, "\n".join(made))

    write_folder(out, fill)
    files = sorted(path for path in out.rglob("*") if path.is_file())
    return {
        "rows": len(found),
        "by_type": by_type,
        "scenes": sorted(by_scene),
        "files": {path.relative_to(out).as_posix(): digest(read_bytes(path)) for path in files},
    }


def _write(path: Path, left: Iterator[dict[str, Any]]) -> None:
    from pyarrow import Table, parquet

    packed = {"compression": "zstd", "dictionary_pagesize_limit": 1 << 30}
    fields = schema({name: kind for name, (kind, _) in COLUMNS.items()})
    with whole_file(path) as stream, parquet.ParquetWriter(stream, fields, **packed) as writer:
        while some := list(islice(left, ROWS)):
            writer.write_table(Table.from_pylist(some, schema=fields))


def chatted(folder: Path, some: Iterable[dict[str, Any]]) -> Iterator[dict[str, Any]]:
    """Write rows into the files for trainers and VLMEvalKit, and yield them unchanged."""
    with (
        (folder / MESSAGES).open("a") as chats,
        (folder / TABLE).open("a", encoding="utf-8") as table,
    ):
        lines = csv.writer(table, delimiter="\t", lineterminator="\n")
        if not table.tell():
            lines.writerow(("index", "image_path", "question", "answer", "category"))
        for row in some:
            yield row
            if row["family"] == navigation.type.name:
                continue
            pictures = [row[name]["bytes"] for name in PICTURES if name in row]
            names = [f"images/{digest(png)[:32]}.png" for png in pictures]
            for name, png in zip(names, pictures, strict=True):
                if not (folder / name).exists():
                    write_bytes(folder / name, png)
            id, asked, answer = row["id"], row["prompt"], row["answer"]
            user = {"role": "user", "content": "<image>" * len(names) + asked}
            told = {"role": "assistant", "content": f'{{"answer": {answer}}}'}
            chat = {"id": id, "messages": [user, told], "images": names}
            chats.write(json.dumps(chat) + "\n")
            paths = names[0] if len(names) == 1 else names
            lines.writerow((id, paths, asked, answer, row["family"]))


def rows(folder: Folder, tasks: Iterable[Instance]) -> Iterator[dict[str, Any]]:
    """Yield a scene's tasks as rows of the dataset, with the pictures that a model is shown.

    Pictures are made task by task, so that only a few are in memory at once.
    """
    for task in tasks:
        pictures = show.pictures(folder, task)
        view = folder.view[task.view]
        camera, asked = view.camera, walk.journey if isinstance(task.truth, Goal) else show.prompt
        named = ("id", "type", "scene", "view", "command", "origin", "loop")
        yield {
            **{name: getattr(task, name) for name in named},
            **{name: getattr(view, name) for name in ("room", "time", "agent")},
            **{name: {"bytes": png} for name, png in zip(PICTURES, pictures, strict=False)},
            "family": family(task.type),
            "prompt": asked(task, camera),
            "choices": list(show.choices(task)),
            "answer": json.dumps(show.plain(task.truth), sort_keys=True),
            "camera": camera.name,
            "camera_at": camera.at,
            "camera_forward": camera.forward,
            "camera_up": camera.up,
            "fovy": camera.fovy,
        }


def glb(scene: Scene, meshes: Path | None = None) -> bytes:
    """Return a scene as GLB, y up, in metres; `meshes` is the folder of its meshes.

    Rooms are nodes `floor ROOM N`, `ceiling ROOM N` and `wall ROOM N`; a thing is a node named by
    its id, in its own frame (z up), with its parts as children `ID.000`, `ID.001` and so on.
    Patterns and pictures are textures; a pattern is also in the name of its material, so that our
    importer recognizes it. A mirror's glass is a dark plate, since glTF has no reflections. Equal
    scenes give equal bytes. Raises `MissingExtra` without trimesh, `SceneError` for a missing or
    broken mesh.
    """
    made = need("trimesh", extra="tea").Scene(base_frame="world")
    made.graph.update(scene.id, "world", matrix=TO_GLTF)
    for number, slab in enumerate(slabs(scene)):
        x, y, z = (((a + b) / 2, (b - a) / 2) for a, b in zip(slab.low, slab.high, strict=True))
        box = Part(Shape.BOX, (x[0], y[0], z[0]), (x[1], y[1], z[1]), slab.paint)
        name = f"{slab.name.replace(':', ' ')} {number}"
        _add(made, box, name, scene.id, meshes, floor=name.startswith("floor"))
    for thing in scene.things:
        frame = placed(thing.position, thing.rotation)
        made.graph.update(thing.id, scene.id, matrix=frame)
        parts = list(thing.parts)
        if thing.mirror:
            wide, high = thing.mirror
            front = (0.0, -thing.half[1] - PLATE, 0.0)
            parts.append(Part(Shape.BOX, front, (wide, PLATE, high), GLASS))
        for number, part in enumerate(parts):
            _add(made, part, f"{thing.id}.{number:03}", thing.id, meshes)
    found: bytes = made.export(file_type="glb", include_normals=False)
    return found


def _add(
    made: Any, part: Part, name: str, parent: str, meshes: Path | None, *, floor: bool = False
) -> None:
    """Add a part's mesh as the child of a node, with its material."""
    trimesh, paint = need("trimesh", extra="tea"), part.paint
    rgb, image, uv = paint.rgb, None, None
    mesh, pattern = triangulated(part, meshes, parent, DETAIL), "" if floor else worn(paint)
    if laid := skin(part, mesh.triangles, meshes, parent, floor=floor):
        corners = mesh.triangles.reshape(-1, 3)
        mesh = trimesh.Trimesh(corners, np.arange(len(corners)).reshape(-1, 3), process=False)
        image = need("PIL.Image", extra="tea").fromarray(laid[0])
        uv = laid[1].reshape(-1, 2) * (1, -1) + (0, 1)
        rgb = (1.0, 1.0, 1.0) if part.shape is Shape.MESH or pattern else rgb
    alpha = finish(paint).alpha
    material = trimesh.visual.material.PBRMaterial(
        name=f"{paint.colour} {paint.material}{pattern}",
        baseColorFactor=[*map(linear, rgb), alpha],
        baseColorTexture=image,
        metallicFactor=0.0,
        roughnessFactor=0.9,
        alphaMode="BLEND" if alpha < 1 else None,
    )
    mesh.visual = trimesh.visual.TextureVisuals(uv=uv, material=material)
    made.add_geometry(
        mesh, node_name=name, geom_name=name, transform=placed(part.at, part.turn),
        parent_node_name=parent,
    )  # fmt: skip


def placed(at: Sequence[float], turn: Quat) -> Any:
    """Return the matrix of a position and a rotation."""
    matrix = need("trimesh", extra="tea").transformations.quaternion_matrix(turn)
    matrix[:3, 3] = at
    return matrix


def linear(share: float) -> float:
    """Convert a colour component from sRGB to linear light."""
    return share / 12.92 if share <= 0.04045 else ((share + 0.055) / 1.055) ** 2.4
