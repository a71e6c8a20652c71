"""Tables for a terminal: one that is too wide becomes several, one under the other.

A number is never broken: a column of numbers or names keeps its width, only a column of prose is
wrapped, at spaces. Where columns do not fit, headings are broken at spaces first; then the table is
laid out in blocks that repeat the columns that tell its rows apart.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from copy import copy
from dataclasses import replace
from textwrap import wrap
from typing import Any

from rich import box
from rich.cells import cell_len
from rich.console import Console, RenderableType
from rich.table import Column, Table
from rich.text import Text

from worldquiz.facts.row import Row
from worldquiz.page.labels import decimal, visible

PROSE = 5
"""Words in a cell that make a column prose."""
UNBOUNDED = 1_000_000
KEYS = 3
"""Leading columns that blocks repeat, at most."""
NARROW = 24
"""Columns that prose gets at least, or all that it needs."""


class Screen(Console):
    """A console that lays out tables to its width, and shows control characters in text."""

    def __init__(self, **options: Any) -> None:
        super().__init__(highlight=False, emoji=False, **options)  # ":100:" is a line

    def print(self, *objects: Any, **options: Any) -> None:
        """Print things, tables so that they can be read."""
        parts = [part for each in objects for part in self._parts(each)]
        if any(isinstance(each, Table) for each in objects):
            for part in parts:
                super().print(part, **options)
        else:
            super().print(*parts, **options)

    def render_str(self, text: str, **options: Any) -> Text:
        """Return text without what a terminal would obey."""
        return super().render_str(visible(text), **options)

    def _parts(self, shown: Any) -> Sequence[Any]:
        return blocks(shown, self) if isinstance(shown, Table) else [shown]


def plain(rows: Iterable[tuple[str, ...]], *headings: str) -> Table:
    """Return a table of plain text."""
    table = titled(None)
    for heading in headings:
        table.add_column(heading)
    for row in rows:
        table.add_row(*row)
    return table


def titled(title: str | None) -> Table:
    """Return a table without columns, in the style of all tables."""
    return Table(box=box.SIMPLE_HEAD, title=title, title_justify="left", title_style="bold")


def blocks(table: Table, console: Console) -> list[Table]:
    """Return a table as one or more that fit a console, each with the columns that name a row."""
    columns = [_kept_whole(column) for column in table.columns]
    if not columns or _fits(whole := _part(table, columns), console):
        return [whole] if columns else [table]
    columns = [_heading_broken(column) for column in columns]
    found: list[Table] = []
    keys = columns[: _keys(table, columns, console)]
    block = list(keys)
    for column in columns[len(keys) :]:
        if len(block) > len(keys) and not _fits(_part(table, [*block, column]), console):
            found.append(_part(table, block))
            block = list(keys)
        block.append(column)
    found.append(_part(table, block))
    return list(_framed(found))


def _keys(table: Table, columns: Sequence[Column], console: Console) -> int:
    """Return how many leading columns tell the rows apart; 1 if they leave no room for another."""
    for count in range(1, min(KEYS, len(columns) - 1) + 1):
        rows = list(zip(*(map(_text, column.cells) for column in columns[:count]), strict=True))
        if len(set(rows)) == len(rows):
            beside = (_part(table, [*columns[:count], column]) for column in columns[count:])
            return count if all(_fits(part, console) for part in beside) else 1
    return 1


def _framed(parts: Sequence[Table]) -> Iterator[Table]:
    """Give the title to the first block alone, and the caption to the last."""
    for place, part in enumerate(parts):
        part.title = part.title if place == 0 else None
        part.caption = part.caption if place == len(parts) - 1 else None
        yield part


def _part(table: Table, columns: Sequence[Column]) -> Table:
    made = copy(table)
    made.columns = [replace(column, _index=place) for place, column in enumerate(columns)]
    return made


def _fits(table: Table, console: Console) -> bool:
    bare = copy(table)
    bare.title = bare.caption = None
    unbounded = console.options.update(max_width=UNBOUNDED)
    return console.measure(bare, options=unbounded).minimum <= console.width


def _kept_whole(column: Column) -> Column:
    """Return a column that keeps its width, unless it holds prose: that is wrapped at spaces."""
    lengths = [_length(cell) for cell in column.cells]
    words = max((len(_text(cell).split()) for cell in column.cells), default=0)
    if words < PROSE or column.justify == "right":
        return _wide(column, max([*lengths, _length(column.header)]))
    return replace(column, overflow="fold", min_width=min(NARROW, max(lengths)))


def _heading_broken(column: Column) -> Column:
    """Return a column whose heading is broken at spaces to the width of its cells."""
    if not isinstance(column.header, str) or not column.no_wrap:
        return column
    widest = max((_length(cell) for cell in column.cells), default=1)
    longest = max((len(word) for word in column.header.split()), default=1)
    lines = wrap(column.header, max(widest, longest), break_on_hyphens=False)
    return _wide(replace(column, header="\n".join(lines)), max(widest, longest))


def _wide(column: Column, width: int) -> Column:
    return replace(column, no_wrap=True, overflow="crop", min_width=width)


def _text(cell: RenderableType) -> str:
    if isinstance(cell, str):
        return Text.from_markup(cell).plain
    return cell.plain if isinstance(cell, Text) else ""


def _length(cell: RenderableType) -> int:
    """Return the columns that a cell takes at most."""
    return max((cell_len(line) for line in _text(cell).splitlines()), default=0)


QUICK = 200
"""Resamples of an interval in a terminal's table; pages and ``scores.json`` draw more."""


