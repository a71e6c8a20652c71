"""``worldquiz mango stats`` and ``questions``: published mazes, counted and asked about."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from worldquiz.cli.shell import Json, emit, out, progress, resumable
from worldquiz.cli.tables import plain
from worldquiz.mango.maze.mango import Layout
from worldquiz.mango.mazes import maps
from worldquiz.mango.mazes.maps import COLUMNS, Format
from worldquiz.mango.paths.pairs import Route

Data = Annotated[Path, typer.Argument(metavar="DATA_DIR", help="A folder of published mazes.")]
Laid = Annotated[
    Layout | None,
    typer.Option(
        help="The full maps, or the 70-step set; each as GAME/LAYOUT or GAME. Default: the full "
        "map of each game that has one."
    ),
]
Steps = Annotated[
    int | None, typer.Option(min=1, help="Read only so many steps of each walkthrough.")
]


def stats(
    data: Data,
    layout: Laid = None,
    steps: Steps = None,
    rf_easy: Annotated[
        Route | None,
        typer.Option(
            help="What makes a route-finding question easy: any route, as in the data and Table 3, "
            "or the shortest, as in the text and Tables 5-8. Default: any for whole walkthroughs, "
            "the shortest for prefixes."
        ),
    ] = None,
    json: Json = False,
) -> None:
    """Count places, moves and questions of each game as the paper's Tables 3, 5 and 6 do."""
    with (
        resumable("nothing is written by this command"),
        progress("counting", len(maps.homes(data, layout, steps))) as done,
    ):
        found = maps.stats(data, layout, steps, rf_easy, done=done)
    if json:
        emit(found)
        return
    rows = ((game, *(_cell(row[name]) for name in COLUMNS)) for game, row in found.items())
    out().print(plain(rows, "game", *COLUMNS))


def questions(
    data: Data,
    out_folder: Annotated[Path, typer.Option("--out", help="Where the questions go.")],
    form: Annotated[
        Format,
        typer.Option("--format", help="A compact store, or MANGO's own files (many times larger)."),
    ] = Format.STORE,
    layout: Laid = None,
    steps: Steps = None,
    ids: Annotated[
        bool, typer.Option("--ids", help="Store the official ids too: 32 bytes a path.")
    ] = False,
    json: Json = False,
) -> None:
    """Write all questions of each game: every simple path, every pair of places."""
    with (
        resumable("the games that are done are whole"),
        progress("writing", len(maps.homes(data, layout, steps))) as done,
    ):
        found = maps.questions(data, out_folder, layout, steps, form, ids=ids, done=done)
    if json:
        emit(found)
        return
    names = ("paths", "pairs", "bytes")
    rows = ((game, *(f"{row[name]:,}" for name in names)) for game, row in found.items())
    out().print(plain(rows, "game", *names))


def _cell(value: float | None) -> str:
    return "-" if value is None else str(value)
