"""How Task2Quiz enters the shared rooms. Functions import what they need when they are called."""

from __future__ import annotations

from typing import TYPE_CHECKING

from worldquiz.runs.benchmark import Benchmark

if TYPE_CHECKING:
    import typer


def _commands() -> typer.Typer:
    from worldquiz.t2q.cli import commands

    return commands


BENCHMARK = Benchmark(
    name="t2q",
    title="Task2Quiz",
    summary="Task2Quiz: explore text games, then take a quiz about them (arXiv 2601.09503).",
    commands=_commands,
)
