"""Readable playthroughs with the facts that each observation reveals.

Read one to see what a change of text, rules or `reveal` does to a game. Where a change is meant,
write them anew and read the difference: ``WORLDQUIZ_GOLDEN=write pytest tests/golden``.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest

from conftest import SpecOf
from games import UNWON, play
from worldquiz.facts.episode import Observation, Step
from worldquiz.t2q import Game, Room, Task, World, WorldSpec
from worldquiz.t2q.agents import catalog
from worldquiz.t2q.agents.base import Agent, Brief
from worldquiz.t2q.tasks.targets import tasks as tasks_of
from worldquiz.t2q.world.config import PRESETS, Budget
from worldquiz.t2q.world.predicates import (
    AT,
    DOOR_AT,
    IN,
    KIND,
    LEADS,
    LOCKED,
    MATCH,
    ON,
    PLAYER_AT,
    SHUT,
    UNLOCKED,
)

FOLDER = Path(__file__).parent
PLAYS = {
    "easy-walkthrough": ("easy", 1, "walkthrough", 4),
    "medium-explorer": ("medium", 1, "explorer", 1),
    "hard-random": ("hard", 1, "random", 1),
    "explore-explorer": ("explore", 1, "explorer", 1),
}
COMMANDS = """look
i
take the brass key
unlock gate with brass key
lock gate using brass key
open box
unlock box with brass
go north
open gate
enter gate
take tin key
s
Close the gate.
unlock the red box with my tin key
open box
take apple
take apple and hat
eat hat
grab blue hat
put hat in box
x box
eat green apple
drop tin key
shut box
lock box with tin key
pick up tin key
lock box with tin key
open red box
go west
print_state
look
inventory"""
FACTS = (
    KIND("attic", "room"), KIND("study", "room"), KIND("old gate", "door"),
    KIND("red box", "container"), KIND("oak shelf", "supporter"), KIND("tin key", "key"),
    KIND("brass key", "key"), KIND("green apple", "food"), KIND("blue hat", "object"),
    PLAYER_AT("attic"), LEADS("attic", "north", "study"), LEADS("study", "south", "attic"),
    DOOR_AT("old gate", "attic", "north"), DOOR_AT("old gate", "study", "south"),
    SHUT("old gate"), UNLOCKED("old gate"), SHUT("red box"), LOCKED("red box"),
    MATCH("tin key", "red box"), AT("red box", "attic"), AT("brass key", "attic"),
    AT("blue hat", "attic"), AT("oak shelf", "study"), ON("tin key", "oak shelf"),
    IN("green apple", "red box"),
)  # fmt: skip
TOY = WorldSpec(
    id="toy",
    level="toy",
    seed=1,
    start="attic",
    rooms=(Room("attic", 0, 0), Room("study", 0, 1)),
    facts=tuple(sorted(FACTS)),
    places_told=True,
)


class Script:
    """Gives `COMMANDS`, whatever happens."""

    def __init__(self) -> None:
        self._left = COMMANDS.splitlines()

    async def begin(self, observation: Observation) -> None:
        pass

    async def act(self, observation: Observation) -> str | None:
        return self._left.pop(0) if self._left else None

    async def end(self, observation: Observation) -> None:
        pass


def rendered(world: World, agent: Agent, tasks: Sequence[Task], name: str) -> str:
    """Return episodes as text: what was said, what was seen, what it revealed and changed."""
    lines = [f"world {world.spec.id}, player {name}", "", "Chosen:"]
    lines += [f"    {fact}" for fact in world.spec.facts]
    for episode in play(world, agent, tasks, seed=1, name=name, budget=Budget(40)):
        lines += ["", "=" * 100, f"task {episode.task}: {episode.outcome}"]
        for step in episode.steps:
            lines += ["", *_step(step)]
    world.close()
    return "\n".join(lines) + "\n"


def _step(step: Step) -> Iterator[str]:
    heard = "" if step.command == step.action else f"   [{step.command or 'refused'}]"
    yield f"{step.index} > {step.action}{heard}" if step.action else "0 (reset)"
    yield from step.observation.text.splitlines()
    yield f"({step.observation.inventory})"
    for mark, facts in (("seen", step.revealed), ("now", step.added), ("no more", step.removed)):
        if facts:
            yield f"    {mark}: {'; '.join(map(str, facts))}"


def check(name: str, text: str) -> None:
    """Compare with the file, or write it where that is asked for."""
    path = FOLDER / f"{name}.txt"
    if os.environ.get("WORLDQUIZ_GOLDEN") == "write":
        path.write_text(text, encoding="utf-8")
    assert text.splitlines() == path.read_text(encoding="utf-8").splitlines()


@pytest.mark.parametrize("name", PLAYS)
def test_the_playthrough_is_as_it_was(name: str, spec_of: SpecOf) -> None:
    level, seed, agent, count = PLAYS[name]
    world = Game(spec_of(level, seed))
    tasks = tasks_of(world.spec)
    made = catalog.AGENTS.made(agent, Brief(world.spec, tasks, (), seed))
    check(name, rendered(world, made, tasks[:count], agent))


def test_every_command_of_a_world_drawn_by_hand() -> None:
    check("toy-commands", rendered(Game(TOY), Script(), [UNWON], "script"))


def test_every_preset_has_a_playthrough() -> None:
    assert {level for level, *_ in PLAYS.values()} == set(PRESETS)


def test_no_playthrough_is_stale() -> None:
    assert {path.stem for path in FOLDER.glob("*.txt")} == {*PLAYS, "toy-commands"}
