"""Verbs that work on the folders of any benchmark.

``worldquiz run FOLDER ...`` reads the kind that the folder states, and calls the command ``run`` of
the benchmark of that kind with all that was given; so do ``show`` and ``check --deep``. The verbs
for finished runs replay nothing, and call no model.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import partial
from pathlib import Path
from shlex import quote
from typing import Any

import click

from worldquiz.cli import HELP, PlainCommand
from worldquiz.cli.options import (
    JOBS,
    JSON,
    ON,
    PATH,
    RUNS,
    Function,
    argument,
    command,
    option,
    out,
)
from worldquiz.cli.shell import (
    MISTAKE,
    emit,
    one_thread,
    resumable,
    say,
    tables_of,
    tell,
    waiting,
    workers,
    working,
)
from worldquiz.errors import AGAIN, KnobError, MissingExtra, RecordError, did_you_mean

_HELP = {"-h", "--help"}


@command
@argument("folder", "FOLDER", "Folder of a stopped build.")
@JSON
def build(folder: Path, json: bool) -> None:
    """Finish a build that was stopped, from the plan that it wrote first.

    To build something new, use the benchmark's own command: see `worldquiz --help`.
    """
    from worldquiz.runs.benchmark import planned

    _, kind = planned(folder)
    if kind.build is not None:
        with resumable(f"what is built is kept: {AGAIN}"), waiting("building"):
            kind.build(folder)
    told = f"{kind.noun}: {folder}: the build is finished"
    tell({"folder": str(folder), "kind": kind.kind}, [told], json=json)


def _handing_on(function: Function) -> PlainCommand:
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
    """Print what a folder of data holds, the scores of a run, or how far an unfinished run is.

    A suite of Task2Quiz has options of its own: `worldquiz show SUITE --help`.
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
    _refuse_beyond(f"check {folder}", options, "--json and --deep")
    try:
        with waiting("checking"):
            document, line = checked(folder)
    except RecordError as error:
        if not options:
            raise
        emit({"path": str(folder), "trusted": False, "why": str(error)})
        raise click.exceptions.Exit(MISTAKE) from error
    tell(document, [line], json=bool(options))


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
        ctx.meta[HELP] = f"worldquiz {verb} {quote(words[0])} --help"
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
    """Print a run, or data whose benchmark has no command ``show``."""
    from worldquiz.runs.benchmark import RunKind
    from worldquiz.runs.folder import SCORES, check_whole
    from worldquiz.runs.rows import progress_of
    from worldquiz.runs.run import Run

    if not isinstance(kind, RunKind):
        if options:
            raise KnobError(f"show {folder}: is shown as a whole: leave out {options[0]!r}")
        say(*(kind.tables(folder) if kind.tables else [repr(kind.open(folder))]))
        return
    _refuse_beyond("show RUN", options, "--json")
    run = Run(folder)
    if options:
        emit({"manifest": run.manifest, "scores": run.scores})
    elif (folder / SCORES).is_file():
        say(*tables_of([run]))
    else:
        check_whole(folder)
        say(f"{run.name}: {progress_of(folder)}")


def _refuse_beyond(what: str, options: Sequence[str], known: str) -> None:
    strange = [word for word in options if word != "--json"]
    if strange:
        raise KnobError(f"{what}: {strange[0]!r} is not understood; options are {known}")


@command
@argument("shards", "SHARD", "Folders of all shards of a run or build.", nargs=-1, required=True)
@out("Folder of the whole.")
@JSON
def merge(shards: Sequence[Path], out: Path, json: bool) -> None:
    """Join the shards of a run or build, which `--shard` made, to the whole.

    The whole has the bytes that one command without `--shard` would have written. Shards of
    different wholes, missing ones, doubled ones and unfinished ones are refused by name.
    """
    from worldquiz.runs.shard import merge as joined

    with waiting("merging"):
        kind = joined(shards, out)
    told = f"{kind.noun}: {out}: {len(shards)} shards are joined"
    tell({"folder": str(out), "kind": kind.kind, "shards": len(shards)}, [told], json=json)


