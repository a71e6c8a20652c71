"""``worldquiz mango``: mazes from walkthroughs, questions about them, and what answers earn."""

from __future__ import annotations

from collections.abc import Callable

import typer

from worldquiz.mango.cli.mango_games import map_, minigames, minigames_score
from worldquiz.mango.cli.mango_maps import questions, stats
from worldquiz.mango.cli.mango_record import generate, record, worlds
from worldquiz.mango.cli.mango_regress import regress
from worldquiz.mango.cli.mango_run import run
from worldquiz.mango.cli.mango_score import score
from worldquiz.mango.cli.mango_tables import tables

COMMANDS: dict[str, Callable[..., None]] = {
    "stats": stats,
    "questions": questions,
    "record": record,
    "worlds": worlds,
    "generate": generate,
    "run": run,
    "map": map_,
    "score": score,
    "tables": tables,
    "regress": regress,
    "minigames": minigames,
    "minigames-score": minigames_score,
}

app = typer.Typer(no_args_is_help=True, help="MANGO: mazes read off walkthroughs, and quizzes.")
for name, command in COMMANDS.items():
    app.command(name)(command)
