"""Retrieval: the right turns, verbatim, in the order played."""

from __future__ import annotations

import asyncio
import sys

import pytest

from remembering import recalled, services, told
from worldquiz.errors import MissingExtra
from worldquiz.memory.base import Memory
from worldquiz.memory.retrieval import BM25, Embedding

HALL = told(0, "You are in the hall. A velvet chair stands here.")
ATTIC = told(1, "You are in the attic. A rusty chest stands here.")
CELLAR = told(2, "You are in the cellar. On the rusty shelf lies a zinc key.")
AGAIN = told(3, "You are in the cellar. On the rusty shelf lies a zinc key.")


@pytest.fixture(params=[BM25, Embedding])
def kind(request: pytest.FixtureRequest) -> type[BM25 | Embedding]:
    return request.param  # type: ignore[no-any-return]


def filled(kind: type[BM25 | Embedding], k: int) -> Memory:
    memory = kind(services(k=k))
    for turn in (HALL, ATTIC, CELLAR, AGAIN):
        asyncio.run(memory.add(turn))
    return memory


def test_the_turn_that_shares_the_querys_words_is_found(kind: type[BM25 | Embedding]) -> None:
    assert recalled(filled(kind, 1), "Where is the rusty chest?") == ATTIC.text


def test_turns_are_handed_over_in_the_order_played(kind: type[BM25 | Embedding]) -> None:
    found = recalled(filled(kind, 3), "zinc key on the shelf in the cellar, rusty chest?")
    assert found == ATTIC.text + CELLAR.text + AGAIN.text


def test_of_turns_alike_the_first_is_found(kind: type[BM25 | Embedding]) -> None:
    assert recalled(filled(kind, 1), "the zinc key on the shelf") == CELLAR.text


def test_what_was_added_since_the_last_question_is_found(kind: type[BM25 | Embedding]) -> None:
    memory = filled(kind, 1)
    recalled(memory, "silver lamp")
    asyncio.run(memory.add(told(4, "A silver lamp hangs here.")))
    assert "silver lamp" in recalled(memory, "silver lamp")


def test_a_query_that_shares_no_word_finds_nothing_by_words() -> None:
    assert recalled(filled(BM25, 3), "zebra") == ""
    assert recalled(filled(BM25, 3), "?!") == ""


def test_a_missing_library_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "bm25s", None)
    with pytest.raises(MissingExtra, match=r"worldquiz\[memories\]"):
        BM25(services())
