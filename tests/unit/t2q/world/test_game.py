"""What an agent may write, what of it the game carries out, and what that discloses.

    attic
      |  (oak gate, shut, not locked)
    hall --- (iron door, locked, tin key) --- vault

In the hall: a desk with a tin key and a plum, a red chest (locked, jade key), a box (open, empty).
The jade key lies on the hall's floor; a lamp is in the red chest; a brass key lies in the attic.
"""

from __future__ import annotations

from dataclasses import replace
from random import Random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fact_texts import facts
from games import FREE
from worldquiz.t2q import Game, Room, WorldSpec

FACTS = """
kind(hall, room); kind(attic, room); kind(vault, room); kind(oak gate, door); kind(iron door, door)
kind(desk, supporter); kind(red chest, container); kind(box, container); kind(tin key, key)
kind(jade key, key); kind(brass key, key); kind(plum, food); kind(lamp, object)
player_at(hall); leads(hall, north, attic); leads(attic, south, hall)
leads(hall, east, vault); leads(vault, west, hall)
door_at(oak gate, hall, north); door_at(oak gate, attic, south)
door_at(iron door, hall, east); door_at(iron door, vault, west)
at(desk, hall); at(red chest, hall); at(box, hall); at(jade key, hall); at(brass key, attic)
on(tin key, desk); on(plum, desk); in(lamp, red chest)
shut(oak gate); unlocked(oak gate); shut(iron door); locked(iron door)
shut(red chest); locked(red chest); open(box); unlocked(box)
match(tin key, iron door); match(jade key, red chest)
"""
SPEC = WorldSpec(
    "toy", "toy", 0, "hall", (Room("hall", 0, 0), Room("attic", 0, 1), Room("vault", 1, 0)),
    tuple(sorted(facts(FACTS.replace(";", "")))),
    True,
)  # fmt: skip


def changed(*, drop: str = "", add: str = "") -> WorldSpec:
    """Return the world with some facts for others."""
    gone, more = ({*facts(texts.replace(";", ""))} for texts in (drop, add))
    return replace(SPEC, facts=tuple(sorted({*SPEC.facts} - gone | more)))


def told(command: str, world: WorldSpec) -> set[str]:
    game = Game(world)
    game.reset(FREE)
    transition = game.step(command)
    assert transition.command is not None
    return {str(fact) for fact in transition.revealed}


HELD = changed(
    drop="on(tin key, desk); at(jade key, hall); on(plum, desk)",
    add="carried(tin key); carried(jade key); carried(plum)",
)
HALL = {
    "player_at(hall)", "listed(hall)", "exit(hall, north)", "exit(hall, east)",
    "no_exit(hall, south)", "no_exit(hall, west)", "door_at(oak gate, hall, north)",
    "door_at(iron door, hall, east)", "shut(oak gate)", "shut(iron door)", "at(desk, hall)",
    "at(red chest, hall)", "at(box, hall)", "at(jade key, hall)", "listed(desk)",
    "on(tin key, desk)", "on(plum, desk)", "shut(red chest)", "open(box)", "listed(box)",
}  # fmt: skip


def test_a_room_shows_exits_doors_furniture_and_what_lies_open_but_no_lock_and_no_neighbour() -> (
    None
):
    assert {str(fact) for fact in Game(SPEC).reset(FREE).revealed} == HALL
    assert told("look", SPEC) == HALL


def test_walking_tells_where_an_exit_leads() -> None:
    shown = told("go north", changed(drop="shut(oak gate)", add="open(oak gate)"))
    assert {"leads(hall, north, attic)", "player_at(attic)", "at(brass key, attic)"} <= shown
    assert "leads(attic, south, hall)" not in shown, "that it leads back is for the requirement"


@pytest.mark.parametrize(
    ("command", "shown"),
    [
        ("go north", {"shut(oak gate)"}),
        ("go east", {"shut(iron door)"}),
        ("go west", {"no_exit(hall, west)"}),
        ("examine iron door", {"shut(iron door)"}),
        ("examine red chest", {"shut(red chest)"}),
        ("examine box", {"open(box)"}),
        ("examine desk", {"listed(desk)", "on(tin key, desk)", "on(plum, desk)"}),
        ("examine plum", set()),
        ("open iron door", {"shut(iron door)", "locked(iron door)"}),
        ("open red chest", {"shut(red chest)", "locked(red chest)"}),
        ("open box", {"open(box)"}),
        ("open plum", set()),
        ("close iron door", {"shut(iron door)"}),
        ("unlock iron door with tin key", set()),
        ("eat plum", set()),
        ("drop plum", set()),
        ("take desk", set()),
        ("inventory", set()),
    ],
)
def test_a_command_that_changes_nothing(command: str, shown: set[str]) -> None:
    assert told(command, SPEC) == shown


