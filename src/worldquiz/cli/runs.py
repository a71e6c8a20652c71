"""Verbs for finished runs of any benchmark. Nothing is replayed, and no model is called."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Annotated, Any

import typer

from worldquiz.cli.follow import follow
from worldquiz.cli.shell import (
    Jobs,
    Json,
    On,
    RunFolders,
    one_thread,
    tell,
    waiting,
    workers,
    working,
)
from worldquiz.cli.tables import titled
from worldquiz.errors import KnobError, did_you_mean
from worldquiz.report.labels import decimal
from worldquiz.runs.losses import lines
from worldquiz.runs.progress import so_far
from worldquiz.runs.rescore import each_run, score_all
from worldquiz.runs.run import Run

QUICK = 200
"""Resamples of an interval in a terminal's table; pages and ``scores.json`` draw more."""


def score(
    runs: RunFolders,
    checkpoints: Annotated[
        str | None,
        typer.Option(
            metavar="RULE",
            help="Score by another rule of what is answerable, and write nothing: paper, for "
            "Task2Quiz, where it is enough to have reached the places that a question is about.",
        ),
    ] = None,
    jobs: Jobs = None,
    on: On = None,
    json: Json = False,
) -> None:
    """Score runs again from their records, and write their scores.json anew.

    With --json, print what scores.json holds; for several runs, that of each by its folder.

    Processes, or the machines of a cluster, share the runs; few runs of Task2Quiz they share world
    by world. Small runs are scored by one process.
    """
    one_thread()
    found = [Run(path) for path in runs]
    with working("scoring", len(found), "scores of finished runs are kept", on) as done:
        at_once = workers(jobs)
        if checkpoints is None:
            scored = score_all(found, jobs=at_once, done=done)
        else:
            rule = _rule(checkpoints, found)
            scored = each_run(rule, [run.path for run in found], jobs=at_once)
    if checkpoints is not None:
        _tell_by_rule(checkpoints, found, scored, json=json)
        return
    documents = {str(run.path): scored[run.path] for run in found}
    document = documents if len(found) > 1 else next(iter(documents.values()))
    tell(document, tables_of(found, documents), json=json)


def _rule(name: str, runs: Sequence[Run]) -> Callable[[Path], dict[str, Any]]:
    """Return how runs are scored by another rule of what is answerable. Raises `KnobError`."""
    for run in runs:
        if name not in run.kind.checkpoints:
            close = did_you_mean(name, run.kind.checkpoints)
            raise KnobError(f"{run.path}: a {run.kind.noun} has no checkpoints {name!r}{close}")
    return partial(_by_rule, name)


def _by_rule(name: str, path: Path) -> dict[str, Any]:
    return {"checkpoints": name, **Run(path).kind.checkpoints[name].score(path)}


def _tell_by_rule(
    name: str, runs: Sequence[Run], scored: Mapping[Path, dict[str, Any]], *, json: bool
) -> None:
    """Print scores by another rule of what is answerable."""
    tables = [
        table for run in runs for table in run.kind.checkpoints[name].tables(scored[run.path])
    ]
    documents = {str(path): document for path, document in scored.items()}
    tell(documents if len(runs) > 1 else documents[str(runs[0].path)], tables, json=json)


def merge(
    shards: Annotated[
        list[Path], typer.Argument(metavar="SHARD", help="Folders of all shards of a run or build.")
    ],
    out_folder: Annotated[Path, typer.Option("--out", help="Folder of the whole.")],
    json: Json = False,
) -> None:
    """Join the shards of a run or build, which `--shard` made, to the whole.

    The whole has the bytes that one command without `--shard` would have written. Shards of
    different wholes, missing ones, doubled ones and unfinished ones are refused by name.
    """
    from worldquiz.runs.merge import merge as joined

    with waiting("merging"):
        kind = joined(shards, out_folder)
    told = f"{kind.noun}: {out_folder}: {len(shards)} shards are joined"
    tell({"folder": str(out_folder), "kind": kind.kind, "shards": len(shards)}, [told], json=json)


def report(
    runs: RunFolders,
    target: Annotated[Path, typer.Option("--out", help="The page to write.")] = Path("report.html"),
    data: Annotated[
        Path | None,
        typer.Option(
            metavar="FOLDER", help="Folder of the data that the runs are about, if it was moved."
        ),
    ] = None,
    go_on: Annotated[
        bool,
        typer.Option(
            "--follow",
            help="Write the page again whenever more is finished (worlds of Task2Quiz, answers of "
            "MANGO and TEA), while the runs go on; an open page reads itself again.",
        ),
    ] = False,
    json: Json = False,
) -> None:
    """Write one self-contained page about runs: findings, plot, table, questions, drawings."""
    from worldquiz import api

    one_thread()

    def write() -> None:
        with waiting("writing the report"):
            api.write_report([Run(path) for path in runs], target, data=data)

    def write_so_far() -> None:
        with so_far():
            write()

    if go_on:
        follow([Run(path) for path in runs], write_so_far)
    write()
    tell({"report": str(target)}, [f"report: {target}"], json=json)


