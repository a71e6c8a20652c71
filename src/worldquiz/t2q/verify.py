"""Proof that a suite can be solved: every walkthrough, played in the game, wins at its end."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict, dataclass
from functools import partial
from pathlib import Path
from typing import Any

from worldquiz.runs.executor import Done, silent
from worldquiz.t2q.store import Bundle
from worldquiz.t2q.suites import Suite, open_suite
from worldquiz.t2q.world.base import World
from worldquiz.t2q.world.task import Task


@dataclass(frozen=True, slots=True)
class Verdict:
    """Faults found in one world; without any it is sound."""

    world: str
    tasks: int
    targets: int  # rooms and interactive entities
    faults: tuple[str, ...]
    aside: int = 0  # targets on no task's way, where the suite leaves out tasks


def verify(
    suite: Suite, *, engine: str | None = None, jobs: int = 1, done: Done = silent
) -> tuple[Verdict, ...]:
    """Replay every walkthrough of a suite. Raises what `Suite.opened` raises."""
    return tuple(suite.each(partial(_verdict, engine), jobs=jobs, done=done).values())


def record(verdicts: tuple[Verdict, ...]) -> dict[str, Any]:
    """Return the verdicts as a JSON document."""
    return {
        "worlds": len(verdicts),
        "tasks": sum(verdict.tasks for verdict in verdicts),
        "targets": sum(verdict.targets for verdict in verdicts),
        "aside": sum(verdict.aside for verdict in verdicts),
        "sound": not any(verdict.faults for verdict in verdicts),
        "faults": [asdict(verdict) for verdict in verdicts if verdict.faults],
    }


def _verdict(engine: str | None, path: Path, name: str) -> Verdict:
    suite = open_suite(path)
    bundle = suite.bundle(name)
    with suite.opened(bundle, engine) as world:
        lost = [fault for task in bundle.tasks for fault in replay(world, task)]
    bare, aside = tuple(uncovered(bundle)), 0
    if suite.errands(bundle.spec.level) < 1:  # tasks are left out on purpose
        bare, aside = (), len(bare)
    return Verdict(name, len(bundle.tasks), len(bundle.spec.kinds), (*bare, *lost), aside)


def uncovered(bundle: Bundle) -> Iterator[str]:
    """Yield a fault for each room or entity that no task covers."""
    covered = {name for task in bundle.tasks for name in task.covers}
    yield from (f"no task covers {name!r}" for name in bundle.spec.kinds if name not in covered)


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
