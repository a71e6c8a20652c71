"""Registration of Task2Quiz as a benchmark. Each hook imports its code when it is called."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from worldquiz.plugins import Hook
from worldquiz.runs.benchmark import PLAN, Benchmark, DataKind, RunKind


def _build(path: Path) -> Any:
    """Finish a build that was stopped."""
    from worldquiz.t2q.builder import Plan, finish
    from worldquiz.t2q.front import load

    finish(Plan.read(path / PLAN), path)
    return load(path)


def _stopped(path: Path) -> bool:
    """Return whether a folder holds a stopped build of a suite, judging by its plan."""
    from worldquiz.records import read_json

    plan = read_json(path / PLAN) if (path / PLAN).is_file() else None
    return isinstance(plan, dict) and "per_task_games" in plan


def _bounds() -> dict[str, str]:
    from worldquiz.t2q.agents.catalog import ROLES

    return {name: str(role) for name, role in ROLES.items()}


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
            check=Hook("worldquiz.t2q.check:check_suite"),
            build=_build,
        ),
    ),
    runs=(
        RunKind(
            kind="run",
            noun="Task2Quiz run",
            check=Hook("worldquiz.t2q.run_folder:check_run"),
            score=Hook("worldquiz.t2q.scores:of_run"),
            grader=Hook("worldquiz.t2q.run_folder:grader"),
            tables=Hook("worldquiz.t2q.tables:tables"),
            drawings=Hook("worldquiz.t2q.drawing:drawings"),
            paper={"TSR": ("tsr", "ci.tsr"), "EUS": ("eus", "ci.eus")},
            about="TSR: share of tasks won. EUS: share of questions answered rightly, or abstained "
            "from where the answer was not shown.",
            bounds=_bounds,
            sheet=Hook("worldquiz.t2q.human:WorldsQuiz"),
        ),
    ),
    commands=Hook("worldquiz.t2q.cli:commands").resolved,
    demo=Hook("worldquiz.t2q.cli.demo:demo"),
)
