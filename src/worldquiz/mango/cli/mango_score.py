"""``worldquiz mango score``: what answers to MANGO's questions earn."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Annotated, Any

import typer
from rich import box
from rich.table import Table

from worldquiz.cli.shell import Json, emit, out, waiting
from worldquiz.errors import KnobError
from worldquiz.mango.maze.mango import Layout
from worldquiz.mango.paths.pairs import Route
from worldquiz.mango.running.folder import read_run_manifest
from worldquiz.mango.running.run import score_run
from worldquiz.mango.scoring import score as mango_score
from worldquiz.mango.scoring.read_contest import names
from worldquiz.mango.scoring.score import Compat

_TASKS = {"df": "destination finding", "rf": "route finding"}
_SCORES = ("success", "reasoning", "weighted")
_SHORT = {
    "total_task": "total", "valid_task": "valid", "loose_score": "loose", "strict_score": "strict",
    "reasoning_score": "reasoning", "path_len": "len", "parsing_error": "unread",
    "id_error": "id", "step_num_error": "step",
}  # fmt: skip
"""The release's sums, and what their columns are called."""
_LEGEND = "DF: destination finding, RF: route finding, weighted: success by route length."


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
        return [*tables, *(_pairs(found, task) for task in _TASKS)]
    return [paper_table(found, "")] if found["compat"] == "paper" else [_release(found)]


def run_tables(runs: Sequence[Path]) -> Iterator[Table]:
    """Yield the scores of some finished runs as tables, under their names."""
    manifests = {run: read_run_manifest(run) for run in runs}
    for run, name in names(manifests).items():
        yield paper_table(score_run(run), name)


def paper_table(found: dict[str, Any], name: str) -> Table:
    """Return scores by the paper as a table."""
    table = _table(f"{name}: means over mazes with 95 % intervals" if name else "Means over mazes")
    for column in ("", "asked", "mazes", "ill-formed", *_SCORES):
        table.add_column(column, justify="left" if not column else "right", no_wrap=True)
    for task in _TASKS:
        for level, cell in found[task].items():
            counts = (cell[key] for key in ("asked", "mazes", "ill_formed"))
            means = (_mean(cell[score]["macro"], cell[score]["interval"]) for score in _SCORES)
            table.add_row(f"{task.upper()} {level}", *(f"{each:,}" for each in counts), *means)
    unanswered = [game[task]["unanswered"] for game in found["games"].values() for task in _TASKS]
    beyond = sum(game[task]["unanswerable"] for game in found["games"].values() for task in _TASKS)
    told = "too many" if None in unanswered else f"{sum(unanswered):,}"
    table.caption = (
        f"{_LEGEND} {told} questions of these mazes were not asked; {beyond:,} answers are to "
        "questions that the steps read do not settle, and left out."
    )
    return table


def _pairs(found: dict[str, Any], task: str) -> Table:
    table = _table(f"Pairs, {_TASKS[task]}: row | column on what both were asked")
    names = list(found["models"])
    for column in ("", "level", "asked", *_SCORES):
        table.add_column(column, justify="left" if column in ("", "level") else "right")
    for left in names[:-1]:
        for right, pair in found["pairs"][left].items():
            for level, cell in pair[task].items():
                sides = (
                    f"{_number(cell[score]['left'])} | {_number(cell[score]['right'])}"
                    for score in _SCORES
                )
                table.add_row(f"{left} | {right}", level, f"{cell['asked']:,}", *sides)
    return table


def _release(found: dict[str, Any]) -> Table:
    table = _table(f"Sums as the released evaluator has them ({found['compat']})")
    table.padding = (0, 1, 0, 0)
    for column in ("", *_SHORT):
        title = _SHORT.get(column, "")
        table.add_column(title, justify="right" if column else "left", no_wrap=True)
    for task in _TASKS:
        games = found.get(task, {})
        for game, levels in games.items():
            if game == "summary" and len(games) == 2:  # of one game: its own figures again
                continue
            for level, cell in levels.items():
                sums = (f"{cell[key]:,.6g}" for key in _SHORT)
                table.add_row(f"{task.upper()} {game} {level}", *sums)
    return table


def _table(title: str) -> Table:
    return Table(title=title, title_justify="left", box=box.SIMPLE_HEAD)


def _mean(value: float | None, interval: tuple[float, float] | None) -> str:
    if interval is None:
        return _number(value)
    return f"{_number(value)}\n{_number(interval[0])}-{_number(interval[1])}"


def _number(value: float | None) -> str:
    return "-" if value is None else f"{value:.2f}"
