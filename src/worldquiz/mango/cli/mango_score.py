"""``worldquiz mango score``, ``tables``, ``regress`` and ``minigames-score``: what answers earn."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer
from rich.table import Table

from worldquiz.cli.shell import Json, tell, waiting, working
from worldquiz.cli.tables import titled
from worldquiz.mango.cli.options import Games
from worldquiz.mango.cli.score_tables import TASKS, means_table, table_14
from worldquiz.mango.maze.mango import Layout
from worldquiz.mango.paths.pairs import Route
from worldquiz.mango.running.run import compare_minigames, read_contest
from worldquiz.mango.scoring import regression
from worldquiz.mango.scoring import score as mango_score
from worldquiz.mango.scoring.regression import TITLES
from worldquiz.mango.scoring.score import Compat
from worldquiz.mango.scoring.tables import write_tables

Runs = Annotated[list[Path], typer.Argument(metavar="RUN", help="Runs of MANGO's questions.")]
_SHORT = {
    "total_task": "total", "valid_task": "valid", "loose_score": "loose", "strict_score": "strict",
    "reasoning_score": "reasoning", "path_len": "len", "parsing_error": "unread",
    "id_error": "id", "step_num_error": "step", "ties": "ties",
}  # fmt: skip
"""The release's sums, and what their columns are called."""


def score(
    answers: Annotated[
        Path,
        typer.Argument(
            metavar="ANSWERS",
            help="A JSONL file of answers, or a folder as MANGO's programs write it. (For a run "
            "of worldquiz: `worldquiz score RUN`.)",
        ),
    ],
    maze: Annotated[
        Path, typer.Option("--maze", help="The folder of mazes that the answers are about.")
    ],
    layout: Annotated[Layout, typer.Option(help="How a game's folder is laid out.")] = (
        Layout.STEPS70
    ),
    game: Games = None,
    compat: Annotated[
        Compat,
        typer.Option(
            help="Scoring rules. exact: a told move counts as the one that it names. paper: as the "
            "closest one of the maze. release: as MANGO's evaluator does it, with its faults."
        ),
    ] = Compat.EXACT,
    rf_easy: Annotated[
        Route | None,
        typer.Option(
            help="Which routes define the easy split of route finding: shortest (default) or any "
            "(default for the release)."
        ),
    ] = None,
    json: Json = False,
) -> None:
    """Score a file of answers, by our rules, the paper's or those of its released evaluator."""
    with waiting("scoring"):
        found = mango_score.score(
            answers, maze, layout=layout, compat=compat, easy=rf_easy, only=game or ()
        )
    shown = _release(found) if found["compat"] == "release" else means_table(found, "")
    tell(found, [shown], json=json)


def _release(found: dict[str, Any]) -> Table:
    table = titled("Sums as the released evaluator has them")
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
    table.caption = (
        "ties: answers that the release scores by the order of a hash table, which changes from "
        "run to run; without any, its sums are these."
    )
    return table


def tables(
    runs: Runs,
    out_folder: Annotated[Path, typer.Option("--out", help="The folder to write the tables into.")],
    game: Games = None,
    json: Json = False,
) -> None:
    """Write Tables 1, 2, 4, 9, 10 and 13, as far as runs fill them, and the figures' numbers."""
    with waiting("computing"):
        files = write_tables(runs, out_folder, only=game or ())
    written = [str(path) for path in files]
    tell({"files": written}, written, json=json)


def minigames_score(
    runs: Annotated[
        list[Path], typer.Argument(metavar="RUN", help="Runs of `worldquiz mango minigames`.")
    ],
    json: Json = False,
) -> None:
    """Compare several runs of minigames, as Table 14 does."""
    with waiting("scoring"):
        found = compare_minigames(runs)
    tell(found, [table_14(found)], json=json)


def regress(
    runs: Runs,
    score: Annotated[
        str, typer.Option(help="Score that the tables show: success or reasoning.")
    ] = regression.SCORES[0],
    game: Games = None,
    json: Json = False,
) -> None:
    """Fit what makes mazes hard: one predictor at a time (Table 10)."""
    if score not in regression.SCORES:
        raise typer.BadParameter(
            f"{score!r}: give {' or '.join(regression.SCORES)}", param_hint="--score"
        )
    contest = read_contest(runs, game or ())
    with working("fitting", len(contest.contestants)) as done:
        found = regression.regress(contest, done=done)
    shown = [_lines(name, tasks, score) for name, tasks in found["contestants"].items()]
    tell(found, shown, json=json)


def _lines(name: str, tasks: dict[str, Any], score: str) -> Table:
    """Return single-variable lines as Table 10 has them."""
    table = titled(f"{name}: {score} over one predictor at a time, one point per maze")
    for column in ("", "predictor", "mazes", "beta", "95 %", "p", "p, Holm", "R²"):
        table.add_column(column, justify="left" if column in ("", "predictor") else "right")
    for task, levels in tasks.items():
        for level, scores in levels.items():
            for each in scores[score]:
                table.add_row(f"{task.upper()} {level}", *_line(each))
            table.add_section()
    table.caption = "beta: change of the score for one standard deviation of the predictor."
    return table


def _line(each: dict[str, Any]) -> tuple[str, ...]:
    if each["kind"] == "refused":
        return (TITLES[each["what"]], "", "-", "", each["why"], "", "")
    return (
        TITLES[each["predictor"]], str(each["mazes"]), _signed(each["beta"]), _range(each),
        _p(each["p"]), _p(each["p_holm"]), f"{each['r2']:.2f}",
    )  # fmt: skip


def _signed(value: float) -> str:
    return f"{value:+.3f}"


def _range(each: dict[str, Any]) -> str:
    return f"{each['low']:+.3f} to {each['high']:+.3f}"


def _p(value: float) -> str:
    return "<0.001" if value < 0.001 else f"{value:.3f}"
