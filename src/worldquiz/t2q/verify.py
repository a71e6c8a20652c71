"""Checks of a suite: it agrees with its manifest, and every walkthrough wins in the game."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import Any

from worldquiz.errors import RecordError, WorldError
from worldquiz.runs.executor import Done, silent
from worldquiz.runs.folder import MANIFEST
from worldquiz.t2q.suites import Suite, open_suite
from worldquiz.t2q.world.base import World
from worldquiz.t2q.world.spec import Task, check_spec
from worldquiz.zmachine import checked


def verify(
    suite: Suite, *, engine: str | None = None, jobs: int = 1, done: Done = silent
) -> dict[str, Any]:
    """Replay every walkthrough of a suite, and return what was found as a JSON document.

    Targets are rooms and interactive entities; where the suite leaves out tasks, those that are on
    no task's way stand aside. Raises what `Suite.opened` raises.
    """
    every = suite.each(partial(_world, engine), jobs=jobs, done=done).values()
    counts = {key: sum(each[key] for each in every) for key in ("tasks", "targets", "aside")}
    faults = [each for each in every if each["faults"]]
    return {"worlds": len(every), **counts, "sound": not faults, "faults": faults}


def _world(engine: str | None, path: Path, name: str) -> dict[str, Any]:
    suite = open_suite(path)
    bundle = suite.bundle(name)
    with suite.opened(bundle, engine) as world:
        faults = [fault for task in bundle.tasks for fault in replay(world, task)]
    covered = {name for task in bundle.tasks for name in task.covers}
    bare = [each for each in bundle.spec.kinds if each not in covered]
    left_out = suite.errands(bundle.spec.level) < 1  # tasks, on purpose
    if not left_out:
        faults = [*(f"no task covers {each!r}" for each in bare), *faults]
    return {
        "world": name,
        "tasks": len(bundle.tasks),
        "targets": len(bundle.spec.kinds),
        "faults": faults,
        "aside": len(bare) if left_out else 0,
    }


def replay(world: World, task: Task) -> Iterator[str]:
    """Yield what goes wrong when a walkthrough is played: refused, won too early or never."""
    now = world.reset(task)
    for number, command in enumerate(task.walkthrough.commands, start=1):
        if now.done:
            yield f"task {task.id!r}: won before command {number}, {command!r}"
            return
        now = world.step(command)
        if now.command != command:
            yield f"task {task.id!r}: command {number}, {command!r}, became {now.command!r}"
            return
    if not now.done:
        yield f"task {task.id!r}: its walkthrough does not win"


def check_suite(path: Path) -> None:
    """Read all of a suite. Raises `RecordError` where it is not what its manifest says.

    Games cannot be told by their bytes, which hold a date; each is seen to be a story file. A suite
    whose worlds are opened by code that it names is refused: that code would run.
    """
    suite = open_suite(path)
    for world in suite.worlds:
        bundle, opener, folder = suite.bundle(world), suite.opener(world), suite.folder(world)
        if ":" in opener:
            raise RecordError(
                f"{path / MANIFEST}: world {world!r} is opened by the code {opener!r}, which runs "
                "with the suite: look at that code, and trust its maker"
            )
        game = folder / "game.z8"
        try:
            check_spec(bundle.spec, folder / "spec.jsonl")
            if game.is_file():
                checked(game)
        except WorldError as error:
            raise RecordError(str(error)) from error
        for file, records in (("tasks", bundle.tasks), ("quiz", bundle.questions)):
            if len({each.id for each in records}) < len(records):
                raise RecordError(f"{folder / file}.jsonl: two records have one id: it is damaged")
