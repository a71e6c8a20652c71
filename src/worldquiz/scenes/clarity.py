"""How clearly a view shows a thing: what a picture settles, and what it leaves open.

A thing in a picture is *clear*, *hidden*, or between the two; whatever depends on a thing in
between is not asked.
"""

from __future__ import annotations

from enum import StrEnum

from worldquiz.scenes.view import Reflection, View

CLEAR_SHARE = 400 / (640 * 480)
"""Of a picture's pixels: what a thing must fill to be clear."""
HIDDEN_SHARE = 40 / (640 * 480)
"""Of a picture's pixels: a thing that fills fewer is as good as not there."""
CLEAR_VISIBLE = 0.5
"""Share of a thing that must not be covered or cut off for it to be clear."""


class Show(StrEnum):
    """How a picture shows a thing."""

    CLEAR = "clear"
    VAGUE = "vague"
    HIDDEN = "hidden"


def shown(view: View, thing: str) -> Show:
    """Return how clearly a view shows a thing, directly."""
    sighting = view.seen.get(thing)
    if sighting is None or sighting.pixels < HIDDEN_SHARE * _area(view):
        return Show.HIDDEN
    big = sighting.pixels >= CLEAR_SHARE * _area(view)
    return Show.CLEAR if big and sighting.visible >= CLEAR_VISIBLE else Show.VAGUE


def reflected(view: View, reflection: Reflection) -> Show:
    """Return how clearly a view shows a thing in a mirror."""
    if reflection.pixels < HIDDEN_SHARE * _area(view):
        return Show.HIDDEN
    return Show.CLEAR if reflection.pixels >= CLEAR_SHARE * _area(view) else Show.VAGUE


def _area(view: View) -> int:
    return view.camera.width * view.camera.height
