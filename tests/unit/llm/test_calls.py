"""The calls of a run: replies are given again for the same prompts, and limits hold."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from worldquiz.facts.row import Usage
from worldquiz.llm.calls import Calls, Meter, made
from worldquiz.llm.model import Completion, FunctionCall, Message, user
from worldquiz.runs.losses import LimitReached

TEXTS = st.lists(st.text(max_size=9), min_size=1, max_size=6)


class Echo:
    """A model whose reply follows from its prompt; `asked` are the prompts that reached it."""

    marks = False

    def __init__(self) -> None:
        self.asked: list[str] = []

    async def generate(self, messages: Sequence[Message], **how: Any) -> Completion:
        prompt = messages[0]["content"]
        self.asked.append(prompt)
        call = FunctionCall("1", prompt, {"a": [1]}, '{"a": [1]}')
        return Completion(f"to {prompt}", "tool_calls", (call,), Usage(1, 3, 1, 2, 0.5))

    async def close(self) -> None: ...


def asked(folder: Path, *prompts: str) -> tuple[list[Completion], list[str]]:
    """Ask some prompts in a unit; return the replies, and the prompts that reached the model."""
    echo = Echo()
    model = Calls(folder, "unit/1").counting(echo)

    async def ask() -> list[Completion]:
        return [await model.generate([user(prompt)]) for prompt in prompts]

    return asyncio.run(ask()), echo.asked


@given(TEXTS, TEXTS)
def test_replies_are_given_again(
    tmp_path_factory: pytest.TempPathFactory, before: list[str], after: list[str]
) -> None:
    folder = tmp_path_factory.mktemp("calls")
    first, _ = asked(folder, *before)
    again, reached = asked(folder, *before, *after)
    assert again[: len(before)] == first
    assert reached == after
    (unit,) = made(folder)
    assert unit == ("unit/1", [Usage(1, 3, 1, 2, 0.5)] * len(again))


def test_calls_are_kept_while_another_process_takes_the_empty_folder_away(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    made_again = Path.mkdir

    def taken_away(folder: Path, *arguments: Any, **options: Any) -> None:
        made_again(folder, *arguments, **options)
        monkeypatch.undo()
        Calls(tmp_path, "of another process").forget()
        assert not folder.exists()

    monkeypatch.setattr(Path, "mkdir", taken_away)
    asked(tmp_path, "one", "two")
    assert [(name, len(calls)) for name, calls in made(tmp_path)] == [("unit/1", 2)]


@given(st.integers(0, 300), st.integers(0, 500))
def test_a_run_takes_what_it_may_over_all_of_its_commands(before: int, most: int) -> None:
    meter = Meter(most, [Usage(1, before, 0, 0, None)], at_once=1)
    with suppress(LimitReached):
        while True:
            meter.check()
            meter.add(Usage(1, 1, 0, 0, None))
    assert meter.tokens == max(before, most)
