"""Both engines side by side: random commands, compared by text, state, evidence and score.

    python tests/both_engines.py 3000000 --jobs 2        # or: just engines 3000000

Worlds are of every preset, with places told and without, and drawn by hand. A command counts once
it reached both engines; most nonsense is refused before. Every outcome of every rule is counted:
a text, with the things in it called by their kind.
"""

from __future__ import annotations

import argparse
import json
import random
import re
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from dataclasses import replace
from functools import lru_cache, partial
from pathlib import Path

from worldquiz.facts.fact import DIRECTIONS, parse
from worldquiz.t2q.tasks.targets import tasks
from worldquiz.t2q.textworld.inform import game_files
from worldquiz.t2q.textworld.play import TextWorld
from worldquiz.t2q.world.base import Transition
from worldquiz.t2q.world.config import PRESETS
from worldquiz.t2q.world.game import Game
from worldquiz.t2q.world.generate import generate
from worldquiz.t2q.world.spec import LOCKABLE, MOVABLE, Room, Task, WorldSpec

_ATTIC = """
kind(attic, room); kind(study, room); kind(cellar, room)
kind(old gate, door); kind(iron door, door); kind(red box, container); kind(pine chest, container)
kind(oak shelf, supporter); kind(tin key, key); kind(brass key, key); kind(green apple, food)
kind(ivory egg, food); kind(blue hat, object); kind(felt cap, object); kind(onyx ring, object)
player_at(attic); leads(attic, north, study); leads(study, south, attic)
leads(attic, east, cellar); leads(cellar, west, attic)
door_at(old gate, attic, north); door_at(old gate, study, south)
door_at(iron door, attic, east); door_at(iron door, cellar, west)
shut(old gate); unlocked(old gate); shut(iron door); locked(iron door); match(brass key, iron door)
shut(red box); locked(red box); match(tin key, red box); open(pine chest); unlocked(pine chest)
at(red box, attic); at(pine chest, attic); at(blue hat, attic); at(felt cap, attic)
at(oak shelf, study); on(tin key, oak shelf); on(brass key, oak shelf)
in(green apple, red box); in(ivory egg, red box); in(onyx ring, pine chest)
"""
ATTIC = WorldSpec(
    "attic", "own", 3, "attic", (Room("attic", 0, 0), Room("study", 0, 1), Room("cellar", 1, 0)),
    tuple(sorted(parse(text.strip()) for text in re.split("[;\n]", _ATTIC) if text)),
)  # fmt: skip
"""A world drawn by hand."""
Outcomes = Counter[tuple[str, str]]
"""How often each rule ended how: by verb and text."""
EPISODE = 125
"""Commands between two resets."""
VERBS = (
    "inventory", "go {way}", "examine {one}", "open {lid}", "close {lid}", "take {one}",
    "unlock {lid} with {key}", "lock {lid} with {key}", "put {one} on {top}", "drop {one}",
    "insert {one} into {box}", "take {one} from {two}", "eat {one}", "insert {rare} into {box}",
    "eat {rare}", "drop {rare}", "put {one} on {rare}", "lock {lid} with {key}",
)  # fmt: skip


_THINGS = re.compile(r"(carrying: |revealing |(?:In|On) the [\w ]+ (?:is|are) ).*")


class Draw:
    """Random commands for one world: sensible, senseless, misspelt, about what is not there."""

    def __init__(self, game: Game, seed: int) -> None:
        self._game, self._rng = game, random.Random(seed)
        self._spec = game.spec
        self._known: tuple[tuple[str, ...], list[str]] = ((), [])

    def command(self) -> str:
        """Return the next command."""
        draw, kind = self._rng, self._rng.random()
        if kind < 0.01:
            return "look"
        if kind < 0.4:
            by_verb: dict[str, list[str]] = {}
            for each in self._game.admissible:
                if not each.startswith("eat "):  # what is eaten is gone
                    by_verb.setdefault(each.split()[0], []).append(each)
            return draw.choice(by_verb[draw.choice(list(by_verb))])
        text = draw.choice(VERBS).format(**self._words())
        return text if kind < 0.95 else self._misspelt(text)

    def _words(self) -> dict[str, str]:
        lid = self._thing(*LOCKABLE)
        keys = [key for key, lock in self._spec.lock_of.items() if lock == lid]
        fits = keys and self._rng.random() < 0.8
        return {
            "way": self._rng.choice(DIRECTIONS),
            "lid": lid,
            "key": keys[0] if fits else self._thing(*MOVABLE),
            "one": self._thing(),
            "two": self._thing(),
            "box": self._thing("container"),
            "top": self._thing("supporter"),
            "rare": self._thing("food", "supporter"),
        }

    def _thing(self, *kinds: str) -> str:
        """Return a thing, mostly one in sight, and of these kinds."""
        draw, spec, admissible = self._rng, self._spec, self._game.admissible
        if self._known[0] is not admissible:
            head = "examine "
            shown = [each.removeprefix(head) for each in admissible if each.startswith(head)]
            self._known = admissible, shown
        shown = self._known[1]
        among = shown if shown and draw.random() < 0.93 else list(spec.kinds)
        by_kind: dict[str, list[str]] = {}  # there are many keys and doors, and little food
        for name in among:
            by_kind.setdefault(spec.kinds[name], []).append(name)
        fitting = [kind for kind in by_kind if kind in kinds]
        kind = draw.choice(fitting if fitting and draw.random() < 0.8 else list(by_kind))
        return draw.choice(by_kind[kind])

    def _misspelt(self, text: str) -> str:
        place = self._rng.randrange(len(text))
        return text[:place] + self._rng.choice(["", "x", " ", "the "]) + text[place + 1 :]


