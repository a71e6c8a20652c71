"""The draft that every importer makes: named things made of coloured triangles.

Coordinates are in the world's frame, in metres, z up. Roles mark floors, walls, ceilings, doors and
windows.
"""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from enum import StrEnum
from functools import cache, cached_property

from worldquiz_scenes.arrays import Floats, Ints, Picture, np
from worldquiz_scenes.paints import COLOURS
from worldquiz_scenes.scene import Paint, Pattern, Vec

GREY: Vec = (0.7, 0.7, 0.7)
_MATERIALS = {
    "wood": ("wood", "oak", "pine", "walnut", "parquet", "plank"),
    "metal": ("metal", "steel", "chrome", "iron", "alumin", "brass", "copper", "silver", "gold"),
    "fabric": ("fabric", "cloth", "cotton", "wool", "textile", "carpet", "leather", "velvet"),
    "ceramic": ("ceramic", "porcelain", "tile", "enamel"),
    "paper": ("paper", "card"),
    "leaf": ("leaf", "leaves", "plant", "grass"),
    "stone": ("stone", "marble", "concrete", "granite", "brick"),
    "sky": (" sky",),
}
_WORN = re.compile(rf", ({'|'.join(Pattern)}) ([0-9a-f]{{6}}) ([0-9a-f]{{6}})$")
"""Ending of the material's name that `glb` writes for a pattern: its two colours."""
CLEAR = 0.75  # opacity below which a surface counts as glass


class Element(StrEnum):
    """Role of an item: a thing, or part of the room itself."""

    THING = "thing"
    FLOOR = "floor"
    WALL = "wall"
    CEILING = "ceiling"
    DOOR = "door"
    WINDOW = "window"


@dataclass(frozen=True, eq=False)
class Surface:
    """Triangles of one look."""

    points: Floats  # n x 3
    faces: Ints  # m x 3
    rgb: Vec = GREY
    alpha: float = 1.0
    uv: Floats | None = None  # n x 2, from the lower left
    texture: Picture | None = None
    material: str = ""  # as the file calls it

    def moved(self, turn: Floats, shift: Floats) -> Surface:
        """Return the surface after a linear map and a shift; faces still look outward."""
        faces = self.faces if np.linalg.det(turn) > 0 else self.faces[:, ::-1]
        return replace(self, points=self.points @ turn.T + shift, faces=faces)

    @cached_property
    def area(self) -> float:
        """The area in square metres."""
        a, b, c = (self.points[self.faces[:, k]] for k in range(3))
        return float(np.linalg.norm(np.cross(b - a, c - a), axis=1).sum() / 2)

    @property
    def looks(self) -> Vec:
        """The surface's colour, or the mean of its texture."""
        if self.texture is None:
            return self.rgb
        red, green, blue = (self.texture.reshape(-1, 3).mean(axis=0) / 255).tolist()
        return (red, green, blue)


@dataclass(frozen=True, eq=False)
class Named:
    """Something with a name."""

    name: str  # as the file has it
    label: str
    pieces: tuple[Surface, ...]
    axes: Floats  # 3 x 3: its own frame, as in the file
    role: Element = Element.THING
    credit: str = ""
    support: str | None = None  # FLOOR, WALL or CEILING, if the file says so
    term: str = ""  # the file's word for it; "" if the plan says what it is

    @cached_property
    def points(self) -> Floats:
        """All points of the item."""
        return np.concatenate([piece.points[np.unique(piece.faces)] for piece in self.pieces])

    @cached_property
    def low(self) -> Floats:
        """The least coordinates."""
        low: Floats = self.points.min(axis=0)
        return low

    @cached_property
    def high(self) -> Floats:
        """The greatest coordinates."""
        high: Floats = self.points.max(axis=0)
        return high

    def moved(self, turn: Floats, shift: Floats) -> Named:
        """Return the item turned and shifted."""
        pieces = tuple(piece.moved(turn, shift) for piece in self.pieces)
        return replace(self, pieces=pieces, axes=turn @ self.axes)

    @property
    def looks(self) -> Surface:
        """The item's piece with the largest area, which decides how the item looks."""
        return max(self.pieces, key=lambda piece: piece.area)


@dataclass(frozen=True, eq=False)
class Outline:
    """A piece of floor."""

    name: str  # of its room: "Living room"
    points: Floats  # n x 2, around it
    rgb: Vec = (0.62, 0.47, 0.33)
    material: str = "wood"


@dataclass(frozen=True, eq=False)
class Upright:
    """A wall seen from above: four corners."""

    points: Floats  # 4 x 2
    height: float
    rgb: Vec = (0.93, 0.91, 0.86)


@dataclass(frozen=True, eq=False)
class Opening:
    """A doorway or window in a wall, with the item that fills it."""

    at: Floats  # 2
    along: Floats  # 2: unit vector along its wall
    width: float
    height: float
    item: Named | None = None  # what is shown if it leads nowhere
    passable: bool = True


@dataclass(frozen=True)
class Draft:
    """Content of an imported file, before it becomes a scene."""

    id: str
    items: Sequence[Named]
    credit: str  # maker and licence, as the file states them
    floors: tuple[Outline, ...] = ()
    walls: tuple[Upright, ...] = ()
    doors: tuple[Opening, ...] = ()
    height: float | None = None  # metres, if the file says
    start: tuple[float, float, float] | None = None  # x, y, heading
    notes: tuple[str, ...] = field(default=())  # what was left out, and why


def about_z(angle: float) -> Floats:
    """Return the matrix of a rotation about z (radians), counter-clockwise from above."""
    cos, sin = math.cos(angle), math.sin(angle)
    return np.array([[cos, -sin, 0.0], [sin, cos, 0.0], [0.0, 0.0, 1.0]])


def painted(rgb: Vec, material: str = "", alpha: float = 1.0) -> Paint:
    """Return a paint of this colour, named after the nearest named colour.

    An unknown material becomes plastic. The end of its name may describe a pattern (`_WORN`).
    """
    if told := _WORN.search(material):
        (a, b, c), (d, e, f) = (bytes.fromhex(told[at]) for at in (2, 3))
        plain = painted((a / 255, b / 255, c / 255), material[: told.start()], alpha)
        return replace(plain, pattern=Pattern(told[1]), rgb2=(d / 255, e / 255, f / 255))
    red, green, blue = (round(min(1.0, max(0.0, float(part))), 4) for part in rgb)
    mine = _lab((red, green, blue))
    colour = min(COLOURS, key=lambda name: (math.dist(mine, _lab(COLOURS[name])), name))
    said = material.lower()
    kinds = (kind for kind, signs in _MATERIALS.items() if any(sign in said for sign in signs))
    return Paint(colour, (red, green, blue), "glass" if alpha < CLEAR else next(kinds, "plastic"))


@cache
def _lab(rgb: Vec) -> Vec:
    """Return a colour in CIE Lab, where distances match human vision."""
    linear = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in rgb]
    rows = ((0.4124, 0.3576, 0.1805), (0.2126, 0.7152, 0.0722), (0.0193, 0.1192, 0.9505))
    x, y, z = (
        sum(a * b for a, b in zip(row, linear, strict=True)) / white
        for row, white in zip(rows, (0.9505, 1.0, 1.089), strict=True)
    )
    f, g, h = (t ** (1 / 3) if t > 0.008856 else 7.787 * t + 16 / 116 for t in (x, y, z))
    return (116 * g - 16, 500 * (f - g), 200 * (g - h))
