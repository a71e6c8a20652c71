"""``worldquiz t2q play``: a person plays a world at the terminal, then takes the same quiz."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from worldquiz.cli.options import JSON, command, option, out, setting
from worldquiz.cli.shell import tell
from worldquiz.t2q.cli.run import ENGINE, SUITE
from worldquiz.t2q.settings import T2QSettings


@command
@SUITE
@option("--world", multiple=True, help="A world of the suite; the first if absent.")
@out("The folder of the run.", default=Path("worldquiz-play"))
@setting(T2QSettings, "max_steps")
@setting(T2QSettings, "budget")
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
    from worldquiz.cli.shell import tables_of
    from worldquiz.runs.run import Run
    from worldquiz.t2q.cli.person import played

    scores = played(suite, world, out, max_steps, budget, engine, json=json)
    tell(scores, [*tables_of([Run(out)]), f"run: {out}"], json=json)
