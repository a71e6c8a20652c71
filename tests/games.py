"""Text worlds that are played: whole games by any player, and plans carried out step by step.

`Admissible` tries what the game itself would have a player do. `Babbler` puts words together, in
sentences that players write and in others, and knows no more than names of things. Neither reads
anything as `worldgraph` does, so what they try owes nothing to what is checked.
"""

from __future__ import annotations

import asyncio
import random
import re
from collections.abc import Mapping, Sequence
from typing import Any

from worldquiz.facts.episode import Episode, Observation
from worldquiz.t2q import Game, Proof, Solution, Task, Verb, World, WorldSpec
from worldquiz.t2q.agents import catalog
from worldquiz.t2q.agents.base import Agent
from worldquiz.t2q.quiz.ask import ask
from worldquiz.t2q.rollout import Played, play_through
from worldquiz.t2q.suites import Bundle
from worldquiz.t2q.tasks.planner import Planner
from worldquiz.t2q.tasks.targets import tasks as tasks_of
from worldquiz.t2q.world.config import PRESETS, Budget

ENDLESS = ("random", "admissible", "babbler")
"""Players that do not end by themselves."""
FREE = Task("free", Verb.EAT, "moon", (), "Look around.", (), (), Solution((), Proof.SHORTEST))


def play(world: World, agent: Agent, tasks: Sequence[Task], **how: Any) -> tuple[Episode, ...]:
    """Play a world's tasks in order from code that runs no event loop."""
    return asyncio.run(play_through(world, agent, tasks, **how))


def played(spec: WorldSpec, name: str, *, seed: int = 7, steps: int = 60, tasks: int = 0) -> Played:
    """Play a world's first tasks (all, or three where a player does not end by itself)."""
    given, asked = tasks_of(spec), ask(spec)
    if spec.level == "change":  # of whose things few may be named by objectives
        given = tasks_of(spec, share=PRESETS["change"].errands)
        asked = ask(spec, given)
    bundle = Bundle(spec, given, asked)
    make = wild if name in ENDLESS[1:] else catalog.AGENTS.made
    agent = make(name, bundle, seed)
    some = bundle.tasks[: tasks or (3 if name in ENDLESS else None)]
    episodes = play(Game(spec), agent, some, seed=seed, name=name, budget=Budget(steps))
    return Played(bundle, episodes, ())


def solvable(spec: WorldSpec) -> bool:
    """Tell whether every room is reached and every lock opens."""
    planner = Planner(spec)
    return planner.locked <= planner.key.keys() and {r.name for r in spec.rooms} == {*planner.rooms}


def wild(name: str, bundle: Bundle, seed: int) -> Agent:
    """Make a player by its name."""
    return Admissible(bundle, seed) if name == "admissible" else Babbler(bundle.spec, seed)


class Admissible:
    """Draws from the commands that the game calls admissible, in a second copy of it.

    Passages are likelier than the rest, or it would not see much of a large world.
    """

    def __init__(self, bundle: Bundle, seed: int) -> None:
        self._game = Game(bundle.spec)
        self._tasks = {task.objective: task for task in bundle.tasks}
        self._rng = random.Random(seed)

    async def begin(self, observation: Observation) -> None:
        self._game.reset(self._tasks[observation.objective])

    async def act(self, observation: Observation) -> str:
        offered = self._game.admissible
        weights = [4 if command.startswith("go ") else 1 for command in offered]
        command = self._rng.choices(offered, weights)[0]
        self._game.step(command)
        return command

    async def end(self, observation: Observation) -> None:
        pass


WAYS = ("north", "east", "south", "west")
SENTENCES: Mapping[str, Sequence[str]] = {
    "walk": (
        "go W", "W", "walk W", "go to the W", "Head W.", "run W", "go through X", "enter X",
        "walk through the X", "go into X", "leave", "go back", "go X", "> go W",
    ),
    "open": (
        "open X", "open the X", "open X", "OPEN X!", "close X", "shut the X", "unlock X",
        "unlock X with Y", "unlock X with Y", "unlock X using the Y", "lock X with Y", "open it",
        "unlock it with Y", "unlock the door", "open X with Y", "unlock X with it", "push X",
        "break X", "open chest and take X", "lock it", "try to open X", "unlock Y with X",
    ),
    "carry": (
        "take X", "take X", "get X", "pick up the X", "pick X up", "take X from Y", "drop X",
        "get X out of Y", "remove X from Y", "put down X", "put X on Y", "put X in Y", "take all",
        "insert X into Y", "place the X on the Y", "put it in Y", "take it", "drop them", "eat X",
        "consume my X", "drop everything", "take X, Y", "put X", "give X to Y", "throw X",
        "take X take Y", "insert X on Y", "put X under Y", "take X from it", "grab X", "lay X on Y",
    ),
    "look": (
        "look", "l", "i", "inventory", "examine X", "x X", "look at X", "look in X", "inspect it",
        "check X", "read X", "look under X", "search X", "x me", "examine N", "look W", "x W",
        "what is in X?", "where am I", "look around", "listen", "check inventory",
    ),
    "nonsense": (
        "", "  ", "N", "N X", "X", "X Y", "xyzzy", "look. go W", "go W then go W", "42", "?!", "☃",
        "the the X", "take", "open", "with Y", "undo", "again", "g", "wait", "print_state", "help",
        "Thought: I should go W", "Action: open X", "say 'open X'", "unlock X with", "go", "go N",
    ),
}  # fmt: skip
"""What is said, by purpose: W is a direction, X and Y things, N nonsense."""
_PURPOSES = ("walk", "walk", "walk", "open", "open", "carry", "carry", "look", "nonsense")
_NONSENSE = ("moon", "frobnicate", "grue", "yesterday", "of", "upwards", "n", "door door", "key 7")


class Babbler:
    """Says a sentence with the names of things in it, of those in the last text more often."""

    def __init__(self, spec: WorldSpec, seed: int) -> None:
        self._names = [thing for thing, kind in spec.kinds.items() if kind != "room"]
        self._rng = random.Random(seed)

    async def begin(self, observation: Observation) -> None:
        pass

    async def act(self, observation: Observation) -> str:
        pick = self._rng.choice
        said = f"{observation.text} {observation.inventory}".lower()
        near = [name for name in self._names if name in said] or self._names
        words = {
            "W": lambda: pick((*WAYS, *WAYS, *(way[0] for way in WAYS))),
            "X": lambda: self._thing(near),
            "Y": lambda: self._thing(near),
            "N": lambda: pick(_NONSENSE),
        }
        sentence = pick(SENTENCES[pick(_PURPOSES)])
        return re.sub(r"\b[WXYN]\b", lambda blank: words[blank[0]](), sentence)

    async def end(self, observation: Observation) -> None:
        pass

    def _thing(self, near: Sequence[str]) -> str:
        """Return a name, whole or a word of it, now and then of something elsewhere."""
        name = self._rng.choice(near if self._rng.random() < 0.9 else self._names)
        first, last = name.split()[0], name.split()[-1]
        return self._rng.choice((name, name, name, last, first, f"the {name}"))
