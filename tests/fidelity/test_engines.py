"""The game in Python is the game that TextWorld compiles, and its state is the truth.

Both are played by the same commands. What is read from the machine's memory is checked against
TextWorld's own ``print_state`` dump (right always, but slow, and a leak if players could call it).
"""

from __future__ import annotations

import random
import re
import warnings
from itertools import islice
from pathlib import Path

import pytest
import textworld

import synthetic
from both_engines import ATTIC, Draw, compared, worlds
from compiled_game import CompiledGame, source
from conftest import GameOf, SpecOf
from deep import DEEP, some
from games import FREE
from worldquiz.facts.fact import parse
from worldquiz.t2q import Game, Proof, Solution, Task, Verb, WorldSpec
from worldquiz.t2q.games import game_files
from worldquiz.t2q.tasks.planner import Planner
from worldquiz.t2q.tasks.targets import tasks
from worldquiz.t2q.world.predicates import AT, DOOR_AT, LEADS, LOCKED, MATCH, PLAYER_AT

SCRIPT = """look; inventory; go south; go north; examine red box; examine pine chest; take onyx ring
examine pine chest; examine felt cap; open felt cap; open red box; open pine chest
close pine chest; open pine chest; close felt cap; close old gate; unlock red box with felt cap
unlock red box with old gate; take red box; take blue hat; take blue hat; put felt cap on old gate
take felt cap; put felt cap on felt cap; put felt cap on blue hat; put felt cap on old gate
put red box on old gate; insert felt cap into red box; drop felt cap; drop felt cap; drop old gate
eat felt cap; open old gate; examine old gate; go north; examine oak shelf
take brass key from oak shelf; look; take tin key from oak shelf; look; examine oak shelf; go south
inventory; unlock red box with brass key; unlock old gate with brass key
unlock brass key with tin key; lock red box with tin key; lock old gate with tin key
lock pine chest with tin key; close old gate; lock old gate with tin key
lock brass key with tin key; unlock iron door with brass key; unlock red box with tin key
lock red box with tin key; unlock red box with tin key; open red box; eat green apple
take green apple; eat green apple; take onyx ring from red box; take felt cap; open old gate
go north; put felt cap on oak shelf; look; take felt cap; go south
insert felt cap into pine chest; insert felt cap into red box; drop onyx ring"""
"""Commands that meet each rule of the game in the world drawn by hand."""


@pytest.mark.parametrize("spec", [*islice(worlds(), 9 if DEEP else 3)], ids=lambda spec: spec.id)
def test_both_engines_say_and_hold_the_same(spec: WorldSpec) -> None:
    script = tuple(re.split(r"; |\n", SCRIPT)) if spec is ATTIC else ()
    assert compared(spec, 500, script) > 250


# The state, by TextWorld's own dump


def dumped(world: CompiledGame) -> set[tuple[str, str]]:
    """Parse TextWorld's ``print_state`` into (thing, place) pairs; nothing moves in its turn."""
    spec = world.spec
    text = world.said("print_state")
    pairs: set[tuple[str, str]] = set()
    stack: list[tuple[int, str]] = []
    for line in text.split("World: \n")[1].split("Inventory description")[0].splitlines():
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


TRAPS = (
    "get X", "pick up X", "take X", "enter D", "go through D", "open D. go north", "take X and Y",
    "take all", "x me", "print_state", "restart", "undo", "put X in Y", "take off X", "enter X",
    "stand on X", "get in X", "push X", "give X to Y", "drop all", "again", "oops", "open X with Y",
    "unlock D", "lock D with X", "eat X", "wear X", "throw X at Y", "insert X into me",
)  # fmt: skip


