"""``worldquiz mango import``: answers that came about elsewhere become a run."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from worldquiz.cli.shell import Json, tell, working
from worldquiz.mango.cli.options import Games, Laid, Out, RfEasy
from worldquiz.mango.cli.score_tables import means_table
from worldquiz.mango.maze_set import finish
from worldquiz.mango.paths.pairs import Route
from worldquiz.mango.running.imported import import_work


def import_(
    answers: Annotated[
        Path,
        typer.Argument(
            metavar="ANSWERS",
            help="A folder as MANGO's programs write it, a JSONL file, or logs of inspect.",
        ),
    ],
    out_folder: Out,
    maze: Annotated[
        Path | None,
        typer.Option(
            "--maze",
            help="The folder of mazes that the answers are about.",
        ),
    ] = None,
    name: Annotated[
        str | None, typer.Option(help="What tables call the answerer. Default: the file's name.")
    ] = None,
    game: Games = None,
    layout: Laid = None,
    rf_easy: RfEasy = Route.SHORTEST,
    json: Json = False,
) -> None:
    """Make a run of answers from elsewhere, which is scored and compared like any other."""
    work = import_work(answers, maze, name=name, layout=layout, easy=rf_easy, only=game or ())
    with working("importing", len(work.units)) as done:
        found = finish(work, out_folder, done).scores
    tell(found, [means_table(found, "")], json=json)
