"""The command line ``worldquiz``: verbs for any folder, and the commands of each benchmark.

A `LazyGroup` has a summary of each command, so it prints its help without importing commands.

    commands = LazyGroup("What they are for.", {"Make": {"build": ("mine.cli:build", "Build.")}})
"""

from __future__ import annotations

import contextlib
import io
import os
import sys
from collections.abc import Mapping
from importlib import import_module
from pathlib import Path

import click

from worldquiz.cli.shell import (
    MISTAKE,
    STOPPED,
    end_if_stopped,
    stop_by_signals,
    stopped_code,
    warn,
)
from worldquiz.errors import AgentError, Stopped, needing_scenes, user_errors
from worldquiz.version import __version__

Panels = Mapping[str, Mapping[str, tuple[str, str]]]
"""Panel -> command name -> (``module:function``, summary)."""
_HERE = "worldquiz.cli.verbs"


class LazyGroup(click.Group):
    """A click group that imports a command only when it is called.

    ``run`` and ``show`` call the same-named command of the folder's benchmark, if there is one.
    """

    def __init__(self, help: str, panels: Panels, *, benchmarks: bool = False) -> None:
        super().__init__(help=help, no_args_is_help=True)
        self._panels, self._benchmarks = panels, benchmarks

    @property
    def _shown(self) -> dict[str, dict[str, str]]:
        """Summaries of the commands by panel (a section of the help), then by name."""
        shown = {
            panel: {name: summary for name, (_, summary) in commands.items()}
            for panel, commands in self._panels.items()
        }
        if self._benchmarks:
            from worldquiz.runs.benchmark import benchmarks

            own = {name: each.summary for name, each in benchmarks().items() if each.commands}
            shown |= {"Benchmarks": own} if own else {}
        return shown

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Return the names of the commands, in the order of their panels."""
        return [name for commands in self._shown.values() for name in commands]

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Return a command, whose module is imported here, or a benchmark's group of commands."""
        for commands in self._panels.values():
            if cmd_name in commands:
                module, _, name = commands[cmd_name][0].partition(":")
                found: click.Command = getattr(import_module(module), name)
                return found
        if self._benchmarks:
            from worldquiz.runs.benchmark import CATALOGUE

            if cmd_name in CATALOGUE.names() and (own := CATALOGUE.load(cmd_name).commands):
                return own()  # type: ignore[no-any-return]
        return None

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Return the command to call; for ``run`` and ``show``, the benchmark's own, if any."""
        name, command, words = super().resolve_command(ctx, args)
        if self._benchmarks and name in ("run", "show") and words and words[0][:1] not in ("", "-"):
            from worldquiz.runs.benchmark import DataKind, kind_of

            benchmark, kind = kind_of(Path(words[0]))
            if isinstance(kind, DataKind) and benchmark.commands:
                own = benchmark.commands().get_command(ctx, name)
                name, command = (f"{benchmark.name} {name}", own) if own else (name, command)
        return name, command, words

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the commands and their summaries, panel by panel."""
        panels = self._shown
        width = max(len(name) for commands in panels.values() for name in commands)
        for panel, commands in panels.items():
            with formatter.section(panel):
                formatter.write_dl([(name.ljust(width), line) for name, line in commands.items()])


app = LazyGroup(
    "What does an agent know about its world, as opposed to what can it do in it?",
    {
        "Make and run (any folder)": {
            "merge": (f"{_HERE}:merge", "Join the shards of a run or build."),
            "run": (f"{_HERE}:run", "Run an agent or answerer on worlds, mazes or scenes."),
            "serve": (f"{_HERE}:serve", "Serve a benchmark to agents over MCP."),
        },
        "Look (any folder)": {
            "show": (f"{_HERE}:show", "Print what a folder holds, or a run's scores."),
            "check": (f"{_HERE}:check", "Check whether a folder may be trusted."),
            "score": (f"{_HERE}:score", "Score runs again from their records."),
            "compare": (f"{_HERE}:compare", "Compare two runs, question by question."),
            "report": (f"{_HERE}:report", "Write a page about runs of one kind."),
            "export": (f"{_HERE}:export", "Write all questions of runs as a Parquet file."),
        },
        "Try": {
            "demo": (f"{_HERE}:demo", "Run every benchmark on small data, and write reports."),
            "human": (f"{_HERE}:human", "Answer a run's quiz yourself, in the browser."),
        },
    },
    benchmarks=True,
)
click.version_option(__version__, message="worldquiz %(version)s", help="Print the version.")(app)


def main() -> None:
    """Run the command line; exit with 2 on a mistake, 3 on a run cut short, 128 + N on signal N.

    A user's mistake is reported in one line. If the user's own agent or answerer raised an
    exception, its traceback comes before that line.
    """
    stop_by_signals()
    for name in ("stdout", "stderr"):
        if getattr(sys, name) is None:  # a closed output (``>&-``), for which Python has no stream
            setattr(sys, name, os.fdopen(os.open(os.devnull, os.O_WRONLY), "w"))
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):  # the locale C prints ▲ as \\u25b2
            stream.reconfigure(errors="backslashreplace")
    # Our matrices are thin: on a busy machine, OpenBLAS's threads would wait for one another.
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    if "" not in sys.path:  # finds ``module:Class`` in the current folder, after installed modules
        sys.path.append("")
    try:
        with needing_scenes():
            code = app.main(sys.argv[1:], "worldquiz", standalone_mode=False) or 0
        sys.stdout.flush()
    except (KeyboardInterrupt, click.Abort):
        code = stopped_code()
    except click.exceptions.NoArgsIsHelpError as error:
        click.echo(error.format_message(), err=True)
        code = MISTAKE
    except user_errors(OSError, click.UsageError) as error:
        with contextlib.suppress(OSError), Path(os.devnull).open("wb") as nowhere:
            os.dup2(nowhere.fileno(), sys.stdout.fileno())  # or Python prints it at its end
        _tell(error)
        code = STOPPED if isinstance(error, Stopped) else MISTAKE
    end_if_stopped(code)
    sys.exit(code)


def _tell(error: Exception) -> None:
    """Print a mistake as one line that begins with the command."""
    if isinstance(error, AgentError) and error.trace:
        warn(error.trace.rstrip())
    line = str(error)
    if isinstance(error, click.UsageError):
        line = error.format_message().rstrip(".")
        if error.ctx is not None:
            path, known = error.ctx.command_path, not isinstance(error, click.NoSuchCommand)
            line = f"{path}: {line}; see `{path if known else 'worldquiz'} --help`"
    if not isinstance(error, BrokenPipeError):
        warn(line if line.startswith(("worldquiz ", "worldquiz: ")) else f"worldquiz: {line}")


__all__ = ["LazyGroup", "app", "main"]
