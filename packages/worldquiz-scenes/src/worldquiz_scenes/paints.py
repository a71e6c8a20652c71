"""Looks of things: named colours, palettes of styles, and textures of materials and patterns.

A colour has one name and one value, so that a question about "the dark red mug" has one answer; a
style only chooses among colours. Each function that makes a model takes a `Draw`, a random stream
with a palette, so that equal seeds give equal things.

A texture is a small computed picture. Wood, cloth and the like have a light grey texture, a grain,
by which the engine multiplies a surface's colour. The texture of a pattern (stripes, checks, dots)
contains both its colours. Textures are not random: the same paint gives the same bytes.
"""

from __future__ import annotations

import random
from dataclasses import dataclass

from worldquiz_scenes.arrays import Floats, Picture, np
from worldquiz_scenes.scene import Paint, Pattern, Vec

COLOURS: dict[str, Vec] = {
    "white": (0.93, 0.93, 0.92),
    "ivory": (0.93, 0.89, 0.78),
    "beige": (0.81, 0.73, 0.61),
    "light grey": (0.74, 0.75, 0.76),
    "grey": (0.5, 0.51, 0.53),
    "dark grey": (0.25, 0.26, 0.28),
    "black": (0.06, 0.06, 0.07),
    "light brown": (0.7, 0.55, 0.39),
    "brown": (0.5, 0.34, 0.22),
    "dark brown": (0.29, 0.18, 0.11),
    "red": (0.74, 0.22, 0.2),
    "dark red": (0.46, 0.13, 0.14),
    "orange": (0.89, 0.54, 0.25),
    "yellow": (0.92, 0.8, 0.37),
    "light green": (0.64, 0.77, 0.53),
    "green": (0.29, 0.55, 0.34),
    "dark green": (0.15, 0.31, 0.21),
    "teal": (0.2, 0.49, 0.49),
    "light blue": (0.6, 0.75, 0.86),
    "blue": (0.25, 0.41, 0.7),
    "dark blue": (0.15, 0.2, 0.38),
    "purple": (0.46, 0.3, 0.57),
    "pink": (0.88, 0.64, 0.7),
}
"""Every colour that a thing may have, by its name in questions."""
BRIGHT = ("red", "orange", "yellow", "green", "teal", "blue", "purple", "pink", "light blue",
          "light green", "white")  # fmt: skip


@dataclass(frozen=True, slots=True)
class Style:
    """Colours of an apartment."""

    woods: tuple[str, ...]
    fabrics: tuple[str, ...]
    fronts: tuple[str, ...]  # of cabinets and wardrobes
    metals: tuple[str, ...]
    walls: tuple[str, ...]
    floors: tuple[str, ...]


STYLES: dict[str, Style] = {
    "modern": Style(
        woods=("light brown", "brown", "white"),
        fabrics=("light grey", "dark grey", "teal", "yellow", "dark blue"),
        fronts=("white", "light grey", "dark grey"),
        metals=("light grey", "black"),
        walls=("ivory", "light grey", "light blue"),
        floors=("light brown", "brown", "light grey"),
    ),
    "cottage": Style(
        woods=("light brown", "white", "beige"),
        fabrics=("beige", "light blue", "pink", "light green", "red"),
        fronts=("white", "ivory", "light blue", "light green"),
        metals=("light grey", "dark grey"),
        walls=("ivory", "light blue", "light green", "pink"),
        floors=("light brown", "beige"),
    ),
    "classic": Style(
        woods=("brown", "dark brown"),
        fabrics=("dark red", "dark green", "dark blue", "beige", "brown"),
        fronts=("brown", "dark brown", "ivory"),
        metals=("grey", "dark grey"),
        walls=("ivory", "beige", "light grey"),
        floors=("brown", "light brown"),
    ),
    "lively": Style(
        woods=("light brown", "white", "brown"),
        fabrics=("orange", "teal", "purple", "yellow", "green", "blue"),
        fronts=("white", "yellow", "teal", "light blue"),
        metals=("light grey", "dark grey"),
        walls=("light blue", "ivory", "light green", "light grey"),
        floors=("light brown", "light grey", "brown"),
    ),
}
"""Palettes by name; the parameter `style` names one, or "any"."""


def paint(colour: str, material: str) -> Paint:
    """Return a plain paint of a named colour."""
    return Paint(colour, COLOURS[colour], material)


def patterned(colour: str, second: str, material: str, pattern: Pattern) -> Paint:
    """Return a paint that shows a pattern of two named colours."""
    return Paint(colour, COLOURS[colour], material, pattern, COLOURS[second])


def shaded(base: Paint, share: float) -> Paint:
    """Return a darker (share < 1) or lighter plain paint of the same name, for a thing's edges."""
    red, green, blue = (round(min(1.0, part * share), 4) for part in base.rgb)
    return Paint(base.colour, (red, green, blue), base.material)


def pale(base: Paint) -> Paint:
    """Return a paint of the same name for walls, more than halfway to white."""
    red, green, blue = (round(0.4 * part + 0.57, 4) for part in base.rgb)
    return Paint(base.colour, (red, green, blue), base.material)


