"""Replies as models write them."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from worldquiz.facts.replies import (
    LONGEST,
    Status,
    claim,
    is_whole,
    read_object,
    read_text,
    read_value,
    said,
)

GO = ("go east", Status.REPAIRED)


def test_json_as_asked_for_is_clean() -> None:
    reply = '{"reason": "the key is there", "command": "go  east\\n"}'
    assert read_text(reply, "command") == ("go east", Status.CLEAN)


@pytest.mark.parametrize(
    "reply",
    [
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
    assert read_text(reply, "command") == GO


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
    assert read_text(reply, "command") == ("", Status.UNREADABLE)


@given(st.text())
def test_any_text_can_be_read(reply: str) -> None:
    text, status = read_text(reply, "command")
    assert bool(text) == (status is not Status.UNREADABLE)


@given(st.dictionaries(st.text(), st.text()), st.text(min_size=1))
def test_valid_json_comes_back_as_it_is(fields: dict[str, str], command: str) -> None:
    found, status = read_object(json.dumps({**fields, "command": command}), "command")
    assert (found["command"], status) == (command, Status.CLEAN)


def test_values_become_words() -> None:
    assert [said(v) for v in (True, 3, ["food", "key"], None, {"a": 1})] == [
        "yes", "3", "food, key", "", "",
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("reply", "answer", "form"),
    [
        ('{"answer": "attic", "reason": "seen"}', "attic", Status.CLEAN),
        ('{"Answer": true}', "yes", Status.CLEAN),
        ('{"answer": {"room": "attic", "why": "seen"}}', "attic", Status.CLEAN),
        ('{"answer": ["key", "food"]}', "key, food", Status.CLEAN),
        ("{ “answer”: “attic” }", "attic", Status.REPAIRED),
        ('<think>hm</think>{"answer": "attic"}', "attic", Status.REPAIRED),
        ('so it is the attic</think> {"answer": "attic"}', "attic", Status.REPAIRED),
        ('```json\n{"answer": "attic"}\n```', "attic", Status.REPAIRED),
        ('{"answer": "<your answer>"} {"answer": "attic"}', "attic", Status.REPAIRED),
        ('"answer": "attic", "reason": "seen"', "attic", Status.REPAIRED),
        ('{"answer": "attic"} {"answer": "Attic"}', "attic", Status.REPAIRED),
        ("yes", "yes", Status.BARE),
        ('"yes"', "yes", Status.BARE),
        ("false", "no", Status.BARE),
        ('["key", "food"]', "key, food", Status.BARE),
        ("The answer is north.", "The answer is north.", Status.PROSE),
        ('{"answer": "\\ud800 attic"}', "\ufffd attic", Status.CLEAN),
        ('{"answer": "<your answer>"}', "", Status.UNREADABLE),
        ('{"answer": "attic"} {"answer": "hall"}', "", Status.UNREADABLE),
        ('{"reason": "attic"}', "", Status.UNREADABLE),
        ("null", "", Status.UNREADABLE),
        ("<think>" + "hm " * LONGEST + "</think>attic", "attic", Status.BARE),
    ],
)
def test_an_answer_is_read_with_its_form(reply: str, answer: str, form: Status) -> None:
    assert claim(reply) == (answer, form)


@pytest.mark.parametrize("unit", ['{"', "{", '"', "'", "{'", "[", '{"answer": [', "\\", "{“", '":'])
def test_broken_json_of_any_length_is_read_in_steps_that_grow_with_it(unit: str) -> None:
    """A reader that went back would take minutes, not the thousandths of a second that this does.

    No clock decides: with a reader that goes back this test does not end.
    """
    assert read_object(unit * 50_000, "no such field") == ({}, Status.UNREADABLE)


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
    assert read_text(reply, "command")[0] == text


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


def test_values_of_a_batch_are_read_as_answers_are() -> None:
    assert [read_value(each) for each in ("attic", ["key", "food"], "<your answer>", None, [])] == [
        "attic", "key, food", "", "", "[]",
    ]  # fmt: skip


def test_a_field_that_is_there_twice_has_both_values() -> None:
    assert claim('{"answer": "attic", "Answer": "hall"}')[0] == "attic, hall"
    assert claim('{"answer": "attic", "ANSWER ": "attic"}')[0] == "attic"
