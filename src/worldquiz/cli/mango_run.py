"""``worldquiz mango run``: a model, or the map builder without one, answers MANGO's questions."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer

from worldquiz.cli import _models
from worldquiz.cli._shell import Json, emit, out, progress, resumable
from worldquiz.cli.mango_score import paper_table
from worldquiz.errors import KnobError
from worldquiz.evals.mango import run as mango_run
from worldquiz.evals.mango.ask import PER_MAZE, STEPS, Asked
from worldquiz.evals.mango.mazes import chosen, kinds
from worldquiz.quiz.paths.pairs import Route

MAPPER = "mapper"
"""The contestant that is no model."""


def run(
    data: Annotated[
        Path, typer.Argument(metavar="DATA_DIR", help="A folder of mazes with walkthroughs.")
    ],
    out_folder: Annotated[Path, typer.Option("--out", help="Where the run goes.")],
    model: _models.Model = None,
    reader: Annotated[
        str | None,
        typer.Option(help=f"A contestant that is no model: {MAPPER}, which draws the map itself."),
    ] = None,
    base_url: _models.BaseUrl = None,
    generate: _models.Generate = None,
    price: _models.Price = None,
    connections: Annotated[
        int, typer.Option(min=1, help="Calls at once.", rich_help_panel=_models.PANEL)
    ] = mango_run.AT_ONCE,
    retries: _models.Retries = 5,
    game: Annotated[list[str] | None, typer.Option(help="Only this game; may be repeated.")] = None,
    steps: Annotated[int, typer.Option(min=0, help="Steps of the walkthrough read.")] = STEPS,
    tasks: Annotated[str, typer.Option(help="df, rf, or both with a comma between.")] = "df,rf",
    per_maze: Annotated[
        int, typer.Option(min=1, help="Questions of each task that a maze is asked at most.")
    ] = PER_MAZE,
    seed: Annotated[int, typer.Option(help="Of the sample of questions.")] = 0,
    rf_easy: Annotated[
        Route, typer.Option(help="Whose moves make a route-finding question easy.")
    ] = Route.SHORTEST,
    json: Json = False,
) -> None:
    """Ask MANGO's questions. Stopped runs go on where they were."""
    if (model is None) == (reader is None):
        raise KnobError(f"who answers? give either --model or --reader {MAPPER}")
    if reader not in (None, MAPPER):
        raise KnobError(f"--reader {reader!r}: no such reader; there is {MAPPER!r}")
    mazes = chosen(data, ",".join(game or ()))
    asked = Asked(steps, kinds(tasks), per_maze, seed, rf_easy)
    with (
        resumable("what was replied is kept: give the same command again to go on"),
        progress(model or MAPPER, len(mango_run.plan(mazes, asked))) as done,
    ):
        found = _run(data, mazes, asked, out_folder, done, model, base_url, generate, price,
                     connections, retries)  # fmt: skip
    if json:
        emit(found)
        return
    out().print(paper_table(found, ""))


def _run(
    data: Path,
    mazes: Any,
    asked: Asked,
    out_folder: Path,
    done: Any,
    model: str | None,
    base_url: str | None,
    generate: list[str] | None,
    price: str | None,
    connections: int,
    retries: int,
) -> dict[str, Any]:
    if model is None:
        return mango_run.run_mapper(data, mazes, asked, out_folder, done)
    from worldquiz.evals.llm.price import Price

    reach = mango_run.Reach(
        model, base_url, _models.settings(generate), connections,
        Price.read(price) if price else None, retries,
    )  # fmt: skip
    return mango_run.run(data, mazes, asked, reach, out_folder, done)
