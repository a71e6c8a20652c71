"""``worldquiz mango score``: what answers to MANGO's questions earn."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.table import Table

from worldquiz.cli.shell import Json, emit, out, waiting
from worldquiz.errors import KnobError
from worldquiz.mango.cli.score_tables import SCORES, TASKS, number, paper_table, titled
from worldquiz.mango.maze.mango import Layout
from worldquiz.mango.paths.pairs import Route
from worldquiz.mango.scoring import score as mango_score
from worldquiz.mango.scoring.score import Compat

_SHORT = {
    "total_task": "total", "valid_task": "valid", "loose_score": "loose", "strict_score": "strict",
    "reasoning_score": "reasoning", "path_len": "len", "parsing_error": "unread",
    "id_error": "id", "step_num_error": "step",
}  # fmt: skip
"""The release's sums, and what their columns are called."""


def score(
    answers: Annotated[
        list[Path],
        typer.Argument(
            metavar="ANSWERS...",
            help="A JSONL file of answers, or a folder as MANGO's programs write it. Give several "
            "to compare models in pairs. (For a run of worldquiz: `worldquiz score RUN`.)",
        ),
    ],
    maze: Annotated[
        Path, typer.Option("--maze", help="The folder of mazes that the answers are about.")
    ],
    layout: Annotated[Layout, typer.Option(help="How a game's folder is laid out.")] = (
        Layout.STEPS70
    ),
    compat: Annotated[
        Compat,
        typer.Option(
            help="Scoring rules. paper: its definitions. release: those of its evaluator, with its "
            "faults. release-fixed: the same, but it reads every answer and counts failures."
        ),
    ] = Compat.PAPER,
    rf_easy: Annotated[
        Route | None,
        typer.Option(
            help="Which routes define the easy split of route finding: shortest (default) or any "
            "(default for the release)."
        ),
    ] = None,
    json: Json = False,
) -> None:
    """Score files of answers, by the paper's rules or as its released evaluator does."""
    with waiting("scoring"):
        found = _found(answers, maze, layout, compat, rf_easy)
    if json:
        emit(found)
        return
    for table in _tables(found):
        out().print(table)


def _found(
    answers: Sequence[Path], maze: Path, layout: Layout, compat: Compat, easy: Route | None
) -> dict[str, Any]:
    if len(answers) == 1:
        return mango_score.score(answers[0], maze, layout=layout, compat=compat, easy=easy)
    if compat is not Compat.PAPER:
        raise KnobError(
            f"--compat {compat}: pairs are compared by the paper only; give one ANSWERS"
        )
    return mango_score.compare(_named(answers), maze, layout=layout, easy=easy or Route.SHORTEST)


def _named(answers: Sequence[Path]) -> dict[str, Path]:
    """Name each model's answers by their file, or by the whole path where files share a name."""
    short = [path.stem if path.suffix == ".jsonl" else path.name for path in answers]
    names = short if len(set(short)) == len(short) else [str(path) for path in answers]
    if len(set(names)) < len(names):
        raise KnobError("ANSWERS: the same path is given twice")
    return dict(zip(names, answers, strict=True))


def _tables(found: dict[str, Any]) -> list[Table]:
    if "models" in found:
        tables = [paper_table(model, name) for name, model in found["models"].items()]
        return [*tables, *(_pairs(found, task) for task in TASKS)]
    return [paper_table(found, "")] if found["compat"] == "paper" else [_release(found)]


def _pairs(found: dict[str, Any], task: str) -> Table:
    table = titled(f"Pairs, {TASKS[task]}: row | column on what both were asked")
    names = list(found["models"])
    for column in ("", "level", "asked", *SCORES):
        table.add_column(column, justify="left" if column in ("", "level") else "right")
    for left in names[:-1]:
        for right, pair in found["pairs"][left].items():
            for level, cell in pair[task].items():
                sides = (
                    f"{number(cell[score]['left'])} | {number(cell[score]['right'])}"
                    for score in SCORES
                )
                table.add_row(f"{left} | {right}", level, f"{cell['asked']:,}", *sides)
    return table


def _release(found: dict[str, Any]) -> Table:
    table = titled(f"Sums as the released evaluator has them ({found['compat']})")
    table.padding = (0, 1, 0, 0)
    for column in ("", *_SHORT):
        title = _SHORT.get(column, "")
        table.add_column(title, justify="right" if column else "left", no_wrap=True)
    for task in TASKS:
        games = found.get(task, {})
        for game, levels in games.items():
            if game == "summary" and len(games) == 2:  # of one game: its own figures again
                continue
            for level, cell in levels.items():
                sums = (f"{cell[key]:,.6g}" for key in _SHORT)
                table.add_row(f"{task.upper()} {game} {level}", *sums)
    return table
