"""``worldquiz mango score`` and ``tables``: files of answers, and the paper's tables."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from worldquiz.cli.options import JSON, PATH, argument, command, option, out
from worldquiz.cli.shell import tell, waiting
from worldquiz.mango.cli.run import GAMES

if TYPE_CHECKING:
    from rich.table import Table

_SHORT = {
    "total_task": "total", "valid_task": "valid", "loose_score": "loose", "strict_score": "strict",
    "reasoning_score": "reasoning", "path_len": "len", "parsing_error": "unread",
    "id_error": "id", "step_num_error": "step", "ties": "ties",
}  # fmt: skip
"""The release's sums, and what their columns are called."""


@command
@argument(
    "answers", "ANSWERS",
    "A JSONL file of answers, or a folder as MANGO's programs write it. (For a run: `worldquiz "
    "score RUN`. To compare models: `mango import`, then `worldquiz compare`.)",
)  # fmt: skip
@option(
    "--maze",
    type=PATH,
    required=True,
    help="The folder of mazes that the answers are about.",
)
@option(
    "--layout",
    type=click.Choice(("steps70", "full")),
    default="steps70",
    help="How a game's folder is laid out.",
)
@GAMES
@option(
    "--compat",
    type=click.Choice(("exact", "paper", "release")),
    default="exact",
    help="Scoring rules. exact: a told move counts as the one that it names. paper: as the closest "
    "one of the maze. release: as MANGO's evaluator does it, with its faults.",
)
@option(
    "--rf-easy",
    type=click.Choice(("any", "shortest")),
    help="Which routes define the easy split of route finding: shortest (default) or any (default "
    "for the release).",
)
@JSON
def score(
    answers: Path,
    maze: Path,
    layout: str,
    games: Sequence[str],
    compat: str,
    rf_easy: str | None,
    json: bool,
) -> None:
    """Score a file of answers, by our rules, the paper's or those of its released evaluator."""
    from worldquiz.mango.cli.tables import means_table
    from worldquiz.mango.maze.mango import Layout
    from worldquiz.mango.paths.pairs import Route
    from worldquiz.mango.scoring.score import Compat
    from worldquiz.mango.scoring.score import score as scored

    easy = None if rf_easy is None else Route(rf_easy)
    with waiting("scoring"):
        found = scored(
            answers, maze, layout=Layout(layout), compat=Compat(compat), easy=easy, only=games
        )
    shown = _release(found) if found["compat"] == "release" else means_table(found, "")
    tell(found, [shown], json=json)


def _release(found: dict[str, Any]) -> Table:
    from worldquiz.mango.cli.tables import TASKS
    from worldquiz.report.terminal import titled

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


@command
@argument("runs", "RUN", "Runs of MANGO's questions.", nargs=-1, required=True)
@out("The folder to write the tables into.")
@GAMES
@JSON
def tables(runs: Sequence[Path], out: Path, games: Sequence[str], json: bool) -> None:
    """Write Tables 1, 2, 4, 9, 10 and 13, as far as runs fill them, and the figures' numbers.

    Table 14 of minigames is `worldquiz score RUN RUN`.
    """
    from worldquiz.mango.scoring.tables import write_tables

    with waiting("computing"):
        written = [*map(str, write_tables(runs, out, only=games))]
    tell({"files": written}, written, json=json)