@pytest.mark.parametrize(
    ("command", "shown"),
    [
        ("open oak gate", "shut(oak gate); unlocked(oak gate); open(oak gate)"),
        ("unlock iron door with tin key",
         "locked(iron door); unlocked(iron door); shut(iron door); match(tin key, iron door)"),
        ("unlock iron door with jade key", "locked(iron door); no_match(jade key, iron door)"),
        ("lock oak gate with jade key", "unlocked(oak gate); no_match(jade key, oak gate)"),
        ("lock iron door with jade key", "locked(iron door)"),  # the lock before the fit
        ("unlock iron door with plum", "locked(iron door)"),
        ("take plum", "carried(plum)"),
        ("put plum in box", "carried(plum); in(plum, box)"),
        ("put plum in red chest", "shut(red chest)"),
        ("drop plum", "carried(plum); at(plum, hall)"),
        ("eat plum", "carried(plum); eaten(plum)"),
    ],
)  # fmt: skip
def test_a_command_with_things_in_hand(command: str, shown: str) -> None:
    assert told(command, HELD) == set(shown.split("; "))


def understood(text: str) -> str | None:
    """Return the command as the game takes it at the start; None where it refuses."""
    game = Game(SPEC)
    game.reset(FREE)
    return game.step(text).command


@pytest.mark.parametrize(
    ("text", "command"),
    [
        ("look", "look"), ("l", "look"), ("LOOK AROUND", "look"), ("i", "inventory"),
        ("n", "go north"), ("West", "go west"), ("go to the south", "go south"),
        ("walk east.", "go east"), ("x red chest", "examine red chest"),
        ("look in the chest", "examine red chest"), ("open the iron door", "open iron door"),
        ("open chest", "open red chest"), ("shut gate", "close oak gate"),
        ("unlock iron door with jade key", "unlock iron door with jade key"),
        ("unlock door using the tin key", "unlock iron door with tin key"),
        ("lock chest with jade", "lock red chest with jade key"),
        ("take the jade key", "take jade key"), ("get plum", "take plum from desk"),
        ("pick up plum from the desk", "take plum from desk"), ("pick plum", None),
        ("remove tin key from desk", "take tin key from desk"),
        ("put plum on the desk", "put plum on desk"), ("place plum in box", "insert plum into box"),
        ("insert plum into chest", "insert plum into red chest"), ("drop the plum", "drop plum"),
        ("put down plum", "drop plum"), ("eat plum", "eat plum"), ('"eat plum"', "eat plum"),
        ("> eat plum", "eat plum"),
    ],
)  # fmt: skip
def test_a_free_wording_becomes_one_canonical_command(text: str, command: str | None) -> None:
    assert understood(text) == command


REFUSED = {
    "That is not a command that this game understands": (
        "print_state", "enable print state option", "tw-trace-actions", "tw-extra-infos score",
        "restart", "quit", "q", "save", "restore", "superbrief", "brief", "verbose", "undo",
        "score", "script", "again", "g", "wait", "z", "goal", "help", "restrict commands",
        "test quest0_0", "showme plum", "purloin plum", "give plum to me", "sing", "", "   ", "é",
    ),
    "One command at a time, please.": (
        "look. inventory", "take plum and desk", "take all", "get everything", "take each",
        "open door then go north", "take plum, drop it", "look; look", "look\nlook",
        "drop all but plum",
    ),
    "You can't see any such thing.": (
        "take it", "open vault", "eat the moon", "enter the void", "take plum from red chest",
        "take jade key from desk", "get tin key out of jade key", "take lamp",
    ),
    "Which do you mean: the jade key or the tin key?": ("take key",),
    "put THING on PLACE": ("put plum",),
    "unlock THING with KEY": ("unlock iron door",),
    "lock THING with KEY": ("lock chest",),
}  # fmt: skip


@pytest.mark.parametrize(("words", "texts"), REFUSED.items())
def test_what_is_refused_changes_nothing_and_is_told_why(words: str, texts: tuple[str]) -> None:
    game = Game(SPEC)
    before = game.reset(FREE) and game.state
    for text in texts:
        transition = game.step(text)
        assert words in transition.observation.text, text
        assert (transition.command, transition.revealed, game.state) == (None, (), before)


@given(st.text(max_size=60))
def test_whatever_is_written_what_comes_out_is_whitelisted_or_refused(text: str) -> None:
    command = understood(text)
    if command is not None:
        assert command.split()[0] in {
            "look", "inventory", "go", "examine", "open", "close", "unlock", "lock", "take",
            "put", "insert", "drop", "eat",
        }  # fmt: skip
        assert understood(command) == command, "the canonical form is a fixed point"


def test_admissible_commands_are_understood_as_themselves(bundles: dict[str, list[Any]]) -> None:
    for bundle in (some[0] for some in bundles.values()):
        game, draw = Game(bundle.spec), Random(1)
        game.reset(FREE)
        for _ in range(100):
            offered = game.admissible
            assert len(set(offered)) == len(offered)
            weights = [4 if command.startswith("go ") else 1 for command in offered]
            command = draw.choices(offered, weights)[0]
            assert game.step(command).command == command
