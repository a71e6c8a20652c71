"""Commands (verbs) that work on the folders of any benchmark.

``worldquiz run FOLDER ...`` passes all its arguments to the command ``run`` of the benchmark whose
data the folder holds; ``show`` does the same if the benchmark has that command (`cli.LazyGroup`).
The commands for finished runs replay nothing and call no model.
"""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import nullcontext
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from worldquiz.cli.options import (
    DATA,
    JOBS,
    JSON,
    RUN,
    RUN_OUT,
    RUNS,
    argument,
    command,
    option,
    out,
    pairs,
    settings,
)
from worldquiz.cli.shell import (
    MISTAKE,
    ask,
    emit,
    resumable,
    say,
    tables_of,
    tell,
    warn,
    workers,
    working,
)
from worldquiz.errors import AGAIN, KEPT, KnobError, MissingExtra, RecordError, WorldError
from worldquiz.runs.settings import RunSettings

if TYPE_CHECKING:
    from worldquiz.human.quiz import Quiz
    from worldquiz.page.findings import PageRun

FOLDER = argument("folder", "FOLDER", "Folder of data, or of a run.")


@command
@FOLDER
@RUN_OUT
@option("--answerer", help="Baseline of the benchmark that answers instead of a model.")
@settings(RunSettings)
@JSON
def run(
    folder: Path, out: Path | None, answerer: str | None, settings: RunSettings, json: bool
) -> None:
    """Run an agent, an answerer or a model on a folder of worlds, mazes or scenes.

    `worldquiz run FOLDER --help` prints the options for that folder. The options below are for a
    benchmark of your own that has no command `run`.
    """
    from worldquiz.runs.benchmark import kind_of_data

    benchmark, kind = kind_of_data(folder)
    own = benchmark.commands() if benchmark.commands else None
    if own and "run" in own.list_commands(click.get_current_context()):
        raise KnobError(f"run: put the folder before the options: `worldquiz run {folder}`")
    opened = kind.open(folder)
    if not hasattr(opened, "work"):
        raise KnobError(f"{folder}: {benchmark.title} cannot run a {kind.noun}")
    ask(opened, answerer, settings, out, json=json)


@command
@FOLDER
@JSON
def show(folder: Path, json: bool) -> None:
    """Print the contents of a folder of data, or the scores of a run.

    A Task2Quiz suite has its own options: `worldquiz show SUITE --help`.
    """
    from worldquiz.runs.benchmark import RunKind, kind_of
    from worldquiz.runs.run import Run

    _, kind = kind_of(folder)
    more = kind.tables(folder) if kind.tables else ()
    if isinstance(kind, RunKind):
        found = Run(folder)
        document = {"manifest": found.manifest, "scores": found.scores}
        tell(document, tables_of([found], more), json=json)
    elif json:
        raise KnobError(f"{folder}: --json is for runs, not for a {kind.noun}: leave out --json")
    else:
        say(*(more or [repr(kind.open(folder))]))


@command
@FOLDER
@JSON
def check(folder: Path, json: bool) -> None:
    """Check what a folder is, and whether it may be trusted; exit code 2 if not.

    Reads the whole folder within limits and compares it with its manifest; no code in it is run.
    Works on data, runs and stopped builds of any benchmark.

    A benchmark's own command `check` computes the answers to its questions again.
    """
    from worldquiz.runs.check import checked

    try:
        document, line = checked(folder)
    except RecordError as error:
        if not json:
            raise
        emit({"path": str(folder), "trusted": False, "why": str(error)})
        raise click.exceptions.Exit(MISTAKE) from error
    tell(document, [line], json=json)


@command
@argument("shards", "SHARD", "Folders of all shards of a run or build.", nargs=-1, required=True)
@out("Folder of the joined run or build.")
@JSON
def merge(shards: Sequence[Path], out: Path, json: bool) -> None:
    """Join the shards of a run or build that `--shard` made.

    The result is byte for byte what one command without `--shard` would have written. Missing,
    repeated or unfinished shards, and shards of different commands, cause an error that names them.
    """
    from worldquiz.runs.shard import merge as joined

    kind = joined(shards, out)
    told = f"{kind.noun}: {out}: {len(shards)} shards are joined"
    tell({"folder": str(out), "kind": kind.kind, "shards": len(shards)}, [told], json=json)


