"""``worldquiz tea generate`` and ``export``: tasks that fit scenes, also for other tools."""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Annotated, Any

import typer

from worldquiz.cli.shell import (
    Jobs,
    Json,
    On,
    ShardOption,
    tell,
    tell_shard,
    warn,
    workers,
    working,
)
from worldquiz.cli.tables import plain
from worldquiz.errors import KnobError, did_you_mean
from worldquiz.records import write_folder
from worldquiz.report.html import many
from worldquiz.runs.shard import Shard
from worldquiz.runs.system import most_memory
from worldquiz.tea import api
from worldquiz.tea.cli.options import Data, Out, Seed, Tasks
from worldquiz.tea.exam.sample import TASKS, TRIPS
from worldquiz.tea.export import dataset, record
from worldquiz.tea.generate import generate as make
from worldquiz.tea.generate import warnings
from worldquiz.tea.interact import Loops
from worldquiz_scenes.config import preset as preset_of
from worldquiz_scenes.episode import KINDS, Pictures
from worldquiz_scenes.quality import USUAL

LEAST, MOST = 64, 2048
"""Pixels of a picture's sides."""
DEFAULT = Loops()
Quality = Annotated[
    str,
    typer.Option(help="How pictures are drawn: plain, standard or best. No task depends on it."),
]


def generate(
    seed: Annotated[int, typer.Option(help="Random seed for scenes and tasks.")],
    out_folder: Out,
    preset: Annotated[
        str | None, typer.Option(help="Preset of scenes: tiny, paper (default) or large.")
    ] = None,
    scenes: Annotated[
        int | None, typer.Option(min=1, help="Number of scenes, if not the preset's.")
    ] = None,
    scene: Annotated[
        list[Path] | None,
        typer.Option(
            metavar="DIR",
            help="A folder that `tea scene` made, instead of a preset; repeatable.",
        ),
    ] = None,
    loops: Annotated[int, typer.Option(min=1, help="Number of interaction loops.")] = DEFAULT.loops,
    bouts: Annotated[
        int, typer.Option("--trajectories", min=1, help="Number of walks in each loop.")
    ] = DEFAULT.bouts,
    looks: Annotated[
        int, typer.Option(min=1, help="Number of stops on each walk.")
    ] = DEFAULT.looks,
    epsilon: Annotated[
        float, typer.Option(min=0, max=1, help="Probability that a walk is random.")
    ] = DEFAULT.epsilon,
    mirrors: Annotated[
        int,
        typer.Option(
            min=0, help="Number of places from which each mirror is looked into, in each loop."
        ),
    ] = DEFAULT.mirrors,
    size: Annotated[str, typer.Option(help="Picture size in pixels, WIDTHxHEIGHT.")] = "640x480",
    pictures: Annotated[
        list[str] | None,
        typer.Option(help="Pictures to keep: rgb, depth, instances; repeatable."),
    ] = None,
    quality: Quality = USUAL,
    jobs: Jobs = None,
    on: On = None,
    shard: ShardOption = None,
    json: Json = False,
) -> None:
    """Generate tasks from what an agent sees in scenes; a stopped command can be resumed."""
    began = time.monotonic()
    if scene and (preset is not None or scenes is not None):
        raise KnobError("--scene goes without --preset and --scenes: the folders say which scenes")
    total = len(scene) if scene else scenes or preset_of(preset or "paper").scenes
    with working("generating", total, "scenes that are finished are kept", on) as done:
        plan = api.plan_of(
            preset, seed, scene or scenes, Loops(loops, bouts, looks, epsilon, mirrors=mirrors),
            _size(size), _kinds(pictures if pictures is not None else ["rgb"]), quality=quality,
        )  # fmt: skip
        part = Shard.read(shard) if shard is not None else None
        found = make(plan, out_folder, jobs=workers(jobs), done=done, shard=part)
    if shard is not None:
        tell_shard(out_folder, json=json)
        return
    document = {
        **found,
        "warnings": warnings(out_folder),
        "seconds": round(time.monotonic() - began, 1),
        "memory_mb": most_memory(),
        "disk_mb": round(sum(p.stat().st_size for p in out_folder.rglob("*")) / 1e6, 1),
    }
    tell(document, _generated(document, out_folder), json=json)
    if not json:
        warn(*(f"warning: {each}" for each in document["warnings"]))


