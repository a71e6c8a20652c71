"""Small tasks by hand, with pictures, for tests of what is exported of them."""

from __future__ import annotations

import io

from PIL import Image

from views import view as seen_from
from worldquiz.tea.export.tasks import ExportedTask
from worldquiz.tea.taskgraph import (
    Box2,
    Box3,
    Count,
    Crop,
    Given,
    Goal,
    Instance,
    Metres,
    Truth,
    Word,
)

TRUTHS: tuple[tuple[str, Truth], ...] = (
    ("classification", Word("mug")),
    ("depth", Metres(1.25)),
    ("embodied-counting", Count(2)),
    ("in-view", Word("yes")),
    ("localization", Box2((1, 2, 30, 40))),
    ("localization-3d", Box3((0.1, 0.2, 1.5), (1.0, 0.5, 0.25))),
    ("navigation", Goal("mug-1", 1.0)),
    ("relation", Word("left of")),
)
"""One answer of every kind, by type."""
RELATIONS = ("on", "under", "left of", "right of")


def png(colour: tuple[int, int, int], size: tuple[int, int] = (40, 30)) -> bytes:
    """Return a plain picture."""
    stream = io.BytesIO()
    Image.new("RGB", size, colour).save(stream, "PNG")
    return stream.getvalue()


def task(
    type: str,
    truth: Truth,
    *,
    number: int = 0,
    view: str = "0000-ego",
    scene: str = "flat-0",
    given: dict[str, Given] | None = None,
) -> Instance:
    """Return a task of a mug."""
    return Instance(
        f"{type}/{scene}/{view}/mug-1-{number}", type, scene, view,
        {"view": view, "object": "mug-1"}, "What is it? Answer with its name.", truth, given or {},
    )  # fmt: skip


def shown(task: Instance, *pictures: bytes) -> ExportedTask:
    """Return a task as it is asked, with one red picture if nothing else is said."""
    choices = {"relation": RELATIONS, "in-view": ("yes", "no")}.get(task.type, ())
    return ExportedTask(
        task,
        seen_from(),
        f"{task.command} Reply with JSON.",
        f"{task.command} Picture 1 is small.",
        choices,
        pictures or (png((200, 0, 0)),),
    )


def every(scene: str = "flat-0") -> list[Instance]:
    """Return one task of every kind of answer."""
    crop = Crop("0000-ego", (1, 2, 3, 4))
    return [
        task(type, truth, scene=scene, given={"object.picture": crop} if type == "depth" else {})
        for type, truth in TRUTHS
    ]