@command
@RUNS
@option(
    "--checkpoints",
    metavar="RULE",
    help="Score by another rule of what is answerable, and write nothing: paper, for Task2Quiz, "
    "where it is enough to have reached the places that a question is about.",
)
@JOBS
@ON
@JSON
def score(
    runs: Sequence[Path], checkpoints: str | None, jobs: int | None, on: str | None, json: bool
) -> None:
    """Score runs again from their records, and write their scores.json anew.

    With --json, print what scores.json holds; for several runs, that of each by its folder.

    Processes, or the machines of a cluster, share many runs. Few runs are scored by one process.
    """
    from worldquiz.runs.run import Run, score_all, spread

    one_thread()
    found = [Run(path) for path in runs]
    for run in found if checkpoints else ():
        if checkpoints not in run.kind.checkpoints:
            close = did_you_mean(str(checkpoints), run.kind.checkpoints)
            noun = run.kind.noun
            raise KnobError(f"{run.path}: a {noun} has no checkpoints {checkpoints!r}{close}")
    with working("scoring", len(found), "scores of finished runs are kept", on) as done:
        at_once = workers(jobs)
        if checkpoints is None:
            scored = score_all(found, jobs=at_once, done=done)
        else:
            scored = dict(spread(partial(_by_rule, checkpoints), [*runs], at_once))
    documents = {str(run.path): scored[run.path] for run in found}
    if checkpoints is None:
        shown: Iterable[Any] = tables_of(found)
    else:
        rules = [(run.path, run.kind.checkpoints[checkpoints]) for run in found]
        shown = (table for path, rule in rules for table in rule.tables(scored[path]))
    tell(documents if len(found) > 1 else scored[found[0].path], shown, json=json)


def _by_rule(name: str, path: Path) -> dict[str, Any]:
    from worldquiz.runs.run import Run

    return {"checkpoints": name, **Run(path).kind.checkpoints[name].score(path)}


@command
@RUNS
@out("The page to write.", default=Path("report.html"))
@option(
    "--data",
    metavar="FOLDER",
    type=PATH,
    help="Folder of the data that the runs are about, if it was moved.",
)
@JSON
def report(runs: Sequence[Path], out: Path, data: Path | None, json: bool) -> None:
    """Write one self-contained page about runs: findings, plot, table, questions, drawings."""
    from worldquiz.runs.run import report as write

    one_thread()
    with waiting("writing the report"):
        write(runs, out, data=data)
    tell({"report": str(out)}, [f"report: {out}"], json=json)


@command
@RUNS
@out("The Parquet file to write.", default=Path("questions.parquet"))
@JSON
def export(runs: Sequence[Path], out: Path, json: bool) -> None:
    """Write every question of runs of any kind, with answer and grade, as one Parquet table."""
    from worldquiz.export.rows import write
    from worldquiz.runs.run import Run

    with waiting("exporting"):
        found = [Run(path) for path in runs]
        rows = write((row for run in found for row in run.each_row()), out)
    tell({"parquet": str(out), "rows": rows}, [f"{rows} rows in {out}"], json=json)


@command
@argument("left", "RUN", "Folder of a run.")
@argument("right", "OTHER", "Folder of the run beside it.")
@JSON
def compare(left: Path, right: Path, json: bool) -> None:
    """Compare two runs on the questions that both were asked.

    The difference is the first run's mean score minus the other's, paired by question; its 95 %
    interval and p-value are drawn by world. Task2Quiz's knowledge score is compared first.
    """
    from worldquiz.page.terminal import differences
    from worldquiz.runs.losses import lines
    from worldquiz.runs.run import compare as compared

    one_thread()
    with waiting("comparing"):
        found = compared(left, right)
    lost = [
        f"{path.name}: {line}"
        for path, side in ((left, "left"), (right, "right"))
        for line in lines({"failed": found.get("failed", {}).get(side)})
    ]
    tell(found, [*differences(found, left.name, right.name), *lost], json=json)


@command
@out("Folder to write into.", default=Path("worldquiz-demo"))
@JOBS
@JSON
def demo(out: Path, jobs: int | None, json: bool) -> None:
    """Run each benchmark on small data with its baselines, and write a report of each.

    No network and no model is needed. It takes about two minutes on two cores. A benchmark that
    cannot run because a library is not installed is left out.
    """
    from worldquiz.runs.benchmark import benchmarks

    document: dict[str, Any] = {}
    lacking: list[MissingExtra] = []
    for each in benchmarks().values():
        try:
            for told in each.demo(out, workers(jobs)) if each.demo else ():
                if isinstance(told, dict):
                    document |= told
                elif not json:
                    say(told)
        except MissingExtra as error:
            lacking.append(error)
            document[each.name] = {"left_out": str(error)}
            if not json:
                say(f"{each.title} is left out: {error}")
    if lacking and len(lacking) == len(document):
        raise lacking[0]
    if json:
        emit(document)
