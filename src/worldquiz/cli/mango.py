"""``worldquiz mango``: mazes from walkthroughs, questions about them, and what answers earn."""

from __future__ import annotations

import typer

from worldquiz.cli.mango_maps import questions, stats
from worldquiz.cli.mango_record import generate, record, worlds
from worldquiz.cli.mango_run import run
from worldquiz.cli.mango_score import score

app = typer.Typer(no_args_is_help=True, help="MANGO: mazes read off walkthroughs, and quizzes.")
for command in (stats, questions, record, worlds, generate, run, score):
    app.command()(command)
