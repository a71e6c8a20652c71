"""A page about some runs: finding, plot, table, questions, and worlds as drawn.

It is made of rows. Each kind of run stands for itself: two kinds are never compared. The first
score of a kind is, in this order:

    knowledge   the mean of points, where rows have points (`facts.knowledge`)
    known       right answers to answerable questions / all, where some are not answerable: a run
                that always abstains has 0
    score       the mean score

Beside it stand the paper's own scores, which the caller gives, false answers, and how an answerer
scores who reads the questions only.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from math import fsum
from pathlib import Path
from typing import Any

from worldquiz.facts.row import UNREAD, AnswerStatus, Row
from worldquiz.page import asked, plot
from worldquiz.page.canvas import colour
from worldquiz.page.drawing import Drawing, DrawnPicture
from worldquiz.page.findings import Gaps, Share, Side, findings, minus
from worldquiz.page.html import Texts, many, parts, safe
from worldquiz.page.labels import tag
from worldquiz.records import whole_file
from worldquiz.stats.intervals import RESAMPLES, Difference
from worldquiz.stats.row_scores import compare, recall_shares, scores

MOST_LETTERS = 60_000_000
"""Of the drawings on a page; worlds beyond have none."""
_FULL = "the page is full: write one about fewer worlds"
TERMS = {"knowledge": "knowledge", "known": "share known", "score": "mean score"}
EXPLAINED = {
    "knowledge": "Knowledge: the mean of points, corrected for guessing. Who only guesses has 0 at "
    "most, all shown and all right is 1.",
    "known": "Share known: right answers to questions that could be answered, of all questions.",
    "score": "Mean score: the mean over graded questions, 0 to 1.",
}
LOST = (*UNREAD, AnswerStatus.FAILED)


@dataclass(frozen=True, slots=True, kw_only=True)
class PageRun:
    """A run as the page takes it."""

    name: str
    rows: Sequence[Row]
    kind: str = ""  # "Task2Quiz run": runs of one kind are compared
    bound: str = ""  # "lower-bound", "upper-bound", "reference"; empty where it is measured
    paper: Mapping[str, Share | None] = field(default_factory=dict)
    """The paper's own scores, by their names."""
    made: Mapping[str, str] = field(default_factory=dict)
    """How it was made, setting by setting."""
    drawing: Callable[[str], Drawing | None] | None = None
    """Draws a world by its name; None where its data are not there."""


def page_run(name: str, rows: Sequence[Row], bounds: Mapping[str, str], **more: Any) -> PageRun:
    """Return a run as a page takes it. `bounds` are the roles of its baselines."""
    who = {each for row in rows[:1] for each in (row.agent, row.answerer) if each}
    roles = {bounds.get(each, "") for each in who} or {""}
    bound = "" if "" in roles else roles.pop() if len(roles) == 1 else "reference"
    return PageRun(name=name, rows=rows, bound=bound, **more)


@dataclass(frozen=True, slots=True)
class Entry:
    """A run with its scores."""

    run: PageRun
    place: int
    key: str  # of `TERMS`
    scores: Mapping[str, Any]
    shares: Mapping[str, Any]  # as `recall_shares` has them, if any
    rows: Sequence[Row]  # as `key` counts them

    @property
    def name(self) -> str:
        """The run's name."""
        return self.run.name

    @property
    def tag(self) -> str:
        """Its letter."""
        return tag(self.place)

    @property
    def colour(self) -> str:
        """The CSS variable of its colour."""
        return colour(self.place)

    @property
    def who(self) -> str:
        """Agent and answerer, where the run's name does not say them."""
        agents = sorted({row.agent for row in self.rows if row.agent})
        names = sorted({row.answerer for row in self.rows})
        return " + ".join(filter(None, (", ".join(agents), ", ".join(names))))

    @property
    def chance(self) -> float | None:
        """The mean score of an answerer who reads the questions only, None where none is known."""
        known = [row.guess for row in self.rows if row.guess is not None]
        return fsum(known) / len(known) if known else None

    @property
    def tokens(self) -> int:
        """Tokens of the model's calls."""
        return sum(row.tokens or 0 for row in self.rows)

    def share(self, type: str | None = None) -> Share | None:
        """Return its score, in all or of one type of question."""
        cell = self.scores if type is None else self.scores["by_type"].get(type)
        value = "knowledge" if self.key == "knowledge" else "score"
        if cell is None or cell.get(value) is None:
            return None
        bounds, counts = cell["ci"][value], cell["counts"]
        asked_ = counts["counted" if value == "knowledge" else "scored"]
        count = f"{many(asked_, 'question')} about {many(counts['worlds'], 'world')}"
        return Share(cell[value], tuple(bounds) if bounds else None, count)


