"""Prompts of MANGO's further tasks asked through inspect: replies are kept, and asked for once.

A sample says by its id what it asks; what that is, in which words, is in a `Sheet`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Generic, Protocol, TypeVar

from inspect_ai.model import ChatMessageUser, ModelOutput, get_model
from inspect_ai.solver import Generate, Solver, TaskState, solver

from worldquiz.llm.records import Purpose, Usage
from worldquiz.llm.usage import Counter
from worldquiz.mango.running.replies import Item, key_of, spent
from worldquiz.mango.running.task import journal, said


class Prompted(Item, Protocol):
    """Something that is asked, and what a line of replies says of it."""

    def about(self) -> dict[str, Any]:
        """Return ``game``, ``task``, ``id`` and what else tells what was asked."""
        ...


I = TypeVar("I", bound=Prompted)  # noqa: E741


@dataclass(frozen=True)
class Sheet(Generic[I]):
    """What an inspect task asks."""

    items: Mapping[str, I]  # by the sample's id
    prompt: Callable[[I], str]

    def item(self, state: TaskState) -> I:
        """Return what a sample asks."""
        return self.items[str(state.sample_id)]


@dataclass(frozen=True, slots=True)
class Replied:
    """One reply."""

    item: Prompted
    reply: str
    status: str | None  # "overflow" or "filtered" where the provider gave no answer
    usage: Usage

    def line(self) -> dict[str, Any]:
        """Return it as a line of replies."""
        return {
            **self.item.about(), "reply": self.reply, "status": self.status,
            "usage": spent(self.usage),
        }  # fmt: skip


@solver
def told(sheet: Sheet[Any]) -> Solver:
    """Ask what a sample asks, unless its reply is kept already."""

    async def solve(state: TaskState, generate: Generate) -> TaskState:
        item, kept = sheet.item(state), journal.get()
        if kept is not None and kept.has(item):
            line = kept.lines[key_of(item)]
            state.output = ModelOutput.from_content(str(state.model), line["reply"])
            return state
        counter = Counter()
        model = counter.counting(get_model(), Purpose.QUIZ)
        state.output = await model.generate([ChatMessageUser(content=sheet.prompt(item))])
        reply, status = said(state.output)
        if kept is not None:
            used = next(iter(counter.usage()), Usage(Purpose.QUIZ))
            kept.add(Replied(item, reply, status, used))
        return state

    return solve
