"""Who answers TEA's questions: options that go together, and replies of an answerer's own."""

from __future__ import annotations

from typing import Any

import pytest

from worldquiz.errors import AgentError, KnobError
from worldquiz.runs.executor import Waiting
from worldquiz.tea.answering import OwnAnswerer, chosen
from worldquiz.tea.settings import ApartmentSettings

NAMES = ("oracle", "noisy")


class Mine:
    """Answers."""

    def answer(self, prompt: str, pictures: Any) -> Any:
        return "yes"


@pytest.mark.parametrize(
    ("answerer", "settings", "complaint"),
    [
        ("oracle", {"base_url": "http://x"}, "base_url needs a model"),
        (Mine(), {"generate": {"temperature": 0}}, "generate needs a model"),
        ("oracle", {"error": 0.5}, "error needs the answerer 'noisy'"),
        (None, {"model": "m", "error": 0.5}, "error needs the answerer 'noisy'"),
    ],
)
def test_what_would_be_ignored_is_refused(
    answerer: object, settings: dict[str, Any], complaint: str
) -> None:
    with pytest.raises(KnobError, match=complaint):
        chosen(NAMES, answerer, ApartmentSettings.of(None, settings))


class Fails(Mine):
    """Its steps fail, its answers are no text."""

    async def answer(self, prompt: str, pictures: Any) -> Any:
        return None

    def step(self, prompt: str, pictures: Any) -> Any:
        raise ValueError("no legs")


def test_what_is_no_text_and_what_fails_are_named_with_the_task() -> None:
    with Waiting() as waiting:
        answer, step = OwnAnswerer(Fails(), "m:Fails").methods(waiting)
        with pytest.raises(
            AgentError, match=r"'m:Fails' returned None, not a text, at task 't-1'; "
        ):
            answer("at task 't-1'", "Is it?", [])
        with pytest.raises(
            AgentError, match=r"'m:Fails' failed at walk 'w-1': ValueError: no legs"
        ):
            step("at walk 'w-1'", "Go.", [])
        answer, _ = OwnAnswerer(Mine(), "m:Mine").methods(waiting)
        assert answer("at task 't-1'", "Is it?", []) == "yes"
