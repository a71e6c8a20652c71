"""``worldquiz t2q play``: a person plays a world at the terminal, then takes the same quiz.

The person is shown what an agent at a server's door is shown, and types its calls. Each line that
is typed is kept, so a person who stops goes on in the middle of a world. No line that is typed for
one task is played in the next.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import click

from worldquiz.cli.options import JSON, command, option, out, setting
from worldquiz.cli.shell import stopped_code, tell, warn
from worldquiz.errors import AGAIN
from worldquiz.t2q.cli.suite import SUITE
from worldquiz.t2q.settings import T2QSettings

if TYPE_CHECKING:
    from rich.console import Console

    from worldquiz.serve.seats import Seats

GUIDE = (
    "You play a few tasks in one world, which starts over with each. Type one command a line, such "
    "as `go north`, `open box` or `inventory`; every line counts, also one that the game refuses. "
    "Then a quiz asks how the world was at its start. A right answer about what you were shown "
    "earns points, a wrong one costs some; leave a question empty that you cannot know.\n"
)
_NEXT = re.compile(r"\n\n(?=Task \d+ of \d+(?:\n|:)|All tasks are over)")
"""What stands before a new task, or the quiz."""


@command
@SUITE
@option("--world", multiple=True, help="A world of the suite; the first if absent.")
@out("The folder of the run.", default=Path("worldquiz-play"))
@setting(T2QSettings, "max_steps")
@setting(T2QSettings, "budget")
@JSON
def play(
    suite: Path,
    world: Sequence[str],
    out: Path,
    max_steps: int | None,
    budget: float | None,
    json: bool,
) -> None:
    """Play a world yourself, then take its quiz. Ctrl-D gives up a task, ctrl-C stops."""
    from rich.console import Console

    from worldquiz.cli.shell import tables_of
    from worldquiz.runs.folder import HUMAN
    from worldquiz.runs.life import live
    from worldquiz.runs.run import Run
    from worldquiz.serve.seats import Serving
    from worldquiz.t2q.serve import ServedSuite
    from worldquiz.t2q.suites import Suite

    opened = Suite.load(suite)
    worlds = tuple(dict.fromkeys(world or opened.worlds[:1]))
    given = T2QSettings(max_steps=max_steps, budget=budget)
    served = ServedSuite(opened, HUMAN, HUMAN, given, worlds)
    console = Console(stderr=json, highlight=False, emoji=False)
    try:
        scores = live(Serving(served, partial(typed, console)), out)
    except (EOFError, KeyboardInterrupt):
        warn(f"\nstopped; what was played is kept: {AGAIN}")
        raise click.exceptions.Exit(stopped_code()) from None
    tell(scores, [*tables_of([Run(out)]), f"run: {out}"], json=json)


def typed(console: Console, seats: Seats) -> None:
    """Show what there is and make a call of each line, until the worlds are finished.

    The end of input gives up a task. Raises `EOFError` for it in a quiz: nobody is there.
    """
    from worldquiz.facts.row import ABSTAIN
    from worldquiz.runs.folder import HUMAN
    from worldquiz.serve.session import ToolError
    from worldquiz.t2q.agents.remote import INSTRUCTIONS

    tool = "look"
    console.print(GUIDE)
    while seats.left:
        told, tool = seats.call(HUMAN, tool, {}).text.removeprefix(INSTRUCTIONS), "next"
        while tools := seats.tools_now(HUMAN):
            _show(console, told)
            acts = "act" in tools
            try:
                said = console.input("> " if acts else "(empty if you cannot know) ").strip()
                call = ("act", {"command": said})
                if not acts:
                    call = ("answer", {"answer": said or ABSTAIN})
            except EOFError:
                if not acts:
                    raise
                console.print()
                call = ("done", {})
            try:
                told = seats.call(HUMAN, *call).text
            except ToolError as error:
                told = str(error)
        _show(console, told)


def _show(console: Console, told: str) -> None:
    """Print a reply; where a new task or the quiz begins in it, wait until the person goes on."""
    from rich.markup import escape

    from worldquiz.page.labels import visible

    before, *parts = _NEXT.split(told.strip())
    console.print(escape(visible(before)))
    for part in parts:
        with suppress(EOFError):
            while said := console.input("(Enter to go on) ").strip():
                console.print(f"Not played, for that task is over: {escape(visible(said))}")
        console.print(escape(visible(part)))
