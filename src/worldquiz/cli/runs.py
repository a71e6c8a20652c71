"""Verbs for finished runs of any benchmark. Nothing is replayed, and no model is called."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any

from worldquiz.cli.options import JOBS, JSON, ON, PATH, RUNS, argument, command, option, out
from worldquiz.cli.shell import one_thread, resumable, tell, waiting, warn, workers, working


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

    Processes, or the machines of a cluster, share the runs; few runs of Task2Quiz they share world
    by world. Small runs are scored by one process.
    """
    from worldquiz.runs.rescore import each_run, score_all
    from worldquiz.runs.run import Run

    one_thread()
    found = [Run(path) for path in runs]
    with working("scoring", len(found), "scores of finished runs are kept", on) as done:
        at_once = workers(jobs)
        if checkpoints is None:
            scored = score_all(found, jobs=at_once, done=done)
        else:
            _check_rule(checkpoints, found)
            scored = each_run(partial(_by_rule, checkpoints), [*runs], jobs=at_once)
    if checkpoints is None:
        shown: Iterable[Any] = tables_of(found, {str(run.path): scored[run.path] for run in found})
    else:
        rules = [(run.path, run.kind.checkpoints[checkpoints]) for run in found]
        shown = (table for path, rule in rules for table in rule.tables(scored[path]))
    documents = {str(run.path): scored[run.path] for run in found}
    tell(documents if len(found) > 1 else scored[found[0].path], shown, json=json)


def _check_rule(name: str, runs: Iterable[Any]) -> None:
    """Raise `KnobError` where a run cannot be scored by a rule of what is answerable."""
    from worldquiz.errors import KnobError, did_you_mean

    for run in runs:
        if name not in run.kind.checkpoints:
            close = did_you_mean(name, run.kind.checkpoints)
            raise KnobError(f"{run.path}: a {run.kind.noun} has no checkpoints {name!r}{close}")


def _by_rule(name: str, path: Path) -> dict[str, Any]:
    from worldquiz.runs.run import Run

    return {"checkpoints": name, **Run(path).kind.checkpoints[name].score(path)}


@command
@argument("shards", "SHARD", "Folders of all shards of a run or build.", nargs=-1, required=True)
@out("Folder of the whole.")
@JSON
def merge(shards: Sequence[Path], out: Path, json: bool) -> None:
    """Join the shards of a run or build, which `--shard` made, to the whole.

    The whole has the bytes that one command without `--shard` would have written. Shards of
    different wholes, missing ones, doubled ones and unfinished ones are refused by name.
    """
    from worldquiz.runs.merge import merge as joined

    with waiting("merging"):
        kind = joined(shards, out)
    told = f"{kind.noun}: {out}: {len(shards)} shards are joined"
    tell({"folder": str(out), "kind": kind.kind, "shards": len(shards)}, [told], json=json)


@command
@RUNS
@out("The page to write.", default=Path("report.html"))
@option(
    "--data",
    metavar="FOLDER",
    type=PATH,
    help="Folder of the data that the runs are about, if it was moved.",
)
@option(
    "--follow",
    "go_on",
    is_flag=True,
    help="Write the page again whenever more is finished (worlds of Task2Quiz, answers of MANGO "
    "and TEA), while the runs go on; an open page reads itself again.",
)
@JSON
def report(runs: Sequence[Path], out: Path, data: Path | None, go_on: bool, json: bool) -> None:
    """Write one self-contained page about runs: findings, plot, table, questions, drawings."""
    from worldquiz import api
    from worldquiz.runs.progress import so_far
    from worldquiz.runs.run import Run

    one_thread()

    def write() -> None:
        with waiting("writing the report"):
            api.write_report([Run(path) for path in runs], out, data=data)

    def write_so_far() -> None:
        with so_far():
            write()

    if go_on:
        follow([Run(path) for path in runs], write_so_far)
    write()
    tell({"report": str(out)}, [f"report: {out}"], json=json)


@command
@RUNS
@out("The Parquet file to write.", default=Path("questions.parquet"))
@JSON
def export(runs: Sequence[Path], out: Path, json: bool) -> None:
    """Write every question of runs of any kind, with answer and grade, as one Parquet table.

    Croissant metadata, which say what its columns hold, are written beside it.
    """
    from worldquiz.export.rows import beside, write
    from worldquiz.runs.run import Run

    with waiting("exporting"):
        found = [Run(path) for path in runs]
        rows = write((row for run in found for row in run.each_row()), out)
    document = {"parquet": str(out), "croissant": str(beside(out)), "rows": rows}
    tell(document, [f"{rows} rows in {out}, Croissant metadata in {beside(out)}"], json=json)