def test_the_state_agrees_with_the_dump_after_every_trap(spec_of: SpecOf, game_of: GameOf) -> None:
    ours = Game(spec := spec_of("medium", 201))
    theirs = CompiledGame(spec, game_of(spec))
    for world in (ours, theirs):
        world.reset(FREE)
    draw, commands = random.Random(201), Draw(ours, 201)
    things = spec.of_kind("container", "supporter", "object", "food", "key")
    for number in range(240 if DEEP else 120):
        trap = TRAPS[number // 2 % len(TRAPS)] if number % 2 else commands.command()
        filled = trap.replace("X", draw.choice(things)).replace("Y", draw.choice(things))
        filled = filled.replace("D", draw.choice(spec.of_kind("door") or things))
        for world in (ours, theirs):
            world.step(filled)
        dump = dumped(theirs)
        for world in (ours, theirs):
            places = {f.args for f in world.state if f.predicate in ("at", "in", "on")}
            assert places == dump, trap


# What the texts tell


@pytest.mark.parametrize(("level", "seed"), [("easy", 101), ("hard", 103)])
def test_a_lock_shows_only_when_it_is_tried_and_a_neighbour_only_by_walking(
    level: str, seed: int, spec_of: SpecOf
) -> None:
    """The two text leaks of TextWorld's stock games; the compiled game says the same words."""
    world, draw = Game(spec_of(level, seed)), random.Random(seed)
    spec, tried = world.spec, set[str]()
    locked = {thing for (thing,) in LOCKED.of(spec.facts)}
    text = world.reset(FREE).observation.text.lower()
    assert not [r for r in spec.rooms if r.name != spec.start and f" {r.name}" in text]
    for _ in range(250):
        (room,) = next(PLAYER_AT.of(world.state))
        here = [door for door, at, _ in DOOR_AT.of(spec.facts) if at == room]
        here += [t for t, at in AT.of(spec.facts) if at == room and spec.kinds[t] == "container"]
        way = draw.choice(sorted(way for at, way, _ in LEADS.of(spec.facts) if at == room))
        for command in [
            *(f"{verb} {t}" for t in here for verb in ("examine", "open")),
            f"go {way}",
        ]:
            text, thing = world.step(command).observation.text, command.removeprefix("open ")
            if thing in locked:
                tried.add(thing)
                assert text == f"The {thing} is locked."
            else:
                assert not re.search(r"\b(un)?lock(ed)?\b|welded", text), (command, text)
    assert tried
    assert not any(key in str(tried) for key, _ in MATCH.of(spec.facts))


def test_the_stock_source_has_the_leaks_and_the_patched_one_has_not(spec_of: SpecOf) -> None:
    from textworld.generator.inform7 import generate_inform7_source

    text, game = source(spec := spec_of("medium", 102))
    stock = generate_inform7_source(game)
    exported = game_files(spec, tasks(spec)[0])["ni"].decode()
    for leak in ("with the [X] first", "is welded shut"):
        assert stock.count(leak) == 2
        assert leak not in text
        assert leak not in exported


def test_the_objective_is_part_of_the_first_observation_and_of_nothing_else() -> None:
    world, told = Game(ATTIC), AT("blue hat", "attic")
    task = Task(
        "t", Verb.FETCH, "x", (PLAYER_AT("nowhere"),), "Bring me the moon.", (told,), (),
        Solution((), Proof.SHORTEST),
    )  # fmt: skip
    first = world.reset(task)
    assert first.observation.text.startswith("Bring me the moon.\n\n-= ")
    assert told in first.revealed
    assert "moon" not in world.step("look").observation.text


# A game of each task, in the hands of plain TextWorld


def states(spec: WorldSpec, task: Task, folder: Path) -> list[dict[str, object]]:
    """Play a task's walkthrough in its exported game as anybody would; return each game state."""
    for suffix, data in game_files(spec, task).items():
        (folder / f"{task.id}.{suffix}").write_bytes(data)
    wanted = textworld.EnvInfos(won=True, objective=True, max_score=True, feedback=True)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # Jericho warns of every game that is not its own
        env = textworld.start(str(folder / f"{task.id}.z8"), wanted)
        found = [env.reset(), *(env.step(command)[0] for command in task.walkthrough.commands)]
        env.close()
    return [dict(state) for state in found]


GOALS = (
    (Verb.GO, "player_at(cellar)"), (Verb.FETCH, "carried(red apple); carried(blue vase)"),
    (Verb.OPEN, "open(oak door)"), (Verb.PUT, "on(red apple, pine table)"),
    (Verb.PUT, "in(blue vase, iron chest)"), (Verb.EAT, "eaten(red apple)"),
)  # fmt: skip


@pytest.mark.parametrize(("verb", "goals"), some(GOALS, 3))
def test_a_tasks_walkthrough_wins_in_plain_textworld(
    verb: Verb, goals: str, tmp_path: Path
) -> None:
    spec, goal = synthetic.spec(), tuple(map(parse, goals.split("; ")))
    plan = Planner(spec).plan(*goal)
    task = Task("x", verb, goal[0].args[0], goal, "Do it now.", (), (), plan)
    found = states(spec, task, tmp_path)
    assert [state["won"] for state in found] == [False] * (len(found) - 1) + [True]
    assert (found[0]["objective"], found[0]["max_score"]) == ("Do it now.", 1)
    assert "Do it now." in str(found[0]["feedback"])


def test_equal_tasks_have_equal_games_and_others_others(spec_of: SpecOf) -> None:
    spec = spec_of("easy", 21)
    first, second = tasks(spec)[:2]
    one, again, other = (game_files(spec, task) for task in (first, first, second))
    assert [one[suffix] for suffix in ("ni", "json")] == [again[s] for s in ("ni", "json")]
    assert one["ni"] != other["ni"]
