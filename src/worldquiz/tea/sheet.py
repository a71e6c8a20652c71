"""A contact sheet: tasks of each type as they are asked, with the answers beneath in green."""

from __future__ import annotations

import io
import textwrap
from itertools import islice, zip_longest
from pathlib import Path
from typing import Any

from worldquiz import rng
from worldquiz.records import write_bytes
from worldquiz.tea.data import Folder, folders, pillow
from worldquiz.tea.exam.sample import families
from worldquiz.tea.exam.show import boxes, command, crops, cut_out, drawn, in_words, whole
from worldquiz.tea.scoring.grade import family
from worldquiz.tea.taskgraph import Box2, Instance

COLUMNS, WIDE, HIGH, CROP = 6, 340, 255, 96
"""Tiles beside each other; pixels of a tile's picture; of an object's own picture in its corner."""
TEXT, LINE, GAP, LETTERS = 6, 16, 10, 54
"""Lines beneath a picture; pixels of one, and between tiles; letters of a line."""
PAPER, INK, FAINT, ANSWER = (250, 250, 248), (25, 25, 30), (110, 110, 110), (0, 130, 70)


def sheet(data: Path, out: Path, *, tasks: int = 30, seed: int = 0) -> int:
    """Draw tasks of a folder onto one PNG, one of each type in turn; return how many.

    Yellow boxes are given, green ones are answers. Raises `RecordError`, `MissingExtra`.
    """
    scenes = {folder.path.name: folder for folder in folders(data)}
    types = families(task for folder in scenes.values() for task in folder.tasks)
    for name, every in types.items():
        rng.child(seed, "sheet", name).shuffle(every)
    turns = (task for turn in zip_longest(*types.values()) for task in turn if task)
    some = sorted(islice(turns, tasks), key=lambda task: family(task.type))
    wide, high = WIDE + GAP, HIGH + TEXT * LINE + GAP
    size = (wide * min(COLUMNS, len(some)) + GAP, high * -(-len(some) // COLUMNS) + GAP)
    page = pillow().new("RGB", size, PAPER)
    for number, task in enumerate(some):
        row, column = divmod(number, COLUMNS)
        page.paste(_tile(scenes[task.scene], task), (GAP + column * wide, GAP + row * high))
    stream = io.BytesIO()
    page.save(stream, "PNG", optimize=True)
    write_bytes(out, stream.getvalue())
    return len(some)


def _tile(folder: Folder, task: Instance) -> Any:
    from PIL import Image, ImageDraw, ImageFont

    tile = Image.new("RGB", (WIDE, HIGH + TEXT * LINE), PAPER)
    cuts = [cut_out(folder, crop) for crop in crops(task)]
    if whole(task):
        framed = [("green", task.truth)] if isinstance(task.truth, Box2) else []
        tile.paste(_fitted(drawn(folder, task.view, [*boxes(task), *framed]), WIDE, HIGH))
        for number, png in enumerate(cuts):
            tile.paste(_fitted(png, CROP, CROP), (WIDE - CROP, number * (CROP + 4)))
    else:
        tile.paste(_fitted(cuts[0], WIDE, HIGH))
    asked = textwrap.wrap(command(task), LETTERS)
    answer = textwrap.wrap(in_words(task.truth), LETTERS)
    lines = [(task.type, FAINT), *((line, INK) for line in asked[: TEXT - 1 - len(answer)])]
    draw, font = ImageDraw.Draw(tile), ImageFont.load_default(size=13)
    for number, (line, colour) in enumerate([*lines, *((line, ANSWER) for line in answer)]):
        draw.text((2, HIGH + 2 + number * LINE), line, colour, font)
    return tile


def _fitted(png: bytes, wide: int, high: int) -> Any:
    picture = pillow().open(io.BytesIO(png))
    scale = min(wide / picture.width, high / picture.height)
    return picture.resize((max(1, round(picture.width * scale)),
                           max(1, round(picture.height * scale))))  # fmt: skip