@command
@argument("left", "RUN", "Folder of a run.")
@argument("right", "OTHER", "Folder of the run beside it.")
@JSON
def compare(left: Path, right: Path, json: bool) -> None:
    """Compare two runs on the questions that both were asked.

    The difference is the first run's mean score minus the other's, paired by question; its 95 %
    interval and p-value are drawn by world. Task2Quiz's knowledge score is compared first.
    """
    from worldquiz import api
    from worldquiz.report.terminal import differences
    from worldquiz.runs.losses import lines

    one_thread()
    with waiting("comparing"):
        found = api.compare(left, right)
    lost = [
        f"{path.name}: {line}"
        for path, side in ((left, "left"), (right, "right"))
        for line in lines({"failed": found.get("failed", {}).get(side)})
    ]
    tell(found, [*differences(found, left.name, right.name), *lost], json=json)


def tell_run(run: Any, shard: str | None, *, json: bool) -> None:
    """Print a finished run's scores, or the part of a whole that it is.

    Raises `WorldError` after them where every question failed.
    """
    if shard is not None:
        tell_shard(run.path, json=json)
        return
    from worldquiz.errors import WorldError

    tell(run.scores, tables_of([run]), json=json)
    failed = run.scores.get("failed")
    if failed and failed["questions"] == failed["of"]:
        reason = next(iter(failed["reasons"]))
        raise WorldError(f"{run.path}: every question failed: {reason}; --retry-failed tries again")


def tell_shard(folder: Path, *, json: bool) -> None:
    """Print which part of a whole a folder holds now."""
    from worldquiz.runs.shard import summary

    found = summary(folder)
    lines = [
        f"shard {found['shard']}: {found['units']} of {found['of']} {found['noun']} in {folder}; "
        "`worldquiz merge` joins the shards"
    ]
    if failed := found["failed"]:
        name, reason = next(iter(failed.items()))
        lines.append(f"Failed: {len(failed)} ({name}: {reason}); --retry-failed tries again")
    tell(found, lines, json=json)


def tables_of(runs: Sequence[Any], scored: Mapping[str, Any] | None = None) -> Iterator[Any]:
    """Yield tables of runs side by side, those of each kind in the tables of that kind.

    `scored` holds the scores of all of them by their paths, where they have just been computed.
    """
    from worldquiz.report.terminal import means

    kinds: dict[str, list[Any]] = {}
    for run in runs:
        kinds.setdefault(run.kind.kind, []).append(run)
    for some in kinds.values():
        kind, paths = some[0].kind, [run.path for run in some]
        if kind.score_tables and scored:
            yield from kind.score_tables([(path, scored[str(path)]) for path in paths])
        elif kind.tables:
            yield from kind.tables(paths)
        else:
            yield means({run.name: run.each_row() for run in some})
        for run in some:
            said = run.losses
            yield from (f"{run.name}: {line}" for line in said) if len(runs) > 1 else said


def follow(runs: Sequence[Any], grown: Callable[[], None] | None = None) -> None:
    """Print how far runs are whenever that changes, until nobody is at work on any of them.

    `grown` is called when all that are not finished can be read as far as they are, and again
    whenever more of them is done; it may take half of the time.
    """
    from worldquiz.runs.progress import EVERY, progress_of

    told, done = "", None
    with resumable(f"the run{'s go' if len(runs) > 1 else ' goes'} on without being followed"):
        while True:
            found = {run: progress_of(run.path) for run in runs}
            several = len(runs) > 1
            words = "\n".join(
                f"{run.name}: {each.words()}" if several else each.words()
                for run, each in found.items()
            )
            if words != told:
                warn(words)
                told = words
            if not any(each.working for each in found.values()):
                return
            so_far = [(each.worlds, each.replies) for each in found.values()]
            began = time.monotonic()
            readable = all(
                each.finished or run.kind.so_far(run.path) for run, each in found.items()
            )
            if grown and so_far != done and readable:
                grown()
                done = so_far
            time.sleep(max(EVERY, time.monotonic() - began))
