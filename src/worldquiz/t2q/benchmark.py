"""How Task2Quiz enters the shared rooms. Functions import what they need when they are called."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from worldquiz.runs.benchmark import Benchmark, DataKind, GameWalk

if TYPE_CHECKING:
    import typer


def _commands() -> typer.Typer:
    from worldquiz.t2q.cli.app import app

    return app


def _open(path: Path) -> Any:
    from worldquiz.t2q.suite import open_suite

    return open_suite(path)


def _walks(path: Path, worlds: Sequence[str]) -> Iterable[GameWalk]:
    from worldquiz.t2q.game_walks import walks

    return walks(path, worlds)


BENCHMARK = Benchmark(
    name="t2q",
    title="Task2Quiz",
    summary="Task2Quiz: explore text games, then take a quiz about them (arXiv 2601.09503).",
    data=(DataKind(kind="suite", noun="suite", open=_open, walks=_walks),),
    commands=_commands,
)
