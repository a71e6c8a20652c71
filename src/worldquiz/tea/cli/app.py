"""``worldquiz tea``: scenes, tasks generated in them, their truth, and what they are like."""

from __future__ import annotations

import typer

from worldquiz.tea.cli.export import export
from worldquiz.tea.cli.look import check, mir, sheet
from worldquiz.tea.cli.make import generate
from worldquiz.tea.cli.recall import explored, recall
from worldquiz.tea.cli.run import run
from worldquiz.tea.cli.scene import scene
from worldquiz.tea.cli.write import tables, write

app = typer.Typer(no_args_is_help=True, help="TEA: tasks generated in a 3D scene, and their truth.")
for command in (scene, generate, check, mir, sheet, run, recall, explored, write, tables, export):
    app.command()(command)
