"""Build a suite from its plan, world by world; what was finished before is kept."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

from worldquiz.errors import KnobError
from worldquiz.records import write_bytes, write_json
from worldquiz.runs.executor import Done, each, silent
from worldquiz.runs.folder import MANIFEST, begin, claimed, unfinished, world_folder, write_folder
from worldquiz.t2q import pipeline as t2q
from worldquiz.t2q.store import Bundle, read_bundle, write_bundle
from worldquiz.t2q.suites import (
    CONTENT,
    WORLD,
    Plan,
    Suite,
    described,
    open_suite,
    suite_digest,
    versions,
)
from worldquiz.t2q.world.inform import compiled, require, source, task_game
from worldquiz.t2q.world.spec import WorldSpec


@dataclass(frozen=True, slots=True)
class Made:
    """One world, ready to be written."""

    bundle: Bundle
    files: Mapping[str, bytes]  # beside the bundle: the game, and per-task games

    def write(self, folder: Path) -> None:
        """Fill a world's folder."""
        write_bundle(folder, self.bundle)
        for name, data in self.files.items():
            write_bytes(folder / name, data)


def build(plan: Plan, out: Path, *, jobs: int = 1, done: Done = silent) -> Suite:
    """Build a suite, or finish one that was begun by the same plan, and return it.

    Equal plans give equal bytes, compiled games aside, whatever `jobs` is. Raises `RecordError`
    where `out` holds anything else, `KnobError` where some world cannot meet the knobs,
    `MissingExtra` without the compiler.
    """
    specs = worlds(plan)
    if plan.compiled:
        require()
    with claimed(out):
        begin(out, "plan.json", plan.record())
        if not (out / MANIFEST).is_file():
            left = unfinished(out, list(specs), done)
            todo = [specs[world] for world in left]
            for spec, made in each(partial(make, plan), todo, jobs=jobs):
                write_folder(world_folder(out, spec.id), made.write)
                done(spec.id)
            write_json(out / MANIFEST, _manifest(plan, out))
        return open_suite(out)


def worlds(plan: Plan) -> dict[str, WorldSpec]:
    """Return the worlds of a plan by id. Raises `KnobError` naming the world that cannot be."""
    knobs, specs = plan.knobs(), {}
    for level, seed, id in plan.slots:
        try:
            specs[id] = t2q.environment(knobs[level], seed, id=id, level=level)
        except KnobError as error:
            raise KnobError(f"world {id!r}: {error}") from error
    return specs


def make(plan: Plan, spec: WorldSpec) -> Made:
    """Make all that a plan wants of one world."""
    bundle = t2q.bundle(spec)
    text, _ = source(spec)
    files = {"game.ni": text.encode()}
    if plan.compiled:
        files["game.z8"] = compiled(text, f"world {spec.id!r}")
    if plan.per_task_games:
        for task in bundle.tasks:
            game = task_game(spec, task)
            files[f"games/{task.id}.ni"] = game.inform.encode()
            files[f"games/{task.id}.z8"] = game.z8
            files[f"games/{task.id}.json"] = game.json.encode()
    return Made(bundle, files)


def _manifest(plan: Plan, out: Path) -> dict[str, Any]:
    """Return the manifest of what stands on disk."""
    entries = [_entry(world_folder(out, slot.id), plan) for slot in plan.slots]
    return {
        "kind": "suite",
        "world": WORLD,
        "plan": plan.record(),
        "versions": versions(),
        "digest": suite_digest(entries),
        "worlds": entries,
    }


def _entry(folder: Path, plan: Plan) -> dict[str, Any]:
    """Return what the manifest says of one world."""
    names = [*CONTENT]
    if plan.per_task_games:
        names += [f"games/{task.id}.ni" for task in read_bundle(folder).tasks]
    return described(folder, names)
