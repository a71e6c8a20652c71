"""``worldquiz tea scene``, ``build``, ``write`` and ``export``: apartments, tasks, a dataset."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import click

from worldquiz.cli.options import JOBS, JSON, ON, PATH, SHARD, command, option, out, pairs, settings
from worldquiz.cli.shell import tell, tell_shard, waiting, warn, workers, working
from worldquiz.errors import KnobError
from worldquiz.tea.cli.run import MADE, SEED, TASK_COUNT, WALK_COUNT
from worldquiz.tea.settings import TeaWritingSettings

LEAST, MOST = 64, 2048
"""Pixels of a picture's sides."""
OUT = out("The folder to write.")
COUNT = click.IntRange(1)
LISTS = ("notes", "labels", "warnings")
"""What the table of a scene leaves out."""


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
@option("--unit", default="m", help="Unit of length of an imported file: m, cm, mm, in.")
@option("--up", help="Axis that points up in an imported glTF file: y (default) or z.")
@option("--add-floor", is_flag=True, help="Add a floor to a scene that has none.")
@option("--glb", is_flag=True, help="Also write scene.glb, which 3D programs open.")
@JSON
def scene(
    out: Path,
    seed: int | None,
    preset: str | None,
    file: Path | None,
    parameters: Sequence[str],
    unit: str,
    up: str | None,
    add_floor: bool,
    glb: bool,
    json: bool,
) -> None:
    """Generate one apartment, or import a scene from a file of another program."""
    from worldquiz.page.terminal import plain
    from worldquiz.records import digest, read_bytes, write_bytes
    from worldquiz.rng import child_seed
    from worldquiz_scenes import config, generate, importing
    from worldquiz_scenes.importing.doubts import doubts
    from worldquiz_scenes.importing.label_file import LABELS
    from worldquiz_scenes.save import SCENE, write_scene

    if file is not None:
        if preset is not None or parameters:
            raise KnobError(
                f"--import {file}: goes without --preset and --set: the file says what is in the "
                "scene"
            )
        with waiting(f"importing {file.name}"):
            labels = importing.read_labels(out)
            found = importing.read(file, unit=unit, up=up, add_floor=add_floor, labels=labels)
            importing.save(out, found)
    else:
        if seed is None:
            raise KnobError("--seed is missing: a generated scene needs one, e.g. --seed 7")
        name = preset or "paper"
        with waiting("generating"):
            changes = pairs(parameters, "--set", "rooms=3..4")
            wanted = config.turned(config.preset(name).knobs, changes)
            made = generate.generate(wanted, child_seed(seed, "scene", 1), f"{name}-01")
            found = importing.Imported(made, {}, (), "")
            write_scene(out, made)
    made = found.scene
    if glb:
        from worldquiz.tea.export import glb as drawn

        write_bytes(out / "scene.glb", drawn(made, out))
    document: dict[str, Any] = {
        "scene": str(out / SCENE),
        "id": made.id,
        "style": made.style,
        "rooms": len({room.whole for room in made.rooms}),
        "doors": sum(
            len({made.room[name].whole for name in door.rooms}) > 1 for door in made.doors
        ),
        "things": len(made.things),
        "mirrors": len(made.mirrors),
        "meshes": len(found.forms),
        "notes": list(dict.fromkeys(found.notes)),
        "labels": {term: told.label for term, told in sorted(found.terms.items())},
        "warnings": list(doubts(made)),
        "digest": digest(read_bytes(out / SCENE), *sorted(found.forms)),
    }
    rows = [(name, str(value)) for name, value in document.items() if name not in LISTS]
    tell(document, [plain(rows, "", made.id)], json=json)
    if not json:
        warn(*document["notes"], *(f"warning: {each}" for each in document["warnings"]))
        if found.terms:
            warn(f"{out / LABELS} says what each thing is called: look it through")


