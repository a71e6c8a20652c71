"""Readable playthroughs with the facts that each observation reveals.

Read one to see what a change of text, rules or `reveal` does to a game. Where a change is meant,
write them anew and read the difference: ``WORLDQUIZ_GOLDEN=write pytest tests/golden``.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

import worldquiz as wq
from worldquiz.t2q import Game, Proof, Room, Solution, Task, Transition, Verb, WorldSpec
from worldquiz.t2q.world.predicates import (
    AT,
    DOOR_AT,
    EATEN,
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


UNWON = Task(
    "free", Verb.EAT, "moon", (EATEN("moon"),), "Look around.", (), (),
    Solution((), Proof.SHORTEST),
)  # fmt: skip


def rendered(spec: WorldSpec, played: Iterable[tuple[Task, Sequence[str]]], name: str) -> str:
    """Return what was played as text: what was said and seen, what it revealed and changed."""
    lines = [f"world {spec.id}, player {name}", "", "Chosen:"]
    lines += [f"    {fact}" for fact in spec.facts]
    game = Game(spec)
    for task, commands in played:
        lines += ["", "=" * 100, f"task {task.id}"]
        lines += ["", "0 (reset)", *_seen(game.reset(task))]
        for number, command in enumerate(commands, start=1):
            before, now = game.state, game.step(command)
            heard = "" if now.command == command else f"   [{now.command or 'refused'}]"
            lines += ["", f"{number} > {command}{heard}", *_seen(now)]
            for mark, facts in (("now", game.state - before), ("no more", before - game.state)):
                lines += [f"    {mark}: {'; '.join(sorted(map(str, facts)))}"] if facts else []
            lines += ["won"] if now.done else []
    return "\n".join(lines) + "\n"


def _seen(now: Transition) -> Iterator[str]:
    yield from now.observation.text.splitlines()
    yield f"({now.observation.inventory})"
    if now.revealed:
        yield f"    seen: {'; '.join(map(str, now.revealed))}"


def check(name: str, text: str) -> None:
    """Compare with the file, or write it where that is asked for."""
    path = FOLDER / f"{name}.txt"
    if os.environ.get("WORLDQUIZ_GOLDEN") == "write":
        path.write_text(text, encoding="utf-8")
    assert text.splitlines() == path.read_text(encoding="utf-8").splitlines()


def test_the_playthrough_is_as_it_was(tmp_path: Path) -> None:
    agent, suite = "walkthrough", wq.t2q.build("easy", worlds=1, seed=1, out=tmp_path / "suite")
    suite.run(agent=agent, answerer="abstainer", max_steps=40, out=tmp_path / "run")
    lines = map(json.loads, (tmp_path / "run" / "episodes.jsonl").read_text().splitlines())
    commands = [[step["action"] for step in line["steps"][1:]] for line in lines]
    (world,) = map(suite.bundle, suite.worlds)
    played = zip(world.tasks, commands, strict=True)
    check("easy-walkthrough", rendered(world.spec, played, agent))


def test_every_command_of_a_world_drawn_by_hand() -> None:
    check("toy-commands", rendered(TOY, [(UNWON, COMMANDS.splitlines())], "script"))


def test_no_playthrough_is_stale() -> None:
    assert {path.stem for path in FOLDER.glob("*.txt")} == {"easy-walkthrough", "toy-commands"}
