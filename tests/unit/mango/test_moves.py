"""Replies read as moves: what is read, what is ill-formed, what is hostile."""

from __future__ import annotations

import time
from pathlib import Path

import pytest

import mango_answering
from worldquiz.mango.grade import LONGEST, python_literal, read_moves
from worldquiz.mango.walkthrough import Move

NORTH = Move("Altar", "north", "Temple")
UP = Move("Temple", "up", "Dome Room")
LIST = (
    "[{'prev_node': 'Altar', 'node': 'Temple', 'action': 'north'},"
    " {'prev_node': 'Temple', 'node': 'Dome Room', 'action': 'up'}]"
)


@pytest.mark.parametrize(
    "reply",
    [
        LIST.replace("}, {", "},  # it's a list\n {"),
        LIST.replace("'up'", "'up', 'why': None, 'step': 2"),
        f"From [Altar] it is easy {{really}}:\n{LIST}",
        LIST[:-1] + "\nI hope that helps.",
        LIST.replace("'", "’"),
        LIST.replace("'", "“"),
    ],
)
def test_the_list_that_was_asked_for_is_read_in_any_disarray(reply: str) -> None:
    """More of it in `mango_answering.WRAPPINGS`, and of ill-formed replies in ``BROKEN``."""
    assert read_moves(reply) == (NORTH, UP)


def test_quotes_and_brackets_within_names_end_nothing() -> None:
    told = "[{'prev_node': 'Bob's house', 'node': 'The \"Maze\"', 'action': 'say 'hi''}]"
    assert read_moves(told) == (Move("Bob's house", "say 'hi'", 'The "Maze"'),)
    told = "Well: [{'prev_node': 'a [dark]', 'node': '}]', 'action': '[['}]!"
    assert read_moves(told) == (Move("a [dark]", "[[", "}]"),)


@pytest.mark.parametrize("reply", mango_answering.HOSTILE)
def test_a_hostile_reply_tells_nothing_and_takes_no_time(
    reply: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    begun = time.process_time()
    found = read_moves(reply)
    assert time.process_time() - begun < 5
    assert found == ()
    assert not list(tmp_path.iterdir())


def test_a_list_beyond_all_measure_is_ill_formed() -> None:
    one = "{'prev_node': 'a', 'node': 'b', 'action': 'c'}, "
    assert len(read_moves(f"[{one * 1_000}]")) == 1_000
    assert read_moves(f"[{one * (LONGEST // len(one) + 1)}]") == ()


@pytest.mark.parametrize("text", ["1 + 1", "not 1", "f'{1}'", "a", "x()", "'a'[0]", "[" * 9_000])
def test_only_plain_values_are_literals(text: str) -> None:
    assert python_literal(text) is None


def test_code_in_a_reply_is_text(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    told = "[{'prev_node': 'a', 'action': 'b', 'node': open('hacked', 'w').name}]"
    assert [move.action for move in read_moves(told)] == ["b"]
    assert not list(tmp_path.iterdir())
