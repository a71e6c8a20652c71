"""Generation of tasks: an agent explores scenes, its views give tasks, and more derive from these.

Scenes are processed separately, with several jobs in processes of their own. A resumed generation
keeps the finished scenes. On the same renderer, equal plans give equal bytes, even of pictures.
"""

from __future__ import annotations

import shutil
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from functools import partial
from pathlib import Path
from typing import Any

from worldquiz.errors import KnobError, RecordError
from worldquiz.plugins import need
from worldquiz.records import (
    Told,
    digest,
    plain_names,
    read_bytes,
    read_json,
    write_folder,
    write_json,
    write_records,
)
from worldquiz.runs.executor import Done, each, silent
from worldquiz.runs.folder import CODE, MANIFEST, begin, claimed
from worldquiz.runs.shard import dealt
from worldquiz.runs.shard import summary as shard_summary
from worldquiz.tea.data import KIND, Folder, pictures_digest
from worldquiz.tea.interact import Loops, interact
from worldquiz.tea.kinds import counting, perception
from worldquiz.tea.kinds.evolve import evolve
from worldquiz.tea.kinds.kinds import Instance
from worldquiz.version import own_version
from worldquiz_scenes import generate as scenes_of
from worldquiz_scenes import gl
from worldquiz_scenes.build import build
from worldquiz_scenes.episode import Pictures, Walker
from worldquiz_scenes.meshes import copy_meshes, meshes_of
from worldquiz_scenes.render import Canvas
from worldquiz_scenes.save import read_scene, write_scene
from worldquiz_scenes.scene import Scene
from worldquiz_scenes.view import View

PLAN, SCENES, RENDERER = "plan.json", "scenes", "renderer.json"
FILES = ("scene.json", "views.jsonl", "tasks.jsonl", "loops.json")
"""The files of a scene whose digests are in the manifest."""

KINDS = (
    perception.classification, perception.depth, counting.in_view, perception.in_view,
    perception.localization, perception.localization_3d, counting.in_mirror, perception.navigation,
    counting.patterned, perception.person_view, perception.relations,
)  # fmt: skip
"""All kinds of task, by name."""


@dataclass(frozen=True, slots=True)
class Plan:
    """Settings of a generation: scenes, loops, pictures and seed."""

    seed: int
    scenes: tuple[Scene, ...]
    loops: Loops = field(default_factory=Loops)
    size: tuple[int, int] = (640, 480)  # px of every picture
    pictures: tuple[Pictures, ...] = ("rgb",)  # the kinds to keep
    meshes: Mapping[str, Path] = field(default_factory=dict)  # folders, by scene

    def record(self) -> dict[str, Any]:
        """Return the plan as a JSON document, with digests of the scenes."""
        return {
            "kind": KIND,
            "seed": self.seed,
            "scenes": {scene.id: digest(repr(scene)) for scene in self.scenes},
            "loops": asdict(self.loops),
            "size": list(self.size),
            "pictures": list(self.pictures),
            "versions": own_version(),
        }


def plan_of(
    preset: str | None,
    seed: int,
    scenes: int | Sequence[Path | str] | None,
    loops: int | Loops,
    size: tuple[int, int],
    pictures: Sequence[Pictures],
) -> Plan:
    """Return the plan for the arguments of `worldquiz.tea.build`. Raises `KnobError` if two scenes
    have the same name, and `RecordError` if a mesh is missing."""
    places: dict[str, Path] = {}
    if scenes is None or isinstance(scenes, int):
        preset = preset or "paper"
        found = scenes_of.suite(preset, seed, scenes)
    elif preset is not None:
        raise KnobError(f"preset {preset!r} has no effect on finished scenes: leave it out")
    else:
        found = [read_scene(Path(folder)) for folder in scenes]
        for scene, folder in zip(found, map(Path, scenes), strict=True):
            if scene.id in places:
                raise KnobError(
                    f"{places[scene.id]} and {folder} hold scenes with the same name {scene.id!r}: "
                    "leave one out, or import it from a file with another name"
                )
            places[scene.id] = folder
            for name in meshes_of(scene):
                if not (folder / name).is_file():
                    raise RecordError(f"{folder}: mesh {name} is missing: import the scene again")
    asked = loops if isinstance(loops, Loops) else Loops(loops)
    return Plan(seed, tuple(found), asked, size, tuple(pictures), places)


def require() -> None:
    """Raise `MissingExtra` or `NoPictures` if tasks cannot be generated here."""
    need("skimage", extra="tea", library="scikit-image")
    gl.engine()
    gl.backend()