@lru_cache(8)
def _names(names: tuple[str, ...]) -> re.Pattern[str]:
    longest_first = sorted(names, key=len, reverse=True)
    return re.compile(r"\b(?:" + "|".join(map(re.escape, longest_first)) + r")\b")


def outcome(spec: WorldSpec, transition: Transition) -> tuple[str, str]:
    """Return the rule and how it ended: the text, with things called by their kind."""
    verb = str(transition.command).split()[0]
    text = transition.observation.text
    if text.startswith("-= "):
        return verb, "(a room)"
    text = _THINGS.sub(r"\1(things)", text)
    text = _names(tuple(spec.kinds)).sub(lambda found: f"({spec.kinds[found[0]]})", text)
    return verb, text.replace("\n", " ")


def compared(spec: WorldSpec, goals: tuple[Task, ...], steps: int, seed: int) -> Outcomes:
    """Play both engines of a world by the same commands; return what came of them.

    Raises `AssertionError` with the commands since the last reset where they differ.
    """
    found: Outcomes = Counter()
    with tempfile.TemporaryDirectory() as folder:
        for suffix, data in game_files(spec).items():
            (Path(folder) / f"game.{suffix}").write_bytes(data)
        machine = TextWorld(spec, Path(folder) / "game.z8")
        try:
            for episode in range(-(-steps // EPISODE)):
                task = goals[episode % len(goals)]
                number = min(EPISODE, steps - episode * EPISODE)
                found += _episode(machine, Game(spec), task, number, f"{seed} {episode}")
        finally:
            machine.close()
    return found


def _episode(machine: TextWorld, game: Game, task: Task, steps: int, seed: str) -> Outcomes:
    found: Outcomes = Counter()
    draw, said = Draw(game, random.Random(seed).getrandbits(64)), ["(reset)"]
    _same(machine.reset(task), game.reset(task), machine, game, said)
    for _ in range(steps):
        said.append(draw.command())
        theirs, ours = machine.step(said[-1]), game.step(said[-1])
        _same(theirs, ours, machine, game, said)
        if theirs.command is not None:
            found[outcome(game.spec, theirs)] += 1
    return found


def _same(
    theirs: Transition, ours: Transition, machine: TextWorld, game: Game, said: list[str]
) -> None:
    a, b = machine.situation, game.situation
    same = (a.room, a.spot, a.open, a.locked) == (b.room, b.spot, b.open, b.locked)
    assert (same, theirs) == (True, ours), (
        f"world {game.spec.id} differs after {said}\nZ-machine: {theirs}\nPython:    {ours}\n"
        f"states differ in {sorted(machine.state ^ game.state)}"
    )


def worlds() -> Iterator[WorldSpec]:
    """Yield worlds without end: one drawn by hand, then of each preset, places told or not."""
    yield ATTIC
    seed = 0
    while True:
        seed += 1
        for level, knobs in PRESETS.items():
            turned = replace(knobs, places_told=seed % 2 == 0)
            yield generate(turned, 770_000 + seed, id=f"{level}-{seed}", level=level)


def _work(steps: int, spec: WorldSpec) -> Outcomes:
    return compared(spec, tasks(spec), steps, spec.seed)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("commands", type=int, help="commands that have to reach both engines")
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--world", type=int, default=2500, help="commands given in each world")
    parser.add_argument("--out", type=Path, help="JSON file for the counts")
    options = parser.parse_args()
    found: Outcomes = Counter()
    started, number, source = time.monotonic(), 0, worlds()
    with ProcessPoolExecutor(options.jobs) as pool:
        while found.total() < options.commands:
            some = [next(source) for _ in range(4 * options.jobs)]
            for part in pool.map(partial(_work, options.world), some):
                found += part
                number += 1
            print(
                f"\r{found.total()} commands in {number} worlds, no difference, "
                f"{time.monotonic() - started:.0f} s", end="", file=sys.stderr, flush=True,
            )  # fmt: skip
            if options.out:
                told = [[verb, text, count] for (verb, text), count in sorted(found.items())]
                options.out.write_text(json.dumps({"worlds": number, "outcomes": told}, indent=1))
    print(file=sys.stderr)
    for (verb, text), count in sorted(found.items()):
        print(f"{count:9} {verb:10} {text}")
    print(f"{found.total():9} commands in {number} worlds: no difference")


if __name__ == "__main__":
    main()
