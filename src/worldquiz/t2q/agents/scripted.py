"""Scripted agents and answerers: baselines that need no model."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from dataclasses import replace

from worldquiz import rng
from worldquiz.facts.episode import Observation, Transcript
from worldquiz.facts.evidence import Evidence
from worldquiz.facts.row import ABSTAIN
from worldquiz.t2q.agents.base import Agent
from worldquiz.t2q.question import Prompt, Question, prompt
from worldquiz.t2q.quiz.ask import guessed, infer, read_all, settled
from worldquiz.t2q.quiz.sheet import Sheet
from worldquiz.t2q.reader.graph import Graph, Reader, category
from worldquiz.t2q.world.spec import Task


class Idle(Agent):
    """Gives up at once: it never sees more than the first observation."""

    async def act(self, observation: Observation) -> str | None:
        """Give up."""
        return None


class Walkthrough(Agent):
    """Replays each task's walkthrough: an agent that always wins and never strays.

    It identifies tasks by their order: the n-th `begin` starts the world's n-th task.
    """

    def __init__(self, tasks: Sequence[Task]) -> None:
        self._plans = (task.walkthrough.commands for task in tasks)
        self._commands: Iterator[str] = iter(())

    async def begin(self, observation: Observation) -> None:
        """Start the next task's walkthrough."""
        self._commands = iter(next(self._plans))

    async def act(self, observation: Observation) -> str | None:
        """Return the walkthrough's next command, None after its last."""
        return next(self._commands, None)


class Random(Agent):
    """Picks at random among commands that the text suggests, with a bias for moving on.

    It reads the names of things in sight from the text, as a person would, and plans nothing.
    """

    def __init__(self, seed: int) -> None:
        self._rng: random.Random = rng.child(seed, "random player")
        self._reader = Reader()
        self._last: str | None = None

    async def begin(self, observation: Observation) -> None:
        """Look around."""
        self._reader.begin(observation)
        self._last = None

    async def act(self, observation: Observation) -> str | None:
        """Return a command; it never gives up."""
        if self._last is not None:
            self._reader.step(self._last, observation)
        weighted = plausible(self._reader)
        commands = sorted(weighted)
        weights = [weighted[command] for command in commands]
        self._last = self._rng.choices(commands, weights)[0]
        return self._last


def plausible(reader: Reader) -> dict[str, int]:
    """Return commands that make sense in the agent's room, each with its weight."""
    now, ways = reader.now, reader.graph.exits.get(reader.now.room, {})
    commands = {"look": 1, "inventory": 1}
    commands |= {f"go {way}": 6 for way, door in ways.items() if now.lids.get(door or "", True)}
    for thing in [*reader.doors(), *reader.furniture(now.room)]:
        commands |= _openable(reader, thing) if thing in now.lids else {f"examine {thing}": 1}
    for spot in reader.spots():
        source = "" if spot == now.room else f" from {spot}"
        commands |= {f"take {thing}{source}": 3 for thing in now.contents.get(spot, ())}
        if spot != now.room:
            link = "insert {} into {}" if spot in now.lids else "put {} on {}"
            commands |= {link.format(thing, spot): 1 for thing in now.carried}
    commands |= {f"drop {thing}": 1 for thing in now.carried}
    commands |= {f"eat {thing}": 1 for thing in now.carried if category(thing) == "food"}
    return commands


def _openable(reader: Reader, thing: str) -> dict[str, int]:
    """Return commands to try on a door or container, whose lock the text may not mention."""
    now = reader.now
    keys = [thing for thing in now.carried if category(thing) == "key"]
    commands = {f"examine {thing}": 1}
    if now.lids[thing]:
        return commands | {f"close {thing}": 1}
    is_locked = now.locks.get(thing)
    if is_locked is not False:
        commands |= {f"unlock {thing} with {key}": 4 for key in keys}
    if is_locked is not True:
        commands |= {f"lock {thing} with {key}": 1 for key in keys}
    return commands | {f"open {thing}": 1 if is_locked else 6}


class Abstainer:
    """Abstains from every question, which is right where the answer was never shown."""

    async def answer(self, prompt: Prompt) -> str:
        """Abstain."""
        return ABSTAIN


_COMMONEST = {
    "yes_no": "yes", "where": "kitchen", "what": "north",
    "description": "object",
}  # fmt: skip


class Constant:
    """Always gives the commonest answer of the question's format.

    The answers are "yes"; the first choice; "north" for a direction; "kitchen" for a place, since
    many worlds have one; and "object" for kinds of things, since it is the commonest kind.
    """

    async def answer(self, prompt: Prompt) -> str:
        """Return the commonest answer."""
        return prompt.choices[0] if prompt.choices else _COMMONEST[prompt.format]


class SheetReader:
    """Answers from the questions, objectives and first screen of a world.

    It never abstains, so its score measures how much these texts give away.
    """

    def __init__(self) -> None:
        self._sheet = Sheet()

    async def study(self, transcripts: Sequence[Transcript]) -> None:
        """Read the objectives and the first screen, and nothing else that an agent saw."""
        objectives = tuple(turns[0].observation.objective for turns in transcripts if turns)
        first = Reader.of(turns[:1] for turns in transcripts).graph
        self._sheet = replace(self._sheet, objectives=objectives, first=first)

    async def preview(self, prompts: Sequence[Prompt]) -> None:
        """Note all questions of the quiz."""
        self._sheet = replace(self._sheet, asked=read_all(prompts))

    async def answer(self, prompt: Prompt) -> str:
        """Return the likeliest answer, or the commonest if the question's wording is unknown."""
        found = guessed(self._sheet, prompt)
        return found.reply if found else await Constant().answer(prompt)


class WorldGraph:
    """Upper bound from observations alone: answers if they settle a question, else abstains."""

    def __init__(self) -> None:
        self._graph = Graph()

    async def study(self, transcripts: Sequence[Transcript]) -> None:
        """Read all that a player saw in this world, in the order played."""
        self._graph = Reader.of(transcripts).graph

    async def answer(self, prompt: Prompt) -> str:
        """Return the answer that the text settles, else "non-answerable"."""
        return settled(self._graph, prompt) or ABSTAIN


class Oracle:
    """Knows all answers and what the player was shown, so it is right about every question.

    It abstains exactly where the player was not shown enough to answer, so it is an upper bound by
    construction. Only the catalogue can make an oracle, from data that no agent gets.
    """

    def __init__(self, questions: Sequence[Question], evidence: Evidence) -> None:
        self._replies = {
            prompt(question): ABSTAIN
            if evidence.earliest(question.requires, infer) is None
            else question.gold
            for question in questions
        }

    async def answer(self, prompt: Prompt) -> str:
        """Return the right reply. Raises `KeyError` for a question from another quiz."""
        return self._replies[prompt]
