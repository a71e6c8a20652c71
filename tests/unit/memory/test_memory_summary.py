"""The running summary: rewritten each time, bounded, and kept when a reply is of no use."""

from __future__ import annotations

import pytest

from modelserver import Script, Text
from remembering import Says, saying, services, told, with_model
from worldquiz.llm.model import Model
from worldquiz.memory.baselines import SUMMARY_LETTERS, Summary


def summed(script: Script, *texts: str, **options: object) -> tuple[str, int]:
    """Return the summary of some turns, and how many replies were of no use."""

    async def work(model: Model) -> tuple[str, int]:
        memory = Summary(services(model=model))
        for step, text in enumerate(texts):
            await memory.add(told(step, text))
        return (await memory.recall("anything")).text, memory.asking.unreadable

    return with_model(script, work, **options)


def says(reply: Says | str) -> Script:
    return saying({"memory summary": reply})


def test_each_addition_rewrites_what_is_held() -> None:
    def rewrite(prompt: str) -> str:
        old = prompt.partition("<summary>\n")[2].partition("\n</summary>")[0]
        new = prompt.partition("<turns>\n")[2].partition("\n</turns>")[0].splitlines()[1]
        return f"{old} {new}"

    assert summed(says(rewrite), "A hall.", "An attic.") == ("(nothing yet) A hall. An attic.\n", 0)


def test_thoughts_are_no_part_of_a_summary() -> None:
    assert summed(says("<think>Let me see.</think>A hall."), "A hall.")[0] == "A hall.\n"


def test_an_empty_reply_leaves_the_summary_and_is_counted() -> None:
    def once(prompt: str) -> str:
        return "A hall." if "step 0" in prompt else " "

    assert summed(says(once), "A hall.", "An attic.") == ("A hall.\n", 1)


def test_a_full_window_and_a_withheld_reply_leave_the_summary_too() -> None:
    assert summed(says("A hall."), "A hall.", window=10) == ("", 1)
    assert summed(lambda request: Text("No.", finish="content_filter"), "A hall.") == ("", 1)


@pytest.mark.parametrize(
    ("reply", "end"),
    [("One sentence. " * 500, "sentence."), ("line\n" * 2000, "line"), ("x" * 9000, "xxxx")],
)
def test_a_summary_that_is_too_long_is_cut_where_something_ends(reply: str, end: str) -> None:
    found, _ = summed(says(reply), "A hall.")
    assert SUMMARY_LETTERS - 20 < len(found) <= SUMMARY_LETTERS + 1
    assert found.endswith(f"{end}\n")
