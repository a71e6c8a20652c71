"""Terminal tables of what only runs with language models have; each of the runs that have it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from worldquiz.facts.knowledge import share
from worldquiz.llm.records import Purpose, Status
from worldquiz.t2q.report.reasons import REASONS
from worldquiz.t2q.report.tables import Row, name_of, plain_table
from worldquiz.t2q.scoring import Scores
from worldquiz.t2q.trace import Cause

if TYPE_CHECKING:
    from rich.table import Table

DOING = {Purpose.ACT: "acting", Purpose.QUIZ: "answering", Purpose.MEMORY: "remembering"}
"""What pages and tables call each purpose."""
_BROKEN = {
    "never shown": "never\nshown",
    "not recalled": "not re-\ncalled",
    "over-claimed": "over-\nclaimed",
    "misread": "mis-\nread",
    "unreadable": "unread-\nable",
    "repaired": "re-\npaired",
    "overflow": "over-\nflow",
    "filtered": "fil-\ntered",
}
"""Headings that fit a terminal of 80 columns."""


def model_tables(rows: Sequence[Row]) -> Iterator[Table]:
    """Yield what the rows have data for: causes, usage, replies, commands, confidence."""
    makers = (
        ("attribution", attribution_table),
        ("usage", usage_table),
        ("replies", replies_table),
        ("commands", commands_table),
        ("calibration", calibration_table),
    )
    for part, make in makers:
        having = [row for row in rows if part in row.scores]
        if having:
            yield make(having)


def attribution_table(rows: Sequence[Row]) -> Table:
    """Return how many graded questions have each cause, with shares."""
    names = [_BROKEN.get(REASONS[cause][0], REASONS[cause][0]) for cause in Cause]
    caption = "known, guessed and never shown are right, the others wrong; exact: where the "
    caption += "context could be read line by line, without an estimate"
    table = plain_table("why answers are right or wrong", [*names, "exact"], caption)
    for row in rows:
        found = row.scores["attribution"]
        cells = [f"{found['counts'][cause]}\n{_percent(found['shares'][cause])}" for cause in Cause]
        cells.append(f"{found['exact']}\n{_percent(share(found['exact'], found['questions']))}")
        table.add_row(name_of(row), *cells)
    return table


def usage_table(rows: Sequence[Row]) -> Table:
    """Return calls, tokens and cost, in all and for each purpose that had calls."""
    columns = ("for", "calls", "prompt\ntokens", "cached", "reply\ntokens", "US\ndollars")
    table = plain_table("usage", columns, None)
    for row in rows:
        used = row.scores["usage"]
        parts = [("all", used)]
        parts += [(name, used["by_purpose"][purpose]) for purpose, name in DOING.items()]
        lines = [_amounts(name, part) for name, part in parts if name == "all" or part["calls"]]
        table.add_row(name_of(row), *("\n".join(column) for column in zip(*lines, strict=True)))
    return table


def replies_table(rows: Sequence[Row]) -> Table:
    """Return how replies could be read, acting and answering."""
    columns = ("when", *(_BROKEN.get(status, status) for status in Status))
    table = plain_table("replies", columns, None)
    for row in rows:
        said = row.scores["replies"]
        read = [f"{said['act'][status]}\n{said['quiz'][status]}" for status in Status]
        table.add_row(name_of(row), "acting\nanswering", *read)
    return table


def commands_table(rows: Sequence[Row]) -> Table:
    """Return what became of commands, and how many turns prompts left out."""
    columns = ("given", "wasted", "refused", "repeated", "tasks\ncut", "turns\nleft out")
    caption = "wasted: the reply held none; repeated: the one before again, with the same answer; "
    caption += "cut: at the step limit; left out: beyond the model's window"
    table = plain_table("commands", columns, caption)
    for row in rows:
        said, done = row.scores["replies"], row.scores["commands"]
        rest = (done["refused"], done["repeated"], done["step_limit"], said["left_out"])
        table.add_row(name_of(row), *map(str, (done["given"], said["wasted"], *rest)))
    return table


def calibration_table(rows: Sequence[Row]) -> Table:
    """Return how far confidences can be trusted."""
    keys = ("confidence", "accuracy", "brier", "ece", "aurc")
    columns = ("answers", "mean\nconfidence", "accuracy", "Brier", "ECE", "AURC")
    table = plain_table("confidence", columns, None)
    for row in rows:
        found = row.scores["calibration"]
        table.add_row(name_of(row), str(found["answers"]), *(f"{found[key]:.3f}" for key in keys))
    return table


def _amounts(name: str, used: Scores) -> tuple[str, ...]:
    return (
        name,
        f"{used['calls']:,}",
        f"{used['input']:,}",
        _percent(used["cached_share"]),
        f"{used['output']:,}",
        "?" if used["cost"] is None else f"{used['cost']:,.2f}",
    )


def _percent(value: float | None) -> str:
    return "–" if value is None else f"{100 * value:.0f} %"
