"""Solvers of inspect's tasks whose samples are asked once."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from inspect_ai.model import ModelOutput, get_model
from inspect_ai.solver import Generate, Solver, TaskState, solver

from worldquiz.llm.inspect_model import held_to, messages_of, read_output
from worldquiz.llm.model import Message

FormOf = Callable[[TaskState], Mapping[str, Any] | None]
"""Tells the JSON Schema that a sample's reply is held to, None for a free one."""


@solver
def shown(messages: Callable[[TaskState], Sequence[Message]]) -> Solver:
    """Put a sample's whole prompt before its solver, whichever that is: a task's setup."""

    async def solve(state: TaskState, generate: Generate) -> TaskState:
        state.messages = messages_of(messages(state))
        return state

    return solve


def _free(state: TaskState) -> None:
    """Hold a reply to no form."""


@solver
def asked(form: FormOf = _free) -> Solver:
    """Ask what `shown` shows, once: a task's own solver."""

    async def solve(state: TaskState, generate: Generate) -> TaskState:
        held = form(state)
        more: dict[str, Any] = {} if held is None else {"config": held_to(held)}
        state.output = await get_model().generate(state.messages, **more)
        if state.output.choices:
            state.messages.append(state.output.message)
        return state

    return solve


def said(output: ModelOutput) -> str:
    """Return a reply; none where the provider gave none."""
    reply = read_output(output)
    return reply.text if reply.given else ""
