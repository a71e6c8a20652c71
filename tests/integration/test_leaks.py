"""The two text leaks of TextWorld's stock games are closed: a lock shows only when it is tried."""

from __future__ import annotations

import re

import pytest

from conftest import SpecOf, WorldOf
from worldquiz import rng
from worldquiz.errors import WorldError
from worldquiz.facts.fact import AT, DOOR_AT, LEADS, LOCKED, MATCH, PLAYER_AT
from worldquiz.t2q.textworld.inform import patched, source
from worldquiz.t2q.world.base import World
from worldquiz.t2q.world.spec import Proof, Solution, Task, Verb

SEEDS = [("easy", 101), ("hard", 103)]


def walk_everywhere(world: World, task: Task, limit: int = 250) -> list[tuple[str, str]]:
    """Walk with every lid opened and every key tried where the true state allows it."""
    seen = [("", world.reset(task).observation.text)]
    spec, draw = world.spec, rng.child(world.spec.seed, "walk")
    tried: set[tuple[str, str]] = set()

    def do(command: str) -> None:
        seen.append((command, world.step(command).observation.text))

    for _ in range(limit):
        (room,) = next(PLAYER_AT.of(world.state))
        doors = {way: door for door, at, way in DOOR_AT.of(spec.facts) if at == room}
        boxes = [t for t, at in AT.of(spec.facts) if at == room and spec.kinds[t] == "container"]
        for thing in [*doors.values(), *boxes]:
            if (room, thing) not in tried:
                tried.add((room, thing))
                do(f"open {thing}")
                do(f"examine {thing}")
        ways = sorted(way for at, way, _ in LEADS.of(spec.facts) if at == room)
        do(f"go {draw.choice(ways)}")
    return seen


@pytest.mark.parametrize(("level", "seed"), SEEDS)
def test_opening_a_locked_thing_says_that_it_is_locked_and_no_other_text_speaks_of_locks(
    level: str, seed: int, in_each_engine: WorldOf, no_goal: Task
) -> None:
    world = in_each_engine(level, seed)
    locked = {thing for (thing,) in LOCKED.of(world.spec.facts)}
    keys = {key for key, _ in MATCH.of(world.spec.facts)}
    walked = walk_everywhere(world, no_goal)
    for command, text in walked:
        if not command.startswith("open "):
            assert not re.search(r"\b(un)?lock(ed)?\b|welded", text), (command, text)
    replies = [
        (command.removeprefix("open "), text)
        for command, text in walked
        if command.startswith("open ") and command.removeprefix("open ") in locked
    ]
    assert replies
    for thing, text in replies:
        assert text == f"The {thing} is locked."
        assert not any(key in text for key in keys)


@pytest.mark.parametrize(("level", "seed"), SEEDS)
def test_the_neighbours_name_shows_only_by_walking(
    level: str, seed: int, in_each_engine: WorldOf, no_goal: Task
) -> None:
    world = in_each_engine(level, seed)
    (start,) = next(PLAYER_AT.of(world.spec.facts))
    text = world.reset(no_goal).observation.text.lower()
    others = {room.name for room in world.spec.rooms} - {start}
    assert not any(re.search(rf"\b{re.escape(other)}\b", text) for other in others)


def test_the_stock_source_has_the_leaks_and_the_patched_one_has_not(spec_of: SpecOf) -> None:
    from textworld.generator.inform7 import generate_inform7_source

    text, game = source(spec_of("medium", 102))
    stock = generate_inform7_source(game)
    for leak in ("with the [X] first", "is welded shut"):
        assert stock.count(leak) == 2
        assert leak not in text


def test_another_textworld_is_refused_rather_than_left_leaking() -> None:
    with pytest.raises(WorldError, match=r"use textworld==1\.7\.0"):
        patched("Before opening a locked door: say something else.")


def test_the_objective_is_part_of_the_first_observation_and_of_nothing_else(
    in_each_engine: WorldOf,
) -> None:
    world = in_each_engine("easy", 101)
    thing, room = next(AT.of(world.spec.facts))
    task = Task(
        "t", Verb.FETCH, thing, (PLAYER_AT("nowhere"),), "Bring me the moon.", (AT(thing, room),),
        (), Solution((), Proof.SHORTEST),
    )  # fmt: skip
    first = world.reset(task)
    assert first.observation.text.startswith("Bring me the moon.\n\n-= ")
    assert AT(thing, room) in first.revealed
    assert "moon" not in world.step("look").observation.text
