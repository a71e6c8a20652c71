"""``worldquiz tea scene``, ``build``, ``write`` and ``export``: apartments, tasks, a dataset."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from worldquiz.cli.options import (
    BUILD_SEED,
    JOBS,
    JSON,
    ON,
    PATH,
    SHARD,
    command,
    option,
    out,
    pairs,
    seed_of,
    settings,
)
from worldquiz.cli.shell import tell, tell_shard, warn, workers, working
from worldquiz.errors import KnobError
from worldquiz.tea.cli.run import MADE, SEED, TASK_COUNT, WALK_COUNT
from worldquiz.tea.settings import TeaSettings, TeaWritingSettings

if TYPE_CHECKING:
    from worldquiz_scenes.scene import Scene

LEAST, MOST = 64, 2048
"""Least and greatest side of a picture, in pixels."""
OUT = out("The folder to write.")
COUNT = click.IntRange(1)


@command
@OUT
@option("--seed", type=int, help="Random seed; a generated scene needs one.")
@option("--preset", help="Preset of the scene: tiny, paper (default) or large.")
@option(
    "--import", "file", type=PATH, metavar="FILE",
    help="A scene to import: .glb or .sh3d.",
)  # fmt: skip
@option(
    "--set", "parameters", metavar="NAME=VALUE", multiple=True,
    help="Change a parameter of the preset, e.g. rooms=3..4.",
)  # fmt: skip
@option("--id", help="Name of an imported scene. Default: the file's.")
@option("--unit", default="m", help="Unit of length of an imported file: m, cm, mm, in.")
@option("--up", help="Axis that points up in an imported glTF file: y (default) or z.")
@option("--glb", is_flag=True, help="Also write scene.glb for 3D programs.")
@JSON
def scene(
    out: Path,
    seed: int | None,
    preset: str | None,
    file: Path | None,
    parameters: Sequence[str],
    id: str | None,
    unit: str,
    up: str | None,
    glb: bool,
    json: bool,
) -> None:
    """Generate one apartment, or import a scene from another program's file."""
    from worldquiz.page.terminal import table
    from worldquiz.records import digest, read_bytes, write_bytes
    from worldquiz_scenes import importing
    from worldquiz_scenes.save import SCENE

    found: importing.Imported | None = None
    if file is None:
        made = _generated(out, seed, preset or "paper", parameters)
    elif preset is not None or parameters:
        raise KnobError(f"--import {file} defines the whole scene: leave out --preset and --set")
    else:
        found = importing.read(file, unit=unit, up=up, id=id)
        importing.save(out, found)
        made = found.scene
    if glb:
        from worldquiz.tea.export import glb as drawn

        write_bytes(out / "scene.glb", drawn(made, out))
    forms = sorted(found.forms) if found else []
    counts = {
        "scene": str(out / SCENE),
        **_counts(made),
        "meshes": len(forms),
        "digest": digest(read_bytes(out / SCENE), *forms),
    }
    labels = dict(sorted(found.labels.items())) if found else {}
    notes, warnings = (list(found.notes), list(found.warnings)) if found else ([], [])
    shown = [table([(name, str(value)) for name, value in counts.items()], "", made.id)]
    if labels:
        named = ((name, label or "not known") for name, label in labels.items())
        shown.append(table(named, "name in the file", "label in tasks"))
    tell({**counts, "notes": notes, "labels": labels, "warnings": warnings}, shown, json=json)
    if not json:
        warn(*notes, *(f"warning: {each}" for each in warnings))


def _counts(made: Scene) -> dict[str, Any]:
    """Return counts of a scene's contents; a room that consists of several parts counts once."""
    doors = (len({made.room[name].whole for name in door.rooms}) for door in made.doors)
    return {
        "id": made.id,
        "style": made.style,
        "rooms": len({room.whole for room in made.rooms}),
        "doors": sum(count > 1 for count in doors),
        "things": len(made.things),
        "mirrors": len(made.mirrors),
    }


def _generated(out: Path, seed: int | None, preset: str, parameters: Sequence[str]) -> Scene:
    from worldquiz.rng import child_seed
    from worldquiz_scenes import config, generate
    from worldquiz_scenes.save import write_scene

    if seed is None:
        raise KnobError("--seed is missing: generated scenes need a seed, e.g. --seed 7")
    changes = pairs(parameters, "--set", "rooms=3..4")
    wanted = config.turned(config.preset(preset).knobs, changes)
    made = generate.generate(wanted, child_seed(seed, "scene", 1), f"{preset}-01")
    write_scene(out, made)
    return made