def export(
    runs: RunFolders,
    target: Annotated[Path, typer.Option("--out", help="The Parquet file to write.")] = Path(
        "questions.parquet"
    ),
    json: Json = False,
) -> None:
    """Write every question of runs of any kind, with answer and grade, as one Parquet table.

    Croissant metadata, which say what its columns hold, are written beside it.
    """
    from worldquiz.export.rows import beside, write

    with waiting("exporting"):
        found = [Run(path) for path in runs]
        rows = write((row for run in found for row in run.each_row()), target)
    document = {"parquet": str(target), "croissant": str(beside(target)), "rows": rows}
    told = f"{rows} rows in {target}, Croissant metadata in {beside(target)}"
    tell(document, [told], json=json)


def compare(
    left: Annotated[Path, typer.Argument(metavar="RUN", help="Folder of a run.")],
    right: Annotated[Path, typer.Argument(metavar="OTHER", help="Folder of the run beside it.")],
    json: Json = False,
) -> None:
    """Compare two runs on the questions that both were asked.

    The difference is the first run's mean score minus the other's, paired by question; its 95 %
    interval and p-value are drawn by world. Task2Quiz's knowledge score is compared first.
    """
    from worldquiz import api

    one_thread()
    with waiting("comparing"):
        found = api.compare(left, right)
    names = (left.name, right.name)
    shown = [_differences("Knowledge", found["knowledge"], *names)] if "knowledge" in found else []
    lost = [
        f"{name}: {line}"
        for name, side in zip(names, ("left", "right"), strict=True)
        for line in lines({"failed": found.get("failed", {}).get(side)})
    ]
    told = [*shown, _differences("Mean score", found, *names), *_notes(found), *lost]
    tell(found, told, json=json)


def tables_of(runs: Sequence[Run], scored: Mapping[str, Any] | None = None) -> Iterator[Any]:
    """Yield tables of runs side by side, those of each kind in the tables of that kind.

    `scored` holds the scores of all of them by their paths, where they have just been computed.
    """
    kinds: dict[str, list[Run]] = {}
    for run in runs:
        kinds.setdefault(run.kind.kind, []).append(run)
    for some in kinds.values():
        kind, paths = some[0].kind, [run.path for run in some]
        if kind.score_tables and scored:
            yield from kind.score_tables([(path, scored[str(path)]) for path in paths])
        else:
            yield from kind.tables(paths) if kind.tables else [_means(some)]
        for run in some:
            said = run.losses
            yield from (f"{run.name}: {line}" for line in said) if len(runs) > 1 else said


def _means(runs: Sequence[Run]) -> Any:
    """Return the mean score of each run, in all and by type of question."""
    from worldquiz.stats.row_scores import scores

    found = [scores(run.each_row(), resamples=QUICK) for run in runs]
    types = sorted({name for each in found for name in each["by_type"]})
    return _by_type(
        "Mean score with its 95 % interval, and the number of questions",
        [run.name for run in runs],
        {name: [_mean_cell(each["by_type"].get(name)) for each in found] for name in types},
        map(_mean_cell, found),
    )


def _mean_cell(cell: Mapping[str, Any] | None) -> str:
    """Return a mean score, with its interval and number of questions."""
    if cell is None or "score" not in cell:
        return ""
    asked = cell["counts"]["scored"]
    return f"{decimal(cell['score'])}{_interval(cell['ci']['score'])} ({asked:,})"


def _differences(what: str, found: dict[str, Any], left: str, right: str) -> Any:
    return _by_type(
        f"{what}: {left} minus {right}, with 95 % intervals",
        (left, right, "difference", "p", "questions", "worlds"),
        {name: _compared(cell) for name, cell in found["by_type"].items()},
        _compared(found),
    )


def _notes(found: Mapping[str, Any]) -> list[str]:
    """Say why intervals and p-values are missing, and of which types of question."""
    if found["note"]:
        return [found["note"]]
    types: dict[str, list[str]] = {}
    for name, cell in found["by_type"].items():
        types.setdefault(cell["note"] or "", []).append(name)
    return [f"{', '.join(names)}: {note}" for note, names in types.items() if note]


def _by_type(
    title: str, headings: Iterable[str], types: Mapping[str, Iterable[str]], every: Iterable[str]
) -> Any:
    """Return a table with a row for each type of question, and one for all questions."""
    table = titled(title)
    table.add_column("type")
    for heading in headings:
        table.add_column(heading, justify="right")
    for name, cells in types.items():
        table.add_row(name, *cells)
    table.add_section()
    table.add_row("all", *every)
    return table


def _compared(cell: dict[str, Any]) -> list[str]:
    difference = decimal(cell["difference"], sign="+")
    return [
        decimal(cell["left"]), decimal(cell["right"]), f"{difference}{_interval(cell['ci'])}",
        decimal(cell["p"], 3), f"{cell['questions']:,}", f"{cell['worlds']:,}",
    ]  # fmt: skip


def _interval(bounds: Sequence[float] | None) -> str:
    return r" \[{:.2f}, {:.2f}]".format(*bounds) if bounds else ""
