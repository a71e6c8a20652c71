"""Replies as models write them (``json.toml``), whole, broken and cut."""

from __future__ import annotations

import json
import tomllib
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from worldquiz.facts.answer_text import LONGEST
from worldquiz.facts.replies import claim, is_whole, read_object, read_text, said

READ: dict[str, Callable[[str], str]] = {
    "command": lambda reply: read_text(reply, "command"),
    "answer": claim,
    "whole": lambda reply: "yes" if is_whole(reply) else "no",
}
TABLE = tomllib.loads((Path(__file__).parent / "json.toml").read_text("utf-8"))
CASES = [
    (what, reply, read)
    for what, told in TABLE.items()
    for read, replies in told.items()
    for reply in replies
]
LONG = [
    ("command", "{" * 5_000, ""),
    ("command", "[" * 5_000, ""),
    ("answer", "<think>" + "hm " * LONGEST + "</think>attic", "attic"),
]


@pytest.mark.parametrize(("what", "reply", "read"), CASES + LONG)
def test_a_reply_is_read_as_far_as_it_goes(what: str, reply: str, read: str) -> None:
    assert READ[what](reply) == read


@given(st.text())
def test_any_text_can_be_read(reply: str) -> None:
    assert "\n" not in read_text(reply, "command")


@given(st.dictionaries(st.text(), st.text()), st.text(min_size=1))
def test_valid_json_comes_back_as_it_is(fields: dict[str, str], command: str) -> None:
    found = read_object(json.dumps({**fields, "command": command}), "command")
    assert found == {**fields, "command": command}


def test_values_become_words() -> None:
    assert [said(v) for v in (True, 3, ["food", "key"], None, {"a": 1})] == [
        "yes", "3", "food, key", "", "",
    ]  # fmt: skip


@pytest.mark.parametrize("unit", ['{"', "{", '"', "'", "{'", "[", '{"answer": [', "\\", "{“", '":'])
def test_broken_json_of_any_length_is_read_in_steps_that_grow_with_it(unit: str) -> None:
    """A reader that went back would take minutes, not the thousandths of a second that this does.

    No clock decides: with a reader that goes back this test does not end.
    """
    assert read_object(unit * 50_000, "no such field") == {}
