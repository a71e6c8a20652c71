"""Laws of memories that call nothing, for any history: what is shown is an end of what was told."""

from __future__ import annotations

import asyncio

from hypothesis import given, settings
from hypothesis import strategies as st

from remembering import recalled, services, told
from worldquiz.memory.base import Entry
from worldquiz.memory.baselines import InContext
from worldquiz.memory.retrieval import BM25

TEXTS = st.text(st.characters(exclude_categories=["Cs"]), max_size=40)
HISTORIES = st.lists(st.tuples(st.booleans(), TEXTS), max_size=20)


def turns(history: list[tuple[bool, str]]) -> list[str]:
    """Return the texts of a history's turns; True starts a new task."""
    return [entry.text for entry in entries(history)]


def entries(history: list[tuple[bool, str]]) -> list[Entry]:
    task, found = 0, []
    for step, (fresh, text) in enumerate(history, start=1):
        task += fresh
        found.append(told(step, text, task=task))
    return found


@settings(deadline=None)
@given(HISTORIES, st.lists(st.integers(0, 20), max_size=4))
def test_a_gap_and_what_follows_it_are_always_the_whole_history(
    history: list[tuple[bool, str]], shrinks: list[int]
) -> None:
    memory, gone = InContext(), 0
    for number, entry in enumerate(entries(history)):
        if number in shrinks:
            gone += memory.shrink()
        asyncio.run(memory.add(entry))
    shown = recalled(memory)
    gap = f"[{gone} earlier turns left out]\n" if gone else ""
    assert shown == gap + "".join(turns(history)[gone:])


@settings(deadline=None)
@given(HISTORIES, TEXTS, st.integers(1, 5))
def test_what_is_retrieved_is_at_most_k_turns_in_the_order_played(
    history: list[tuple[bool, str]], query: str, k: int
) -> None:
    memory = BM25(services(k=k))
    for entry in entries(history):
        asyncio.run(memory.add(entry))
    shown, found = recalled(memory, query), 0
    for text in turns(history):
        if shown.startswith(text):
            shown, found = shown.removeprefix(text), found + 1
    assert not shown
    assert found <= k
