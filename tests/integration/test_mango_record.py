"""Mazes recorded by ``mango record`` from games whose maps are known, and games that misbehave."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

import worldquiz as wq
from command import Said, worldquiz
from conftest import Inform

GAME = """The Cell is a room. "A bare cell."
The Hall is north of the Cell. "A hall."
The Attic is above the Hall. "Dusty."
The Annex is a room. The printed name of the Annex is "Hall". "A small annex."
The Annex is east of the Hall. West of the Annex is nowhere.
The Cellar is below the Hall. The Cellar is dark.
The Yard is north of the Annex. The sledge is a vehicle in the Annex.
The shed is an open enterable container in the Hall. The shed is fixed in place.
The lantern is a device in the Cellar.
After switching on the lantern: now the lantern is lit; say "It glows."
The player carries a coin.
Vanishing is an action applying to nothing. Understand "vanish" as vanishing.
Carry out vanishing: end the story finally.
Beaming is an action applying to nothing. Understand "beam" as beaming.
Carry out beaming: move the player to the Cell.
Hanging is an action applying to nothing. Understand "hang" as hanging.
Carry out hanging:
	while 1 is 1:
		do nothing.
"""


MAZE = """The Porch is a room. "A porch."
The Labyrinth is north of the Porch. "Hedges, all alike."
The spot is a number that varies. The spot is 1.
Instead of going north in the Labyrinth:
	if the spot is 3, say "A hedge.";
	otherwise increase the spot by 1;
	try looking.
Instead of going south in the Labyrinth when the spot is greater than 1:
	decrease the spot by 1;
	try looking.
To wait for a key: (- WaitForKey(); -).
Include (- [ WaitForKey k; @read_char 1 -> k; rfalse; ]; -).
Instead of going west in the Porch:
	say "You wander off...";
	wait for a key;
	move the player to the Lawn.
The Lawn is a room. "Grass." The Porch is east of the Lawn. West of the Porch is nowhere.
"""


@pytest.fixture(scope="session")
def game(inform: Inform) -> bytes:
    """A small game of our own that can end, hang and beam its player about."""
    return inform(GAME, "toy")


def record(folder: Path, story: bytes, commands: Sequence[str]) -> Said:
    """Record a game by some commands, below a folder."""
    roms = folder / "roms"
    roms.mkdir(exist_ok=True)
    (roms / "toy.z8").write_bytes(story)
    (roms / "toy.walkthrough_acts").write_text("".join(f"{each}\n" for each in commands))
    words = ("--roms", roms, "--out", folder / "out", "--jobs", 1, "--json")
    return worldquiz("mango", "record", *words)


def arrows(folder: Path) -> dict[str, bool]:
    """Return each recorded move, and whether it is imputed."""
    text = (folder / "out" / "toy" / "full" / "toy.edges.json").read_text("utf-8")
    return {
        f"{e['src_node']} | {e['action']} | {e['dst_node']}": e["seen_in_forward"] == 9999
        for e in json.loads(text)
    }


def test_one_way_seats_teleports_and_namesakes(game: bytes, tmp_path: Path) -> None:
    said = record(tmp_path, game, ["N", "u", "d", "enter shed", "exit", "e", "beam", "look"])
    hall, annex = "hall (exits east, enter shed, south, up)", "hall (exit beam)"
    assert arrows(tmp_path) == {
        f"cell | north | {hall}": False,
        f"{hall} | south | cell": True,
        f"{hall} | up | attic": False,
        f"attic | down | {hall}": False,
        f"{hall} | enter shed | hall (in the shed)": False,
        f"hall (in the shed) | exit | {hall}": False,
        f"{hall} | east | {annex}": False,
        f"{annex} | beam | cell": False,
    }
    for layout in ("full", "steps70"):
        assert wq.mango.load(tmp_path / "out", layout).games == ("toy",)
    size = {"places": 5, "edges": 8, "imputed": 1, "steps": 8}
    assert said.json == {"games": {"toy": size}, "failed": {}}


def test_a_move_that_waits_for_a_key_is_of_the_command_before_it(
    inform: Inform, tmp_path: Path
) -> None:
    record(tmp_path, inform(MAZE, "maze"), ["n", "s", "w", "look", "look", "n", "e"])
    assert arrows(tmp_path) == {
        "porch | north | labyrinth": False,
        "labyrinth | south | porch": False,
        "porch | west | lawn": False,
        "lawn | east | porch": False,
    }


ASKED = """The Cell is a room. The Hall is north of the Cell. The Shed is north of the Hall.
To wait for a key: (- WaitForKey(); -).
Include (- [ WaitForKey k; @read_char 1 -> k; rfalse; ]; -).
When play begins:
	say "[bracket]Press a key to begin[close bracket]";
	wait for a key.
After going north to the Hall:
	say "A bell rings.[paragraph break]Hit the RETURN/ENTER key to";
	wait for a key;
	say " go on.[line break][bracket]Any key";
	wait for a key;
	say "[close bracket][line break]";
	try looking.
