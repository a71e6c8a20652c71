"""Games that are damaged, loop or crash end as an error that names them, and the next one plays."""

from __future__ import annotations

import os
import random
from collections.abc import Callable
from pathlib import Path

import pytest

from conftest import GameOf, SpecOf
from worldquiz.errors import WorldError
from worldquiz.t2q.textworld import play
from worldquiz.t2q.textworld.play import Machine, TextWorld
from worldquiz.t2q.world.spec import Task, WorldSpec

pytestmark = pytest.mark.slow
START, LENGTH, CHECKSUM = 0x06, 0x1A, 0x1C
JUMP_HERE, NO_OPCODE = b"\x8c\xff\xff", b"\xbe\xff\xff"


@pytest.fixture(autouse=True)
def impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let a command take a second."""
    monkeypatch.setattr(play, "SECONDS", 1)


@pytest.fixture
def game(spec_of: SpecOf, game_of: GameOf) -> Path:
    """Return the game of an easy world; nobody may write into it."""
    return game_of(spec_of("easy", 101))


@pytest.fixture
def patched(game: Path, tmp_path: Path) -> Callable[[Callable[[bytearray], object]], Path]:
    """Return the game with a change; its checksum is right."""

    def make(change: Callable[[bytearray], object]) -> Path:
        story = bytearray(game.read_bytes())
        change(story)
        length = 8 * int.from_bytes(story[LENGTH : LENGTH + 2], "big")
        total = sum(story[0x40:length]) % 0x10000
        story[CHECKSUM : CHECKSUM + 2] = total.to_bytes(2, "big")
        (tmp_path / "game.z8").write_bytes(story)
        return tmp_path / "game.z8"

    return make


def begins_with(code: bytes) -> Callable[[bytearray], object]:
    def change(story: bytearray) -> None:
        place = int.from_bytes(story[START : START + 2], "big")
        story[place : place + len(code)] = code

    return change


@pytest.mark.parametrize(
    ("code", "words"),
    [(JUMP_HERE, "loops: a command took more than 1 s"), (NO_OPCODE, "not a game of worldquiz")],
)
def test_a_game_that_does_not_come_back_is_named(
    game: Path, patched: Callable[..., Path], code: bytes, words: str
) -> None:
    with pytest.raises(WorldError, match=rf"game\.z8: {words}"):
        Machine(patched(begins_with(code)))
    assert Machine(game).start()


def test_one_byte_of_a_game_counts(game: Path, tmp_path: Path) -> None:
    program = bytearray(game.read_bytes())
    program[200_000] ^= 1
    (tmp_path / "game.z8").write_bytes(program)
    with pytest.raises(WorldError, match=r"game\.z8: is damaged: its checksum"):
        Machine(tmp_path / "game.z8")


def played(spec: WorldSpec, task: Task, game: Path) -> str | None:
    """Play a game a little; return what keeps it from being played."""
    try:
        world = TextWorld(spec, game)
        world.reset(task)
        for command in ("look", "inventory", "go north", "examine door"):
            world.step(command)
    except WorldError as error:
        return str(error)
    return None


def test_mutants_play_or_are_refused(
    spec_of: SpecOf, no_goal: Task, patched: Callable[..., Path]
) -> None:
    """Fifteen games of which some bytes were changed at random."""
    draw, ends = random.Random(8), []

    def change(story: bytearray) -> None:
        for _ in range(draw.choice((1, 4, 16, 64, 256))):
            story[draw.randrange(0x40, len(story))] = draw.randrange(256)

    for _ in range(15):
        game = patched(change)
        ends.append(played(spec_of("easy", 101), no_goal, game))
    refused = [end for end in ends if end is not None]
    assert 0 < len(refused) < 15
    assert all(str(game) in end for end in refused)


@pytest.mark.filterwarnings("ignore:.*fork.*:DeprecationWarning")
def test_a_process_that_is_forked_off_leaves_the_game_to_its_owner(game: Path) -> None:
    machine = Machine(game)
    forked = os.fork()
    if not forked:
        machine.close()
        os._exit(0)
    os.waitpid(forked, 0)
    assert machine.start()
    machine.close()
