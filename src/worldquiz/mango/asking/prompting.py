"""MANGO's prompts asked through inspect: replies are kept, and asked for once.

A sample says by its id what it asks; what that is, in which words, is in `Prompts`.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from inspect_ai.model import ChatMessage, ChatMessageSystem, ChatMessageUser
from inspect_ai.solver import Generate, Solver, TaskState, solver

from worldquiz.llm.asking import once
from worldquiz.mango.asking.prompts import I, Prompts


def item_of(prompts: Prompts[I], state: TaskState) -> I:
    """Return what a sample asks."""
    return prompts.items[str(state.sample_id)]


@solver
def told(prompts: Prompts[Any]) -> Solver:
    """Ask what a sample asks, unless its reply is kept already."""

    async def solve(state: TaskState, generate: Generate) -> TaskState:
        item = item_of(prompts, state)

        def messages() -> Sequence[ChatMessage]:
            system = prompts.system(item)
            before = [ChatMessageSystem(content=system)] if system else []
            return [*before, ChatMessageUser(content=prompts.text(item))]

        return await once(state, prompts.about(item), messages)

    return solve
