"""Commands that are imported when they are called.

A group knows the names of its commands and the panels of its help; a command's module is imported
when the command runs, or when the group's help needs its first line. Help is plain text of at most
80 columns: typer's own boxes take half a second to import.

    app = lazy.group("What they are for.", {"Make": {"build": "worldquiz.t2q.cli.build:build"}})
"""

from __future__ import annotations

import re
from collections import UserDict
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial
from importlib import import_module
from itertools import zip_longest
from pathlib import Path
from typing import TYPE_CHECKING, Any

import typer
from typer.core import TyperCommand, TyperGroup

from worldquiz.errors import KnobError, did_you_mean, needing_scenes

if TYPE_CHECKING:
    from worldquiz.runs.benchmark import Benchmark

HELP = "worldquiz.help"
"""Where a context keeps which command prints its help, if not its own path with ``--help``."""
_GLUE = "\u2011"
"""A hyphen that no line ends at, while help is laid out."""


@dataclass(frozen=True, slots=True)
class LazyCommand:
    """A command before it is imported."""

    panel: str
    load: Callable[[], Any]
    summary: str | None = None  # the first line of its help, where that needs no import


Panels = Mapping[str, Mapping[str, str | tuple[str, str]]]
"""Panel -> name -> ``module:function``, with a summary where help may not import the module."""


def group(
    help: str,
    panels: Panels,
    *,
    mounted: Callable[[], Mapping[str, LazyCommand]] | None = None,
    callback: Callable[..., None] | None = None,
    completion: bool = False,
) -> typer.Typer:
    """Return a Typer app whose commands are imported when they are called.

    `mounted` adds entries when they are needed.
    """

    class Group(LazyGroup):
        def entries(self) -> dict[str, LazyCommand]:
            return {**_entries(panels), **(mounted() if mounted else {})}

    app = typer.Typer(
        cls=Group, help=help, no_args_is_help=True, rich_markup_mode=None,
        add_completion=completion, pretty_exceptions_enable=False,
    )  # fmt: skip
    app.callback()(callback or _nothing)
    return app


def command(name: str, app: typer.Typer) -> Any:
    """Return an app as a command of some name."""
    made = typer.main.get_command(app)
    made.name = name
    return made


def commands_of(benchmark: Benchmark) -> Any:
    """Return a benchmark's own commands as a group. Raises `KnobError` if it has none."""
    if benchmark.commands is None:
        raise KnobError(f"{benchmark.title} has no commands of its own")
    return command(benchmark.name, benchmark.commands())


def _nothing() -> None:
    """Do nothing before a command: typer takes an app for a group if it has a callback."""


def _entries(panels: Panels) -> dict[str, LazyCommand]:
    found = {}
    for panel, commands in panels.items():
        for name, told in commands.items():
            place, summary = (told, None) if isinstance(told, str) else told
            found[name] = LazyCommand(panel, partial(standalone, name, place), summary)
    return found


def standalone(name: str, place: str) -> Any:
    """Return the function at ``module:function`` as a command of some name."""
    module, _, attribute = place.partition(":")
    app = typer.Typer(rich_markup_mode=None, add_completion=False)
    with needing_scenes():
        function = getattr(import_module(module), attribute)
    settings = getattr(function, "context_settings", None)
    app.command(name, cls=PlainCommand, context_settings=settings)(function)
    return command(name, app)


class Commands(UserDict[str, Any]):
    """Commands by name, each loaded when it is first asked for."""

    def __init__(self, entries: Mapping[str, LazyCommand]) -> None:
        super().__init__()
        self._entries = entries
        self.data.update(entries)

    def __getitem__(self, name: str) -> Any:
        found = self.data[name]
        if isinstance(found, LazyCommand):
            found = self.data[name] = found.load()
        return found

    def entry(self, name: str) -> LazyCommand:
        """Return a command as it is known before it is imported."""
        return self._entries.get(name) or LazyCommand("Commands", lambda: self[name])


class _Plain:
    """Mistakes in one line; plain help without broken words, not at a hyphen either."""

    help: str | None

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """Read the arguments. Raises `KnobError` for what cannot be understood."""
        try:
            found: list[str] = super().parse_args(ctx, list(args))  # type: ignore[misc]
        except Exception as error:
            raise _told(ctx, error) from error
        _check_paths(ctx, args)
        return found

    def get_help(self, ctx: Any) -> str:
        """Return the help as text."""
        return str(super().get_help(ctx)).replace(_GLUE, "-")  # type: ignore[misc]

    def format_help_text(self, ctx: Any, formatter: Any) -> None:
        """Write what the command is for."""
        formatter.write_paragraph()
        with formatter.indentation():
            formatter.write_text(_glued(self.help or ""))

    def format_options(self, ctx: Any, formatter: Any) -> None:
        """Write arguments, then options by panel."""
        _write_options(self, ctx, formatter)


