"""Pillows, towels and blankets."""

from __future__ import annotations

import math

from worldquiz_scenes.furniture.parts import (
    Model,
    both,
    box,
    egg,
    lean,
    model,
    pipe,
    rod,
    turn,
)
from worldquiz_scenes.paints import Draw, paint, shaded
from worldquiz_scenes.scene import Paint, Part, Pattern


def pillow(draw: Draw) -> Model:
    """A cushion that lies flat: thick in the middle, with four pointed corners."""
    cloth, side = draw.bright("fabric", 0.6), draw.size(0.36, 0.44)
    return model(cloth, _plump(side, side, 0.13, cloth))


def bed_pillow(draw: Draw) -> Model:
    """A wide plump pillow for a bed's head."""
    cloth = draw.of("fabric", "white", "white", "ivory", "light blue", "light grey")
    wide, deep = draw.size(0.56, 0.62), draw.size(0.38, 0.42)
    return model(cloth, _plump(wide, deep, 0.16, cloth))


def _plump(width: float, depth: float, high: float, cloth: Paint) -> list[Part]:
    """Return a cushion on a small flat base: soft bodies across it that leave pointed corners."""
    askew, long = math.degrees(math.atan2(depth, width)), math.hypot(width, depth)
    parts = [box(0, 0, 0, width * 0.4, depth * 0.4, 0.02, cloth)]
    for share, wide, tall in ((0.84, 0.88, 0.94), (0.96, 0.42, 0.56)):
        z = high * (1 - tall) / 2
        parts += [
            egg(0, 0, z, long * share, depth * wide, high * tall, cloth, turn(way))
            for way in (-askew, askew)
        ]
    return [*parts, egg(0, 0, 0, width, depth * 0.9, high, cloth)]


def folded_towel(draw: Draw) -> Model:
    """A towel folded twice: thick rounded folds at its front, a band across it if it is plain."""
    cloth, w = draw.bright("fabric", 0.5), draw.size(0.24, 0.3)
    band = paint("white" if cloth.colour != "white" else "blue", "fabric")
    parts = []
    for z, deep, end in ((0.0, 0.2, w / 2), (0.044, 0.185, w / 2 - 0.008)):
        y = 0.02 - deep / 2
        parts += [
            box(0, 0.01, z, 2 * end, deep - 0.02, 0.044, cloth),
            rod((-end, y, z + 0.022), (end, y, z + 0.022), 0.022, cloth),
        ]
    for x in (w / 2 - 0.05, w / 2 - 0.075) if cloth.pattern is Pattern.PLAIN else ():
        parts += [
            box(x, 0.01, 0.044, 0.014, 0.166, 0.0455, band),
            rod((x - 0.007, -0.0725, 0.066), (x + 0.007, -0.0725, 0.066), 0.0235, band),
        ]
    return model(cloth, parts)


def blanket(draw: Draw) -> Model:
    """A folded blanket: soft layers with a fringe at both ends."""
    cloth = draw.fabric(0.7)
    parts = []
    for index in range(3):
        z, deep = 0.036 * index, 0.35 - 0.012 * index
        parts += [
            box(0, 0, z, 0.4, deep, 0.036, cloth),
            *pipe(0.018, cloth, (-0.2, -deep / 2, z + 0.018), (0.2, -deep / 2, z + 0.018)),
        ]
    for index in range(5):
        y = -0.14 + 0.07 * index
        parts += both(box(0.222, y, 0.072, 0.058, 0.014, 0.008, shaded(cloth, 1.25), lean(22)))
    return model(cloth, parts)
