"""Kitchen appliances and bathroom fixtures."""

from __future__ import annotations

from worldquiz_scenes.furniture.parts import (
    Model,
    Top,
    both,
    box,
    can,
    disc,
    egg,
    lathe,
    model,
    pipe,
    rod,
    tilt,
)
from worldquiz_scenes.furniture.seats_tables_storage import base_unit
from worldquiz_scenes.paints import Draw, paint, shaded

WHITE = paint("white", "ceramic")
STEEL = paint("light grey", "metal")


def fridge(draw: Draw) -> Model:
    """A tall fridge with a freezer door below, long handles, and perhaps notes stuck to it."""
    shell = draw.of("metal", "white", "light grey", "light grey", "red", "light blue")
    high, width = draw.size(1.7, 1.85), draw.size(0.6, 0.68)
    dark = paint("dark grey", "metal")
    parts = [
        box(0, 0.02, 0.0, width, 0.6, high, shaded(shell, 0.85)),
        box(0, -0.3, 0.06, width - 0.01, 0.06, 0.58, shell),
        box(0, -0.3, 0.66, width - 0.01, 0.06, high - 0.68, shell),
    ]
    parts += [
        box(-width / 2 + 0.07, -0.345, z, 0.025, 0.03, tall, dark)
        for z, tall in ((0.36, 0.25), (0.74, 0.45))
    ]
    for index in range(draw.count(0, 3)):
        note = draw.bright("paper")
        parts.append(
            box(0.05 + 0.07 * index, -0.332, high - 0.35 - 0.11 * index, 0.08, 0.004, 0.08, note)
        )
    return model(shell, parts)


def stove(draw: Draw) -> Model:
    """A cooker: four hotplates, dials and an oven with a dark window."""
    shell, black = draw.of("metal", "white", "light grey"), paint("black", "plastic")
    dark = paint("dark grey", "metal")
    parts = [
        box(0, 0, 0, 0.6, 0.6, 0.88, shell),
        box(0, 0, 0.88, 0.6, 0.6, 0.02, black),
        box(0, -0.305, 0.2, 0.46, 0.02, 0.36, black),
        box(0, 0.285, 0.9, 0.6, 0.03, 0.1, shell),
        rod((-0.22, -0.34, 0.62), (0.22, -0.34, 0.62), 0.013, dark),
    ]
    parts += both(box(0.2, -0.325, 0.61, 0.02, 0.05, 0.02, dark))
    for x in (-0.14, 0.14):
        for y, radius in ((-0.13, 0.1), (0.12, 0.08)):
            parts.append(can(x, y, 0.9, radius, 0.006, paint("grey", "metal")))
            parts.append(can(x, y, 0.906, radius * 0.6, 0.004, paint("red", "metal")))
    parts += [disc(-0.2 + 0.1 * index, -0.31, 0.76, 0.025, 0.03, dark) for index in range(5)]
    hob = Top((-0.26, -0.25), (0.26, 0.22), 0.91, 1.0, "hob")
    return model(shell, parts, tops=[hob])


def sink(draw: Draw) -> Model:
    """A kitchen unit with a steel basin and a bent tap."""
    front, steel = draw.front(), paint("light grey", "metal")
    stone, width = draw.of("stone", "dark grey", "beige"), draw.size(0.9, 1.1)
    parts = base_unit(width, front)
    parts += [
        box(-width / 2 + 0.16, 0, 0.86, 0.32, 0.62, 0.04, stone),
        box(0.16, 0, 0.861, width - 0.34, 0.6, 0.012, paint("grey", "metal")),
    ]
    parts += [
        box(0.16, y, 0.86, width - 0.32, 0.08 if y < 0 else 0.12, 0.045, steel)
        for y in (-0.27, 0.25)
    ]
    parts += [
        box(x, 0, 0.86, 0.06, 0.62, 0.045, steel) for x in (-width / 2 + 0.35, width / 2 - 0.03)
    ]
    parts += [
        can(0.16, 0.26, 0.905, 0.022, 0.22, steel),
        *pipe(0.018, steel, (0.16, 0.26, 1.12), (0.16, 0.06, 1.15)),
        rod((0.16, 0.07, 1.15), (0.16, 0.06, 1.08), 0.015, steel),
        rod((0.16, 0.26, 0.95), (0.26, 0.24, 0.99), 0.012, steel),
    ]
    parts += both(
        box(width / 4, -0.3, 0.12, width / 2 - 0.02, 0.02, 0.7, shaded(front, 1.08)),
        box(0.05, -0.315, 0.6, 0.02, 0.02, 0.14, steel),
    )
    top = Top((-width / 2 + 0.03, -0.27), (-width / 2 + 0.3, 0.27), 0.9, 1.0)
    return model(front, parts, tops=[top])


