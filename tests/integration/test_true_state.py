"""The state of both engines is the truth, whatever an agent types.

Checked against two roads of TextWorld's own: its event tracker (right for canonical commands) and
its ``print_state`` dump (right always, but slow, and a leak if players could call it).
"""

from __future__ import annotations

import random
import re

import pytest
import textworld

from conftest import GameOf, SpecOf, WorldOf
from deep import DEEP
from worldquiz import rng
from worldquiz.errors import WorldError
from worldquiz.facts.fact import Fact, State
from worldquiz.t2q.textworld.inform import source
from worldquiz.t2q.textworld.play import Machine, TextWorld
from worldquiz.t2q.world.spec import Task, WorldSpec

CHANGING = {"player_at", "at", "in", "on", "carried", "eaten", "open", "locked"}


def changing(state: State) -> set[Fact]:
    return {fact for fact in state if fact.predicate in CHANGING}


def random_command(spec: WorldSpec, draw: random.Random) -> str:
    """Return a command in canonical form about entities of the world, sensible or not."""
    things = list(spec.kinds)
    one, two = draw.choice(things), draw.choice(things)
    key = draw.choice(spec.of_kind("key"))
    return draw.choice(
        [f"go {draw.choice(('north', 'east', 'south', 'west'))}"] * 4
        + [f"open {one}", f"close {one}", f"take {one}", f"drop {one}", f"eat {one}"]
        + [f"put {one} on {two}", f"insert {one} into {two}"]
        + [f"unlock {one} with {key}", f"lock {one} with {key}"]
    )


def facts_of_textworld(spec: WorldSpec, facts: list[object]) -> set[Fact]:
    """Translate TextWorld's propositions into our changing facts."""
    found: set[Fact] = set()
    for proposition in facts:
        name = proposition.name  # type: ignore[attr-defined]
        args = [variable.name for variable in proposition.arguments]  # type: ignore[attr-defined]
        if name == "at" and args[0] == "P":
            found.add(Fact("player_at", (args[1],)))
        elif name == "in" and args[1] == "I":
            found.add(Fact("carried", (args[0],)))
        elif name in ("at", "in", "on") and spec.kinds.get(args[0]) != "door":
            found.add(Fact(name, tuple(args)))
        elif name in ("open", "locked", "eaten"):
            found.add(Fact(name, (args[0],)))
    return found


@pytest.mark.filterwarnings("ignore:.*is not fully supported")
@pytest.mark.parametrize(("level", "seed"), [("easy", 101), ("hard", 103)])
def test_the_state_agrees_with_textworlds_tracker_step_by_step(
    level: str, seed: int, in_each_engine: WorldOf, game_of: GameOf, no_goal: Task
) -> None:
    world = in_each_engine(level, seed)
    spec, game = world.spec, game_of(world.spec)
    source(spec)[1].save(str(game.with_suffix(".json")))
    peer = textworld.start(str(game), textworld.EnvInfos(facts=True))
    theirs = peer.reset()
    world.reset(no_goal)
    draw = rng.child(seed, "commands")
    moved = 0
    for _ in range(300):
        step = world.step(random_command(spec, draw))
        if step.command is None:
            continue
        theirs, _, _ = peer.step(step.command)
        assert changing(world.state) == facts_of_textworld(spec, theirs["facts"]), step.command
        moved += 1
    assert moved > 80
    peer.close()


def dumped(machine: Machine, spec: WorldSpec) -> set[tuple[str, str]]:
    """Parse TextWorld's ``print_state`` into (thing, place) pairs; nothing moves in its turn."""
    (text,) = machine._asked(["print_state"])
    world = text.split("World: \n")[1].split("Inventory description")[0]
    pairs: set[tuple[str, str]] = set()
    stack: list[tuple[int, str]] = []
    for line in world.splitlines():
        name = re.sub(r"^(?:an?|the|some) ", "", re.sub(r" \(.*\)$", "", line.strip()))
        depth = len(line) - len(line.lstrip())
        if line.endswith(":") and name[:-1] in spec.kinds:
            stack = [(-1, name[:-1])]
        elif stack and name:
            while stack[-1][0] >= depth:
                stack.pop()
            if name in spec.kinds and stack[-1][1] in spec.kinds and spec.kinds[name] != "door":
                pairs.add((name, stack[-1][1]))
            stack.append((depth, name))
    return pairs


TRAPS = [
    "get X", "pick up X", "take X", "enter D", "go through D", "open D. go north", "take X and Y",
    "take all", "x me", "print_state", "restart", "undo", "put X in Y", "take off X", "enter X",
    "stand on X", "get in X", "push X", "give X to Y", "drop all", "again", "oops", "open X with Y",
    "unlock D", "lock D with X", "eat X", "wear X", "throw X at Y", "insert X into me",
]  # fmt: skip


@pytest.mark.parametrize("seed", [201, 202] if DEEP else [201])
def test_the_state_agrees_with_the_dump_after_every_trap(
    seed: int, world_of: WorldOf, game_of: GameOf, no_goal: Task
) -> None:
    ours = world_of("medium", seed)
    spec, theirs = ours.spec, TextWorld(ours.spec, game_of(ours.spec))
    for world in (ours, theirs):
        world.reset(no_goal)
    draw = rng.child(seed, "traps")
    things = spec.of_kind("container", "supporter", "object", "food", "key")
    for number in range(240):
        trap = TRAPS[number % len(TRAPS)] if number % 2 else random_command(spec, draw)
        filled = trap.replace("X", draw.choice(things)).replace("Y", draw.choice(things))
        filled = filled.replace("D", draw.choice(spec.of_kind("door") or things))
        for world in (ours, theirs):
            world.step(filled)
        dump = dumped(theirs._machine, spec)
        for world in (ours, theirs):
            places = {f.args for f in world.state if f.predicate in ("at", "in", "on")}
            assert places == dump, trap


def test_the_state_starts_as_the_spec_says_and_reset_restores_it(
    in_each_engine: WorldOf, no_goal: Task
) -> None:
    world = in_each_engine("hard", 103)
    world.reset(no_goal)
    assert world.state == world.spec.initial
    for command in ("go north", "go east", "go south", "go west", "take all", "open door"):
        world.step(command)
    first = world.reset(no_goal)
    assert world.state == world.spec.initial
    assert first.observation.inventory == "You are carrying nothing."


def test_a_game_of_another_world_is_refused(spec_of: SpecOf, game_of: GameOf) -> None:
    other = game_of(spec_of("easy", 101))
    with pytest.raises(WorldError, match="not the game of world 'hard-103'"):
        TextWorld(spec_of("hard", 103), other)
