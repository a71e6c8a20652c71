"""Baselines: the whole history verbatim, the right turns verbatim, and a running summary."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Sequence
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from modelserver import Script, Text
from remembering import Says, recalled, saying, services, told, with_model
from worldquiz.errors import MissingExtra
from worldquiz.memory import Entry, memory
from worldquiz.memory.base import entry

LONGEST = 4000  # letters of a summary
TURNS = [told(step, f"Room {step}.", task=task) for task in (0, 1) for step in range(4)]


def filled(name: str, turns: Sequence[Entry], *, k: int = 10) -> Any:
    """Return a memory that calls no model, with some turns."""
    made = memory(name, services(k=k))
    for turn in turns:
        asyncio.run(made.add(turn))
    return made


# In context


def test_a_full_window_leaves_out_the_oldest_quarter_and_says_so() -> None:
    made = filled("in-context", [entry(turn for told in TURNS for turn in told.turns)])
    assert made.shrink() == 2
    rest = "".join(turn.text for turn in TURNS[2:])
    assert recalled(made) == f"[2 earlier turns left out]\n{rest}"


TEXTS = st.text(st.characters(exclude_categories=["Cs"]), max_size=40)
HISTORIES = st.lists(st.tuples(st.booleans(), TEXTS), max_size=20)
"""Turns; True starts a new task."""


def entries(history: list[tuple[bool, str]]) -> list[Entry]:
    task, found = 0, []
    for step, (fresh, text) in enumerate(history, start=1):
        task += fresh
        found.append(told(step, text, task=task))
    return found


@given(HISTORIES, st.lists(st.integers(0, 20), max_size=4))
def test_a_gap_and_what_follows_it_are_always_the_whole_history(
    history: list[tuple[bool, str]], shrinks: list[int]
) -> None:
    made, gone, turns = filled("in-context", ()), 0, entries(history)
    for number, turn in enumerate(turns):
        if number in shrinks:
            gone += made.shrink()
        asyncio.run(made.add(turn))
    gap = f"[{gone} earlier turns left out]\n" if gone else ""
    assert recalled(made) == gap + "".join(turn.text for turn in turns[gone:])


# Retrieval


@given(HISTORIES, TEXTS, st.integers(1, 5))
def test_what_is_retrieved_is_at_most_k_turns_in_the_order_played(
    history: list[tuple[bool, str]], query: str, k: int
) -> None:
    turns = entries(history)
    shown, found = recalled(filled("bm25", turns, k=k), query), 0
    for turn in turns:
        if shown.startswith(turn.text):
            shown, found = shown.removeprefix(turn.text), found + 1
    assert not shown
    assert found <= k


HALL = told(0, "You are in the hall. A velvet chair stands here.")
ATTIC = told(1, "You are in the attic. A rusty chest stands here.")
CELLAR = told(2, "You are in the cellar. On the rusty shelf lies a zinc key.")
AGAIN = told(3, "You are in the cellar. On the rusty shelf lies a zinc key.")
ALL = (HALL, ATTIC, CELLAR, AGAIN)


@pytest.mark.parametrize("name", ["bm25", "embedding"])
def test_the_turns_nearest_to_the_query_are_found_in_the_order_played(name: str) -> None:
    one = filled(name, ALL, k=1)
    assert recalled(one, "Where is the rusty chest?") == ATTIC.text
    assert recalled(one, "the zinc key on the shelf") == CELLAR.text  # the first of two alike
    three = filled(name, ALL, k=3)
    found = recalled(three, "zinc key on the shelf in the cellar, rusty chest?")
    assert found == ATTIC.text + CELLAR.text + AGAIN.text
    recalled(one, "silver lamp")
    asyncio.run(one.add(told(4, "A silver lamp hangs here.")))
    assert "silver lamp" in recalled(one, "silver lamp")


def test_words_find_nothing_that_shares_none_and_a_missing_library_is_named(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    for query in ("zebra", "?!"):
        assert recalled(filled("bm25", ALL, k=3), query) == ""
    monkeypatch.setitem(sys.modules, "bm25s", None)
    with pytest.raises(MissingExtra, match=r"worldquiz\[memories\]"):
        memory("bm25", services())


# The summary


def summed(script: Script, *texts: str, **options: object) -> str:
    """Return the summary of some turns."""

    async def work(model: Any) -> str:
        made = memory("summary", services(model=model))
        for step, text in enumerate(texts):
            await made.add(told(step, text))
        return await made.recall("anything")

    return with_model(script, work, **options)


def says(reply: Says | str) -> Script:
    return saying({"memory summary": reply})


def test_each_addition_rewrites_the_summary_unless_its_reply_is_of_no_use() -> None:
    def rewrite(prompt: str) -> str:
        old = prompt.partition("<summary>\n")[2].partition("\n</summary>")[0]
        new = prompt.partition("<turns>\n")[2].partition("\n</turns>")[0].splitlines()[1]
        return f"{old} {new}"

    def once(prompt: str) -> str:
        return "A hall." if "step 0" in prompt else " "

    assert summed(says(rewrite), "A hall.", "An attic.") == "(nothing yet) A hall. An attic.\n"
    assert summed(says(once), "A hall.", "An attic.") == "A hall.\n"
    assert summed(says("A hall."), "A hall.", window=10) == ""
    assert summed(lambda request: Text("No.", finish="content_filter"), "A hall.") == ""


@pytest.mark.parametrize(
    ("reply", "end"),
    [("One sentence. " * 500, "sentence."), ("line\n" * 2000, "line"), ("x" * 9000, "xxxx")],
)
def test_a_summary_that_is_too_long_is_cut_where_something_ends(reply: str, end: str) -> None:
    found = summed(says(reply), "A hall.")
    assert LONGEST - 20 < len(found) <= LONGEST + 1
    assert found.endswith(f"{end}\n")