class PlainCommand(_Plain, TyperCommand):
    """A command that is told plainly."""


class LazyGroup(_Plain, TyperGroup):
    """A group that imports a command when it is called; its help lists them by panel."""

    def __init__(self, **options: Any) -> None:
        super().__init__(**options)
        self.commands: Any = Commands(self.entries())
        self.commands.update(options.get("commands") or {})  # registered with typer itself

    def entries(self) -> dict[str, LazyCommand]:
        """Return the group's commands."""
        return {}

    def list_commands(self, ctx: Any) -> list[str]:
        """Return the names of the commands, in the order of their panels."""
        return list(self.commands)

    def resolve_command(self, ctx: Any, args: list[str]) -> Any:
        """Return the command that is called. Raises `KnobError` if there is none."""
        if args and args[0] not in self.commands and ctx.parent is not None:
            _refer_to(ctx.parent, f"{ctx.command_path} {args[0]}", args[0])
        try:
            return super().resolve_command(ctx, args)
        except Exception as error:
            raise _told(ctx, error) from error

    def format_options(self, ctx: Any, formatter: Any) -> None:
        """Write the commands by panel, then the options."""
        panels: dict[str, list[tuple[str, str]]] = {}
        for name in self.list_commands(ctx):
            entry = self.commands.entry(name)
            line = entry.summary or _first_line(self.commands[name])
            panels.setdefault(entry.panel, []).append((name, line))
        width = max((len(name) for lines in panels.values() for name, _ in lines), default=0)
        for panel, lines in panels.items():
            with formatter.section(panel):
                formatter.write_dl([(name.ljust(width), _glued(line)) for name, line in lines])
        _write_options(self, ctx, formatter)


def _refer_to(parent: Any, asked: str, name: str) -> None:
    """Raise `KnobError` where a group above has a command of the name that was asked for."""
    found = parent.command.get_command(parent, name)
    if found is not None:
        takes = [each.metavar for each in found.params if each.param_type_name == "argument"]
        usage = " ".join((parent.command_path, name, *filter(None, takes)))
        raise KnobError(f"{asked}: no such command; use `{usage}`")


def _first_line(made: Any) -> str:
    """Return the first sentence of a command's help."""
    text = " ".join((made.short_help or made.help or "").split("\n\n")[0].split())
    return text.split(". ")[0].rstrip(".") + "." if text else ""


def _glued(text: str) -> str:
    """Return text with hyphens that no line ends at."""
    return re.sub(r"(?<=\S)-(?=\S)", _GLUE, text)


def _write_options(made: Any, ctx: Any, formatter: Any) -> None:
    panels: dict[str, list[tuple[str, str]]] = {}
    for param in made.get_params(ctx):
        record = param.get_help_record(ctx)
        if record is not None:
            default = "Arguments" if param.param_type_name == "argument" else "Options"
            panel = getattr(param, "rich_help_panel", None) or default
            panels.setdefault(panel, []).append(record)
    for panel, records in panels.items():
        with formatter.section(panel):
            formatter.write_dl([(name, _glued(line)) for name, line in records])


def _told(ctx: Any, error: Exception) -> Exception:
    """Return a mistake of the command line as one line; anything else as it is."""
    message = getattr(error, "format_message", None)
    if message is None or type(error).__name__ == "NoArgsIsHelpError":
        return error
    path, option = ctx.command_path, getattr(error, "option_name", None)
    known = [name for param in ctx.command.params for name in param.opts]
    if option == "--agent" and "--answerer" in known:
        return KnobError(
            f"{path}: nobody acts here, somebody only answers: give --answerer instead of --agent"
        )
    told = message().rstrip(".")
    if possible := getattr(error, "possibilities", None):
        told = f"No such option: {option}{did_you_mean(str(option), possible)}"
    return KnobError(f"{path}: {told}{' See' if told.endswith('?') else '; see'} {_help(ctx)}")


def _help(ctx: Any) -> str:
    """Return the command that prints the help which a user of this one needs."""
    return f"`{ctx.meta.get(HELP, f'{ctx.command_path} --help')}`"


def _check_paths(ctx: Any, args: list[str]) -> None:
    """Raise `KnobError` for an empty path: it would mean the current folder."""
    pairs = zip_longest(args, args[1:])
    empty = {one.removesuffix("=") for one, two in pairs if one.endswith("=") or two == ""}
    for param in ctx.command.params:
        value = ctx.params.get(param.name)
        paths = value if isinstance(value, list | tuple) else (value,)
        option = param.param_type_name == "option"
        if Path() in paths and (empty & {*param.opts} if option else "" in args):
            name = param.opts[0] if option else param.metavar or param.name
            raise KnobError(
                f"{ctx.command_path}: {name} '' names no file or folder; see {_help(ctx)}"
            )
