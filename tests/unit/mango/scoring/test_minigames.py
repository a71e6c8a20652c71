"""Minigames: what a reply chooses, and the counts, shares and differences that come of it."""

from __future__ import annotations

import time
from collections.abc import Sequence

import pytest

import mango_answering
from worldquiz.llm.reply_lists import Form
from worldquiz.mango.scoring.minigames import PlayedMinigame, Setting, read_choice, table

ACTIONS = ("go up", "north", "take lamp", "up", "ask troll, hello", "say 'xyzzy'", "N.")


@pytest.mark.parametrize(
    ("reply", "action"),
    [
        ("north", "north"),
        (" North.\n", "north"),
        ('"up"', "up"),
        ("`go  up`", "go up"),
        ("[take lamp]", "take lamp"),
        ("**take lamp**", "take lamp"),
        ("say 'xyzzy'", "say 'xyzzy'"),
        ("ask troll, hello", "ask troll, hello"),
        ("n", "N."),
    ],
)
def test_an_action_of_the_list_is_clean(reply: str, action: str) -> None:
    assert read_choice(reply, ACTIONS) == (action, Form.CLEAN)


@pytest.mark.parametrize(
    ("reply", "action"),
    [
        ("The troll blocks the south.\n\nnorth", "north"),
        ("north\n\nThat is where the lamp was.", "north"),
        ("Action: go up", "go up"),
        ("I would go \"north\", since it is known.", "north"),
        ("Not `up`, I think; rather:\n- take lamp", "take lamp"),
        ("<think>up\nup</think>north", "north"),
        ("My choice is **north**.", "north"),
        ("“up” it is", "up"),
        ('{"action": "take lamp"}', "take lamp"),
        ("up\nno, wait\nnorth", "north"),
    ],
)  # fmt: skip
def test_an_action_that_stands_by_itself_is_mended(reply: str, action: str) -> None:
    assert read_choice(reply, ACTIONS) == (action, Form.REPAIRED)


@pytest.mark.parametrize(
    "reply",
    [
        "",
        "south",
        "I would pick the lamp up and go north.",  # no action by itself
        "`up` or `north`, it is hard to say.",
        "<think>north</think>",
        "northnorth",
        "up, north",
        "It's hard; that's all.",
    ],
)
def test_what_names_no_action_or_several_is_ill_formed(reply: str) -> None:
    assert read_choice(reply, ACTIONS) == (None, Form.ILL_FORMED)


def test_no_reply_takes_long() -> None:
    hostile = [*mango_answering.HOSTILE, "'" * 300_000, "north\n" * 100_000, ":" * 300_000,
               "`north" * 50_000]  # fmt: skip
    began = time.process_time()
    for reply in hostile:
        read_choice(reply, ACTIONS)
    assert time.process_time() - began < 5


def played(
    game: str, successes: Sequence[int], setting: Setting = Setting.PLAIN, form: Form = Form.CLEAN
) -> list[PlayedMinigame]:
    return [
        PlayedMinigame(game, step, setting, form, bool(each), 0.25)
        for step, each in enumerate(successes, start=1)
    ]


def test_counts_are_by_maze_and_setting() -> None:
    found = table(
        [*played("a", [1, 0, 1]), *played("b", [0], form=Form.ILL_FORMED),
         *played("a", [1, 1, 1], Setting.MAP), *played("b", [1], Setting.MAP)],
        {"a": 5, "b": 1, "c": 0},
    )  # fmt: skip
    counts = {"clean": 3, "repaired": 0, "ill_formed": 0}
    assert found["games"]["a"] == {
        "answerable": 5,
        "plain": {"successes": 2, "asked": 3, **counts},
        "map": {"successes": 3, "asked": 3, **counts},
    }
    assert found["games"]["b"]["plain"]["ill_formed"] == 1
    assert found["games"]["c"]["plain"]["asked"] == 0
    assert (found["plain"]["successes"], found["plain"]["asked"]) == (2, 4)
    assert (found["plain"]["share"], found["plain"]["mazes"]) == (0.5, 2)
    assert found["plain"]["chance"] == 0.25
    assert found["map"]["share"] == 1
    low, high = found["map"]["interval"]
    assert low < high == 1
    assert found["plain"]["interval"][0] == 0


def test_what_a_map_is_worth_is_told_of_what_was_played_both_ways() -> None:
    found = table(
        [*played("a", [1, 0, 0]), *played("b", [0, 0]),
         *played("a", [1, 1], Setting.MAP), *played("b", [0, 1], Setting.MAP)],
        {"a": 3, "b": 2},
    )  # fmt: skip
    assert found["difference"]["value"] == 0.75 - 0.25
    assert found["difference"]["low"] <= 0.5 <= found["difference"]["high"]
    assert 0 < found["difference"]["p"] <= 1


@pytest.mark.parametrize("resamples", [0, 100])
def test_one_maze_has_no_interval_and_one_setting_no_difference(resamples: int) -> None:
    found = table(played("a", [1, 0]), {"a": 2}, resamples=resamples)
    assert found["plain"]["interval"] is None
    assert found["difference"] is None
    assert "map" not in found


def test_an_ill_formed_reply_succeeds_at_nothing() -> None:
    with pytest.raises(ValueError, match="succeeds at nothing"):
        played("a", [1], form=Form.ILL_FORMED)
