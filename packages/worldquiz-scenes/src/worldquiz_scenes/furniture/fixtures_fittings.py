"""Kitchen appliances, bathroom fixtures, lamps, plants, and things hung on walls or overhead."""

from __future__ import annotations

import math
from dataclasses import replace

from worldquiz_scenes.furniture.parts import (
    Glazed,
    Made,
    Top,
    ball,
    both,
    box,
    can,
    disc,
    egg,
    lathe,
    legs,
    pipe,
    rod,
    tilt,
)
from worldquiz_scenes.furniture.seats_tables_storage import base_unit
from worldquiz_scenes.paints import Draw, paint, shaded
from worldquiz_scenes.scene import Paint, Part, Shape, Vec

WHITE = paint("white", "ceramic")
STEEL = paint("light grey", "metal")


def fridge(draw: Draw) -> Made:
    shell = draw.of("metal", "white", "light grey", "light grey", "red", "light blue")
    high, width, dark = draw.size(1.7, 1.85), draw.size(0.6, 0.68), paint("dark grey", "metal")
    yield box(0, 0.02, 0.0, width, 0.6, high, shaded(shell, 0.85))
    yield box(0, -0.3, 0.06, width - 0.01, 0.06, 0.58, shell)
    yield box(0, -0.3, 0.66, width - 0.01, 0.06, high - 0.68, shell)
    for z, tall in ((0.36, 0.25), (0.74, 0.45)):
        yield box(-width / 2 + 0.07, -0.345, z, 0.025, 0.03, tall, dark)
    for index in range(draw.count(0, 3)):
        note = draw.bright("paper")
        yield box(0.05 + 0.07 * index, -0.332, high - 0.35 - 0.11 * index, 0.08, 0.004, 0.08, note)
    yield shell


def stove(draw: Draw) -> Made:
    shell, black = draw.of("metal", "white", "light grey"), paint("black", "plastic")
    dark = paint("dark grey", "metal")
    yield box(0, 0, 0, 0.6, 0.6, 0.88, shell)
    yield box(0, 0, 0.88, 0.6, 0.6, 0.02, black)
    yield box(0, -0.305, 0.2, 0.46, 0.02, 0.36, black)
    yield box(0, 0.285, 0.9, 0.6, 0.03, 0.1, shell)
    yield rod((-0.22, -0.34, 0.62), (0.22, -0.34, 0.62), 0.013, dark)
    yield from both(box(0.2, -0.325, 0.61, 0.02, 0.05, 0.02, dark))
    for x in (-0.14, 0.14):
        for y, radius in ((-0.13, 0.1), (0.12, 0.08)):
            yield can(x, y, 0.9, radius, 0.006, paint("grey", "metal"))
            yield can(x, y, 0.906, radius * 0.6, 0.004, paint("red", "metal"))
    for index in range(5):
        yield disc(-0.2 + 0.1 * index, -0.31, 0.76, 0.025, 0.03, dark)
    yield Top((-0.26, -0.25), (0.26, 0.22), 0.91, 1.0, "hob")


def sink(draw: Draw) -> Made:
    front, steel = draw.front(), paint("light grey", "metal")
    stone, width = draw.of("stone", "dark grey", "beige"), draw.size(0.9, 1.1)
    yield from base_unit(width, front)
    yield box(-width / 2 + 0.16, 0, 0.86, 0.32, 0.62, 0.04, stone)
    yield box(0.16, 0, 0.861, width - 0.34, 0.6, 0.012, paint("grey", "metal"))
    for y in (-0.27, 0.25):
        yield box(0.16, y, 0.86, width - 0.32, 0.08 if y < 0 else 0.12, 0.045, steel)
    for x in (-width / 2 + 0.35, width / 2 - 0.03):
        yield box(x, -0.02, 0.86, 0.06, 0.42, 0.045, steel)
    yield can(0.16, 0.26, 0.905, 0.022, 0.22, steel)
    yield from pipe(0.018, steel, (0.16, 0.26, 1.12), (0.16, 0.06, 1.15))
    yield rod((0.16, 0.07, 1.15), (0.16, 0.06, 1.08), 0.015, steel)
    yield rod((0.16, 0.26, 0.95), (0.26, 0.24, 0.99), 0.012, steel)
    yield from both(
        box(width / 4, -0.3, 0.12, width / 2 - 0.02, 0.02, 0.7, shaded(front, 1.08)),
        box(0.05, -0.315, 0.6, 0.02, 0.02, 0.14, steel),
    )
    yield Top((-width / 2 + 0.03, -0.27), (-width / 2 + 0.3, 0.27), 0.9, 1.0)
    yield front


