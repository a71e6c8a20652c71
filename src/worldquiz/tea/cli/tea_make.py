"""``worldquiz tea generate``: tasks that fit scenes."""

from __future__ import annotations

import resource
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated, Any

import typer

from worldquiz.cli.shell import Jobs, Json, emit, out, progress, resumable, workers
from worldquiz.cli.tables import plain
from worldquiz.errors import KnobError, RecordError, did_you_mean
from worldquiz.scenes import generate as scenes_of
from worldquiz.scenes.config import preset as preset_of
from worldquiz.scenes.episode import KINDS
from worldquiz.scenes.episode import Kind as Pictures
from worldquiz.scenes.meshes import meshes_of
from worldquiz.scenes.save import read_scene
from worldquiz.scenes.scene import Scene
from worldquiz.tea import generate as generation
from worldquiz.tea.interact import Loops

LEAST, MOST = 64, 2048
"""Pixels of a picture's sides."""
DEFAULT = Loops()

Preset = Annotated[str | None, typer.Option(help="tiny, paper or large; paper if not said.")]
Seed = Annotated[int, typer.Option(help="Equal seeds give equal scenes and tasks.")]


def generate(
    seed: Seed,
    out_folder: Annotated[Path, typer.Option("--out", help="Where scenes and tasks go.")],
    preset: Preset = None,
    scenes: Annotated[
        int | None, typer.Option(min=1, help="How many, if not as many as the preset has.")
    ] = None,
    scene: Annotated[
        list[Path] | None,
        typer.Option(metavar="DIR", help="A folder that scene made, instead of a preset; repeat."),
    ] = None,
    loops: Annotated[int, typer.Option(min=1, help="Of interaction.")] = DEFAULT.loops,
    bouts: Annotated[int, typer.Option(min=1, help="Walks of a loop.")] = DEFAULT.bouts,
    looks: Annotated[int, typer.Option(min=1, help="Looks of a walk.")] = DEFAULT.looks,
    epsilon: Annotated[
        float, typer.Option(min=0, max=1, help="Probability of a random walk.")
    ] = DEFAULT.epsilon,
    size: Annotated[str, typer.Option(help="Of pictures, in px: WIDTHxHEIGHT.")] = "640x480",
    pictures: Annotated[
        list[str] | None, typer.Option(help="Kept pictures: rgb, depth, instances.")
    ] = None,
    jobs: Jobs = None,
    json: Json = False,
) -> None:
    """Walk through scenes, make tasks of what is seen; a stopped command goes on where it was."""
    began = time.monotonic()
    flats, meshes = _scenes(preset, seed, scenes, scene or [])
    plan = generation.Plan(
        seed,
        flats,
        Loops(loops, bouts, looks, epsilon),
        _size(size),
        _kinds(pictures if pictures is not None else ["rgb"]),
        meshes,
    )
    with (
        resumable("scenes that are finished are kept: give the same command again to go on"),
        progress("generating", len(flats)) as done,
    ):
        found = generation.generate(plan, out_folder, jobs=workers(jobs), done=done)
    document = {
        **found,
        "seconds": round(time.monotonic() - began, 1),
        "memory_mb": memory(),
        "disk_mb": round(sum(p.stat().st_size for p in out_folder.rglob("*")) / 1e6, 1),
    }
    if json:
        emit(document)
    else:
        _print(document, out_folder)


def memory() -> float:
    """Return the most memory that one process of this command held, in megabytes."""
    users = (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)
    return round(max(resource.getrusage(user).ru_maxrss for user in users) / 1000, 1)


def _scenes(
    preset: str | None, seed: int, count: int | None, folders: Sequence[Path]
) -> tuple[tuple[Scene, ...], dict[str, Path]]:
    """Return the scenes of a preset, or those of folders with where their meshes are."""
    if not folders:
        return tuple(_flats(preset or "paper", seed, count)), {}
    if preset is not None or count is not None:
        raise KnobError("--scene goes without --preset and --scenes: the folders say which scenes")
    found = [read_scene(folder) for folder in folders]
    for scene, folder in zip(found, folders, strict=True):
        twins = [str(path) for other, path in zip(found, folders, strict=True)
                 if other.id == scene.id]  # fmt: skip
        if len(twins) > 1:
            raise KnobError(
                f"--scene: {' and '.join(twins)} hold scenes of one name, {scene.id!r}: give one, "
                "or import the other from a file of another name"
            )
        for name in meshes_of(scene):
            if not (folder / name).is_file():
                raise RecordError(f"{folder}: the mesh {name} is missing: import the scene again")
    return tuple(found), {scene.id: path for scene, path in zip(found, folders, strict=True)}


def _flats(preset: str, seed: int, scenes: int | None) -> list[Scene]:
    with progress("building", scenes or preset_of(preset).scenes) as done:
        flats = scenes_of.suite(preset, seed, scenes)
        done(preset)
    return flats


def _print(document: dict[str, Any], folder: Path) -> None:
    console = out()
    total = document["tasks"]
    rows = [
        (name, f"{count:,}", f"{count / total:.1%}") for name, count in document["by_type"].items()
    ]
    console.print(plain(rows, "type", "tasks", "share"))
    counts = [(name, f"{count:,}") for name, count in document["by_scene"].items()]
    console.print(plain(counts, "scene", "tasks"))
    console.print(
        f"{total:,} tasks of {document['views']:,} views in {document['scenes']} scenes in "
        f"{folder}, {document['seconds']} s, at most {document['memory_mb']} MB a process, "
        f"{document['disk_mb']} MB on disk, digest {document['digest'][:16]}",
        markup=False,
        soft_wrap=True,
    )


def _size(text: str) -> tuple[int, int]:
    parts = text.lower().split("x")
    if len(parts) != 2 or not all(part.isdecimal() for part in parts):
        raise KnobError(f"--size {text!r}: give it as WIDTHxHEIGHT, e.g. 640x480")
    wide, high = int(parts[0]), int(parts[1])
    if not (LEAST <= wide <= MOST and LEAST <= high <= MOST):
        raise KnobError(f"--size {text!r}: sides must be {LEAST} to {MOST} px")
    return wide, high


def _kinds(names: Sequence[str]) -> tuple[Pictures, ...]:
    for name in names:
        if name not in KINDS:
            raise KnobError(f"--pictures {name!r}: no such pictures{did_you_mean(name, KINDS)}")
    return tuple(kind for kind in KINDS if kind in names)
