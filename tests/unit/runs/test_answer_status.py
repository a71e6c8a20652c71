"""What became of a question, from what a provider or a reader says of the reply."""

from __future__ import annotations

import pytest

from worldquiz.facts.row import AnswerStatus
from worldquiz.llm.records import READ, Status
from worldquiz.runs.answer_lines import status_of


@pytest.mark.parametrize("form", Status)
def test_how_a_reply_was_written_is_no_reason_to_lose_it(form: Status) -> None:
    lost = None if form in READ else AnswerStatus(form)
    assert status_of(form, readable=True) is (lost or AnswerStatus.ANSWERED)
    assert status_of(form, readable=False) is (lost or AnswerStatus.UNREADABLE)
    assert status_of(form, readable=True, abstained=True) is (lost or AnswerStatus.ABSTAINED)