@command
@RUNS
@option(
    "--regrade",
    is_flag=True,
    help="First grade all replies again with the current reader, and rewrite rows.jsonl.",
)
@DATA
@JSON
def score(runs: Sequence[Path], regrade: bool, data: Path | None, json: bool) -> None:
    """Score runs again from their records, and rewrite their scores.json.

    With --json, print the contents of scores.json; for several runs, keyed by folder.
    """
    from worldquiz.runs.run import Run

    found = [Run(path) for path in runs]
    if data and not regrade:
        raise KnobError("--data needs --regrade: scores are computed without the data")
    scored = {}
    with working("scoring", len(found), "finished scores are kept") as done:
        for run in found:
            scored[run.path] = run.regrade(data) if regrade else run.score()
            done(run.name)
    documents = {str(run.path): scored[run.path] for run in found}
    document = documents if len(found) > 1 else scored[found[0].path]
    tell(document, tables_of(found), json=json)


@command
@RUNS
@out("The page to write.", default=Path("report.html"))
@DATA
@JSON
def report(runs: Sequence[Path], out: Path, data: Path | None, json: bool) -> None:
    """Write one self-contained page about runs: findings, plot, table, questions and drawings."""
    from worldquiz.runs.run import report as write

    write(runs, out, data=data)
    tell({"report": str(out)}, [f"report: {out}"], json=json)


@command
@RUNS
@out("The Parquet file to write.", default=Path("questions.parquet"))
@JSON
def export(runs: Sequence[Path], out: Path, json: bool) -> None:
    """Write all questions of any runs, with answers and grades, as one Parquet table."""
    from worldquiz.export.rows import write
    from worldquiz.runs.run import Run

    found = [Run(path) for path in runs]
    rows = write((row for run in found for row in run.each_row()), out)
    tell({"parquet": str(out), "rows": rows}, [f"{rows} rows in {out}"], json=json)


@command
@argument("left", "RUN", "Folder of a run.")
@argument("right", "OTHER", "Folder of the run beside it.")
@JSON
def compare(left: Path, right: Path, json: bool) -> None:
    """Compare two runs on the questions that both were asked.

    The difference is the first run's knowledge minus the other's, paired by question; its 95 %
    interval and p-value treat worlds as units. The mean grade is compared in the same way.
    """
    from worldquiz.page.terminal import differences
    from worldquiz.runs.losses import lines
    from worldquiz.runs.run import Run, called
    from worldquiz.runs.run import compare as compared

    found = compared(left, right)
    names = called(map(Run, (left, right)))
    lost = [
        f"{names[path]}: {line}"
        for path, side in ((left, "left"), (right, "right"))
        for line in lines({"failed": found.get("failed", {}).get(side)})
    ]
    tell(found, [*differences(found, names[left], names[right]), *lost], json=json)


@command
@out("Folder to write into.", default=Path("worldquiz-demo"))
@JOBS
@JSON
def demo(out: Path, jobs: int | None, json: bool) -> None:
    """Run each benchmark on small data with its baselines, and write a report on each.

    It needs no network and no model, and takes about half a minute. A benchmark is left out if a
    library that it needs is not installed.
    """
    from worldquiz.page import html
    from worldquiz.page.tables import EXPLAINED
    from worldquiz.page.terminal import MORE_EXPLAINED, prose
    from worldquiz.page.terminal import scores as scores_of
    from worldquiz.runs.benchmark import benchmarks
    from worldquiz.runs.run import page_runs
    from worldquiz.runs.run import report as write

    html.require()
    document: dict[str, Any] = {}
    lacking: list[Exception] = []
    said, pages = list[str](), list[str]()
    shown: list[PageRun] = []
    for each in benchmarks().values():
        if each.demo is None:
            continue
        home = out / each.name
        try:
            with resumable(KEPT):
                lines = list(each.demo(home, workers(jobs)))
            some = list({run.path: run for _, about in lines for run in about}.values())
            page = str(write(some, home / "report.html"))
        except (MissingExtra, WorldError) as error:
            lacking.append(error)
            document[each.name] = {"left_out": str(error)}
            said.append(f"{each.title} is left out: {error}")
            continue
        scores = {str(run.path.relative_to(home)): run.scores for run in some}
        document[each.name] = {"report": page, "runs": scores}
        said += [f"{each.title}: {line}" for line, _ in lines]
        shown += [replace(told, name=f"{each.name} {told.name}") for told in page_runs(some)]
        pages.append(f"report: {page}")
    if lacking and len(lacking) == len(document):
        raise lacking[0]
    legend = (EXPLAINED["knowledge"], MORE_EXPLAINED)
    tell(document, [*map(prose, said), scores_of(shown), *map(prose, legend), *pages], json=json)


NAME = option("--name", default="human", help="Name of the person; tables say human (NAME).")
PORT = option(
    "--port", type=click.IntRange(0, 65535), default=0,
    help="Port of the page; 0 takes a free port.",
)  # fmt: skip
BROWSER = option("--browser/--no-browser", default=True, help="Open the page in the browser.")


