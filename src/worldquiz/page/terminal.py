"""Tables of runs and other results for a terminal, always 80 characters wide.

A table has at most seven columns; the report page and `--json` have the others. A column of numbers
keeps its width, so numbers are not broken; columns of names or prose share the rest and wrap.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from textwrap import fill, wrap
from typing import Any

from rich import box
from rich.cells import cell_len
from rich.table import Table
from rich.text import Text

from worldquiz.page.findings import PageRun, Share, minus
from worldquiz.page.labels import decimal, visible
from worldquiz.page.tables import LOST, LOST_EXPLAINED, RunTable, not_counted

WIDTH = 80
"""Width of all output in characters, however wide the terminal is."""
PAPER = 2
"""Number of the paper's own scores in a table; the page has all of them."""
_NUMBER = re.compile(r"([-+−–?.\d].*)?")
_NARROW = 12
"""Least width of a column of names, and most width of a numeric column's heading."""
_GAP = 2
"""Characters between two columns of a table."""


def table(rows: Iterable[Sequence[str]], *headings: str) -> Table:
    """Return a table of plain text. A column is numeric if every cell begins like a number.
    If only the first column is text, it is also wrapped at hyphens.
    """
    cells = [[visible(cell) for cell in row] for row in rows]
    columns = [[row[place] for row in cells] for place in range(len(headings))]
    widths = {
        place: _width(column, headings[place])
        for place, column in enumerate(columns)
        if place and all(map(_NUMBER.fullmatch, column))
    }
    made = Table(box=box.SIMPLE_HEAD, show_edge=False, pad_edge=False, padding=(0, 0, 0, 1))
    for place, heading in enumerate(headings):
        if place in widths:
            name = Text("\n".join(wrap(heading, widths[place])))
            made.add_column(name, justify="right", no_wrap=True)
        else:
            made.add_column(Text(visible(heading)), overflow="fold")
    left = WIDTH - sum(_GAP + width for width in widths.values())
    for row in cells:
        if len(widths) == len(row) - 1:
            row[0] = "\n".join(wrap(row[0], max(left, _NARROW)))
        made.add_row(*map(Text, row))
    return made


def _width(cells: Sequence[str], heading: str) -> int:
    """Return the width of a numeric column; its heading is broken at spaces."""
    longest = max(map(len, heading.split()), default=1)
    return max([min(longest, _NARROW), *map(cell_len, cells)])


def prose(text: str) -> str:
    """Return a sentence wrapped into lines that do not break names or numbers."""
    return fill(text, WIDTH, break_long_words=False, break_on_hyphens=False)


def summary(tables: Sequence[RunTable]) -> Iterator[Any]:
    """Yield the text about runs: findings, their table, a line of baselines, lost points."""
    legend = dict[str, None]()
    for each in tables:
        yield from map(prose, filter(None, (each.apart, *each.findings)))
        yield scores(each.measured, each.paper[:PAPER])
        if each.bounds:
            told = ", ".join(f"{run.name} {minus(run.value)}" for run in each.bounds)
            yield prose(f"Baselines, {each.term}: {told}.")
        if len(each.measured) == 1 and len(each.types) > 1:
            yield _by_type(each.measured[0])
        about = each.measured[0].about
        legend |= dict.fromkeys((each.explained, each.uncounted, MORE_EXPLAINED, about))
        lost = [(run.name, *cells) for run, cells in each.lost if run in each.measured]
        if lost:
            yield "Where the points went"
            yield table(lost, "run", "knowledge", *LOST.values())
            legend[LOST_EXPLAINED] = None
    yield from map(prose, filter(None, legend))


def scores(runs: Sequence[PageRun], paper: Sequence[str] = ()) -> Table:
    """Return the table of main scores; `paper` names the paper's own scores to add."""
    rows = (
        (
            run.name,
            *_first(run),
            *(_short(run.paper.get(name)) for name in paper),
            _asked(run.scores),
        )
        for run in runs
    )
    return table(rows, "run", runs[0].term, *_MORE.values(), *paper, "questions")


_MORE = {"ceiling": "ceiling", "false_answers": "false answers"}
MORE_EXPLAINED = (
    "Ceiling: the knowledge of an answerer that knows everything the agent was shown. False "
    "answers: share of the questions about things never shown that were answered anyway."
)


def _by_type(run: PageRun) -> Table:
    cells = run.scores["by_type"].items()
    rows = ((name, *_first(run, name), _asked(cell)) for name, cell in cells)
    return table(rows, "type", run.term, *_MORE.values(), "questions")


def _first(run: PageRun, type: str | None = None) -> Iterator[str]:
    yield str(run.share(type) or "–")
    yield from (_short(run.share(type, key)) for key in _MORE)


def _short(share: Share | None) -> str:
    return share.short if share else "–"


def _asked(cell: Mapping[str, Any]) -> str:
    return f"{cell['counts']['questions']:,}"


def usage(run: str, used: Mapping[str, Any]) -> str:
    """Return a sentence on a run's model calls, tokens and cost."""
    cost = "unknown cost" if used["cost"] is None else f"${used['cost']:,.2f}"
    purposes = used.get("by_purpose", {}).items()
    parts = [f"{name} {part['calls']:,}" for name, part in purposes if part["calls"]]
    split = f" ({', '.join(parts)})" if len(parts) > 1 else ""
    return prose(
        f"{run}: {used['calls']:,} calls of the model{split}, {used['input']:,} tokens of prompts, "
        f"{used['output']:,} of replies, {cost}."
    )


def differences(found: Mapping[str, Any], left: str, right: str) -> Iterator[Any]:
    """Yield the tables of a comparison, and notes on why intervals or p-values are missing."""
    for name, block in {found["score"]: found, "grade": found["grade"]}.items():
        yield prose(f"{NAMES[name]}: {left} minus {right}, with 95 % intervals")
        rows = [(type, *_difference(cell)) for type, cell in block["by_type"].items()]
        yield table([*rows, ("all", *_difference(block))], *_COMPARED)
    if told := not_counted(found["grade"]["questions"] - found["questions"]):
        yield prose(told)
    if found["note"]:
        yield found["note"]
        return
    notes: dict[str, list[str]] = {}
    for name, cell in found["by_type"].items():
        notes.setdefault(cell["note"] or "", []).append(name)
    yield from (prose(f"{', '.join(some)}: {note}") for note, some in notes.items() if note)


NAMES = {
    "knowledge": "Knowledge",
    "grade": "Mean grade (abstaining from what was not shown is right)",
}
"""Titles of the scores by which runs are compared."""
_COMPARED = ("type", "first", "second", "difference", "p", "questions", "worlds")


def _difference(cell: Mapping[str, Any]) -> list[str]:
    bounds = " [{:.2f}, {:.2f}]".format(*cell["ci"]) if cell["ci"] else ""
    p = "<0.001" if cell["p"] and cell["p"] < 0.001 else decimal(cell["p"], 3)
    return [
        decimal(cell["left"]), decimal(cell["right"]),
        f"{decimal(cell['difference'], sign='+')}{bounds}",
        p, f"{cell['questions']:,}", f"{cell['worlds']:,}",
    ]  # fmt: skip
