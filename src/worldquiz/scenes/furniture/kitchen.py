"""Large kitchen and laundry appliances."""

from __future__ import annotations

from worldquiz.scenes.furniture.parts import Model, Top, box, can, disc, model, rod
from worldquiz.scenes.furniture.tables import base_unit
from worldquiz.scenes.paints import Draw, paint, shaded


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
    return model("fridge", shell, parts)


def stove(draw: Draw) -> Model:
    """A cooker: four hotplates, knobs and an oven with a dark window."""
    shell, black = draw.of("metal", "white", "light grey"), paint("black", "plastic")
    dark = paint("dark grey", "metal")
    parts = [
        box(0, 0, 0, 0.6, 0.6, 0.88, shell),
        box(0, 0, 0.88, 0.6, 0.6, 0.02, black),
        box(0, -0.305, 0.2, 0.46, 0.02, 0.36, black),
        box(0, 0.285, 0.9, 0.6, 0.03, 0.1, shell),
        rod((-0.22, -0.34, 0.62), (0.22, -0.34, 0.62), 0.013, dark),
    ]
    parts += [box(side * 0.2, -0.325, 0.61, 0.02, 0.05, 0.02, dark) for side in (-1, 1)]
    for x in (-0.14, 0.14):
        for y, radius in ((-0.13, 0.1), (0.12, 0.08)):
            parts.append(can(x, y, 0.9, radius, 0.006, paint("grey", "metal")))
            parts.append(can(x, y, 0.906, radius * 0.6, 0.004, paint("red", "metal")))
    parts += [disc(-0.2 + 0.1 * index, -0.31, 0.76, 0.025, 0.03, dark) for index in range(5)]
    hob = Top((-0.26, -0.25), (0.26, 0.22), 0.91, 1.0, "hob")
    return model("stove", shell, parts, tops=[hob])


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
        rod((0.16, 0.26, 1.12), (0.16, 0.06, 1.15), 0.018, steel, round_ends=True),
        rod((0.16, 0.07, 1.15), (0.16, 0.06, 1.08), 0.015, steel),
        rod((0.16, 0.26, 0.95), (0.26, 0.24, 0.99), 0.012, steel),
    ]
    for side in (-1, 1):
        parts.append(
            box(side * width / 4, -0.3, 0.12, width / 2 - 0.02, 0.02, 0.7, shaded(front, 1.08))
        )
        parts.append(box(side * 0.05, -0.315, 0.6, 0.02, 0.02, 0.14, steel))
    top = Top((-width / 2 + 0.03, -0.27), (-width / 2 + 0.3, 0.27), 0.9, 1.0)
    return model("sink", front, parts, tops=[top])


def washing_machine(draw: Draw) -> Model:
    """A white box with a round glass door."""
    shell, grey, dark = (
        paint("white", "metal"),
        paint("grey", "metal"),
        paint("dark blue", "plastic"),
    )
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
    return model(
        "washing machine", shell, parts, tops=[Top((-0.26, -0.25), (0.26, 0.25), high, 1.0)]
    )
