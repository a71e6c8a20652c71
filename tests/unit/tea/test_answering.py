"""Who answers TEA's questions: options that go together, and replies of an answerer's own."""

from __future__ import annotations

from typing import Any

import pytest

from worldquiz.errors import KnobError
from worldquiz.tea.answering import chosen

NAMES = ("oracle", "noisy")


class Mine:
    """Answers."""

    def answer(self, prompt: str, pictures: Any) -> Any:
        return "yes"


@pytest.mark.parametrize(
    ("options", "complaint"),
    [
        ({"answerer": "oracle", "base_url": "http://x"}, "base_url needs a model"),
        ({"answerer": Mine(), "generate": {"temperature": 0}}, "generate needs a model"),
        ({"answerer": "oracle", "error": 0.5}, "error needs the answerer 'noisy'"),
        ({"model": "m", "error": 0.5}, "error needs the answerer 'noisy'"),
    ],
)
def test_what_would_be_ignored_is_refused(options: dict[str, Any], complaint: str) -> None:
    with pytest.raises(KnobError, match=complaint):
        chosen(NAMES, **options)


def test_the_noisy_baseline_errs_as_often_as_told() -> None:
    assert chosen(NAMES, "noisy", error=0.5).record() == {"answerer": "noisy", "error": 0.5}
