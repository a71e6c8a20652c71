"""MANGO as a `Benchmark`. Its functions import their modules when they are called."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

from worldquiz.plugins import Hook
from worldquiz.runs.benchmark import Benchmark, DataKind, RunKind, check_no_data


def _bounds() -> dict[str, str]:
    from worldquiz.mango.answerers import KEEPER, MAPPER
    from worldquiz.mango.guessing import Baseline

    lower = dict.fromkeys(map(str, Baseline), "lower-bound")
    return {**lower, KEEPER: "upper-bound", MAPPER: "reference"}


def _sheet(run: Path, name: str, data: Path | None) -> Any:
    from worldquiz.mango.human import MazesQuiz
    from worldquiz.mango.run import plan_of

    check_no_data(run, data)
    return MazesQuiz(plan_of(run), name)


def _minigame_tables(runs: Sequence[Path]) -> Iterable[Any]:
    from worldquiz.mango.cli.tables import table_14
    from worldquiz.mango.run import compare_minigames

    return [table_14(compare_minigames(runs))]


MAZES = DataKind(
    kind="mazes",
    noun="folder of mazes",
    open=Hook("worldquiz.mango.maze_set:MazeSet"),
    holds=Hook("worldquiz.mango.published:holds"),
    check=Hook("worldquiz.mango.published:check_folder"),
    tables=Hook("worldquiz.mango.cli.mazes:maze_tables"),
    serve=Hook("worldquiz.mango.serve:serve"),
)
QUIZ = RunKind(
    kind="mango",
    noun="MANGO run",
    command="worldquiz mango run",
    rows=Hook("worldquiz.mango.run:rows_of"),
    score=Hook("worldquiz.mango.run:score_run"),
    tables=Hook("worldquiz.mango.cli.tables:run_tables"),
    drawings=Hook("worldquiz.mango.drawing:drawings"),
    paper={
        f"{task.upper()} success": (f"{task}.all.success.macro", f"{task}.all.success.interval")
        for task in ("df", "rf")
    },
    bounds=_bounds,
    sheet=_sheet,
)
MINIGAMES = RunKind(
    kind="mango-minigames",
    noun="run of MANGO's minigames",
    command="worldquiz mango minigames",
    rows=Hook("worldquiz.mango.run:minigame_rows_of"),
    score=Hook("worldquiz.mango.run:score_minigames"),
    tables=_minigame_tables,
    drawings=Hook("worldquiz.mango.drawing:drawings"),
    bounds=_bounds,
)
BENCHMARK = Benchmark(
    name="mango",
    title="MANGO",
    summary="MANGO: read a walkthrough, then find destinations and routes (arXiv 2403.19913).",
    data=(MAZES,),
    runs=(QUIZ, MINIGAMES),
    commands=Hook("worldquiz.mango.cli:commands").resolved,
    demo=Hook("worldquiz.mango.cli.demo:demo"),
)
