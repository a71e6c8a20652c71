"""How MANGO enters the shared rooms. Functions import what they need when they are called."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from worldquiz.errors import RecordError
from worldquiz.runs.benchmark import Benchmark, DataKind, RunKind

if TYPE_CHECKING:
    import typer

    from worldquiz.facts.row import Row
    from worldquiz.human.sheet import Sheet


def _commands() -> typer.Typer:
    from worldquiz.mango.cli import commands

    return commands


def _demo(folder: Path, jobs: int) -> Iterable[Any]:
    from worldquiz.mango.cli.demo import demo

    return demo(folder, jobs)


def _open(path: Path) -> Any:
    from worldquiz.mango.maze_set import MazeSet

    return MazeSet(path)


def _holds(path: Path) -> bool:
    from worldquiz.mango.maze.mango import holds

    return holds(path)


def _rows(run: Path) -> Iterable[Row]:
    from worldquiz.mango.rows import quiz_rows

    return quiz_rows(run)


def _score(run: Path) -> dict[str, Any]:
    from worldquiz.mango.running.run import score_run

    return score_run(run)


def _tables(runs: Sequence[Path]) -> Iterable[Any]:
    from worldquiz.mango.cli.score_tables import run_tables

    return run_tables(runs)


def _report(runs: Sequence[Path], out: Path, data: Path | None) -> None:
    from worldquiz.mango.report.page import build
    from worldquiz.mango.running.run import read_contest

    _no_data(runs[0], data)
    build(read_contest(runs), out)


def _sheet(run: Path, name: str, data: Path | None) -> Sheet:
    from worldquiz.mango.human import Mazes
    from worldquiz.mango.running.run import plan_of

    _no_data(run, data)
    return Mazes(plan_of(run), name)


def _no_data(run: Path, data: Path | None) -> None:
    if data is not None:
        raise RecordError(f"{run}: holds all that is asked about: leave out --data")


def _minigame_rows(run: Path) -> Iterable[Row]:
    from worldquiz.mango.rows import minigame_rows

    return minigame_rows(run)


def _minigame_score(run: Path) -> dict[str, Any]:
    from worldquiz.mango.running.run import score_minigames

    return score_minigames(run)


def _minigame_tables(runs: Sequence[Path]) -> Iterable[Any]:
    from worldquiz.mango.cli.score_tables import table_14
    from worldquiz.mango.running.run import compare_minigames

    return [table_14(compare_minigames(runs))]


MAZES = DataKind(kind="mazes", noun="folder of mazes", open=_open, holds=_holds)
QUIZ = RunKind(
    kind="mango",
    noun="MANGO run",
    command="worldquiz mango run",
    rows=_rows,
    score=_score,
    tables=_tables,
    report=_report,
    sheet=_sheet,
)
MINIGAMES = RunKind(
    kind="mango-minigames",
    noun="run of MANGO's minigames",
    command="worldquiz mango minigames",
    rows=_minigame_rows,
    score=_minigame_score,
    tables=_minigame_tables,
)
BENCHMARK = Benchmark(
    name="mango",
    title="MANGO",
    summary="MANGO: read a walkthrough, then find destinations and routes (arXiv 2403.19913).",
    data=(MAZES,),
    runs=(QUIZ, MINIGAMES),
    commands=_commands,
    demo=_demo,
)
