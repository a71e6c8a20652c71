"""Registration of TEA's data, runs and commands; their modules are imported on first use."""

from __future__ import annotations

from worldquiz.plugins import Hook
from worldquiz.runs.benchmark import Benchmark, DataKind, RunKind


def _bounds() -> dict[str, str]:
    lower = dict.fromkeys(("random", "prior", "blind", "abstainer"), "lower-bound")
    return {**lower, "noisy": "reference", "oracle": "upper-bound"}


BENCHMARK = Benchmark(
    name="tea",
    title="TEA",
    world="apartment",
    summary="TEA: tasks in 3D scenes, generated from views (arXiv 2602.05249).",
    data=(
        DataKind(
            kind="tea",
            noun="folder of generated tasks",
            open=Hook("worldquiz.tea.api:TaskFolder"),
            check=Hook("worldquiz.tea.data:check_folder"),
            build=Hook("worldquiz.tea.generate:finish"),
            tables=Hook("worldquiz.tea.cli.tables:task_tables"),
        ),
    ),
    runs=(
        RunKind(
            kind="tea-run",
            noun="TEA run",
            score=Hook("worldquiz.tea.exam.exam:rescored"),
            exam=Hook("worldquiz.tea.exam.exam:TeaRun.of_run"),
            tables=Hook("worldquiz.tea.cli.tables:exam_tables"),
            drawings=Hook("worldquiz.tea.drawing:drawings"),
            paper={
                "mean of types": ("all.macro", ""),
                "walks that arrived": ("navigation.success.rate", ""),
            },
            about="Mean of types: the mean grade of each type of task, averaged.",
            bounds=_bounds,
            sheet=Hook("worldquiz.tea.human:quiz_of_run"),
        ),
        RunKind(
            kind="tea-recall",
            noun="TEA recall run",
            exam=Hook("worldquiz.tea.recall.quiz:Recall.of_run"),
            drawings=Hook("worldquiz.tea.drawing:drawings"),
            paper={"EUS": ("grade", "ci.grade")},
            about="EUS: share answered correctly, or declined if not shown on the walk.",
            bounds=_bounds,
        ),
        RunKind(
            kind="tea-ratings",
            noun="folder of ratings",
            sheet=Hook("worldquiz.tea.human:ratings_again"),
        ),
    ),
    commands=Hook("worldquiz.tea.cli:commands").resolved,
    demo=Hook("worldquiz.tea.cli.run:demo"),
)
