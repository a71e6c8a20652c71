"""Both engines side by side: random commands, compared by text, state, evidence and score.

    python tests/both_engines.py 3000000 --jobs 2        # or: just engines 3000000

Worlds are of every preset, with places told and without, and one drawn by hand. A command counts
once it reached both engines; most nonsense is refused before.
"""

from __future__ import annotations

import argparse
import random
import re
import tempfile
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from dataclasses import replace
from functools import partial
from itertools import islice
from pathlib import Path

from compiled_game import CompiledGame, compile_world
from worldquiz.facts.fact import parse
from worldquiz.t2q import Game, Room, Transition, WorldSpec
from worldquiz.t2q.compass import DIRECTIONS
from worldquiz.t2q.tasks.targets import tasks
from worldquiz.t2q.world.config import PRESETS
from worldquiz.t2q.world.generate import generate
from worldquiz.t2q.world.spec import LOCKABLE, MOVABLE

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
EPISODE = 125
"""Commands between two resets."""
VERBS = (
    "inventory", "go {way}", "examine {one}", "open {lid}", "close {lid}", "take {one}",
    "unlock {lid} with {key}", "lock {lid} with {key}", "put {one} on {top}", "drop {one}",
    "insert {one} into {box}", "take {one} from {two}", "eat {one}", "insert {rare} into {box}",
    "eat {rare}", "drop {rare}", "put {one} on {rare}", "lock {lid} with {key}",
)  # fmt: skip


class Draw:
    """Random commands for one world: sensible, senseless, misspelt, about what is not there."""

    def __init__(self, game: Game, seed: int) -> None:
        self._game, self._rng = game, random.Random(seed)
        self._spec = game.spec

    def command(self) -> str:
        """Return the next command."""
        draw, kind = self._rng, self._rng.random()
        if kind < 0.4:
            by_verb: dict[str, list[str]] = {"look": ["look"]}
            for each in self._game.admissible:
                if not each.startswith("eat "):  # what is eaten is gone
                    by_verb.setdefault(each.split()[0], []).append(each)
            return draw.choice(by_verb[draw.choice(list(by_verb))])
        lid = self._thing(*LOCKABLE)
        keys = [key for key, lock in self._spec.lock_of.items() if lock == lid]
        text = draw.choice(VERBS).format(
            way=draw.choice(DIRECTIONS),
            lid=lid,
            key=keys[0] if keys and draw.random() < 0.8 else self._thing(*MOVABLE),
            one=self._thing(),
            two=self._thing(),
            box=self._thing("container"),
            top=self._thing("supporter"),
            rare=self._thing("food", "supporter"),
        )
        place = draw.randrange(len(text))
        misspelt = text[:place] + draw.choice(["", "x", " ", "the "]) + text[place + 1 :]
        return text if kind < 0.95 else misspelt

    def _thing(self, *kinds: str) -> str:
        """Return a thing, mostly one in sight, and of these kinds."""
        draw, head = self._rng, "examine "
        shown = [e.removeprefix(head) for e in self._game.admissible if e.startswith(head)]
        by_kind: dict[str, list[str]] = {}  # there are many keys and doors, and little food
        for name in shown if shown and draw.random() < 0.93 else list(self._spec.kinds):
            by_kind.setdefault(self._spec.kinds[name], []).append(name)
        fitting = [kind for kind in by_kind if kind in kinds]
        kind = draw.choice(fitting if fitting and draw.random() < 0.8 else list(by_kind))
        return draw.choice(by_kind[kind])


def compared(spec: WorldSpec, steps: int, script: tuple[str, ...] = ()) -> int:
    """Play both engines of a world by the same commands, some given and then random ones.

    Return how many reached both. Raises `AssertionError` where they differ, with the commands
    since the last reset.
    """
    goals, found = tasks(spec), 0
    with tempfile.TemporaryDirectory() as folder:
        machine = CompiledGame(spec, compile_world(spec, Path(folder)))
        try:
            for episode in range(-(-steps // EPISODE)):
                task, game = goals[episode % len(goals)], Game(spec)
                said, draw = ["(reset)"], Draw(game, spec.seed + episode)
                given = iter(script if not episode else ())
                _same(machine.reset(task), game.reset(task), machine, game, said)
                for _ in range(EPISODE):
                    said.append(next(given, None) or draw.command())
                    theirs, ours = machine.step(said[-1]), game.step(said[-1])
                    _same(theirs, ours, machine, game, said)
                    found += theirs.command is not None
        finally:
            machine.close()
    return found


def _same(
    theirs: Transition, ours: Transition, machine: CompiledGame, game: Game, said: list[str]
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


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("commands", type=int, help="commands that have to reach both engines")
    parser.add_argument("--jobs", type=int, default=1)
    options = parser.parse_args()
    found, number, source = 0, 0, worlds()
    with ProcessPoolExecutor(options.jobs) as pool:
        while found < options.commands:
            some = list(islice(source, 4 * options.jobs))
            found += sum(pool.map(partial(compared, steps=2500), some))
            number += len(some)
            print(f"{found:9} commands in {number} worlds: no difference", flush=True)


if __name__ == "__main__":
    main()
