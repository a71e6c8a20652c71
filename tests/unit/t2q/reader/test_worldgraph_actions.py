"""The player's own words: read where the reply leaves a name or a direction out."""

from __future__ import annotations

import pytest

from worldquiz.t2q.reader.text import Wish, read_action

SIGHT = ["narrow gate", "old gate", "new crate", "tin key", "brass passkey", "red hat"]
DOORS = {"narrow gate": "north", "old gate": "west"}


@pytest.mark.parametrize(
    ("action", "way"),
    [
        ("go north", "north"),
        ("n", "north"),
        ("West", "west"),
        ("walk to the east", "east"),
        ("go south.", "south"),
        ("> go south", "south"),
        ("enter narrow gate", "north"),
        ("go through the old gate", "west"),
        ("enter narrow", "north"),
        ("go gate", None),
        ("go up", None),
        ("go", None),
    ],
)
def test_directions(action: str, way: str | None) -> None:
    assert read_action(action, SIGHT, DOORS) == Wish("go", way=way)


@pytest.mark.parametrize(
    ("action", "wish"),
    [
        ("unlock narrow gate with tin key",
         Wish("unlock", noun="narrow gate", second="tin key")),
        ("Unlock the crate using my passkey",
         Wish("unlock", noun="new crate", second="brass passkey")),
        ("lock new crate with the brass passkey",
         Wish("lock", noun="new crate", second="brass passkey")),
        ("unlock gate with tin key", Wish("unlock", noun=None, second="tin key")),
        ("open the crate", Wish(noun="new crate")),
        ("close narrow gate", Wish(noun="narrow gate")),
        ("open moon", Wish()),
        ("eat red hat", Wish(noun="red hat")),
        ("take all", Wish()),
        ("", Wish()),
        ("dance", Wish()),
    ],
)  # fmt: skip
def test_other_wishes(action: str, wish: Wish) -> None:
    assert read_action(action, SIGHT, DOORS) == wish


def test_a_full_name_wins_over_a_longer_one() -> None:
    wish = read_action("open red box", ["red box", "red box 2"], {})
    assert wish.noun == "red box"