def washing_machine(draw: Draw) -> Made:
    shell, grey = paint("white", "metal"), paint("grey", "metal")
    dark, high = paint("dark blue", "plastic"), draw.size(0.84, 0.88)
    yield box(0, 0, 0, 0.6, 0.58, high, shell)
    yield disc(0, -0.3, 0.42, 0.2, 0.04, grey)
    yield disc(0, -0.315, 0.42, 0.15, 0.04, dark)
    yield box(0, -0.292, high - 0.13, 0.58, 0.01, 0.1, paint("light grey", "plastic"))
    yield box(-0.18, -0.298, high - 0.12, 0.18, 0.01, 0.08, shell)
    yield disc(0.05, -0.305, high - 0.08, 0.035, 0.03, grey)
    yield box(0.19, -0.298, high - 0.1, 0.1, 0.01, 0.04, paint("black", "plastic"))
    yield Top((-0.26, -0.25), (0.26, 0.25), high, 1.0)


def bathtub(draw: Draw) -> Made:
    width, depth, high = draw.size(1.5, 1.7), draw.size(0.7, 0.76), 0.56
    water = paint("light blue", "plastic")
    yield box(0, 0, 0, width - 0.1, depth - 0.1, 0.38, WHITE)
    yield box(0, 0, 0.38, width - 0.14, depth - 0.14, 0.02, water)
    for side in (-1, 1):
        yield box(side * (width / 2 - 0.04), 0, 0, 0.08, depth, high, WHITE)
        yield box(0, side * (depth / 2 - 0.04), 0, width - 0.16, 0.08, high, WHITE)
    x = width / 2 - 0.04
    yield rod((x, 0, high), (x, 0, high + 0.16), 0.02, STEEL)
    yield rod((x, 0, high + 0.15), (x - 0.16, 0, high + 0.13), 0.018, STEEL)
    for side in (-1, 1):
        yield can(x, side * 0.1, high, 0.022, 0.06, STEEL)


def toilet(draw: Draw) -> Made:
    seat = draw.of("plastic", "white", "white", "light blue", "light brown")
    yield from lathe(0, -0.08, 0, [(0, 0.13), (0.2, 0.11), (0.36, 0.19)], WHITE, 5)
    yield box(0, 0.14, 0, 0.22, 0.3, 0.36, WHITE)
    yield egg(0, -0.1, 0.34, 0.4, 0.5, 0.08, WHITE)
    yield egg(0, -0.11, 0.4, 0.4, 0.48, 0.035, seat)
    yield egg(0, -0.12, 0.405, 0.26, 0.33, 0.036, shaded(seat, 0.6))
    yield box(0, 0.24, 0.36, 0.4, 0.18, 0.4, WHITE)
    yield box(0, 0.24, 0.76, 0.42, 0.2, 0.03, WHITE)
    yield can(0, 0.24, 0.79, 0.03, 0.012, STEEL)
    yield egg(0, 0.12, 0.42, 0.38, 0.05, 0.36, seat, tilt(-4))
    yield Top((-0.17, 0.17), (0.17, 0.31), 0.79, 1.0)


def washbasin(draw: Draw) -> Made:
    wide, high = draw.size(0.56, 0.66), 0.84
    yield box(0, 0, high - 0.14, wide, 0.46, 0.11, WHITE)
    yield box(0, 0.18, high - 0.03, wide, 0.1, 0.03, WHITE)
    yield egg(0, -0.05, high - 0.05, wide - 0.12, 0.3, 0.04, paint("light grey", "ceramic"))
    for x, y, w, d in (
        (0, -0.21, wide, 0.04),
        (wide / 2 - 0.03, -0.03, 0.06, 0.32),
        (0.03 - wide / 2, -0.03, 0.06, 0.32),
    ):
        yield box(x, y, high - 0.03, w, d, 0.03, WHITE)
    yield can(0, 0.18, high, 0.02, 0.12, STEEL)
    yield from pipe(0.016, STEEL, (0, 0.18, high + 0.11), (0, 0.03, high + 0.1))
    yield from both(can(0.09, 0.18, high, 0.02, 0.05, STEEL))
    if draw.chance(0.5):
        front = draw.front()
        yield box(0, 0.02, 0.0, wide - 0.06, 0.4, high - 0.14, front)
        yield box(0, -0.19, 0.08, 0.01, 0.01, high - 0.26, shaded(front, 0.6))
    else:
        yield from lathe(0, 0.06, 0, [(0, 0.13), (0.1, 0.09), (high - 0.14, 0.11)], WHITE, 4)
    yield Top((-wide / 2 + 0.01, 0.132), (-0.12, 0.228), high, 0.5)
    yield Top((0.12, 0.132), (wide / 2 - 0.01, 0.228), high, 0.5)


