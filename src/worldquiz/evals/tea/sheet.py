"""A contact sheet: tasks as people would be asked them, with the answers beneath."""

from __future__ import annotations

import io
import textwrap
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from worldquiz import rng
from worldquiz.evals.tea.data import Folder, folders
from worldquiz.evals.tea.encode import cut
from worldquiz.evals.tea.pictures import opened, pillow
from worldquiz.model.io import write_bytes
from worldquiz.model.taskgraph import Box2, Box3, Count, Crop, Goal, Instance, Metres, Truth, Word
from worldquiz.model.view import Box

COLUMNS, WIDE, HIGH = 4, 400, 300
"""Tiles in a row; pixels of a tile's picture."""
TEXT, LINE, GAP, COLUMN = 7, 17, 12, 58
"""Lines beneath a picture; pixels of one, and between tiles; letters of a line."""
CROP = 110
"""Pixels of the square that an object's own picture is shown in."""
PAPER, INK, FAINT = (250, 250, 248), (25, 25, 30), (120, 120, 120)
ANSWER, GIVEN = (0, 130, 70), (255, 210, 0)


def sheet(data: Path, out: Path, *, tasks: int = 24, seed: int = 0) -> int:
    """Draw tasks of a folder, of every type in turn, onto one PNG; return how many.

    Yellow boxes are given, green ones are answers. Raises `RecordError`, `MissingExtra`.
    """
    image = pillow()
    chosen = _chosen(folders(data), tasks, seed)
    rows = -(-len(chosen) // COLUMNS)
    wide, high = WIDE + GAP, HIGH + TEXT * LINE + GAP
    whole = image.new("RGB", (COLUMNS * wide + GAP, max(rows, 1) * high + GAP), PAPER)
    for number, (folder, task) in enumerate(chosen):
        at = (GAP + number % COLUMNS * wide, GAP + number // COLUMNS * high)
        whole.paste(_tile(folder, task), at)
    stream = io.BytesIO()
    whole.save(stream, "PNG")
    write_bytes(out, stream.getvalue())
    return len(chosen)


def _chosen(scenes: Sequence[Folder], most: int, seed: int) -> list[tuple[Folder, Instance]]:
    """Draw tasks, one of each type in turn."""
    groups: dict[str, list[tuple[Folder, Instance]]] = {}
    for folder in scenes:
        for task in folder.tasks:
            groups.setdefault(task.type, []).append((folder, task))
    for name, group in groups.items():
        rng.child(seed, "sheet", name).shuffle(group)
    found: list[tuple[Folder, Instance]] = []
    while len(found) < most and any(groups.values()):
        found += [groups[name].pop() for name in sorted(groups) if groups[name]]
    return sorted(found[:most], key=lambda pair: pair[1].id)


def _tile(folder: Folder, task: Instance) -> Any:
    from PIL import ImageDraw, ImageFont

    image = pillow()
    tile = image.new("RGB", (WIDE, HIGH + TEXT * LINE), PAPER)
    views = {view.id: view for view in folder.views}
    picture = image.fromarray(opened(folder, views[task.view]))
    scale = min(WIDE / picture.width, HIGH / picture.height)
    draw = ImageDraw.Draw(picture)
    for box, colour in _boxes(task):
        draw.rectangle(box, outline=colour, width=3)
    if task.type != "classification":
        tile.paste(picture.resize((round(picture.width * scale), round(picture.height * scale))))
    crops = [told for _, told in sorted(task.given.items()) if isinstance(told, Crop)]
    for number, crop in enumerate(crops):
        part = image.fromarray(cut(opened(folder, views[crop.view]), crop.box))
        part = _fitted(part, HIGH if task.type == "classification" else CROP)
        left = 0 if task.type == "classification" else WIDE - part.width
        tile.paste(part, (left, number * (CROP + 4)))
    draw, font = ImageDraw.Draw(tile), ImageFont.load_default(size=13)
    answer = [(line, ANSWER) for line in textwrap.wrap(f"answer: {said(task.truth)}", COLUMN)]
    asked = [(line, INK) for line in textwrap.wrap(task.command, COLUMN)]
    lines = [(task.type, FAINT), *asked[: TEXT - 1 - len(answer)], *answer]
    for number, (line, colour) in enumerate(lines):
        draw.text((2, HIGH + 2 + number * LINE), line, colour, font)
    return tile


def _fitted(part: Any, most: int) -> Any:
    scale = most / max(part.size)
    return part.resize((max(1, round(part.width * scale)), max(1, round(part.height * scale))))


def _boxes(task: Instance) -> list[tuple[Box, tuple[int, int, int]]]:
    given = [(told.value, GIVEN) for told in task.given.values() if isinstance(told, Box2)]
    return given + ([(task.truth.value, ANSWER)] if isinstance(task.truth, Box2) else [])


def said(truth: Truth) -> str:
    """Return an answer in words."""
    match truth:
        case Word() | Count():
            return str(truth.value)
        case Metres():
            return f"{truth.value:.2f} m"
        case Box2():
            return str(list(truth.value))
        case Box3():
            parts = ([f"{each:.2f}" for each in some] for some in (truth.centre, truth.size))
            return "middle {}; lengths {} m".format(*(", ".join(each) for each in parts))
        case Goal():
            return f"be within {truth.within} m of {truth.thing}"
