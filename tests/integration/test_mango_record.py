"""Mazes recorded from real Z-machine games, whose maps are known; and games that misbehave."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner

from conftest import GameOf, SpecOf
from games import UNWON, play
from worldquiz.cli import app
from worldquiz.errors import WorldError
from worldquiz.facts.fact import LEADS
from worldquiz.mango.published import Layout, games, read, write_both
from worldquiz.mango.recorder.record import Recording, record
from worldquiz.mango.recorder.trace import trace
from worldquiz.t2q import Game, WorldSpec
from worldquiz.t2q.agents.explorer import Explorer
from worldquiz.t2q.games import compiled
from worldquiz.t2q.world.config import PerTask

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
def game(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A small game of our own that can end, hang and beam its player about."""
    path = tmp_path_factory.mktemp("story") / "toy.z8"
    path.write_bytes(compiled(GAME, "toy"))
    return path


@pytest.fixture(scope="session")
def maze(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A game with three rooms alike that are one object, and a move that waits for a key."""
    path = tmp_path_factory.mktemp("maze") / "maze.z8"
    path.write_bytes(compiled(MAZE, "maze"))
    return path


def arrows(recording: Recording) -> dict[str, bool]:
    """Return each edge, and whether it is imputed."""
    return {f"{e.source} | {e.action} | {e.target}": e.imputed for e in recording.maze.edges}


Moves = set[tuple[str, str, str]]


def walk(spec: WorldSpec) -> tuple[str, ...]:
    """Return commands by which an explorer walks through all of a world."""
    limit = PerTask(60 * len(spec.rooms))
    (episode,) = play(Game(spec), Explorer(), [UNWON], seed=0, name="explorer", budget=limit)
    actions = [step.action for step in episode.steps if step.action is not None]
    return tuple(action.removeprefix("go ") for action in actions)


def truth(spec: WorldSpec, commands: tuple[str, ...]) -> tuple[Moves, Moves]:
    """Return the moves that a walk takes, and the reverses that it never takes but are there.

    Computed from the world's facts alone. A typed direction that leads nowhere, or to a shut door,
    would make this wrong; `walk` types none such.
    """
    ways = {(room, way): other for room, way, other in LEADS.of(spec.facts)}
    room, taken = spec.start, set()
    for command in commands:
        if (room, command) in ways:
            other = ways[room, command]
            taken.add((room, command, other))
            room = other
    pairs = {(source, target) for source, _, target in taken}
    back = {(room, way, other) for (room, way), other in ways.items() if (other, room) in pairs}
    return taken, back - taken


@pytest.mark.parametrize(("level", "seed"), [("easy", 11), ("hard", 13)])
def test_worlds_of_ours_are_recorded_exactly(
    level: str, seed: int, spec_of: SpecOf, game_of: GameOf
) -> None:
    spec = spec_of(level, seed)
    recording = record(game_of(spec), walk(spec), name=spec.id)
    taken, imputed = truth(spec, recording.trace.commands)
    edges = {
        sort: {(e.source, e.action, e.target) for e in recording.maze.edges if e.imputed is sort}
        for sort in (False, True)
    }
    assert edges == {False: taken, True: imputed}
    assert imputed or level != "hard"
    assert set(recording.maze.places) == {room.name for room in spec.rooms}
    assert recording.doubts == ()
    assert all(edge.seen == edge.told for edge in recording.maze.edges)


def test_one_way_seats_teleports_and_namesakes(game: Path, tmp_path: Path) -> None:
    commands = ["N", "u", "d", "enter shed", "exit", "e", "beam", "look"]
    recording = record(game, commands)
    hall, annex = "hall (exits east, enter shed, south, up)", "hall (exit beam)"
    assert arrows(recording) == {
        f"cell | north | {hall}": False,
        f"{hall} | south | cell": True,
        f"{hall} | up | attic": False,
        f"attic | down | {hall}": False,
        f"{hall} | enter shed | hall (in the shed)": False,
        f"hall (in the shed) | exit | {hall}": False,
        f"{hall} | east | {annex}": False,
        f"{annex} | beam | cell": False,
    }
    kinds = sorted(doubt.kind for doubt in recording.doubts)
    assert kinds == ["namesake", "namesake", "no direction", "no direction"]
    home, full = write_both(recording.maze, tmp_path)
    assert read(home) == recording.maze
    assert read(full) == recording.maze  # its text is the other layout's


def test_a_move_that_waits_for_a_key_is_of_the_command_before_it(maze: Path) -> None:
    recording = record(maze, ["n", "s", "w", "look", "look", "n", "e"])
    assert arrows(recording) == {
        "porch | north | labyrinth": False,
        "labyrinth | south | porch": False,
        "porch | west | lawn": False,
        "lawn | east | porch": False,
    }
    assert ("late", "step 3") in {(doubt.kind, doubt.about) for doubt in recording.doubts}


def misuse(game: Path, commands: list[str]) -> str:
    with pytest.raises(WorldError) as error:
        trace(game, commands, patience=2.0)
    assert str(game) in str(error.value)
    return str(error.value).removeprefix(f"{game}: ")


def test_a_game_that_loops_is_ended_at_its_limit(game: Path) -> None:
    assert misuse(game, ["n", "hang", "u"]) == (
        "hangs at step 2, after 'hang': no answer within 2 s; its process was ended"
    )


def test_a_game_that_quits_in_the_middle_is_named_with_the_step(game: Path) -> None:
    assert misuse(game, ["n", "vanish", "quit", "n", "n"]) == (
        "the game ends at step 3 of 5, after 'quit': leave out the commands that follow"
    )
    assert trace(game, ["n", "vanish", "quit"]).unplayed == 0


def test_a_crash_is_told_with_its_signal(game: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(game.parent / "broken")
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join(sys.path))
    broken = game.parent / "broken" / "jericho"
    broken.mkdir(parents=True)
    (broken / "__init__.py").write_text("import os\nos.abort()\n")
    assert misuse(game, ["n"]) == ("crashes before its first step: its process ended with SIGABRT")


def test_a_reverse_that_hangs_costs_only_itself(tmp_path: Path) -> None:
    story = tmp_path / "trap.z8"
    trap = "Instead of going south in the Hall:\n\twhile 1 is 1:\n\t\tdo nothing.\n"
    story.write_bytes(compiled(GAME + trap, "trap"))
    recording = record(story, ["n", "u"], patience=4.0)
    assert [doubt.kind for doubt in recording.doubts] == ["untried"]
    assert {edge.action for edge in recording.maze.edges} == {"north", "up", "down"}


def test_files_that_are_no_games_are_named(game: Path, tmp_path: Path) -> None:
    story = game.read_bytes()
    for data, fault in (
        (b"", "is no Z-machine game"),
        (b"hello" * 100, "is no Z-machine game"),
        (story[: len(story) // 2], "is cut short: "),
        (story[:9000] + b"xxxx" + story[9004:], "is damaged: its checksum"),
        (bytes([3]) + bytes(200), "is damaged: its object table"),
    ):
        path = tmp_path / "bad.z8"
        path.write_bytes(data)
        assert fault in misuse(path, ["n"])
    assert "cannot be read" in misuse(tmp_path / "none.z8", ["n"])


def children() -> set[str]:
    """Return the processes that this one has started."""
    return set(Path(f"/proc/self/task/{os.getpid()}/children").read_text().split())


def run(*arguments: object, command: str = "record") -> Said:
    words = ["mango", command, *map(str, arguments)]
    result = CliRunner(env={"COLUMNS": "200"}).invoke(app, words)
    if result.exception is not None and not isinstance(result.exception, SystemExit):
        raise result.exception
    return result.exit_code, result.stdout, result.stderr


Said = tuple[int, str, str]


@pytest.fixture
def roms(game: Path, tmp_path: Path) -> Path:
    """A folder of one game with its commands."""
    folder = tmp_path / "roms"
    folder.mkdir()
    (folder / "toy.z8").write_bytes(game.read_bytes())
    (folder / "toy.walkthrough_acts").write_text("1: N\n2: u\n3: d\n4: e\n")
    return folder


def test_the_command_writes_a_game_in_both_layouts_and_tells_its_size(
    roms: Path, tmp_path: Path
) -> None:
    out = tmp_path / "out"
    code, text, _ = run("--roms", roms, "--out", out, "--jobs", 1, "--json")
    found = json.loads(text)
    assert code == 0
    assert found["failed"] == {}
    for layout in Layout:
        assert [home.game for home in games(out, layout)] == ["toy"]
    assert json.loads((out / "toy" / "recording.json").read_text()) == found["games"]["toy"]
    assert found["games"]["toy"]["size"]["places"] == 4


def test_what_is_wrong_with_one_games_files_keeps_no_other_from_being_recorded(
    roms: Path, tmp_path: Path
) -> None:
    for name in ("two", "three"):
        (roms / f"{name}.z8").write_bytes((roms / "toy.z8").read_bytes())
    (roms / "two.walkthrough_acts").write_text("1: n\n2 u\n")
    code, text, _ = run("--roms", roms, "--out", tmp_path / "out", "--jobs", 1, "--json")
    found = json.loads(text)
    assert (code, list(found["games"])) == (1, ["toy"])
    assert "two.walkthrough_acts:2: '2 u', wanted '2: COMMAND'" in found["failed"]["two"]
    assert "Jericho has no walkthrough of it" in found["failed"]["three"]


def test_generated_mazes_are_the_same_bytes_in_any_process(tmp_path: Path) -> None:
    knobs = ("--seed", 5, "--mazes", 2, "--size", 9, "--one-way", 0.3, "--non-compass", 0.5)
    for folder in ("a", "b"):
        run("--out", tmp_path / folder, *knobs, command="build")
    words = map(str, ("mango", "build", "--out", tmp_path / "c", *knobs))
    subprocess.run(
        [sys.executable, "-m", "worldquiz", *words],
        check=True, capture_output=True, env={**os.environ, "PYTHONHASHSEED": "77"},
    )  # fmt: skip
    found = [
        {str(path.relative_to(root)): path.read_bytes() for path in sorted(root.rglob("*.*"))
         if path.is_file()}
        for root in (tmp_path / "a", tmp_path / "b", tmp_path / "c")
    ]  # fmt: skip
    assert found[0] == found[1] == found[2]
    assert len(found[0]) == 2 * (4 + 6)


def test_a_game_that_nobody_watches_ends_by_itself(game: Path) -> None:
    reading, writing = os.pipe()
    job = {
        "game": str(game),
        "commands": ["n", "hang"],
        "patience": 0.2,
    }
    process = subprocess.Popen(
        [sys.executable, "-m", "worldquiz.mango.recorder.child", str(writing)],
        stdin=subprocess.PIPE,
        pass_fds=(writing,),
    )
    process.communicate(json.dumps(job).encode())
    os.close(reading)
    os.close(writing)
    assert process.returncode == -signal.SIGALRM
