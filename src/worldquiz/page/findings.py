"""First sentences and the plot of a page: the run with the highest score, how clear its lead is.

Runs are compared two by two on the questions of both. A difference is called clear only where its
95 % interval, which draws whole worlds, lies on one side of 0, and its p-value, which exchanges
whole worlds, is below `ALPHA`: of few worlds an interval may be too narrow, and no p-value is that
low.
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
    types: Mapping[str, Difference | None] = field(default_factory=dict)
    why: str = "no shared question"  # where `score` is None


Compare = Callable[[Side, Side], Gaps]


def findings(
    sides: Sequence[Side], compare: Compare, term: str, *, corrected: bool = False
) -> list[str]:
    """Return what there is to say about some runs, the most important first.

    `term` is what the page calls the score, `corrected` whether a guesser has 0 at most.
    """
    told = [side for side in sides if side.score]
    shown = [side for side in told if not side.bound] or told
    if not shown:
        return ["No question has a grade."]
    ranked = sorted(shown, key=lambda side: -(side.score or Share(0.0)).value)
    if len(ranked) == 1:
        said = [f"{ranked[0]}: {term} {ranked[0].score} ({ranked[0].score.count})."]  # type: ignore[union-attr]
        said += _against_bound(ranked[0], told, compare)
    else:
        said = _leader(ranked, compare, term)
    poor = [side for side in ranked if not side.bound
            and side.score and side.score.interval and side.score.interval[0] <= 0]  # fmt: skip
    if corrected and poor:
        said.append(f"Not clearly above guessing: {_some([f'{x} ({x.score})' for x in poor])}.")
    return said


def minus(value: float, sign: str = "") -> str:
    """Return a number with two digits and a real minus sign."""
    told = decimal(value, sign=sign)
    return "0.00" if told in ("-0.00", "+0.00") and not sign else told.replace("-", "−")


def clear(found: Difference | None) -> bool:
    """Tell whether the left side is clearly above the right one."""
    return found is not None and found.low > 0 and found.p < ALPHA


def _gap(found: Difference, *, sign: str = "+") -> str:
    return f"{minus(found.value, sign)} [{minus(found.low)}, {minus(found.high)}]"


def _against_bound(side: Side, told: Sequence[Side], compare: Compare) -> list[str]:
    """Set the only measured run against the best lower bound on the page."""
    lower = [each for each in told if each.bound == "lower-bound" and each is not side]
    best = max(lower, key=lambda each: each.score.value if each.score else 0.0, default=None)
    found = compare(side, best).score if best else None
    if found is None:
        return []
    doubt = "" if clear(found) else "not clearly "
    return [f"That is {doubt}more than the best lower bound, {best}: {_gap(found)}."]


def _leader(ranked: Sequence[Side], compare: Compare, term: str) -> list[str]:
    """Compare the run with the highest score with each other one, the next best first."""
    first, *others = ranked
    found = {side.name: compare(first, side) for side in others}
    if all(
        gap and gap.value == gap.low == gap.high == 0
        for gap in (each.score for each in found.values())
    ):
        return [f"{_joined([str(x) for x in ranked])} have the same {term}, {first.score}."]
    doubtful = [side for side in others if not clear(found[side.name].score)]
    if doubtful:
        words = _some([f"{side} ({_doubt(found[side.name])})" for side in doubtful])
        said = [f"{first} has the highest {term}, {first.score}. Its lead over {words} is not "
                "clear."]  # fmt: skip
        over = [f"{side} ({_gap(gap)})" for side in others
                if side not in doubtful and (gap := found[side.name].score)]  # fmt: skip
        return [*said, f"It is clearly ahead of {_some(over)}."] if over else said
    second = others[0]
    lead = found[second.name]
    assert lead.score
    said = [f"{first} has the highest {term}, {first.score}. That is {_gap(lead.score, sign='')} "
            f"more than {second} on the same questions."]  # fmt: skip
    if len(others) > 1:
        said.append(f"It is clearly ahead of {_some([str(x) for x in others[1:]])} too.")
    return said + _by_type(lead)


def _doubt(found: Gaps) -> str:
    """Say why a lead is not clear."""
    if found.score is None:
        return found.why
    return _gap(found.score) + (f", p {found.score.p:.2f}" if found.score.low > 0 else "")


def _by_type(found: Gaps) -> list[str]:
    if len(found.types) < 2:
        return []
    ahead = [name for name, each in found.types.items() if clear(each)]
    rest = [name for name in found.types if name not in ahead]
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
