"""Tables for a terminal: one that is too wide becomes several, one under the other.

A number is never broken: a column of numbers or names keeps its width, only a column of prose is
wrapped, at spaces. Where columns do not fit, headings are broken at spaces first; then the table is
laid out in blocks that repeat the columns that tell its rows apart.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from copy import copy
from dataclasses import replace
from textwrap import wrap
from typing import Any, TypeVar

from rich import box
from rich.cells import cell_len
from rich.console import Console, RenderableType
from rich.markup import escape
from rich.table import Column, Table
from rich.text import Text

from worldquiz.facts.knowledge import CAUSES, Bounds
from worldquiz.facts.row import Cause, Row
from worldquiz.page.labels import decimal, visible

T = TypeVar("T")
PROSE = 5
"""Words in a cell that make a column prose."""
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
        for each in objects or ("",):
            for part in blocks(each, self) if isinstance(each, Table) else [each]:
                super().print(part, **options)

    def render_str(self, text: str, **options: Any) -> Text:
        """Return text without what a terminal would obey."""
        return super().render_str(visible(text), **options)


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
    columns = [_sized(column) for column in table.columns]
    parts = [columns]
    if columns and _width(columns) > console.width:
        columns = [_sized(column, break_heading=True) for column in table.columns]
        keys = _keys(columns, console.width)
        parts = [keys]
        for column in columns[len(keys) :]:
            if len(parts[-1]) > len(keys) and _width([*parts[-1], column]) > console.width:
                parts.append(keys)
            parts[-1] = [*parts[-1], column]
    found = []
    for number, part in enumerate(parts, start=1):
        made = copy(table)
        made.columns = [replace(column, _index=place) for place, column in enumerate(part)]
        made.title = table.title if number == 1 else None
        made.caption = table.caption if number == len(parts) else None
        found.append(made)
    return found


def _keys(columns: Sequence[Column], width: int) -> list[Column]:
    """Return the leading columns that tell rows apart; one if they leave no room for another."""
    for count in range(1, min(KEYS, len(columns) - 1) + 1):
        rows = list(zip(*(map(_text, column.cells) for column in columns[:count]), strict=True))
        if len(set(rows)) == len(rows):
            room = all(_width([*columns[:count], each]) <= width for each in columns[count:])
            return [*columns[: count if room else 1]]
    return [*columns[:1]]


def _sized(column: Column, *, break_heading: bool = False) -> Column:
    """Return a column that keeps its width, unless it holds prose: that is wrapped at spaces.

    Its heading may be broken at spaces to the width of its cells.
    """
    cells, header = [_text(cell) for cell in column.cells], _text(column.header)
    widest = max((cell_len(line) for cell in cells for line in cell.splitlines()), default=0)
    if column.justify != "right" and any(len(cell.split()) >= PROSE for cell in cells):
        return replace(column, overflow="fold", min_width=min(NARROW, widest))
    if break_heading:
        longest = max((len(word) for word in header.split()), default=1)
        header = "\n".join(wrap(header, max(1, widest, longest), break_on_hyphens=False))
    width = max([widest, *map(cell_len, header.splitlines())])
    return replace(column, header=Text(header), no_wrap=True, overflow="crop", min_width=width)


def _width(columns: Sequence[Column]) -> int:
    """Return the columns of a terminal that a table of these takes at least."""
    return sum(max(column.min_width or 0, 1) + 3 for column in columns) + 1


def _text(cell: RenderableType) -> str:
    if isinstance(cell, str):
        return Text.from_markup(cell).plain
    return cell.plain if isinstance(cell, Text) else ""


def other_data(table: Iterable[str], others: Iterable[str], noun: str) -> str:
    """Return what is said beside a table of runs; `others`, on other data, stand in another one."""
    told = ", ".join(table), ", ".join(others)
    return f"{told[0]}: not compared with {told[1]}, made on other data: no {noun} is the same."


def comparable(
    runs: Iterable[T], about: Callable[[T], tuple[str, Mapping[str, str]]]
) -> list[list[T]]:
    """Return runs by table: of one kind, and each on data that the first one's are part of.

    `about` tells a run's kind, and the digests of its data.
    """
    from worldquiz.stats.row_scores import shares_data

    tables: list[list[T]] = []
    for run in runs:
        kind, data = about(run)
        for table in tables:
            other, theirs = about(table[0])
            if kind == other and shares_data(data, theirs):
                table.append(run)
                break
        else:
            tables.append([run])
    return tables


def means(runs: Mapping[str, Iterable[Row]]) -> Table:
    """Return the knowledge of each run, in all and by type of question, and its false answers.

    Where no guess is known, the mean grade stands in its place.
    """
    from worldquiz.stats.row_scores import scores

    found = [scores(rows) for rows in runs.values()]
    key = "grade" if all(each["knowledge"] is None for each in found) else "knowledge"
    types = sorted({name for each in found for name in each["by_type"]})
    table = _by_type(
        f"{NAMES[key]} with its 95 % interval, and the number of questions",
        runs,
        {name: [_mean(each["by_type"].get(name), key) for each in found] for name in types},
        (_mean(each, key) for each in found),
    )
    if any(each["false_answers"] is not None for each in found):
        shares = (decimal(each["false_answers"]) for each in found)
        table.add_row("false answers", *shares)
    return table


NAMES = {"knowledge": "Knowledge", "grade": "Mean grade"}
"""The scores that runs are compared by, as titles have them."""
COUNTS = {"knowledge": "counted", "grade": "graded"}
"""The count of questions that each is of."""


def differences(found: Mapping[str, Any], left: str, right: str) -> Iterator[Table | str]:
    """Yield what a comparison of two runs found, and why intervals and p-values are missing."""
    titles = (left, right, "difference", "p", "questions", "worlds")
    blocks = {found["score"]: found, "grade": found["grade"]}
    for name, block in blocks.items():
        types = {type: _difference(cell) for type, cell in block["by_type"].items()}
        title = f"{NAMES[name]}: {left} minus {right}, with 95 % intervals"
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


def _mean(cell: Mapping[str, Any] | None, key: str) -> str:
    """Return a score, with its interval and number of questions."""
    if cell is None or cell[key] is None:
        return ""
    return f"{decimal(cell[key])}{_interval(cell['ci'][key])} ({cell['counts'][COUNTS[key]]:,})"


def _difference(cell: Mapping[str, Any]) -> list[str]:
    difference = decimal(cell["difference"], sign="+")
    return [
        decimal(cell["left"]), decimal(cell["right"]), f"{difference}{_interval(cell['ci'])}",
        decimal(cell["p"], 3), f"{cell['questions']:,}", f"{cell['worlds']:,}",
    ]  # fmt: skip


def _interval(bounds: Sequence[float] | None) -> str:
    return r" \[{:.2f}, {:.2f}]".format(*bounds) if bounds else ""


LOST = {
    Cause.EXPLORE: "not explored",
    Cause.MEMORY: "lost by memory",
    Cause.UNREAD: "no readable answer",
    Cause.MISREAD: "misread",
}
LOST_EXPLAINED = (
    "Shares of all points, which add up to 1.00. Not explored: the agent was not shown it. Lost by "
    "memory: shown, and not handed over. Misread: handed over, and not answered or answered "
    "wrongly. Two numbers (at least..at most): the memory hands over prose, so it may be either."
)


def lost_cells(lost: Mapping[str, Bounds]) -> list[str]:
    """Return knowledge and each cause's share of the points, in hundredths that add up to 1.

    `lost` is as `facts.knowledge.lost_points` gives it; of nothing there are no cells.
    """
    if not lost:
        return []
    least = [lost[cause][0] for cause in CAUSES]
    either = lost[Cause.MEMORY][1] - lost[Cause.MEMORY][0]
    *known, open_ = _hundredths(1 - sum(least) - either, [*least, either])
    told = [f"{each / 100:.2f}" for each in known]
    for place, cause in enumerate(CAUSES, start=1):
        if open_ and cause in (Cause.MEMORY, Cause.MISREAD):
            told[place] += f"..{(known[place] + open_) / 100:.2f}"
    return told


def _hundredths(knowledge: float, lost: list[float]) -> list[int]:
    """Round to hundredths: knowledge to the nearest, the others up or down, so that all add up."""
    exact = [100 * each for each in lost]
    found = [int(each + 1e-9) for each in exact]
    first = round(100 * knowledge)
    short = 100 - first - sum(found)
    by_rest = sorted(range(len(lost)), key=lambda place: found[place] - exact[place])
    for place in by_rest[:short]:
        found[place] += 1
    return [first, *found]


def lost_table(runs: Mapping[str, Mapping[str, Bounds]]) -> Table:
    """Return where the points of runs went, by the runs' names."""
    found = titled("Where the points went")
    found.caption, found.caption_justify = LOST_EXPLAINED, "left"
    found.add_column("run")
    for name in ("knowledge", *LOST.values()):
        found.add_column(name, justify="right")
    for name, lost in runs.items():
        found.add_row(escape(name), *lost_cells(lost))
    return found
