"""Every sentence that the game has is read; no other is guessed at."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from worldquiz.t2q.reader.text import (
    Said,
    Statement,
    Told,
    read_inventory,
    read_list,
    read_objective,
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


def test_a_closed_container_says_nothing_of_its_contents() -> None:
    view = read_view(CARGO_BAY)
    assert view is not None
    assert "new drum" not in view.contents


def test_a_bare_room_has_an_empty_floor() -> None:
    view = read_view("-= Attic =-\nThis is the attic.\n\nYou can go west from here.")
    assert view is not None
    assert view.contents == {"attic": []}
    assert view.exits == {"west": None}


@pytest.mark.parametrize(
    ("sentence", "lid"),
    [
        ("You see an open red box here.", True),
        ("You see a closed red box here.", False),
        ("There is an open red box here.", True),
        ("There is a closed red box here.", False),
        ("In the corner is an open red box.", True),
        ("In the corner is a closed red box.", False),
    ],
)
def test_each_wording_of_a_container(sentence: str, lid: bool) -> None:
    view = read_view(f"-= Attic =-\nThis is the attic. {sentence}")
    assert view is not None
    assert view.furniture == {"red box": "container"}
    assert view.lids == {"red box": lid}
    assert view.unread == []


@pytest.mark.parametrize(
    "sentence",
    ["You see an old rack here.", "There is an old rack here.", "By the wall stands an old rack."],
)
def test_each_wording_of_a_supporter(sentence: str) -> None:
    view = read_view(f"-= Attic =-\nYou are in the attic. {sentence} The old rack is empty.")
    assert view is not None
    assert view.furniture == {"old rack": "supporter"}
    assert view.contents["old rack"] == []
    assert view.unread == []


@pytest.mark.parametrize(
    "sentence", ["On the rack you see {}.", "On the rack lies {}.", "In the rack you see {}."]
)
def test_each_wording_of_contents(sentence: str) -> None:
    view = read_view("-= Attic =-\nThis is the attic. " + sentence.format("a hat and an egg"))
    assert view is not None
    assert view.contents["rack"] == ["hat", "egg"]


@pytest.mark.parametrize("way", ["north", "east", "south", "west"])
@pytest.mark.parametrize(
    "form", ["There is an exit to the {}.", "You can go {} from here.", "An open passage leads {}."]
)
def test_each_wording_of_an_exit(form: str, way: str) -> None:
    view = read_view(f"-= Attic =-\nThis is the attic.\n\n{form.format(way)}")
    assert view is not None
    assert view.exits == {way: None}


def test_an_unknown_sentence_is_kept_unread() -> None:
    view = read_view("-= Attic =-\nThis is the attic. A cat sleeps on the sill.")
    assert view is not None
    assert view.unread == ["A cat sleeps on the sill."]


def test_an_objective_before_the_room_is_no_part_of_it() -> None:
    view = read_view("Recover the hat from the rack.\n\n-= Attic =-\nThis is the attic.")
    assert view is not None
    assert (view.room, view.unread) == ("attic", [])


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


REPLIES = {
    "You open the new crate, revealing a potato and an egg.": Statement(
        Said.OPENED, "new crate", listed=("potato", "egg")
    ),
    "You open the new crate. It is empty.": Statement(Said.OPENED, "new crate", listed=()),
    "You open narrow gate.": Statement(Said.OPENED, "narrow gate"),
    "You close narrow gate.": Statement(Said.CLOSED, "narrow gate"),
    "That's already open.": Statement(Said.IS_OPEN),
    "That's already closed.": Statement(Said.IS_CLOSED),
    "First you would have to close narrow gate.": Statement(Said.IS_OPEN, "narrow gate"),
    "You have to open the narrow gate first.": Statement(Said.IS_CLOSED, "narrow gate"),
    "The narrow gate is open.": Statement(Said.IS_OPEN, "narrow gate"),
    "The narrow gate is closed.": Statement(Said.IS_CLOSED, "narrow gate"),
    "The narrow gate is locked.": Statement(Said.IS_LOCKED, "narrow gate"),
    "That's locked at the moment.": Statement(Said.IS_LOCKED),
    "That's unlocked at the moment.": Statement(Said.IS_UNLOCKED),
    "You unlock the new crate.": Statement(Said.UNLOCKED, "new crate"),
    "You lock the new crate.": Statement(Said.LOCKED, "new crate"),
    "That doesn't seem to fit the lock.": Statement(Said.UNFIT),
    "You pick up the thin vase from the ground.": Statement(Said.TOOK, "thin vase"),
    "You take the thin vase from the old rack.": Statement(Said.TOOK, "thin vase", "old rack"),
    "You drop the thin vase on the ground.": Statement(Said.PUT, "thin vase"),
    "You put the thin vase on the old rack.": Statement(Said.PUT, "thin vase", "old rack"),
    "You put the thin vase into the new crate.": Statement(Said.PUT, "thin vase", "new crate"),
    "You eat the new egg. Not bad.": Statement(Said.ATE, "new egg"),
    "That's plainly inedible.": Statement(Said.INEDIBLE),
    "On the old rack are an egg and a hat.": Statement(
        Said.HOLDS, "old rack", listed=("egg", "hat")
    ),
}


@pytest.mark.parametrize(("text", "reply"), REPLIES.items())
def test_each_reply_is_read(text: str, reply: Statement) -> None:
    assert list(read_replies(text)) == [reply]


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


OBJECTIVES: dict[str, list[Told]] = {
    "Recover the hat from the floor of the cargo bay.": [Told("hat", "cargo bay")],
    "Recover the hat from the red box.": [Told("hat", "red box")],
    "Take the hat from the red box, then put it on the old rack.": [Told("hat", "red box")],
    "Take the hat from the floor of the attic, then put it in the bin.": [Told("hat", "attic")],
    "Find the egg in the red box, then eat it.": [Told("egg", "red box", food=True)],
    "Find the egg on the old rack, then eat it.": [Told("egg", "old rack", food=True)],
    "Find the egg on the floor of the attic, then eat it.": [Told("egg", "attic", food=True)],
    "Recover the hat from the red box and the odd lump from the floor of the cargo bay.": [
        Told("hat", "red box"),
        Told("odd lump", "cargo bay"),
    ],
    "Go to the attic.": [],
    "Make sure that the red box is open.": [Told("red box", None, shut=True)],
}


@pytest.mark.parametrize(("text", "told"), OBJECTIVES.items())
def test_each_objective_is_read(text: str, told: list[Told]) -> None:
    assert read_objective(text) == told
