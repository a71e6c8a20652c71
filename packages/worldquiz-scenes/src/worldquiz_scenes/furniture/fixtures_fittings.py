"""Kitchen appliances, bathroom fixtures, lamps, plants, and what hangs on walls or overhead."""

from __future__ import annotations

import math
from dataclasses import replace

from worldquiz_scenes.furniture.parts import (
    Model,
    Top,
    ball,
    both,
    box,
    can,
    disc,
    egg,
    lathe,
    legs,
    model,
    pipe,
    rod,
    tilt,
)
from worldquiz_scenes.furniture.seats_tables_storage import base_unit
from worldquiz_scenes.paints import Draw, paint, shaded
from worldquiz_scenes.scene import Paint, Part, Shape, Vec

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


def floor_lamp(draw: Draw) -> Model:
    metal = draw.metal()
    shade = draw.of("fabric", "ivory", "yellow", "orange", "red")
    high = draw.size(1.45, 1.6)
    parts = [
        can(0, 0, 0, 0.15, 0.025, metal),
        can(0, 0, 0.025, 0.013, high - 0.25, metal),
        *lathe(0, 0, high - 0.28, [(0, 0.2), (0.28, 0.11)], shade, 8),
    ]
    return model(shade, parts)


def ceiling_lamp(draw: Draw) -> Model:
    """A thin round ceiling lamp, lit: it does not block the room's light."""
    rim, radius = draw.of("metal", "light grey", "brown", "orange", "teal"), draw.size(0.18, 0.24)
    lit = paint("ivory" if draw.chance(0.5) else "white", "light")
    parts = [
        can(0, 0, 0.03, radius, 0.015, rim),
        can(0, 0, 0.015, radius * 0.94, 0.02, rim),
        egg(0, 0, 0, radius * 1.74, radius * 1.74, 0.044, lit),
    ]
    return model(rim, parts)


def plant(draw: Draw) -> Model:
    """A potted plant: a leafy ball, a palm or upright blades."""
    pot = draw.of("ceramic", "brown", "white", "orange", "dark grey", "blue", "teal")
    radius, soil = draw.size(0.14, 0.18), paint("dark brown", "stone")
    parts = [
        *lathe(0, 0, 0, [(0, radius * 0.7), (0.26, radius)], pot, 5),
        can(0, 0, 0.26, radius * 0.9, 0.01, soil),
    ]
    leaf = draw.of("leaf", "green", "dark green", "light green")
    parts += draw.rng.choice((_bush, _palm, _blades))(draw, leaf)
    return model(leaf, parts)


def _bush(draw: Draw, leaf: Paint) -> list[Part]:
    stem, parts = paint("brown", "wood"), []
    parts.append(can(0, 0, 0.27, 0.02, 0.3, stem))
    for index in range(9):
        angle, far = math.tau * index / 9 + draw.size(0, 0.5), draw.size(0.05, 0.14)
        x, y, size = far * math.cos(angle), far * math.sin(angle), draw.size(0.18, 0.26)
        z, tone = 0.45 + draw.size(0, 0.3), shaded(leaf, draw.size(0.8, 1.25))
        parts.append(egg(x, y, z, size, size, size, tone))
    return parts


def _palm(draw: Draw, leaf: Paint) -> list[Part]:
    parts: list[Part] = [can(0, 0, 0.27, 0.025, 0.4, paint("brown", "wood"))]
    for index in range(11):
        angle, up = math.tau * index / 11 + draw.size(0, 0.3), 0.62 + draw.size(0.1, 0.5)
        x, y = 0.2 * math.cos(angle), 0.2 * math.sin(angle)
        parts.append(_leaf((0, 0, 0.62), (x, y, up), 0.05, shaded(leaf, draw.size(0.8, 1.2))))
        tip = (x * 1.5, y * 1.5, up - 0.06)
        parts.append(_leaf((x, y, up), tip, 0.045, shaded(leaf, draw.size(0.8, 1.2))))
    return parts


def _blades(draw: Draw, leaf: Paint) -> list[Part]:
    parts = []
    for index in range(10):
        angle, far = math.tau * index / 10 + draw.size(0, 0.4), draw.size(0.02, 0.1)
        x, y = math.cos(angle), math.sin(angle)
        end = (x * far * 1.8, y * far * 1.8, draw.size(0.6, 0.95))
        parts.append(_leaf((x * far, y * far, 0.26), end, 0.04, shaded(leaf, draw.size(0.75, 1.2))))
    return parts


