"""Tables of scores: what a cell says, which rows are baselines, and tables for a terminal.

A share never stands without its count: ``0.83 (5 of 6)``. The page lays out the same cells.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from textwrap import wrap
from typing import TYPE_CHECKING, Any, NamedTuple

from worldquiz.runs.folder import MODEL
from worldquiz.t2q.agents.catalog import Role, agents, answerers
from worldquiz.t2q.scoring import COUNTED, KEYS, Scores
from worldquiz.t2q.store import RunRecord

if TYPE_CHECKING:
    from rich.table import Table

HEADINGS: Mapping[str, str] = {
    "tsr": "TSR",
    "eus": "EUS",
    "known": "known",
    "coverage": "coverage",
    "accuracy_answerable": "accuracy on answerable",
    "abstention_precision": "abstention precision",
    "abstention_recall": "abstention recall",
    "overclaim": "over-claim",
}
"""What tables call each share."""


_SHORT = {
    "coverage": "cover-\nage",
    "accuracy_answerable": "accur.\nansw.",
    "abstention_precision": "abst.\nprec.",
    "abstention_recall": "abst.\nrecall",
    "overclaim": "over-\nclaim",
}
"""Headings that fit a terminal of 80 columns."""


_SIGNS = {Role.AGENT: "", Role.LOWER: "▼", Role.UPPER: "▲", Role.REFERENCE: "■"}
_ROLES = {
    Role.AGENT: "measured",
    Role.LOWER: "lower-bound baseline",
    Role.UPPER: "upper-bound baseline",
    Role.REFERENCE: "reference",
}
_NAME = 16
"""Letters of a name that a terminal table puts on one line."""
_OF_AGENT = ("tsr", "coverage")
"""Shares that the agent alone decides; the others are the answerer's too."""


def role(name: str) -> Role:
    """Return what an agent or an answerer is there for, by its name."""
    known = {entry.name: entry.role for entry in (*agents(), *answerers())}
    return known.get(name, Role.AGENT)


@dataclass(frozen=True, slots=True)
class Row:
    """A run in a table."""

    agent: str
    answerer: str
    scores: Scores
    models: frozenset[str] = frozenset()  # which of "agent" and "answerer" a language model was

    @property
    def name(self) -> str:
        """The run's name."""
        return f"{self.agent} + {self.answerer}"

    @property
    def role(self) -> Role:
        """What the run is there for: what its agent and its answerer both are.

        A run in which either is measured is measured; one of two different baselines is a
        reference.
        """
        roles = {self.agent_role, self.answerer_role}
        if len(roles) == 1:
            return self.agent_role
        return Role.AGENT if Role.AGENT in roles else Role.REFERENCE

    @property
    def agent_role(self) -> Role:
        """What the agent is there for; a model is measured, whatever it is called."""
        return Role.AGENT if "agent" in self.models else role(self.agent)

    @property
    def answerer_role(self) -> Role:
        """What the answerer is there for; a model is measured, whatever its memory is called."""
        return Role.AGENT if "answerer" in self.models else role(self.answerer)

    def competes(self, key: str) -> bool:
        """Tell whether the run may be best in a share: by its agent, or by its answerer.

        An answerer of which the agent showed next to nothing does not compete.
        """
        if key in _OF_AGENT:
            return self.agent_role is Role.AGENT
        return self.answerer_role is Role.AGENT and self.agent_role is not Role.LOWER


class Tagged(NamedTuple):
    """A row as plots know it: by its letter, and by the colour of its place on the page."""

    row: Row
    tag: str
    place: int


def row_of(run: RunRecord, found: Scores) -> Row:
    """Return a run with its scores as a row: models by their names, memories as answerers."""
    models = frozenset(part for part in ("agent", "answerer") if run.manifest[part] == MODEL)
    return Row(run.agent, run.answerer, found, models)


@dataclass(frozen=True, slots=True)
class Cell:
    """A share with its count and its interval."""

    value: float | None
    above: float
    below: float
    interval: tuple[float, float] | None

    @property
    def share(self) -> str:
        """The share to two digits, a dash where it is undefined."""
        return "–" if self.value is None else f"{self.value:.2f}"

    @property
    def count(self) -> str:
        """The count: "5 of 6"."""
        return f"{self.above:.10g} of {self.below:.10g}"

    @property
    def bounds(self) -> str:
        """The interval, empty where there is none."""
        return "" if self.interval is None else "[{:.2f}, {:.2f}]".format(*self.interval)

    def __str__(self) -> str:
        return f"{self.share} ({self.count})"


