"""``worldquiz mango stats`` and ``questions``: published mazes, counted and asked about."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from worldquiz.cli.shell import FAULTY, Json, progress, resumable, tell, working
from worldquiz.cli.tables import plain
from worldquiz.mango.cli.options import Games, left_out
from worldquiz.mango.maze.mango import Layout
from worldquiz.mango.mazes import maps
from worldquiz.mango.paths.pairs import Route

Data = Annotated[Path, typer.Argument(metavar="MAZES", help="A folder of mazes in MANGO's files.")]
Laid = Annotated[
    Layout | None,
    typer.Option(
        help="Take the full maps, or the 70-step set (folders GAME/LAYOUT or GAME). Default: the "
        "full map of each game that has one."
    ),
]
Steps = Annotated[
    int | None, typer.Option(min=1, help="Read only so many steps of each walkthrough.")
]
Strict = Annotated[bool, typer.Option("--strict", help="Exit with 1 if a game is left out.")]
HEADINGS = {
    "locs": "places", "edges": "moves", "avg_len_path": "mean path length", "steps": "steps",
    "df_easy": "DF easy", "df_hard": "DF hard", "rf_easy": "RF easy", "rf_hard": "RF hard",
}  # fmt: skip


def stats(
    data: Data,
    layout: Laid = None,
    steps: Steps = None,
    game: Games = None,
    rf_easy: Annotated[
        Route | None,
        typer.Option(
            help="Which routes define the easy split of route finding: any, as in the data and "
            "Table 3, or shortest, as in the text and Tables 5-8. Default: any for whole "
            "walkthroughs, shortest for prefixes."
        ),
    ] = None,
    strict: Strict = False,
    json: Json = False,
) -> None:
    """Count the places, moves and questions of each game, as Tables 3, 5 and 6 do."""
    skipped = left_out(data, layout)
    with working("counting", len(maps.homes(data, layout, steps, game or ()))) as done:
        found = maps.stats(data, layout, steps, rf_easy, game or (), done=done)
    rows = ((game, *(_cell(row[name]) for name in HEADINGS)) for game, row in found.items())
    document = {**found, "skipped": skipped}
    tell(document, [plain(rows, "game", *HEADINGS.values())], json=json)
    if strict and skipped:
        raise typer.Exit(FAULTY)


def questions(
    data: Data,
    out_folder: Annotated[
        Path, typer.Option("--out", help="The folder to write the questions into.")
    ],
    layout: Laid = None,
    steps: Steps = None,
    game: Games = None,
    strict: Strict = False,
    json: Json = False,
) -> None:
    """Write all questions of each game: every simple path, every pair of places."""
    skipped = left_out(data, layout)
    with (
        resumable("the games that are done are whole"),
        progress("writing", len(maps.homes(data, layout, steps, game or ()))) as done,
    ):
        found = maps.questions(data, out_folder, layout, steps, game or (), done=done)
    names = ("paths", "pairs", "bytes")
    rows = ((game, *(f"{row[name]:,}" for name in names)) for game, row in found.items())
    tell({**found, "skipped": skipped}, [plain(rows, "game", *names)], json=json)
    if strict and skipped:
        raise typer.Exit(FAULTY)


def _cell(value: float | None) -> str:
    return "-" if value is None else str(value)
