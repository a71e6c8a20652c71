"""First sentences and the plot of a page: the run with the highest score, how clear its lead is.

Sentences are about what is measured; baselines are the scale. Runs are compared two by two on the
questions of both. A difference is called clear only where its 95 % interval, which draws whole
worlds, lies on one side of 0, and its p-value, which exchanges whole worlds, is below `ALPHA`. Of
few worlds there is neither: the difference is told, and that they are too few.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from html import escape
from typing import Any

from worldquiz.page.html import markup
from worldquiz.page.labels import colour, decimal
from worldquiz.stats.intervals import Difference, Interval

ALPHA = 0.05
"""Below it a p-value is called low."""
_FEW = 4
"""Runs or types that a sentence names; of more it tells the number."""


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
        """The interval, empty where there is none."""
        return f"[{minus(self.interval[0])}, {minus(self.interval[1])}]" if self.interval else ""

    def __str__(self) -> str:
        return f"{self.short} {self.bounds}".rstrip()


def named_scores(
    document: Mapping[str, Any], names: Mapping[str, tuple[str, str]]
) -> dict[str, Share | None]:
    """Return scores of a document by names: the dotted keys of value and interval, or ""."""
    found: dict[str, Share | None] = {}
    for name, (value, bounds) in names.items():
        score, interval = _at(document, value), _at(document, bounds)
        found[name] = None if score is None else Share(score, tuple(interval or ()) or None)
    return found


def _at(document: Any, keys: str) -> Any:
    for key in keys.split("."):
        document = document.get(key) if isinstance(document, Mapping) else None
    return document


@dataclass(frozen=True, slots=True)
class Side:
    """A run as sentences know it."""

    name: str
    score: Share | None
    bound: str = ""  # "lower-bound", "upper-bound", "reference"; empty where it is measured

    def __str__(self) -> str:
        return self.name


@dataclass(frozen=True, slots=True)
class Gaps:
    """Difference of two runs, left minus right over the questions of both, in all and by type."""

    score: Difference | None = None
    types: Mapping[str, Difference] = field(default_factory=dict)
    why: str = "no shared question"  # where there is no `score`, or no interval of it


Compare = Callable[[Side, Side], Gaps]


def findings(
    sides: Sequence[Side], compare: Compare, term: str, *, corrected: bool = False
) -> list[str]:
    """Return what there is to say about some runs, the most important first.

    `term` is what the page calls the score, `corrected` whether a guesser has 0 at most.
    """
    told = [side for side in sides if side.score]
    ranked = sorted((side for side in told if not side.bound), key=_value, reverse=True)
    if not ranked:
        return [_scale(told)] if told else ["No question has a grade."]
    if len(ranked) == 1:
        said = [f"{ranked[0]}: {term} {ranked[0].score} ({ranked[0].score.count})."]  # type: ignore[union-attr]
        said += _against_bound(ranked[0], told, compare)
    else:
        said = _leader(ranked, compare, term)
    poor = [side for side in ranked
            if side.score and side.score.interval and side.score.interval[0] <= 0]  # fmt: skip
    if corrected and poor:
        said.append(f"Not clearly above guessing: {_some([f'{x} ({x.score})' for x in poor])}.")
    return said


def minus(value: float, sign: str = "") -> str:
    """Return a number with two digits and a real minus sign."""
    told = decimal(value, sign=sign)
    return "0.00" if told in ("-0.00", "+0.00") and not sign else told.replace("-", "−")


def clear(found: Difference | None) -> bool:
    """Tell whether the left side is clearly above the right one."""
    if found is None or found.interval is None or found.p is None:
        return False
    return found.interval[0] > 0 and found.p < ALPHA


def _value(side: Side) -> float:
    return side.score.value if side.score else 0.0


def _scale(bounds: Sequence[Side]) -> str:
    """Tell what baselines have, role by role, where nothing else is on the page."""
    said = ["Only baselines are here: the scale for runs of your own."]
    for role in ("lower-bound", "reference", "upper-bound"):
        some = [
            f"{side} {side.score.short}" for side in bounds if side.score and side.bound == role
        ]
        if some:
            name = role.replace("-", " ").capitalize()
            said.append(f"{name}{'s' * (len(some) > 1)}: {_some(some)}.")
    return " ".join(said)


def _gap(found: Difference, *, sign: str = "+") -> str:
    bounds = found.interval and f" [{minus(found.interval[0])}, {minus(found.interval[1])}]"
    return f"{minus(found.value, sign)}{bounds or ''}"


def _against_bound(side: Side, told: Sequence[Side], compare: Compare) -> list[str]:
    """Set the only measured run against the best lower bound on the page."""
    best = max((each for each in told if each.bound == "lower-bound"), key=_value, default=None)
    gaps = compare(side, best) if best else Gaps()
    if gaps.score is None:
        return []
    if gaps.score.interval is None:
        return [f"Beside the best lower bound, {best}: {_gap(gaps.score)} ({gaps.why})."]
    doubt = "" if clear(gaps.score) else "not clearly "
    return [f"That is {doubt}more than the best lower bound, {best}: {_gap(gaps.score)}."]


def _leader(ranked: Sequence[Side], compare: Compare, term: str) -> list[str]:
    """Compare the run with the highest score with each other one, the next best first."""
    first, *others = ranked
    found = {str(side): compare(first, side) for side in others}
    known = {name: gaps.score for name, gaps in found.items() if gaps.score}
    if len(known) == len(others) and not any(
        gap.value or (gap.interval and any(gap.interval)) for gap in known.values()
    ):
        return [f"{_joined([str(x) for x in ranked])} have the same {term}, {first.score}."]
    said = [f"{first} has the highest {term}, {first.score}."]
    few = {name: gap for name, gap in known.items() if gap.interval is None}
    over = [f"{_gap(gap)} over {name}" for name, gap in few.items()]
    if over:
        why = found[next(iter(few))].why
        said.append(f"Its lead on the same questions: {_some(over)} ({why}).")
    sure = [name for name, gap in known.items() if clear(gap)]
    doubtful = [name for name in found if name not in sure and name not in few]
    if doubtful:
        words = _some([f"{name} ({_doubt(found[name])})" for name in doubtful])
        said.append(f"Its lead over {words} is not clear.")
        ahead = [f"{name} ({_gap(known[name])})" for name in sure]
        return [*said, f"It is clearly ahead of {_some(ahead)}."] if sure else said
    if sure:
        lead, *rest = sure
        said.append(f"That is {_gap(known[lead], sign='')} more than {lead} on the same questions.")
        if rest:
            said.append(f"It is clearly ahead of {_some(rest)} too.")
        said += _by_type(found[lead])
    return said


def _doubt(found: Gaps) -> str:
    """Say why a lead is not clear."""
    if found.score is None or found.score.interval is None:
        return found.why
    low = found.score.interval[0]
    return _gap(found.score) + (f", p {found.score.p:.2f}" if low > 0 else "")


def _by_type(found: Gaps) -> list[str]:
    """Say on which types of question a lead is clear; of types in few worlds nothing."""
    told = {name: each for name, each in found.types.items() if each.interval}
    if len(told) < 2:
        return []
    ahead = [name for name, each in told.items() if clear(each)]
    rest = [name for name in told if name not in ahead]
    if not ahead:
        return ["The lead is clear on no single type of question."]
    return [f"The lead is clear on {_some(ahead)}" + (f"; not on {_some(rest)}" if rest else "")
            + "."]  # fmt: skip


def _some(names: Sequence[str]) -> str:
    """Name a few, and tell the number of the others."""
    more = len(names) - _FEW
    return _joined([*names[:_FEW], f"{more} more"] if more > 1 else names)


def _joined(names: Sequence[str]) -> str:
    *most, last = names
    return f"{', '.join(most)} and {last}" if most else last


Plotted = tuple[str, int, Mapping[str, Share]]
"""A run's letter, its place, and its scores by type of question."""
DRAWN = 8
"""Runs that a plot has: there are as many colours."""
WIDTH = 420
"""Of a plot, in units of its SVG: so narrow that its letters can be read on a phone."""


