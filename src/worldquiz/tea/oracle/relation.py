"""How a thing stands to another: on or under it, or in a direction that everybody agrees on.

A direction is that of the axis along which the boxes of two things are farthest apart, at least
0.15 m and twice as far as along the next. The camera's axes (right, down, ahead) must say the same
as those of somebody at its place who looks the same way with the head upright.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from worldquiz.extras import later
from worldquiz.tea.oracle.solids import turn

if TYPE_CHECKING:
    import numpy as np

    from worldquiz.tea.oracle.eye import Stage
    from worldquiz.tea.oracle.solids import Floats
else:
    np = later("numpy", extra="scene")

REST = 0.03
"""Metres between a thing and what carries it, at most."""
GAP, PLAIN = 0.15, 2.0
"""Metres between two things for one to be beside another; times the next gap that must be."""
LENGTH = 0.002
"""Metres by which lengths may differ."""
_WORDS = (("left of", "right of"), ("above", "below"), ("in front of", "behind"))


class Wrong(Exception):
    """A task whose answer is another, or that is not well-posed."""


def related(stage: Stage, axes: Floats, one: str, two: str) -> str:
    """Return how a thing stands to another; raises `Wrong` where that is not plain."""
    if two in (below := _carried(stage, one)):
        return "on" if below[0] == two else _unplain(one, two)
    if one in (below := _carried(stage, two)):
        return "under" if below[0] == one else _unplain(one, two)
    word = _direction(stage, axes, one, two)
    return word if word == _direction(stage, _upright(axes), one, two) else _unplain(one, two)


def _upright(axes: Floats) -> Floats:
    """Return the axes (right, down, ahead) of one who looks the same way with the head upright."""
    down = np.array([0.0, 0.0, -1.0])
    ahead = axes[:, 2] - (axes[:, 2] @ down) * down
    ahead = ahead / np.linalg.norm(ahead)
    return np.stack([np.cross(down, ahead), down, ahead], axis=1)


def _direction(stage: Stage, axes: Floats, one: str, two: str) -> str:
    """Return where a thing is from another along some axes; raises `Wrong` if not plain."""
    (low, high), (low2, high2) = (reach(stage, axes, each) for each in (one, two))
    gaps = sorted(
        [(float(low2[axis] - high[axis]), _WORDS[axis][0]) for axis in range(3)]
        + [(float(low[axis] - high2[axis]), _WORDS[axis][1]) for axis in range(3)]
    )
    widest, word = gaps[-1]
    across = max(gap for gap, other in gaps if not any(word in p and other in p for p in _WORDS))
    if widest < GAP - LENGTH or widest < PLAIN * across - LENGTH:
        return _unplain(one, two)
    return word


def reach(stage: Stage, axes: Floats, id: str) -> tuple[Floats, Floats]:
    """Return the least and greatest coordinates of a thing's box along some axes."""
    thing = stage.things[id]
    middle = np.array(thing["position"], float) @ axes
    half = np.abs(axes.T @ turn(thing["rotation"])) @ np.array(thing["half"])
    return middle - half, middle + half


def _carried(stage: Stage, id: str) -> list[str]:
    """Return what a thing stands on, its own support first; checks that it lies upon it."""
    found: list[str] = []
    while (support := stage.things[id]["support"]) in stage.things and support not in found:
        upper, lower = stage.corners(id), stage.corners(support)
        apart = (upper.min(axis=0) - lower.max(axis=0) > (0, 0, REST)).any()
        if apart or (upper.max(axis=0) < lower.min(axis=0)).any():
            raise Wrong(f"{id} does not touch {support}, which is to carry it")
        found.append(support)
        id = support
    return found


def _unplain(one: str, two: str) -> str:
    raise Wrong(f"how {one} stands to {two} is not plain")
