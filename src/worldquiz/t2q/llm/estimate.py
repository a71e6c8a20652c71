"""What a run will take, before it is paid for: calls, tokens and cost, from the prompts themselves.

Every world is played with the real prompts and a stand-in for the model, three times. For the low
estimate it wins every task by its walkthrough; for the likely one it looks around for `PACE` times
as many commands, for the high one until no command is left. Low and high are then the least and the
greatest of the three, number by number. They are estimates, not bounds: a model that thinks writes
longer replies. What starts like the prompt before it counts as cached, by the providers' usual
rule: whole blocks of `BLOCK` tokens, from `LEAST` on.

What is not known beforehand has a typical value, divided by a factor for the low estimate and
multiplied by it for the high one (`SPREAD`): tokens of a prompt and of a reply; of memories that
call a model or embed, how much they ask their model (`TYPICAL`) and how much they recall
(`RECALLED`).

A few worlds that the model has played already say more than any of these figures (`like`): what
they took, by what they would have been estimated to take, corrects each number.
"""

from __future__ import annotations

import asyncio
import json
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from math import ceil, inf
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple, cast

from worldquiz.errors import RecordError
from worldquiz.facts.episode import Observation
from worldquiz.facts.question import prompt
from worldquiz.llm.estimate import CHARACTERS, ENDS, REPLY
from worldquiz.llm.extra import require
from worldquiz.llm.price import Price
from worldquiz.llm.records import TOKENS, Purpose, Usage
from worldquiz.llm.tokens import counter
from worldquiz.llm.usage import Counter
from worldquiz.memory import catalog as memories
from worldquiz.memory.base import Entry, Granularity, Memory, Recalled, Services
from worldquiz.memory.baselines import SUMMARY_LETTERS
from worldquiz.runs.executor import Done, silent
from worldquiz.runs.folder import read_manifest, world_folder
from worldquiz.runs.given import name_of
from worldquiz.t2q import pipeline as t2q
from worldquiz.t2q.agents.base import Agent, Brief
from worldquiz.t2q.agents.llm import LLM
from worldquiz.t2q.agents.scripted import Random, Walkthrough
from worldquiz.t2q.budget import PerTask, walkthrough
from worldquiz.t2q.llm.trial import Subject
from worldquiz.t2q.store import read_played
from worldquiz.t2q.suites import Suite

if TYPE_CHECKING:
    from inspect_ai.model import ChatMessageUser, Model, ModelOutput

BLOCK, LEAST = 128, 1024
"""Prompt caches hold whole blocks of tokens, and no prefix shorter than the least."""


PACE, PACES = 4.0, {"in-context": 1.4}
"""Commands that a model likely gives, by those of the walkthroughs; and with some memories.
Measured with the test server, whose model reads well and plans little."""
_SIDE = {"low": -1, "likely": 0, "high": 1}


class Spread(NamedTuple):
    """By what factor typical values are lower, and higher."""

    prompt: float = 1.4  # tokens of the same text, by tokenizer
    reply: float = 4.0
    memory: float = 2.0


SPREAD = Spread()


class Typical(NamedTuple):
    """What one addition to a memory takes of its model."""

    calls: float
    input: float  # tokens
    output: float  # tokens


TYPICAL = {
    "mem0": Typical(1, 9000, 95),
    "langmem": Typical(1, 2800, 60),
    "amem": Typical(2, 1350, 250),
    "arigraph": Typical(2, 500, 50),
}
"""Measured with the test server, at the granularity of steps; others are taken as amem."""
ASKED = {"amem": Typical(1, 110, 10), "arigraph": Typical(1, 150, 8)}
"""What one query takes of a memory's model: measured likewise; others ask nothing."""
GROWTH, TURN = 28, 190
"""Tokens by which each addition makes a summary longer, up to its bound, and tokens of the rest of
the prompt that has it rewritten: measured likewise."""
RECALLED = {
    "embedding": 1.2, "mem0": 1.2, "langmem": 1.2, "amem": 4.5, "arigraph": 0.4,
}  # fmt: skip
"""Length of what is recalled, as a multiple of the last k pieces: measured likewise; others 1."""


