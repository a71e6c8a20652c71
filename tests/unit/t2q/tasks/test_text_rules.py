"""TextWorld's rules, command by command, in the house of conftest."""

from __future__ import annotations

import pytest

from text_rules import Effect, apply, effects, exercised, replay
from worldquiz.facts.fact import (
    AT,
    CARRIED,
    EATEN,
    IN,
    LOCKED,
    ON,
    OPEN,
    PLAYER_AT,
    SHUT,
    UNLOCKED,
    Fact,
    State,
)
from worldquiz.t2q.tasks.targets import signature

TO_APPLE = (
    "go north",
    "take tiny key from oak table",
    "go east",
    "go south",
    "unlock steel safe with tiny key",
    "open steel safe",
    "take apple from steel safe",
)

CHANGES: list[tuple[tuple[str, ...], str, Fact, Fact]] = [
    ((), "go north", PLAYER_AT("hall"), PLAYER_AT("attic")),
    ((), "open iron door", SHUT("iron door"), OPEN("iron door")),
    (("open iron door",), "close iron door", OPEN("iron door"), SHUT("iron door")),
    (("open iron door",), "go south", PLAYER_AT("hall"), PLAYER_AT("cellar")),
    ((), "take lamp", AT("lamp", "hall"), CARRIED("lamp")),
    (
        ("go north",),
        "take tiny key from oak table",
        ON("tiny key", "oak table"),
        CARRIED("tiny key"),
    ),
    (("take lamp", "go north"), "drop lamp", CARRIED("lamp"), AT("lamp", "attic")),
    (("take lamp", "go north"), "put lamp on oak table", CARRIED("lamp"), ON("lamp", "oak table")),
    (TO_APPLE[:4], TO_APPLE[4], LOCKED("steel safe"), UNLOCKED("steel safe")),
    (TO_APPLE[:5], "lock steel safe with tiny key", UNLOCKED("steel safe"), LOCKED("steel safe")),
    (TO_APPLE[:5], "open steel safe", SHUT("steel safe"), OPEN("steel safe")),
    (TO_APPLE[:6], TO_APPLE[6], IN("apple", "steel safe"), CARRIED("apple")),
    (TO_APPLE, "insert apple into steel safe", CARRIED("apple"), IN("apple", "steel safe")),
    (TO_APPLE, "eat apple", CARRIED("apple"), EATEN("apple")),
]


@pytest.mark.parametrize(
    ("before", "command", "gone", "new"), CHANGES, ids=lambda value: str(value)
)
def test_a_command_changes_one_fact(
    house: State, before: tuple[str, ...], command: str, gone: Fact, new: Fact
) -> None:
    state = replay(house, before)
    assert gone in state
    assert apply(state, command) == state - {gone} | {new}


@pytest.mark.parametrize(
    "command",
    ["look", "inventory", "examine lamp", "examine oak door", "examine toy chest", "examine apple"],
)
def test_looking_changes_nothing(house: State, command: str) -> None:
    here = {"examine toy chest": ("open iron door", "go south"), "examine apple": TO_APPLE[:6]}
    state = replay(house, here.get(command, ()))
    assert apply(state, command) == state


REFUSALS: list[tuple[tuple[str, ...], str, str]] = [
    ((), "go west", "no exit leads west from the hall"),
    ((), "go south", "the iron door is shut"),
    ((), "go east", "the oak door is shut"),
    ((), "open oak door", "the oak door is locked"),
    ((), "open steel safe", "not in sight"),
    ((), "open lamp", "cannot be opened"),
    (("open iron door",), "open iron door", "the iron door is open"),
    ((), "close iron door", "the iron door is shut"),
    ((), "unlock oak door with brass key", "'brass key' is not carried"),
    (TO_APPLE[:4], "unlock oak door with tiny key", "does not fit"),
    (TO_APPLE[:5], "unlock steel safe with tiny key", "not locked"),
    (TO_APPLE[:6], "lock steel safe with tiny key", "the steel safe is open"),
    (TO_APPLE[:4], "lock steel safe with tiny key", "the steel safe is locked"),
    ((), "take tiny key", "on(tiny key, oak table)"),
    ((), "take tiny key from oak table", "'oak table' is not in sight"),
    ((), "take oak table", "cannot be carried"),
    ((), "take unicorn", "cannot be carried"),
    (("go north",), "take lamp from oak table", "at(lamp, hall)"),
    (("go north",), "take oak table", "cannot be carried"),
    (TO_APPLE[:5], "take apple from steel safe", "the steel safe is shut"),
    (TO_APPLE[:5], "examine apple", "not in sight"),
    (("go north",), "put lamp on oak table", "at(lamp, hall)"),
    (("take lamp",), "put lamp on oak table", "not in sight"),
    (("take lamp",), "put lamp on lamp", "no supporter"),
    (("take lamp", "go north"), "insert lamp into oak table", "no container"),
    (("take lamp", "open iron door", "go south"), "insert lamp into toy chest", "is shut"),
    ((), "drop lamp", "at(lamp, hall)"),
    (("take lamp",), "eat lamp", "no food"),
    (TO_APPLE[:6], "eat apple", "in(apple, steel safe)"),
    ((*TO_APPLE, "eat apple"), "drop apple", "nowhere"),
    ((), "xyzzy", "is no command"),
    ((), "take", "is no command"),
    ((), "go", "is no command"),
    ((), "", "is no command"),
]


