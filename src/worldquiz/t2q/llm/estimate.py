"""What a run will take, before it is paid for: calls, tokens and cost, from the prompts themselves.

Every world is played with the real prompts and a stand-in for the model, twice: along the
walkthroughs (the least that an agent who wins everything can need), and on to the step limit of
every task (the most that a run can need). Prompts are counted at `CHARACTERS` a token, replies at
`REPLY` tokens. What starts like the prompt before it counts as cached, by the providers' usual
rule: whole blocks of `BLOCK` tokens, from `LEAST` on.

Of memories that call a model themselves only what they were measured to take is known (`TYPICAL`);
what they recall is taken to be as long as the last k pieces that they were given.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import Sequence
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


def estimate(
    suite: Suite, subject: Subject, price: Price | None, *, done: Done = silent
) -> dict[str, Any]:
    """Return the least and the most that a run takes, as the JSON contract states it."""
    suite.require_games()
    require()
    sums: dict[str, dict[Purpose, Usage]] = {"low": {}, "high": {}}
    for world in suite.worlds:
        for name, whole in (("low", False), ("high", True)):
            for usage in asyncio.run(_world(suite, world, subject, whole=whole)):
                known = sums[name].get(usage.purpose)
                sums[name][usage.purpose] = known + usage if known else usage
        done(world)
    return {
        "worlds": len(suite.worlds),
        "memory": name_of(subject.memory),
        **{name: _told(list(sums[name].values()), price) for name in sums},
        "assumes": {"characters_per_token": CHARACTERS, "tokens_per_reply": REPLY},
    }


def _told(usages: Sequence[Usage], price: Price | None) -> dict[str, Any]:
    """Return sums, and their parts by purpose."""
    parts = {str(usage.purpose): _one([usage], price) for usage in usages}
    return {**_one(usages, price), "by_purpose": parts}


def _one(usages: Sequence[Usage], price: Price | None) -> dict[str, Any]:
    cost = sum(price.of(usage) for usage in usages) if price else None
    return {name: sum(getattr(usage, name) for usage in usages) for name in TOKENS} | {"cost": cost}


async def _world(suite: Suite, world: str, subject: Subject, *, whole: bool) -> list[Usage]:
    """Play one world with a stand-in, and return what its prompts amount to."""
    bundle = suite.bundle(world)
    brief = Brief(bundle.spec, bundle.tasks, bundle.questions, 0)
    teller, counter, memory = _Teller(), Counter(), _memory(subject, world)
    model = counter.counting(cast("Model", teller))
    llm = LLM(model, memory, subject.wiring, subject.options)
    shown = _Shown(Walkthrough(brief), llm, teller, on=whole)
    agent: Agent = shown if subject.acts else Walkthrough(brief)
    with suite.opened(bundle) as game:
        episodes = await t2q.interact(
            game, agent, bundle.tasks, seed=0, name="estimate", max_steps=subject.max_steps
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
        return _Last(subject.wiring.k)
    nothing = cast("Model", None)
    return memories.memory(subject.memory, Services(nothing, None, world, subject.wiring))


class _Last:
    """A memory that recalls the last k pieces."""

    def __init__(self, k: int) -> None:
        self._k = k
        self._pieces: list[str] = []

    async def add(self, entry: Entry) -> None:
        self._pieces.append(entry.text)

    async def recall(self, query: str) -> Recalled:
        return Recalled(("".join(self._pieces[-self._k :]),))


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
    """The model's agent, shown what to do: the walkthrough, and on to the step limit if asked."""

    def __init__(self, guide: Walkthrough, llm: LLM, teller: _Teller, *, on: bool) -> None:
        self._guide, self._llm, self._teller, self._on = guide, llm, teller, on

    async def begin(self, observation: Observation) -> None:
        await self._guide.begin(observation)
        await self._llm.begin(observation)

    async def act(self, observation: Observation) -> str | None:
        self._teller.command = "look" if self._on else await self._guide.act(observation) or "look"
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