def washing_machine(draw: Draw) -> Model:
    """A white box with a round glass door."""
    shell = paint("white", "metal")
    grey = paint("grey", "metal")
    dark = paint("dark blue", "plastic")
    high = draw.size(0.84, 0.88)
    parts = [
        box(0, 0, 0, 0.6, 0.58, high, shell),
        disc(0, -0.3, 0.42, 0.2, 0.04, grey),
        disc(0, -0.315, 0.42, 0.15, 0.04, dark),
        box(0, -0.292, high - 0.13, 0.58, 0.01, 0.1, paint("light grey", "plastic")),
        box(-0.18, -0.298, high - 0.12, 0.18, 0.01, 0.08, shell),
        disc(0.05, -0.305, high - 0.08, 0.035, 0.03, grey),
    ]
    parts.append(box(0.19, -0.298, high - 0.1, 0.1, 0.01, 0.04, paint("black", "plastic")))
    return model(shell, parts, tops=[Top((-0.26, -0.25), (0.26, 0.25), high, 1.0)])


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
    return model(WHITE, parts)


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
    return model(WHITE, parts, tops=[lid])


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
        *pipe(0.016, STEEL, (0, 0.18, high + 0.11), (0, 0.03, high + 0.1)),
    ]
    parts += both(can(0.09, 0.18, high, 0.02, 0.05, STEEL))
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
    return model(WHITE, parts, tops=[rim, other])


def radiator(draw: Draw) -> Model:
    """A white ribbed heater."""
    ribs, shell = draw.count(10, 15), paint("white", "metal")
    width = ribs * 0.07
    parts = [
        box(-width / 2 + 0.07 * (index + 0.5), 0, 0.1, 0.045, 0.09, 0.55, shell)
        for index in range(ribs)
    ]
    parts += [rod((-width / 2, 0, z), (width / 2, 0, z), 0.02, shell) for z in (0.16, 0.59)]
    parts += both(box(width / 2 - 0.1, 0, 0, 0.04, 0.08, 0.1, shaded(shell, 0.7)))
    parts.append(can(width / 2 + 0.02, 0, 0.56, 0.03, 0.06, paint("grey", "plastic")))
    return model(shell, parts)


def towel_rail(draw: Draw) -> Model:
    """A rail on a wall with a towel over it."""
    cloth, width = draw.bright("fabric", 0.5), draw.size(0.55, 0.7)
    long = draw.size(0.45, 0.6)
    parts = [rod((-width / 2, -0.02, 0.62), (width / 2, -0.02, 0.62), 0.012, STEEL)]
    parts += both(rod((width / 2, -0.02, 0.62), (width / 2, 0.05, 0.62), 0.014, STEEL))
    parts += [
        box(0, -0.036, 0.62 - long, width - 0.12, 0.012, long, cloth),
        box(0, -0.004, 0.62 - long * 0.8, width - 0.12, 0.012, long * 0.8, cloth),
        rod((-width / 2 + 0.06, -0.02, 0.625), (width / 2 - 0.06, -0.02, 0.625), 0.02, cloth),
    ]
    return model(cloth, parts)
