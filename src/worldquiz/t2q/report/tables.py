"""Tables of scores: what a cell says, which rows are baselines, and tables for a terminal.

A share never stands without its count: ``0.83 (5 of 6)``. The page lays out the same cells. Scores
that only runs with language models have stand in tables of their own.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from textwrap import wrap
from typing import TYPE_CHECKING, Any

from worldquiz.llm.records import Purpose, Status
from worldquiz.runs.folder import MODEL
from worldquiz.t2q.agents.catalog import Role, agents, answerers
from worldquiz.t2q.pipeline import scores
from worldquiz.t2q.scoring import COUNTED, KEYS, Scores
from worldquiz.t2q.store import RunRecord
from worldquiz.t2q.trace import Cause

if TYPE_CHECKING:
    from rich.table import Table

    from worldquiz.t2q.floors import Floor


HEADINGS: Mapping[str, str] = {
    "knowledge": "knowledge",
    "knowledge_ceiling": "knowledge ceiling",
    "tsr": "TSR",
    "eus": "EUS",
    "known": "known",
    "coverage": "coverage",
    "accuracy_answerable": "accuracy on answerable",
    "abstention_precision": "abstention precision",
    "abstention_recall": "abstention recall",
    "overclaim": "false answers",
}
"""What tables call each share."""


_SHORT = {
    "knowledge_ceiling": "ceil-\ning",
    "coverage": "cover-\nage",
    "accuracy_answerable": "acc.\nansw.",
    "abstention_precision": "abst.\nprec.",
    "abstention_recall": "abst.\nrec.",
    "overclaim": "false\nansw.",
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
_COUNT = 5
"""Letters of a count that a terminal table puts on one line: a longer one breaks at its slash."""
_OF_AGENT = ("knowledge_ceiling", "tsr", "coverage")
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
        """Role of the run: that of both its agent and its answerer.

        A run in which either is measured is measured; one of two different baselines is a
        reference.
        """
        roles = {self.agent_role, self.answerer_role}
        if len(roles) == 1:
            return self.agent_role
        return Role.AGENT if Role.AGENT in roles else Role.REFERENCE

    @property
    def agent_role(self) -> Role:
        """Role of the agent; a model is measured, whatever it is called."""
        return Role.AGENT if "agent" in self.models else role(self.agent)

    @property
    def answerer_role(self) -> Role:
        """Role of the answerer; a model is measured, whatever its memory is called."""
        return Role.AGENT if "answerer" in self.models else role(self.answerer)

    def competes(self, key: str) -> bool:
        """Tell whether the run may be best in a share: by its agent, or by its answerer.

        An answerer of which the agent showed next to nothing does not compete.
        """
        if key in _OF_AGENT:
            return self.agent_role is Role.AGENT
        return self.answerer_role is Role.AGENT and self.agent_role is not Role.LOWER


@dataclass(frozen=True, slots=True)
class Tagged:
    """A row as pages and plots know it: by its letter, and by the colour of its place."""

    row: Row
    tag: str
    place: int


def row_of(run: RunRecord, found: Scores) -> Row:
    """Return a run with its scores as a row: models by their names, memories as answerers."""
    models = frozenset(part for part in ("agent", "answerer") if run.manifest[part] == MODEL)
    return Row(run.agent, run.answerer, found, models)


def rows(runs: Iterable[RunRecord]) -> list[Row]:
    """Return runs with their scores as rows of a table."""
    return [row_of(run, scores(run)) for run in runs]


def tables(runs: Iterable[RunRecord]) -> Iterator[Table]:
    """Yield runs beside each other: all shares, `knowledge` by type and level, models' parts."""
    return tables_of_rows(rows(runs))


def tables_of_rows(found: Sequence[Row]) -> Iterator[Table]:
    """Yield the tables of rows."""
    yield scores_table(found)
    yield types_table(found)
    yield levels_table(found)
    yield from model_tables(found)


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
        """The count: "5 of 6"; points to one digit."""
        return f"{round(self.above, 1):.10g} of {self.below:.10g}"

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

    With a group, in the share of one type or level, by its name. Ties share their place; a lone
    competitor wins nothing.
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
    caption = "Knowledge is corrected for guessing; its ceiling is what the agent was shown.\n"
    caption += "Counts stand under the shares. Accuracy is on answerable questions.\n"
    caption += ", ".join(
        f"{sign} {_ROLES[role]}" for role, sign in _SIGNS.items() if role is not Role.AGENT
    )
    caption += "; best bold, second-best underlined" if any(_marks(rows).values()) else ""
    table = plain_table("", [_SHORT.get(key, HEADINGS[key]) for key in KEYS], caption, gap=0)
    table.columns[1].min_width = len(HEADINGS[KEYS[0]])
    marks = _marks(rows)
    for place, row in enumerate(rows):
        cells = [_rich(cell(row.scores, key), marks[key].get(place), intervals) for key in KEYS]
        table.add_row(name_of(row), *cells, style="" if row.role is Role.AGENT else "dim")
    return table


