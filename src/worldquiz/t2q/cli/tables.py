"""Tables for people: a suite beside the paper's."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from rich.table import Table

from worldquiz.report.terminal import titled
from worldquiz.t2q.stats import TABLE_1, TYPE_COUNTS, CoverSize, type_mix
from worldquiz.t2q.suites import counted

_ROWS = ("worlds", "rooms", "objects", "tasks", "walkthrough_length", "questions")


def table_1(levels: Mapping[str, Mapping[str, Any]]) -> Table:
    """Return Table 1 of arXiv 2601.09503 with our means beside the paper's."""
    table = titled("Means per world, beside Table 1 of the paper")
    table.add_column("")
    for level in levels:
        table.add_column(level, justify="right")
        if level in TABLE_1:
            table.add_column("paper", justify="right", style="dim")
    for row in _ROWS:
        cells = []
        for level, found in levels.items():
            cells.append(_number(found[row]))
            if level in TABLE_1:
                cells.append(_number(TABLE_1[level][row]))
        table.add_row(row.replace("_", " "), *cells)
    return table


def mix(levels: Mapping[str, Mapping[str, Any]]) -> Table:
    """Return the shares of the question types, ours beside the paper's."""
    table = titled("Question types, share of all questions")
    for name in ("", *levels, "all", "paper"):
        table.add_column(name, justify="right" if name else "left")
    total, paper = type_mix(levels.values()), sum(TYPE_COUNTS.values())
    for type, count in TYPE_COUNTS.items():
        shares = [found["types"][type] for found in levels.values()]
        shares += [total[type], count / paper]
        table.add_row(str(type), *(f"{share:.1%}" for share in shares))
    return table


def cover_gap(covers: Mapping[str, CoverSize]) -> str:
    """Say how far Algorithm 1 is from the fewest tasks that would do."""
    proven = {world: cover for world, cover in covers.items() if cover.exact is not None}
    greedy = sum(cover.greedy for cover in proven.values())
    exact = sum(cover.exact or 0 for cover in proven.values())
    worse = sum(cover.greedy != cover.exact for cover in proven.values())
    if not proven:
        return "Exact cover: not proven in time for any world."
    return (
        f"Greedy cover (Algorithm 1): {greedy} tasks; exact cover: {exact}; "
        f"{worse} of {counted(len(proven), 'world')} need fewer tasks than greedy chose "
        f"({greedy / exact - 1:+.1%} tasks; "
        f"{counted(len(covers) - len(proven), 'world')} not proven)."
    )


def _number(value: Any) -> str:
    if isinstance(value, tuple):
        return f"{value[0]}-{value[1]}"
    return "" if value is None else f"{value:.2f}".rstrip("0").rstrip(".")