@command
@RUN
@NAME
@out("Folder of the person's run. Default: RUN-NAME.", required=False)
@DATA
@PORT
@BROWSER
@JSON
def human(
    run: Path, name: str, out: Path | None, data: Path | None, port: int, browser: bool, json: bool
) -> None:
    """Answer the quiz of a run yourself, in the browser; stop and continue at any time."""
    from worldquiz.human.quiz import folder_of, named, quiz_of

    person = named(name)
    quiz = quiz_of(run, person, data)
    sit(quiz, out or folder_of(run, person), port, browser=browser, json=json)


def sit(quiz: Quiz, target: Path, port: int, *, browser: bool, json: bool) -> None:
    """Serve a quiz until it is handed in, and print the result."""
    import webbrowser

    from worldquiz.human.quiz import Sitting
    from worldquiz.human.server import bound, serve
    from worldquiz.runs.folder import claimed
    from worldquiz.runs.run import Run

    def announce(address: str) -> None:
        warn(
            f"Open {address}",
            "Only this machine can open the page. It ends when you hand in. Ctrl-C stops it; the "
            "same command continues.",
        )
        if browser:
            webbrowser.open(address)

    with bound(port) as here, claimed(target), resumable(f"answers are kept: {AGAIN}"):
        sitting = Sitting(quiz, target)
        if sitting.complete:
            sitting.finish()
        else:
            serve(sitting, here, announce)
    found: dict[str, Any] = sitting.summary or {}
    shown = [
        *tables_of([Run(target)]),
        f"{found['answers']} answers in {found['seconds'] / 60:.1f} minutes; {found['passed']} "
        f"times “{quiz.passing}”; {found['changed']} changed.",
    ]
    tell(found, [*shown, f"run: {target}"], json=json)


@command
@argument("folder", "FOLDER", "Folder of worlds, mazes or scenes.")
@option("--agent-name", required=True, help="Name of the agent in tables and records.")
@out("Folder of the run.")
@option(
    "--http",
    type=click.IntRange(0, 65535),
    metavar="PORT",
    help="Serve many agents over HTTP at this port of this machine; 0 takes a free port. Without "
    "--http, one agent is served over stdin and stdout.",
)
@option(
    "--token",
    envvar="WORLDQUIZ_TOKEN",
    show_envvar=True,
    help="Secret part of the address; random by default.",
)
@option(
    "--set",
    "settings",
    metavar="NAME=VALUE",
    multiple=True,
    help="max_steps, budget, wording or distractors in Task2Quiz; steps, per_maze or seed in "
    "MANGO; tasks, walks or seed in TEA. Repeat the option for several.",
)
@JSON
def serve(
    folder: Path,
    agent_name: str,
    out: Path,
    http: int | None,
    token: str | None,
    settings: Sequence[str],
    json: bool,
) -> None:
    """Serve worlds, mazes or scenes as tools, over the Model Context Protocol.

    An agent explores through tools, then answers the quiz through them. The run ends when
    everything is finished, or when the client or ctrl-C ends it; the same command continues where
    each agent stopped.
    """
    from worldquiz.plugins import need
    from worldquiz.runs.benchmark import kind_of_data
    from worldquiz.runs.folder import claimed, placed
    from worldquiz.runs.life import live
    from worldquiz.runs.run import Run
    from worldquiz.serve import mcp_server
    from worldquiz.serve.seats import Serving

    benchmark, kind = kind_of_data(folder)
    opened = kind.open(folder)
    if not hasattr(opened, "served"):
        raise KnobError(f"{folder}: {benchmark.title} cannot serve a {kind.noun} to agents")
    if json and http is None:
        raise KnobError("--json needs --http: without it, stdout goes to the agent")
    need("mcp", extra="agents")
    out = placed(out, folder)
    with claimed(out) if out.is_dir() else nullcontext():  # refuses a second server at once
        served = opened.served(agent_name, pairs(settings, "--set", "seed=1"))
    doors = (
        mcp_server.stdio(served) if http is None else mcp_server.http(served, http, token, _greet)
    )
    with doors as door:
        scores = live(Serving(served, door.serve), out)
    if http is None:
        warn(f"run finished: {out}; `worldquiz show {out}` prints the scores")
    else:
        tell(scores, tables_of([Run(out)]), json=json)


def _greet(address: str) -> None:
    """Print the address for agents, and how an agent that comes back can continue."""
    warn(
        f"Serving at {address}/SEAT",
        "Replace SEAT with a different name for each agent; an agent that comes back under its "
        "name continues where it stopped. Ctrl-C ends the run.",
    )