The printed name of the Shed is "Shed (you are flying)".
The Loft is above the Shed. The printed name of the Loft is "Loft (lying down)".
The Deck is above the Loft. The printed name of the Deck is "Deck, as Captain".
The Hut is above the Deck. The printed name of the Hut is "Hut (north side)".
"""


def test_keys_are_pressed_where_a_text_asks_for_one_and_moods_are_no_names(
    inform: Inform, tmp_path: Path
) -> None:
    record(tmp_path, inform(ASKED, "asked"), ["n", "n", "u", "u", "u"])
    rooms = ["cell", "hall", "shed", "loft", "deck", "hut (north side)"]
    ways = [("north", "south")] * 2 + [("up", "down")] * 3
    assert arrows(tmp_path) == {
        f"{one} | {act} | {two}": imputed
        for here, there, (on, back) in zip(rooms, rooms[1:], ways, strict=False)
        for one, act, two, imputed in ((here, on, there, False), (there, back, here, True))
    }
    text = (tmp_path / "out" / "toy" / "steps70" / "toy.walkthrough").read_text()
    assert "A bell rings.\n\nHit the RETURN/ENTER key\n to go on.\n[Any\n key]" in text


def misuse(folder: Path, story: bytes, commands: Sequence[str]) -> str:
    said = record(folder, story, commands)
    assert said.code == 2
    assert str(folder / "roms" / "toy.z8") in said.err
    return said.err.partition("toy.z8: ")[2].strip()


def test_a_game_that_loops_is_ended_at_its_limit(
    game: bytes, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("worldquiz.mango.recorder.trace.PATIENCE", 2.0)
    assert misuse(tmp_path, game, ["n", "hang", "u"]) == (
        "hangs at step 2, after 'hang': no answer within 2 s; its process was ended"
    )


def test_a_game_that_quits_in_the_middle_is_named_with_the_step(
    game: bytes, tmp_path: Path
) -> None:
    assert misuse(tmp_path, game, ["n", "vanish", "quit", "n", "n"]) == (
        "the game ends at step 3 of 5, after 'quit': remove the commands after it"
    )
    assert record(tmp_path, game, ["n", "vanish", "quit"]).code == 0


def test_a_crash_is_told_with_its_signal(
    game: bytes, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    broken = tmp_path / "broken" / "jericho"
    broken.mkdir(parents=True)
    (broken / "__init__.py").write_text("import os\nos.abort()\n")
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join([str(broken.parent), *sys.path]))
    told = misuse(tmp_path, game, ["n"])
    assert told == "crashes before its first step: its process ended with SIGABRT"


def test_a_reverse_that_hangs_costs_only_itself(
    inform: Inform, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("worldquiz.mango.recorder.trace.PATIENCE", 4.0)
    trap = "Instead of going south in the Hall:\n\twhile 1 is 1:\n\t\tdo nothing.\n"
    record(tmp_path, inform(GAME + trap, "trap"), ["n", "u"])
    assert {move.split(" | ")[1] for move in arrows(tmp_path)} == {"north", "up", "down"}


def test_files_that_are_no_games_are_named(game: bytes, tmp_path: Path) -> None:
    for data, fault in (
        (b"", "is not a Z-machine game"),
        (b"hello" * 100, "is not a Z-machine game"),
        (game[: len(game) // 2], "is cut short: "),
        (game[:9000] + b"xxxx" + game[9004:], "is damaged: its checksum"),
        (bytes([3]) + bytes(200), "is damaged: its object table"),
    ):
        assert fault in misuse(tmp_path, data, ["n"])


def test_what_is_wrong_with_one_games_files_keeps_no_other_from_being_recorded(
    game: bytes, tmp_path: Path
) -> None:
    roms = tmp_path / "roms"
    roms.mkdir()
    for name in ("two", "three"):
        (roms / f"{name}.z8").write_bytes(game)
    (roms / "two.walkthrough_acts").write_text("\n1: \n")
    said = record(tmp_path, game, ["n", "u"])
    assert (said.code, list(said.json["games"])) == (1, ["toy"])
    failed: dict[str, Any] = said.json["failed"]
    assert "two.walkthrough_acts: contains no commands" in failed["two"]
    assert "Jericho has no walkthrough of this game" in failed["three"]


def test_a_game_that_nobody_watches_ends_by_itself(game: bytes, tmp_path: Path) -> None:
    (tmp_path / "toy.z8").write_bytes(game)
    reading, writing = os.pipe()
    job = {"game": str(tmp_path / "toy.z8"), "commands": ["n", "hang"], "patience": 0.2}
    process = subprocess.Popen(
        [sys.executable, "-m", "worldquiz.mango.recorder.child", str(writing)],
        stdin=subprocess.PIPE,
        pass_fds=(writing,),
    )
    process.communicate(json.dumps(job).encode())
    os.close(reading)
    os.close(writing)
    assert process.returncode == -signal.SIGALRM
