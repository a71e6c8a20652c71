"""``worldquiz sweep FILE``: many runs on one folder, from one file, that goes on where it stopped.

Each run is one call of the command ``run`` of the folder's benchmark, in this process, into a
folder of its own. A run with scores is not given again; one that fails is told, and the rest goes
on. ``sweep.json`` in the folder of all runs keeps the options of each.
"""

from __future__ import annotations

import io
import json as jsons
from collections.abc import Mapping, Sequence
from contextlib import redirect_stdout
from dataclasses import dataclass
from os.path import relpath
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.markup import escape

from worldquiz.cli import lazy
from worldquiz.cli.runs import mean_cell, means
from worldquiz.cli.shell import FAULTY, SIGNALLED, Json, tell, waiting, warn
from worldquiz.cli.sweep_file import PlannedRun, SweepPlan, read_sweep
from worldquiz.cli.tables import titled
from worldquiz.cli.verbs import estimate_command
from worldquiz.errors import KnobError, RecordError, WorldquizError
from worldquiz.records import read_json, write_json
from worldquiz.runs.benchmark import Benchmark, DataKind, kind_of_data
from worldquiz.runs.folder import SCORES, claimed
from worldquiz.runs.run import Run

BEGUN = "sweep.json"
"""The options of every run of a folder of runs, by its name."""
FREE = ("jobs", "connections", "questions_at_once", "retries")
"""Options that no result depends on: they may change from one call of a sweep to the next."""
_AMOUNTS = ("calls", "input", "output", "cost")


@dataclass(frozen=True, slots=True)
class Outcome:
    """What became of one run."""

    planned: PlannedRun
    path: Path
    error: str | None = None  # why it failed

    def document(self) -> dict[str, Any]:
        """Return it as JSON states it, with its mean scores."""
        return {
            "name": self.planned.name,
            "folder": str(self.path),
            "options": dict(self.planned.options),
            "error": self.error,
            "scores": None if self.error else means(Run(self.path)),
        }


def sweep(
    ctx: typer.Context,
    file: Annotated[Path, typer.Argument(metavar="FILE", help="TOML file of the sweep.")],
    estimate: Annotated[
        bool, typer.Option("--estimate", help="Print what the models' runs would cost, and end.")
    ] = False,
    json: Json = False,
) -> None:
    """Run every combination of models, memories, agents, answerers and seeds of a file.

    Each run goes into a folder of its own. Finished runs are not given again, a run that fails is
    reported and the others go on: the same command finishes a stopped sweep. Exit code 1 if a run
    failed.
    """
    folder = read_sweep(file).folder
    benchmark, kind = kind_of_data(folder)
    command = lazy.commands_of(benchmark).get_command(ctx, "run")
    if command is None:
        raise KnobError(f"{file}: folder {str(folder)!r}: {benchmark.title} has no command `run`")
    plan = read_sweep(file, _known(command))
    for one in plan.runs:
        _check(ctx, command, plan, one)
    left = [one for one in plan.runs if not (plan.out / one.name / SCORES).is_file()]
    if estimate:
        costs = _estimates(ctx, benchmark, kind, plan, plan.runs)
        tell(costs, [_costs(costs)], json=json)
        return
    _begin(plan)
    if any("model" in one.options for one in left):
        try:
            warn(_costs(_estimates(ctx, benchmark, kind, plan, left)))
        except WorldquizError as error:  # what cannot be estimated can be run
            warn(f"no estimate: {error}")
    outcomes = _run_all(ctx, command, plan, left)
    with waiting("scoring"):
        found = [each.document() for each in outcomes]
    tell({"runs": found}, [_table(found)], json=json)
    if any(each.error for each in outcomes):
        raise typer.Exit(FAULTY)


def _known(command: Any) -> list[str]:
    return [name for param in command.params for name in param.opts if name.startswith("--")]


def _line(command: Any, plan: SweepPlan, one: PlannedRun) -> list[str]:
    """Return what a run's command is given."""
    out = ["--out", str(plan.out / one.name)]
    return [str(plan.folder), *one.words(_known(command)), *out, "--json"]


def _check(ctx: typer.Context, command: Any, plan: SweepPlan, one: PlannedRun) -> None:
    """Raise `KnobError` with its place in the file for a value that the command does not take."""
    try:
        command.make_context("run", _line(command, plan, one), parent=ctx.parent).close()
    except WorldquizError as error:
        raise KnobError(f"{one.place}: {one.name}: {error}") from error


