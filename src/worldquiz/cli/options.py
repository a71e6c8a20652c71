"""Options shared by several commands, and options made from the fields of a run's settings."""

from __future__ import annotations

import secrets
from collections.abc import Callable, Sequence
from functools import wraps
from pathlib import Path
from typing import Any

import click

from worldquiz.errors import KnobError, notice
from worldquiz.runs.settings import RunSettings, declared

Function = Callable[..., Any]
Decorator = Callable[[Function], Function]


class PanelOption(click.Option):
    """A click option with the name of its panel, the section of the help that lists it."""

    def __init__(self, *arguments: Any, panel: str = "Options", **about: Any) -> None:
        super().__init__(*arguments, **{"show_default": True, **about})
        self.panel = panel
        if self.type.name.startswith(("integer", "float")) and self.metavar is None:
            self.metavar = "NUMBER"


class PlainCommand(click.Command):
    """A command whose help lists its options in panels, each with a heading."""

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the options, grouped by panel."""
        panels: dict[str, list[tuple[str, str]]] = {}
        for param in self.get_params(ctx):
            record = param.get_help_record(ctx)
            if record is not None and not isinstance(param, click.Argument):
                panels.setdefault(getattr(param, "panel", "Options"), []).append(record)
        for panel, records in panels.items():
            with formatter.section(panel):
                formatter.write_dl(records)


PATH = click.Path(path_type=Path)


def command(function: Function) -> PlainCommand:
    """Return a command made from a function; the docstring becomes the help."""
    return click.command(cls=PlainCommand)(function)


def option(*names: str, help: str, **about: Any) -> Decorator:
    """Return a decorator that adds an option; `panel` names its section in the help."""
    return click.option(*names, cls=PanelOption, help=help, **about)


def argument(name: str, metavar: str, help: str, **about: Any) -> Decorator:
    """Return a decorator that adds an argument, a path unless `type` is given."""
    about.setdefault("type", PATH)
    return click.argument(name, metavar=metavar, help=help, **about)


def out(help: str, **about: Any) -> Decorator:
    """Return a decorator that adds ``--out``, which is required unless it has a `default`."""
    about.setdefault("required", "default" not in about)
    return option("--out", type=PATH, help=help, **about)


RUN_OUT = out("Folder of the run. Default: beside the data; the path is printed.", required=False)
JSON = option("--json", is_flag=True, help="Print one JSON document to stdout.")
JOBS = option(
    "--jobs", "-j", type=click.IntRange(1),
    help="Number of processes; by default, one per core. It does not change the results.",
)  # fmt: skip
DATA = option(
    "--data", metavar="FOLDER", type=PATH,
    help="Folder of the runs' data, if it was moved.",
)  # fmt: skip
RUN = argument("run", "RUN", "Folder of a run.")
RUNS = argument("runs", "RUN", "Folders of runs.", nargs=-1, required=True)


def pairs(texts: Sequence[str], what: str, example: str) -> dict[str, str]:
    """Read ``NAME=VALUE`` texts. Raises `KnobError` for other texts, and for a repeated name."""
    found: dict[str, str] = {}
    for text in texts:
        name, sign, value = text.partition("=")
        if not (name and sign and value):
            raise KnobError(f"{what} {text!r}: expected NAME=VALUE, e.g. {example}")
        if name in found:
            raise KnobError(f"{what} {name}: given twice, as {found[name]!r} and {value!r}")
        found[name] = value
    return found


def settings(kind: type[RunSettings]) -> Decorator:
    """Return a decorator that adds options for a class of settings, passed on as `settings`."""
    known = declared(kind)

    def decorate(function: Function) -> Function:
        @wraps(function)
        def called(**given: Any) -> Any:
            told = {name: given.pop(name) for name in known}
            for name in known:
                if known[name][1].metavar == "NAME=VALUE":
                    told[name] = _parsed(told[name])
            return function(settings=kind.of(None, told), **given)

        made: Function = called
        for name in reversed(known):
            made = setting(kind, name)(made)
        return made

    return decorate


def setting(kind: type[RunSettings], name: str) -> Decorator:
    """Return a decorator that adds the option for one setting."""
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
    names = about.option or f"--{name.replace('_', '-')}"
    return option(name, *names.split(), help=about.help, panel=about.panel, **given)


def _parsed(texts: Sequence[str]) -> dict[str, Any] | None:
    """Return ``NAME=VALUE`` texts as a dict; values that are not JSON are kept as text."""
    import json

    found: dict[str, Any] = {}
    for name, text in pairs(texts, "--generate", "temperature=0").items():
        try:
            found[name] = json.loads(text)
        except ValueError:
            found[name] = text
    return found or None


BUILD_SEED = option(
    "--seed", type=int,
    help="Random seed; equal seeds give equal data. Default: the seed of the build begun "
    "here, else 15 random digits, which are printed and which nobody can guess.",
)  # fmt: skip


def seed_of(seed: int | None, out: Path, shard: str | None = None) -> int:
    """Return the given seed, else the seed of the build begun in `out`, else a random seed.

    Raises `KnobError` for a shard without a seed, since all shards of a build need the same seed.
    """
    from worldquiz.records import read_json
    from worldquiz.runs.benchmark import PLAN

    if seed is not None:
        return seed
    begun = read_json(out / PLAN) if (out / PLAN).is_file() else None
    known = begun.get("seed") if isinstance(begun, dict) else None
    if isinstance(known, int):
        return known
    if shard is not None:
        raise KnobError("--shard needs --seed: all shards of a build must have the same seed")
    drawn = 10**14 + secrets.randbelow(9 * 10**14)
    notice(f"seed: {drawn}")
    return drawn


ON, SHARD = setting(RunSettings, "on"), setting(RunSettings, "shard")
