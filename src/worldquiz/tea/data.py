"""A folder of generated tasks: scenes, the views recorded in them, and the tasks.

    DATA/plan.json                written first: settings, used to resume a stopped build
    DATA/scenes/ID/scene.json     the scene: its rooms and things
        views.jsonl, views/*.png  every view (camera, pose, time, visible things), and its pictures
        tasks.jsonl, loops.json   every task; counts, and the tasks that each loop executed
        renderer.json             the OpenGL that drew the pictures (no digest covers this file)
    DATA/manifest.json            written last: counts and digests

A scene's folder appears only once it is complete.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

from worldquiz import records
from worldquiz.errors import RecordError
from worldquiz.records import digest, read_bytes, read_records
from worldquiz.runs.folder import MANIFEST, read_manifest
from worldquiz.tea.kinds.kinds import Instance
from worldquiz_scenes import files
from worldquiz_scenes.arrays import Picture, np
from worldquiz_scenes.errors import FileError
from worldquiz_scenes.save import read_scene
from worldquiz_scenes.scene import Scene
from worldquiz_scenes.view import Box, View

KIND, NOUN = "tea", "finished folder of TEA tasks"


@dataclass(frozen=True)
class Folder:
    """One scene of a folder of generated tasks; each part is read on first use."""

    path: Path

    @cached_property
    def scene(self) -> Scene:
        """The scene, read from ``scene.json``."""
        try:
            return read_scene(self.path)
        except FileError as error:
            raise RecordError(str(error)) from error

    @cached_property
    def views(self) -> tuple[View, ...]:
        """Recorded views, in order."""
        return tuple(read_records(self.path / "views.jsonl", "view", View))

    @cached_property
    def view(self) -> dict[str, View]:
        """Views by id."""
        return {view.id: view for view in self.views}

    @cached_property
    def tasks(self) -> tuple[Instance, ...]:
        """Generated tasks, in order. Raises `RecordError` for a task from another scene."""
        path = self.path / "tasks.jsonl"
        tasks = tuple(read_records(path, "task", Instance))
        for task in tasks:
            if task.scene != self.path.name:
                raise RecordError(f"{path}: task {task.id!r} is from another scene, {task.scene!r}")
        return tasks

    @cached_property
    def task(self) -> dict[str, Instance]:
        """Tasks by id."""
        return {task.id: task for task in self.tasks}


def folders(data: Path) -> list[Folder]:
    """Return the scenes of a finished folder of tasks, sorted by name.

    Raises `RecordError` if the folder is not finished, or if a file differs from its digest.
    """
    place = data / MANIFEST
    scenes: Mapping[str, Any] = read_manifest(data, KIND, NOUN, _Manifest)["scenes"]
    found = [Folder(data / "scenes" / name) for name in sorted(records.plain_names(scenes, place))]
    for folder in found:
        for name, wanted in scenes[folder.path.name]["files"].items():
            path = folder.path / records.beneath(name, place)
            if digest(read_bytes(path)) != wanted:
                raise RecordError(
                    f"{path}: differs from its digest in {place}: restore it, or build it again"
                )
    return found


@dataclass(frozen=True)
class _SceneEntry:
    """A scene's entry in a manifest: digests of its files and pictures."""

    files: Mapping[str, str]
    pictures: str | None = None


@dataclass(frozen=True)
class _Manifest:
    scenes: Mapping[str, _SceneEntry]


def check_folder(data: Path) -> None:
    """Check that a finished folder agrees with its manifest. Raises `RecordError` if not."""
    place, scenes = data / MANIFEST, read_manifest(data, KIND, NOUN, _Manifest)["scenes"]
    for folder in folders(data):
        told = scenes[folder.path.name]
        if "pictures" in told and pictures_digest(folder.path) != told["pictures"]:
            raise RecordError(f"{folder.path / 'views'}: differs from {place}: restore it")
        if folder.scene.id != folder.path.name:
            raise RecordError(f"{folder.path}: holds scene {folder.scene.id!r} instead: rebuild")
        for file in (file for view in folder.views for file in view.files.values()):
            records.beneath(file, folder.path / "views.jsonl")
        for task in folder.tasks:
            if task.view not in folder.view:
                raise RecordError(f"{folder.path}: task {task.id!r} lacks its view {task.view!r}")


def pictures_digest(folder: Path) -> str:
    """Return a digest of a scene's pictures."""
    return digest(
        *(f"{p.name} {digest(read_bytes(p))}" for p in sorted(folder.glob("views/*.png")))
    )


def opened(folder: Folder, view: View) -> Picture:
    """Return a view's picture: height x width x 3. Raises `RecordError`."""
    with files.opened(picture(folder, view), folder.path / view.files["rgb"], "") as image:
        return np.asarray(image.convert("RGB"))


def cut(picture: Picture, box: Box) -> Picture:
    """Return the part of a picture within a box."""
    x0, y0, x1, y1 = box
    return picture[y0:y1, x0:x1]


def picture(folder: Folder, view: View) -> bytes:
    """Return a view's picture as the bytes of a PNG. Raises `RecordError`."""
    if "rgb" not in view.files:
        raise RecordError(
            f"{folder.path}: view {view.id} has no colour picture: build with --pictures rgb"
        )
    return read_bytes(folder.path / records.beneath(view.files["rgb"], folder.path / "views.jsonl"))
