"""Prompts and pictures of tasks, and answers written as replies, JSON or text."""

from __future__ import annotations

import json
from functools import lru_cache
from math import atan, degrees, radians, tan
from typing import Any

from worldquiz.tea.data import Folder, cut, opened
from worldquiz.tea.exam.grade import YES_NO, family, shape
from worldquiz.tea.kinds.kinds import (
    Box2,
    Box3,
    Choice,
    Crop,
    Goal,
    Instance,
    Truth,
    Word,
)
from worldquiz.tea.kinds.perception import RELATIONS
from worldquiz_scenes.cameras import FOVY, PITCH
from worldquiz_scenes.episode import png
from worldquiz_scenes.view import Camera

LINE = 3
"""Width of the line of a box, in pixels."""
COLOURS = {"yellow": (255, 210, 0), "cyan": (0, 220, 255), "green": (60, 220, 100)}
"""Colours of the boxes of given objects, in order; an answer's is green."""
_FORMS = {
    "name": '{"answer": "its name in one to three words"}',
    "choice": '{"answer": "one of: %s"}',
    "count": '{"answer": a whole number}',
    "metres": '{"answer": a number of metres}',
    "box2": '{"answer": [x0, y0, x1, y1]}',
    "box3": '{"answer": {"centre": [x, y, z], "size": [x, y, z]}}',
}


def choices(task: Instance) -> tuple[str, ...]:
    """Return the answers that a task offers; empty if it is not a choice."""
    if isinstance(task.truth, Choice):
        return task.truth.among
    if shape(task) != "choice":
        return ()
    return RELATIONS if family(task.type) == "relation" else YES_NO


def whole(task: Instance) -> bool:
    """Return whether a task shows its whole view, rather than only a picture of its object."""
    crops = all(isinstance(told, Crop) for told in task.given.values())
    return family(task.type) != "classification" or not crops


def boxes(task: Instance) -> tuple[tuple[str, Box2], ...]:
    """Return the boxes that a task gives around objects, as pairs of a colour and a box."""
    told = [each for _, each in sorted(task.given.items()) if isinstance(each, Box2)]
    return tuple(zip(COLOURS, told, strict=False))


def crops(task: Instance) -> tuple[Crop, ...]:
    """Return the pictures of single objects that a task shows, as its command numbers them."""
    return tuple(each for _, each in sorted(task.given.items()) if isinstance(each, Crop))


def prompt(task: Instance, camera: Camera) -> str:
    """Return the text of a task's prompt; `camera` took the view.

    If lengths are asked, the prompt states the camera's angle of view, which they depend on. For
    tasks about a person's view, it states the angles of the person's camera.
    """
    parts = [command(task)]
    if boxes(task):
        parts.append("Boxes are drawn in picture 1.")
    if whole(task):
        parts.append(
            f"Picture 1 is {camera.width} pixels wide and {camera.height} high; pixels count from "
            "its upper left corner."
        )
    if shape(task) in ("metres", "box3"):
        parts.append(f"It shows {camera.fovy:g} degrees from top to bottom.")
    return " ".join((*parts, *field(task, camera), form_of_reply(task)))


def form_of_reply(task: Instance) -> str:
    """Return the sentence that states the required form of the reply."""
    form = _FORMS[shape(task)]
    form = form % ", ".join(choices(task)) if "%" in form else form
    return f"Reply with one JSON object and nothing else: {form}"


def command(task: Instance) -> str:
    """Return a task's command with the colours of boxes in place of their coordinates.

    Coordinates would reveal which thing is on the left.
    """
    words = task.command
    for name, box in boxes(task):
        words = words.replace(f"the box {list(box.value)}", f"the {name} box", 1)
    return words


def field(task: Instance, camera: Camera) -> list[str]:
    """Return sentences on a person's angles of view, for tasks about what the person sees."""
    kind = family(task.type)
    if kind not in ("in-view", "person-view"):
        return []
    wide = 2 * degrees(atan(tan(radians(FOVY) / 2) * camera.width / camera.height))
    who, they = ("camera at their eyes", "it shows") if kind == "in-view" else (
        "person's head", "they see")  # fmt: skip
    return [
        f"The {who} is bent {-PITCH:g} degrees down; {they} {wide:.0f} degrees from side to side "
        f"and {FOVY:g} from top to bottom."
    ]


def reply(truth: Truth) -> str:
    """Return a reply, as a model would give it, with an answer."""
    return json.dumps({"answer": plain(truth)})


def plain(truth: Truth) -> Any:
    """Return an answer, or the goal of a walk, as JSON."""
    match truth:
        case Box2():
            return list(truth.value)
        case Box3():
            return {"centre": list(truth.centre), "size": list(truth.size)}
        case Goal():
            return {"thing": truth.thing, "within": truth.within}
        case _:
            return truth.value


def gold(truth: Truth) -> str:
    """Return an answer as text: a word unchanged, a walk's goal in words, any other as JSON."""
    if isinstance(truth, Goal):
        return f"{truth.thing} within {truth.within:g} m"
    return truth.value if isinstance(truth, Word | Choice) else json.dumps(plain(truth))


def pictures(folder: Folder, task: Instance) -> list[bytes]:
    """Return a task's pictures as PNG, in the order of their numbers in its command.

    Raises `RecordError` for a missing picture, `MissingExtra` without Pillow.
    """
    first = [drawn(folder, task.view, boxes(task))] if whole(task) else []
    return first + cut_outs(folder, task)


def cut_outs(folder: Folder, task: Instance) -> list[bytes]:
    """Return the pictures of a task's objects, cut out of views, as PNG."""
    return [cut_out(folder, crop) for crop in crops(task)]


@lru_cache(maxsize=64)
def drawn(folder: Folder, view: str, boxes: tuple[tuple[str, Box2], ...]) -> bytes:
    """Return a view's picture as PNG, with `boxes` (pairs of a colour and a box) drawn in."""
    picture = opened(folder, folder.view[view]).copy()
    for name, box in boxes:
        x0, y0, x1, y1 = box.value
        left, top, right, bottom = max(x0 - LINE, 0), max(y0 - LINE, 0), x1 + LINE, y1 + LINE
        for rows, columns in (
            (slice(top, y0), slice(left, right)), (slice(y1, bottom), slice(left, right)),
            (slice(top, bottom), slice(left, x0)), (slice(top, bottom), slice(x1, right)),
        ):  # fmt: skip
            picture[rows, columns] = COLOURS[name]
    return png(picture)


@lru_cache(maxsize=1024)
def cut_out(folder: Folder, crop: Crop) -> bytes:
    """Return the part of a view's picture within a box, as PNG."""
    return png(cut(opened(folder, folder.view[crop.view]), crop.box))
