"""Things with a recognisable pattern, on which people agree.

A thing *wears* a pattern if the pattern covers most of it, seen from above and from its four sides.
A pattern on a part only, such as the checked seat of a chair, leaves room for doubt, and so do
things that look striped by their shape, such as a radiator. A pattern is *plain* in a picture where
the thing fills a square of `SIDE` pixels: a striped spine of 15 pixels may as well be a row of
books.
"""

from __future__ import annotations

from functools import lru_cache
from itertools import product

from worldquiz_scenes.geometry import Extent, extent, half_of, solid
from worldquiz_scenes.scene import Pattern, Thing
from worldquiz_scenes.view import Show, View, shown

SIDE = 32 / 480
"""Of a picture's height: a square of such sides must be filled for a pattern to be plain."""
MOST = 0.6
"""Share of a thing's surface that a pattern must cover for the thing to wear it."""
ALIKE: dict[str, Pattern] = {
    "basket": Pattern.STRIPES, "curtain": Pattern.STRIPES, "floor lamp": Pattern.STRIPES,
    "piano": Pattern.STRIPES, "picture": Pattern.CHECKS, "radiator": Pattern.STRIPES,
    "shoe rack": Pattern.STRIPES, "table lamp": Pattern.STRIPES,
}  # fmt: skip
"""Labels of things whose shape or image looks like a pattern: slats, folds, fields of colour."""
_GRID = 12
"""Points along each edge of a side at which it is told which part lies foremost."""
_SIDES = ((2, 1), (0, 1), (0, -1), (1, 1), (1, -1))
"""The axis that a thing is looked at along, and its sign: from above, and from four sides."""


def wears(thing: Thing, pattern: Pattern) -> bool:
    """Tell whether a pattern covers most of a thing."""
    return covered(thing, pattern) >= MOST


def doubtful(thing: Thing, pattern: Pattern) -> bool:
    """Tell whether people may differ on whether a thing has a pattern."""
    return ALIKE.get(thing.label) is pattern or 0 < covered(thing, pattern) < MOST


def pattern_shown(view: View, thing: Thing) -> Show:
    """Return how clearly a view shows the pattern that a thing wears."""
    show = shown(view, thing.id)
    if show is not Show.CLEAR:
        return show
    side = SIDE * view.camera.height
    seen = view.seen[thing.id]
    x0, y0, x1, y1 = seen.box
    plain = min(x1 - x0, y1 - y0) >= side and seen.pixels >= side**2
    return Show.CLEAR if plain else Show.VAGUE


@lru_cache(maxsize=4096)
def covered(thing: Thing, pattern: Pattern) -> float:
    """Return the share of a thing's surface that a pattern covers, 0..1.

    The surface is what is foremost from above and from the four sides; parts count as their boxes.
    """
    if all(part.paint.pattern is not pattern for part in thing.parts):
        return 0.0
    boxes = [
        (extent(solid(part.at, half_of(part.shape, part.size), part.turn)),
         part.paint.pattern is pattern)
        for part in thing.parts
    ]  # fmt: skip
    sides = [_side(boxes, axis, sign) for axis, sign in _SIDES]
    whole = sum(area for area, _ in sides)
    return sum(own for _, own in sides) / whole if whole else 0.0


def _side(boxes: list[tuple[Extent, bool]], axis: int, sign: int) -> tuple[float, float]:
    """Return the area of one side, in square metres, and how much of it the pattern covers."""
    across, up = (each for each in range(3) if each != axis)
    low = [min(box.low[each] for box, _ in boxes) for each in (across, up)]
    high = [max(box.high[each] for box, _ in boxes) for each in (across, up)]
    cell = (high[0] - low[0]) * (high[1] - low[1]) / _GRID**2
    found = []
    for i, j in product(range(_GRID), repeat=2):
        u = low[0] + (i + 0.5) / _GRID * (high[0] - low[0])
        v = low[1] + (j + 0.5) / _GRID * (high[1] - low[1])
        there = [
            (box.high[axis] if sign > 0 else -box.low[axis], own)
            for box, own in boxes
            if box.low[across] <= u <= box.high[across] and box.low[up] <= v <= box.high[up]
        ]
        if there:
            found.append(max(there)[1])
    return cell * len(found), cell * sum(found)
