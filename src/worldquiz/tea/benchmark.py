"""How TEA enters the shared rooms. Functions import what they need when they are called."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from worldquiz.runs.benchmark import Benchmark, DataKind, RunKind

if TYPE_CHECKING:
    import typer

    from worldquiz.facts.row import Row
    from worldquiz.human.sheet import Sheet
    from worldquiz.tea.api import TaskFolder, WrittenTasks


def _open(path: Path) -> TaskFolder:
    from worldquiz.tea.api import TaskFolder

    return TaskFolder(path)


def _finish(path: Path) -> TaskFolder:
    from worldquiz.tea.api import finish

    return finish(path)


def _open_written(path: Path) -> WrittenTasks:
    from worldquiz.tea.api import WrittenTasks

    return WrittenTasks(path)


def _exam_rows(path: Path) -> Iterable[Row]:
    from worldquiz.tea.rows import of_exam

    return of_exam(path)


def _exam_scores(path: Path) -> dict[str, Any]:
    from worldquiz.tea.exam.run import rescored

    return rescored(path)


def _exam_tables(paths: Sequence[Path]) -> Iterable[Any]:
    from worldquiz.runs.run import Run
    from worldquiz.tea.cli.run import exam_tables

    return [each for path in paths for each in (path.name, *exam_tables(Run(path).scores))]


def _exam_report(paths: Sequence[Path], out: Path, data: Path | None) -> None:
    from worldquiz.tea.exam.contest import read_contest
    from worldquiz.tea.report.page import build

    build(read_contest(paths, data), out)


def _exam_sheet(path: Path, name: str, data: Path | None) -> Sheet:
    from worldquiz.records import read_json
    from worldquiz.runs.folder import MANIFEST
    from worldquiz.tea.human import Tasks, exam_of

    return Tasks(exam_of(path, data), read_json(path / MANIFEST), name)


def _recall_rows(path: Path) -> Iterable[Row]:
    from worldquiz.tea.rows import of_recall

    return of_recall(path)


def _recall_scores(path: Path) -> dict[str, Any]:
    from worldquiz.tea.recall.run import rescored

    return rescored(path)


def _recall_tables(paths: Sequence[Path]) -> Iterable[Any]:
    from worldquiz.runs.run import Run
    from worldquiz.tea.cli.run import recall_tables

    return [each for path in paths for each in (path.name, *recall_tables(Run(path).scores))]


def _demo(folder: Path, jobs: int) -> Iterable[Any]:
    from worldquiz.tea.cli.demo import demo

    return demo(folder, jobs)


def _commands() -> typer.Typer:
    from worldquiz.tea.cli import commands

    return commands


BENCHMARK = Benchmark(
    name="tea",
    title="TEA",
    summary="TEA: tasks in 3D scenes, generated from views (arXiv 2602.05249).",
    data=(
        DataKind(kind="tea", noun="folder of generated tasks", open=_open, build=_finish),
        DataKind(kind="tea-written", noun="folder of written tasks", open=_open_written),
    ),
    runs=(
        RunKind(
            kind="tea-run",
            noun="TEA run",
            command="worldquiz tea run",
            rows=_exam_rows,
            score=_exam_scores,
            tables=_exam_tables,
            report=_exam_report,
            sheet=_exam_sheet,
        ),
        RunKind(
            kind="tea-recall",
            noun="TEA recall run",
            command="worldquiz tea recall",
            rows=_recall_rows,
            score=_recall_scores,
            tables=_recall_tables,
        ),
    ),
    commands=_commands,
    demo=_demo,
)