def radiator(draw: Draw) -> Made:
    ribs, shell = draw.count(10, 15), paint("white", "metal")
    width = ribs * 0.07
    for index in range(ribs):
        yield box(-width / 2 + 0.07 * (index + 0.5), 0, 0.1, 0.045, 0.09, 0.55, shell)
    for z in (0.16, 0.59):
        yield rod((-width / 2, 0, z), (width / 2, 0, z), 0.02, shell)
    yield from both(box(width / 2 - 0.1, 0, 0, 0.04, 0.08, 0.1, shaded(shell, 0.7)))
    yield can(width / 2 + 0.02, 0, 0.56, 0.03, 0.06, paint("grey", "plastic"))


def towel_rail(draw: Draw) -> Made:
    cloth, width, long = draw.bright("fabric", 0.5), draw.size(0.55, 0.7), draw.size(0.45, 0.6)
    yield rod((-width / 2, -0.02, 0.62), (width / 2, -0.02, 0.62), 0.012, STEEL)
    yield from both(rod((width / 2, -0.02, 0.62), (width / 2, 0.05, 0.62), 0.014, STEEL))
    yield box(0, -0.036, 0.62 - long, width - 0.12, 0.012, long, cloth)
    yield box(0, -0.004, 0.62 - long * 0.8, width - 0.12, 0.012, long * 0.8, cloth)
    yield rod((-width / 2 + 0.06, -0.02, 0.625), (width / 2 - 0.06, -0.02, 0.625), 0.02, cloth)
    yield cloth


def floor_lamp(draw: Draw) -> Made:
    metal, shade = draw.metal(), draw.of("fabric", "ivory", "yellow", "orange", "red")
    high = draw.size(1.45, 1.6)
    yield can(0, 0, 0, 0.15, 0.025, metal)
    yield can(0, 0, 0.025, 0.013, high - 0.25, metal)
    yield from lathe(0, 0, high - 0.28, [(0, 0.2), (0.28, 0.11)], shade, 8)
    yield shade


def ceiling_lamp(draw: Draw) -> Made:
    rim, radius = draw.of("metal", "light grey", "brown", "orange", "teal"), draw.size(0.18, 0.24)
    lit = paint("ivory" if draw.chance(0.5) else "white", "light")
    yield can(0, 0, 0.03, radius, 0.015, rim)
    yield can(0, 0, 0.015, radius * 0.94, 0.02, rim)
    yield egg(0, 0, 0, radius * 1.74, radius * 1.74, 0.044, lit)


def plant(draw: Draw) -> Made:
    pot = draw.of("ceramic", "brown", "white", "orange", "dark grey", "blue", "teal")
    radius, soil = draw.size(0.14, 0.18), paint("dark brown", "stone")
    yield from lathe(0, 0, 0, [(0, radius * 0.7), (0.26, radius)], pot, 5)
    yield can(0, 0, 0.26, radius * 0.9, 0.01, soil)
    leaf = draw.of("leaf", "green", "dark green", "light green")
    yield from draw.rng.choice((_bush, _palm, _blades))(draw, leaf)
    yield leaf


def _bush(draw: Draw, leaf: Paint) -> Made:
    yield can(0, 0, 0.27, 0.02, 0.3, paint("brown", "wood"))
    for index in range(9):
        angle, far = math.tau * index / 9 + draw.size(0, 0.5), draw.size(0.05, 0.14)
        x, y, size = far * math.cos(angle), far * math.sin(angle), draw.size(0.18, 0.26)
        z, tone = 0.45 + draw.size(0, 0.3), shaded(leaf, draw.size(0.8, 1.25))
        yield egg(x, y, z, size, size, size, tone)


def _palm(draw: Draw, leaf: Paint) -> Made:
    yield can(0, 0, 0.27, 0.025, 0.4, paint("brown", "wood"))
    for index in range(11):
        angle, up = math.tau * index / 11 + draw.size(0, 0.3), 0.62 + draw.size(0.1, 0.5)
        x, y = 0.2 * math.cos(angle), 0.2 * math.sin(angle)
        yield _leaf((0, 0, 0.62), (x, y, up), 0.05, shaded(leaf, draw.size(0.8, 1.2)))
        tip = (x * 1.5, y * 1.5, up - 0.06)
        yield _leaf((x, y, up), tip, 0.045, shaded(leaf, draw.size(0.8, 1.2)))


