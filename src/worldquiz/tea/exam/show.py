"""The pictures of a task as they are shown: the view's with boxes drawn in, then cut-outs."""

from __future__ import annotations

import base64
import io
from collections.abc import Mapping
from typing import Any

from worldquiz.scenes.view import View
from worldquiz.tea.data import Folder
from worldquiz.tea.encode import cut
from worldquiz.tea.exam.words import COLOURS, boxes, crops, whole
from worldquiz.tea.pictures import opened, pillow
from worldquiz.tea.taskgraph import Crop, Instance

LINE = 3
"""Pixels of a box's line, drawn around what it denotes."""


def pictures(folder: Folder, views: Mapping[str, View], task: Instance) -> list[bytes]:
    """Return a task's pictures as PNG, in the order in which its command counts them.

    Raises `RecordError` for a picture that is not there, `MissingExtra` without Pillow.
    """
    first = [drawn(folder, views[task.view], task)] if whole(task) else []
    return first + [cut_out(folder, views[crop.view], crop) for crop in crops(task)]


def drawn(folder: Folder, view: View, task: Instance) -> bytes:
    """Return a view's picture as PNG, with the boxes that a task gives drawn in."""
    picture = pillow().fromarray(opened(folder, view))
    _draw(picture, task)
    return _png(picture)


def cut_out(folder: Folder, view: View, crop: Crop) -> bytes:
    """Return as PNG what a box cuts out of a view's picture."""
    return _png(pillow().fromarray(cut(opened(folder, view), crop.box)))


def uri(png: bytes) -> str:
    """Return a picture as models' providers take it."""
    return "data:image/png;base64," + base64.b64encode(png).decode()


def _draw(picture: Any, task: Instance) -> None:
    from PIL import ImageDraw

    draw = ImageDraw.Draw(picture)
    for name, box in boxes(task):
        x0, y0, x1, y1 = box.value
        around = (x0 - LINE, y0 - LINE, x1 + LINE - 1, y1 + LINE - 1)
        draw.rectangle(around, outline=COLOURS[name], width=LINE)


def _png(picture: Any) -> bytes:
    stream = io.BytesIO()
    picture.save(stream, "PNG")
    return stream.getvalue()
