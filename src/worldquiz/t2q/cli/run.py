"""``worldquiz t2q run``: an agent plays every task of a suite, an answerer takes every quiz."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from worldquiz.cli.options import JSON, RUN, argument, command, option, out, settings
from worldquiz.cli.shell import tell, tell_run, workers, working
from worldquiz.t2q.settings import T2QSettings

SUITE = argument("suite", "SUITE", "Folder that `worldquiz t2q build` made.")


@command
@SUITE
@out("Folder of the run.")
@option("--agent", help="Who acts: `worldquiz t2q agents` lists them. By default, the model.")
@option("--answerer", help="Who takes the quiz: see `worldquiz t2q agents`. By default, the model.")
@settings(T2QSettings)
@JSON
def run(
    suite: Path,
    out: Path,
    agent: str | None,
    answerer: str | None,
    settings: T2QSettings,
    json: bool,
) -> None:
    """Let an agent play every task and an answerer take every quiz.

    Each is a scripted one by name, or a language model with a memory. A run that was stopped goes
    on where it was.
    """
    from worldquiz.t2q.front import load

    opened = load(suite)
    model = settings.model
    title = f"{model} + {settings.memory}" if model else f"{agent} + {answerer}"
    with working(title, len(opened.worlds), "what is played is kept", settings.on) as done:
        given = replace(settings, jobs=workers(settings.jobs))
        run = opened.run(agent=agent, answerer=answerer, out=out, settings=given, progress=done)
    tell_run(run, settings.shard, json=json)


@command
@RUN
@JSON
def checkpoints(run: Path, json: bool) -> None:
    """Score a run by the paper's checkpoints, as in its Figure 8; nothing is written.

    By them a question is answerable once the places that it is about were reached.
    """
    from worldquiz.t2q.tables import by_paper, figure_8

    found = by_paper(run)
    tell(found, figure_8(found), json=json)
