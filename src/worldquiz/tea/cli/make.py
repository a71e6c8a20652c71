"""``worldquiz tea build``, ``draw`` and ``export``: tasks that fit scenes, and as a dataset."""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from worldquiz.cli.options import JOBS, JSON, ON, PATH, SHARD, command, option, out
from worldquiz.cli.runs import tell_shard
from worldquiz.cli.shell import tell, warn, workers, working
from worldquiz.errors import KnobError, did_you_mean
from worldquiz.tea.cli.look import MADE
from worldquiz.tea.cli.run import SEED, TASK_COUNT, WALK_COUNT

if TYPE_CHECKING:
    from worldquiz_scenes.episode import Pictures

LEAST, MOST = 64, 2048
"""Pixels of a picture's sides."""
OUT = out("The folder to write.")
COUNT = click.IntRange(1)
QUALITY = "How pictures are drawn: plain, standard or best. No task depends on it."


@command
@OUT
@option("--seed", type=int, required=True, help="Random seed for scenes and tasks.")
@option("--preset", help="Preset of scenes: tiny, paper (default) or large.")
@option("--scenes", type=COUNT, help="Number of scenes, if not the preset's.")
@option(
    "--scene",
    type=PATH,
    metavar="DIR",
    multiple=True,
    help="A folder that `tea scene` made, instead of a preset; repeatable.",
)
@option("--loops", type=COUNT, default=2, help="Number of interaction loops.")
@option("--trajectories", type=COUNT, default=12, help="Number of walks in each loop.")
@option("--looks", type=COUNT, default=8, help="Number of stops on each walk.")
@option(
    "--epsilon",
    type=click.FloatRange(0, 1),
    default=0.2,
    help="Probability that a walk is random.",
)
@option(
    "--mirrors",
    type=click.IntRange(0),
    default=12,
    help="Number of places from which each mirror is looked into, in each loop.",
)
@option("--size", default="640x480", help="Picture size in pixels, WIDTHxHEIGHT.")
@option(
    "--pictures",
    multiple=True,
    default=("rgb",),
    help="Pictures to keep: rgb, depth, instances; repeatable.",
)
@option("--quality", default="best", help=QUALITY)
@JOBS
@ON
@SHARD
@JSON
def build(
    out: Path,
    seed: int,
    preset: str | None,
    scenes: int | None,
    scene: Sequence[Path],
    loops: int,
    trajectories: int,
    looks: int,
    epsilon: float,
    mirrors: int,
    size: str,
    pictures: Sequence[str],
    quality: str,
    jobs: int | None,
    on: str | None,
    shard: str | None,
    json: bool,
) -> None:
    """Generate tasks from what an agent sees in scenes; a stopped command can be resumed."""
    from worldquiz.runs.shard import Shard
    from worldquiz.runs.system import most_memory
    from worldquiz.tea.api import plan_of
    from worldquiz.tea.generate import generate, warnings
    from worldquiz.tea.interact import Loops
    from worldquiz_scenes.config import preset as preset_of

    began = time.monotonic()
    if scene and (preset is not None or scenes is not None):
        raise KnobError("--scene goes without --preset and --scenes: the folders say which scenes")
    total = len(scene) if scene else scenes or preset_of(preset or "paper").scenes
    with working("building", total, "scenes that are finished are kept", on) as done:
        walks = Loops(loops, trajectories, looks, epsilon, mirrors=mirrors)
        plan = plan_of(
            preset, seed, scene or scenes, walks, _size(size), _kinds(pictures), quality=quality
        )
        part = Shard.read(shard) if shard is not None else None
        found = generate(plan, out, jobs=workers(jobs), done=done, shard=part)
    if shard is not None:
        tell_shard(out, json=json)
        return
    document = {
        **found,
        "warnings": warnings(out),
        "seconds": round(time.monotonic() - began, 1),
        "memory_mb": most_memory(),
        "disk_mb": round(sum(p.stat().st_size for p in out.rglob("*")) / 1e6, 1),
    }
    tell(document, _built(document, out), json=json)
    if not json:
        warn(*(f"warning: {each}" for each in document["warnings"]))


def _built(document: dict[str, Any], folder: Path) -> Iterator[Any]:
    from worldquiz.tea.cli.tables import summary_tables

    yield from summary_tables(document)
    yield (
        f"written to {folder} in {document['seconds']} s: {document['disk_mb']} MB, at most "
        f"{document['memory_mb'] or '?'} MB of memory per process, digest {document['digest'][:16]}"
    )
    yield f"drawn by {'; '.join(document['renderer'])}"


def _size(text: str) -> tuple[int, int]:
    parts = text.lower().split("x")
    if len(parts) != 2 or not all(part.isdecimal() for part in parts):
        raise KnobError(f"--size {text!r}: give it as WIDTHxHEIGHT, e.g. 640x480")
    wide, high = int(parts[0]), int(parts[1])
    if not (LEAST <= wide <= MOST and LEAST <= high <= MOST):
        raise KnobError(f"--size {text!r}: sides must be {LEAST} to {MOST} px")
    return wide, high


def _kinds(names: Sequence[str]) -> tuple[Pictures, ...]:
    from worldquiz_scenes.episode import KINDS

    for name in names:
        if name not in KINDS:
            raise KnobError(f"--pictures {name!r}: no such pictures{did_you_mean(name, KINDS)}")
    return tuple(kind for kind in KINDS if kind in names)


@command
@MADE
@OUT
@TASK_COUNT
@WALK_COUNT
@option("--all", "every", is_flag=True, help="Export all tasks and walks instead of a sample.")
@SEED
@JSON
def export(
    data: Path, out: Path, tasks: int, walks: int, every: bool, seed: int, json: bool
) -> None:
    """Write tasks with their pictures as a dataset: Parquet files that `datasets` reads."""
    from worldquiz.report.html import many
    from worldquiz.report.terminal import plain
    from worldquiz.tea.data import folders
    from worldquiz.tea.export import export as exported

    with working("exporting", len(folders(data))) as done:
        found = exported(data, out, tasks=tasks, walks=walks, seed=seed, every=every, done=done)
    rows = [(name, f"{count:,}") for name, count in found["by_type"].items()]
    line = f"{many(found['rows'], 'task')} in {out}: {many(len(found['files']), 'file')}"
    tell(found, [plain(rows, "type", "tasks"), line], json=json)
