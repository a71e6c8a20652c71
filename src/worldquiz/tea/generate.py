"""Generate tasks in scenes: interaction, evolution, and the folder that keeps them.

Each scene is worked on by itself, in a process of its own if there are several jobs; finished
scenes are kept. Equal plans give equal bytes, pictures included, on one renderer.
"""

from __future__ import annotations

import importlib.util
import os
import shutil
from collections import Counter
from collections.abc import Container, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from functools import partial
from pathlib import Path
from typing import Any

from worldquiz.errors import KnobError, MissingExtra, RecordError
from worldquiz.records import digest, read_bytes, read_json, write_bytes, write_folder, write_json
from worldquiz.runs.executor import Done, each, silent
from worldquiz.runs.folder import MANIFEST, begin, claimed
from worldquiz.runs.given import check_portable
from worldquiz.runs.settings import Shard
from worldquiz.runs.shard import Part, check_part, finish_part, note_part
from worldquiz.tea.data import KIND, Folder, pictures_digest, write_tasks, write_views
from worldquiz.tea.interact import Loops, interact
from worldquiz.tea.kinds.evolve import evolve
from worldquiz.tea.kinds.kinds import CATALOGUE, kinds, record
from worldquiz.tea.own_kinds import require_known
from worldquiz.version import own_version
from worldquiz_scenes import generate as scenes_of
from worldquiz_scenes import gl
from worldquiz_scenes.build import build
from worldquiz_scenes.episode import Pictures, Walker, png
from worldquiz_scenes.importing.doubts import doubts
from worldquiz_scenes.importing.label_file import check_labels
from worldquiz_scenes.meshes import copy_meshes, meshes_of
from worldquiz_scenes.quality import USUAL, quality
from worldquiz_scenes.render import Canvas
from worldquiz_scenes.save import read_scene, write_scene
from worldquiz_scenes.scene import Scene
from worldquiz_scenes.sight import look
from worldquiz_scenes.view import EGO, View

PLAN, SCENES, RENDERER = "plan.json", "scenes", "renderer.json"
SOURCE = "source"
"""Where a plan says what its scenes are made from, so that a stopped command can be finished."""
FEW_KINDS = 3
"""Kinds of task below which a scene is a poor test."""
NEEDS = {
    "pyarrow": "pyarrow", "PIL": "pillow", "scipy": "scipy", "skimage": "scikit-image",
    "sklearn": "scikit-learn",
}  # fmt: skip
"""The libraries that make tasks: the module of each, and what it is installed as."""


@dataclass(frozen=True, slots=True)
class Plan:
    """Settings of a generation: scenes, loops, pictures and seed."""

    seed: int
    scenes: tuple[Scene, ...]
    loops: Loops = field(default_factory=Loops)
    size: tuple[int, int] = (640, 480)  # px of every picture
    pictures: tuple[Pictures, ...] = ("rgb",)  # which are kept
    meshes: Mapping[str, Path] = field(default_factory=dict)  # the folders of scenes that have one
    preset: str | None = None  # that the scenes are made from
    kinds: tuple[object, ...] = ()  # of task, of a user's own
    quality: str = USUAL  # of colours

    def record(self) -> dict[str, Any]:
        """Return it as a JSON document; scenes by their digests."""
        return {
            "kind": KIND,
            "seed": self.seed,
            "scenes": {scene.id: digest(repr(scene)) for scene in self.scenes},
            "loops": asdict(self.loops),
            "size": list(self.size),
            "pictures": list(self.pictures),
            "quality": self.quality,
            "versions": own_version(),
            **record(self.kinds),
        }


def scenes_in(folders: Sequence[Path]) -> tuple[tuple[Scene, ...], dict[str, Path]]:
    """Return the scenes of some folders, and the folder of each by its id.

    Raises `KnobError` for two scenes of one name, `RecordError` for a mesh that is missing.
    """
    found: dict[str, Path] = {}
    scenes = tuple(read_scene(folder) for folder in folders)
    for scene, folder in zip(scenes, folders, strict=True):
        if scene.id in found:
            raise KnobError(
                f"{found[scene.id]} and {folder} hold scenes of one name, {scene.id!r}: give one, "
                "or import the other from a file of another name"
            )
        found[scene.id] = folder
        check_labels(folder if folder.is_dir() else folder.parent)
        for name in meshes_of(scene):
            if not (folder / name).is_file():
                raise RecordError(f"{folder}: the mesh {name} is missing: import the scene again")
    return scenes, found


