"""Registration of TEA with the package. Hooks are imported when they are called."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import partial
from pathlib import Path
from typing import Any

from worldquiz.plugins import Hook
from worldquiz.runs.benchmark import Benchmark, DataKind, RunKind


def _tables(shown: Callable[..., Iterable[Any]], paths: Sequence[Path]) -> Iterable[Any]:
    from worldquiz.runs.run import Run

    return [each for path in paths for each in (path.name, *shown(Run(path).scores))]


def _report(paths: Sequence[Path], out: Path, data: Path | None) -> None:
    from worldquiz.tea.exam.contest import read_contest
    from worldquiz.tea.report.page import build

    build(read_contest(paths, data), out)


BENCHMARK = Benchmark(
    name="tea",
    title="TEA",
    summary="TEA: tasks in 3D scenes, generated from views (arXiv 2602.05249).",
    data=(
        DataKind(
            kind="tea",
            noun="folder of generated tasks",
            open=Hook("worldquiz.tea.api:TaskFolder"),
            check=Hook("worldquiz.tea.data:check_folder"),
            build=Hook("worldquiz.tea.api:finish"),
            tables=Hook("worldquiz.tea.cli.make:task_tables"),
            serve=Hook("worldquiz.tea.serve:serve"),
        ),
    ),
    runs=(
        RunKind(
            kind="tea-run",
            noun="TEA run",
            command="worldquiz tea run",
            rows=Hook("worldquiz.tea.rows:of_exam"),
            score=Hook("worldquiz.tea.exam.run:rescored"),
            tables=partial(_tables, Hook("worldquiz.tea.cli.run:exam_tables")),
            report=_report,
            so_far=Hook("worldquiz.runs.journal:has_lines"),
            place="folder",
            sheet=Hook("worldquiz.tea.human:sheet_of_run"),
        ),
        RunKind(
            kind="tea-recall",
            noun="TEA recall run",
            command="worldquiz tea recall",
            rows=Hook("worldquiz.tea.rows:of_recall"),
            score=Hook("worldquiz.tea.recall.run:rescored"),
            tables=partial(_tables, Hook("worldquiz.tea.cli.run:recall_tables")),
            place="folder",
        ),
        RunKind(
            kind="tea-ratings",
            noun="folder of ratings",
            command="worldquiz tea rate",
            rows=Hook("worldquiz.tea.rating:rows"),
            score=Hook("worldquiz.tea.rating:score"),
            sheet=Hook("worldquiz.tea.rating:sheet_of_ratings"),
        ),
    ),
    commands=Hook("worldquiz.tea.cli:commands").resolved,
    demo=Hook("worldquiz.tea.cli.demo:demo"),
)