def means(runs: Mapping[str, Iterable[Row]]) -> Table:
    """Return the mean score of each run, in all and by type of question."""
    from worldquiz.stats.row_scores import scores

    found = [scores(rows, resamples=QUICK) for rows in runs.values()]
    types = sorted({name for each in found for name in each["by_type"]})
    return _by_type(
        "Mean score with its 95 % interval, and the number of questions",
        runs,
        {name: [_mean(each["by_type"].get(name)) for each in found] for name in types},
        map(_mean, found),
    )


def differences(found: Mapping[str, Any], left: str, right: str) -> Iterator[Table | str]:
    """Yield what a comparison of two runs found, and why intervals and p-values are missing."""
    titles = (left, right, "difference", "p", "questions", "worlds")
    blocks = {"Knowledge": found.get("knowledge"), "Mean score": found}
    for what, block in blocks.items():
        if block is not None:
            types = {name: _difference(cell) for name, cell in block["by_type"].items()}
            title = f"{what}: {left} minus {right}, with 95 % intervals"
            yield _by_type(title, titles, types, _difference(block))
    if found["note"]:
        yield found["note"]
        return
    notes: dict[str, list[str]] = {}
    for name, cell in found["by_type"].items():
        notes.setdefault(cell["note"] or "", []).append(name)
    yield from (f"{', '.join(names)}: {note}" for note, names in notes.items() if note)


def _by_type(
    title: str, headings: Iterable[str], types: Mapping[str, Iterable[str]], every: Iterable[str]
) -> Table:
    """Return a table with a row for each type of question, and one for all questions."""
    table = titled(title)
    table.add_column("type")
    for heading in headings:
        table.add_column(heading, justify="right")
    for name, cells in types.items():
        table.add_row(name, *cells)
    table.add_section()
    table.add_row("all", *every)
    return table


def _mean(cell: Mapping[str, Any] | None) -> str:
    """Return a mean score, with its interval and number of questions."""
    if cell is None or "score" not in cell:
        return ""
    asked = cell["counts"]["scored"]
    return f"{decimal(cell['score'])}{_interval(cell['ci']['score'])} ({asked:,})"


def _difference(cell: Mapping[str, Any]) -> list[str]:
    difference = decimal(cell["difference"], sign="+")
    return [
        decimal(cell["left"]), decimal(cell["right"]), f"{difference}{_interval(cell['ci'])}",
        decimal(cell["p"], 3), f"{cell['questions']:,}", f"{cell['worlds']:,}",
    ]  # fmt: skip


def _interval(bounds: Sequence[float] | None) -> str:
    return r" \[{:.2f}, {:.2f}]".format(*bounds) if bounds else ""
