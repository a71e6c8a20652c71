"""Runs as pages and tables show them, and sentences on which run leads, and how clearly.

Sentences are about measured runs; baselines give the scale. Two runs are compared on the questions
that both were asked. A difference is called clear only if its 95 % interval (from resampling whole
worlds) is on one side of 0, and its p-value (from exchanging whole worlds between the runs) is
below `ALPHA`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from worldquiz.facts.row import UNREAD, AnswerStatus, Row
from worldquiz.page.html import Drawing, many
from worldquiz.page.labels import decimal
from worldquiz.stats.intervals import Difference, Interval, too_few
from worldquiz.stats.row_scores import NothingShared, both_asked, compare, scores

ALPHA = 0.05
"""Limit below which a p-value is called low."""
TERMS = {"knowledge": "knowledge", "grade": "mean grade"}
LOST = (*UNREAD, AnswerStatus.FAILED)
_FEW = 4
"""Most runs that a sentence names; further ones are only counted."""


@dataclass(frozen=True, slots=True)
class Share:
    """A score of a run with its 95 % interval."""

    value: float
    interval: Interval | None = None
    count: str = ""  # "46 questions about 6 worlds"

    @property
    def short(self) -> str:
        """The score alone."""
        return minus(self.value)

    @property
    def bounds(self) -> str:
        """The interval as text; empty if there is none."""
        return f"[{minus(self.interval[0])}, {minus(self.interval[1])}]" if self.interval else ""

    def __str__(self) -> str:
        return f"{self.short} {self.bounds}".rstrip()


def named_scores(
    document: Mapping[str, Any], names: Mapping[str, tuple[str, str]]
) -> dict[str, Share | None]:
    """Return scores from a document; `names` gives the dotted keys of value and interval, or ""."""
    found: dict[str, Share | None] = {}
    for name, (value, bounds) in names.items():
        score, interval = _at(document, value), _at(document, bounds)
        found[name] = None if score is None else Share(score, tuple(interval or ()) or None)
    return found


def _at(document: Any, keys: str) -> Any:
    for key in keys.split("."):
        document = document.get(key) if isinstance(document, Mapping) else None
    return document


@dataclass(frozen=True, slots=True, kw_only=True)
class PageRun:
    """A run with its data for pages and tables; `page.tables` sets `place` and `key`."""

    name: str
    rows: Sequence[Row]
    kind: str  # "Task2Quiz run": runs of one kind are compared
    world: str = "world"  # a world's name on the page
    bound: str = ""  # "lower-bound", "upper-bound", "reference"; empty if it is measured
    paper: Mapping[str, Share | None] = field(default_factory=dict)
    """The paper's own scores, by their names."""
    about: str = ""  # explains the paper's scores
    made: Mapping[str, str] = field(default_factory=dict)
    """Settings of the run."""
    drawing: Callable[[str], Drawing | None] | None = None
    """Draws a world by its name; gives None if the data are missing."""
    data: Mapping[str, str] = field(default_factory=dict)
    """Digests of the run's data."""
    place: int = 0  # on the page
    key: str = "knowledge"  # in `TERMS`: the score by which its table ranks
    scores: Mapping[str, Any]  # from `stats.row_scores.scores` of its rows

    @property
    def tag(self) -> str:
        """Letters of the run on the page: A, B, ... Z, AA, AB, ..."""
        letters, place = "", self.place
        while place >= 0:
            letters = chr(ord("A") + place % 26) + letters
            place = place // 26 - 1
        return letters

    @property
    def colour(self) -> str:
        """CSS variable of the run's colour; from the ninth run on, colours repeat."""
        return f"--run-{self.place % 8}"

    @property
    def term(self) -> str:
        """Name of the run's score."""
        return TERMS[self.key]

    @property
    def who(self) -> str:
        """Names of the run's agents and answerers."""
        agents = sorted({row.agent for row in self.rows if row.agent})
        names = sorted({row.answerer for row in self.rows})
        return " + ".join(filter(None, (", ".join(agents), ", ".join(names))))

    @property
    def uncounted(self) -> int:
        """Number of graded questions that do not count in knowledge."""
        return sum(row.grade is not None and row.worth is None for row in self.rows)

    @property
    def tokens(self) -> int:
        """Number of tokens in the run's model calls."""
        return sum(row.tokens or 0 for row in self.rows)

    @property
    def value(self) -> float:
        """The run's score, for ranking; a run without one ranks below all others."""
        score = self.share()
        return score.value if score else -9.0

    def share(self, type: str | None = None, key: str = "") -> Share | None:
        """Return the run's score (or the score `key`) over all questions or over one type."""
        cell = self.scores if type is None else self.scores["by_type"].get(type)
        key = key or self.key
        if cell is None or cell[key] is None:
            return None
        bounds, counts, noun = cell["ci"][key], cell["counts"], self.world
        parts = ("counted", "counted_worlds") if key == "knowledge" else ("graded", "worlds")
        asked_, number = (counts[part] for part in parts)
        worlds = too_few(number, noun) or many(number, noun)
        count = f"{many(asked_, 'question')} about {worlds}"
        return Share(cell[key], tuple(bounds) if bounds else None, count)

    def by_type(self) -> dict[str, Share]:
        """Return the run's score for each type of question, and for all questions as "all"."""
        found = {"all": self.share(), **{name: self.share(name) for name in self.scores["by_type"]}}
        return {name: share for name, share in found.items() if share}


