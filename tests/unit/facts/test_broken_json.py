"""Replies as models write them."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from worldquiz.facts.answer_text import LONGEST
from worldquiz.facts.replies import (
    claim,
    is_whole,
    read_object,
    read_text,
    said,
)


@pytest.mark.parametrize(
    "reply",
    [
        '{"reason": "the key is there", "command": "go  east\\n"}',
        '```json\n{"command": "go east",}\n```',
        "Sure! {'command': 'go east'} Good luck.",
        "{“reason”: “why not”, “command”: “go east”}",
        '{"reason": "a {b} c", "command": "go east"',
        '<think>{"command": "wait"}</think>{"command": "go east"}',
        'My {clever} plan: {"command": "go east"}',
        '{"command": "wait"} no, better: {"command": "go east"}',
        '[{"command": "go east"}]',
    ],
)
def test_what_can_be_mended_is_mended(reply: str) -> None:
    assert read_text(reply, "command") == "go east"


@pytest.mark.parametrize(
    "reply",
    [
        "",
        "go east",
        "null",
        "[]",
        '{"reason": "no command"}',
        '{"command": ""}',
        '{"command": {"go": "east"}}',
        '<think>{"command": "go east"}',
        "{" * 5000,
        "[" * 5_000,
    ],
)
def test_no_command_is_no_command(reply: str) -> None:
    assert read_text(reply, "command") == ""


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


@pytest.mark.parametrize(
    ("reply", "answer"),
    [
        ('{"answer": "attic", "reason": "seen"}', "attic"),
        ('{"Answer": true}', "yes"),
        ('{"answer": {"room": "attic", "why": "seen"}}', "attic"),
        ('{"answer": ["key", "food"]}', "key, food"),
        ("{ “answer”: “attic” }", "attic"),
        ('<think>hm</think>{"answer": "attic"}', "attic"),
        ('so it is the attic</think> {"answer": "attic"}', "attic"),
        ('```json\n{"answer": "attic"}\n```', "attic"),
        ('{"answer": "<your answer>"} {"answer": "attic"}', "attic"),
        ('"answer": "attic", "reason": "seen"', "attic"),
        ('{"answer": "attic"} {"answer": "Attic"}', "attic"),
        ("yes", "yes"),
        ('"yes"', "yes"),
        ("false", "no"),
        ('["key", "food"]', "key, food"),
        ("The answer is north.", "The answer is north."),
        ('{"answer": "\\ud800 attic"}', "\ufffd attic"),
        ('{"answer": "<your answer>"}', ""),
        ('{"answer": "attic"} {"answer": "hall"}', ""),
        ('{"reason": "attic"}', ""),
        ("null", ""),
        ("<think>" + "hm " * LONGEST + "</think>attic", "attic"),
    ],
)
def test_an_answer_is_found_in_json_and_around_it(reply: str, answer: str) -> None:
    assert claim(reply) == answer


@pytest.mark.parametrize("unit", ['{"', "{", '"', "'", "{'", "[", '{"answer": [', "\\", "{“", '":'])
def test_broken_json_of_any_length_is_read_in_steps_that_grow_with_it(unit: str) -> None:
    """A reader that went back would take minutes, not the thousandths of a second that this does.

    No clock decides: with a reader that goes back this test does not end.
    """
    assert read_object(unit * 50_000, "no such field") == {}


@pytest.mark.parametrize(
    ("reply", "text"),
    [
        ('{"Command": "go north"}', "go north"),
        ('{"COMMAND": "go north", "command": "look"}', "look"),
        ('{"command": "<one command>"}', ""),
        ('{"command": " <your command> "}', ""),
        ('{"a": {"Command": "look"}}', "look"),
    ],
)
def test_a_field_in_any_case_is_read_and_a_placeholder_is_none(reply: str, text: str) -> None:
    assert read_text(reply, "command") == text


@pytest.mark.parametrize(
    ("reply", "whole"),
    [
        ('{"answer": "attic"}', True), ('{"answer": "attic"}\n\nQuestion: wh', True),
        ("[1, 2]", True), ("{[]}", True), ("", False), ("The lamp was in the", False),
        ('{"answer": "at', False), ('[{"node": "hall"}, {"no', False),
        ('[{"node": "hall"},', False),
        ("{} {", False), ("[] [", False), ('<think>{"a": </think>{"answer": "attic"}', True),
    ],
)  # fmt: skip
def test_a_reply_that_was_cut_is_whole_if_its_brackets_are_closed(reply: str, whole: bool) -> None:
    assert is_whole(reply) is whole


def test_a_field_that_is_there_twice_has_both_values() -> None:
    assert claim('{"answer": "attic", "Answer": "hall"}') == "attic, hall"
    assert claim('{"answer": "attic", "ANSWER ": "attic"}') == "attic"
