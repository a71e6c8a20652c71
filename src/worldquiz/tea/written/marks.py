"""Numbered marks: what a model is shown of a view, and what it can write tasks about.

A thing is marked where the view shows it clearly and an agent can come near it.
"""

from __future__ import annotations

import io
from collections.abc import Collection
from dataclasses import dataclass
from typing import Any

from worldquiz.scenes.scene import Scene
from worldquiz.scenes.view import Box, View
from worldquiz.tea.data import Folder
from worldquiz.tea.kinds.kinds import Look
from worldquiz.tea.pictures import opened, pillow

LEAST, MOST = 2, 20
"""Marks without which nobody is asked about a view, and marks of one view at most."""
_COLOURS = (
    (255, 210, 0), (0, 220, 255), (255, 110, 200), (120, 255, 90), (255, 140, 40), (190, 160, 255),
)  # fmt: skip
_LINE = 2  # px


@dataclass(frozen=True, slots=True)
class Mark:
    """A thing with its number in a view."""

    number: int  # from 1, from left to right
    thing: str
    label: str
    box: Box


def marks(scene: Scene, view: View, near: Collection[str]) -> tuple[Mark, ...]:
    """Return the marks of a view: its clear things that are in `near`, the largest if many."""
    clear = [(thing, seen) for thing, seen in Look(scene, view).clear if thing.id in near]
    largest = sorted(clear, key=lambda pair: (-pair[1].pixels, pair[0].id))[:MOST]
    ordered = sorted(largest, key=lambda pair: (pair[1].box, pair[0].id))
    return tuple(
        Mark(number, thing.id, thing.label, seen.box)
        for number, (thing, seen) in enumerate(ordered, start=1)
    )


def marked(folder: Folder, view: View, drawn: tuple[Mark, ...]) -> bytes:
    """Return a view's picture with marks drawn in, as PNG. Raises `RecordError`, `MissingExtra`."""
    picture = pillow().fromarray(opened(folder, view))
    _draw(picture, drawn)
    stream = io.BytesIO()
    picture.save(stream, "PNG")
    return stream.getvalue()


def _draw(picture: Any, drawn: tuple[Mark, ...]) -> None:
    from PIL import ImageDraw, ImageFont

    draw = ImageDraw.Draw(picture)
    font = ImageFont.load_default(max(11, picture.height // 28))
    for mark in drawn:
        x0, y0, x1, y1 = mark.box
        colour = _COLOURS[mark.number % len(_COLOURS)]
        draw.rectangle((x0, y0, x1 - 1, y1 - 1), outline=colour, width=_LINE)
        _, top, _, bottom = draw.textbbox((0, 0), str(mark.number), font=font)
        above = y0 - bottom - 3
        spot = (x0 + 3, above if above >= 0 else y0 + 2)
        left, top, right, bottom = draw.textbbox(spot, str(mark.number), font=font)
        draw.rectangle((left - 3, top - 2, right + 2, bottom + 2), fill=(0, 0, 0))
        draw.text(spot, str(mark.number), fill=colour, font=font)
