"""Bathroom fixtures."""

from __future__ import annotations

from worldquiz.scenes.furniture.parts import Model, Top, box, can, egg, lathe, model, rod, tilt
from worldquiz.scenes.paints import Draw, paint, shaded

WHITE = paint("white", "ceramic")
STEEL = paint("light grey", "metal")


def bathtub(draw: Draw) -> Model:
    """A long white tub with water in it and taps at one end."""
    width, depth, high = draw.size(1.5, 1.7), draw.size(0.7, 0.76), 0.56
    water = paint("light blue", "plastic")
    parts = [
        box(0, 0, 0, width, depth, 0.38, WHITE),
        box(0, 0, 0.38, width - 0.14, depth - 0.14, 0.02, water),
    ]
    for side in (-1, 1):
        parts.append(box(side * (width / 2 - 0.04), 0, 0.38, 0.08, depth, high - 0.38, WHITE))
        parts.append(box(0, side * (depth / 2 - 0.04), 0.38, width, 0.08, high - 0.38, WHITE))
    x = width / 2 - 0.04
    parts += [
        rod((x, 0, high), (x, 0, high + 0.16), 0.02, STEEL),
        rod((x, 0, high + 0.15), (x - 0.16, 0, high + 0.13), 0.018, STEEL),
    ]
    parts += [can(x, side * 0.1, high, 0.022, 0.06, STEEL) for side in (-1, 1)]
    return model("bathtub", WHITE, parts)


def toilet(draw: Draw) -> Model:
    """A bowl with a seat, and the cistern behind it."""
    seat = draw.of("plastic", "white", "white", "light blue", "light brown")
    parts = [
        *lathe(0, -0.08, 0, [(0, 0.13), (0.2, 0.11), (0.36, 0.19)], WHITE, 5),
        box(0, 0.14, 0, 0.22, 0.3, 0.36, WHITE),
        egg(0, -0.1, 0.34, 0.4, 0.5, 0.08, WHITE),
        egg(0, -0.11, 0.4, 0.4, 0.48, 0.035, seat),
        egg(0, -0.12, 0.405, 0.26, 0.33, 0.036, shaded(seat, 0.6)),
        box(0, 0.24, 0.36, 0.4, 0.18, 0.4, WHITE),
        box(0, 0.24, 0.76, 0.42, 0.2, 0.03, WHITE),
        can(0, 0.24, 0.79, 0.03, 0.012, STEEL),
        egg(0, 0.12, 0.42, 0.38, 0.05, 0.36, seat, tilt(-4)),
    ]
    lid = Top((-0.17, 0.17), (0.17, 0.31), 0.79, 1.0)
    return model("toilet", WHITE, parts, tops=[lid])


def washbasin(draw: Draw) -> Model:
    """A basin on a pedestal or a small cabinet, with a tap."""
    wide, high = draw.size(0.56, 0.66), 0.84
    parts = [
        box(0, 0, high - 0.14, wide, 0.46, 0.11, WHITE),
        box(0, 0.18, high - 0.03, wide, 0.1, 0.03, WHITE),
        egg(0, -0.05, high - 0.05, wide - 0.12, 0.3, 0.04, paint("light grey", "ceramic")),
    ]
    for x, y, w, d in (
        (0, -0.21, wide, 0.04),
        (wide / 2 - 0.03, 0, 0.06, 0.46),
        (0.03 - wide / 2, 0, 0.06, 0.46),
    ):
        parts.append(box(x, y, high - 0.03, w, d, 0.03, WHITE))
    parts += [
        can(0, 0.18, high, 0.02, 0.12, STEEL),
        rod((0, 0.18, high + 0.11), (0, 0.03, high + 0.1), 0.016, STEEL, round_ends=True),
    ]
    parts += [can(side * 0.09, 0.18, high, 0.02, 0.05, STEEL) for side in (-1, 1)]
    if draw.chance(0.5):
        front = draw.front()
        parts += [
            box(0, 0.02, 0.0, wide - 0.06, 0.4, high - 0.14, front),
            box(0, -0.19, 0.08, 0.01, 0.01, high - 0.26, shaded(front, 0.6)),
        ]
    else:
        parts += lathe(0, 0.06, 0, [(0, 0.13), (0.1, 0.09), (high - 0.14, 0.11)], WHITE, 4)
    rim = Top((-wide / 2 + 0.01, 0.132), (-0.12, 0.228), high, 0.5)
    other = Top((0.12, 0.132), (wide / 2 - 0.01, 0.228), high, 0.5)
    return model("washbasin", WHITE, parts, tops=[rim, other])


def radiator(draw: Draw) -> Model:
    """A white ribbed heater."""
    ribs, shell = draw.count(10, 15), paint("white", "metal")
    width = ribs * 0.07
    parts = [
        box(-width / 2 + 0.07 * (index + 0.5), 0, 0.1, 0.045, 0.09, 0.55, shell)
        for index in range(ribs)
    ]
    parts += [rod((-width / 2, 0, z), (width / 2, 0, z), 0.02, shell) for z in (0.16, 0.59)]
    parts += [
        box(side * (width / 2 - 0.1), 0, 0, 0.04, 0.08, 0.1, shaded(shell, 0.7)) for side in (-1, 1)
    ]
    parts.append(can(width / 2 + 0.02, 0, 0.56, 0.03, 0.06, paint("grey", "plastic")))
    return model("radiator", shell, parts)


def towel_rail(draw: Draw) -> Model:
    """A rail on a wall with a towel over it."""
    cloth, width = draw.bright("fabric", 0.5), draw.size(0.55, 0.7)
    long = draw.size(0.45, 0.6)
    parts = [rod((-width / 2, -0.02, 0.62), (width / 2, -0.02, 0.62), 0.012, STEEL)]
    parts += [
        rod((side * width / 2, -0.02, 0.62), (side * width / 2, 0.05, 0.62), 0.014, STEEL)
        for side in (-1, 1)
    ]
    parts += [
        box(0, -0.036, 0.62 - long, width - 0.12, 0.012, long, cloth),
        box(0, -0.004, 0.62 - long * 0.8, width - 0.12, 0.012, long * 0.8, cloth),
        rod((-width / 2 + 0.06, -0.02, 0.625), (width / 2 - 0.06, -0.02, 0.625), 0.02, cloth),
    ]
    return model("towel", cloth, parts)