def plot(runs: Sequence[Plotted], types: Sequence[str], term: str) -> Any:
    """Draw a dot with its interval for each run and type; "" without any.

    The axis ends at -1, however low an interval reaches.
    """
    runs = runs[:DRAWN]
    types = [name for name in types if any(name in found for *_, found in runs)]
    shares = [share for *_, found in runs for share in found.values()]
    if not shares:
        return ""
    ends = [end for each in shares for end in (each.value, *(each.interval or ()))]
    low: float = max(-1.0, min(0.0, *ends))
    high = 16 + 13 * len(runs)
    left, bottom = 12 + 6 * max(map(len, types)), 6 + high * len(types)

    def at(value: float) -> float:
        return round(left + (WIDTH - left - 14) * (max(low, value) - low) / (1 - low), 1)

    def text(x: float, y: float, words: str, anchor: str = "middle", size: int = 11) -> str:
        return (f'<text x="{x}" y="{y}" text-anchor="{anchor}" font-size="{size}">'
                f"{escape(words)}</text>")  # fmt: skip

    marks = [text((left + WIDTH) / 2, bottom + 28, term)]
    for tick in (each / 4 for each in range(-4, 5) if each / 4 >= low):
        line = "--soft" if tick == 0 else "--line"
        marks.append(f'<path d="M{at(tick)} 0V{bottom}" stroke="var({line})"/>')
        marks.append(text(at(tick), bottom + 13, minus(tick)))
    for row, name in enumerate(types):
        marks.append(text(left - 8, 10 + high * (row + 0.5), name, "end"))
        for number, (tag, place, found) in enumerate(runs):
            if (share := found.get(name)) is None:
                continue
            x, y, ink = at(share.value), high * row + 21 + 13 * number, f"var({colour(place)})"
            if share.interval:
                begin, end = map(at, share.interval)
                marks.append(f'<path d="M{begin} {y}H{end}" stroke="{ink}" stroke-width="1.5"/>')
            marks.append(f'<circle cx="{x}" cy="{y}" r="3" fill="{ink}"/>')
            if len(runs) > 1:
                marks.append(text(x, y - 4, tag, size=8))
    label = f"{term} by type of question with 95 % intervals; the numbers stand below"
    return markup(
        f'<svg viewBox="0 0 {WIDTH} {bottom + 32}" role="img" aria-label="{label}" '
        f'fill="var(--ink)">{"".join(marks)}</svg>'
    )
