"""Terminal tables of TEA's tasks, and of the scores of runs on them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from worldquiz.page.html import many
from worldquiz.page.terminal import means, plain

MEASURES = ("gain", "success", "steps", "neglect", "lack_of_3d_awareness")
"""Measures of walks in the order of Table 4."""


def task_tables(folder: Path) -> Iterator[Any]:
    """Yield how many tasks a folder holds by type and by scene, as tables and a line."""
    from worldquiz.tea.generate import summary

    found = summary(folder)
    total = found["tasks"]
    rows = [(name, f"{n:,}", f"{n / total:.1%}") for name, n in found["by_type"].items()]
    yield plain(rows, "type", "tasks", "share")
    yield plain([(name, f"{n:,}") for name, n in found["by_scene"].items()], "scene", "tasks")
    yield (
        f"{many(total, 'task')} of {many(found['views'], 'view')} in "
        f"{many(found['scenes'], 'scene')}"
    )


def exam_tables(runs: Sequence[Path]) -> Iterator[Any]:
    """Yield the scores of runs as tables and lines for a terminal, beside Tables 3 and 4."""
    from worldquiz.runs.run import Run, called

    opened = [*map(Run, runs)]
    names = called(opened)
    for run in opened:
        yield names[run.path]
        yield _table_3(run.scores)
        if run.scores["navigation"]["trips"]:
            yield _table_4(run.scores["navigation"])
    yield means({names[run.path]: run.each_row() for run in opened})


def _table_3(found: Mapping[str, Any]) -> Any:
    from worldquiz.tea.exam.exam import PUBLISHED

    rows = []
    for name, cell in {**found["types"], "all": found["all"]}.items():
        low, high, people = (f"{each:.2f}" for each in PUBLISHED[name]) if name in PUBLISHED else (
            "", "", "")  # fmt: skip
        rows.append(
            (name, _mean(cell["mean"]), str(cell["asked"]), str(cell["ill_formed"]),
             _mean(cell.get("guess")), f"{low} to {high}" if low else "", people)
        )  # fmt: skip
    heads = ("type", "mean", "asked", "ill-formed", "chance", "paper: models", "paper: people")
    return plain(rows, *heads)


def _table_4(found: Mapping[str, Any]) -> Any:
    from worldquiz.tea.exam.walk import TABLE_4

    paper = zip(*TABLE_4.values(), strict=True)
    rows = [
        (name.replace("_", " "), _measure(found[name]), *(f"{each:.2f}" for each in theirs))
        for name, theirs in zip(MEASURES, paper, strict=True)
    ]
    return plain(
        rows, "navigation", many(found["trips"], "walk"), *(f"paper: {name}" for name in TABLE_4)
    )


def _mean(value: float | None) -> str:
    return "-" if value is None else f"{value:.2f}"


def _measure(told: Any) -> str:
    if isinstance(told, dict):
        return f"{_mean(told['rate'])} ({told['count']} of {told['of']})"
    return _mean(told)


def table(rows: Sequence[Mapping[str, Any]]) -> Any:
    """Return rows as a table, with the columns of the first."""
    cells = [tuple(map(_cell, row.values())) for row in rows]
    return plain(cells, *(map(str, rows[0]) if rows else ()))


def _cell(value: object) -> str:
    match value:
        case None:
            return ""
        case bool():
            return "yes" if value else "no"
        case float():
            return f"{value:.4g}"
        case tuple() | list():
            return ", ".join(map(_cell, value))
    return str(value)