def _leaf(start: Vec, end: Vec, wide: float, leaf: Paint) -> Part:
    stalk = rod(start, end, 0.01, leaf)
    long = math.dist(start, end)
    return replace(stalk, shape=Shape.ELLIPSOID, size=(wide, 0.012, long * 0.62))


def rug(draw: Draw) -> Model:
    cloth, edge = draw.fabric(0.75), draw.fabric()
    if draw.chance(0.25):
        radius = draw.size(0.6, 0.85)
        rounds = [can(0, 0, 0, radius, 0.008, edge), can(0, 0, 0, radius - 0.08, 0.012, cloth)]
        return model(cloth, rounds)
    width, depth = draw.size(1.5, 2.0), draw.size(1.0, 1.35)
    parts = [
        box(0, 0, 0, width, depth, 0.008, edge),
        box(0, 0, 0, width - 0.14, depth - 0.14, 0.012, cloth),
    ]
    return model(cloth, parts)


def bath_mat(draw: Draw) -> Model:
    cloth = draw.bright("fabric", 0.7)
    return model(cloth, [box(0, 0, 0, draw.size(0.65, 0.8), draw.size(0.45, 0.5), 0.015, cloth)])


def picture(draw: Draw) -> Model:
    """A framed painting: hills and a sun, blocks of colour, or a flower."""
    frame, width, high = draw.wood(), draw.size(0.5, 0.9), draw.size(0.4, 0.65)
    parts = [
        box(0, 0, 0, width, 0.03, high, frame),
        box(0, -0.014, 0.04, width - 0.08, 0.012, high - 0.08, paint("ivory", "paper")),
    ]
    inner, tall = width - 0.14, high - 0.14
    parts += draw.rng.choice((_landscape, _blocks, _flower))(draw, inner, tall)
    return model(frame, parts)


def _landscape(draw: Draw, width: float, high: float) -> list[Part]:
    sky = draw.of("paper", "light blue", "orange", "blue")
    land = draw.of("paper", "green", "dark green", "yellow")
    sun = draw.of("paper", "yellow", "red", "white")
    return [
        box(0, -0.018, 0.07, width, 0.01, high, sky),
        box(0, -0.02, 0.072, width - 0.004, 0.01, high * 0.3, land),
        egg(-width * 0.18, -0.02, 0.07, width * 0.6, 0.011, high * 0.9, shaded(land, 0.75)),
        disc(width * 0.28, -0.0205, 0.07 + high * 0.75, high * 0.12, 0.01, sun),
    ]


def _blocks(draw: Draw, width: float, high: float) -> list[Part]:
    parts = []
    for column in range(3):
        for row in range(2):
            x, z = width * (column - 1) / 3, 0.07 + row * high / 2
            wide, tall = width / 3 - 0.01, high / 2 - 0.01
            parts.append(box(x, -0.018, z, wide, 0.01, tall, draw.bright("paper")))
    return parts


def _flower(draw: Draw, width: float, high: float) -> list[Part]:
    back = draw.of("paper", "light green", "light blue", "beige")
    bloom = draw.of("paper", "red", "pink", "purple")
    size, z = min(width, high) * 0.17, 0.07 + high * 0.6
    parts = [
        box(0, -0.018, 0.07, width, 0.01, high, back),
        box(0, -0.02, 0.07, 0.015, 0.01, high * 0.5, paint("green", "paper")),
    ]
    for index in range(6):
        angle = math.tau * index / 6
        x, up = size * 1.2 * math.cos(angle), size * 1.2 * math.sin(angle)
        parts.append(disc(x, -0.02, z + up, size * 0.8, 0.01, bloom))
    return [*parts, disc(0, -0.021, z, size * 0.7, 0.01, paint("yellow", "paper"))]


def wall_mirror(draw: Draw) -> Model:
    """A framed mirror for a wall; its glass is its front."""
    return _mirror(draw, draw.size(0.55, 0.8), draw.size(0.7, 0.95), 0.05)


def standing_mirror(draw: Draw) -> Model:
    return _mirror(draw, draw.size(0.5, 0.65), draw.size(1.5, 1.7), 0.06)


def _mirror(draw: Draw, width: float, high: float, rim: float) -> Model:
    frame, glass = draw.wood(), paint("light grey", "glass")
    half = (round(width / 2 - rim, 6), round(high / 2 - rim, 6))
    parts = [
        box(0, 0.01, 0, width, 0.03, high, frame),
        box(0, -0.007, rim, 2 * half[0], 0.006, 2 * half[1], glass),
    ]
    return model(frame, parts, mirror=half)