def page_run(name: str, rows: Sequence[Row], bounds: Mapping[str, str], **more: Any) -> PageRun:
    """Return a run for pages. `bounds` gives the role of each baseline, such as "lower-bound"."""
    who = {each for row in rows[:1] for each in (row.agent, row.answerer) if each}
    roles = {bounds.get(each, "") for each in who} or {""}
    bound = "" if "" in roles else roles.pop() if len(roles) == 1 else "reference"
    return PageRun(name=name, rows=rows, bound=bound, scores=scores(rows), **more)


def findings(runs: Sequence[PageRun]) -> list[str]:
    """Return the sentences about the runs of one table, the most important first."""
    told = [run for run in runs if run.share()]
    ranked = sorted((run for run in told if not run.bound), key=lambda run: -run.value)
    if not told:
        said = ["No question has a grade."]
    elif not ranked:
        said = [_scale(told)]
    else:
        first, *others = ranked
        score = first.share()
        if others:
            apart = " apart from baselines" if max(run.value for run in told) > first.value else ""
            said = [f"{first.name} has the highest {first.term}{apart}, {score}."]
        else:
            said = [f"{first.name}: {first.term} {score} ({score and score.count})."]
            lower = [run for run in told if run.bound == "lower-bound"]
            others = sorted(lower, key=lambda run: -run.value)[:1]
        said += _leads(first, others)
    scores = [(run.name, score) for run in ranked if (score := run.share())]
    poor = [f"{name} ({score})" for name, score in scores
            if (score.interval or [score.value])[0] <= 0]  # fmt: skip
    if poor and ranked[0].key == "knowledge":  # a guesser has at most 0
        said.append(f"Not clearly above guessing: {_some(poor)}.")
    return [*said, *_strengths(runs), *_lost(runs)]


def compared(left: PageRun, right: PageRun) -> tuple[Difference | None, str]:
    """Return the difference between two runs on shared questions, and why part of it is missing."""
    shared = both_asked(left.data, right.data)
    one, other = ([row for row in run.rows if shared(row.world)] for run in (left, right))
    if not (one and other):
        return None, f"not the same {left.world}s"
    try:
        found = compare(one, other, noun=left.world)
    except NothingShared:
        return None, "no shared question"
    interval = found["ci"] and tuple(found["ci"])
    return Difference(found["difference"], interval, found["p"]), found["note"] or ""


def _leads(first: PageRun, others: Sequence[PageRun]) -> list[str]:
    """Name the runs over which the first run's lead is clear, then those over which it is not."""
    sure, doubtful = list[str](), list[str]()
    for other in others:
        gap, why = compared(first, other)
        if gap and gap.interval and gap.interval[0] > 0 and not clear(gap):
            why = f"p {gap.p:.2f}"
        told = ", ".join(filter(None, (_gap(gap) if gap else "", why)))
        (sure if clear(gap) else doubtful).append(f"{other.name} ({told})")
    said = [f"Its lead over {_some(sure)} is clear."] if sure else []
    return said + ([f"Its lead over {_some(doubtful)} is not clear."] if doubtful else [])


def _strengths(runs: Sequence[PageRun]) -> list[str]:
    """Name the types on which a run scores highest and lowest, if it is the only run."""
    types = [(name, share.value) for name, share in runs[0].by_type().items() if name != "all"]
    if len(runs) > 1 or len({value for _, value in types}) < 2:
        return []
    best, worst = (pick(types, key=lambda each: each[1]) for pick in (max, min))
    return [f"Highest on {best[0]} ({minus(best[1])}), lowest on {worst[0]} ({minus(worst[1])})."]


def _lost(runs: Sequence[PageRun]) -> list[str]:
    """Return, for each run that has replies without an answer, a sentence that counts them."""
    found = []
    for run in runs:
        counts = run.scores["counts"]
        lost = [f"{counts[status]:,} {status}" for status in LOST if counts[status]]
        if lost:
            found.append(f"{run.name}: of {counts['questions']:,} replies, {', '.join(lost)}.")
    return found


def minus(value: float, sign: str = "") -> str:
    """Return a number with two decimals and a typographic minus sign."""
    told = decimal(value, sign=sign)
    return "0.00" if told in ("-0.00", "+0.00") and not sign else told.replace("-", "−")


def clear(found: Difference | None) -> bool:
    """Return whether the left run is clearly above the right run."""
    if found is None or found.interval is None or found.p is None:
        return False
    return found.interval[0] > 0 and found.p < ALPHA


def _scale(bounds: Sequence[PageRun]) -> str:
    """List the baselines' scores by role, for a page with baselines only."""
    said = ["These are baselines only: the scale for your own runs."]
    for role in ("lower-bound", "reference", "upper-bound"):
        some = [f"{run.name} {minus(run.value)}" for run in bounds if run.bound == role]
        if some:
            name = role.replace("-", " ").capitalize()
            said.append(f"{name}{'s' * (len(some) > 1)}: {_some(some)}.")
    return " ".join(said)


def _gap(found: Difference) -> str:
    bounds = found.interval and f" [{minus(found.interval[0])}, {minus(found.interval[1])}]"
    return f"{minus(found.value, '+')}{bounds or ''}"


def _some(names: Sequence[str]) -> str:
    """Return the first few names as text, and how many more there are."""
    more = len(names) - _FEW
    *most, last = [*names[:_FEW], f"{more} more"] if more > 1 else names
    return f"{', '.join(most)} and {last}" if most else last
