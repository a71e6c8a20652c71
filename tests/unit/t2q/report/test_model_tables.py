"""Terminal tables of models' runs: whole, within 80 columns, and only where there is data."""

from __future__ import annotations

import pytest
from rich.console import Console
from rich.table import Table

import synthetic
from worldquiz.t2q.pipeline import scores
from worldquiz.t2q.report.tables import Row, model_tables, row_of, tables


def row(model: str = "maker/m1", memory: str = "in-context", **given: object) -> Row:
    run = synthetic.model_run(model, memory, **given)  # type: ignore[arg-type]
    return row_of(run, scores(run))


def printed(table: Table, width: int = 80) -> list[str]:
    console = Console(width=width, color_system=None)
    with console.capture() as capture:
        console.print(table)
    return [line.rstrip() for line in capture.get().splitlines()]


def titles(rows: list[Row]) -> list[str]:
    return [str(table.title) for table in model_tables(rows)]


def test_a_scripted_run_has_no_such_table() -> None:
    run = synthetic.run()
    assert titles([row_of(run, scores(run))]) == []


def test_confidence_is_left_out_where_nobody_asked_for_it() -> None:
    names = ["why answers are right or wrong", "usage", "replies", "commands", "confidence"]
    assert titles([row()]) == names
    assert titles([row(confidences=())]) == names[:-1]


LONG = ("qwen3-32b-instruct", "langmem")


@pytest.mark.parametrize("table", list(model_tables([row(), row(*LONG)])), ids=lambda t: t.title)
def test_tables_fit_80_columns_with_nothing_cut_off(table: Table) -> None:
    lines = printed(table)
    assert max(map(len, lines)) <= 80
    assert "…" not in "".join(lines)
    table.caption = None
    assert printed(table) == printed(table, 200)  # no cell had to be broken


def test_usage_shows_purposes_that_had_calls() -> None:
    usage = next(table for table in model_tables([row()]) if table.title == "usage")
    lines = [line.split() for line in printed(usage)]
    assert ["maker/m1", "all", "22", "16,000", "90", "%", "320", "1.50"] in lines
    assert not any("remembering" in line for line in lines)


def test_the_command_line_prints_them() -> None:
    console = Console(width=80, color_system=None)
    with console.capture() as capture:
        for each in tables([synthetic.model_run()]):
            console.print(each)
    text = capture.get()
    assert "why answers are right or wrong" in text
    assert "usage" in text
    assert "+ in-context" in text
