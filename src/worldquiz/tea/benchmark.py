"""How TEA enters the shared rooms. Functions import what they need when they are called."""

from __future__ import annotations

from typing import TYPE_CHECKING

from worldquiz.runs.benchmark import Benchmark

if TYPE_CHECKING:
    import typer


def _commands() -> typer.Typer:
    from worldquiz.tea.cli import commands

    return commands


BENCHMARK = Benchmark(
    name="tea",
    title="TEA",
    summary="TEA: tasks in 3D scenes, generated from views (arXiv 2602.05249).",
    commands=_commands,
)
