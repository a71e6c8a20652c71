"""Prompts for writing tasks: a view with numbered marks, and words.

A thing is marked where the view shows it clearly and an agent can come near it. The words are the
same whoever asks: two requests with one number differ in their views and in nothing else.

Templates write in a model's place: "Go to the mug.", about marked things drawn at random. They are
asked by the same loop, with the same marks, and read in the same way. The draw follows from the
view and the request's number, so equal requests get equal replies.
"""

from __future__ import annotations

import io
import json
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Any

from worldquiz import rng
from worldquiz.tea.data import Folder, opened, pillow
from worldquiz.tea.kinds.kinds import LABEL, OBJECT, Look, command, key
from worldquiz.tea.kinds.navigation import NAVIGATION
from worldquiz.tea.taskgraph import Word
from worldquiz_scenes.scene import Scene
from worldquiz_scenes.view import Box, Camera, View

LEAST, MOST = 2, 20
"""Marks without which nobody is asked about a view, and marks of one view at most."""
EXAMPLE = "Bring the mug on the desk to the sofa."
"""A command as the model is shown one."""
TEMPLATES = "templates"
"""What a writer is called that is no model."""
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
    """Return the marks of a view: its clear things with labels in `near`, the largest if many."""
    clear = [(thing, seen) for thing, seen in Look(scene, view).clear
             if thing.has_label and thing.id in near]  # fmt: skip
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


def prompt(marks: Sequence[Mark], camera: Camera, number: int, batch: int) -> str:
    """Return the words that go with a view's marked picture; `number` counts requests from 1."""
    listed = "\n".join(f"{mark.number}: {mark.label} {list(mark.box)}" for mark in marks)
    return (
        "This is what a household robot sees. Numbers mark things in the picture, which is "
        f"{camera.width} pixels wide and {camera.height} high. They are, with their boxes "
        f"(x0, y0, x1, y1):\n{listed}\n\n"
        f"Write {batch} tasks for the robot in this home, all different. A task is a short "
        "command in plain English about one of the marked things, which the robot can walk to, "
        f'and perhaps a second one. For example: "{EXAMPLE}" Ask only for what can be done '
        f"with what is there. This is request {number}.\n\n"
        "Reply with one JSON object and nothing else: "
        '{"tasks": [{"command": "the command", "object": the number of the thing that it is '
        'about, "other": the number of the second thing, or null}]}'
    )


def rule_based(view: View, marks: Sequence[Mark], number: int, batch: int) -> str:
    """Return a reply: commands about drawn things, none twice while there are others."""
    draw = rng.child(number, TEMPLATES, view.scene, view.id)
    drawn = draw.sample(list(marks), min(batch, len(marks)))
    drawn += draw.choices(list(marks), k=batch - len(drawn))
    told = [{"command": _worded(mark), "object": mark.number, "other": None} for mark in drawn]
    return json.dumps({"tasks": told})


def _worded(mark: Mark) -> str:
    return command(NAVIGATION.type, NAVIGATION.words, {key(OBJECT, LABEL): Word(mark.label)})
