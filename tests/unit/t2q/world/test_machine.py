"""Games that loop or crash end as an error that names them, and the next game is played."""

from __future__ import annotations

import os
import random
from collections.abc import Callable
from pathlib import Path

import pytest

from worldquiz.errors import WorldError
from worldquiz.t2q.store import Bundle
from worldquiz.t2q.suites import Suite
from worldquiz.t2q.world import machine
from worldquiz.t2q.world.machine import Interpreter
from worldquiz.t2q.world.play import Machine, TextWorld

pytestmark = pytest.mark.slow
START, LENGTH, CHECKSUM = 0x06, 0x1A, 0x1C
JUMP_HERE, NO_OPCODE = b"\x8c\xff\xff", b"\xbe\xff\xff"


@pytest.fixture(autouse=True)
def impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let a command take a second, in processes of this test's own."""
    monkeypatch.setattr(machine, "_idle", [])
    monkeypatch.setattr(machine, "Interpreter", lambda: Interpreter(1))


@pytest.fixture
def patched(suite: Suite, tmp_path: Path) -> Callable[[Callable[[bytearray], object]], Path]:
    """Return a game that was changed; its checksum is right."""

    def make(change: Callable[[bytearray], object]) -> Path:
        story = bytearray((suite.path / "worlds" / "easy-00" / "game.z8").read_bytes())
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
    [(JUMP_HERE, "loops: a command took more than 1 s"), (NO_OPCODE, "crashes the interpreter")],
)
def test_a_game_that_does_not_come_back_is_named(
    suite: Suite, patched: Callable[..., Path], code: bytes, words: str
) -> None:
    game = patched(begins_with(code))
    with pytest.raises(WorldError, match=rf"game\.z8: {words}"):
        Machine(game)
    bundle = suite.bundle("easy-00")
    with suite.opened(bundle) as world:
        assert world.reset(bundle.tasks[0]).observation.text


def played(bundle: Bundle, game: Path) -> str | None:
    """Play a game a little; return what keeps it from being played."""
    try:
        world = TextWorld(bundle.spec, game)
        world.reset(bundle.tasks[0])
        for command in ("look", "inventory", "go north", "examine door"):
            world.step(command)
    except WorldError as error:
        return str(error)
    return None


def test_mutants_play_or_are_refused(suite: Suite, patched: Callable[..., Path]) -> None:
    """Fifteen games of which some bytes were changed at random."""
    draw, ends = random.Random(8), []
    bundle = suite.bundle("easy-00")

    def change(story: bytearray) -> None:
        for _ in range(draw.choice((1, 4, 16, 64, 256))):
            story[draw.randrange(0x40, len(story))] = draw.randrange(256)

    for _ in range(15):
        game = patched(change)
        ends.append(played(bundle, game))
    refused = [end for end in ends if end is not None]
    assert 0 < len(refused) < 15
    assert all(str(game) in end for end in refused)


def test_a_process_is_kept_for_the_next_game(suite: Suite) -> None:
    games = [suite.path / "worlds" / world / "game.z8" for world in suite.worlds]
    first = Machine(games[0])
    first.close()
    second, beside = Machine(games[1]), Machine(games[0])
    assert second._interpreter is first._interpreter is not beside._interpreter
    assert second.start() != beside.start()
    second.close()
    beside.close()


@pytest.mark.filterwarnings("ignore:.*fork.*:DeprecationWarning")
def test_a_process_that_is_forked_off_takes_an_interpreter_of_its_own(suite: Suite) -> None:
    """Two that held one would give their commands to one game."""
    machine.given_back(machine.taken())
    kept = {each._process.pid for each in machine._idle}
    forked = os.fork()
    if not forked:
        os._exit(machine.taken()._process.pid in kept)
    assert os.waitstatus_to_exitcode(os.waitpid(forked, 0)[1]) == 0
    assert {each._process.pid for each in machine._idle if each.alive} == kept


def test_a_game_opens_no_file(suite: Suite, tmp_path: Path) -> None:
    """The system refuses, whatever the game says: even a save to a folder that all may write."""
    game = Machine(suite.path / "worlds" / "easy-00" / "game.z8")
    process = Path(f"/proc/{game._interpreter._process.pid}")
    limits = (process / "limits").read_text()
    assert "Max file size             0 " in limits
    assert "Max open files            0 " in limits
    assert (process / "cwd").resolve() == Path("/")
    game.close()


def test_a_process_ends_with_its_owner(suite: Suite) -> None:
    made = Interpreter(1)
    made._asking.close()
    assert made._process.wait(60) == 0
    made.end()
