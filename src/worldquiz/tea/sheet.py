"""A contact sheet: tasks as people would be asked them, by type, with the answers beneath.

Each type has a block of its own, two of them side by side. Of a type's tasks those that tell most
come first: objects that are large enough to be recognised, counts above one, pictures that show
much; then one form after the other, each of another object. Given boxes are yellow, the answers
are green.
"""

from __future__ import annotations

import io
import textwrap
from collections.abc import Iterable, Sequence
from itertools import islice, zip_longest
from pathlib import Path
from typing import Any

from worldquiz import rng
from worldquiz.records import write_bytes
from worldquiz.tea.data import Folder, cropped, folders, opened, pillow
from worldquiz.tea.scoring.grade import family
from worldquiz.tea.taskgraph import (
    Box2,
    Box3,
    Choice,
    Count,
    Crop,
    Goal,
    Instance,
    Metres,
    Truth,
    Word,
)
from worldquiz_scenes.view import Box

BLOCKS, COLUMNS, WIDE, HIGH = 2, 3, 340, 255
"""Blocks beside each other; a block's columns; pixels of a tile's picture."""
HEAD, TEXT, LINE, GAP, COLUMN = 30, 5, 16, 10, 54
"""Pixels of a block's heading; lines beneath a picture; pixels of one, and between tiles; letters
of a line."""
CROP = 96
"""Pixels of the square that an object's own picture is shown in."""
LARGE, MUCH = 48 * 48, 6
"""Pixels of an object's box from which on people recognise it; things that make a full picture."""
LEGEND = "yellow: what is given - green: what is asked for, and the answer"
PAPER, INK, FAINT = (250, 250, 248), (25, 25, 30), (110, 110, 110)
ANSWER, GIVEN = (0, 130, 70), (255, 210, 0)

Pair = tuple[Folder, Instance]


