"""``worldquiz tea check``, ``mir`` and ``sheet``: are tasks true, various, and fit to be asked?"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Annotated, Any

import typer

from worldquiz.cli.shell import (
    FAULTY,
    Jobs,
    Json,
    On,
    first_faults,
    tell,
    workers,
    working,
)
from worldquiz.cli.tables import plain
from worldquiz.report.html import many
from worldquiz.tea import measure, oracle
from worldquiz.tea import sheet as sheets
from worldquiz.tea.cli.options import Data, Seed, Threshold
from worldquiz.tea.data import folders


def check(
    data: Data,
    sample: Annotated[int, typer.Option(min=0, help="Number of tasks to check; 0 for all.")] = 2000,
    every: Annotated[bool, typer.Option("--all", help="Check every task.")] = False,
    seed: Seed = 0,
    jobs: Jobs = None,
    on: On = None,
    json: Json = False,
) -> None:
    """Compute the answers again by an independent method; exit code 1 if any differs."""
    sample = 0 if every else sample
    with working("checking", len(folders(data)), on=on) as done:
        found = oracle.check(data, sample=sample, seed=seed, jobs=workers(jobs), done=done)
    tell(found, _verdicts(found), json=json)
    if found["agree"] < found["checked"]:
        raise typer.Exit(FAULTY)


def _verdicts(found: dict[str, Any]) -> Iterator[Any]:
    rows = [
        (name, str(counts["checked"]), str(counts["agree"]))
        for name, counts in found["by_type"].items()
    ]
    yield plain(rows, "type", "checked", "agree")
    yield from first_faults([f"{each['task']}: {each['wrong']}" for each in found["disagree"]])
    yield f"{found['agree']} of {many(found['checked'], 'task')} agree with the oracle."
    if found["no_rule"]:
        count = many(sum(found["no_rule"].values()), "task")
        yield f"No rule checks {count} of other types: {', '.join(found['no_rule'])}."


def mir(
    data: Data,
    threshold: Threshold = measure.THRESHOLD,
    sample: Annotated[
        int, typer.Option(min=1, help="Number of tasks drawn from each set.")
    ] = measure.SAMPLE,
    seed: Seed = 0,
    jobs: Jobs = None,
    on: On = None,
    json: Json = False,
) -> None:
    """Print MIR with its bound, MIR-e, and where tasks are (Tables 1 and 2 of the paper)."""
    with working("measuring", len(folders(data)), on=on) as done:
        found = measure.measure(
            data, threshold=threshold, sample=sample, seed=seed, jobs=workers(jobs), done=done
        )
    tell(found, _measured(found), json=json)


def _measured(found: dict[str, Any]) -> Iterator[Any]:
    rows = [
        (scene, name, str(one["tasks"]), _share(one["mir"]), str(one["independent"]),
         str(one["bound"]), "yes" if one["optimal"] else "no")
        for scene, parts in found["by_scene"].items()
        for name, one in parts["sets"].items()
    ]  # fmt: skip
    yield plain(rows, "scene", "set", "tasks", "MIR", "found", "bound", "proven")
    thresholds = [str(each) for each in measure.CURVE]
    curves = [
        (scene, name, *(_share(one["curve"][each]) for each in thresholds))
        for scene, parts in found["by_scene"].items()
        for name, one in parts["sets"].items()
    ]
    by_threshold = plain(curves, "scene", "set", *thresholds)
    by_threshold.title = "MIR by threshold"
    yield by_threshold
    places = [
        (scene, name, f"{one['volume']:.1f}", _three(one["extent"]), _three(one["spread"]),
         f"{one['mean_volume']:.2f} / {one['variance_volume']:.2f}", str(one["objects"]))
        for scene, parts in found["by_scene"].items()
        for name, one in parts["spatial"].items()
    ]  # fmt: skip
    yield plain(
        places, "scene", "set", "volume m³", "extent m", "spread m",
        "task's volume, mean m³ / variance m⁶", "objects",
    )  # fmt: skip
    means = ", ".join(f"{name} {_share(value)}" for name, value in found["mean"].items())
    yield f"Mean MIR at {found['threshold']}: {means}; MIR-e {_share(found['mir_e'])}."


def _share(value: float | None) -> str:
    return "none" if value is None else f"{value:.3f}"


def _three(values: list[float]) -> str:
    return " ".join(f"{value:.2f}" for value in values)


def sheet(
    data: Data,
    out_file: Annotated[Path, typer.Option("--out", help="The PNG file to write.")],
    tasks: Annotated[int, typer.Option(min=1, help="Number of tasks to draw.")] = 30,
    seed: Seed = 0,
    json: Json = False,
) -> None:
    """Draw tasks with their pictures and answers onto one sheet, some of every type."""
    count = sheets.sheet(data, out_file, tasks=tasks, seed=seed)
    document = {"sheet": str(out_file), "tasks": count}
    tell(document, [f"{many(count, 'task')} on {out_file}"], json=json)