def finish(out: Path, *, jobs: int = 1, done: Done = silent) -> dict[str, Any]:
    """Finish a stopped generation by its ``plan.json``, as `generate` does.

    Raises `RecordError` where the plan does not say what its scenes were made from.
    """
    told = read_json(out / PLAN)
    source = told.get(SOURCE) or {}
    preset, folders = source.get("preset"), source.get("folders") or {}
    if not preset and not folders:
        raise RecordError(
            f"{out / PLAN}: does not say what its scenes are made from: give the command again "
            "that began it"
        )
    seed = int(told["seed"])
    scenes, places = scenes_in([out / place for place in folders])
    if preset:
        scenes = tuple(scenes_of.suite(preset, seed, len(told["scenes"])))
    plan = Plan(
        seed, scenes, Loops(**told["loops"]), (told["size"][0], told["size"][1]),
        tuple(told["pictures"]), places, preset, quality=told["quality"],
    )  # fmt: skip
    return generate(plan, out, jobs=jobs, done=done)


def require() -> None:
    """Raise `MissingExtra` or `NoPictures` where tasks cannot be generated here."""
    for module, library in NEEDS.items():
        if importlib.util.find_spec(module) is None:
            raise MissingExtra(library, "tea")
    gl.engine()
    gl.backend()


def generate(
    plan: Plan, out: Path, *, jobs: int = 1, done: Done = silent, shard: Shard | None = None
) -> dict[str, Any]:
    """Generate all tasks of a plan, or finish what was begun by the same plan.

    Returns the manifest: counts by type, by scene and by origin, and digests; of a shard, which
    part it is. Raises `RecordError`
    where `out` holds anything else; before `out` is touched `MissingExtra`, `NoPictures` where
    nothing can be drawn, `CatalogError` for kinds of task that are none, and
    `KnobError` for those that cannot be sent to the processes of several jobs.
    """
    require_known(out / PLAN, [kind.name for kind in kinds(plan.kinds)], CATALOGUE.noun)
    check_portable(plan.kinds, jobs)
    quality(plan.quality)
    if not (out / MANIFEST).is_file():
        require()
    ids = [scene.id for scene in plan.scenes]
    part = Part.of(shard, ids, "scenes") if shard else None
    with claimed(out):
        check_part(out, part, PLAN)
        begin(out, PLAN, plan.record())
        note_part(out, part)
        _note_source(plan, out)
        _sweep(out)
        if not (out / MANIFEST).is_file():
            _make(plan, out, set(part.units if part else ids), jobs, done)
            if part:
                return finish_part(out, part, SCENES)
            write_json(out / MANIFEST, _manifest(plan, out))
    return summary(out)


def _make(plan: Plan, out: Path, wanted: Container[str], jobs: int, done: Done) -> None:
    """Work on the scenes that are wanted and not there."""
    todo = []
    for scene in plan.scenes:
        if scene.id in wanted and (out / SCENES / scene.id).is_dir():
            done(scene.id)
        elif scene.id in wanted:
            todo.append(scene)
    for scene, _ in each(partial(_work, plan, out), todo, jobs=jobs):
        done(scene.id)
    _sweep(out)


def _sweep(out: Path) -> None:
    """Remove half-written folders of killed processes."""
    for stale in out.glob(f"{SCENES}/.*.*"):
        shutil.rmtree(stale, ignore_errors=True)


def _note_source(plan: Plan, out: Path) -> None:
    """Write the preset or folders of its scenes into a begun plan; they may be moved meanwhile."""
    source: dict[str, Any] = {"preset": plan.preset} if plan.preset else {}
    if plan.meshes:
        places = [plan.meshes[scene.id].resolve() for scene in plan.scenes]
        source["folders"] = [os.path.relpath(place, out.resolve()) for place in places]
    told = dict(read_json(out / PLAN))
    if source and told.get(SOURCE) != source:
        write_json(out / PLAN, told | {SOURCE: source})


def _work(plan: Plan, out: Path, scene: Scene) -> None:
    write_folder(out / SCENES / scene.id, partial(_fill, plan, scene))


