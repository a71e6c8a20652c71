"""The command line: ``worldquiz``. Verbs work on any folder; each benchmark has its own commands.

The verbs read the kind that a folder's manifest states, and ask the benchmark of that kind.
"""

from __future__ import annotations

import contextlib
import io
import os
import sys
from collections.abc import Mapping
from functools import partial
from pathlib import Path
from typing import Annotated

import typer

from worldquiz.cli import lazy
from worldquiz.cli.shell import (
    CTRL_C,
    MISTAKE,
    STOPPED,
    stop_by_signals,
    stop_no_more,
    stopped_code,
    warn,
)
from worldquiz.errors import AgentError, Stopped, user_errors
from worldquiz.version import __version__

_PANELS: lazy.Panels = {
    "Make and run (any folder)": {
        "build": ("worldquiz.cli.verbs:build", "Finish a build that was stopped."),
        "merge": ("worldquiz.cli.runs:merge", "Join the shards of a run or build."),
        "run": ("worldquiz.cli.verbs:run", "Run an agent or answerer on worlds, mazes or scenes."),
        "serve": ("worldquiz.cli.serve:serve", "Let agents that speak MCP take a benchmark."),
    },
    "Look (any folder)": {
        "show": ("worldquiz.cli.verbs:show", "Print what a folder holds, or a run's scores."),
        "check": ("worldquiz.cli.verbs:check", "Say whether a folder or log may be trusted."),
        "score": ("worldquiz.cli.runs:score", "Score runs again from their records."),
        "compare": ("worldquiz.cli.runs:compare", "Compare two runs, question by question."),
        "report": ("worldquiz.cli.runs:report", "Write a page about runs of one kind."),
        "export": ("worldquiz.cli.runs:export", "Write all questions of runs as a Parquet file."),
    },
    "Try": {
        "demo": ("worldquiz.cli.demo:demo", "Run every benchmark small, and write its report."),
        "human": ("worldquiz.cli.human:human", "Answer a run's quiz yourself, in the browser."),
    },
}


def _benchmarks() -> Mapping[str, lazy.LazyCommand]:
    """Return the commands of the installed benchmarks; none is imported."""
    from worldquiz.runs.benchmark import benchmarks

    return {
        name: lazy.LazyCommand("Benchmarks", partial(lazy.commands_of, each), each.summary)
        for name, each in benchmarks().items()
        if each.commands is not None
    }


def _version(wanted: bool) -> None:
    if wanted:
        typer.echo(f"worldquiz {__version__}")
        raise typer.Exit


def _root(
    version: Annotated[
        bool, typer.Option("--version", callback=_version, is_eager=True, help="Print the version.")
    ] = False,
) -> None:
    """Take the options that stand before a command."""


app = lazy.group(
    "What does an agent know about its world, as opposed to what can it do in it?",
    _PANELS,
    mounted=_benchmarks,
    callback=_root,
    completion=True,
)


def main() -> None:
    """Run the command line; end with 2 for a mistake, 3 for a run cut short, 128 up for a signal.

    Where a user's own agent or answerer raised, its traceback comes before the line.
    """
    stop_by_signals()
    _open_closed_output()
    _print_anywhere()
    if "" not in sys.path:  # ``module:Class`` may be in the current folder; what is installed wins
        sys.path.append("")
    try:
        try:
            app(prog_name="worldquiz")
        finally:
            sys.stdout.flush()
            stop_no_more()
    except user_errors(OSError) as error:
        _discard_output()
        if isinstance(error, AgentError) and error.trace:
            warn(error.trace.rstrip())
        if not isinstance(error, BrokenPipeError):
            line = str(error)  # a mistake of the command line begins with the command
            warn(line if line.startswith(("worldquiz ", "worldquiz: ")) else f"worldquiz: {line}")
        sys.exit(STOPPED if isinstance(error, Stopped) else MISTAKE)
    except KeyboardInterrupt:
        sys.exit(stopped_code())
    except SystemExit as end:
        # Typer ends what a signal stopped as if by ctrl-C, whichever signal it was.
        sys.exit(stopped_code() if end.code == CTRL_C else end.code)


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
