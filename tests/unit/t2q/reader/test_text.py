"""Every sentence that the game has is read; no other is guessed at."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from worldquiz.t2q.reader.text import (
    Said,
    read_inventory,
    read_list,
    read_replies,
    read_view,
)

CARGO_BAY = """-= Cargo Bay =-
You find yourself in the cargo bay. You see an old bunk here. On the old bunk lies a tin key and \
a red apple. There is a wide ledge here. The wide ledge is empty. In the corner is an open grey \
bin. The grey bin contains a rough map, a thin net and a red hook. There is a closed new drum \
here. You see an open big case here. The big case is empty.

There is an exit to the north. There is an open pink gate leading east. There is a closed old hatch\
 leading south. An open passage leads west.

There is a small flag and an onyx key on the floor."""


def test_a_room_is_read_whole() -> None:
    view = read_view(CARGO_BAY)
    assert view is not None
    assert view.room == "cargo bay"
    assert view.exits == {"north": None, "east": "pink gate", "south": "old hatch", "west": None}
    assert view.furniture == {
        "old bunk": "supporter",
        "wide ledge": "supporter",
        "grey bin": "container",
        "new drum": "container",
        "big case": "container",
    }
    assert view.lids == {
        "pink gate": True,
        "old hatch": False,
        "grey bin": True,
        "new drum": False,
        "big case": True,
    }
    assert view.contents == {
        "cargo bay": ["small flag", "onyx key"],
        "old bunk": ["tin key", "red apple"],
        "wide ledge": [],
        "grey bin": ["rough map", "thin net", "red hook"],
        "big case": [],
    }
    assert view.unread == []


def test_an_unknown_sentence_is_kept_unread() -> None:
    view = read_view("-= Attic =-\nThis is the attic. A cat sleeps on the sill.")
    assert view is not None
    assert view.unread == ["A cat sleeps on the sill."]


def test_a_reply_is_no_room() -> None:
    assert read_view("You open the red box, revealing a hat.") is None


NAMES = st.from_regex(r"[b-d]{2,6} [b-d]{2,6}( 2)?", fullmatch=True)


@given(st.lists(NAMES, min_size=1, max_size=5))
def test_lists_are_read_as_they_are_written(names: list[str]) -> None:
    *most, last = [f"a {name}" for name in names]
    text = f"{', '.join(most)} and {last}" if most else last
    assert read_list(text) == names


def test_inventories() -> None:
    assert read_inventory("You are carrying nothing.") == []
    assert read_inventory("You are carrying: a new hat and an old egg.") == ["new hat", "old egg"]


def test_a_reply_may_say_two_things() -> None:
    text = "The new crate is open.\nIn the new crate is a potato."
    assert [reply.said for reply in read_replies(text)] == [Said.IS_OPEN, Said.HOLDS]


@pytest.mark.parametrize(
    "text",
    [
        "You can't see any such thing.",
        "You need to take the thin vase first.",
        "You can't go that way.",
        "Which do you mean: the tin key or the old key?",
        "One command at a time, please.",
        "The old rack looks steady.",
        "",
    ],
)
def test_refusals_say_nothing(text: str) -> None:
    assert list(read_replies(text)) == []
