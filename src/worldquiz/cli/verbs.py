"""The verbs that a folder's own benchmark carries out: build, run, show, check.

``worldquiz run FOLDER ...`` reads the kind that the folder states, and calls the command ``run`` of
the benchmark of that kind with all that was given.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from shlex import quote
from typing import Any

import click

from worldquiz.cli import lazy
from worldquiz.cli.options import JSON, Function, argument, command
from worldquiz.cli.shell import MISTAKE, emit, resumable, say, tell, waiting
from worldquiz.errors import KnobError, RecordError

_HELP = {"-h", "--help"}


@command
@argument("folder", "FOLDER", "Folder of a stopped build.")
@JSON
def build(folder: Path, json: bool) -> None:
    """Finish a build that was stopped, from the plan that it wrote first.

    To build something new, use the benchmark's own command: see `worldquiz --help`.
    """
    from worldquiz.runs.benchmark import planned
    from worldquiz.runs.notices import AGAIN

    kind = planned(folder)
    if kind.build is not None:
        with resumable(f"what is built is kept: {AGAIN}"), waiting("building"):
            kind.build(folder)
    told = f"{kind.noun}: {folder}: the build is finished"
    tell({"folder": str(folder), "kind": kind.kind}, [told], json=json)


def _handing_on(function: Function) -> lazy.PlainCommand:
    """Return a command that hands its words to another, ``--help`` after the folder too."""
    takes = argument(
        "words", "FOLDER [OPTIONS]",
        "The folder comes first; `--help` behind it prints the options for its kind.",
        type=str, nargs=-1,
    )  # fmt: skip
    made = command(takes(click.pass_context(function)))
    made.context_settings = {
        "allow_extra_args": True, "ignore_unknown_options": True,
        "allow_interspersed_args": False, "help_option_names": [],
    }  # fmt: skip
    return made


@_handing_on
def run(ctx: click.Context, words: Sequence[str]) -> None:
    """Run an agent, an answerer or a model on a folder of worlds, mazes or scenes.

    `worldquiz run FOLDER --help` prints the options for the folder's kind.
    """
    _dispatch(ctx, "run", words)


@_handing_on
def show(ctx: click.Context, words: Sequence[str]) -> None:
    """Print what a folder of data holds, or the scores of a run.

    With --follow, print how far a run is that is going on, until it ends.

    `worldquiz show FOLDER --help` prints the options for the folder's kind.
    """
    _dispatch(ctx, "show", words)


@_handing_on
def check(ctx: click.Context, words: Sequence[str]) -> None:
    """Say what a folder is, and whether it may be trusted; exit code 2 if not.

    Reads all of it within limits and compares it with its manifest; nothing of it is run. Works on
    data, runs and stopped builds of any benchmark. --json prints a JSON document.

    --deep computes the answers of data again, by the benchmark's own check; exit code 1 if any is
    wrong. `worldquiz check FOLDER --deep --help` prints its options.
    """
    helped = bool(_HELP & {*words})
    if not words or (helped and "--deep" not in words):
        _dispatch(ctx, "check", ("--help",) if helped else ())
    from worldquiz.runs.check import checked

    folder, options = _folder("check", words[0]), words[1:]
    if "--deep" in options:
        if not helped:
            checked(folder)
        _dispatch(ctx, "check", [word for word in words if word != "--deep"])
        return
    _refuse_beyond(
        f"check {folder}", options, "--json",
        more=" and --deep, behind which those of the benchmark's own check may stand",
    )  # fmt: skip
    try:
        with waiting("checking"):
            found = checked(folder)
    except RecordError as error:
        if not options:
            raise
        emit({"path": str(folder), "trusted": False, "why": str(error)})
        raise click.exceptions.Exit(MISTAKE) from error
    tell(found.document(), [found.line()], json=bool(options))


def _dispatch(ctx: click.Context, verb: str, words: Sequence[str]) -> None:
    """Call the command of that name of data's benchmark, or what stands in for it."""
    from worldquiz.runs.benchmark import DataKind, kind_of, kind_of_data

    if not words or words[0] in _HELP:
        click.echo(ctx.get_help())
        raise click.exceptions.Exit(0 if words else MISTAKE)
    folder = _folder(verb, words[0])
    benchmark, kind = kind_of(folder)
    own = benchmark.commands() if benchmark.commands else None
    command = own.get_command(ctx, verb) if own and isinstance(kind, DataKind) else None
    if command is not None:
        ctx.meta[lazy.HELP] = f"worldquiz {verb} {quote(words[0])} --help"
        with command.make_context(verb, [str(folder), *words[1:]], parent=ctx.parent) as inner:
            command.invoke(inner)
    elif verb == "show":
        _show(folder, kind, words[1:])
    else:
        _, data = kind_of_data(folder)
        offered = ", ".join(own.list_commands(ctx)) if own else "no command of its own"
        raise KnobError(
            f"{folder}: is a {data.noun}, and {benchmark.title} has no `{verb}`; it has: {offered}"
        )


def _folder(verb: str, word: str) -> Path:
    """Return a verb's first word as a folder. Raises `KnobError` for an option, or nothing."""
    if not word or word.startswith("-"):
        raise KnobError(f"{verb}: give the folder first: `worldquiz {verb} FOLDER ...`")
    return Path(word)


def _show(folder: Path, kind: Any, options: Sequence[str]) -> None:
    """Print the scores of a run, or data whose benchmark has no command ``show``."""
    from worldquiz.cli.runs import follow, tables_of
    from worldquiz.runs.benchmark import RunKind
    from worldquiz.runs.run import Run

    if not isinstance(kind, RunKind):
        if options:
            raise KnobError(f"show {folder}: is shown as a whole: leave out {options[0]!r}")
        say(*(kind.tables(folder) if kind.tables else [repr(kind.open(folder))]))
        return
    _refuse_beyond("show RUN", options, "--json", "--follow")
    run = Run(folder)
    if "--follow" in options:
        follow([run])
    else:
        document = {"manifest": run.manifest, "scores": run.scores}
        tell(document, tables_of([run]), json=bool(options))


def _refuse_beyond(what: str, options: Sequence[str], *known: str, more: str = "") -> None:
    strange = [word for word in options if word not in known]
    if strange:
        raise KnobError(
            f"{what}: {strange[0]!r} is not understood; options are {' and '.join(known)}{more}"
        )