@pytest.mark.parametrize(("before", "command", "why"), REFUSALS, ids=lambda value: str(value))
def test_a_refusal_names_the_command_and_why(
    house: State, before: tuple[str, ...], command: str, why: str
) -> None:
    state = replay(house, before)
    with pytest.raises(ValueError) as error:
        apply(state, command)
    assert repr(command) in str(error.value)
    assert why in str(error.value)


def test_replay_stops_at_the_first_refusal(house: State) -> None:
    with pytest.raises(ValueError, match="go east"):
        replay(house, ("take lamp", "go east", "go north"))


def test_replaying_there_and_back_restores_the_state(house: State) -> None:
    there = ("take lamp", "open iron door", "go south")
    assert replay(house, (*there, "go north", "close iron door", "drop lamp")) == house


def test_a_key_turns_only_where_it_can_be_seen(house: State) -> None:
    """Doors are worked from either room, from no third one."""
    state = house - {IN("brass key", "toy chest")} | {CARRIED("brass key")}
    for path in ((), ("go north", "go east", "go south")):
        assert UNLOCKED("oak door") in replay(state, (*path, "unlock oak door with brass key"))
    with pytest.raises(ValueError, match="not in sight in the attic"):
        replay(state, ("go north", "unlock oak door with brass key"))


def test_effects_name_what_is_exercised(house: State) -> None:
    listed = list(effects(house, ("look", "open iron door", "go south", "open toy chest")))
    assert listed == [
        Effect(),
        Effect((SHUT("iron door"),), (OPEN("iron door"),), ("iron door",)),
        Effect((PLAYER_AT("hall"),), (PLAYER_AT("cellar"),), ("cellar", "iron door")),
        Effect((SHUT("toy chest"),), (OPEN("toy chest"),), ("toy chest",)),
    ]


SIGNATURES: list[tuple[tuple[str, ...], set[str]]] = [
    ((), {"hall"}),
    (("look", "inventory", "examine lamp", "examine oak door"), {"hall"}),
    (("go north",), {"hall", "attic"}),
    (("open iron door", "go south"), {"hall", "iron door", "cellar"}),
    (("take lamp", "drop lamp"), {"hall", "lamp"}),
    (("take lamp", "go north", "put lamp on oak table"), {"hall", "attic", "lamp", "oak table"}),
    (
        (*TO_APPLE, "eat apple"),
        {"hall", "attic", "loft", "study", "tiny key", "oak table", "steel safe", "apple"},
    ),
]


@pytest.mark.parametrize(
    ("commands", "names"),
    SIGNATURES,
    ids=lambda value: ", ".join(value if isinstance(value, tuple) else sorted(value)),
)
def test_signatures(house: State, commands: tuple[str, ...], names: set[str]) -> None:
    assert signature(house, commands) == exercised(house, commands) == names


def test_a_door_walked_through_is_exercised_though_nobody_opened_it(house: State) -> None:
    state = apply(house, "open iron door")
    assert signature(state, ("go south",)) == {"hall", "iron door", "cellar"}


def test_what_a_thing_is_taken_from_is_exercised_though_nobody_opened_it(house: State) -> None:
    state = replay(house, ("open iron door", "go south", "open toy chest"))
    assert signature(state, ("take brass key from toy chest",)) == {
        "cellar",
        "brass key",
        "toy chest",
    }
