"""``worldquiz tea``: scenes, tasks generated in them, their truth, and what they are like."""

from __future__ import annotations

import typer

from worldquiz.cli.tea_look import check, mir, sheet
from worldquiz.cli.tea_make import generate, scene
from worldquiz.cli.tea_run import run

app = typer.Typer(no_args_is_help=True, help="TEA: tasks generated in a 3D scene, and their truth.")
for command in (scene, generate, check, mir, sheet, run):
    app.command()(command)
