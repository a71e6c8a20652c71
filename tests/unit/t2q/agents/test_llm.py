"""The model's agent: what it asks, what it makes of replies, what it lets memory know."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from itertools import pairwise
from typing import Any, cast

import pytest

from worldquiz.facts.episode import Observation, Turn
from worldquiz.facts.question import Format, Prompt
from worldquiz.facts.requirement import Moment
from worldquiz.llm.calls import Counter
from worldquiz.llm.model import OVERFLOW, Completion, Message, Model, Status
from worldquiz.memory.base import Entry, Memory, Recalled
from worldquiz.memory.baselines import InContext
from worldquiz.t2q.agents.llm import LLM
from worldquiz.t2q.settings import T2QSettings

FULL = ("context length exceeded", OVERFLOW)


def seen(text: str, *, done: bool = False) -> Observation:
    return Observation(text, "You are carrying nothing.", int(done), done, "Win.")


class Told:
    """A model that gives these replies, one after the other."""

    def __init__(self, *replies: str | tuple[str, str], marks: bool = False) -> None:
        self._replies, self.marks = list(replies), marks
        self.prompts: list[str] = []
        self.sent: list[Message] = []

    async def generate(self, messages: Sequence[Message], form: object = None) -> Completion:
        [message] = messages
        self.sent.append(message)
        content = message["content"]
        parts = [content] if isinstance(content, str) else [part["text"] for part in content]
        self.prompts.append("".join(parts))
        reply = self._replies.pop(0)
        return Completion(reply) if isinstance(reply, str) else Completion(*reply)


class Notebook:
    """A memory that recalls what it was asked."""

    def __init__(self) -> None:
        self.entries: list[Entry] = []
        self.queries: list[str] = []

    async def add(self, entry: Entry) -> None:
        self.entries.append(entry)

    async def recall(self, query: str) -> Recalled:
        self.queries.append(query)
        return Recalled((f"note {len(self.entries)}\n",))


def agent(model: Told, memory: Memory, **given: Any) -> LLM:
    return LLM(Counter(), cast("Model", model), memory, T2QSettings(model="m", **given))


async def play(llm: LLM, *texts: str) -> list[str]:
    """Show one task's observations; the last one ends it."""
    await llm.begin(seen(texts[0]))
    commands = [await llm.act(seen(text)) for text in texts[:-1]]
    await llm.end(seen(texts[-1], done=True))
    return commands


def command(text: str) -> str:
    return f'{{"reason": "so", "command": "{text}"}}'


def test_a_task_is_played_and_remembered_to_its_end() -> None:
    model, memory = Told(command("go east"), command("take hat")), Notebook()
    llm = agent(model, memory)
    assert asyncio.run(play(llm, "hall", "attic", "won")) == ["go east", "take hat"]
    assert [turn for entry in memory.entries for turn in entry.turns] == [
        (Moment(0, 0), Turn(None, seen("hall"))),
        (Moment(0, 1), Turn("go east", seen("attic"))),
        (Moment(0, 2), Turn("take hat", seen("won", done=True))),
    ]
    assert [move.moment for move in llm.moves] == [Moment(0, 1), Moment(0, 2)]


def test_memory_is_asked_before_it_is_told() -> None:
    model, memory = Told(command("a"), command("b")), Notebook()
    asyncio.run(play(agent(model, memory), "hall", "attic", "won"))
    assert "note 0" in model.prompts[0]
    assert "note 1" in model.prompts[1]
    assert memory.queries == ["hall", "attic"]


def test_whole_tasks_are_told_at_their_end() -> None:
    model, memory = Told(command("a"), command("b")), Notebook()
    asyncio.run(play(agent(model, memory, granularity="task"), "x", "y", "won"))
    assert [len(entry.turns) for entry in memory.entries] == [3]


@pytest.mark.parametrize("memory", [Notebook(), InContext()])
def test_turns_that_memory_was_not_told_are_shown(memory: Memory) -> None:
    model = Told(command("a"), command("b"))
    asyncio.run(play(agent(model, memory, granularity="task"), "x", "y", "won"))
    assert "[task 1, step 0]\nx\nInventory: You are carrying nothing.\n" in model.prompts[1]


def test_the_history_in_context_grows_at_its_end() -> None:
    model = Told(*map(command, "abcd"))
    llm = agent(model, InContext())
    asyncio.run(play(llm, "x", "y", "z", "won"))
    asyncio.run(play(llm, "x", "won"))
    contexts = [prompt.partition("Observation:")[0].rstrip() for prompt in model.prompts]
    assert all(one in other for one, other in pairwise(contexts))
    assert "[task 1, step 3] > c\nwon\n" in contexts[-1]


def test_cache_boundaries_go_to_providers_that_take_them() -> None:
    marked, plain = (Told(*map(command, "ab"), marks=marks) for marks in (True, False))
    for model in (marked, plain):
        asyncio.run(play(agent(model, InContext()), "x", "y", "won"))
    parts = marked.sent[-1]["content"]
    assert 1 <= sum(bool(part["cache_breakpoint"]) for part in parts) <= 3
    assert not parts[-1]["cache_breakpoint"]
    assert plain.sent[-1]["content"] == "".join(part["text"] for part in parts)


def test_a_reply_without_a_command_is_a_wasted_step() -> None:
    llm = agent(Told("I shall go east."), Notebook())
    assert asyncio.run(play(llm, "hall", "hall")) == [""]
    assert (llm.moves[0].status, llm.moves[0].raw) == (Status.UNREADABLE, "I shall go east.")


def test_a_full_window_makes_memory_leave_out_its_oldest_turns() -> None:
    model = Told(*map(command, "abcd"), FULL, FULL, command("e"))
    llm = agent(model, InContext())
    assert asyncio.run(play(llm, "p", "q", "r", "s", "t", "won"))[-1] == "e"
    assert [move.left_out for move in llm.moves] == [0, 0, 0, 0, 2]
    assert "[task 1, step 0]" not in model.prompts[-1]


def answers(llm: LLM, *prompts: Prompt) -> list[str | None]:
    return asyncio.run(llm.answers(prompts))


WHERE, IS = Prompt("Where was the hat?", Format.WHERE), Prompt("Was it?", Format.YES_NO)


def test_answers_are_read_and_their_contexts_kept_once() -> None:
    llm = agent(Told('{"answer": "attic"}', '{"answer": true}'), InContext())
    assert answers(llm, WHERE, IS) == ["attic", "yes"]
    assert [reply.status for reply in llm.replies if reply] == [Status.CLEAN, Status.CLEAN]
    assert [llm.contexts[reply.context].text for reply in llm.replies if reply] == ["", ""]
    assert len(llm.contexts) == 1


def test_another_players_transcripts_are_studied() -> None:
    transcript = (Turn(None, seen("hall")), Turn("go east", seen("attic")))
    memory = Notebook()
    llm = agent(Told(), memory)
    asyncio.run(llm.study([transcript, transcript]))
    assert [entry.turns[0][0] for entry in memory.entries] == [
        Moment(0, 0), Moment(0, 1), Moment(1, 0), Moment(1, 1),
    ]  # fmt: skip


def test_a_batch_is_read_by_number() -> None:
    reply = '{"answers": [{"question": 2, "answer": "no"}, {"question": 1, "answer": "attic"}]}'
    llm = agent(Told(reply, '{"answers": ["yes"]}'), Notebook(), batch=2)
    assert answers(llm, WHERE, IS, IS) == ["attic", "no", "yes"]
    assert [reply.status for reply in llm.replies if reply] == [Status.CLEAN] * 3