def build(
    runs: Sequence[PageRun],
    out: Path,
    *,
    losses: Iterable[str] = (),
    resamples: int = RESAMPLES,
) -> Path:
    """Write the page about some runs and return its path; worlds are drawn as they are written.

    `losses` are sentences about questions that failed or are unfinished. Raises `ValueError`
    without runs, `MissingExtra` without jinja2, matplotlib or numpy, `RecordError` where the file
    cannot be written.
    """
    if not runs:
        raise ValueError("a report needs at least one run")
    pieces = _pieces(runs, tuple(losses), resamples)
    with whole_file(out) as stream:
        for piece in pieces:
            stream.write(piece.encode())
    return out


def render(runs: Sequence[PageRun], *, resamples: int = RESAMPLES) -> str:
    """Return the page as HTML: equal rows, equal text."""
    return "".join(_pieces(runs, (), resamples))


def _pieces(runs: Sequence[PageRun], losses: Sequence[str], resamples: int) -> Iterator[str]:
    kinds = dict.fromkeys(run.kind or _benchmark(run) for run in runs)
    groups = [_group(kind, runs, resamples) for kind in kinds]
    entries = sorted((each for some in groups for each in some["entries"]), key=lambda x: x.place)
    worlds, blocks = asked.of_rows({str(place): run.rows for place, run in enumerate(runs)})
    shown = [{"tag": each.tag, "name": each.name, "colour": each.colour} for each in entries]
    values = {
        "title": _title([run.name for run in runs]),
        "groups": groups,
        "entries": entries,
        "losses": losses,
        "drawn": any(run.drawing for run in runs),
        "index": safe(asked.index(worlds, shown)),
        "blocks": _blocks(worlds, blocks, runs),
    }
    return parts("page.html.j2", values, scripts=("page.js",))


def _title(names: Sequence[str]) -> str:
    """Return up to four names; of more, three and the number of the others."""
    few = names if len(names) < 5 else [*names[:3], f"{len(names) - 3} more"]
    return ", ".join(few)


def _benchmark(run: PageRun) -> str:
    return run.rows[0].benchmark if run.rows else ""


def _group(kind: str, runs: Sequence[PageRun], resamples: int) -> dict[str, Any]:
    """Return the runs of one kind with their scores, and what comes out of them."""
    mine = [(n, run) for n, run in enumerate(runs) if (run.kind or _benchmark(run)) == kind]
    rows = [row for _, run in mine for row in run.rows]
    hidden = any(not row.shown and row.score is not None for row in rows)
    key = "score"
    if any(row.points is not None for row in rows):
        key = "knowledge"
    elif hidden:
        key = "known"
    entries = [_entry(place, run, key, hidden, resamples) for place, run in mine]
    entries.sort(key=lambda each: -(share.value if (share := each.share()) else -9))
    measured = [each for each in entries if not each.run.bound] or entries
    types = sorted({name for each in entries for name in each.scores["by_type"]})
    paper = list(dict.fromkeys(name for each in entries for name in each.run.paper))
    chances = any(each.chance is not None for each in entries)
    return {
        "kind": kind,
        "term": TERMS[key],
        "explained": EXPLAINED[key],
        "entries": entries,
        "measured": measured,
        "bounds": [each for each in entries if each not in measured],
        "findings": _findings(entries, key, resamples),
        "types": types,
        "plot": plot.by_type(measured, types, TERMS[key], f"plot{mine[0][0]}"),
        "paper": paper,
        "hidden": hidden,
        "chances": chances,
        "columns": ["run", TERMS[key], *paper, *["false answers"] * hidden, *["chance"] * chances,
                    "questions"],
    }  # fmt: skip


