"""How MANGO enters the shared rooms. Functions import what they need when they are called."""

from __future__ import annotations

from typing import TYPE_CHECKING

from worldquiz.runs.benchmark import Benchmark

if TYPE_CHECKING:
    import typer


def _commands() -> typer.Typer:
    from worldquiz.mango.cli import commands

    return commands


BENCHMARK = Benchmark(
    name="mango",
    title="MANGO",
    summary="MANGO: read a walkthrough, then find destinations and routes (arXiv 2403.19913).",
    commands=_commands,
)