def generate(
    plan: Plan, out: Path, *, jobs: int = 1, done: Done = silent, shard: str | None = None
) -> dict[str, Any]:
    """Generate all tasks of a plan. A stopped generation of the same plan is resumed.

    Returns counts and a digest (`summary`); with a `shard`, which limits the work to a part of the
    scenes, the shard's summary. Raises `RecordError` if `out` contains anything but this plan's
    results. Before `out` is created, may raise `MissingExtra`, or `NoPictures` without OpenGL.
    """
    if not (out / MANIFEST).is_file():
        require()
    ids = [scene.id for scene in plan.scenes]
    part, mine = dealt(shard, ids, "scenes") if shard else (None, ids)
    with claimed(out):
        begin(out, PLAN, {CODE: {}, **plan.record()}, part)
        for stale in out.glob(f"{SCENES}/.*.*"):  # half-written by a killed process
            shutil.rmtree(stale, ignore_errors=True)
        if not (out / MANIFEST).is_file():
            there = {id for id in mine if (out / SCENES / id).is_dir()}
            for id in sorted(there):
                done(id)
            todo = [scene for scene in plan.scenes if scene.id in {*mine} - there]
            for scene, _ in each(partial(_work, plan, out), todo, jobs=jobs):
                done(scene.id)
            if part:
                return shard_summary(out)
            finish(out)
    return summary(out)


def _work(plan: Plan, out: Path, made: Scene) -> None:
    """Generate the tasks of one scene, and write its folder."""

    def fill(folder: Path) -> None:
        copy_meshes(made, plan.meshes.get(made.id), folder)
        write_scene(folder, made)
        scene = read_scene(folder)
        with Canvas(build(scene, folder), size=plan.size) as canvas:
            walker = Walker(
                canvas, watch="room", size=plan.size, folder=folder, kinds=plan.pictures
            )
            views, tasks, executed = interact(walker, KINDS, plan.loops, plan.seed)
            write_json(folder / RENDERER, canvas.renderer)
        every = (*tasks, *evolve(scene, views, KINDS, tasks, seed=plan.seed))
        write_records(folder / "views.jsonl", "view", View, views)
        write_records(folder / "tasks.jsonl", "task", Instance, every)
        counted = {
            "by_type": (task.type for task in every),
            "by_origin": (task.origin.split(" ")[0] for task in every),
            "by_loop": (str(task.loop) for task in every),
        }
        counts = {name: dict(sorted(Counter(words).items())) for name, words in counted.items()}
        write_json(folder / "loops.json", {"executed": executed, "tasks": len(every), **counts})

    write_folder(out / SCENES / made.id, fill)


def finish(out: Path) -> None:
    """Write the manifest of a folder that has all scenes named in its ``plan.json``."""
    plan, found = Told(read_json(out / PLAN), out / PLAN), {}
    for name in plain_names(plan["scenes"], out / PLAN):
        folder = Folder(out / SCENES / name)
        found[name] = {
            "things": len(folder.scene.things),
            "rooms": len(folder.scene.rooms),
            "views": len(folder.views),
            "pictures": pictures_digest(folder.path),
            "files": {file: digest(read_bytes(folder.path / file)) for file in FILES},
        }
    told = {key: value for key, value in plan.items() if key != CODE}
    whole = digest(repr(sorted(found.items())))
    write_json(out / MANIFEST, {**told, "scenes": found, "digest": whole})


def summary(out: Path) -> dict[str, Any]:
    """Return counts of a finished folder: scenes, views, and tasks by type, scene, loop, origin."""
    told = read_json(out / MANIFEST)
    counts = {name: read_json(out / SCENES / name / "loops.json") for name in told["scenes"]}
    totals = {name: Counter[str]() for name in ("by_type", "by_origin", "by_loop")}
    for count in counts.values():
        for name, total in totals.items():
            total.update(count[name])
    renderers = map(read_json, out.glob(f"{SCENES}/*/{RENDERER}"))
    return {
        "scenes": len(counts),
        "tasks": sum(count["tasks"] for count in counts.values()),
        **{name: dict(sorted(total.items())) for name, total in totals.items()},
        "by_scene": {name: count["tasks"] for name, count in sorted(counts.items())},
        "views": sum(scene["views"] for scene in told["scenes"].values()),
        "renderer": sorted({"{renderer}, {version}, by {backend}".format(**x) for x in renderers}),
        "digest": told["digest"],
    }