@command
@OUT
@option("--seed", type=int, required=True, help="Random seed for scenes and tasks.")
@option("--preset", help="Preset of scenes: tiny, paper (default) or large.")
@option("--scenes", type=COUNT, help="Number of scenes, if not the preset's.")
@option(
    "--scene", type=PATH, metavar="DIR", multiple=True,
    help="A folder that `tea scene` made, instead of a preset; repeatable.",
)  # fmt: skip
@option("--loops", type=COUNT, default=2, help="Number of interaction loops.")
@option("--trajectories", type=COUNT, default=12, help="Number of walks in each loop.")
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
@option("--quality", default="best", help="How pictures are drawn: plain, standard or best.")
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
    from worldquiz.tea.cli.tables import summary_tables
    from worldquiz.tea.generate import generate, plan_of
    from worldquiz.tea.interact import Loops
    from worldquiz_scenes.config import preset as preset_of
    from worldquiz_scenes.episode import KINDS

    if scene and (preset is not None or scenes is not None):
        raise KnobError("--scene goes without --preset and --scenes: the folders say which scenes")
    total = len(scene) if scene else scenes or preset_of(preset or "paper").scenes
    with working("building", total, "scenes that are finished are kept", on) as done:
        walks = Loops(loops, trajectories, looks, epsilon, mirrors=mirrors)
        kept = [kind for kind in KINDS if kind in pictures]
        plan = plan_of(preset, seed, scene or scenes, walks, _size(size), kept, (), quality)
        found = generate(plan, out, jobs=workers(jobs), done=done, shard=shard)
    if shard is not None:
        tell_shard(out, json=json)
        return
    drawn = f"written to {out}, drawn by {'; '.join(found['renderer'])}"
    tell(found, [*summary_tables(found), drawn], json=json)


def _size(text: str) -> tuple[int, int]:
    parts = text.lower().split("x")
    if len(parts) != 2 or not all(part.isdecimal() for part in parts):
        raise KnobError(f"--size {text!r}: give it as WIDTHxHEIGHT, e.g. 640x480")
    wide, high = int(parts[0]), int(parts[1])
    if not (LEAST <= wide <= MOST and LEAST <= high <= MOST):
        raise KnobError(f"--size {text!r}: sides must be {LEAST} to {MOST} px")
    return wide, high


@command
@MADE
@OUT
@option("--templates", is_flag=True, help="Write rule-based commands instead of asking a model.")
@settings(TeaWritingSettings)
@JSON
def write(data: Path, out: Path, templates: bool, settings: TeaWritingSettings, json: bool) -> None:
    """Have a model write tasks in scenes, with TEA's loop and without; can be resumed."""
    from worldquiz.tea.cli.tables import table
    from worldquiz.tea.data import folders
    from worldquiz.tea.written.write import write as written

    if (settings.model is not None) == templates:
        raise KnobError("give one of --model and --templates: it writes the tasks")
    total = len(folders(data)) * settings.requests
    with working("writing", total, "what was written is kept") as done:
        found = written(data, settings, out, done=done)
    parts = [(scene, part, one) for scene, told in found["scenes"].items()
             for part, one in told["parts"].items()]  # fmt: skip
    dropped = sum((Counter(one["dropped"]) for _, _, one in parts), Counter[str]())
    counts = [
        {"scene": scene, "part": part,
         **{name: one[name] for name in ("tasks", "requests", "repeated")},
         "dropped": sum(one["dropped"].values())}
        for scene, part, one in parts
    ]  # fmt: skip
    reasons = [f"dropped, {reason}: {count}" for reason, count in sorted(dropped.items())]
    tell(found, [table(counts), *reasons, f"written by {found['writer']}, in {out}"], json=json)


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
    from worldquiz.page.html import many
    from worldquiz.page.terminal import plain
    from worldquiz.tea.data import folders
    from worldquiz.tea.export import export as exported

    with working("exporting", len(folders(data))) as done:
        found = exported(data, out, tasks=tasks, walks=walks, seed=seed, every=every, done=done)
    rows = [(name, f"{count:,}") for name, count in found["by_type"].items()]
    line = f"{many(found['rows'], 'task')} in {out}: {many(len(found['files']), 'file')}"
    tell(found, [plain(rows, "type", "tasks"), line], json=json)
