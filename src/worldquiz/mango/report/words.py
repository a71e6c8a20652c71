"""Words beside lines: the moves that a line's direction does not tell, where nothing is in the way.

They stand near the end that they leave, clear of boxes, of their own line and of other words.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from worldquiz.mango.report.edge_routing import Box, Curve, Point

LETTER = 6.3  # mean width in px of a letter of 10 px
_ASCENT, _DESCENT = 9.0, 3.0
_CLEAR = 2.0  # px that words keep from lines of others, where there is room


@dataclass(frozen=True, slots=True)
class Words:
    """Some moves' words and where they stand."""

    edges: tuple[int, ...]
    texts: tuple[str, ...]
    x: float
    y: float  # of the baseline
    anchor: str

    @property
    def box(self) -> Box:
        """The room that they take."""
        width = LETTER * len(", ".join(self.texts))
        left = {"start": 0.0, "middle": -0.5, "end": -1.0}[self.anchor] * width
        middle = self.y + (_DESCENT - _ASCENT) / 2
        return Box(self.x + left + width / 2, middle, width, _ASCENT + _DESCENT)


def beside(
    curve: Curve,
    moves: Sequence[int],
    texts: Sequence[str],
    *,
    below: bool,
    farthest: float,
    boxes: Sequence[Box],
    courses: Sequence[Point],
) -> Words | None:
    """Return words near a curve's start, None where no free spot is found up to a share of it.

    Spots that are off all courses of lines come before those that are only off its own.
    """
    own, second = curve.points(), None
    for spot in _spots(curve, below, farthest):
        words = Words(tuple(moves), tuple(texts), *spot)
        room = words.box
        if any(_overlap(room, box) for box in boxes) or any(map(room.holds, own)):
            continue
        if not any(room.holds(point, _CLEAR) for point in courses):
            return words
        second = second or words
    return second


def _spots(curve: Curve, below: bool, farthest: float) -> Iterator[tuple[float, float, str]]:
    """Yield places for words and how they are anchored there, the nearest first."""
    share = 0.04
    while share <= farthest:
        x, y = curve.at(share)
        ahead: Point = curve.at(min(1.0, share + 0.1))
        first = "start" if ahead[0] >= x - 1 else "end"
        for anchor in (first, "end" if first == "start" else "start"):
            shift = 6 if anchor == "start" else -6
            heights = (11.0, -4.0, 3.5) if below else (-4.0, 11.0, 3.5)
            for height in heights:
                yield x + shift, y + height, anchor
        for height in (13.0, -6.0) if below else (-6.0, 13.0):
            yield x, y + height, "middle"
        share += 0.08


def _overlap(one: Box, other: Box) -> bool:
    return (
        abs(one.x - other.x) < (one.width + other.width) / 2 + 1
        and abs(one.y - other.y) < (one.height + other.height) / 2 + 1
    )
