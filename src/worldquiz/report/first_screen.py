"""The first screen of a page: the result in sentences, and doing against knowing as a plot.

The plot has a mark with intervals for each run. It is written as SVG by hand, so that it costs no
library and a few kilobytes. The table below it and its description hold the same numbers.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from html import escape
from typing import Any

from worldquiz.report.findings import Compare, Gaps, Share, Side, Terms, findings
from worldquiz.report.html import markup
from worldquiz.stats.intervals import Interval

WIDTH, HEIGHT = 480, 400
LEFT, RIGHT, TOP, BOTTOM = 46, 14, 12, 42
_MARKS = {
    "agent": '<circle r="5.5"/>',
    "lower-bound": '<path d="M-6 -5H6L0 6Z"/>',
    "upper-bound": '<path d="M-6 5H6L0 -6Z"/>',
    "reference": '<path d="M-5 -5H5V5H-5Z"/>',
}
_SPOTS = (
    (11, -10), (-11, -10), (11, 11), (-11, 11), (0, -15), (0, 16), (19, 0), (-19, 0), (24, -15),
    (-24, -15), (24, 16), (-24, 16), (34, 0), (-34, 0),
)  # fmt: skip
"""Where a mark's letter may stand, off the mark, in px."""
_NEAR = 11  # px: letters and marks closer than this overlap


def first_screen(
    sides: Sequence[Side], compare: Compare, terms: Terms, *, of: str = "", more: Sequence[str] = ()
) -> dict[str, Any]:
    """Return what the template ``top.html.j2`` shows of some runs; each pair is compared once.

    `of` names their benchmark where a page has several; `more` is said behind the findings.
    """
    known: dict[tuple[int, int], Gaps] = {}

    def once(left: Side, right: Side) -> Gaps:
        key = (left.place, right.place)
        if key not in known:
            known[key] = compare(left, right)
        return known[key]

    return {
        "findings": [*findings(sides, once, terms), *((sentence,) for sentence in more)],
        "of": of,
        "plot": markup(plot(sides, terms)),
        "sides": sides,
        "terms": terms,
    }


def plot(sides: Sequence[Side], terms: Terms, *, name: str = "thesis") -> str:
    """Return the plot as one SVG element, empty where no run has both scores."""
    shown = [
        _Point(side, side.doing, side.knowing) for side in sides if side.doing and side.knowing
    ]
    if not shown:
        return ""
    least = _least([point.knowing for point in shown])
    told = "; ".join(point.told(terms) for point in shown)
    return (
        f'<svg class="thesis" xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" '
        f'role="img" aria-labelledby="{name}-title {name}-desc">'
        f'<title id="{name}-title">Doing against knowing</title>'
        f'<desc id="{name}-desc">{escape(f"{terms.doing} from left to right, {terms.knowing} ")}'
        f"upwards, one mark a run with 95 % intervals. {escape(told)}.</desc>"
        f"{''.join(_grid(least, terms))}{''.join(_run(point, least) for point in shown)}"
        f"{''.join(_letters(shown, least))}</svg>"
    )


@dataclass(frozen=True, slots=True)
class _Point:
    """A run that has both scores."""

    side: Side
    doing: Share
    knowing: Share

    def at(self, least: float) -> tuple[float, float]:
        """Return its place in the drawing."""
        return _x(self.doing.value), _y(self.knowing.value, least)

    def told(self, terms: Terms) -> str:
        """Say it in words."""
        return f"{self.side}: {terms.doing} {self.doing}, {terms.knowing} {self.knowing}"


def _least(shares: Sequence[Share]) -> float:
    """Return where the upright axis begins: at 0, or at a fifth below the least bound."""
    values = [bound for each in shares for bound in (each.value, *(each.interval or ()))]
    fifths = min(0, int(min(values) * 5 - (1 if min(values) < 0 else 0)))
    return fifths / 5


def _x(value: float) -> float:
    return LEFT + value * (WIDTH - LEFT - RIGHT)


def _y(value: float, least: float) -> float:
    return TOP + (1 - value) / (1 - least) * (HEIGHT - TOP - BOTTOM)


def _grid(least: float, terms: Terms) -> Iterator[str]:
    bottom = HEIGHT - BOTTOM
    for fifth in range(6):
        at, word = _x(fifth / 5), f"{fifth / 5:g}"
        yield f'<path class="rule" d="M{at:.1f} {TOP}V{bottom}"/>'
        yield f'<text x="{at:.1f}" y="{bottom + 15}" text-anchor="middle">{word}</text>'
    for fifth in range(round(least * 5), 6):
        at, word = _y(fifth / 5, least), f"{fifth / 5:g}".replace("-", "−")
        kind = "rule zero" if fifth == 0 else "rule"
        yield f'<path class="{kind}" d="M{LEFT} {at:.1f}H{WIDTH - RIGHT}"/>'
        yield f'<text x="{LEFT - 7}" y="{at + 3.5:.1f}" text-anchor="end">{word}</text>'
    middle = (LEFT + WIDTH - RIGHT) / 2
    yield f'<text class="axis" x="{middle:g}" y="{HEIGHT - 6}">{escape(terms.doing)} →</text>'
    upright = f"translate(12 {(TOP + bottom) / 2:g}) rotate(-90)"
    yield f'<text class="axis" transform="{upright}">{escape(terms.knowing)} →</text>'


def _run(point: _Point, least: float) -> str:
    """Draw a run: its intervals, then its mark."""
    side, (x, y) = point.side, point.at(least)
    across = _bar(point.doing.interval, lambda low, high: f"M{_x(low):.1f} {y:.1f}H{_x(high):.1f}")
    upright = _bar(
        point.knowing.interval,
        lambda low, high: f"M{x:.1f} {_y(low, least):.1f}V{_y(high, least):.1f}",
    )
    kind = "point" if side.role == "agent" else "point hollow"
    return (
        f'<g class="{kind}" style="--c:var({side.colour})" data-run="{side.place}">'
        f"<title>{escape(f'{side}: {point.doing}, {point.knowing}')}</title>{across}{upright}"
        f'<g transform="translate({x:.1f} {y:.1f})">{_MARKS[side.role]}</g></g>'
    )


def _bar(interval: Interval | None, path: Callable[[float, float], str]) -> str:
    return f'<path class="bar" d="{path(*interval)}"/>' if interval else ""


def _letters(shown: Sequence[_Point], least: float) -> Iterator[str]:
    """Write each mark's letter where it covers no mark and no other letter."""
    marks = [point.at(least) for point in shown]
    taken = list(marks)
    for point, (x, y) in zip(shown, marks, strict=True):
        spots = [(x + dx, y + dy) for dx, dy in _SPOTS if _inside(x + dx, y + dy)]
        free = [_room(spot, taken) for spot in spots]
        best = next((n for n, gap in enumerate(free) if gap >= _NEAR), free.index(max(free)))
        at = spots[best]
        taken.append(at)
        yield f'<text class="letter" x="{at[0]:.1f}" y="{at[1] + 4:.1f}">{point.side.tag}</text>'


def _inside(x: float, y: float) -> bool:
    return LEFT + 6 < x < WIDTH - 6 and 8 < y < HEIGHT - BOTTOM - 4


def _room(spot: tuple[float, float], taken: Sequence[tuple[float, float]]) -> float:
    """Return how far the nearest taken spot is."""
    return min(max(abs(spot[0] - x), abs(spot[1] - y)) for x, y in taken)
