"""The command line: ``worldquiz``. Verbs work on any folder; each benchmark has its own commands.

The verbs read the kind that a folder's manifest states, and ask the benchmark of that kind.
"""

from __future__ import annotations

import contextlib
import io
import os
import sys
from pathlib import Path
from typing import NoReturn

import click

from worldquiz.cli.options import LazyGroup, mistake
from worldquiz.cli.shell import MISTAKE, STOPPED, stop_by_signals, stop_no_more, stopped_code, warn
from worldquiz.errors import AgentError, Stopped, needing_scenes, user_errors
from worldquiz.version import __version__

_HERE = "worldquiz.cli"
_COMPLETE = "_WORLDQUIZ_COMPLETE"
"""Set by a shell that asks for completions of what is typed."""


app = LazyGroup(
    "What does an agent know about its world, as opposed to what can it do in it?",
    {
        "Make and run (any folder)": {
            "build": (f"{_HERE}.verbs:build", "Finish a build that was stopped."),
            "merge": (f"{_HERE}.verbs:merge", "Join the shards of a run or build."),
            "run": (f"{_HERE}.verbs:run", "Run an agent or answerer on worlds, mazes or scenes."),
            "serve": (f"{_HERE}.serve:serve", "Let agents that speak MCP take a benchmark."),
        },
        "Look (any folder)": {
            "show": (f"{_HERE}.verbs:show", "Print what a folder holds, or a run's scores."),
            "check": (f"{_HERE}.verbs:check", "Say whether a folder may be trusted."),
            "score": (f"{_HERE}.verbs:score", "Score runs again from their records."),
            "compare": (f"{_HERE}.verbs:compare", "Compare two runs, question by question."),
            "report": (f"{_HERE}.verbs:report", "Write a page about runs of one kind."),
            "export": (f"{_HERE}.verbs:export", "Write all questions of runs as a Parquet file."),
        },
        "Try": {
            "demo": (f"{_HERE}.verbs:demo", "Run every benchmark small, and write its report."),
            "human": (f"{_HERE}.human:human", "Answer a run's quiz yourself, in the browser."),
        },
    },
    benchmarks=True,
    params=[
        click.Option(
            ["--version"], is_flag=True, is_eager=True, expose_value=False,
            help="Print the version.",
            callback=lambda ctx, _, wanted: _version(ctx) if wanted else None,
        )
    ],
)  # fmt: skip


def _version(ctx: click.Context) -> NoReturn:
    click.echo(f"worldquiz {__version__}")
    ctx.exit()


def main() -> None:
    """Run the command line; end with 2 for a mistake, 3 for a run cut short, 128 up for a signal.

    Where a user's own agent or answerer raised, its traceback comes before the line.
    """
    stop_by_signals()
    _open_closed_output()
    _print_anywhere()
    if "" not in sys.path:  # ``module:Class`` may be in the current folder; what is installed wins
        sys.path.append("")
    if _COMPLETE in os.environ:
        app.main(prog_name="worldquiz")
    try:
        sys.exit(_called())
    except user_errors(OSError, click.UsageError) as error:
        _discard_output()
        if isinstance(error, AgentError) and error.trace:
            warn(error.trace.rstrip())
        if isinstance(error, click.UsageError):
            warn(mistake(error))
        elif not isinstance(error, BrokenPipeError):
            line = str(error)  # a mistake of the command line begins with the command
            warn(line if line.startswith(("worldquiz ", "worldquiz: ")) else f"worldquiz: {line}")
        sys.exit(STOPPED if isinstance(error, Stopped) else MISTAKE)
    except KeyboardInterrupt:
        sys.exit(stopped_code())


def _called() -> int:
    """Call the command that was given, and return its exit code."""
    try:
        with needing_scenes(), app.make_context("worldquiz", sys.argv[1:]) as ctx:
            app.invoke(ctx)
    except click.exceptions.NoArgsIsHelpError as error:
        click.echo(error.format_message(), err=True)
        return MISTAKE
    except click.exceptions.Exit as end:
        return end.exit_code
    finally:
        sys.stdout.flush()
        stop_no_more()
    return 0


def _open_closed_output() -> None:
    """Let what is printed to a closed output (``>&-``) go: Python has no stream there."""
    for name in ("stdout", "stderr"):
        if getattr(sys, name) is None:
            setattr(sys, name, os.fdopen(os.open(os.devnull, os.O_WRONLY), "w"))


def _print_anywhere() -> None:
    """Let what an output's encoding lacks be printed as ``\\u25b2``, as in the locale C."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")


def _discard_output() -> None:
    """Let what was not printed go: Python would try again at its end, and fail again."""
    with contextlib.suppress(OSError), Path(os.devnull).open("wb") as nowhere:
        os.dup2(nowhere.fileno(), sys.stdout.fileno())


__all__ = ["app", "main"]
