"""``worldquiz mango record``, ``worlds`` and ``build``: mazes that are not published ones."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.table import Table

from worldquiz.cli.shell import (
    FAULTY,
    Jobs,
    Json,
    On,
    SuiteFolder,
    progress,
    resumable,
    spread,
    tell,
    waiting,
    warn,
    workers,
)
from worldquiz.cli.tables import plain
from worldquiz.errors import RecordError, WorldError
from worldquiz.mango.cli.options import Games, MazesOut
from worldquiz.mango.maze.generate import Knobs
from worldquiz.mango.maze.recorder.trace import PATIENCE
from worldquiz.mango.maze.recorder.words import Reverses
from worldquiz.mango.maze.write import write_recording
from worldquiz.mango.maze_set import build_mazes
from worldquiz.mango.mazes.record import record_all, record_walk, report, size, stories
from worldquiz.mango.mazes.selection import chosen, wanted_games
from worldquiz.runs.benchmark import kind_of_data
from worldquiz.runs.shard import Shard, dealt


def record(
    roms: Annotated[Path, typer.Option("--roms", help="A folder of Z-machine games, or one game.")],
    out_folder: MazesOut,
    commands: Annotated[
        Path | None,
        typer.Option(
            "--commands",
            help="A folder with the commands of each game, GAME.walkthrough_acts. Default: beside "
            "the games, and Jericho's own walkthrough for a game without such a file.",
        ),
    ] = None,
    reverses: Annotated[
        Reverses,
        typer.Option(
            help="Which reverse moves to try in the game: those of compass directions, up and down "
            "(as MANGO's published maps do), or any (exit for enter)."
        ),
    ] = Reverses.COMPASS,
    patience: Annotated[
        float, typer.Option(min=0.1, help="Seconds allowed for one step of a game.")
    ] = PATIENCE,
    game: Games = None,
    jobs: Jobs = None,
    on: On = None,
    shard: Annotated[
        str | None,
        typer.Option(
            metavar="I/N",
            help="Record only part I of N of the games; all parts may have the same --out.",
        ),
    ] = None,
    json: Json = False,
) -> None:
    """Record mazes from games, in MANGO's formats; exit code 1 if some game cannot be recorded."""
    every = stories(roms)
    wanted = wanted_games(str(roms), {story.stem for story in every}, game or ())
    found = [story for story in every if story.stem in wanted]
    if shard is not None:
        part = Shard.read(shard)
        whose = dealt([story.stem for story in found], part.of)
        found = [story for story in found if whose[story.stem] == part.index]
    with (
        resumable("the mazes that are finished are kept"),
        progress("recording", len(found)) as done,
        spread(on),
    ):
        made = record_all(
            found,
            out_folder,
            commands=commands,
            reverses=reverses,
            jobs=workers(jobs),
            patience=patience,
            done=done,
        )
    faults = [result.fault for result in made if result.fault is not None]
    if len(faults) == len(made):
        raise WorldError("\n".join(faults))
    warn(*faults)
    document = report(made)
    rows = (_size(game, found) for game, found in document["games"].items())
    header = ("game", "places", "edges", "imputed", "steps", "unsure")
    tell(document, [plain(rows, *header)], json=json)
    if faults:
        raise typer.Exit(FAULTY)


def _size(game: str, found: dict[str, Any]) -> tuple[str, ...]:
    counts = (str(found["size"][key]) for key in ("places", "edges", "imputed", "steps"))
    return game, *counts, str(len(found["unsure"]))


def worlds(
    suite_folder: SuiteFolder,
    out_folder: MazesOut,
    world: Annotated[
        list[str] | None, typer.Option(help="Record only this world; may be repeated.")
    ] = None,
    json: Json = False,
) -> None:
    """Record the games of a suite as mazes, from a walk that explores all of each."""
    walks = kind_of_data(suite_folder)[1].walks
    if walks is None:
        raise RecordError(f"{suite_folder}: holds no games to walk through: give a suite")
    found = {}
    with resumable("the mazes that are finished are kept"), waiting("recording"):
        for each in walks(suite_folder, world or ()):
            recording = record_walk(each)
            write_recording(recording, out_folder)
            found[each.world] = size(recording.maze)
    tell({"mazes": found}, [_sizes(found)], json=json)


def build(
    out_folder: MazesOut,
    seed: Annotated[int, typer.Option(help="Random seed; equal seeds give equal mazes.")],
    mazes: Annotated[int, typer.Option(min=1, help="Number of mazes.")] = 1,
    places: Annotated[int, typer.Option("--size", help="Number of places in each maze.")] = 20,
    branching: Annotated[int, typer.Option(help="Passages at a place, without loops.")] = 3,
    loops: Annotated[
        float, typer.Option(help="Passages that close loops, as a share of the others.")
    ] = 0.2,
    one_way: Annotated[float, typer.Option(help="Share of passages with no way back.")] = 0.0,
    confusable: Annotated[
        float, typer.Option(help="Share of places whose names differ by one word only.")
    ] = 0.0,
    non_compass: Annotated[
        float, typer.Option(help="Share of passages that no compass direction names.")
    ] = 0.0,
    json: Json = False,
) -> None:
    """Generate mazes in MANGO's files, each with a walkthrough that shows all of it."""
    knobs = Knobs(places, branching, loops, one_way, confusable, non_compass)
    found = build_mazes(knobs, mazes, seed, out_folder)
    tell({"mazes": found}, [_sizes(found)], json=json)


def maze_tables(folder: Path) -> Iterator[Table]:
    """Yield how large the mazes of a folder are, as a table."""
    yield _sizes({name: size(maze) for name, maze in chosen(folder, ()).items()})


def _sizes(found: dict[str, dict[str, int]]) -> Table:
    columns = ("places", "edges", "imputed", "steps")
    rows = ((name, *(str(counts[key]) for key in columns)) for name, counts in found.items())
    return plain(rows, "maze", *columns)