def estimate(
    suite: Suite,
    subject: Subject,
    price: Price | None,
    *,
    like: Path | None = None,
    tokenizer: str = f"chars/{CHARACTERS}",
    reply: int = REPLY,
    done: Done = silent,
) -> dict[str, Any]:
    """Return a low, a likely and a high estimate of a run, as the JSON contract states it.

    `like` is a run of the same suite, finished or not, in which a model has played some worlds;
    `tokenizer` is one of `llm.tokens`; a reply takes `reply` tokens, thinking among them. Raises
    `RecordError` where the run is of another suite or no world of it is finished, and `KnobError`
    for a tokenizer that is not to be had.
    """
    require()
    sizes = Sizes(_characters(suite, tokenizer), reply)
    pilot = Pilot(PACES.get(name_of(subject.memory), PACE))
    if like:
        pilot = Pilot.of(like, suite, subject, sizes)
    sums: dict[str, dict[Purpose, Usage]] = {name: {} for name in ENDS}
    for world in suite.worlds:
        for name, usages in _world(suite, world, subject, sizes, pilot, price).items():
            for usage in usages:
                known = sums[name].get(usage.purpose)
                sums[name][usage.purpose] = known + usage if known else usage
        done(world)
    return {
        "worlds": len(suite.worlds),
        "memory": name_of(subject.memory),
        **{name: _told(list(sums[name].values())) for name in sums},
        "assumes": {
            "characters_per_token": round(sizes.characters, 2),
            "tokens_per_reply": reply,
            "commands_per_walkthrough": round(pilot.pace, 2),
            "like": str(like) if like else None,
        },
    }


@dataclass(frozen=True, slots=True)
class Sizes:
    """What texts and replies take."""

    characters: float  # a token of a prompt
    reply: float  # tokens

    def at(self, side: int) -> Sizes:
        """Return what makes an estimate lower (-1) or higher (1); 0 is as it is."""
        return Sizes(self.characters / SPREAD.prompt**side, self.reply * SPREAD.reply**side)


def _characters(suite: Suite, tokenizer: str) -> float:
    """Return the characters a token of what the walkthroughs of the first world tell."""
    count = counter(tokenizer)
    bundle = suite.bundle(suite.worlds[0])
    guide = Walkthrough(Brief(bundle.spec, bundle.tasks, bundle.questions, 0))
    with suite.opened(bundle) as game:
        episodes = asyncio.run(
            t2q.interact(game, guide, bundle.tasks, seed=0, name="estimate", budget=PerTask())
        )
    text = "".join(turn.observation.text for each in episodes for turn in each.transcript)
    return len(text) / count(text)


Share = dict[tuple[Purpose, str], float]


@dataclass(frozen=True, slots=True)
class Pilot:
    """What some worlds that a model has played say of the others."""

    pace: float
    share: Share = field(default_factory=dict)  # taken by estimated, of a purpose and a number

    @classmethod
    def of(cls, run: Path, suite: Suite, subject: Subject, sizes: Sizes) -> Pilot:
        """Compare what the worlds of a run took with what they are estimated to take."""
        manifest = read_manifest(run, "run", "run of a model")
        if manifest.get("suite") != suite.digest:
            raise RecordError(f"{run}: is no run on {suite.path}: give one of the same suite")
        played = [
            read_played(world_folder(run, world))
            for world in suite.worlds
            if world_folder(run, world).is_dir()
        ]
        took = [usage for each in played for usage in each.trace.usage]
        if not took:
            raise RecordError(f"{run}: no world of it was finished by a model: it tells nothing")
        given = sum(len(episode.steps) - 1 for each in played for episode in each.episodes)
        pace = given / max(1, sum(walkthrough(each.bundle.tasks) for each in played))
        said = [
            usage
            for each in played
            for usage in _world(suite, each.bundle.spec.id, subject, sizes, cls(pace), None)[
                "likely"
            ]
        ]
        return cls(pace, dict(_shares(took, said)))

    def corrected(self, usage: Usage) -> Usage:
        """Return an estimate multiplied by what the pilot took of its own."""
        numbers = {
            name: round(getattr(usage, name) * self.share.get((usage.purpose, name), 1.0))
            for name in TOKENS
        }
        return Usage(usage.purpose, **numbers)


