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
from collections.abc import Collection
from dataclasses import dataclass

from worldquiz import rng
from worldquiz.tea.data import Folder, opened, pillow
from worldquiz.tea.kinds.kinds import LABEL, OBJECT, Look, command, key
from worldquiz.tea.kinds.perception import NAVIGATION
from worldquiz.tea.taskgraph import Word
from worldquiz_scenes.scene import Scene
from worldquiz_scenes.view import Box, View

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


@dataclass(frozen=True, slots=True)
class Request:
    """One request for tasks."""

    scene: str
    part: str
    number: int  # from 1
    view: View
    marks: tuple[Mark, ...]
    batch: int  # tasks that are asked for

    @property
    def id(self) -> str:
        """Key of its stored reply."""
        return f"{self.scene}/{self.part}/{self.number:04d}"


def marked(folder: Folder, request: Request) -> bytes:
    """Return the view's picture with marks drawn in, as PNG.

    Raises `RecordError`, `MissingExtra`.
    """
    from PIL import ImageDraw, ImageFont

    picture = pillow().fromarray(opened(folder, request.view))
    draw = ImageDraw.Draw(picture)
    font = ImageFont.load_default(max(11, picture.height // 28))
    for mark in request.marks:
        x0, y0, x1, y1 = mark.box
        colour = _COLOURS[mark.number % len(_COLOURS)]
        draw.rectangle((x0, y0, x1 - 1, y1 - 1), outline=colour, width=_LINE)
        _, top, _, bottom = draw.textbbox((0, 0), str(mark.number), font=font)
        above = y0 - bottom - 3
        spot = (x0 + 3, above if above >= 0 else y0 + 2)
        left, top, right, bottom = draw.textbbox(spot, str(mark.number), font=font)
        draw.rectangle((left - 3, top - 2, right + 2, bottom + 2), fill=(0, 0, 0))
        draw.text(spot, str(mark.number), fill=colour, font=font)
    stream = io.BytesIO()
    picture.save(stream, "PNG")
    return stream.getvalue()


def prompt(request: Request) -> str:
    """Return the words that go with the marked picture."""
    camera = request.view.camera
    listed = "\n".join(f"{mark.number}: {mark.label} {list(mark.box)}" for mark in request.marks)
    return (
        "This is what a household robot sees. Numbers mark things in the picture, which is "
        f"{camera.width} pixels wide and {camera.height} high. They are, with their boxes "
        f"(x0, y0, x1, y1):\n{listed}\n\n"
        f"Write {request.batch} tasks for the robot in this home, all different. A task is a short "
        "command in plain English about one of the marked things, which the robot can walk to, "
        f'and perhaps a second one. For example: "{EXAMPLE}" Ask only for what can be done '
        f"with what is there. This is request {request.number}.\n\n"
        "Reply with one JSON object and nothing else: "
        '{"tasks": [{"command": "the command", "object": the number of the thing that it is '
        'about, "other": the number of the second thing, or null}]}'
    )


def rule_based(request: Request) -> str:
    """Return a reply: walks to drawn things, none twice while there are others."""
    draw = rng.child(request.number, TEMPLATES, request.view.scene, request.view.id)
    every, batch = list(request.marks), request.batch
    drawn = draw.sample(every, min(batch, len(every)))
    drawn += draw.choices(every, k=batch - len(drawn))
    told = []
    for mark in drawn:
        words = command(NAVIGATION.type, NAVIGATION.words, {key(OBJECT, LABEL): Word(mark.label)})
        told.append({"command": words, "object": mark.number, "other": None})
    return json.dumps({"tasks": told})
