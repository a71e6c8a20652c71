"""What a run will take, before it is paid for: calls, tokens and cost, from the prompts themselves.

Every world is played with the real prompts and a stand-in for the model, twice: an agent wins every
task by its walkthrough, and one stops short of winning and looks around up to the step limit. Low
and high are the lesser and the greater of the two, number by number. They are estimates, not
bounds: an agent that wanders reads other texts, and one that thinks writes longer replies. Prompts
are counted at `CHARACTERS` a token, replies at `REPLY` tokens. What starts like the prompt before
it counts as cached, by the providers' usual rule: whole blocks of `BLOCK` tokens, from `LEAST` on.

Of memories that call a model or embed only what they were measured to take is known: how much they
ask their model (`TYPICAL`), and how long what they recall is (`RECALLED`).
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from math import ceil
from typing import TYPE_CHECKING, Any, NamedTuple, cast

from worldquiz.facts.episode import Observation
from worldquiz.facts.question import prompt
from worldquiz.llm.estimate import CHARACTERS, REPLY
from worldquiz.llm.extra import require
from worldquiz.llm.price import Price
from worldquiz.llm.records import TOKENS, Purpose, Usage
from worldquiz.llm.usage import Counter
from worldquiz.runs.executor import Done, silent
from worldquiz.runs.given import name_of
from worldquiz.t2q import pipeline as t2q
from worldquiz.t2q.agents.base import Agent, Brief
from worldquiz.t2q.agents.llm import LLM
from worldquiz.t2q.agents.scripted import Walkthrough
from worldquiz.t2q.llm.trial import Subject
from worldquiz.t2q.memory import catalog as memories
from worldquiz.t2q.memory.base import Entry, Granularity, Memory, Recalled, Services
from worldquiz.t2q.suites import Suite

if TYPE_CHECKING:
    from inspect_ai.model import ChatMessageUser, Model, ModelOutput

BLOCK, LEAST = 128, 1024
"""Prompt caches hold whole blocks of tokens, and no prefix shorter than the least."""


_PLAYS = (False, True)  # on to the step limit?
_ENDS: dict[str, Callable[[Any, Any], Any]] = {"low": min, "high": max}


class Typical(NamedTuple):
    """What one addition to a memory takes of its model."""

    calls: float
    input: float  # tokens
    output: float  # tokens


TYPICAL = {
    "summary": Typical(1, 830, 650),
    "mem0": Typical(1, 9000, 120),
    "langmem": Typical(1, 2800, 120),
    "amem": Typical(2, 970, 206),
    "arigraph": Typical(1.8, 470, 102),
}
"""Measured with the test server, at the granularity of steps; other memories are taken as amem."""
RECALLED = {"embedding": 1.2, "mem0": 1.2, "langmem": 1.2, "amem": 3.0, "arigraph": 1.6}
"""Length of what is recalled, as a multiple of the last k pieces: measured likewise; others 1."""


def estimate(
    suite: Suite, subject: Subject, price: Price | None, *, done: Done = silent
) -> dict[str, Any]:
    """Return a low and a high estimate of what a run takes, as the JSON contract states it."""
    suite.require_games()
    require()
    sums: dict[str, dict[Purpose, Usage]] = {name: {} for name in _ENDS}
    for world in suite.worlds:
        plays = [_priced(asyncio.run(_world(suite, world, subject, on=on)), price) for on in _PLAYS]
        for name, choose in _ENDS.items():
            for pair in zip(*plays, strict=True):
                usage = _chosen(choose, *pair)
                known = sums[name].get(usage.purpose)
                sums[name][usage.purpose] = known + usage if known else usage
        done(world)
    return {
        "worlds": len(suite.worlds),
        "memory": name_of(subject.memory),
        **{name: _told(list(sums[name].values())) for name in sums},
        "assumes": {"characters_per_token": CHARACTERS, "tokens_per_reply": REPLY},
    }


def _priced(usages: Iterable[Usage], price: Price | None) -> list[Usage]:
    return [replace(usage, cost=price.of(usage) if price else None) for usage in usages]


def _chosen(choose: Callable[[Any, Any], Any], one: Usage, other: Usage) -> Usage:
    """Return usage whose every number is chosen between those of two plays."""
    tokens = {name: choose(getattr(one, name), getattr(other, name)) for name in TOKENS}
    cost = None if one.cost is None else choose(one.cost, other.cost)
    return Usage(one.purpose, **tokens, cost=cost)


def _told(usages: Sequence[Usage]) -> dict[str, Any]:
    """Return sums, and their parts by purpose."""
    return {**_sum(usages), "by_purpose": {str(usage.purpose): _sum([usage]) for usage in usages}}


def _sum(usages: Sequence[Usage]) -> dict[str, Any]:
    costs = [usage.cost for usage in usages if usage.cost is not None]
    tokens = {name: sum(getattr(usage, name) for usage in usages) for name in TOKENS}
    return tokens | {"cost": sum(costs) if costs else None}


async def _world(suite: Suite, world: str, subject: Subject, *, on: bool) -> list[Usage]:
    """Play one world with a stand-in, and return what its prompts amount to.

    It wins by the walkthroughs, or goes `on` to the step limit.
    """
    bundle = suite.bundle(world)
    brief = Brief(bundle.spec, bundle.tasks, bundle.questions, 0)
    teller, counter, memory = _Teller(), Counter(), _memory(subject, world)
    model = counter.counting(cast("Model", teller))
    llm = LLM(model, memory, subject.wiring, subject.options)
    shown = _Shown(Walkthrough(brief), llm, teller, on=on)
    agent: Agent = shown if subject.acts else Walkthrough(brief)
    with suite.opened(bundle) as game:
        episodes = await t2q.interact(
            game, agent, bundle.tasks, seed=0, name="estimate", budget=subject.budget
        )
    counter.purpose = Purpose.QUIZ
    if subject.answers:
        await llm.study([episode.transcript for episode in episodes])
        await llm.answers([prompt(question) for question in bundle.questions])
    whole_tasks = subject.wiring.granularity is Granularity.TASK
    adds = sum(1 if whole_tasks else len(episode.transcript) for episode in episodes)
    return [*counter.usage(), *_added(subject.memory, adds)]


def _memory(subject: Subject, world: str) -> Memory:
    """Return the memory itself where it calls nothing, else one that is typical."""
    entry = memories.entry(subject.memory)
    if entry.calls_model or entry.embeds:
        return _Last(subject.wiring.k, RECALLED.get(entry.name, 1.0))
    nothing = cast("Model", None)
    return memories.memory(subject.memory, Services(nothing, None, world, subject.wiring))


class _Last:
    """A memory that recalls the last k pieces, or text of so many `times` their length."""

    def __init__(self, k: int, times: float) -> None:
        self._k, self._times = k, times
        self._pieces: list[str] = []

    async def add(self, entry: Entry) -> None:
        self._pieces.append(entry.text)

    async def recall(self, query: str) -> Recalled:
        text = "".join(self._pieces[-self._k :])
        return Recalled(((text * ceil(self._times))[: round(len(text) * self._times)],))


def _added(memory: object, adds: int) -> list[Usage]:
    """Return what a number of additions take of a model, if the memory calls one."""
    if not memories.entry(memory).calls_model:
        return []
    calls, input, output = TYPICAL.get(name_of(memory), TYPICAL["amem"])
    return [
        Usage(Purpose.MEMORY, round(adds * calls), round(adds * input), 0, round(adds * output))
    ]


class _Teller:
    """Stands in for the model: gives the command that it is told, and says what prompts take."""

    def __init__(self) -> None:
        self.command = ""
        self._before = ""

    async def generate(self, messages: Sequence[ChatMessageUser]) -> ModelOutput:
        from inspect_ai.model import ModelOutput, ModelUsage

        text = "".join(message.text for message in messages)
        blocks = int(_shared(self._before, text) / CHARACTERS) // BLOCK * BLOCK
        cached = blocks if blocks >= LEAST else 0
        self._before = text
        reply = {"reason": "", "command": self.command, "answer": "no"}
        output = ModelOutput.from_content("estimate", json.dumps(reply))
        output.usage = ModelUsage(
            input_tokens=round(len(text) / CHARACTERS) - cached,
            input_tokens_cache_read=cached,
            output_tokens=REPLY,
        )
        return output


class _Shown:
    """The model's agent, shown what to do: the walkthrough, or all but its end and then looking."""

    def __init__(self, guide: Walkthrough, llm: LLM, teller: _Teller, *, on: bool) -> None:
        self._guide, self._llm, self._teller, self._on = guide, llm, teller, on
        self._next: str | None = None  # the walkthrough's next command; None after its last

    async def begin(self, observation: Observation) -> None:
        await self._guide.begin(observation)
        self._next = await self._guide.act(observation)
        await self._llm.begin(observation)

    async def act(self, observation: Observation) -> str | None:
        command, self._next = self._next, await self._guide.act(observation)
        wins = self._on and self._next is None  # a walkthrough's last command does
        self._teller.command = "look" if wins or command is None else command
        return await self._llm.act(observation)

    async def end(self, observation: Observation) -> None:
        await self._llm.end(observation)


def _shared(one: str, other: str) -> int:
    """Return how many characters two texts start with alike, by halving."""
    low, high = 0, min(len(one), len(other))
    while low < high:
        middle = (low + high + 1) // 2
        low, high = (middle, high) if one[low:middle] == other[low:middle] else (low, middle - 1)
    return low