def cell(block: Mapping[str, Any], key: str) -> Cell:
    """Return one share of a block of `Scores` (the whole, a type or a level)."""
    above, below = COUNTED[key]
    bounds = block["ci"].get(key)
    return Cell(
        block[key],
        block["counts"][above],
        block["counts"][below],
        (bounds[0], bounds[1]) if bounds else None,
    )


def podium(
    rows: Sequence[Row], key: str, group: str | None = None, name: str = ""
) -> dict[int, str]:
    """Return which rows are "best" and "second" in a share, among those that compete.

    With a group, in the share of one type or level, by its name. Ties share their place; who
    competes alone wins nothing.
    """
    blocks = [row.scores[group][name] if group else row.scores for row in rows]
    values = {
        place: block[key]
        for place, (row, block) in enumerate(zip(rows, blocks, strict=True))
        if row.competes(key) and block[key] is not None
    }
    order = sorted(set(values.values()), reverse=key != "overclaim")
    if len(order) < 2:
        return {}
    named = {order[0]: "best", order[1]: "second"}
    return {place: named[value] for place, value in values.items() if value in named}


def scores_table(rows: Sequence[Row], *, intervals: bool = False) -> Table:
    """Return a terminal table of every share: one row a run, counts under each."""
    caption = "Under each share its count. Accuracy is on answerable questions.\n"
    caption += ", ".join(
        f"{sign} {_ROLES[role]}" for role, sign in _SIGNS.items() if role is not Role.AGENT
    )
    caption += "; best bold, second-best underlined" if any(_marks(rows).values()) else ""
    table = plain_table("", [_SHORT.get(key, HEADINGS[key]) for key in KEYS], caption)
    marks = _marks(rows)
    for place, row in enumerate(rows):
        cells = [_rich(cell(row.scores, key), marks[key].get(place), intervals) for key in KEYS]
        table.add_row(name_of(row), *cells, style="" if row.role is Role.AGENT else "dim")
    return table


def types_table(rows: Sequence[Row], key: str = "known") -> Table:
    """Return a terminal table of one share per type of question."""
    return _by("by_type", rows, key)


def levels_table(rows: Sequence[Row], key: str = "known") -> Table:
    """Return a terminal table of one share per level."""
    return _by("by_level", rows, key)


def blocks(rows: Iterable[Row], group: str) -> list[str]:
    """Return the types or levels that occur in any run, in order of first occurrence."""
    return list(dict.fromkeys(name for row in rows for name in row.scores[group]))


def _marks(rows: Sequence[Row]) -> dict[str, dict[int, str]]:
    return {key: podium(rows, key) for key in KEYS}


def _by(group: str, rows: Sequence[Row], key: str) -> Table:
    names = blocks(rows, group)
    table = plain_table(HEADINGS[key], names, None)
    for row in rows:
        found = row.scores[group]
        cells = [_rich(cell(found[name], key)) if name in found else "" for name in names]
        table.add_row(name_of(row), *cells)
    return table


def plain_table(title: str, columns: Iterable[str], caption: str | None) -> Table:
    """Return a terminal table without rows: the run's name, then these columns of numbers."""
    from rich import box
    from rich.table import Table

    table = Table(
        box=box.SIMPLE_HEAD, title=title or None, caption=caption, title_justify="left",
        caption_justify="left", padding=(0, 1, 0, 0), pad_edge=False, show_edge=False,
    )  # fmt: skip
    table.add_column("agent\n+ answerer", no_wrap=True)
    for name in columns:
        table.add_column(name, justify="right", overflow="fold")
    return table


def name_of(row: Row) -> str:
    """Return what a terminal table calls a run: baselines with a sign, long names broken."""
    agent, answerer = _escaped(_broken(row.agent)), _escaped(_broken(row.answerer))
    return f"{_SIGNS[row.agent_role]}{agent}\n+ {_SIGNS[row.answerer_role]}{answerer}"


def _broken(name: str) -> str:
    """Break a long name behind slashes, then behind hyphens."""
    if len(name) <= _NAME:
        return name
    parts = name.replace("/", "/\n").splitlines()
    return "\n".join(line for part in parts for line in wrap(part, _NAME))


def _rich(shown: Cell, mark: str | None = None, intervals: bool = False) -> str:
    style = {"best": "bold", "second": "underline"}.get(mark or "")
    share = f"[{style}]{shown.share}[/{style}]" if style else shown.share
    lines = [share, shown.count.replace(" of ", "/")]
    if intervals and shown.interval:
        lines.insert(1, "{:.2f}–{:.2f}".format(*shown.interval))
    return "\n".join(lines)


def _escaped(text: str) -> str:
    from rich.markup import escape

    return escape(text)
