"""Textures: small computed pictures that turn a colour into wood or cloth.

A grain is a grey picture with mean near white; the engine multiplies it by a surface's colour. A
pattern (stripes, checks, dots) holds both its colours. Nothing is drawn by chance: the same paint
gives the same bytes.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from worldquiz.scenes.arrays import Floats, Picture, np
from worldquiz.scenes.scene import Paint, Pattern, Vec

SIDE = 128
"""Pixels along a picture's edge."""
PERIODS = {Pattern.STRIPES: 8, Pattern.CHECKS: 4, Pattern.DOTS: 4}
"""How often a pattern repeats along the shorter edge of a face that is nearly a square."""
MOST = 8
"""How often a pattern repeats at most: narrow faces are blurred where it repeats more often."""
FACES = ((2, 1), (2, 1), (0, 2), (0, 2), (0, 1), (0, 1))
"""The axes along the columns and rows of a cube's faces, as OpenGL orders them: +x, -x, +y, ..."""


@dataclass(frozen=True, slots=True)
class Finish:
    """How a material takes light."""

    specular: float
    shininess: float
    alpha: float = 1.0
    grain: str = ""


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
}
PLAIN = Finish(0.1, 0.2)
"""Of a material that has no entry."""


def finish(paint: Paint) -> Finish:
    """Return how a paint's material takes light."""
    return FINISHES.get(paint.material, PLAIN)


def picture(paint: Paint, box: Vec | None = None) -> tuple[str, Picture] | None:
    """Return a paint's picture with a name that tells it from all others; none where it is even.

    A pattern on a box of some half lengths has a picture for each of its faces, one below the
    other, so that dots are round on narrow faces too.
    """
    if paint.pattern is not Pattern.PLAIN:
        second = paint.rgb2 or _contrast(paint.rgb)
        name = f"{paint.pattern}:{_hex(paint.rgb)}:{_hex(second)}"
        if box is None:
            return name, pattern(paint.pattern, paint.rgb, second)
        faces = [repeats(paint.pattern, box[across], box[down]) for across, down in FACES]
        return f"{name}:{faces[0]}{faces[2]}{faces[4]}", _stacked(paint, second, faces)
    grain = finish(paint).grain
    return (grain, GRAINS[grain]()) if grain else None


def repeats(kind: Pattern, across: float, down: float) -> tuple[int, int]:
    """Return how often a pattern repeats along the columns and rows of a face.

    It is half as often along the shorter edge of a face twice as long as wide, a quarter beyond 4.
    """
    short = min(across, down)
    long = max(across, down) / short
    often = PERIODS[kind] // (1 if long < 2 else 2 if long < 4 else 4)
    along, below = (min(round(often * edge / short), MOST) for edge in (across, down))
    return along, below


def _stacked(paint: Paint, second: Vec, faces: Sequence[tuple[int, int]]) -> Picture:
    return np.concatenate([pattern(paint.pattern, paint.rgb, second, face) for face in faces])


def pattern(kind: Pattern, rgb: Vec, rgb2: Vec, often: tuple[int, int] | None = None) -> Picture:
    """Return stripes, checks or dots of the second colour on the first.

    `often` is how often they repeat along columns and rows, else as often as `PERIODS` says.
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
    """Return the picture of a floor: planks, tiles or carpet; it is 2 m wide."""
    if material == "wood":
        return "planks", _planks()
    if material in ("fabric", "paper"):
        return "carpet", _speckle(0.16)
    return "tiles", _tiles()


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
    return _bytes(np.repeat(shade[..., None], 3, axis=2))


def _bytes(colours: Floats) -> Picture:
    return (np.clip(colours, 0, 1) * 255 + 0.5).astype(np.uint8)


def _contrast(rgb: Vec) -> Vec:
    """Return what a pattern without a second colour is drawn in: nearly white, or dark on white."""
    light = sum(rgb) / 3 > 0.6
    return (0.25, 0.25, 0.28) if light else (0.95, 0.94, 0.9)


def _hex(rgb: Vec) -> str:
    return "".join(f"{round(255 * part):02x}" for part in rgb)


GRAINS = {"wood": _wood, "weave": _weave, "speckle": _speckle}
