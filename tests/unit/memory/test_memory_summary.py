"""The running summary: rewritten each time, bounded, and kept when a reply is of no use."""

from __future__ import annotations

import pytest

from modelserver import Script, Text
from remembering import Says, saying, services, told, with_model
from worldquiz.llm.model import Model
from worldquiz.memory.baselines import SUMMARY_LETTERS, Summary


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
