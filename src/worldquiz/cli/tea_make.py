"""``worldquiz tea scene`` and ``generate``: flats, and tasks that fit them."""

from __future__ import annotations

import resource
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated, Any

import typer

from worldquiz.cli import _tables
from worldquiz.cli._shell import Jobs, Json, emit, out, progress, resumable, workers
from worldquiz.errors import KnobError, did_you_mean
from worldquiz.evals.tea import generate as generation
from worldquiz.evals.tea.interact import Loops
from worldquiz.model.io import digest, read_bytes
from worldquiz.model.scene import Scene
from worldquiz.rng import child_seed
from worldquiz.worlds.scene import generate as scenes_of
from worldquiz.worlds.scene.episode import KINDS
from worldquiz.worlds.scene.episode import Kind as Pictures
from worldquiz.worlds.scene.knobs import preset as preset_of
from worldquiz.worlds.scene.knobs import turned
from worldquiz.worlds.scene.save import SCENE, write_scene

LEAST, MOST = 64, 2048
"""Pixels of a picture's sides."""
DEFAULT = Loops()

Preset = Annotated[str, typer.Option(help="tiny, paper or large.")]
Seed = Annotated[int, typer.Option(help="Equal seeds give equal scenes and tasks.")]


def scene(
    seed: Seed,
    out_folder: Annotated[Path, typer.Option("--out", help="Where the scene goes.")],
    preset: Preset = "paper",
    knob: Annotated[
        list[str] | None,
        typer.Option(metavar="NAME=VALUE", help="Turn a knob of the preset, e.g. rooms=3..4."),
    ] = None,
    json: Json = False,
) -> None:
    """Generate one flat: rooms, doorways, furniture and what lies on it, as a file."""
    knobs = turned(preset_of(preset).knobs, _settings(knob or []))
    made = scenes_of.generate(knobs, child_seed(seed, "scene", 1), f"{preset}-01")
    write_scene(out_folder, made)
    document = {
        "scene": str(out_folder / SCENE),
        "id": made.id,
        "style": made.style,
        "rooms": len(made.rooms),
        "doors": len(made.doors),
        "things": len(made.things),
        "mirrors": len(made.mirrors),
        "digest": digest(read_bytes(out_folder / SCENE)),
    }
    if json:
        emit(document)
    else:
        rows = [(name, str(value)) for name, value in document.items()]
        out().print(_tables.plain(rows, "", made.id))


def generate(
    seed: Seed,
    out_folder: Annotated[Path, typer.Option("--out", help="Where scenes and tasks go.")],
    preset: Preset = "paper",
    scenes: Annotated[
        int | None, typer.Option(min=1, help="How many, if not as many as the preset has.")
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
    flats = tuple(_flats(preset, seed, scenes))
    plan = generation.Plan(
        seed,
        flats,
        Loops(loops, bouts, looks, epsilon),
        _size(size),
        _kinds(pictures if pictures is not None else ["rgb"]),
    )
    with (
        resumable("scenes that are finished are kept: give the same command again to go on"),
        progress("generating", len(flats)) as done,
    ):
        found = generation.generate(plan, out_folder, jobs=workers(jobs), done=done)
    document = {
        **found,
        "seconds": round(time.monotonic() - began, 1),
        "memory_mb": _memory(),
        "disk_mb": round(sum(p.stat().st_size for p in out_folder.rglob("*")) / 1e6, 1),
    }
    if json:
        emit(document)
    else:
        _print(document, out_folder)


def _memory() -> float:
    """Return the most memory that one process of this command held, in megabytes."""
    users = (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)
    return round(max(resource.getrusage(user).ru_maxrss for user in users) / 1000, 1)


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
    console.print(_tables.plain(rows, "type", "tasks", "share"))
    counts = [(name, f"{count:,}") for name, count in document["by_scene"].items()]
    console.print(_tables.plain(counts, "scene", "tasks"))
    console.print(
        f"{total:,} tasks of {document['views']:,} views in {document['scenes']} scenes in "
        f"{folder}, {document['seconds']} s, at most {document['memory_mb']} MB a process, "
        f"{document['disk_mb']} MB on disk, digest {document['digest'][:16]}",
        markup=False,
        soft_wrap=True,
    )


def _settings(knobs: Sequence[str]) -> dict[str, str]:
    found: dict[str, str] = {}
    for text in knobs:
        name, sign, value = text.partition("=")
        if not sign or name in found:
            reason = "given twice" if sign else "give it as NAME=VALUE, e.g. rooms=3..4"
            raise KnobError(f"--knob {text!r}: {reason}")
        found[name] = value
    return found


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
