"""The command line: ``worldquiz``. Verbs work on any folder; each benchmark has its own commands.

A group knows the names, panels and summaries of its commands, so its help imports none of them. A
mistake is told in one line (`mistake`).

    commands = LazyGroup("What they are for.", {"Make": {"build": ("mine.cli:build", "Build.")}})
"""

from __future__ import annotations

import contextlib
import io
import os
import re
import sys
from collections.abc import Iterable, Mapping
from importlib import import_module
from pathlib import Path
from typing import Any

import click

from worldquiz.cli.shell import MISTAKE, STOPPED, stop_by_signals, stop_no_more, stopped_code, warn
from worldquiz.errors import AgentError, Stopped, needing_scenes, user_errors
from worldquiz.version import __version__

HELP = "worldquiz.help"
"""Where a context keeps which command prints its help, if not its own path with ``--help``."""
_GLUE = "\u2011"
"""A hyphen that no line ends at, while help is laid out."""
Panels = Mapping[str, Mapping[str, tuple[str, str]]]
"""Panel -> name -> ``module:function``, summary."""
_HERE = "worldquiz.cli"
_COMPLETE = "_WORLDQUIZ_COMPLETE"
"""Set by a shell that asks for completions of what is typed."""


class _Formatter(click.HelpFormatter):
    """Help whose lines end at spaces, never at hyphens."""

    def write_text(self, text: str) -> None:
        super().write_text(_glued(text))

    def write_dl(self, rows: Iterable[tuple[str, str]], *options: Any, **named: Any) -> None:
        super().write_dl([(name, _glued(line)) for name, line in rows], *options, **named)

    def getvalue(self) -> str:
        return super().getvalue().replace(_GLUE, "-")


def _glued(text: str) -> str:
    return re.sub(r"(?<=\S)-(?=\S)", _GLUE, text)


class _Context(click.Context):
    formatter_class = _Formatter


class PanelOption(click.Option):
    """An option that stands in a named panel of the help."""

    def __init__(self, *arguments: Any, panel: str = "Options", **about: Any) -> None:
        super().__init__(*arguments, **{"show_default": True, **about})
        self.panel = panel
        if self.type.name.startswith(("integer", "float")) and self.metavar is None:
            self.metavar = "NUMBER"


class PlainCommand(click.Command):
    """A command whose help has its options in panels."""

    context_class = _Context

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write options by panel."""
        panels: dict[str, list[tuple[str, str]]] = {}
        for param in self.get_params(ctx):
            record = param.get_help_record(ctx)
            if record is not None and not isinstance(param, click.Argument):
                panels.setdefault(getattr(param, "panel", "Options"), []).append(record)
        for panel, records in panels.items():
            with formatter.section(panel):
                formatter.write_dl(records)


class LazyGroup(click.Group):
    """A group that imports a command when it is called; its help lists them by panel.

    Benchmarks, if it has them, are groups of it: each is imported when it is called, too.
    """

    context_class = _Context

    def __init__(self, help: str, panels: Panels, *, benchmarks: bool = False, **more: Any) -> None:
        super().__init__(help=help, no_args_is_help=True, **more)
        self._panels, self._benchmarks = panels, benchmarks

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Return the names of the commands, in the order of their panels."""
        return [name for panel in self._shown().values() for name, _ in panel]

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Return a command, imported now, or a benchmark's group."""
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

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the commands by panel."""
        panels = self._shown()
        width = max(len(name) for lines in panels.values() for name, _ in lines)
        for panel, lines in panels.items():
            with formatter.section(panel):
                formatter.write_dl([(name.ljust(width), line) for name, line in lines])

    def _shown(self) -> dict[str, list[tuple[str, str]]]:
        """Return names and summaries by panel."""
        panels = {
            panel: [(name, summary) for name, (_, summary) in commands.items()]
            for panel, commands in self._panels.items()
        }
        if self._benchmarks:
            from worldquiz.runs.benchmark import benchmarks

            own = [(name, each.summary) for name, each in benchmarks().items() if each.commands]
            panels |= {"Benchmarks": own} if own else {}
        return panels


def mistake(error: click.UsageError) -> str:
    """Return a mistake of the command line as one line."""
    told = error.format_message().rstrip(".")
    if error.ctx is None:
        return told
    path, above = error.ctx.command_path, error.ctx.parent
    help = error.ctx.meta.get(HELP, f"{path} --help")
    if isinstance(error, click.NoSuchCommand) and above and isinstance(above.command, LazyGroup):
        found = above.command.get_command(above, error.command_name)
        help = f"{above.command_path} {found.name} --help" if found else help
    return f"{path}: {told}{' See' if told.endswith('?') else '; see'} `{help}`"


def _version(ctx: click.Context, _: click.Parameter, wanted: bool) -> None:
    if wanted:
        click.echo(f"worldquiz {__version__}")
        ctx.exit()


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
            callback=_version,
        )
    ],
)  # fmt: skip


def main() -> None:
    """Run the command line; end with 2 for a mistake, 3 for a run cut short, 128 up for a signal.

    Where a user's own agent or answerer raised, its traceback comes before the line.
    """
    stop_by_signals()
    _prepare_output()
    if "" not in sys.path:  # ``module:Class`` may be in the current folder; what is installed wins
        sys.path.append("")
    if _COMPLETE in os.environ:
        app.main(prog_name="worldquiz")
    try:
        sys.exit(_called())
    except user_errors(OSError, click.UsageError) as error:
        with contextlib.suppress(OSError), Path(os.devnull).open("wb") as nowhere:
            os.dup2(nowhere.fileno(), sys.stdout.fileno())  # or Python would print it at its end
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


def _prepare_output() -> None:
    """Let anything be printed, or dropped where the output is closed."""
    for name in ("stdout", "stderr"):
        if getattr(sys, name) is None:  # a closed output (``>&-``): Python has no stream there
            setattr(sys, name, os.fdopen(os.open(os.devnull, os.O_WRONLY), "w"))
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):  # the locale C lacks ▲, and prints \\u25b2
            stream.reconfigure(errors="backslashreplace")


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


__all__ = ["LazyGroup", "PanelOption", "PlainCommand", "app", "main", "mistake"]