@dataclass(frozen=True, slots=True)
class Draw:
    """Random choice of sizes, and of paints from a style's palette."""

    rng: random.Random
    style: Style

    def size(self, low: float, high: float) -> float:
        """Sample a length in metres, to the millimetre."""
        return round(self.rng.uniform(low, high), 3)

    def count(self, low: int, high: int) -> int:
        """Sample a whole number in a range, ends included."""
        return self.rng.randint(low, high)

    def chance(self, share: float) -> bool:
        """Return True with this probability."""
        return self.rng.random() < share

    def wood(self) -> Paint:
        """Sample a wood of the style; white stands for painted wood."""
        colour = self.rng.choice(self.style.woods)
        return paint(colour, "plastic" if colour == "white" else "wood")

    def front(self) -> Paint:
        """Sample a paint for doors and drawers."""
        colour = self.rng.choice(self.style.fronts)
        return paint(colour, "wood" if "brown" in colour else "plastic")

    def metal(self) -> Paint:
        """Sample a metal."""
        return paint(self.rng.choice(self.style.metals), "metal")

    def fabric(self, patterns: float = 0.0) -> Paint:
        """Sample a fabric of the style, with a pattern with probability `patterns`."""
        return self._maybe(self.style.fabrics, "fabric", patterns)

    def bright(self, material: str, patterns: float = 0.0) -> Paint:
        """Sample a bright paint, with a pattern with probability `patterns`."""
        return self._maybe(BRIGHT, material, patterns)

    def of(self, material: str, *colours: str) -> Paint:
        """Sample a paint in one of these colours."""
        return paint(self.rng.choice(colours), material)

    def _maybe(self, colours: tuple[str, ...], material: str, patterns: float) -> Paint:
        colour = self.rng.choice(colours)
        if not self.chance(patterns):
            return paint(colour, material)
        pattern = self.rng.choice((Pattern.STRIPES, Pattern.CHECKS, Pattern.DOTS))
        return patterned(colour, "black" if colour == "white" else "white", material, pattern)


SIDE = 128  # pixels along a picture's edge
PERIODS = {Pattern.STRIPES: 8, Pattern.CHECKS: 4, Pattern.DOTS: 4}
"""Repeats of a pattern along the shorter edge of a nearly square face."""
BOARD = 0.03  # height of the skirting board as a share of the wall's
MOST = 8  # most repeats of a pattern, so that narrow faces do not blur
SIDES = (((2, -1), (1, -1)), ((2, 1), (1, -1)), ((0, 1), (2, 1)), ((0, 1), (2, -1)),
         ((0, 1), (1, -1)), ((0, -1), (1, -1)))  # fmt: skip
"""Axes and directions in which columns and rows of a cube's sides run: +x, -x, +y, ..."""


@dataclass(frozen=True, slots=True)
class Finish:
    """Optical properties of a material."""

    specular: float
    shininess: float
    alpha: float = 1.0
    grain: str = ""
    glow: float = 0.0  # share of its colour that shows in the dark, 0..1


FINISHES = {
    "wood": Finish(0.15, 0.3, grain="wood"),
    "metal": Finish(0.6, 0.6),
    "fabric": Finish(0.0, 0.0, grain="weave"),
    "ceramic": Finish(0.5, 0.7),
    "plastic": Finish(0.25, 0.4),
    "glass": Finish(0.9, 0.9, alpha=0.45),
    "paper": Finish(0.0, 0.0),
    "leaf": Finish(0.1, 0.1, grain="speckle"),
    "stone": Finish(0.15, 0.2, grain="speckle"),
    "light": Finish(0.0, 0.0, glow=0.7),
}
PLAIN = Finish(0.1, 0.2)  # for a material without an entry


def finish(paint: Paint) -> Finish:
    """Return the optical properties of a paint's material."""
    return FINISHES.get(paint.material, PLAIN)


def picture(paint: Paint, box: Vec | None = None) -> tuple[str, Picture] | None:
    """Return a paint's texture and its unique name; None without pattern or grain.

    A pattern on a box with half lengths `box` has a picture for each face, one below the other, so
    that dots are round on narrow faces, too.
    """
    if paint.pattern is not Pattern.PLAIN:
        second = paint.rgb2 or (0.95, 0.94, 0.9)
        name = f"{paint.pattern}:{_hex(paint.rgb)}:{_hex(second)}"
        if box is None:
            return name, pattern(paint.pattern, paint.rgb, second)
        faces = [repeats(paint.pattern, box[across], box[down]) for (across, _), (down, _) in SIDES]
        drawn = [pattern(paint.pattern, paint.rgb, second, face) for face in faces]
        return f"{name}:{faces[0]}{faces[2]}{faces[4]}", np.concatenate(drawn)
    grain = finish(paint).grain
    return (grain, GRAINS[grain]()) if grain else None