def _entry(place: int, run: PageRun, key: str, hidden: bool, resamples: int) -> Entry:
    rows = run.rows
    if key == "known":  # abstaining earns nothing
        rows = [row if row.shown or row.score is None else replace(row, shown=True, correct=0.0)
                for row in rows]  # fmt: skip
    shares = recall_shares(run.rows, resamples=resamples, always=hidden)
    return Entry(run, place, key, scores(rows, resamples=resamples), shares, rows)


def _findings(entries: Sequence[Entry], key: str, resamples: int) -> list[str]:
    rows = {each.name: each.rows for each in entries}
    sides = [Side(each.name, each.share(), each.run.bound) for each in entries]

    def paired(left: Side, right: Side) -> Gaps:
        return _gaps(rows[left.name], rows[right.name], key, resamples)

    said = findings(sides, paired, TERMS[key], corrected=key == "knowledge")
    return [*said, *_strengths(entries), *_lost(entries)]


def _gaps(left: Sequence[Row], right: Sequence[Row], key: str, resamples: int) -> Gaps:
    """Return how two runs differ on the questions of both, in all and by type."""
    ours = {(row.world, row.type, row.item): row for row in left}
    others = {
        row.world for row in right
        if (own := ours.get((row.world, row.type, row.item)))
        and own.prompt != row.prompt and own.gold != row.gold
    }  # fmt: skip
    sides = [[row for row in side if row.world not in others] for side in (left, right)]
    try:
        found = compare(*sides, resamples=resamples)
    except ValueError:
        return Gaps(why="not the same worlds" if others else "no shared question")
    cell = found["knowledge"] if key == "knowledge" else found
    types = {name: _difference(each) for name, each in cell["by_type"].items()}
    return Gaps(_difference(cell), types, "one world, so no interval")


def _difference(cell: Mapping[str, Any]) -> Difference | None:
    if not cell["ci"]:
        return None
    low, high = cell["ci"]
    return Difference(cell["difference"], low, high, cell["p"])


def _strengths(entries: Sequence[Entry]) -> list[str]:
    """Say on which type of question a run that stands alone is best, and on which worst."""
    if len(entries) > 1:
        return []
    types = [(name, share.value) for name in entries[0].scores["by_type"]
             if (share := entries[0].share(name))]  # fmt: skip
    if len({value for _, value in types}) < 2:
        return []
    best, worst = (pick(types, key=lambda each: each[1]) for pick in (max, min))
    return [f"Most on {best[0]} ({minus(best[1])}), least on {worst[0]} ({minus(worst[1])})."]


def _lost(entries: Sequence[Entry]) -> list[str]:
    """Say how many replies hold no answer, where there are any."""
    found = []
    for each in entries:
        counts = each.scores["counts"]
        lost = [f"{counts[status]:,} {status}" for status in LOST if counts[status]]
        if lost:
            found.append(f"{each.name}, of {counts['questions']:,} replies: {', '.join(lost)}.")
    return found


def _blocks(
    worlds: Sequence[asked.AskedWorld],
    blocks: Sequence[Sequence[Mapping[str, Any]]],
    runs: Sequence[PageRun],
) -> Iterator[Any]:
    """Yield all that the page shows of each world: its questions, and how each run knew it."""
    left = MOST_LETTERS
    for world, questions in zip(worlds, blocks, strict=True):
        texts, drawn = Texts(), {}
        for place in world.signs if left > 0 else ():
            draw = runs[place].drawing
            if draw and (found := draw(world.name)):
                drawn[str(place)] = _drawn(found, texts)
        why = "its data were not found: give their folder with --data" if left > 0 else _FULL
        left -= sum(map(len, texts.table))
        yield safe({"questions": questions, "drawn": drawn, "texts": texts.table, "why": why})


def _drawn(found: Drawing, texts: Texts) -> dict[str, Any]:
    def picture(each: DrawnPicture | None) -> list[Any] | None:
        return [texts(each.uri), each.width, each.height, each.lines] if each else None

    return {
        "svg": texts(found.svg),
        "steps": [
            [each.episode, each.step, texts(each.text), each.shows, each.at, picture(each.picture)]
            for each in found.steps
        ],
        "about": found.about,
        "pictures": {id: list(map(picture, some)) for id, some in found.pictures.items()},
        "legend": found.legend,
    }