@command
@OUT
@BUILD_SEED
@option("--preset", help="Preset of scenes: tiny, paper (default) or large.")
@option("--scenes", type=COUNT, help="Number of scenes. Default: the preset's.")
@option(
    "--scene", type=PATH, metavar="DIR", multiple=True,
    help="A folder that `tea scene` made, instead of a preset; repeatable.",
)  # fmt: skip
@option("--loops", type=COUNT, default=2, help="Number of interaction loops.")
@option("--trajectories", "bouts", type=COUNT, default=12, help="Number of walks in each loop.")
@option("--looks", type=COUNT, default=8, help="Number of stops on each walk.")
@option(
    "--epsilon", type=click.FloatRange(0, 1), default=0.2,
    help="Probability that a walk is random.",
)  # fmt: skip
@option(
    "--mirrors", type=click.IntRange(0), default=12,
    help="Number of places from which each mirror is looked into, in each loop.",
)  # fmt: skip
@option("--size", default="640x480", help="Picture size in pixels, WIDTHxHEIGHT.")
@option(
    "--pictures", multiple=True, default=("rgb",), type=click.Choice(("rgb", "depth", "instances")),
    help="Pictures to keep; repeatable.",
)  # fmt: skip
@JOBS
@ON
@SHARD
@JSON
def build(
    out: Path,
    seed: int | None,
    preset: str | None,
    scenes: int | None,
    scene: Sequence[Path],
    size: str,
    pictures: Sequence[str],
    jobs: int | None,
    on: str | None,
    shard: str | None,
    json: bool,
    **walks: Any,
) -> None:
    """Generate tasks from an agent's views of scenes; a stopped command can be resumed."""
    from worldquiz.tea.cli.tables import task_tables
    from worldquiz.tea.generate import generate, plan_of
    from worldquiz.tea.interact import Loops
    from worldquiz_scenes.config import preset as preset_of
    from worldquiz_scenes.episode import KINDS

    if scene and (preset is not None or scenes is not None):
        raise KnobError("--scene takes finished scenes: leave out --preset and --scenes")
    total = len(scene) if scene else scenes or preset_of(preset or "paper").scenes
    side = [int(each) if each.isdecimal() else 0 for each in size.lower().split("x")]
    if len(side) != 2:
        raise KnobError(f"--size {size!r}: expected WIDTHxHEIGHT, e.g. 640x480")
    if not all(LEAST <= each <= MOST for each in side):
        raise KnobError(f"--size {size!r}: sides must be {LEAST} to {MOST} px")
    with working("building", total, "scenes that are finished are kept", on, jobs) as done:
        kept = [kind for kind in KINDS if kind in pictures]
        seed = seed_of(seed, out, shard)
        plan = plan_of(preset, seed, scene or scenes, Loops(**walks), (side[0], side[1]), kept)
        found = generate(plan, out, jobs=workers(jobs), done=done, shard=shard)
    if shard is not None:
        tell_shard(out, json=json)
        return
    drawn = f"written to {out}, drawn by {'; '.join(found['renderer'])}"
    tell(found, [*task_tables(out), drawn], json=json)


@command
@MADE
@OUT
@settings(TeaWritingSettings)
@JSON
def write(data: Path, out: Path, settings: TeaWritingSettings, json: bool) -> None:
    """Have a model write tasks in scenes, with and without TEA's loop; can be resumed."""
    from worldquiz.page.html import many
    from worldquiz.tea.data import folders
    from worldquiz.tea.written.write import requests_of
    from worldquiz.tea.written.write import write as written

    total = len(folders(data)) * requests_of(settings.tasks)
    with working("writing", total, "what was written is kept") as done:
        found = written(data, settings, out, done=done)
    parts = [one for told in found["scenes"].values() for one in told["parts"].values()]
    dropped = sum((Counter(one["dropped"]) for one in parts), Counter[str]())
    tasks = sum(one["tasks"] for one in parts)
    reasons = [f"dropped, {reason}: {count}" for reason, count in sorted(dropped.items())]
    line = f"{many(tasks, 'task')} in {out}, written by {found['writer']}"
    tell(found, [line, *reasons], json=json)


@command
@MADE
@OUT
@TASK_COUNT
@WALK_COUNT
@option("--all", "every", is_flag=True, help="Export all tasks and walks instead of a sample.")
@option(
    "--chats", is_flag=True,
    help="Also write messages.jsonl for trainers, VLMEvalKit's table, and pictures as files.",
)  # fmt: skip
@SEED
@JSON
def export(
    data: Path, out: Path, tasks: int, walks: int, every: bool, chats: bool, seed: int, json: bool
) -> None:
    """Write tasks with their pictures as a dataset: Parquet files that `datasets` reads."""
    from worldquiz.page.html import many
    from worldquiz.page.terminal import table
    from worldquiz.tea.data import folders
    from worldquiz.tea.export import export as exported

    asked = None if every else TeaSettings(tasks=tasks, walks=walks, seed=seed)
    with working("exporting", len(folders(data))) as done:
        found = exported(data, out, asked, chats=chats, done=done)
    rows = [(name, f"{count:,}") for name, count in found["by_type"].items()]
    line = f"{many(found['rows'], 'task')} in {out}: {many(len(found['files']), 'file')}"
    tell(found, [table(rows, "type", "tasks"), line], json=json)