def repeats(kind: Pattern, across: float, down: float) -> tuple[int, int]:
    """Return how often a pattern repeats along the columns and the rows of a face. Along the
    shorter edge of a long face, it repeats half as often; of a very long face, a quarter as often.
    """
    short = min(across, down)
    long = max(across, down) / short
    often = PERIODS[kind] // (1 if long < 2 else 2 if long < 4 else 4)
    along, below = (min(round(often * edge / short), MOST) for edge in (across, down))
    return along, below


def pattern(kind: Pattern, rgb: Vec, rgb2: Vec, often: tuple[int, int] | None = None) -> Picture:
    """Return stripes, checks or dots of the second colour on the first.

    `often` holds the numbers of repeats along columns and rows, by default those in `PERIODS`.
    """
    across, down = often or (PERIODS[kind], PERIODS[kind])
    row, column = np.mgrid[0:SIDE, 0:SIDE] / SIDE
    row, column = row * down, column * across
    match kind:
        case Pattern.STRIPES:
            second = column % 1 >= 0.5
        case Pattern.CHECKS:
            second = (row % 1 >= 0.5) ^ (column % 1 >= 0.5)
        case _:
            second = (row % 1 - 0.5) ** 2 + (column % 1 - 0.5) ** 2 <= 0.3**2
    colours = np.where(second[..., None], np.array(rgb2), np.array(rgb))
    return _bytes(colours)


def floor(material: str) -> tuple[str, Picture]:
    """Return the name and the picture of a floor's texture, 2 m wide: planks, tiles or carpet."""
    if material == "wood":
        return "planks", _planks()
    if material in ("fabric", "paper"):
        return "carpet", _speckle(0.16)
    return "tiles", _tiles()


def wall(rgb: Vec) -> Picture:
    """Return a wall's texture: its sides, one below the other, with white skirting boards."""
    faces, wide = np.full((len(SIDES), 2 * SIDE, 2 * SIDE, 3), rgb), round(2 * SIDE * BOARD)
    for face, (across, down) in zip(faces, SIDES, strict=True):
        for picture, (axis, way) in ((face, down), (face.swapaxes(0, 1), across)):
            if axis == 2:  # it begins at the floor, or ends there
                picture[slice(wide) if way > 0 else slice(-wide, None)] = COLOURS["white"]
    return _bytes(np.concatenate(faces))


def _wood() -> Picture:
    row, column = np.mgrid[0:SIDE, 0:SIDE] / SIDE
    bend = 0.35 * np.sin(2 * np.pi * row) + 0.2 * np.sin(4 * np.pi * row + 1.0)
    rings = np.sin(2 * np.pi * (9 * column + bend)) + 0.5 * np.sin(2 * np.pi * (23 * column - bend))
    return _grey(0.93 + 0.045 * rings + 0.02 * (_noise() - 0.5))


def _weave() -> Picture:
    row, column = np.mgrid[0:SIDE, 0:SIDE]
    threads = np.where((row // 2 + column // 2) % 2, 1.0, 0.93)
    return _grey(threads - 0.08 * _noise())


def _speckle(depth: float = 0.1) -> Picture:
    return _grey(1 - depth * _noise())


def _planks() -> Picture:
    row, column = np.mgrid[0:SIDE, 0:SIDE]
    wide = SIDE // 8
    plank = row // wide
    shift = (plank * 37) % SIDE
    board = plank * 3 + ((column + shift) % SIDE) // (SIDE // 2)
    shade = 0.86 + 0.12 * ((board * 7919 % 17) / 16)
    seam = (row % wide == 0) | ((column + shift) % (SIDE // 2) == 0)
    grain = 0.03 * np.sin(row * 2.9 + 2 * np.sin(column * 0.06 + board))
    return _grey(np.where(seam, 0.6, shade + grain))


def _tiles() -> Picture:
    row, column = np.mgrid[0:SIDE, 0:SIDE]
    wide = SIDE // 4
    joint = (row % wide < 1) | (column % wide < 1)
    shade = 0.94 + 0.04 * (((row // wide) * 5 + (column // wide) * 3) % 4) / 3
    return _grey(np.where(joint, 0.7, shade - 0.03 * _noise()))


def _noise() -> Floats:
    """Return hashed noise in 0..1, the same in every process."""
    row, column = np.mgrid[0:SIDE, 0:SIDE].astype(np.uint32)
    mixed = row * np.uint32(374761393) + column * np.uint32(668265263)
    mixed = (mixed ^ (mixed >> np.uint32(13))) * np.uint32(1274126177)
    noise: Floats = ((mixed ^ (mixed >> np.uint32(16))) & np.uint32(0xFFFF)) / 65535.0
    return noise


def _grey(shade: Floats) -> Picture:
    return np.repeat(_bytes(shade)[..., None], 3, axis=2)


def _bytes(colours: Floats) -> Picture:
    return (np.clip(colours, 0, 1) * 255 + 0.5).astype(np.uint8)


def _hex(rgb: Vec) -> str:
    return "".join(f"{round(255 * part):02x}" for part in rgb)


GRAINS = {"wood": _wood, "weave": _weave, "speckle": _speckle}