def _shares(
    took: Sequence[Usage], said: Sequence[Usage]
) -> Iterator[tuple[tuple[Purpose, str], float]]:
    """Yield what was taken by what was said, of each purpose and number that was said."""
    for purpose in {usage.purpose for usage in said}:
        for name in TOKENS:
            sums = [
                sum(getattr(usage, name) for usage in some if usage.purpose is purpose)
                for some in (took, said)
            ]
            if sums[1]:
                yield (purpose, name), sums[0] / sums[1]


def _world(
    suite: Suite, world: str, subject: Subject, sizes: Sizes, pilot: Pilot, price: Price | None
) -> dict[str, list[Usage]]:
    """Return what a world takes, at the least, likely and at the most."""
    plays = [
        [_priced(pilot.corrected(usage), price) for usage in usages]
        for usages in (asyncio.run(_play(suite, world, subject, sizes, pilot, end)) for end in ENDS)
    ]
    return {
        "low": [_chosen(min, some) for some in zip(*plays, strict=True)],
        "likely": plays[1],
        "high": [_chosen(max, some) for some in zip(*plays, strict=True)],
    }


def _priced(usage: Usage, price: Price | None) -> Usage:
    return replace(usage, cost=price.of(usage) if price else None)


def _chosen(choose: Callable[[Iterable[Any]], Any], some: Sequence[Usage]) -> Usage:
    """Return usage whose every number is chosen among those of all plays."""
    tokens = {name: choose(getattr(usage, name) for usage in some) for name in TOKENS}
    costs = [usage.cost for usage in some if usage.cost is not None]
    return Usage(some[0].purpose, **tokens, cost=choose(costs) if costs else None)


def _told(usages: Sequence[Usage]) -> dict[str, Any]:
    """Return sums, and their parts by purpose."""
    return {**_sum(usages), "by_purpose": {str(usage.purpose): _sum([usage]) for usage in usages}}


def _sum(usages: Sequence[Usage]) -> dict[str, Any]:
    costs = [usage.cost for usage in usages if usage.cost is not None]
    tokens = {name: sum(getattr(usage, name) for usage in usages) for name in TOKENS}
    return tokens | {"cost": sum(costs) if costs else None}


async def _play(
    suite: Suite, world: str, subject: Subject, sizes: Sizes, pilot: Pilot, end: str
) -> list[Usage]:
    """Play one world with a stand-in, and return what its prompts amount to."""
    bundle = suite.bundle(world)
    brief = Brief(bundle.spec, bundle.tasks, bundle.questions, 0)
    side = _SIDE[end]
    teller, counter = _Teller(sizes.at(side)), Counter()
    memory = _memory(subject, world, SPREAD.memory**side)
    model = counter.counting(cast("Model", teller))
    llm = LLM(model, memory, subject.wiring, subject.options)
    guide: Agent = Walkthrough(brief)
    if end != "low" and subject.acts:
        guide = _Wanderer(brief, pilot.pace if end == "likely" else inf)
    agent: Agent = _Shown(guide, llm, teller) if subject.acts else guide
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
    spread = SPREAD.memory**side
    asked = memory.asked if isinstance(memory, _Last) else 0
    return [*counter.usage(), *_added(subject.memory, adds * spread, asked * spread)]


def _memory(subject: Subject, world: str, spread: float) -> Memory:
    """Return the memory itself where it calls nothing, else one that is typical."""
    entry = memories.entry(subject.memory)
    if entry.calls_model or entry.embeds:
        return _Last(subject.wiring.k, RECALLED.get(entry.name, 1.0) * spread)
    nothing = cast("Model", None)
    return memories.memory(subject.memory, Services(nothing, None, world, subject.wiring))


