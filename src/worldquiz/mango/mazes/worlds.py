"""Task2Quiz worlds as mazes: an explorer walks through a world's game, and that walk is recorded.

What the maze must be is known from the world itself (`truth`), so these mazes prove the recorder.
"""

from __future__ import annotations

import asyncio
from pathlib import Path

from worldquiz.facts.fact import EATEN, LEADS
from worldquiz.mango.maze.recorder.record import Recording, read_off
from worldquiz.mango.maze.recorder.trace import PATIENCE, trace
from worldquiz.runs.folder import world_folder
from worldquiz.t2q.agents.explorer import Explorer
from worldquiz.t2q.rollout import rollout
from worldquiz.t2q.suites import Suite
from worldquiz.t2q.world.play import TextWorld
from worldquiz.t2q.world.spec import WorldSpec
from worldquiz.t2q.world.task import Plan, Proof, Task, Verb

STEPS_A_ROOM = 60
"""Commands that the explorer may spend for each room; it stops by itself long before."""
_ANYWHERE = Task(
    id="explore",
    verb=Verb.EAT,
    target="moon",
    goal=(EATEN("moon"),),
    objective="Look around.",
    discloses=(),
    covers=(),
    walkthrough=Plan((), Proof.SHORTEST),
)
"""A task that nothing fulfils: the explorer ignores it anyway."""

Edge = tuple[str, str, str]


def walk(spec: WorldSpec, game: Path) -> tuple[str, ...]:
    """Return commands that lead through all of a world that can be reached."""
    world = TextWorld(spec, game)
    try:
        limit = STEPS_A_ROOM * len(spec.rooms)
        episode = asyncio.run(
            rollout(world, Explorer(), _ANYWHERE, seed=spec.seed, name="explorer", max_steps=limit)
        )
    finally:
        world.close()
    actions = [step.action for step in episode.steps if step.action is not None]
    return tuple(action.removeprefix("go ") for action in actions)


def record_world(spec: WorldSpec, game: Path, *, patience: float = PATIENCE) -> Recording:
    """Record the maze of a world from its compiled game; it is called like the world."""
    return read_off(trace(game, walk(spec, game), patience=patience), name=spec.id)


def record_suite(suite: Suite, world: str, *, patience: float = PATIENCE) -> Recording:
    """Record the maze of a suite's world."""
    game = world_folder(suite.path, world) / "game.z8"
    return record_world(suite.bundle(world).spec, game, patience=patience)


def truth(spec: WorldSpec, commands: tuple[str, ...]) -> tuple[set[Edge], set[Edge]]:
    """Return the moves that a walk takes, and the reverses that it never takes but are there.

    Computed from the world's facts alone. A typed direction that leads nowhere, or to a shut door,
    would make this wrong; `walk` types none such.
    """
    ways = {(room, way): other for room, way, other in LEADS.of(spec.facts)}
    room, taken = spec.start, set()
    for command in commands:
        if (room, command) in ways:
            other = ways[room, command]
            taken.add((room, command, other))
            room = other
    pairs = {(source, target) for source, _, target in taken}
    back = {(room, way, other) for (room, way), other in ways.items() if (other, room) in pairs}
    return taken, back - taken
