"""The calls of a run: replies are given again for the same prompts, and limits hold."""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from worldquiz.llm.calls import Calls, Meter, made
from worldquiz.llm.model import Completion, FunctionCall, Purpose, Usage, user
from worldquiz.runs.losses import LimitReached

TEXTS = st.lists(st.text(max_size=9), min_size=1, max_size=6)


def reply_to(prompt: str) -> Completion:
    call = FunctionCall("1", prompt, {"a": [1]}, '{"a": [1]}')
    return Completion(f"reply to {prompt}", "tool_calls", (call,), 3, 1, 2, 0.5)


def kept(folder: Path, prompts: list[str]) -> None:
    calls = Calls(folder, "unit/1")
    for number, prompt in enumerate(prompts):
        asked, known = calls.find(number, [user(prompt)])
        assert known is None
        calls.keep(number, asked, reply_to(prompt))


@given(TEXTS, TEXTS)
def test_replies_are_given_again(
    tmp_path_factory: pytest.TempPathFactory, before: list[str], after: list[str]
) -> None:
    folder = tmp_path_factory.mktemp("calls")
    kept(folder, before)
    again = Calls(folder, "unit/1")
    for number, prompt in enumerate(before):
        assert again.find(number, [user(prompt)])[1] == reply_to(prompt)
    for number, prompt in enumerate(after, start=len(before)):
        assert again.find(number, [user(prompt)])[1] is None
    assert [(name, len(calls)) for name, calls in made(folder)] == [("unit/1", len(before))]


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
    kept(tmp_path, ["one", "two"])
    assert [(name, len(calls)) for name, calls in made(tmp_path)] == [("unit/1", 2)]


@given(st.integers(0, 300), st.integers(0, 500))
def test_a_run_takes_what_it_may_over_all_of_its_commands(before: int, most: int) -> None:
    meter = Meter(None, most, [Usage(Purpose.QUIZ, 1, before)])
    with suppress(LimitReached):
        while True:
            meter.check()
            meter.add(Usage(Purpose.QUIZ, 1, 1))
    assert meter.tokens == max(before, most)