def types_table(rows: Sequence[Row], key: str = "knowledge") -> Table:
    """Return a terminal table of one share per type of question."""
    return _by("by_type", rows, key)


def levels_table(rows: Sequence[Row], key: str = "knowledge") -> Table:
    """Return a terminal table of one share per level."""
    return _by("by_level", rows, key)


FLOOR_KEYS = ("knowledge", "accuracy_answerable", "known")
"""Shares in which lower bounds are told apart."""


def floors_table(found: Sequence[tuple[Floor, Scores]]) -> Table:
    """Return a terminal table of what can be had without knowing."""
    caption = "Earned in these worlds without reading a transcript, or by the first screens\n"
    caption += "alone. Guessers are graded as if an agent had seen all."
    title = "lower bounds"
    table = plain_table(title, [HEADINGS[key] for key in FLOOR_KEYS], caption)
    for floor, scored in found:
        cells = [_rich(cell(scored, key), intervals=True) for key in FLOOR_KEYS]
        table.add_row(f"{floor.agent}\n+ {floor.answerer}", *cells)
    return table


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


def plain_table(title: str, columns: Iterable[str], caption: str | None, *, gap: int = 1) -> Table:
    """Return a terminal table without rows: the run's name, then these columns of numbers.

    One space stands between columns, and `gap` more.
    """
    from rich import box
    from rich.table import Table

    table = Table(
        box=box.SIMPLE_HEAD, title=title or None, caption=caption, title_justify="left",
        caption_justify="left", padding=(0, gap, 0, 0), pad_edge=False, show_edge=False,
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
    count = shown.count.replace(" of ", "/")
    lines = [share, count if len(count) <= _COUNT else count.replace("/", "/\n")]
    if intervals and shown.interval:
        lines.insert(1, "{:.2f}..{:.2f}".format(*shown.interval))
    return "\n".join(lines)


def _escaped(text: str) -> str:
    from rich.markup import escape

    return escape(text)


DOING = {Purpose.ACT: "acting", Purpose.QUIZ: "answering", Purpose.MEMORY: "remembering"}
"""What pages and tables call each purpose."""
_BROKEN = {
    "never shown": "never\nshown",
    "not recalled": "not re-\ncalled",
    "false answer": "false\nanswer",
    "misread": "mis-\nread",
    "unreadable": "unread-\nable",
    "repaired": "re-\npaired",
    "overflow": "over-\nflow",
    "filtered": "fil-\ntered",
}
"""Headings that fit a terminal of 80 columns."""
REASONS = {
    Cause.KNOWN: ("known", "right, and what was recalled settles it"),
    Cause.GUESSED: ("guessed", "right, though what was recalled does not settle it"),
    Cause.EXPLORE: ("never shown", "rightly not answered: to be won by exploring"),
    Cause.REMEMBER: ("not recalled", "wrong: shown, but what was recalled does not settle it"),
    Cause.REASON: ("misread", "wrong: shown and recalled"),
    Cause.OVERCLAIM: ("false answer", "wrong: never shown, answered all the same"),
    Cause.UNREAD: ("unreadable", "wrong: no answer could be read from the reply"),
}
"""What pages and tables call each cause, and what it means."""
BASES = {"exact": "exact", "undecided": "open"}
"""What pages and tables call causes that are known for certain, and those that are not."""


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
    found = [row.scores["attribution"] for row in rows]
    names = [_BROKEN.get(name, name) for name, _ in REASONS.values()]
    caption = "known, guessed and never shown are right, the others wrong"
    if any(each["undecided"] for each in found):
        caption += "; open: the context cannot be read line by line, so 2–5 is at least 2 and at "
        caption += "most 5"
    table = plain_table("why answers are right or wrong", [*names, "known\nby"], caption)
    for row, each in zip(rows, found, strict=True):
        cells = [
            f"{span(each['counts'][cause])}\n{percents(each['shares'][cause])}" for cause in Cause
        ]
        table.add_row(name_of(row), *cells, "\n".join(bases(each)))
    return table


def span(bounds: Sequence[int]) -> str:
    """Return a count by its bounds: "4", or "0–27" where only these are known."""
    low, high = bounds
    return f"{low}" if low == high else f"{low}–{high}"


def percents(bounds: Sequence[float] | None) -> str:
    """Return a share by its bounds in percent, a dash where there is none."""
    if bounds is None:
        return "–"
    low, high = (f"{100 * value:.0f}" for value in bounds)
    return f"{low}%" if low == high else f"{low}–{high}%"


def bases(found: Scores) -> list[str]:
    """Return how many questions of a run have a cause for certain, and how many not: "20 open"."""
    return [f"{found[basis]} {name}" for basis, name in BASES.items() if found[basis]]


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
