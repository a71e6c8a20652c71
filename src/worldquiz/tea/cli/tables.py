"""Terminal tables of TEA's tasks, and of the scores of runs on them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from worldquiz.page.html import many
from worldquiz.page.labels import decimal
from worldquiz.page.terminal import prose
from worldquiz.page.terminal import table as table_of

MEASURES = ("gain", "success", "steps", "neglect", "lack_of_3d_awareness")
"""Measures of walks in the order of Table 4."""


def task_tables(folder: Path) -> Iterator[Any]:
    """Yield tables of a folder's tasks by type and by scene, then a line with the totals."""
    from worldquiz.tea.generate import summary

    found = summary(folder)
    total = found["tasks"]
    rows = [(name, f"{n:,}", f"{n / total:.1%}") for name, n in found["by_type"].items()]
    yield table_of(rows, "type", "tasks", "share")
    yield table_of([(name, f"{n:,}") for name, n in found["by_scene"].items()], "scene", "tasks")
    yield (
        f"{many(total, 'task')} of {many(found['views'], 'view')} in "
        f"{many(found['scenes'], 'scene')}"
    )


def exam_tables(run: Path) -> Iterator[Any]:
    """Yield the scores of a run beside Tables 3 and 4 of the paper."""
    from worldquiz.runs.run import Run

    found = Run(run).scores
    yield "Mean by type of task, beside Table 3 of the paper"
    yield _table_3(found)
    yield prose(
        "Ill-formed: replies without an answer in the required form. Guess: mean grade of guessing "
        "without the pictures."
    )
    if found["navigation"]["trips"]:
        yield "Walks, beside Table 4 of the paper"
        yield _table_4(found["navigation"])


def _table_3(found: Mapping[str, Any]) -> Any:
    from worldquiz.tea.exam.exam import PUBLISHED

    rows = []
    for name, cell in {**found["types"], "all": found["all"]}.items():
        *models, people = PUBLISHED.get(name, (None,))
        span, counts = "-".join(map(decimal, models)), (cell["asked"], cell["ill_formed"])
        rows.append((name, decimal(cell["mean"]), *map(str, counts), decimal(cell.get("guess")),
                     span, decimal(people)))  # fmt: skip
    heads = ("type", "mean", "asked", "ill-formed", "guess", "paper: models", "paper: people")
    return table_of(rows, *heads)


def _table_4(found: Mapping[str, Any]) -> Any:
    from worldquiz.tea.exam.walk import TABLE_4

    paper = zip(*TABLE_4.values(), strict=True)
    rows = [
        (name.replace("_", " "), _measure(found[name]), *(f"{each:.2f}" for each in theirs))
        for name, theirs in zip(MEASURES, paper, strict=True)
    ]
    return table_of(
        rows, "navigation", many(found["trips"], "walk"), *(f"paper: {name}" for name in TABLE_4)
    )


def _measure(told: Any) -> str:
    if isinstance(told, dict):
        return f"{decimal(told['rate'])} ({told['count']} of {told['of']})"
    return decimal(told)


PLACES = ("spread", "task_volume", "task_volume_sd", "objects")  # m and m³


def table(rows: Sequence[Mapping[str, Any]], *keys: str) -> Any:
    """Return rows as a table with the columns `keys`, by default all columns of the first row."""
    names = keys or tuple(rows[0] if rows else ())
    cells = [tuple(_cell(row.get(name)) for name in names) for row in rows]
    return table_of(cells, *(name.replace("_", " ") for name in names))


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
