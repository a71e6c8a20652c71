"""How Task2Quiz enters the shared rooms. Functions import what they need when they are called."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from worldquiz.errors import RecordError
from worldquiz.runs.benchmark import PLAN, Benchmark, DataKind, GameWalk, RunKind

if TYPE_CHECKING:
    import typer

    from worldquiz.facts.row import Row
    from worldquiz.human.sheet import Sheet

LOGS = (".eval", ".json")
"""How inspect calls its evaluation logs."""


def _open(path: Path) -> Any:
    from worldquiz.t2q.front import load

    return load(path)


def _build(path: Path) -> Any:
    """Finish a build that was stopped."""
    from worldquiz.records import read_json
    from worldquiz.t2q.builder import build
    from worldquiz.t2q.suites import Plan

    build(Plan.of(read_json(path / PLAN), path / PLAN), path)
    return _open(path)


def _stopped(path: Path) -> bool:
    """Tell a suite whose build was stopped by the plan that only suites have."""
    from worldquiz.records import read_json

    plan = read_json(path / PLAN) if (path / PLAN).is_file() else None
    return isinstance(plan, dict) and "per_task_games" in plan


def _walks(path: Path, worlds: Sequence[str]) -> Iterable[GameWalk]:
    from worldquiz.t2q.walks import walks

    return walks(path, worlds)


def _is_log(path: Path) -> bool:
    return path.suffix in LOGS and path.is_file()


def _rows(path: Path) -> Iterable[Row]:
    from worldquiz.t2q.llm.logs import read_runs
    from worldquiz.t2q.rows import rows

    return rows(read_runs(path))


def _score(path: Path) -> dict[str, Any]:
    from worldquiz.t2q.llm.logs import read_runs
    from worldquiz.t2q.pipeline import scores

    found = read_runs(path)
    if len(found) > 1:
        raise RecordError(f"{path}: holds {len(found)} epochs: `worldquiz report` shows each")
    return scores(found[0])


def _tables(paths: Sequence[Path]) -> Iterable[Any]:
    from worldquiz.t2q.llm.logs import read_runs
    from worldquiz.t2q.report.tables import tables

    return tables([run for path in paths for run in read_runs(path)])


def _report(paths: Sequence[Path], out: Path, data: Path | None) -> None:
    from worldquiz.t2q.llm.logs import read_runs
    from worldquiz.t2q.report.page import build

    _check_no_data(paths[0], data)
    build([run for path in paths for run in read_runs(path)], out)


def _sheet(path: Path, name: str, data: Path | None) -> Sheet:
    from worldquiz.t2q.human import WorldsSheet
    from worldquiz.t2q.store import read_run

    _check_no_data(path, data)
    return WorldsSheet(read_run(path), name)


def _check_no_data(path: Path, data: Path | None) -> None:
    if data is not None:
        raise RecordError(f"{path}: holds all that is asked about: leave out --data")


def _commands() -> typer.Typer:
    from worldquiz.t2q.cli import commands

    return commands


def _demo(folder: Path, jobs: int) -> Iterable[Any]:
    from worldquiz.t2q.cli.demo import demo

    return demo(folder, jobs)


BENCHMARK = Benchmark(
    name="t2q",
    title="Task2Quiz",
    summary="Task2Quiz: explore text games, then take a quiz about them (arXiv 2601.09503).",
    data=(
        DataKind(
            kind="suite",
            noun="suite",
            open=_open,
            holds=_stopped,
            build=_build,
            walks=_walks,
        ),
    ),
    runs=(
        RunKind(
            kind="run",
            noun="Task2Quiz run",
            command="worldquiz t2q run",
            rows=_rows,
            score=_score,
            tables=_tables,
            report=_report,
            sheet=_sheet,
            holds=_is_log,
        ),
    ),
    commands=_commands,
    demo=_demo,
)
