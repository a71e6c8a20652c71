"""Dishes, food and cookware; clothes, bags and containers."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import replace

from worldquiz_scenes.furniture.parts import (
    Made,
    ball,
    both,
    box,
    can,
    disc,
    egg,
    lathe,
    lean,
    pipe,
    rod,
    tilt,
)
from worldquiz_scenes.geometry import rotated
from worldquiz_scenes.paints import Draw, paint, shaded
from worldquiz_scenes.scene import Paint, Part, Pattern

STEEL = paint("light grey", "metal")
BLACK = paint("black", "plastic")
COFFEE = paint("dark brown", "plastic")
CRUMB = paint("ivory", "leaf")
GLASS = paint("light grey", "glass")


def mug(draw: Draw) -> Made:
    clay, radius = draw.bright("ceramic"), draw.size(0.042, 0.05)
    high, x, near = draw.size(0.095, 0.115), radius + 0.028, radius - 0.005
    ends = ((near, 0.82), (x, 0.75), (x, 0.3), (near, 0.2))
    yield can(0, 0, 0, radius, high, clay)
    yield can(0, 0, high - 0.001, radius * 0.86, 0.002, COFFEE)
    yield from pipe(0.009, clay, *((x, 0, high * share) for x, share in ends))


def plate(draw: Draw) -> Made:
    rim = draw.of("ceramic", "blue", "red", "green", "light blue", "white", "yellow")
    radius, white = draw.size(0.115, 0.135), paint("white", "ceramic")
    yield from lathe(0, 0, 0, [(0, radius * 0.62), (0.018, radius)], rim, 4)
    yield can(0, 0, 0.016, radius * 0.75, 0.003, white)
    yield white


def bowl(draw: Draw) -> Made:
    clay, radius, high = draw.bright("ceramic"), draw.size(0.08, 0.11), draw.size(0.065, 0.085)
    profile = [(0.0, radius * 0.5), (high * 0.5, radius * 0.86), (high, radius)]
    yield from lathe(0, 0, 0, profile, clay, 4)
    yield can(0, 0, high - 0.0005, radius * 0.88, 0.001, shaded(clay, 0.55))


def bottle(draw: Draw) -> Made:
    glass = draw.of("glass", "dark green", "brown", "light blue", "dark red")
    r = draw.size(0.036, 0.042)
    yield from lathe(0, 0, 0, [(0, r), (0.18, r), (0.23, r * 0.4), (0.3, r * 0.36)], glass, 5)
    yield can(0, 0, 0.06, r + 0.001, 0.08, paint("ivory", "paper"))
    yield can(0, 0, 0.3, r * 0.4, 0.02, draw.of("plastic", "red", "black", "yellow"))


def glass(draw: Draw) -> Made:
    drink, r = draw.of("glass", "orange", "red", "light blue", "yellow"), draw.size(0.034, 0.04)
    high, clear = draw.size(0.12, 0.14), paint("light grey", "glass")
    yield from lathe(0, 0, 0, [(0, r * 0.85), (high, r)], clear, 4)
    yield can(0, 0, 0.012, r * 1.02, high * 0.55, drink)


def wine_glass(draw: Draw) -> Made:
    clear, wine = paint("light grey", "glass"), draw.of("glass", "dark red", "yellow", "pink")
    yield can(0, 0, 0, 0.036, 0.006, clear)
    yield can(0, 0, 0.006, 0.006, 0.09, clear)
    yield from lathe(0, 0, 0.095, [(0, 0.012), (0.045, 0.042)], wine, 5)
    yield from lathe(0, 0, 0.14, [(0, 0.042), (0.055, 0.034)], clear, 4)


def teapot(draw: Draw) -> Made:
    clay = draw.bright("ceramic")
    yield can(0, 0, 0, 0.055, 0.02, clay)
    yield egg(0, 0, 0.01, 0.19, 0.19, 0.14, clay)
    yield ball(0, 0, 0.145, 0.016, clay)
    yield can(0, 0, 0.137, 0.045, 0.012, shaded(clay, 0.8))
    yield from pipe(0.014, clay, (-0.08, 0, 0.06), (-0.15, 0, 0.13))
    bow = ((0.085, 0.11), (0.135, 0.12), (0.145, 0.075), (0.09, 0.04))
    yield from pipe(0.009, clay, *((x, 0, z) for x, z in bow))


def apple(draw: Draw) -> Made:
    skin, r = draw.of("leaf", "red", "red", "light green"), draw.size(0.036, 0.042)
    yield egg(0, 0, 0, 2 * r, 2 * r, 1.8 * r, skin)
    yield can(0, 0, 1.7 * r, 0.003, 0.025, COFFEE)
    yield egg(0.014, 0, 1.8 * r, 0.03, 0.014, 0.006, paint("green", "leaf"), lean(-20))


def orange(draw: Draw) -> Made:
    skin, r = paint("orange", "leaf"), draw.size(0.036, 0.042)
    yield ball(0, 0, 0, r, skin)
    yield can(0, 0, 2 * r - 0.003, 0.006, 0.004, paint("dark green", "leaf"))


def pear(draw: Draw) -> Made:
    skin = draw.of("leaf", "light green", "yellow")
    yield ball(0, 0, 0, 0.038, skin)
    yield egg(0, 0, 0.045, 0.046, 0.046, 0.065, skin)
    yield can(0, 0, 0.105, 0.003, 0.022, COFFEE)


def banana(draw: Draw) -> Made:
    skin, dark, bend = paint("yellow", "leaf"), paint("dark brown", "leaf"), draw.size(0.08, 0.1)
    angles = (-1.0, -0.6, -0.2, 0.2, 0.6, 1.0)
    points = [(bend * math.sin(angle), bend * (1 - math.cos(angle))) for angle in angles]
    yield from pipe(0.019, skin, *((x, y, 0.019) for x, y in points))
    (x, y), (u, v) = points[0], points[-1]
    yield rod((x, y, 0.019), (x * 1.32, y * 1.45, 0.019), 0.009, dark)
    yield ball(u * 1.15, v * 1.2, 0.008, 0.011, dark)


def bread(draw: Draw) -> Made:
    crust, long = draw.of("leaf", "light brown", "brown"), draw.size(0.22, 0.27) - 0.06
    yield from _loaf(0, long, crust)
    yield from _loaf(long / 2 + 0.04, 0.016, crust, -30)
    for x in (-0.05, 0, 0.05):
        yield rod((x - 0.012, -0.026, 0.108), (x + 0.012, 0.026, 0.108), 0.009, CRUMB)


def _loaf(x: float, long: float, crust: Paint, askew: float = 0.0) -> Iterator[Part]:
    """Yield bread with a round top and a light cut face at its right end, turned by `askew`."""
    for cut, dough, rim in ((0.0, crust, 0.0), (0.002, CRUMB, 0.008)):
        low = box(cut, 0, rim, long, 0.096 - 2 * rim, 0.06 - 2 * rim, dough)
        top = can(cut, 0, 0.06 - long / 2, 0.056 - rim, long, dough)
        for part, angle in ((low, askew), (top, 90 + askew)):
            at = rotated(lean(askew), part.at)
            yield replace(part, at=(at[0] + x, at[1], at[2]), turn=lean(angle))


def pan(draw: Draw) -> Made:
    iron, r = draw.of("metal", "black", "dark grey", "red"), draw.size(0.11, 0.13)
    yield from lathe(0, 0, 0, [(0, r * 0.8), (0.045, r)], iron, 3)
    yield can(0, 0, 0.0445, r * 0.88, 0.001, paint("grey", "metal"))
    yield rod((0.9 * r, 0, 0.035), (r + 0.17, 0, 0.06), 0.012, BLACK)


def pot(draw: Draw) -> Made:
    iron = draw.of("metal", "light grey", "red", "blue", "dark grey", "green")
    r, high = draw.size(0.1, 0.12), draw.size(0.11, 0.14)
    yield can(0, 0, 0, r, high, iron)
    yield can(0, 0, high, r + 0.004, 0.012, shaded(iron, 0.75))
    yield ball(0, 0, high + 0.01, 0.016, BLACK)
    yield from both(box(r + 0.018, 0, high * 0.7, 0.045, 0.06, 0.016, BLACK))


def kettle(draw: Draw) -> Made:
    shell = draw.of("metal", "light grey", "red", "black", "white", "teal")
    yield can(0, 0, 0, 0.085, 0.02, BLACK)
    yield from lathe(0, 0, 0.02, [(0, 0.085), (0.19, 0.06)], shell, 7)
    yield can(0, 0, 0.21, 0.055, 0.012, BLACK)
    yield egg(-0.065, 0, 0.15, 0.07, 0.05, 0.05, shell, lean(-30))
    yield from pipe(0.013, BLACK, (0.055, 0, 0.205), (0.12, 0, 0.2), (0.115, 0, 0.06))
    yield shell


def toaster(draw: Draw) -> Made:
    shell = draw.of("metal", "light grey", "red", "light blue", "yellow")
    toast = paint("light brown", "leaf")
    yield box(0, 0, 0, 0.28, 0.16, 0.02, BLACK)
    yield box(0, 0, 0.02, 0.27, 0.17, 0.15, shell)
    yield box(-0.142, -0.02, 0.1, 0.02, 0.04, 0.02, BLACK)
    yield disc(-0.08, -0.088, 0.06, 0.018, 0.015, BLACK)
    for y in (-0.035, 0.035):
        yield box(0, y, 0.17, 0.2, 0.03, 0.001, BLACK)
        yield box(0, y, 0.15, 0.13, 0.018, 0.07, toast)
    yield shell


def microwave(draw: Draw) -> Made:
    shell, dark = draw.of("metal", "white", "light grey", "black"), paint("dark grey", "plastic")
    pale = paint("light grey", "plastic") if shell.colour != "light grey" else BLACK
    yield box(0, 0, 0.01, 0.48, 0.34, 0.27, shell)
    yield box(0, 0, 0, 0.42, 0.3, 0.01, BLACK)
    yield box(-0.06, -0.172, 0.03, 0.33, 0.01, 0.23, dark)
    yield box(0.175, -0.172, 0.2, 0.1, 0.008, 0.05, paint("green", "plastic"))
    yield box(0.1, -0.185, 0.05, 0.016, 0.02, 0.19, pale)
    for k in range(9):
        yield box(0.15 + 0.03 * (k % 3), -0.172, 0.06 + 0.035 * (k // 3), 0.02, 0.008, 0.022, pale)


def coffee_machine(draw: Draw) -> Made:
    shell = draw.of("plastic", "black", "red", "dark grey", "white")
    yield box(0, 0, 0, 0.2, 0.26, 0.03, shell)
    yield box(0, 0.09, 0.03, 0.198, 0.08, 0.29, shell)
    yield box(0, 0, 0.24, 0.2, 0.24, 0.09, shell)
    yield box(0, -0.12, 0.25, 0.18, 0.008, 0.07, STEEL)
    yield disc(0.06, -0.127, 0.285, 0.014, 0.008, paint("red", "light"))
    yield can(0, -0.04, 0.185, 0.04, 0.056, BLACK)
    yield can(0, -0.04, 0.03, 0.078, 0.006, STEEL)
    yield can(0, -0.04, 0.036, 0.072, 0.062, COFFEE)
    yield from lathe(0, -0.04, 0.098, [(0, 0.07), (0.06, 0.05)], GLASS, 2)
    yield can(0, -0.04, 0.158, 0.054, 0.014, BLACK)
    yield from pipe(0.009, BLACK, (0.05, -0.06, 0.155), (0.1, -0.09, 0.135), (0.065, -0.07, 0.07))


def knife_block(draw: Draw) -> Made:
    wood = draw.of("wood", "light brown", "brown", "dark brown")
    yield box(0, 0, 0, 0.12, 0.2, 0.03, wood)
    yield box(0, 0.01, 0.02, 0.12, 0.12, 0.2, wood, tilt(18))
    for x in (-0.036, 0, 0.036):
        for row in range(2):
            y, z = -0.06 + 0.05 * row, 0.225 + 0.02 * row
            yield rod((x, y + 0.01, z - 0.02), (x, y - 0.022, z + 0.08), 0.011, BLACK)


def cutting_board(draw: Draw) -> Made:
    wood, dark = draw.of("wood", "light brown", "beige"), paint("dark grey", "metal")
    yield box(0, 0, 0, 0.34, 0.22, 0.02, wood)
    yield box(0.21, 0, 0, 0.09, 0.05, 0.02, wood)
    yield box(-0.05, 0.02, 0.02, 0.16, 0.028, 0.004, dark)
    yield box(0.08, 0.02, 0.02, 0.1, 0.024, 0.014, BLACK)


def shoe(draw: Draw) -> Made:
    cloth = draw.of("fabric", "red", "blue", "black", "white", "green", "brown")
    sole = paint("grey" if cloth.colour == "white" else "white", "plastic")
    yield box(0, 0.02, 0, 0.09, 0.18, 0.025, sole)
    yield egg(0, -0.06, 0, 0.1, 0.2, 0.05, sole)
    yield egg(0, -0.055, 0.012, 0.094, 0.19, 0.085, cloth)
    yield egg(0, 0.05, 0.005, 0.088, 0.13, 0.14, cloth)
    yield can(0, 0.055, 0.075, 0.042, 0.045, cloth)
    yield can(0, 0.055, 0.1195, 0.037, 0.001, BLACK)
    yield from both(
        *(rod((0.042, y, 0.03), (0.041, y + 0.03, 0.085), 0.006, sole) for y in (-0.04, -0.01))
    )
    for y in (-0.06, -0.035, -0.01):
        yield rod((-0.03, y, 0.1 + y * 0.25), (0.03, y, 0.1 + y * 0.25), 0.005, sole)
    yield cloth


def hat(draw: Draw) -> Made:
    felt = draw.of("fabric", "brown", "black", "beige", "dark blue", "red")
    ribbon = draw.bright("fabric")
    yield can(0, 0, 0, 0.16, 0.012, felt)
    yield from lathe(0, 0, 0.012, [(0, 0.095), (0.11, 0.085)], felt, 3)
    yield can(0, 0, 0.012, 0.098, 0.03, ribbon)
    yield egg(0, 0, 0.1, 0.165, 0.165, 0.045, felt)


def handbag(draw: Draw) -> Made:
    skin = draw.of("fabric", "red", "brown", "black", "teal", "pink")
    gold, dark = paint("yellow", "metal"), shaded(skin, 0.7)
    yield box(0, 0, 0, 0.24, 0.1, 0.2, skin)
    yield egg(0, -0.057, 0.12, 0.2, 0.03, 0.13, dark)
    yield box(0, -0.073, 0.12, 0.04, 0.012, 0.03, gold)
    yield from both(
        *pipe(0.05, skin, (0.12, 0, 0.05), (0.09, 0, 0.16)),
        *pipe(0.005, gold, (0.09, -0.04, 0.19), (0.09, 0.04, 0.19)),
    )
    bow = ((-0.09, 0.2), (-0.07, 0.28), (0, 0.31), (0.07, 0.28), (0.09, 0.2))
    for y in (-0.035, 0.035):
        yield from pipe(0.009, dark, *((x, y, z) for x, z in bow))


def backpack(draw: Draw) -> Made:
    cloth = draw.bright("fabric", 0.2)
    dark = shaded(cloth, 0.65) if cloth.pattern is Pattern.PLAIN else cloth
    yield box(0, 0, 0, 0.16, 0.16, 0.33, cloth)
    yield egg(0, 0, 0.25, 0.29, 0.17, 0.18, cloth)
    yield egg(0, -0.075, 0.02, 0.24, 0.13, 0.21, dark)
    yield from pipe(0.006, STEEL, (-0.09, -0.113, 0.155), (0, -0.14, 0.17), (0.09, -0.113, 0.155))
    loop = ((-0.05, 0.42), (-0.03, 0.46), (0.03, 0.46), (0.05, 0.42))
    yield from pipe(0.011, BLACK, *((x, 0.03, z) for x, z in loop))
    yield from both(
        *pipe(0.08, cloth, (0.07, 0, 0.08), (0.07, 0, 0.3)),
        egg(0.15, 0, 0.03, 0.06, 0.11, 0.16, dark),
        *pipe(0.018, BLACK, (0.07, 0.075, 0.38), (0.13, 0.12, 0.26), (0.12, 0.08, 0.06)),
    )


def suitcase(draw: Draw) -> Made:
    shell = draw.bright("plastic", 0.2)
    yield box(0, 0, 0.05, 0.4, 0.22, 0.56, shell)
    yield box(0, -0.11, 0.15, 0.34, 0.02, 0.36, shaded(shell, 0.75))
    for side in (-1, 1):
        yield rod((side * 0.1, 0.06, 0.6), (side * 0.1, 0.06, 0.85), 0.009, STEEL)
        for y in (-0.08, 0.08):
            yield ball(side * 0.15, y, 0.0, 0.028, BLACK)
    yield from pipe(0.016, BLACK, (-0.1, 0.06, 0.85), (0.1, 0.06, 0.85))


def box_(draw: Draw) -> Made:
    card = draw.bright("paper", 0.6) if draw.chance(0.6) else paint("light brown", "paper")
    w, d, h = draw.size(0.22, 0.34), draw.size(0.18, 0.26), draw.size(0.14, 0.22)
    tape = shaded(card, 0.7)
    yield box(0, 0, 0, w, d, h, card)
    yield box(0, 0, h * 0.75, w + 0.012, d + 0.012, h * 0.25 + 0.004, tape)


def basket(draw: Draw) -> Made:
    cane = draw.of("wood", "light brown", "brown", "beige")
    rim = shaded(cane, 0.7)
    for index in range(6):
        tone = shaded(cane, (0.85, 1.1)[index % 2])
        yield can(0, 0, 0.05 * index, 0.17 + 0.006 * index, 0.05, tone)
    yield can(0, 0, 0.29, 0.208, 0.012, rim)
    yield can(0, 0, 0.3015, 0.185, 0.001, BLACK)
    for side in (-1, 1):
        x = side * 0.2
        yield from pipe(0.014, rim, (x, -0.08, 0.3), (side * 0.21, 0, 0.38), (x, 0.08, 0.3))
    yield cane


def waste_bin(draw: Draw) -> Made:
    shell = draw.of("metal", "light grey", "black", "red", "white")
    yield from lathe(0, 0, 0, [(0, 0.13), (0.4, 0.145)], shell, 3)
    yield can(0, 0, 0.4, 0.15, 0.02, BLACK)
    yield egg(0, 0, 0.39, 0.28, 0.28, 0.08, shell)
    yield box(0, -0.15, 0.01, 0.07, 0.05, 0.015, BLACK)


def umbrella_stand(draw: Draw) -> Made:
    metal = draw.of("metal", "black", "dark grey", "brown", "dark green")
    wood = paint("brown", "wood")
    yield can(0, 0, 0, 0.13, 0.45, metal)
    yield can(0, 0, 0.4495, 0.115, 0.001, BLACK)
    for x, y in ((0.05, 0.02), (-0.05, 0.03), (0.0, -0.05)):
        cloth = draw.bright("fabric")
        handle = (x * 1.4, y * 1.4, 0.8)
        yield from pipe(0.032, cloth, (x, y, 0.3), (x * 1.3, y * 1.3, 0.68))
        yield rod((x * 1.3, y * 1.3, 0.66), handle, 0.009, wood)
        yield from pipe(0.009, wood, handle, (x * 1.4 + 0.05, y * 1.4, 0.8))


def watering_can(draw: Draw) -> Made:
    metal = draw.of("metal", "green", "blue", "red", "light grey", "teal")
    yield can(0, 0, 0, 0.095, 0.16, metal)
    yield can(0, 0, 0.1595, 0.08, 0.001, BLACK)
    yield rod((-0.08, 0, 0.04), (-0.24, 0, 0.2), 0.014, metal)
    yield rod((-0.235, 0, 0.195), (-0.27, 0, 0.23), 0.032, metal)
    bow = ((0.07, 0.155), (0.11, 0.23), (0.17, 0.21), (0.17, 0.12), (0.09, 0.05))
    yield from pipe(0.01, metal, *((x, 0, z) for x, z in bow))


def bucket(draw: Draw) -> Made:
    shell = draw.of("plastic", "blue", "red", "yellow", "green")
    yield from lathe(0, 0, 0, [(0, 0.11), (0.24, 0.145)], shell, 5)
    yield can(0, 0, 0.2395, 0.13, 0.001, paint("light blue", "plastic"))
    for side in (-1, 1):
        yield rod((side * 0.145, 0, 0.22), (side * 0.1, 0, 0.35), 0.006, STEEL)
    yield from pipe(0.012, paint("white", "plastic"), (-0.1, 0, 0.35), (0.1, 0, 0.35))