class _Last:
    """A memory that recalls the last k pieces, or text of so many `times` their length."""

    def __init__(self, k: int, times: float) -> None:
        self._k, self._times = k, times
        self._pieces: list[str] = []
        self.asked = 0

    async def add(self, entry: Entry) -> None:
        self._pieces.append(entry.text)

    async def recall(self, query: str) -> Recalled:
        self.asked += 1
        text = "".join(self._pieces[-self._k :])
        return Recalled(((text * ceil(self._times))[: round(len(text) * self._times)],))


def _added(memory: object, adds: float, asked: float) -> list[Usage]:
    """Return what numbers of additions and queries take of a model, if the memory calls one."""
    if not memories.entry(memory).calls_model:
        return []
    if name_of(memory) == "summary":
        written = sum(
            min(SUMMARY_LETTERS / CHARACTERS, GROWTH * n) for n in range(1, round(adds) + 1)
        )
        return [Usage(Purpose.MEMORY, round(adds), round(written + TURN * adds), 0, round(written))]
    name = name_of(memory)
    added, query = TYPICAL.get(name, TYPICAL["amem"]), ASKED.get(name, Typical(0, 0, 0))
    calls, input, output = (
        round(adds * one + asked * other) for one, other in zip(added, query, strict=True)
    )
    return [Usage(Purpose.MEMORY, calls, input, 0, output)]


class _Teller:
    """Stands in for the model: gives the command that it is told, and says what prompts take."""

    def __init__(self, sizes: Sizes) -> None:
        self.command = ""
        self._sizes, self._before = sizes, ""

    async def generate(self, messages: Sequence[ChatMessageUser]) -> ModelOutput:
        from inspect_ai.model import ModelOutput, ModelUsage

        text = "".join(message.text for message in messages)
        blocks = int(_shared(self._before, text) / self._sizes.characters) // BLOCK * BLOCK
        cached = blocks if blocks >= LEAST else 0
        self._before = text
        reply = {"reason": "", "command": self.command, "answer": "no"}
        output = ModelOutput.from_content("estimate", json.dumps(reply))
        output.usage = ModelUsage(
            input_tokens=round(len(text) / self._sizes.characters) - cached,
            input_tokens_cache_read=cached,
            output_tokens=round(self._sizes.reply),
        )
        return output


class _Wanderer:
    """Looks around at random, for so many `times` the commands of each task's walkthrough.

    It leaves out what ends the walkthrough, so that it does not win by accident.
    """

    def __init__(self, brief: Brief, times: float) -> None:
        self._random = Random(brief.seed)
        self._walkthroughs = iter([task.walkthrough.commands for task in brief.tasks])
        self._times, self._left, self._last = times, 0.0, ""

    async def begin(self, observation: Observation) -> None:
        commands = next(self._walkthroughs)
        self._left, self._last = len(commands) * self._times, _goal(commands[-1])
        await self._random.begin(observation)

    async def act(self, observation: Observation) -> str | None:
        self._left -= 1
        if self._left < 0:
            return None
        command = await self._random.act(observation)
        return command if command and not command.startswith(self._last) else "look"

    async def end(self, observation: Observation) -> None:
        await self._random.end(observation)


def _goal(command: str) -> str:
    """Return how all commands begin that do the same as a walkthrough's last one."""
    return "go " if command.startswith("go ") else re.split(" (?:from|with|into|on) ", command)[0]


class _Shown:
    """The model's agent, shown what to do by another agent."""

    def __init__(self, guide: Agent, llm: LLM, teller: _Teller) -> None:
        self._guide, self._llm, self._teller = guide, llm, teller

    async def begin(self, observation: Observation) -> None:
        await self._guide.begin(observation)
        await self._llm.begin(observation)

    async def act(self, observation: Observation) -> str | None:
        command = await self._guide.act(observation)
        if command is None:
            return None
        self._teller.command = command
        return await self._llm.act(observation)

    async def end(self, observation: Observation) -> None:
        await self._guide.end(observation)
        await self._llm.end(observation)


def _shared(one: str, other: str) -> int:
    """Return how many characters two texts start with alike, by halving."""
    low, high = 0, min(len(one), len(other))
    while low < high:
        middle = (low + high + 1) // 2
        low, high = (middle, high) if one[low:middle] == other[low:middle] else (low, middle - 1)
    return low
