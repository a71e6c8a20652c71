"""Baselines: the whole history verbatim, the right turns verbatim, and a running summary."""

from __future__ import annotations

import asyncio
import sys

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from modelserver import Script, Text
from remembering import Says, recalled, saying, services, told, with_model
from worldquiz.errors import MissingExtra
from worldquiz.llm.model import Model
from worldquiz.memory.base import Entry, Memory
from worldquiz.memory.baselines import BM25, SUMMARY_LETTERS, Embedding, InContext, Summary

TURNS = [told(step, f"Room {step}.", task=task) for task in (0, 1) for step in range(4)]


def history(turns: list[Entry]) -> InContext:
    memory = InContext()
    for turn in turns:
        asyncio.run(memory.add(turn))
    return memory


def parts(memory: InContext) -> tuple[str, ...]:
    return asyncio.run(memory.recall("whatever")).parts


def test_the_earlier_tasks_are_one_part_and_the_current_one_another() -> None:
    earlier, current = parts(history(TURNS))
    assert earlier == "".join(turn.text for turn in TURNS[:4])
    assert current.startswith("[task 2, step 0]\nRoom 0.\n")


def test_a_task_added_at_once_is_shown_like_its_turns() -> None:
    at_once = Entry(
        tuple(turn for told in TURNS[:4] for turn in told.turns),
        "".join(told.text for told in TURNS[:4]),
    )
    assert parts(history([at_once])) == parts(history(TURNS[:4]))


def test_a_full_window_leaves_out_the_oldest_quarter_and_says_so() -> None:
    memory = history(TURNS)
    assert memory.shrink() == 2
    earlier, current = parts(memory)
    assert earlier.startswith("[2 earlier turns left out]\n[task 1, step 2]")
    assert current.startswith("[task 2, step 0]")


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


def summed(script: Script, *texts: str, **options: object) -> str:
    """Return the summary of some turns."""

    async def work(model: Model) -> str:
        memory = Summary(services(model=model))
        for step, text in enumerate(texts):
            await memory.add(told(step, text))
        return (await memory.recall("anything")).text

    return with_model(script, work, **options)


def says(reply: Says | str) -> Script:
    return saying({"memory summary": reply})


def test_each_addition_rewrites_what_is_held() -> None:
    def rewrite(prompt: str) -> str:
        old = prompt.partition("<summary>\n")[2].partition("\n</summary>")[0]
        new = prompt.partition("<turns>\n")[2].partition("\n</turns>")[0].splitlines()[1]
        return f"{old} {new}"

    assert summed(says(rewrite), "A hall.", "An attic.") == "(nothing yet) A hall. An attic.\n"


def test_an_empty_reply_leaves_the_summary() -> None:
    def once(prompt: str) -> str:
        return "A hall." if "step 0" in prompt else " "

    assert summed(says(once), "A hall.", "An attic.") == "A hall.\n"


def test_a_full_window_and_a_withheld_reply_leave_the_summary_too() -> None:
    assert summed(says("A hall."), "A hall.", window=10) == ""
    assert summed(lambda request: Text("No.", finish="content_filter"), "A hall.") == ""


@pytest.mark.parametrize(
    ("reply", "end"),
    [("One sentence. " * 500, "sentence."), ("line\n" * 2000, "line"), ("x" * 9000, "xxxx")],
)
def test_a_summary_that_is_too_long_is_cut_where_something_ends(reply: str, end: str) -> None:
    found = summed(says(reply), "A hall.")
    assert SUMMARY_LETTERS - 20 < len(found) <= SUMMARY_LETTERS + 1
    assert found.endswith(f"{end}\n")
