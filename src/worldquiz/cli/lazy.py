"""Click commands that are imported when they are called, with help in panels of plain text.

A group knows the names, panels and summaries of its commands, so its help imports none of them. A
mistake is told in one line (`mistake`).

    commands = LazyGroup("What they are for.", {"Make": {"build": ("mine.cli:build", "Build.")}})
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from importlib import import_module
from typing import TYPE_CHECKING, Any

import click

from worldquiz.errors import KnobError, did_you_mean

if TYPE_CHECKING:
    from worldquiz.runs.benchmark import Benchmark

HELP = "worldquiz.help"
"""Where a context keeps which command prints its help, if not its own path with ``--help``."""
Panels = Mapping[str, Mapping[str, tuple[str, str]]]
"""Panel -> name -> ``module:function``, summary."""
_GLUE = "\u2011"
"""A hyphen that no line ends at, while help is laid out."""


def _glued(text: str) -> str:
    return re.sub(r"(?<=\S)-(?=\S)", _GLUE, text)


class _Formatter(click.HelpFormatter):
    """Help whose lines end at spaces, never at hyphens."""

    def write_text(self, text: str) -> None:
        super().write_text(_glued(text))

    def write_dl(self, rows: Iterable[tuple[str, str]], *options: Any, **named: Any) -> None:
        super().write_dl([(name, _glued(line)) for name, line in rows], *options, **named)

    def getvalue(self) -> str:
        return super().getvalue().replace(_GLUE, "-")


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
    """A group that imports a command when it is called; its help lists them by panel."""

    context_class = _Context

    def __init__(
        self,
        help: str,
        panels: Panels,
        *,
        mounted: Callable[[], Mapping[str, Benchmark]] = dict,
        **options: Any,
    ) -> None:
        """`mounted` returns the benchmarks whose own commands are groups of this one."""
        super().__init__(help=help, no_args_is_help=True, **options)
        self._panels, self._mounted = panels, mounted
        self._places = {
            name: place for each in panels.values() for name, (place, _) in each.items()
        }

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Return the names of the commands, in the order of their panels."""
        return [*self._places, *(name for name, each in self._mounted().items() if each.commands)]

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Return a command, imported now, or a mounted group."""
        if cmd_name not in self._places:
            benchmark = self._mounted().get(cmd_name)
            return benchmark.commands() if benchmark and benchmark.commands else None
        module, _, name = self._places[cmd_name].partition(":")
        found: click.Command = getattr(import_module(module), name)
        return found

    def resolve_command(self, ctx: click.Context, args: list[str]) -> Any:
        """Return the command that is called. Raises `KnobError` where a group above has it."""
        above = ctx.parent and args[0] not in self.list_commands(ctx) and ctx.parent.command
        if isinstance(above, LazyGroup) and (found := above.get_command(ctx, args[0])):
            takes = [str(each.metavar) for each in found.params if isinstance(each, click.Argument)]
            usage = " ".join(("worldquiz", args[0], *takes))
            asked = f"{ctx.command_path} {args[0]}"
            raise KnobError(f"{asked}: no such command; use `{usage}`")
        return super().resolve_command(ctx, args)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the commands by panel."""
        panels = {
            panel: [(name, summary) for name, (_, summary) in commands.items()]
            for panel, commands in self._panels.items()
        }
        if mounted := [each for each in self._mounted().values() if each.commands]:
            panels["Benchmarks"] = [(each.name, each.summary) for each in mounted]
        width = max(len(name) for lines in panels.values() for name, _ in lines)
        for panel, lines in panels.items():
            with formatter.section(panel):
                formatter.write_dl([(name.ljust(width), line) for name, line in lines])


def mistake(error: click.UsageError) -> str:
    """Return a mistake of the command line as one line."""
    ctx = error.ctx
    if ctx is None:
        return error.format_message()
    path, told = ctx.command_path, error.format_message().rstrip(".")
    known = [name for param in ctx.command.params for name in param.opts]
    if isinstance(error, click.NoSuchOption):
        if error.option_name == "--agent" and "--answerer" in known:
            return (
                f"{path}: nobody acts here, somebody only answers: give --answerer instead of "
                "--agent"
            )
        close = did_you_mean(error.option_name, known)
        told = f"No such option: {error.option_name}{close if 'mean' in close else ''}"
    elif isinstance(error, click.NoSuchCommand):
        close = did_you_mean(error.command_name, ctx.command.list_commands(ctx))  # type: ignore[attr-defined]
        told = f"No such command {error.command_name!r}{close if 'mean' in close else ''}"
    help = ctx.meta.get(HELP, f"{path} --help")
    return f"{path}: {told}{' See' if told.endswith('?') else '; see'} `{help}`"
