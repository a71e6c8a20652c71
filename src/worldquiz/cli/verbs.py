"""The verbs that a folder's own benchmark carries out: build, run, show, check, estimate.

``worldquiz run FOLDER ...`` reads the kind that the folder states, and calls the command ``run`` of
the benchmark of that kind with all that was given.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from shlex import quote
from typing import Annotated, Any, NoReturn

import typer

from worldquiz.cli import lazy
from worldquiz.cli.follow import follow
from worldquiz.cli.runs import tables_of
from worldquiz.cli.shell import MISTAKE, Json, emit, resumable, say, tell, waiting, warn
from worldquiz.cli.tables import plain
from worldquiz.errors import KnobError, RecordError
from worldquiz.runs.benchmark import (
    Benchmark,
    Kind,
    RunKind,
    kind_of,
    kind_of_data,
    planned,
)
from worldquiz.runs.check import checked
from worldquiz.runs.notices import AGAIN
from worldquiz.runs.run import Run
from worldquiz.runs.store import fetched

_PASSED_ON = {
    "allow_extra_args": True,
    "ignore_unknown_options": True,
    "allow_interspersed_args": False,
    "help_option_names": [],
}
"""Settings of a command that hands its words to another, ``--help`` after the folder too."""
_HELP = ("-h", "--help")

Words = Annotated[
    list[str] | None,
    typer.Argument(
        metavar="FOLDER [OPTIONS]",
        help="The folder comes first; `--help` behind it prints the options for its kind.",
    ),
]


def build(
    folder: Annotated[Path, typer.Argument(metavar="FOLDER", help="Folder of a stopped build.")],
    json: Json = False,
) -> None:
    """Finish a build that was stopped, from the plan that it wrote first.

    To build something new, use the benchmark's own command: see `worldquiz --help`.
    """
    kind = planned(folder)
    if kind.build is not None:
        with resumable(f"what is built is kept: {AGAIN}"), waiting("building"):
            kind.build(folder)
    told = f"{kind.noun}: {folder}: the build is finished"
    tell({"folder": str(folder), "kind": kind.kind}, [told], json=json)


def run(ctx: typer.Context, words: Words = None) -> None:
    """Run an agent, an answerer or a model on a folder of worlds, mazes or scenes.

    `worldquiz run FOLDER --help` prints the options for the folder's kind.
    """
    _dispatch(ctx, "run", words)


def estimate(ctx: typer.Context, words: Words = None) -> None:
    """Print the calls, tokens and cost that a model's run on a folder would take.

    `worldquiz estimate FOLDER --help` prints the options for the folder's kind.
    """
    _dispatch(ctx, "estimate", words)


def estimate_prompts(
    folder: Annotated[Path, typer.Argument(metavar="FOLDER", help="Folder to run a model on.")],
    model: Annotated[str, typer.Option(help="Model, as inspect names it.")],
    price: Annotated[
        str | None,
        typer.Option(metavar="INPUT,CACHED,OUTPUT", help="US dollars per million tokens."),
    ] = None,
    json: Json = False,
) -> None:
    """Print the calls, tokens and cost of a model's run without further options, nothing cached."""
    from worldquiz.llm import estimate as estimates
    from worldquiz.llm.price import Price

    with waiting("counting the prompts"):
        found = estimates.estimate(folder, model, Price.read(price) if price else None)
    cost = "–" if found["cost"] is None else f"{found['cost']:,.2f}"
    rows = [
        ("calls", f"{found['calls']:,}"),
        ("tokens of prompts", f"{found['input']:,}"),
        *([("of these, of pictures", f"{found['pictures']:,}")] if found["pictures"] else []),
        ("tokens of replies", f"{found['output']:,}"),
        ("US dollars", cost),
    ]
    tell(found, [plain(rows, found["model"], "about")], json=json)
    if found["note"] and not json:
        warn(found["note"])


def check(ctx: typer.Context, words: Words = None) -> None:
    """Say what a folder or log is, and whether it may be trusted; exit code 2 if not.

    Reads all of it within limits and compares it with its manifest; nothing of it is run. Works on
    data, runs, evaluation logs and stopped builds of any benchmark. --json prints a JSON document.

    --deep computes the answers of data again, by the benchmark's own check; exit code 1 if any is
    wrong. `worldquiz check FOLDER --deep --help` prints its options.
    """
    if not words or words[0] in _HELP:
        _dispatch(ctx, "check", words)
        return
    options = words[1:]
    helped = bool(set(options) & set(_HELP))
    if "--deep" in options:
        if not helped:
            checked(_folder("check", words[0]))
        _dispatch(ctx, "check", [word for word in words if word != "--deep"])
    elif helped:
        typer.echo(ctx.get_help())
    else:
        _check(words[0], options)


