"""What a model is told when it is to write tasks.

The words are the same whoever asks: of two requests with one number they differ in what the view
shows, and in nothing else.
"""

from __future__ import annotations

from collections.abc import Sequence

from worldquiz.scenes.view import Camera
from worldquiz.tea.written.marks import Mark

EXAMPLE = "Bring the mug on the desk to the sofa."
"""A command as the model is shown one."""


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
