"""``worldquiz mango curve``: scores over the length of what was read."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated, Any

import typer
from rich.table import Table

from worldquiz.cli.shell import Json, tell, waiting
from worldquiz.cli.tables import titled
from worldquiz.mango.cli.mango_score import Runs
from worldquiz.mango.cli.options import Games
from worldquiz.mango.cli.score_tables import number
from worldquiz.mango.running.run import read_contest
from worldquiz.mango.scoring.contest import MEANS
from worldquiz.mango.scoring.grade import Task
from worldquiz.mango.scoring.tables import curves

_WHAT = {
    "steps": "steps read", "distance": "moves of the route",
    "age": "steps since its oldest move was passed", "imputed": "imputed moves",
    "reversals": "moves last passed backwards", "loops": "places that were come to again",
}  # fmt: skip


def curve(
    runs: Runs,
    score: Annotated[
        str, typer.Option(help=f"Score that the tables show: {', '.join(MEANS)}.")
    ] = "success",
    game: Games = None,
    json: Json = False,
) -> None:
    """Tell scores over the steps that were read, and over what makes long walkthroughs hard."""
    if score not in MEANS:
        raise typer.BadParameter(f"{score!r}: give one of {', '.join(MEANS)}", param_hint="--score")
    with waiting("scoring"):
        found = curves(read_contest(runs, game or ()))
    tell(found, _tables(found, score), json=json)


def _tables(found: dict[str, dict[str, Any]], score: str) -> Iterator[Table]:
    for what, title in _WHAT.items():
        classes = list(dict.fromkeys(name for cells in found.values() for name in cells[what]))
        table = titled(f"{score} by {title}")
        table.padding = (0, 1, 0, 0)
        for column in ("", "", *classes):
            table.add_column(column, justify="right" if column else "left", no_wrap=True)
        for name, cells in found.items():
            for task in Task:
                shown = (_cell(cells[what].get(each), task, score) for each in classes)
                table.add_row(name, task.upper(), *shown)
        first = next(iter(found.values()))
        asked = (_asked(first[what].get(each)) for each in classes)
        table.add_section()
        table.add_row("asked", "DF\nRF", *asked)
        yield table


def _cell(cell: dict[str, Any] | None, task: Task, score: str) -> str:
    return number(cell[str(task)][score]["macro"]) if cell else "-"


def _asked(cell: dict[str, Any] | None) -> str:
    if cell is None:
        return "-"
    return "\n".join(f"{cell[str(task)]['asked']:,} in {cell[str(task)]['mazes']}" for task in Task)
