"""Registration of Task2Quiz in the shared rooms. Each hook imports its code when it is called."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from worldquiz.plugins import Hook
from worldquiz.runs.benchmark import (
    PLAN,
    Benchmark,
    CheckpointRule,
    DataKind,
    RunKind,
    ScoreParts,
    check_no_data,
)

if TYPE_CHECKING:
    from worldquiz.facts.row import Row
    from worldquiz.human.quiz import Quiz


def _build(path: Path) -> Any:
    """Finish a build that was stopped."""
    from worldquiz.records import read_json
    from worldquiz.t2q.builder import build
    from worldquiz.t2q.front import load
    from worldquiz.t2q.suites import Plan

    build(Plan.of(read_json(path / PLAN), path / PLAN), path)
    return load(path)


def _stopped(path: Path) -> bool:
    """Tell a suite whose build was stopped by the plan that only suites have."""
    from worldquiz.records import read_json

    plan = read_json(path / PLAN) if (path / PLAN).is_file() else None
    return isinstance(plan, dict) and "per_task_games" in plan


def _rows(path: Path) -> Iterable[Row]:
    from worldquiz.t2q.rows import rows
    from worldquiz.t2q.store import read_run

    return rows(read_run(path))


def _score(path: Path) -> dict[str, Any]:
    from worldquiz.t2q.pipeline import scores
    from worldquiz.t2q.store import read_run

    return scores(read_run(path))


def _tables(paths: Sequence[Path]) -> Iterable[Any]:
    from worldquiz.t2q.store import read_run
    from worldquiz.t2q.tables import tables

    return tables([read_run(path) for path in paths])


def _score_tables(scored: Sequence[tuple[Path, dict[str, Any]]]) -> Iterable[Any]:
    from worldquiz.t2q.store import read_run
    from worldquiz.t2q.tables import tables_of

    return tables_of([(read_run(path).name, doc) for path, doc in scored])


def _sheet(path: Path, name: str, data: Path | None) -> Quiz:
    from worldquiz.t2q.human import WorldsQuiz
    from worldquiz.t2q.store import read_run

    check_no_data(path, data)
    return WorldsQuiz(read_run(path), name)


BENCHMARK = Benchmark(
    name="t2q",
    title="Task2Quiz",
    summary="Task2Quiz: explore text games, then take a quiz about them (arXiv 2601.09503).",
    data=(
        DataKind(
            kind="suite",
            noun="suite",
            open=Hook("worldquiz.t2q.front:load"),
            holds=_stopped,
            check=Hook("worldquiz.t2q.verify:check_suite"),
            build=_build,
            walks=Hook("worldquiz.t2q.walks:walks"),
            serve=Hook("worldquiz.t2q.serve:serve"),
        ),
    ),
    runs=(
        RunKind(
            kind="run",
            noun="Task2Quiz run",
            command="worldquiz t2q run",
            rows=_rows,
            score=_score,
            parts=ScoreParts(
                Hook("worldquiz.t2q.pipeline:score_parts"),
                Hook("worldquiz.t2q.pipeline:grade_part"),
                Hook("worldquiz.t2q.pipeline:join_parts"),
            ),
            tables=_tables,
            score_tables=_score_tables,
            drawings=Hook("worldquiz.t2q.drawing:drawings"),
            paper={"TSR": ("tsr", "ci.tsr"), "EUS": ("eus", "ci.eus")},
            bounds=Hook("worldquiz.t2q.tables:bounds"),
            so_far=lambda _: True,
            sheet=_sheet,
            checkpoints={
                "paper": CheckpointRule(
                    Hook("worldquiz.t2q.cli.checkpoints:by_paper"),
                    Hook("worldquiz.t2q.cli.checkpoints:figure_8"),
                )
            },
        ),
    ),
    commands=Hook("worldquiz.t2q.cli:commands").resolved,
    demo=Hook("worldquiz.t2q.cli.demo:demo"),
)
