"""Commands that are imported when they are called, and options that commands share.

A group knows the names, panels and summaries of its commands, so its help imports none of them. A
mistake is told in one line (`mistake`). Options of a run are the fields of its settings.

    commands = LazyGroup("What they are for.", {"Make": {"build": ("mine.cli:build", "Build.")}})
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import wraps
from importlib import import_module
from pathlib import Path
from typing import Any

import click

from worldquiz.errors import KnobError
from worldquiz.runs.settings import RunSettings, Setting, declared, spelled

HELP = "worldquiz.help"
"""Where a context keeps which command prints its help, if not its own path with ``--help``."""
_GLUE = "\u2011"
"""A hyphen that no line ends at, while help is laid out."""
Panels = Mapping[str, Mapping[str, tuple[str, str]]]
"""Panel -> name -> ``module:function``, summary."""
Function = Callable[..., Any]
Decorator = Callable[[Function], Function]


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


class _Path(click.Path):
    """A file or folder; an empty text, which would mean the current folder, is none."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        if value == "":
            self.fail("'' names no file or folder", param, ctx)
        return super().convert(value, param, ctx)


PATH = _Path(path_type=Path)


def command(function: Function) -> PlainCommand:
    """Return a function as a command; its docstring is the help."""
    return click.command(cls=PlainCommand)(function)


def option(*names: str, help: str, **about: Any) -> Decorator:
    """Return an option, of a `panel` if it is named; several values come as a tuple."""
    return click.option(*names, cls=PanelOption, help=help, **about)


def argument(name: str, metavar: str, help: str, **about: Any) -> Decorator:
    """Return an argument, which is a path unless another `type` is given."""
    about.setdefault("type", PATH)
    return click.argument(name, metavar=metavar, help=help, **about)


def out(help: str, **about: Any) -> Decorator:
    """Return the option ``--out``, which is required unless it has a `default`."""
    about.setdefault("required", "default" not in about)
    return option("--out", type=PATH, help=help, **about)


JSON = option("--json", is_flag=True, help="Print one JSON document to stdout.")
JOBS = option(
    "--jobs", "-j", type=click.IntRange(1),
    help="Number of processes; by default, one for each core. Results do not depend on it.",
)  # fmt: skip
RUN = argument("run", "RUN", "Folder of a run.")
RUNS = argument("runs", "RUN", "Folders of runs.", nargs=-1, required=True)


def pairs(texts: Sequence[str], what: str, example: str) -> dict[str, str]:
    """Read ``NAME=VALUE`` texts. Raises `KnobError` for other ones, and for a name given twice."""
    found: dict[str, str] = {}
    for text in texts:
        name, sign, value = text.partition("=")
        if not (name and sign and value):
            raise KnobError(f"{what} {text!r}: give it as NAME=VALUE, e.g. {example}")
        if name in found:
            raise KnobError(f"{what} {name}: given twice, as {found[name]!r} and {value!r}")
        found[name] = value
    return found


def settings(kind: type[RunSettings]) -> Decorator:
    """Return an option for each setting of a class; the command gets them as `settings`.

    Raises `KnobError` for a setting that nothing would use.
    """
    known = declared(kind)

    def decorate(function: Function) -> Function:
        @wraps(function)
        def called(**given: Any) -> Any:
            found = kind(**{name: _read(given.pop(name), known[name][1]) for name in known})
            ctx, typed = click.get_current_context(), click.core.ParameterSource.COMMANDLINE
            said = [name for name in known if ctx.get_parameter_source(name) is typed]
            if (lacking := found.unused(said)) is not None:
                each = (lacking[0], *lacking[1])
                name, *needed = (spelled(one, known[one][1])[0] for one in each)
                raise KnobError(f"{ctx.command_path}: {name} needs {' or '.join(needed)}")
            return function(settings=found, **given)

        made: Function = called
        for name in reversed(known):
            made = setting(kind, name)(made)
        return made

    return decorate


def setting(kind: type[RunSettings], name: str) -> Decorator:
    """Return the option of one setting."""
    type, about = declared(kind)[name]
    word = type.split(" ")[0]
    given: dict[str, Any] = {"default": getattr(kind, name), "metavar": about.metavar}
    if word == "bool":
        given["is_flag"] = True
    elif about.choices:
        given["type"] = click.Choice(about.choices)
    elif word in ("int", "float"):
        plain, ranged = (int, click.IntRange) if word == "int" else (float, click.FloatRange)
        limits: Any = (about.least, about.most)
        given["type"] = plain if limits == (None, None) else ranged(*limits)
    elif word.startswith("Sequence") or about.metavar == "NAME=VALUE":
        given |= {"multiple": True, "default": (), "type": PATH if "Path" in type else str}
    else:
        given["type"] = str
    return option(name, *spelled(name, about), help=about.help, panel=about.panel, **given)


def _read(value: Any, about: Setting) -> Any:
    """Return a setting's value of what was typed; those of ``NAME=VALUE`` are JSON, else text."""
    if about.metavar != "NAME=VALUE":
        return value
    found: dict[str, Any] = {}
    for name, text in pairs(value, "--generate", "temperature=0").items():
        try:
            found[name] = json.loads(text)
        except ValueError:
            found[name] = text
    return found or None


ON, SHARD = setting(RunSettings, "on"), setting(RunSettings, "shard")