def _blades(draw: Draw, leaf: Paint) -> Made:
    for index in range(10):
        angle, far = math.tau * index / 10 + draw.size(0, 0.4), draw.size(0.02, 0.1)
        x, y = math.cos(angle), math.sin(angle)
        end = (x * far * 1.8, y * far * 1.8, draw.size(0.6, 0.95))
        yield _leaf((x * far, y * far, 0.26), end, 0.04, shaded(leaf, draw.size(0.75, 1.2)))


def _leaf(start: Vec, end: Vec, wide: float, leaf: Paint) -> Part:
    stalk, long = rod(start, end, 0.01, leaf), math.dist(start, end)
    return replace(stalk, shape=Shape.ELLIPSOID, size=(wide, 0.012, long * 0.62))


def rug(draw: Draw) -> Made:
    cloth, edge = draw.fabric(0.75), draw.fabric()
    if draw.chance(0.25):
        radius = draw.size(0.6, 0.85)
        yield can(0, 0, 0, radius, 0.008, edge)
        yield can(0, 0, 0, radius - 0.08, 0.012, cloth)
    else:
        width, depth = draw.size(1.5, 2.0), draw.size(1.0, 1.35)
        yield box(0, 0, 0, width, depth, 0.008, edge)
        yield box(0, 0, 0, width - 0.14, depth - 0.14, 0.012, cloth)
    yield cloth


def bath_mat(draw: Draw) -> Made:
    cloth = draw.bright("fabric", 0.7)
    yield box(0, 0, 0, draw.size(0.65, 0.8), draw.size(0.45, 0.5), 0.015, cloth)


def picture(draw: Draw) -> Made:
    frame, width, high = draw.wood(), draw.size(0.5, 0.9), draw.size(0.4, 0.65)
    yield box(0, 0, 0, width, 0.03, high, frame)
    yield box(0, -0.014, 0.04, width - 0.08, 0.012, high - 0.08, paint("ivory", "paper"))
    inner, tall = width - 0.14, high - 0.14
    yield from draw.rng.choice((_landscape, _blocks, _flower))(draw, inner, tall)


def _landscape(draw: Draw, width: float, high: float) -> Made:
    sky = draw.of("paper", "light blue", "orange", "blue")
    land = draw.of("paper", "green", "dark green", "yellow")
    sun = draw.of("paper", "yellow", "red", "white")
    yield box(0, -0.018, 0.07, width, 0.01, high, sky)
    yield box(0, -0.02, 0.072, width - 0.004, 0.01, high * 0.3, land)
    yield egg(-width * 0.18, -0.02, 0.07, width * 0.6, 0.011, high * 0.9, shaded(land, 0.75))
    yield disc(width * 0.28, -0.0205, 0.07 + high * 0.75, high * 0.12, 0.01, sun)


def _blocks(draw: Draw, width: float, high: float) -> Made:
    """Yield rectangles of different sizes, which cannot be mistaken for a pattern of checks."""
    side, wide, low = draw.rng.choice((-1, 1)), width * draw.size(0.55, 0.7), draw.size(0.3, 0.7)
    for x, broad, start, end in (
        (side * (width - wide) / 2, wide, 0.0, 1.0),
        (-side * wide / 2, width - wide, 0.0, low),
        (-side * wide / 2, width - wide, low, 1.0),
    ):
        z, tall = 0.07 + start * high, (end - start) * high - 0.01
        yield box(x, -0.018, z, broad - 0.01, 0.01, tall, draw.bright("paper"))


def _flower(draw: Draw, width: float, high: float) -> Made:
    back = draw.of("paper", "light green", "light blue", "beige")
    bloom = draw.of("paper", "red", "pink", "purple")
    size, z = min(width, high) * 0.17, 0.07 + high * 0.6
    yield box(0, -0.018, 0.07, width, 0.01, high, back)
    yield box(0, -0.02, 0.07, 0.015, 0.01, high * 0.5, paint("green", "paper"))
    for index in range(6):
        angle = math.tau * index / 6
        x, up = size * 1.2 * math.cos(angle), size * 1.2 * math.sin(angle)
        yield disc(x, -0.02, z + up, size * 0.8, 0.01, bloom)
    yield disc(0, -0.021, z, size * 0.7, 0.01, paint("yellow", "paper"))


def wall_mirror(draw: Draw) -> Made:
    return _mirror(draw, draw.size(0.8, 1.3), draw.size(0.8, 1.0), 0.05)


def standing_mirror(draw: Draw) -> Made:
    return _mirror(draw, draw.size(0.6, 0.8), draw.size(1.5, 1.7), 0.06)


