"""``worldquiz mango record``, ``worlds`` and ``generate``: mazes that are not published ones."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer

from worldquiz.cli.shell import (
    Jobs,
    Json,
    SuiteFolder,
    emit,
    err,
    out,
    progress,
    resumable,
    workers,
)
from worldquiz.cli.tables import plain
from worldquiz.errors import WorldError
from worldquiz.mango.maze.generate import Knobs
from worldquiz.mango.maze.generate import generate as generate_maze
from worldquiz.mango.maze.mango import Layout
from worldquiz.mango.maze.recorder.trace import PATIENCE
from worldquiz.mango.maze.recorder.words import Reverses
from worldquiz.mango.maze.write import write, write_recording
from worldquiz.mango.mazes.compare import KINDS
from worldquiz.mango.mazes.record import record_all, report, size, stories
from worldquiz.mango.mazes.worlds import record_suite
from worldquiz.rng import child_seed
from worldquiz.t2q.suites import open_suite

FAILED = 1


def record(
    roms: Annotated[Path, typer.Option("--roms", help="A folder of Z-machine games, or one.")],
    out_folder: Annotated[Path, typer.Option("--out", help="Where the mazes go.")],
    compare: Annotated[
        Path | None, typer.Option("--compare", help="A folder of MANGO's published mazes.")
    ] = None,
    commands: Annotated[
        Path | None,
        typer.Option(
            "--commands",
            help="A folder of GAME.walkthrough_acts to play by; else they are looked for beside "
            "the games, and a game without is played by Jericho's own walkthrough.",
        ),
    ] = None,
    reverses: Annotated[
        Reverses,
        typer.Option(
            help="Reverses that become moves once the game confirms them: of compass moves, up and "
            "down, as in MANGO's published maps; or any, as exit for enter."
        ),
    ] = Reverses.COMPASS,
    patience: Annotated[
        float, typer.Option(min=0.1, help="Seconds that one step of a game may take.")
    ] = PATIENCE,
    jobs: Jobs = None,
    json: Json = False,
) -> None:
    """Record mazes from games, in MANGO's formats; exit code 1 if some game cannot be recorded."""
    found = stories(roms)
    with (
        resumable("the mazes that are finished are kept"),
        progress("recording", len(found)) as done,
    ):
        made = record_all(
            found,
            out_folder,
            commands=commands,
            compare=compare,
            reverses=reverses,
            jobs=workers(jobs),
            patience=patience,
            done=done,
        )
    faults = [result.fault for result in made if result.fault is not None]
    if len(faults) == len(made):
        raise WorldError("\n".join(faults))
    for fault in faults:
        err().print(fault, markup=False, soft_wrap=True)
    document = report(made)
    if json:
        emit(document)
    else:
        _print(document)
    if faults:
        raise typer.Exit(FAILED)


def _print(document: dict[str, Any]) -> None:
    console = out()
    rows = [_size(game, found) for game, found in document["games"].items()]
    header = ("game", "places", "edges", "imputed", "steps", "unsure")
    console.print(plain(rows, *header))
    if "micro" not in document:
        return
    rows = [_figures(game, found) for game, found in document["games"].items() if "nodes" in found]
    rows.append(_figures("all", document["micro"]))
    console.print(plain(rows, "precision / recall", *KINDS))
    for move in document["missed_by_published"]:
        console.print(
            f"{move['game']}: {move['source']} --> {move['action']} --> {move['target']}, "
            f"step {move['step']}: not in the published map, "
            f"{'confirmed by' if move['replayed'] else 'not confirmed by'} replay",
            markup=False,
            soft_wrap=True,
        )


def _size(game: str, found: dict[str, Any]) -> tuple[str, ...]:
    counts = (str(found["size"][key]) for key in ("places", "edges", "imputed", "steps"))
    return game, *counts, str(len(found["unsure"]))


def _figures(game: str, found: dict[str, Any]) -> tuple[str, ...]:
    return game, *(f"{_ratio(found[k], 'precision')} / {_ratio(found[k], 'recall')}" for k in KINDS)


def _ratio(share: dict[str, Any], which: str) -> str:
    counts = ("right", "recorded") if which == "precision" else ("found", "published")
    if share[which] is None:
        return "none"
    return f"{share[which]:.3f} ({share[counts[0]]} of {share[counts[1]]})"


def worlds(
    suite_folder: SuiteFolder,
    out_folder: Annotated[Path, typer.Option("--out", help="Where the mazes go.")],
    json: Json = False,
) -> None:
    """Record the worlds of a suite as mazes: an explorer walks through each one's game."""
    suite = open_suite(suite_folder)
    found = {}
    with (
        resumable("the mazes that are finished are kept"),
        progress("recording", len(suite.worlds)) as done,
    ):
        for world in suite.worlds:
            recording = record_suite(suite, world)
            write_recording(recording, out_folder)
            found[world] = size(recording.maze)
            done(world)
    _sizes(found, as_json=json)


def generate(
    out_folder: Annotated[Path, typer.Option("--out", help="Where the mazes go.")],
    seed: Annotated[int, typer.Option(help="Equal seeds give equal mazes.")],
    mazes: Annotated[int, typer.Option(min=1, help="How many.")] = 1,
    places: Annotated[int, typer.Option("--size", help="Places in each.")] = 20,
    branching: Annotated[int, typer.Option(help="Passages a place, loops aside.")] = 3,
    loops: Annotated[float, typer.Option(help="Passages beyond a tree, a share.")] = 0.2,
    one_way: Annotated[float, typer.Option(help="Share of passages one can't go back.")] = 0.0,
    confusable: Annotated[float, typer.Option(help="Share of places alike but for a word.")] = 0.0,
    non_compass: Annotated[float, typer.Option(help="Share of passages without direction.")] = 0.0,
    json: Json = False,
) -> None:
    """Generate mazes, in MANGO's formats, each with a walkthrough that shows all of it."""
    knobs = Knobs(places, branching, loops, one_way, confusable, non_compass)
    found = {}
    for number in range(mazes):
        name = f"maze-{number:02}"
        maze = generate_maze(knobs, child_seed(seed, "maze", number), name=name)
        for layout in Layout:
            write(maze, out_folder, layout)
        found[name] = size(maze)
    _sizes(found, as_json=json)


def _sizes(found: dict[str, dict[str, int]], *, as_json: bool) -> None:
    if as_json:
        emit({"mazes": found})
        return
    rows = (
        (name, *(str(counts[key]) for key in ("places", "edges", "imputed", "steps")))
        for name, counts in found.items()
    )
    out().print(plain(rows, "maze", "places", "edges", "imputed", "steps"))
