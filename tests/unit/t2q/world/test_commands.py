"""What an agent may write, and what of it reaches the game."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from conftest import SpecOf
from worldquiz.t2q import Game, Task
from worldquiz.t2q.world.commands import (
    NOT_SEEN,
    NOT_UNDERSTOOD,
    ONE_AT_A_TIME,
    Command,
    Refusal,
    Scope,
    understand,
)
from worldquiz.t2q.world.config import PRESETS

SCOPE = Scope(
    here=frozenset(
        {"iron door", "oak gate", "red chest", "old table", "brass key", "tin key", "plum", "lamp"}
    ),
    holder={"plum": "old table", "tin key": "red chest"},
    lids={"iron door": False, "oak gate": False, "red chest": True},
    ways={"iron door": "north", "oak gate": "east"},
)


@pytest.mark.parametrize(
    ("text", "command"),
    [
        ("look", "look"),
        ("l", "look"),
        ("LOOK AROUND", "look"),
        ("i", "inventory"),
        ("n", "go north"),
        ("West", "go west"),
        ("go to the south", "go south"),
        ("walk east.", "go east"),
        ("x red chest", "examine red chest"),
        ("look in the chest", "examine red chest"),
        ("open the iron door", "open iron door"),
        ("open chest", "open red chest"),
        ("shut gate", "close oak gate"),
        ("unlock iron door with brass key", "unlock iron door with brass key"),
        ("unlock door using the tin key", "unlock iron door with tin key"),
        ("lock chest with brass", "lock red chest with brass key"),
        ("take the lamp", "take lamp"),
        ("get plum", "take plum from old table"),
        ("pick up plum from the table", "take plum from old table"),
        ("pick lamp", None),
        ("remove tin key from red chest", "take tin key from red chest"),
        ("put lamp on the old table", "put lamp on old table"),
        ("place lamp in red chest", "insert lamp into red chest"),
        ("insert lamp into chest", "insert lamp into red chest"),
        ("drop the lamp", "drop lamp"),
        ("put down lamp", "drop lamp"),
        ("eat plum", "eat plum"),
        ('"eat plum"', "eat plum"),
        ("> eat plum", "eat plum"),
    ],
)
def test_a_free_wording_becomes_one_canonical_command(text: str, command: str | None) -> None:
    got = understand(text, SCOPE)
    assert (str(got) if isinstance(got, Command) else None) == command


@pytest.mark.parametrize(
    "text",
    [
        "print_state", "enable print state option", "tw-trace-actions", "tw-extra-infos score",
        "restart", "quit", "q", "save", "restore", "superbrief", "brief", "verbose", "undo",
        "score", "script", "again", "g", "wait", "z", "goal", "help", "wq-objects",
        "restrict commands",
        "test quest0_0",
        "showme lamp", "purloin lamp", "give lamp to me", "sing", "", "   ", "é",
    ],
)  # fmt: skip
def test_what_is_not_on_the_whitelist_never_reaches_the_game(text: str) -> None:
    assert understand(text, SCOPE) == Refusal(NOT_UNDERSTOOD)


@pytest.mark.parametrize(
    "text",
    [
        "look. inventory", "take lamp and plum", "take all", "get everything", "take each",
        "open door then go north", "take lamp, drop it", "look; look", "look\nlook",
        "drop all but lamp",
    ],
)  # fmt: skip
def test_several_commands_or_things_at_once_are_refused(text: str) -> None:
    assert understand(text, SCOPE) == Refusal(ONE_AT_A_TIME)


@pytest.mark.parametrize(
    "text",
    ["take it", "open vault", "eat the moon", "enter the void", "take plum from red chest",
     "take lamp from old table", "get tin key out of brass key"],
)  # fmt: skip
def test_what_is_not_in_sight_is_refused_in_the_games_words(text: str) -> None:
    assert understand(text, SCOPE) == Refusal(NOT_SEEN)


def test_an_ambiguous_noun_is_asked_back_by_us_not_by_the_parser() -> None:
    got = understand("take key", SCOPE)
    assert got == Refusal("Which do you mean: the brass key or the tin key?")


@pytest.mark.parametrize(
    ("text", "example"),
    [("put lamp", "put THING on PLACE"), ("unlock door", "unlock THING with KEY"),
     ("lock chest", "lock THING with KEY")],
)  # fmt: skip
def test_a_command_that_lacks_its_second_noun_is_told_the_form(text: str, example: str) -> None:
    got = understand(text.replace("door", "iron door"), SCOPE)
    assert isinstance(got, Refusal)
    assert example in got.text


@given(st.text(max_size=60))
def test_whatever_is_written_what_comes_out_is_whitelisted_or_refused(text: str) -> None:
    got = understand(text, SCOPE)
    if isinstance(got, Command):
        assert got.verb in {
            "look", "inventory", "go", "examine", "open", "close", "unlock", "lock", "take",
            "put", "insert", "drop", "eat",
        }  # fmt: skip
        nouns = {noun for noun in (got.noun, got.second) if noun}
        assert nouns <= {*SCOPE.here, "north", "east", "south", "west"}
        assert understand(str(got), SCOPE) == got, "the canonical form is a fixed point"


def wander(game: Game, draw: Random) -> Iterator[str]:
    """Yield admissible commands, passages more often than others."""
    for _ in range(150):
        weights = [4 if command.startswith("go ") else 1 for command in game.admissible]
        yield draw.choices(game.admissible, weights)[0]


@pytest.mark.parametrize("level", PRESETS)
@pytest.mark.parametrize("seed", [1, 2])
def test_admissible_commands_are_understood_as_themselves(
    level: str, seed: int, spec_of: SpecOf, no_goal: Task
) -> None:
    game = Game(spec_of(level, seed))
    game.reset(no_goal)
    for command in wander(game, Random(seed)):
        scope = game.situation.scope()
        assert [str(understand(each, scope)) for each in game.admissible] == [*game.admissible]
        assert len(set(game.admissible)) == len(game.admissible)
        assert game.step(command).command == command