def sheet(data: Path, out: Path, *, tasks: int = 30, seed: int = 0) -> int:
    """Draw tasks of a folder onto one PNG, as many of each type as there is room; return how many.

    Yellow boxes are given, green ones are answers. Raises `RecordError`, `MissingExtra`.
    """
    image = pillow()
    drawn = chosen(folders(data), tasks, seed)
    bands = [list(drawn.items())[at : at + BLOCKS] for at in range(0, len(drawn), BLOCKS)]
    heights = [max(_high(len(some)) for _, some in band) for band in bands]
    wide = _wide(COLUMNS) * BLOCKS + GAP
    whole = image.new("RGB", (wide, sum(heights) + GAP + LINE), PAPER)
    _write(whole, (GAP, GAP // 2), LEGEND, FAINT)
    top = GAP + LINE
    for band, high in zip(bands, heights, strict=True):
        for number, (name, some) in enumerate(band):
            whole.paste(_block(name, some), (GAP + number * _wide(COLUMNS), top))
        top += high
    stream = io.BytesIO()
    whole.save(stream, "PNG", optimize=True)
    write_bytes(out, stream.getvalue())
    return sum(map(len, drawn.values()))


def _wide(tiles: int) -> int:
    return tiles * (WIDE + GAP)


def _high(tiles: int) -> int:
    return HEAD + -(-tiles // COLUMNS) * (HIGH + TEXT * LINE + GAP)


def chosen(scenes: Sequence[Folder], most: int, seed: int) -> dict[str, list[Pair]]:
    """Draw tasks by what they ask, one of each in turn, and of each one of every form in turn."""
    forms: dict[str, dict[str, list[Pair]]] = {}
    for folder in scenes:
        for task in folder.tasks:
            some = forms.setdefault(family(task.type), {}).setdefault(task.type, [])
            some.append((folder, task))
    rows = max(1, most // (COLUMNS * max(1, len(forms))))
    queues = {name: _queue(forms[name], seed)[: rows * COLUMNS] for name in sorted(forms)}
    turns = (
        (name, pair)
        for turn in zip_longest(*queues.values())
        for name, pair in zip(queues, turn, strict=True)
        if pair is not None
    )
    found: dict[str, list[Pair]] = {name: [] for name in queues}
    for name, pair in islice(turns, most):
        found[name].append(pair)
    return {name: some for name, some in found.items() if some}


def _queue(forms: dict[str, list[Pair]], seed: int) -> list[Pair]:
    """Return a type's tasks, its forms in turn, those first that tell most, of other objects."""
    for name, some in forms.items():
        rng.child(seed, "sheet", name).shuffle(some)
        some.sort(key=lambda pair: -_telling(*pair))
    turns = zip_longest(*(forms[name] for name in sorted(forms)))
    every = [pair for turn in turns for pair in turn if pair is not None]
    first = {_about(task): task.id for _, task in reversed(every)}
    return sorted(every, key=lambda pair: first[_about(pair[1])] != pair[1].id)


def _about(task: Instance) -> tuple[str, str]:
    return task.scene, task.bind.get("object") or task.bind.get("class") or task.view


def _telling(folder: Folder, task: Instance) -> int:
    """Return how well a task explains its type: 4 well, 0 hardly."""
    boxes = [told.box if isinstance(told, Crop) else told.value
             for told in (*task.given.values(), task.truth)
             if isinstance(told, Crop | Box2)]  # fmt: skip
    large = all((x1 - x0) * (y1 - y0) >= LARGE for x0, y0, x1, y1 in boxes)
    count = min(task.truth.value, 2) if isinstance(task.truth, Count) else 2
    return large + count + (len(folder.view[task.view].sightings) >= MUCH)


def _block(name: str, some: Sequence[Pair]) -> Any:
    from PIL import ImageDraw

    block = pillow().new("RGB", (_wide(COLUMNS) - GAP, _high(len(some)) - GAP), PAPER)
    _write(block, (0, 3), name, INK, 19)
    ImageDraw.Draw(block).line((0, HEAD - 4, block.width, HEAD - 4), FAINT)
    for number, (folder, task) in enumerate(some):
        row, column = divmod(number, COLUMNS)
        block.paste(_tile(folder, task), (_wide(column), HEAD + row * (HIGH + TEXT * LINE + GAP)))
    return block


def _tile(folder: Folder, task: Instance) -> Any:
    tile = pillow().new("RGB", (WIDE, HIGH + TEXT * LINE), PAPER)
    crops = [
        _crop(folder, told) for _, told in sorted(task.given.items()) if isinstance(told, Crop)
    ]
    if family(task.type) == "classification" and crops:
        part = _fitted(crops[0], WIDE, HIGH)
        tile.paste(part, ((WIDE - part.width) // 2, (HIGH - part.height) // 2))
    else:
        tile.paste(_picture(folder, task))
        for number, crop in enumerate(crops):
            part = _framed(_fitted(crop, CROP, CROP))
            tile.paste(part, (WIDE - part.width, number * (CROP + 4)))
    for number, (line, colour) in enumerate(_lines(task)):
        _write(tile, (2, HIGH + 2 + number * LINE), line, colour)
    return tile


def _write(
    onto: Any, at: tuple[int, int], line: str, colour: tuple[int, int, int], size: int = 13
) -> None:
    from PIL import ImageDraw, ImageFont

    ImageDraw.Draw(onto).text(at, line, colour, ImageFont.load_default(size=size))


def _lines(task: Instance) -> list[tuple[str, tuple[int, int, int]]]:
    """Return the lines beneath a picture: the question, in short, and the answer."""
    answer = [(line, ANSWER) for line in textwrap.wrap(said(task.truth), COLUMN)]
    asked = [(line, INK) for line in textwrap.wrap(short(task.command), COLUMN)]
    return [*asked[: TEXT - len(answer)], *answer]


def short(command: str) -> str:
    """Return a command without the instruction how to answer and the description of the picture."""
    kept = [
        each
        for each in command.replace("? ", "?\n").replace(". ", ".\n").split("\n")
        if not each.startswith(("Answer", "The picture shows"))
    ]
    return " ".join(kept)


def _picture(folder: Folder, task: Instance) -> Any:
    from PIL import ImageDraw

    picture = pillow().fromarray(opened(folder, folder.view[task.view]))
    draw = ImageDraw.Draw(picture)
    for (x0, y0, x1, y1), colour in _boxes(task):
        draw.rectangle((x0 - 3, y0 - 3, x1 + 2, y1 + 2), outline=INK, width=1)
        draw.rectangle((x0 - 2, y0 - 2, x1 + 1, y1 + 1), outline=colour, width=3)
    return _fitted(picture, WIDE, HIGH)


def _crop(folder: Folder, crop: Crop) -> Any:
    return pillow().fromarray(cropped(folder, crop))


def _fitted(part: Any, wide: int, high: int) -> Any:
    scale = min(wide / part.width, high / part.height)
    size = (max(1, round(part.width * scale)), max(1, round(part.height * scale)))
    return part.resize(size, pillow().Resampling.LANCZOS)


def _framed(part: Any) -> Any:
    whole = pillow().new("RGB", (part.width + 6, part.height + 6), GIVEN)
    whole.paste(part, (3, 3))
    return whole


def _boxes(task: Instance) -> Iterable[tuple[Box, tuple[int, int, int]]]:
    given = [(told.value, GIVEN) for told in task.given.values() if isinstance(told, Box2)]
    return given + ([(task.truth.value, ANSWER)] if isinstance(task.truth, Box2) else [])


def said(truth: Truth) -> str:
    """Return an answer in words."""
    match truth:
        case Word() | Choice() | Count():
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
