"""The calls of a unit: replies are given again for the same prompts, and for no others."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from worldquiz.llm.calls import Calls, Diverged, made
from worldquiz.llm.model import Completion, FunctionCall, user

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


def test_another_prompt_diverges_and_what_is_forgotten_is_gone(tmp_path: Path) -> None:
    kept(tmp_path, ["one", "two"])
    again = Calls(tmp_path, "unit/1")
    again.find(0, [user("one")])
    with pytest.raises(Diverged, match="call 2"):
        again.find(1, [user("three")])
    again.forget()
    assert again.find(0, [user("three")])[1] is None
    assert list(tmp_path.iterdir()) == []


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


def test_a_call_that_failed_leaves_its_number_to_a_later_try(tmp_path: Path) -> None:
    calls = Calls(tmp_path, "w")
    for number, prompt in enumerate("abc"):
        asked, _ = calls.find(number, [user(prompt)])
        if number != 1:
            calls.keep(number, asked, Completion(prompt.upper()))
    again = Calls(tmp_path, "w")
    replies = [again.find(number, [user(prompt)])[1] for number, prompt in enumerate("abc")]
    assert [reply and reply.text for reply in replies] == ["A", None, "C"]