def _check(folder: str, options: Sequence[str]) -> None:
    strange = [word for word in options if word != "--json"]
    if strange:
        raise KnobError(
            f"check {folder}: {strange[0]!r} is not understood; options are --json and --deep, "
            "behind which those of the benchmark's own check may stand"
        )
    try:
        with waiting("checking"):
            found = checked(_folder("check", folder))
    except RecordError as error:
        if options:
            emit({"path": folder, "trusted": False, "why": str(error)})
            raise typer.Exit(MISTAKE) from error
        raise
    tell(found.document(), [found.line()], json=bool(options))


def show(ctx: typer.Context, words: Words = None) -> None:
    """Print what a folder of data holds, or the scores of a run.

    With --follow, print how far a run is that is going on, until it ends.

    `worldquiz show FOLDER --help` prints the options for the folder's kind.
    """
    _dispatch(ctx, "show", words)


for _verb in (run, estimate, check, show):
    _verb.context_settings = _PASSED_ON  # type: ignore[attr-defined]


def _dispatch(ctx: typer.Context, verb: str, words: Sequence[str] | None) -> None:
    """Call the command of a folder's benchmark in place of the verb, or what stands in for it."""
    if not words or words[0] in _HELP:
        typer.echo(ctx.get_help())
        raise typer.Exit(0 if words else 2)
    folder = _folder(verb, words[0])
    benchmark, kind = kind_of(folder)
    command = _command(ctx, verb, benchmark, kind)
    if command is not None:
        ctx.meta[lazy.HELP] = f"worldquiz {verb} {quote(words[0])} --help"
        given = [str(folder), *words[1:]]
        with command.make_context(command.name, given, parent=ctx.parent) as inner:
            command.invoke(inner)
    elif verb == "show":
        _show(folder, kind, words[1:])
    else:
        _refuse(ctx, verb, folder)


def _folder(verb: str, word: str) -> Path:
    """Return a verb's first word as a folder. Raises `KnobError` for an option, or nothing."""
    if not word or word.startswith("-"):
        raise KnobError(f"{verb}: give the folder first: `worldquiz {verb} FOLDER ...`")
    return fetched(word)


def _command(ctx: typer.Context, verb: str, benchmark: Benchmark, kind: Kind) -> Any:
    """Return the command that carries out a verb, None if there is none.

    The benchmark's own comes first. `estimate` has one for any data with prompts; runs have none.
    """
    if isinstance(kind, RunKind):
        return None
    own = lazy.commands_of(benchmark).get_command(ctx, verb)
    if own is None and verb == "estimate" and kind.prompts is not None:
        return lazy.standalone(verb, f"{__name__}:estimate_prompts")
    return own


def _show(folder: Path, kind: Kind, options: Sequence[str]) -> None:
    """Print the scores of a run, or data whose benchmark has no command ``show``."""
    if isinstance(kind, RunKind):
        _show_run(Run(folder), options)
    elif options:
        raise KnobError(f"show {folder}: is shown as a whole: leave out {options[0]!r}")
    else:
        say(*(kind.tables(folder) if kind.tables else [repr(kind.open(folder))]))


def _show_run(run: Run, options: Sequence[str]) -> None:
    strange = [word for word in options if word not in ("--json", "--follow")]
    if strange:
        raise KnobError(
            f"show RUN: {strange[0]!r} is not understood; the options are --json and --follow"
        )
    if "--follow" in options:
        follow([run])
        return
    document = {"manifest": run.manifest, "scores": run.scores}
    tell(document, tables_of([run]), json=bool(options))


def _refuse(ctx: typer.Context, verb: str, folder: Path) -> NoReturn:
    """Raise `RecordError` for a run, `KnobError` for data whose benchmark lacks the verb."""
    benchmark, kind = kind_of_data(folder)
    offered = ", ".join(lazy.commands_of(benchmark).list_commands(ctx))
    raise KnobError(
        f"{folder}: is a {kind.noun}, and {benchmark.title} has no `{verb}`; it has: {offered}"
    )