def _mirror(draw: Draw, width: float, high: float, rim: float) -> Made:
    frame, glass = draw.wood(), paint("light grey", "glass")
    glazed = Glazed(round(width / 2 - rim, 6), round(high / 2 - rim, 6))
    yield box(0, 0.01, 0, width, 0.03, high, frame)
    yield box(0, -0.007, rim, 2 * glazed.wide, 0.006, 2 * glazed.high, glass)
    yield glazed


def curtain(draw: Draw) -> Made:
    cloth, metal = draw.fabric(), draw.metal()
    width, high = draw.size(1.2, 1.6), draw.size(1.9, 2.1)
    yield rod((-width / 2, 0, high), (width / 2, 0, high), 0.015, metal)
    yield from both(ball(width / 2 - 0.01, 0, high - 0.032, 0.032, metal))
    yield box(0, 0.03, 0.04, width - 0.1, 0.004, high - 0.05, paint("white", "fabric"))
    waist, folds = high * 0.45, 4
    for index in range(folds):
        share, tone = index / (folds - 1), shaded(cloth, (0.8, 1.12)[index % 2])
        top = (width / 2 - 0.06 - share * (width / 2 - 0.09), 0, high)
        tied = (width / 2 - 0.06 - share * 0.12, -0.004, waist)
        hem = (width / 2 - 0.06 - share * 0.26, 0, 0.02)
        yield from both(*(rod(one, two, 0.054, tone) for one, two in ((top, tied), (tied, hem))))
    yield from both(
        box(width / 2 - 0.12, -0.004, waist - 0.03, 0.24, 0.11, 0.06, shaded(cloth, 0.6))
    )
    yield cloth


def window(draw: Draw) -> Made:
    white, sky = paint("white", "wood"), paint("light blue", "sky")
    width, high = draw.size(1.0, 1.4), draw.size(1.0, 1.2)
    yield box(0, 0, 0, width - 0.12, 0.04, 0.06, white)
    yield box(0, 0, high - 0.06, width - 0.12, 0.04, 0.06, white)
    yield box(0, 0.005, 0.01, width - 0.02, 0.02, high - 0.02, sky)
    yield box(0, 0, 0.06, 0.05, 0.04, high - 0.12, white)
    yield box(0, -0.05, -0.03, width + 0.1, 0.14, 0.03, white)
    yield from both(box(width / 2 - 0.03, 0, 0, 0.06, 0.04, high, white))
    yield box(0, -0.004, high * 0.62, width, 0.03, 0.03, white)


def wall_clock(draw: Draw) -> Made:
    rim, radius, black = draw.bright("plastic"), draw.size(0.15, 0.2), paint("black", "plastic")
    yield disc(0, 0, 0, radius, 0.04, rim)
    yield disc(0, -0.012, 0, radius - 0.025, 0.03, paint("white", "paper"))
    for index in range(12):
        far, angle = radius - 0.05, math.tau * index / 12
        x, z = far * math.sin(angle), far * math.cos(angle)
        yield disc(x, -0.026, z, 0.008, 0.006, black)
    for long in (radius * 0.45, radius * 0.65):
        angle = math.tau * draw.count(0, 11) / 12
        end = (long * math.sin(angle), -0.029, long * math.cos(angle))
        yield rod((0, -0.029, 0), end, 0.006, black)


def tv(draw: Draw) -> Made:
    black, screen = paint("black", "plastic"), paint("dark grey", "plastic")
    width = draw.size(0.95, 1.2)
    high = width * 0.57
    yield box(0, 0, 0.05, width, 0.04, high, black)
    yield box(0, -0.019, 0.07, width - 0.04, 0.004, high - 0.04, screen)
    yield from both(
        box(width / 3, 0, 0, 0.04, 0.22, 0.012, black),
        box(width / 3, 0, 0.01, 0.03, 0.03, 0.05, black),
    )


def piano(draw: Draw) -> Made:
    wood, white = draw.of("wood", "black", "dark brown", "brown"), paint("white", "plastic")
    black = paint("black", "plastic")
    yield box(0, 0.14, 0, 1.4, 0.3, 1.12, wood)
    yield box(0, 0.13, 1.12, 1.44, 0.34, 0.03, wood)
    yield box(0, -0.12, 0.6, 1.4, 0.24, 0.08, wood)
    yield from legs(1.36, 0.48, 0.6, 0.06, wood)[::2]
    yield box(0, -0.13, 0.68, 1.26, 0.16, 0.015, white)
    for k in range(17):
        if k % 7 not in (2, 6):
            yield box(-0.6 + 0.072 * k, -0.1, 0.695, 0.025, 0.1, 0.012, black)
    yield from both(box(0.67, -0.12, 0.68, 0.06, 0.22, 0.06, wood))
