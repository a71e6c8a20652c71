"""``worldquiz t2q play``: a person plays a world at the terminal, then takes the same quiz."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import click

from worldquiz.cli.options import JSON, command, option, out
from worldquiz.cli.shell import tell
from worldquiz.t2q.cli.run import ENGINE, SUITE


@command
@SUITE
@option("--world", multiple=True, help="A world of the suite; the first if absent.")
@out("The folder of the run.", default=Path("worldquiz-play"))
@option(
    "--max-steps",
    type=click.IntRange(0),
    help="Most commands in each task; of suites of preset paper, 50.",
)
@option(
    "--budget",
    type=float,
    help="Most commands, as a multiple of the walkthroughs'; a task's unused ones go to the next. "
    "By default that of the suite's preset: 1.5, and 3 for explore.",
)
@ENGINE
@JSON
def play(
    suite: Path,
    world: Sequence[str],
    out: Path,
    max_steps: int | None,
    budget: float | None,
    engine: str | None,
    json: bool,
) -> None:
    """Play a world yourself, then take its quiz. Ctrl-D gives up a task, ctrl-C stops."""
    from worldquiz.cli.runs import tables_of
    from worldquiz.runs.run import Run
    from worldquiz.t2q.cli.person import played

    scores = played(suite, world, out, max_steps, budget, engine, json=json)
    tell(scores, [*tables_of([Run(out)]), f"run: {out}"], json=json)
