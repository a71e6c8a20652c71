"""Checks of worlds and suites, for authors of worlds and for our own worlds.

`check_world` plays a task's walkthrough and a few nonsense commands, twice, and raises
`AssertionError` naming the first law that is broken. ``worldquiz t2q check`` does so for each task
of a suite. The laws:

1. `reset` returns to the initial state, whatever was done before, and always shows the same text.
2. Each fact that a transition reveals was true before the command or is true after it.
3. Revealed facts are sorted, without duplicates.
4. A refused command changes and reveals nothing, and the transition's `command` is None.
5. `done` is true and the score is 1 if and only if the task is won in the true state.
6. The walkthrough wins, at its last command and no sooner.
7. Equal commands give equal transitions: a world is deterministic.
8. The state keeps all facts of the spec that cannot change, and its facts name only entities of the
   spec.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import Any

from worldquiz.errors import RecordError, WorldError
from worldquiz.facts.fact import State
from worldquiz.runs.executor import Done, each, silent
from worldquiz.runs.folder import MANIFEST
from worldquiz.t2q.compass import DIRECTIONS
from worldquiz.t2q.suites import Suite
from worldquiz.t2q.world.spec import CHANGING, Task, Transition, World, check_spec

NONSENSE = (
    "", " ", "xyzzy", "go", "go nowhere", "open", "take the moon", "look. look",
    "take everything and leave", "print_state", "restart", "quit", "save", "\u2603", "unlock",
    "a" * 2000,
)  # fmt: skip
"""Commands that must not change any world."""


def check_world(world: World, task: Task, *, nonsense: Sequence[str] = NONSENSE) -> None:
    """Raise `AssertionError` naming the first law that a world breaks."""
    first, second = _played(world, task, nonsense), _played(world, task, nonsense)
    for number, (once, again) in enumerate(zip(first, second, strict=True)):
        _law(once == again, 7, f"transition {number} differs when played again")
    _law(world.reset(task) == first[0], 1, "a reset after play differs from the first reset")


def _played(world: World, task: Task, nonsense: Sequence[str]) -> list[Transition]:
    """Play nonsense after the reset, then the walkthrough, and check each transition."""
    found = [world.reset(task)]
    start = world.state
    initial = world.spec.at(task).initial
    apart = ", ".join(str(fact) for fact in sorted(start ^ initial)[:3])
    _law(start == initial, 1, f"the state at reset differs: {apart}")
    _check(world, task, found[0], start)
    _law(not found[0].done, 6, "the task is won at the start")
    for text in nonsense:
        found.append(_step(world, task, text))
        _law(world.state == start, 4, f"{text!r} changed the state")
    for number, command in enumerate(task.walkthrough.commands, start=1):
        _law(not found[-1].done, 6, f"the task is won before command {number}, {command!r}")
        found.append(_step(world, task, command))
        _law(found[-1].command is not None, 6, f"the walkthrough's {command!r} was refused")
    _law(found[-1].done, 6, "the walkthrough does not win")
    return found


def _step(world: World, task: Task, action: str) -> Transition:
    before = world.state
    transition = world.step(action)
    _check(world, task, transition, before)
    refused = transition.command is None
    _law(not refused or not transition.revealed, 4, f"{action!r} was refused but revealed a fact")
    return transition


def _check(world: World, task: Task, transition: Transition, before: State) -> None:
    """Check the laws that hold for every transition."""
    state, revealed, seen = world.state, transition.revealed, transition.observation
    for fact in revealed:
        _law(fact in state or fact in before, 2, f"{fact} was revealed but is not true")
    _law(list(revealed) == sorted(set(revealed)), 3, "revealed facts are unsorted or duplicate")
    won = task.won(state)
    _law(transition.done == won, 5, f"done is {transition.done}, won is {won}")
    _law(seen.score == int(won), 5, "the score does not match the state")
    _law(seen.objective == task.objective, 5, "the objective is not the task's")
    constant = {fact for fact in world.spec.initial if fact.predicate not in CHANGING}
    _law(constant <= state, 8, f"the state has lost {min(constant - state, default=None)}")
    known = {*world.spec.kinds, *DIRECTIONS}
    for fact in state:
        names = fact.args[:1] if fact.predicate == "kind" else fact.args
        _law(known.issuperset(names), 8, f"{fact} names something that is not in the spec")


def _law(holds: bool, number: int, message: str) -> None:
    if not holds:
        raise AssertionError(f"law {number}: {message}")


def check_worlds(suite: Suite, *, jobs: int = 1, done: Done = silent) -> dict[str, Any]:
    """Check each task of each world against the laws; return the findings as a JSON document.

    Targets are rooms and interactive entities. If the suite leaves out tasks on purpose, targets
    that no task covers are counted as `aside`, not as faults. Raises what `Suite.opened` raises.
    """
    found = {}
    for world, one in each(partial(_checked, suite.path), suite.worlds, jobs=jobs):
        found[world] = one
        done(world)
    every = [found[world] for world in suite.worlds]
    counts = {key: sum(one[key] for one in every) for key in ("tasks", "targets", "aside")}
    faults = [one for one in every if one["faults"]]
    return {"worlds": len(every), **counts, "sound": not faults, "faults": faults}


def _checked(path: Path, name: str) -> dict[str, Any]:
    suite = Suite.load(path)
    bundle = suite.bundle(name)
    covered = {target for task in bundle.tasks for target in task.covers}
    bare = [name for name in bundle.spec.kinds if name not in covered]
    knobs = suite.knobs.get(bundle.spec.level)  # None for a user's own worlds
    left_out = knobs is not None and knobs.errands < 1  # tasks, on purpose
    faults = [] if left_out else [f"no task covers {name!r}" for name in bare]
    with suite.opened(bundle) as world:
        for task in bundle.tasks:
            try:
                check_world(world, task)
            except AssertionError as error:
                faults.append(f"task {task.id!r}: {error}")
    return {
        "world": name,
        "tasks": len(bundle.tasks),
        "targets": len(bundle.spec.kinds),
        "faults": faults,
        "aside": len(bare) if left_out else 0,
    }


def check_suite(path: Path) -> None:
    """Read a whole suite. Raises `RecordError` if it differs from its manifest.

    A suite whose worlds are opened by a user's code is refused, since that code would run.
    """
    suite = Suite.load(path)
    for world in suite.worlds:
        bundle, opener, folder = suite.bundle(world), suite.opener(world), suite.folder(world)
        if ":" in opener:
            raise RecordError(
                f"{path / MANIFEST}: world {world!r} is opened by the code {opener!r}, which is "
                "not part of worldquiz: use the suite only if you trust the author of that code"
            )
        try:
            check_spec(bundle.spec, folder / "spec.jsonl")
        except WorldError as error:
            raise RecordError(str(error)) from error
        for file, records in (("tasks", bundle.tasks), ("quiz", bundle.questions)):
            if len({record.id for record in records}) < len(records):
                raise RecordError(f"{folder / file}.jsonl: two records have the same id")
