"""Tables that can be read: no number is broken, and no line is wider than 80 columns."""

from __future__ import annotations

import io

from hypothesis import given, settings
from hypothesis import strategies as st
from rich.cells import cell_len
from rich.console import Console
from rich.table import Table

from worldquiz.page.terminal import WIDTH, table


def printed(made: Table) -> str:
    stream = io.StringIO()
    Console(width=WIDTH, file=stream).print(made)
    return stream.getvalue()


NUMBERS = st.integers(0, 10**6).map(lambda value: f"{value} / 19")
NAMES = st.text("ab-  é漢", min_size=1, max_size=60)


@settings(deadline=None, max_examples=50)
@given(
    st.integers(1, 5).flatmap(
        lambda columns: st.lists(st.tuples(NAMES, *[NUMBERS] * columns), min_size=1, max_size=5)
    )
)
def test_every_number_is_whole_and_every_line_fits(rows: list[tuple[str, ...]]) -> None:
    headings = [f"accuracy on answerable {place}" for place in range(len(rows[0]) - 1)]
    text = printed(table(rows, "run", *headings))
    assert all(cell_len(line) <= WIDTH for line in text.splitlines())
    numbers = [cell for row in rows for cell in row[1:]]
    assert all(text.count(f" {cell}") >= numbers.count(cell) for cell in numbers)


def test_an_empty_table_is_printed() -> None:
    assert printed(table([], "name", "size")).split()[:2] == ["name", "size"]