def curtain(draw: Draw) -> Model:
    """A rod with two panels in folds, each drawn aside by a band, and a white net behind."""
    cloth, metal = draw.fabric(), draw.metal()
    width, high = draw.size(1.2, 1.6), draw.size(1.9, 2.1)
    parts = [rod((-width / 2, 0, high), (width / 2, 0, high), 0.015, metal)]
    parts += both(ball(width / 2 - 0.01, 0, high - 0.032, 0.032, metal))
    parts.append(box(0, 0.03, 0.04, width - 0.1, 0.004, high - 0.05, paint("white", "fabric")))
    waist, folds = high * 0.45, 4
    for index in range(folds):
        share, tone = index / (folds - 1), shaded(cloth, (0.8, 1.12)[index % 2])
        top = (width / 2 - 0.06 - share * (width / 2 - 0.09), 0, high)
        tied = (width / 2 - 0.06 - share * 0.12, -0.004, waist)
        hem = (width / 2 - 0.06 - share * 0.26, 0, 0.02)
        parts += both(*(rod(one, two, 0.054, tone) for one, two in ((top, tied), (tied, hem))))
    parts += both(box(width / 2 - 0.12, -0.004, waist - 0.03, 0.24, 0.11, 0.06, shaded(cloth, 0.6)))
    return model(cloth, parts)


def window(draw: Draw) -> Model:
    """A window in an outer wall: a white frame around the outside."""
    white, sky = paint("white", "wood"), paint("light blue", "sky")
    width, high = draw.size(1.0, 1.4), draw.size(1.0, 1.2)
    parts = [
        box(0, 0, 0, width, 0.04, 0.06, white),
        box(0, 0, high - 0.06, width, 0.04, 0.06, white),
        box(0, 0.005, 0.01, width - 0.02, 0.02, high - 0.02, sky),
        box(0, 0, 0, 0.05, 0.04, high, white),
        box(0, -0.05, -0.03, width + 0.1, 0.14, 0.03, white),
    ]
    parts += both(box(width / 2 - 0.03, 0, 0, 0.06, 0.04, high, white))
    parts.append(box(0, -0.004, high * 0.62, width, 0.03, 0.03, white))
    return model(white, parts)


def wall_clock(draw: Draw) -> Model:
    rim, radius = draw.bright("plastic"), draw.size(0.15, 0.2)
    black = paint("black", "plastic")
    parts = [
        disc(0, 0, 0, radius, 0.04, rim),
        disc(0, -0.012, 0, radius - 0.025, 0.03, paint("white", "paper")),
    ]
    for index in range(12):
        far, angle = radius - 0.05, math.tau * index / 12
        x, z = far * math.sin(angle), far * math.cos(angle)
        parts.append(disc(x, -0.026, z, 0.008, 0.006, black))
    for long in (radius * 0.45, radius * 0.65):
        angle = math.tau * draw.count(0, 11) / 12
        end = (long * math.sin(angle), -0.029, long * math.cos(angle))
        parts.append(rod((0, -0.029, 0), end, 0.006, black))
    return model(rim, parts)


def tv(draw: Draw) -> Model:
    black, screen = paint("black", "plastic"), paint("dark grey", "plastic")
    width = draw.size(0.95, 1.2)
    high = width * 0.57
    parts = [
        box(0, 0, 0.05, width, 0.04, high, black),
        box(0, -0.019, 0.07, width - 0.04, 0.004, high - 0.04, screen),
    ]
    parts += both(
        box(width / 3, 0, 0, 0.04, 0.22, 0.012, black),
        box(width / 3, 0, 0.01, 0.03, 0.03, 0.05, black),
    )
    return model(black, parts)


def piano(draw: Draw) -> Model:
    wood = draw.of("wood", "black", "dark brown", "brown")
    white = paint("white", "plastic")
    black = paint("black", "plastic")
    parts = [
        box(0, 0.14, 0, 1.4, 0.3, 1.12, wood),
        box(0, 0.13, 1.12, 1.44, 0.34, 0.03, wood),
        box(0, -0.12, 0.6, 1.4, 0.24, 0.08, wood),
        *legs(1.36, 0.48, 0.6, 0.06, wood)[::2],
        box(0, -0.13, 0.68, 1.26, 0.16, 0.015, white),
    ]
    parts += [
        box(-0.6 + 0.072 * k, -0.1, 0.695, 0.025, 0.1, 0.012, black)
        for k in range(17)
        if k % 7 not in (2, 6)
    ]
    parts += both(box(0.67, -0.12, 0.68, 0.06, 0.22, 0.06, wood))
    return model(wood, parts)