def _begin(plan: SweepPlan) -> None:
    """Write down each run's options. Raises `RecordError` where it was begun with others."""
    with claimed(plan.out, deep=False):
        path = plan.out / BEGUN
        begun: dict[str, Any] = read_json(path) if path.is_file() else {}
        folder = relpath(plan.folder, plan.out)
        for one in plan.runs:
            was = begun.get(one.name)
            fixed = {key: value for key, value in one.options.items() if key not in FREE}
            now = {"folder": folder, **fixed}
            if was is not None and was != now and (plan.out / one.name).exists():
                changed = sorted(key for key in {*was, *now} if was.get(key) != now.get(key))
                raise RecordError(
                    f"{one.place}: {plan.out / one.name} was begun with other options "
                    f"({', '.join(changed)}): delete that folder, or give another out"
                )
            begun[one.name] = now
        write_json(path, begun)


def _run_all(
    ctx: typer.Context, command: Any, plan: SweepPlan, left: Sequence[PlannedRun]
) -> list[Outcome]:
    """Carry out the runs that are left, one after the other; return what became of all."""
    outcomes = []
    for one in plan.runs:
        error = None
        if one in left:
            warn(f"run {left.index(one) + 1} of {len(left)}: {one.name}")
            error = _failed(ctx, command, plan, one)
            if error:
                warn(f"{one.name}: failed: {error}")
        outcomes.append(Outcome(one, plan.out / one.name, error))
    return outcomes


def _failed(ctx: typer.Context, command: Any, plan: SweepPlan, one: PlannedRun) -> str | None:
    """Carry out one run, and return why it failed, if it did."""
    path = plan.out / one.name
    try:
        _answer(ctx, command, _line(command, plan, one))
        if not (path / SCORES).is_file():
            Run(path).score()
    except typer.Exit as end:
        if end.exit_code > SIGNALLED:
            raise
        return f"ended with exit code {end.exit_code}" if end.exit_code else None
    except (WorldquizError, OSError) as error:
        return str(error)
    return None


def _answer(ctx: typer.Context, command: Any, words: list[str]) -> str:
    """Call a command in this process and return what it prints to stdout."""
    with (
        redirect_stdout(io.StringIO()) as said,
        command.make_context(command.name, words, parent=ctx.parent) as inner,
    ):
        command.invoke(inner)
    return said.getvalue()


def _estimates(
    ctx: typer.Context,
    benchmark: Benchmark,
    kind: DataKind,
    plan: SweepPlan,
    runs: Sequence[PlannedRun],
) -> dict[str, Any]:
    """Return what runs take at least and at most, each and together; no model, no calls."""
    command = estimate_command(ctx, benchmark, kind)
    nothing: dict[str, Any] = dict.fromkeys(_AMOUNTS, 0)
    found: list[dict[str, Any]] = []
    for one in runs:
        told: dict[str, Any] = {"low": nothing, "high": nothing}
        if "model" in one.options:
            words = [str(plan.folder), *one.words(_known(command)), "--json"]
            with waiting(f"estimating {one.name}"):
                told = jsons.loads(_answer(ctx, command, words))
        ends = {end: {key: told.get(end, told)[key] for key in _AMOUNTS} for end in ("low", "high")}
        found.append({"name": one.name, **ends})
    return {"runs": found, **{end: _sum([one[end] for one in found]) for end in ("low", "high")}}


def _sum(parts: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    """Return sums; that of costs is None where one of them is not known."""
    columns = {key: [part[key] for part in parts] for key in _AMOUNTS}
    return {key: None if None in column else sum(column) for key, column in columns.items()}


def _costs(found: Mapping[str, Any]) -> Any:
    """Return a table of what runs will take."""
    table = titled("What the runs will take, low to high")
    table.add_column("run")
    for heading in ("calls", "input tokens", "output tokens", "US dollars"):
        table.add_column(heading, justify="right")
    for one in (*found["runs"], {"name": "all", **found}):
        low, high = one["low"], one["high"]
        table.add_row(escape(one["name"]), *(_span(low[key], high[key]) for key in _AMOUNTS))
    return table


def _span(low: float | None, high: float | None) -> str:
    ends = ["?" if end is None else f"{end:,.2f}" if isinstance(end, float) else f"{end:,}"
            for end in (low, high)]  # fmt: skip
    return ends[0] if ends[0] == ends[1] else " - ".join(ends)


def _table(runs: Sequence[Mapping[str, Any]]) -> Any:
    """Return the runs side by side."""
    found = [(one["name"], one["scores"] or {}, one["error"] or "") for one in runs]
    scores = [name for name in ("knowledge", "score") if any(name in doc for _, doc, _ in found)]
    table = titled("Mean scores of each run with 95 % intervals, and the number of questions")
    table.add_column("run")
    for name in scores:
        table.add_column(name, justify="right")
    table.add_column("failed")
    for called, doc, error in found:
        table.add_row(escape(called), *(mean_cell(doc, name) for name in scores), escape(error))
    return table
