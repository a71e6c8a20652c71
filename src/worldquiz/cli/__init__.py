"""The command line: ``worldquiz``. Commands call what the layers below offer, and print."""

from __future__ import annotations

import contextlib
import os
import signal
import sys
from types import FrameType
from typing import Annotated

import typer

from worldquiz import __version__
from worldquiz.cli import demo, human, runs
from worldquiz.cli.shell import INTERRUPTED, MISTAKE, err
from worldquiz.errors import WorldquizError
from worldquiz.mango.cli import app as mango
from worldquiz.t2q.cli import agents, memories, play
from worldquiz.t2q.cli import app as t2q
from worldquiz.tea.cli import app as tea

app = typer.Typer(
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    help="What does an agent know about its world, as opposed to what can it do in it?",
)
app.add_typer(t2q.app, name="t2q")
app.add_typer(mango.app, name="mango")
app.add_typer(tea.app, name="tea")
for command in (
    demo.demo,
    runs.score,
    runs.report,
    runs.export,
    play.play,
    human.human,
    agents.agents,
    memories.memories,
):
    app.command()(command)


def _version(wanted: bool) -> None:
    if wanted:
        typer.echo(f"worldquiz {__version__}")
        raise typer.Exit


@app.callback()
def _root(
    version: Annotated[
        bool, typer.Option("--version", callback=_version, is_eager=True, help="Print the version.")
    ] = False,
) -> None:
    pass


def main() -> None:
    """Run the command line; end with 2 for a user's mistake and 130 for ctrl-C."""
    signal.signal(signal.SIGINT, _interrupt)
    try:
        try:
            app()
        finally:
            sys.stdout.flush()
    except (WorldquizError, OSError) as error:
        _discard_output()
        if not isinstance(error, BrokenPipeError):
            err().print(f"worldquiz: {error}", markup=False, soft_wrap=True)
        sys.exit(MISTAKE)
    except KeyboardInterrupt:
        sys.exit(INTERRUPTED)


def _discard_output() -> None:
    """Let what was not printed go: Python would try again at its end, and fail again."""
    with contextlib.suppress(OSError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _interrupt(number: int, frame: FrameType | None) -> None:
    """Stop at once; asyncio replaces Python's own handler by one that waits for the loop."""
    raise KeyboardInterrupt


__all__ = ["app", "main"]