def draw(
    data: Data,
    out_folder: Out,
    quality: Quality,
    jobs: Jobs = None,
    json: Json = False,
) -> None:
    """Draw the pictures of generated tasks again, in another quality."""
    tasks = api.TaskFolder(data)
    with working("drawing", len(tasks.scenes), "scenes that are finished are kept") as done:
        found = tasks.draw(quality, out=out_folder, jobs=workers(jobs), progress=done).summary
    tell(found, [f"{many(found['views'], 'view')} drawn into {out_folder}"], json=json)


def _generated(document: dict[str, Any], folder: Path) -> Iterator[Any]:
    yield from _summary(document)
    yield (
        f"written to {folder} in {document['seconds']} s: {document['disk_mb']} MB, at most "
        f"{document['memory_mb'] or '?'} MB of memory per process, digest {document['digest'][:16]}"
    )
    yield f"drawn by {'; '.join(document['renderer'])}"


def task_tables(folder: Path) -> Iterator[Any]:
    """Yield how many tasks a folder holds by type and by scene, as tables and a line."""
    return _summary(api.TaskFolder(folder).summary)


def _summary(found: Mapping[str, Any]) -> Iterator[Any]:
    total = found["tasks"]
    rows = [(name, f"{n:,}", f"{n / total:.1%}") for name, n in found["by_type"].items()]
    yield plain(rows, "type", "tasks", "share")
    yield plain([(name, f"{n:,}") for name, n in found["by_scene"].items()], "scene", "tasks")
    yield (
        f"{many(total, 'task')} of {many(found['views'], 'view')} in "
        f"{many(found['scenes'], 'scene')}"
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


def export(
    data: Data,
    out_folder: Out,
    to: Annotated[str, typer.Option(help="parquet or vlmevalkit.")],
    tasks: Tasks = TASKS,
    walks: Annotated[int, typer.Option(min=0, help="Number of walks.")] = TRIPS,
    every: Annotated[
        bool, typer.Option("--all", help="Export all tasks and walks instead of a sample.")
    ] = False,
    seed: Seed = 0,
    jobs: Jobs = None,
    on: On = None,
    json: Json = False,
) -> None:
    """Write tasks for other tools: datasets, VLMEvalKit."""
    began = time.monotonic()
    chosen = dataset.choose(data, record.known(to), tasks, walks, seed, every=every)
    kept = record.there(out_folder, chosen.record)
    if not kept:
        with working("exporting", len(chosen.pieces), on=on) as done:
            fill = partial(dataset.fill, chosen, workers(jobs), done)
            write_folder(out_folder, fill)
    found = record.check(out_folder)
    document = {
        "out": str(out_folder),
        **{name: found[name] for name in ("format", "by_type", "rows", "digest")},
        "scenes": len(chosen.drawn.scenes),
        "files": len(found["files"]),
        "bytes": sum(file["bytes"] for file in found["files"].values()),
        "seconds": round(time.monotonic() - began, 1),
        "memory_mb": most_memory(),
    }
    tell(document, _exported(document, kept=kept), json=json)


def _exported(document: Mapping[str, Any], *, kept: bool) -> Iterator[Any]:
    yield plain([(name, f"{n:,}") for name, n in document["by_type"].items()], "type", "tasks")
    tasks = sum(document["by_type"].values())
    yield (
        f"{many(tasks, 'task')} of {many(document['scenes'], 'scene')} "
        f"{'are in' if kept else 'written to'} {document['out']}: "
        f"{many(document['files'], 'file')}, {document['bytes'] / 1e6:.1f} MB, all "
        f"digests and counts checked, digest {document['digest'][:16]}"
    )
