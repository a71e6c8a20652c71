"""Plain tables for a terminal."""

from __future__ import annotations

from collections.abc import Iterable

from rich import box
from rich.table import Table


def plain(rows: Iterable[tuple[str, ...]], *headings: str) -> Table:
    """Return a table of plain text."""
    table = _table(None)
    for heading in headings:
        table.add_column(heading)
    for row in rows:
        table.add_row(*row)
    return table


def _table(title: str | None) -> Table:
    return Table(box=box.SIMPLE_HEAD, title=title, title_justify="left", title_style="bold")
