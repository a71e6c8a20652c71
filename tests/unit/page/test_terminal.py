"""Tables that can be read: no number is broken, whatever the width."""

from __future__ import annotations

import io

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from rich.cells import cell_len
from rich.console import Console
from rich.table import Table

from worldquiz.cli.shell import screen
from worldquiz.page.terminal import Screen, blocks, plain, titled


def printed(table: Table, width: int) -> str:
    stream = io.StringIO()
    Screen(width=width, file=stream).print(table)
    return stream.getvalue()


NUMBERS = st.integers(0, 10**7).map(lambda value: f"{value}/1903")


@settings(deadline=None)
@given(
    rows=st.integers(1, 4).flatmap(
        lambda columns: st.lists(
            st.lists(NUMBERS, min_size=3 * columns, max_size=3 * columns), min_size=1, max_size=5
        )
    ),
    width=st.integers(40, 120),
)
def test_every_number_is_whole_and_every_line_fits(rows: list[list[str]], width: int) -> None:
    headings = [f"accuracy on answerable {place}" for place in range(len(rows[0]))]
    table = plain([(f"run-{place}", *row) for place, row in enumerate(rows)], "run", *headings)
    text = printed(table, width)
    assert all(cell_len(line) <= width for line in text.splitlines())
    words = text.split()
    for row in rows:
        for cell in row:
            assert words.count(cell) == sum(each.count(cell) for each in rows)


def test_a_wide_table_becomes_blocks_with_their_first_column() -> None:
    headings = [f"df_hard_{place}" for place in range(12)]
    table = titled("Counts")
    for heading in ("game", *headings):
        table.add_column(heading, justify="left" if heading == "game" else "right")
    for game in ("zork1", "enchanter"):
        table.add_row(game, *("1549/1903" for _ in headings))
    table.caption = "of two games"
    text = printed(table, 80)
    assert text.count("zork1") == text.count("enchanter") > 1
    assert all(heading in text for heading in headings)
    assert (text.count("Counts"), text.count("of two games")) == (1, 1)
    assert len(blocks(table, Console(width=400))) == 1


def test_blocks_repeat_all_columns_that_tell_rows_apart() -> None:
    rows = [(scene, name, *("0.470",) * 8) for scene in ("tiny-01", "tiny-02") for name in "ab"]
    text = printed(plain(rows, "scene", "set", *(f"threshold {n}" for n in range(8))), 60)
    lines = [line.split() for line in text.splitlines() if "tiny" in line]
    assert len(lines) > len(rows)
    assert {tuple(words[:2]) for words in lines} == {row[:2] for row in rows}


def test_nothing_is_folded_where_there_is_no_terminal(capsys: pytest.CaptureFixture[str]) -> None:
    row = tuple(str(10**9 + place) for place in range(30))
    screen().print(plain([row], *(f"heading {place}" for place in range(30))))
    line = next(line for line in capsys.readouterr().out.splitlines() if row[0] in line)
    assert line.split() == list(row)


def test_an_empty_table_is_printed() -> None:
    assert printed(plain([], "name", "size"), 80).split()[:2] == ["name", "size"]
    assert printed(titled(None), 80).strip() == ""