def _fill(plan: Plan, scene: Scene, folder: Path) -> None:
    """Fill a scene's folder.

    The choice of executed tasks depends on the pictures' colours, so an agent always walks in the
    usual quality: equal plans of two qualities differ in pictures alone.
    """
    copy_meshes(scene, plan.meshes.get(scene.id), folder)
    write_scene(folder, scene)
    scene = read_scene(folder)
    own = kinds(plan.kinds)
    with Canvas(build(scene, folder), size=plan.size) as canvas:
        walker = Walker(canvas, watch="room", size=plan.size, folder=folder, kinds=plan.pictures)
        seen = interact(walker, own, plan.loops, plan.seed)
        write_json(folder / RENDERER, canvas.renderer)
    if plan.quality != USUAL and "rgb" in plan.pictures:
        _draw(folder, scene, seen.views, plan.quality)
    new = evolve(scene, seen.views, own, seen.tasks, seed=plan.seed)
    write_views(folder / "views.jsonl", seen.views)
    write_tasks(folder / "tasks.parquet", (*seen.tasks, *new))
    every = (*seen.tasks, *new)
    by = {
        "by_type": Counter(task.type for task in every),
        "by_origin": Counter(task.origin.split(" ")[0] for task in every),
        "by_loop": Counter(str(task.loop) for task in every),
    }
    counts = {name: dict(sorted(count.items())) for name, count in by.items()}
    executed = [list(some) for some in seen.chosen]
    write_json(folder / "loops.json", {"executed": executed, "tasks": len(every), **counts})


def _draw(folder: Path, scene: Scene, views: Sequence[View], name: str) -> None:
    """Write the colours of each view anew, in the quality of that name."""
    size = max((view.camera.width, view.camera.height) for view in views)
    with Canvas(build(scene, folder), quality=quality(name), size=size) as canvas:
        for view in views:
            canvas.built.stand(*view.agent)
            own = view.camera.name == EGO
            seen = look(canvas, view.camera, room=view.room, self_seen=not own)
            assert seen.rgb is not None
            write_bytes(folder / view.files["rgb"], png(seen.rgb))
        write_json(folder / RENDERER, canvas.renderer)


def _manifest(plan: Plan, out: Path) -> dict[str, Any]:
    found = {}
    for scene in plan.scenes:
        folder = out / SCENES / scene.id
        files = ("scene.json", "views.jsonl", "tasks.parquet", "loops.json")
        found[scene.id] = {
            "things": len(scene.things),
            "rooms": len(scene.rooms),
            "views": len(Folder(folder).views),
            "pictures": pictures_digest(folder),
            "files": {name: digest(read_bytes(folder / name)) for name in files},
        }
    return {**plan.record(), "scenes": found, "digest": digest(repr(sorted(found.items())))}


def summary(out: Path) -> dict[str, Any]:
    """Return the number of a finished folder's tasks: by type, by scene, by loop and by origin."""
    told = read_json(out / MANIFEST)
    counts = {name: read_json(out / SCENES / name / "loops.json") for name in told["scenes"]}
    totals: dict[str, Counter[str]] = {
        "by_type": Counter(),
        "by_origin": Counter(),
        "by_loop": Counter(),
    }
    for count in counts.values():
        for name, total in totals.items():
            total.update(count[name])
    return {
        "scenes": len(counts),
        "tasks": sum(count["tasks"] for count in counts.values()),
        **{name: dict(sorted(total.items())) for name, total in totals.items()},
        "by_scene": {name: count["tasks"] for name, count in sorted(counts.items())},
        "views": sum(scene["views"] for scene in told["scenes"].values()),
        "renderer": sorted(
            {
                "{renderer}, {version}, by {backend}".format(**read_json(path))
                for path in out.glob(f"{SCENES}/*/{RENDERER}")
            }
        ),
        "digest": told["digest"],
    }


def warnings(out: Path) -> list[str]:
    """Return warnings about the imported scenes of a finished folder, and their tasks."""
    found = []
    for name in read_json(out / MANIFEST)["scenes"]:
        folder = out / SCENES / name
        found += [f"scene {name}: {each}" for each in doubts(read_scene(folder))]
        asked = {type.split("-by-")[0] for type in read_json(folder / "loops.json")["by_type"]}
        if len(asked) < FEW_KINDS:
            found.append(
                f"scene {name}: gives tasks of {', '.join(sorted(asked)) or 'no kind'} only: the "
                "views show too little that is clear and has a label; look at them with `tea sheet`"
            )
    return found
