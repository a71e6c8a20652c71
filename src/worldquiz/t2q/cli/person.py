"""A person at the terminal: shown what an agent at a server's door is shown, and typing its calls.

Each line that is typed is kept, so a person who stops goes on in the middle of a world.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import Any

import click
from rich.console import Console
from rich.markup import escape

from worldquiz.cli.shell import stopped_code, warn
from worldquiz.errors import AGAIN
from worldquiz.facts.question import ABSTAIN
from worldquiz.report.visible import visible
from worldquiz.runs.folder import HUMAN
from worldquiz.runs.life import live
from worldquiz.serve.seats import NEXT, Seats, Serving
from worldquiz.serve.session import LOOK, ToolError
from worldquiz.t2q.agents.remote import ACT, ANSWER, DONE, INSTRUCTIONS
from worldquiz.t2q.budget import budget as budget_of
from worldquiz.t2q.run import Trial
from worldquiz.t2q.serve import ServedSuite
from worldquiz.t2q.suites import open_suite


def played(
    folder: Path,
    world: Sequence[str],
    out: Path,
    max_steps: int | None,
    times: float | None,
    engine: str | None,
    *,
    json: bool,
) -> dict[str, Any]:
    """Let a person play worlds of a suite (the first if none is named), and return the scores."""
    suite = open_suite(folder)
    worlds = tuple(dict.fromkeys(world or suite.worlds[:1]))
    allowed = budget_of(max_steps, times, suite.budget)
    trial = Trial(HUMAN, HUMAN, budget=allowed, engine=engine)
    console = Console(stderr=json, highlight=False, emoji=False)
    try:
        return live(Serving(ServedSuite(suite, trial, worlds), partial(typed, console)), out)
    except (EOFError, KeyboardInterrupt):
        warn(f"\nstopped; what was played is kept: {AGAIN}")
        raise click.exceptions.Exit(stopped_code()) from None


def typed(console: Console, seats: Seats) -> None:
    """Show what there is and make a call of each line, until the worlds are finished.

    The end of input gives up a task. Raises `EOFError` for it in a quiz: nobody is there.
    """
    tool = LOOK.name
    while seats.left:
        told, tool = seats.call(HUMAN, tool, {}).text.removeprefix(INSTRUCTIONS), NEXT.name
        while tools := seats.tools_now(HUMAN):
            console.print(escape(visible(told.strip())))
            acts = ACT.name in tools
            try:
                said = console.input(
                    escape("> " if acts else "(empty if you cannot know) ")
                ).strip()
                call = ACT.name, {"command": said}
                if not acts:
                    call = ANSWER.name, {"answer": said or ABSTAIN}
            except EOFError:
                if not acts:
                    raise
                console.print()
                call = DONE.name, {}
            try:
                told = seats.call(HUMAN, *call).text
            except ToolError as error:
                told = str(error)
        console.print(escape(visible(told)))
