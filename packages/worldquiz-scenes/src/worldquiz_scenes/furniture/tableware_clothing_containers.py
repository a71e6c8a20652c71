"""Dishes, food and cookware; clothes, bags and containers."""

from __future__ import annotations

import math
from dataclasses import replace

from worldquiz_scenes.furniture.parts import (
    Model,
    ball,
    both,
    box,
    can,
    disc,
    egg,
    lathe,
    lean,
    model,
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
GLASS = paint("light grey", "glass")


def mug(draw: Draw) -> Model:
    clay = draw.bright("ceramic", 0.4)
    radius = draw.size(0.042, 0.05)
    high = draw.size(0.095, 0.115)
    x, near = radius + 0.028, radius - 0.005
    ends = ((near, 0.82), (x, 0.75), (x, 0.3), (near, 0.2))
    handle = pipe(0.009, clay, *((x, 0, high * share) for x, share in ends))
    parts = [
        can(0, 0, 0, radius, high, clay),
        can(0, 0, high - 0.001, radius * 0.86, 0.002, COFFEE),
        *handle,
    ]
    return model(clay, parts)


def plate(draw: Draw) -> Model:
    rim = draw.of("ceramic", "blue", "red", "green", "light blue", "white", "yellow")
    radius = draw.size(0.115, 0.135)
    white = paint("white", "ceramic")
    parts = [
        *lathe(0, 0, 0, [(0, radius * 0.62), (0.018, radius)], rim, 4),
        can(0, 0, 0.016, radius * 0.75, 0.003, white),
    ]
    return model(white, parts)


def bowl(draw: Draw) -> Model:
    clay, radius, high = draw.bright("ceramic"), draw.size(0.08, 0.11), draw.size(0.065, 0.085)
    profile = [(0.0, radius * 0.5), (high * 0.5, radius * 0.86), (high, radius)]
    inside = can(0, 0, high - 0.0005, radius * 0.88, 0.001, shaded(clay, 0.55))
    return model(clay, [*lathe(0, 0, 0, profile, clay, 4), inside])


def bottle(draw: Draw) -> Model:
    glass = draw.of("glass", "dark green", "brown", "light blue", "dark red")
    r = draw.size(0.036, 0.042)
    parts = [
        *lathe(0, 0, 0, [(0, r), (0.18, r), (0.23, r * 0.4), (0.3, r * 0.36)], glass, 5),
        can(0, 0, 0.06, r + 0.001, 0.08, paint("ivory", "paper")),
        can(0, 0, 0.3, r * 0.4, 0.02, draw.of("plastic", "red", "black", "yellow")),
    ]
    return model(glass, parts)


def glass(draw: Draw) -> Model:
    drink = draw.of("glass", "orange", "red", "light blue", "yellow")
    r = draw.size(0.034, 0.04)
    high = draw.size(0.12, 0.14)
    clear = paint("light grey", "glass")
    parts = [
        *lathe(0, 0, 0, [(0, r * 0.85), (high, r)], clear, 4),
        can(0, 0, 0.012, r * 1.02, high * 0.55, drink),
    ]
    return model(clear, parts)


def wine_glass(draw: Draw) -> Model:
    clear, wine = paint("light grey", "glass"), draw.of("glass", "dark red", "yellow", "pink")
    parts = [
        can(0, 0, 0, 0.036, 0.006, clear),
        can(0, 0, 0.006, 0.006, 0.09, clear),
        *lathe(0, 0, 0.095, [(0, 0.012), (0.045, 0.042)], wine, 5),
        *lathe(0, 0, 0.14, [(0, 0.042), (0.055, 0.034)], clear, 4),
    ]
    return model(clear, parts)


def teapot(draw: Draw) -> Model:
    clay = draw.bright("ceramic", 0.3)
    parts: list[Part] = [
        can(0, 0, 0, 0.055, 0.02, clay),
        egg(0, 0, 0.01, 0.19, 0.19, 0.14, clay),
        ball(0, 0, 0.145, 0.016, clay),
        can(0, 0, 0.137, 0.045, 0.012, shaded(clay, 0.8)),
        *pipe(0.014, clay, (-0.08, 0, 0.06), (-0.15, 0, 0.13)),
    ]
    bow = ((0.085, 0.11), (0.135, 0.12), (0.145, 0.075), (0.09, 0.04))
    parts += pipe(0.009, clay, *((x, 0, z) for x, z in bow))
    return model(clay, parts)


def apple(draw: Draw) -> Model:
    skin, r = draw.of("leaf", "red", "red", "light green"), draw.size(0.036, 0.042)
    parts = [
        egg(0, 0, 0, 2 * r, 2 * r, 1.8 * r, skin),
        can(0, 0, 1.7 * r, 0.003, 0.025, COFFEE),
        egg(0.014, 0, 1.8 * r, 0.03, 0.014, 0.006, paint("green", "leaf"), lean(-20)),
    ]
    return model(skin, parts)


def orange(draw: Draw) -> Model:
    skin, r = paint("orange", "leaf"), draw.size(0.036, 0.042)
    parts = [
        ball(0, 0, 0, r, skin),
        can(0, 0, 2 * r - 0.003, 0.006, 0.004, paint("dark green", "leaf")),
    ]
    return model(skin, parts)


def pear(draw: Draw) -> Model:
    skin = draw.of("leaf", "light green", "yellow")
    parts = [
        ball(0, 0, 0, 0.038, skin),
        egg(0, 0, 0.045, 0.046, 0.046, 0.065, skin),
        can(0, 0, 0.105, 0.003, 0.022, COFFEE),
    ]
    return model(skin, parts)


def banana(draw: Draw) -> Model:
    skin, dark, bend = paint("yellow", "leaf"), paint("dark brown", "leaf"), draw.size(0.08, 0.1)
    angles = (-1.0, -0.6, -0.2, 0.2, 0.6, 1.0)
    points = [(bend * math.sin(angle), bend * (1 - math.cos(angle))) for angle in angles]
    parts = pipe(0.019, skin, *((x, y, 0.019) for x, y in points))
    (x, y), (u, v) = points[0], points[-1]
    stalk = rod((x, y, 0.019), (x * 1.32, y * 1.45, 0.019), 0.009, dark)
    return model(skin, [*parts, stalk, ball(u * 1.15, v * 1.2, 0.008, 0.011, dark)])


def bread(draw: Draw) -> Model:
    """A tin loaf with cuts across its round top, and a slice that leans on its end."""
    crust = draw.of("leaf", "light brown", "brown")
    long = draw.size(0.22, 0.27) - 0.06
    parts = [*_loaf(0, long, crust), *_loaf(long / 2 + 0.04, 0.016, crust, -30)]
    parts += [
        rod((x - 0.012, -0.026, 0.108), (x + 0.012, 0.026, 0.108), 0.009, paint("ivory", "leaf"))
        for x in (-0.05, 0, 0.05)
    ]
    return model(crust, parts)


def _loaf(x: float, long: float, crust: Paint, askew: float = 0.0) -> list[Part]:
    """Return bread of some length with a round top and a light cut to the right, leaning."""
    parts = []
    for cut, paint_, rim in ((0.0, crust, 0.0), (0.002, paint("ivory", "leaf"), 0.008)):
        low = box(cut, 0, rim, long, 0.096 - 2 * rim, 0.06 - 2 * rim, paint_)
        top = can(cut, 0, 0.06 - long / 2, 0.056 - rim, long, paint_)
        parts += [(low, askew), (top, 90 + askew)]
    moved = ((part, angle, rotated(lean(askew), part.at)) for part, angle in parts)
    return [
        replace(part, at=(at[0] + x, at[1], at[2]), turn=lean(angle)) for part, angle, at in moved
    ]


def pan(draw: Draw) -> Model:
    iron, r = draw.of("metal", "black", "dark grey", "red"), draw.size(0.11, 0.13)
    parts = [
        *lathe(0, 0, 0, [(0, r * 0.8), (0.045, r)], iron, 3),
        can(0, 0, 0.0445, r * 0.88, 0.001, paint("grey", "metal")),
        rod((0.9 * r, 0, 0.035), (r + 0.17, 0, 0.06), 0.012, BLACK),
    ]
    return model(iron, parts)


def pot(draw: Draw) -> Model:
    iron = draw.of("metal", "light grey", "red", "blue", "dark grey", "green")
    r = draw.size(0.1, 0.12)
    high = draw.size(0.11, 0.14)
    parts: list[Part] = [
        can(0, 0, 0, r, high, iron),
        can(0, 0, high, r + 0.004, 0.012, shaded(iron, 0.75)),
        ball(0, 0, high + 0.01, 0.016, BLACK),
    ]
    parts += both(box(r + 0.018, 0, high * 0.7, 0.045, 0.06, 0.016, BLACK))
    return model(iron, parts)


def kettle(draw: Draw) -> Model:
    """An electric kettle: a tapering jug with a spout and a big handle."""
    shell = draw.of("metal", "light grey", "red", "black", "white", "teal")
    parts = [
        can(0, 0, 0, 0.085, 0.02, BLACK),
        *lathe(0, 0, 0.02, [(0, 0.085), (0.19, 0.06)], shell, 7),
        can(0, 0, 0.21, 0.055, 0.012, BLACK),
        egg(-0.065, 0, 0.15, 0.07, 0.05, 0.05, shell, lean(-30)),
        *pipe(0.013, BLACK, (0.055, 0, 0.205), (0.12, 0, 0.2), (0.115, 0, 0.06)),
    ]
    return model(shell, parts)


def toaster(draw: Draw) -> Model:
    shell = draw.of("metal", "light grey", "red", "light blue", "yellow")
    toast = paint("light brown", "leaf")
    parts = [
        box(0, 0, 0, 0.28, 0.16, 0.02, BLACK),
        box(0, 0, 0.02, 0.27, 0.17, 0.15, shell),
        box(-0.142, -0.02, 0.1, 0.02, 0.04, 0.02, BLACK),
        disc(-0.08, -0.088, 0.06, 0.018, 0.015, BLACK),
    ]
    for y in (-0.035, 0.035):
        parts += [
            box(0, y, 0.17, 0.2, 0.03, 0.001, BLACK),
            box(0, y, 0.15, 0.13, 0.018, 0.07, toast),
        ]
    return model(shell, parts)


def microwave(draw: Draw) -> Model:
    """A microwave oven: dark door, buttons at the right."""
    shell, dark = draw.of("metal", "white", "light grey", "black"), paint("dark grey", "plastic")
    pale = paint("light grey", "plastic") if shell.colour != "light grey" else BLACK
    parts = [
        box(0, 0, 0.01, 0.48, 0.34, 0.27, shell),
        box(0, 0, 0, 0.42, 0.3, 0.01, BLACK),
        box(-0.06, -0.172, 0.03, 0.33, 0.01, 0.23, dark),
        box(0.175, -0.172, 0.2, 0.1, 0.008, 0.05, paint("green", "plastic")),
        box(0.1, -0.185, 0.05, 0.016, 0.02, 0.19, pale),
    ]
    parts += [
        box(0.15 + 0.03 * (k % 3), -0.172, 0.06 + 0.035 * (k // 3), 0.02, 0.008, 0.022, pale)
        for k in range(9)
    ]
    return model(shell, parts)


def coffee_machine(draw: Draw) -> Model:
    """A filter machine: a steel front with a lit switch, and a glass jug on its hotplate."""
    shell = draw.of("plastic", "black", "red", "dark grey", "white")
    parts = [
        box(0, 0, 0, 0.2, 0.26, 0.03, shell),
        box(0, 0.09, 0.03, 0.2, 0.08, 0.29, shell),
        box(0, 0, 0.24, 0.2, 0.24, 0.09, shell),
        box(0, -0.12, 0.25, 0.18, 0.008, 0.07, STEEL),
        disc(0.06, -0.127, 0.285, 0.014, 0.008, paint("red", "light")),
        can(0, -0.04, 0.185, 0.04, 0.056, BLACK),
        can(0, -0.04, 0.03, 0.078, 0.006, STEEL),
        can(0, -0.04, 0.036, 0.072, 0.062, COFFEE),
        *lathe(0, -0.04, 0.098, [(0, 0.07), (0.06, 0.05)], GLASS, 2),
        can(0, -0.04, 0.158, 0.054, 0.014, BLACK),
        *pipe(0.009, BLACK, (0.05, -0.06, 0.155), (0.1, -0.09, 0.135), (0.065, -0.07, 0.07)),
    ]
    return model(shell, parts)


def knife_block(draw: Draw) -> Model:
    wood = draw.of("wood", "light brown", "brown", "dark brown")
    parts = [
        box(0, 0, 0, 0.12, 0.2, 0.03, wood),
        box(0, 0.01, 0.02, 0.12, 0.12, 0.2, wood, tilt(18)),
    ]
    for x in (-0.036, 0, 0.036):
        for row in range(2):
            y, z = -0.06 + 0.05 * row, 0.225 + 0.02 * row
            parts.append(rod((x, y + 0.01, z - 0.02), (x, y - 0.022, z + 0.08), 0.011, BLACK))
    return model(wood, parts)


def cutting_board(draw: Draw) -> Model:
    wood, dark = draw.of("wood", "light brown", "beige"), paint("dark grey", "metal")
    parts = [
        box(0, 0, 0, 0.34, 0.22, 0.02, wood),
        box(0.21, 0, 0, 0.09, 0.05, 0.02, wood),
        box(-0.05, 0.02, 0.02, 0.16, 0.028, 0.004, dark),
        box(0.08, 0.02, 0.02, 0.1, 0.024, 0.014, BLACK),
    ]
    return model(wood, parts)


def shoe(draw: Draw) -> Model:
    cloth = draw.of("fabric", "red", "blue", "black", "white", "green", "brown")
    sole = paint("white", "plastic")
    if cloth.colour == "white":
        sole = paint("grey", "plastic")
    parts = [
        box(0, 0.02, 0, 0.09, 0.18, 0.025, sole),
        egg(0, -0.06, 0, 0.1, 0.2, 0.05, sole),
        egg(0, -0.055, 0.012, 0.094, 0.19, 0.085, cloth),
        egg(0, 0.05, 0.005, 0.088, 0.13, 0.14, cloth),
        can(0, 0.055, 0.075, 0.042, 0.045, cloth),
        can(0, 0.055, 0.1195, 0.037, 0.001, BLACK),
    ]
    parts += both(
        *(rod((0.042, y, 0.03), (0.041, y + 0.03, 0.085), 0.006, sole) for y in (-0.04, -0.01))
    )
    parts += [
        rod((-0.03, y, 0.1 + y * 0.25), (0.03, y, 0.1 + y * 0.25), 0.005, sole)
        for y in (-0.06, -0.035, -0.01)
    ]
    return model(cloth, parts)


def hat(draw: Draw) -> Model:
    felt = draw.of("fabric", "brown", "black", "beige", "dark blue", "red")
    ribbon = draw.bright("fabric")
    parts = [
        can(0, 0, 0, 0.16, 0.012, felt),
        *lathe(0, 0, 0.012, [(0, 0.095), (0.11, 0.085)], felt, 3),
        can(0, 0, 0.012, 0.098, 0.03, ribbon),
        egg(0, 0, 0.1, 0.165, 0.165, 0.045, felt),
    ]
    return model(felt, parts)


def handbag(draw: Draw) -> Model:
    """A soft handbag with a flap, a clasp and two bow handles."""
    skin = draw.of("fabric", "red", "brown", "black", "teal", "pink")
    gold, dark = paint("yellow", "metal"), shaded(skin, 0.7)
    parts = [
        box(0, 0, 0, 0.24, 0.1, 0.2, skin),
        egg(0, -0.057, 0.12, 0.2, 0.03, 0.13, dark),
        box(0, -0.073, 0.12, 0.04, 0.012, 0.03, gold),
    ]
    parts += both(
        *pipe(0.05, skin, (0.12, 0, 0.05), (0.09, 0, 0.16)),
        *pipe(0.005, gold, (0.09, -0.04, 0.19), (0.09, 0.04, 0.19)),
    )
    bow = ((-0.09, 0.2), (-0.07, 0.28), (0, 0.31), (0.07, 0.28), (0.09, 0.2))
    for y in (-0.035, 0.035):
        parts += pipe(0.009, dark, *((x, y, z) for x, z in bow))
    return model(skin, parts)


def backpack(draw: Draw) -> Model:
    """A rounded school bag: front and side pockets, a zip, a loop and two shoulder straps."""
    cloth = draw.bright("fabric", 0.2)
    dark = shaded(cloth, 0.65) if cloth.pattern is Pattern.PLAIN else cloth
    parts = [
        box(0, 0, 0, 0.16, 0.16, 0.33, cloth),
        egg(0, 0, 0.25, 0.29, 0.17, 0.18, cloth),
        egg(0, -0.075, 0.02, 0.24, 0.13, 0.21, dark),
        *pipe(0.006, STEEL, (-0.09, -0.113, 0.155), (0, -0.14, 0.17), (0.09, -0.113, 0.155)),
        *pipe(0.011, BLACK, (-0.05, 0.03, 0.42), (-0.03, 0.03, 0.46), (0.03, 0.03, 0.46),
              (0.05, 0.03, 0.42)),
    ]  # fmt: skip
    parts += both(
        *pipe(0.08, cloth, (0.07, 0, 0.08), (0.07, 0, 0.3)),
        egg(0.15, 0, 0.03, 0.06, 0.11, 0.16, dark),
        *pipe(0.018, BLACK, (0.07, 0.075, 0.38), (0.13, 0.12, 0.26), (0.12, 0.08, 0.06)),
    )
    return model(cloth, parts)


def suitcase(draw: Draw) -> Model:
    shell = draw.bright("plastic", 0.2)
    parts: list[Part] = [
        box(0, 0, 0.05, 0.4, 0.22, 0.56, shell),
        box(0, -0.11, 0.15, 0.34, 0.02, 0.36, shaded(shell, 0.75)),
    ]
    for side in (-1, 1):
        parts.append(rod((side * 0.1, 0.06, 0.6), (side * 0.1, 0.06, 0.85), 0.009, STEEL))
        parts += [ball(side * 0.15, y, 0.0, 0.028, BLACK) for y in (-0.08, 0.08)]
    parts += pipe(0.016, BLACK, (-0.1, 0.06, 0.85), (0.1, 0.06, 0.85))
    return model(shell, parts)


def box_(draw: Draw) -> Model:
    card = draw.bright("paper", 0.6) if draw.chance(0.6) else paint("light brown", "paper")
    w, d, h = draw.size(0.22, 0.34), draw.size(0.18, 0.26), draw.size(0.14, 0.22)
    tape = shaded(card, 0.7)
    parts = [
        box(0, 0, 0, w, d, h, card),
        box(0, 0, h * 0.75, w + 0.012, d + 0.012, h * 0.25 + 0.004, tape),
    ]
    return model(card, parts)


def basket(draw: Draw) -> Model:
    cane = draw.of("wood", "light brown", "brown", "beige")
    rim = shaded(cane, 0.7)
    parts = []
    for index in range(6):
        tone = shaded(cane, (0.85, 1.1)[index % 2])
        parts.append(can(0, 0, 0.05 * index, 0.17 + 0.006 * index, 0.05, tone))
    parts += [can(0, 0, 0.29, 0.208, 0.012, rim), can(0, 0, 0.3015, 0.185, 0.001, BLACK)]
    for side in (-1, 1):
        x = side * 0.2
        parts += pipe(0.014, rim, (x, -0.08, 0.3), (side * 0.21, 0, 0.38), (x, 0.08, 0.3))
    return model(cane, parts)


def waste_bin(draw: Draw) -> Model:
    shell = draw.of("metal", "light grey", "black", "red", "white")
    parts = [
        *lathe(0, 0, 0, [(0, 0.13), (0.4, 0.145)], shell, 3),
        can(0, 0, 0.4, 0.15, 0.02, BLACK),
        egg(0, 0, 0.39, 0.28, 0.28, 0.08, shell),
        box(0, -0.15, 0.01, 0.07, 0.05, 0.015, BLACK),
    ]
    return model(shell, parts)


def umbrella_stand(draw: Draw) -> Model:
    metal = draw.of("metal", "black", "dark grey", "brown", "dark green")
    wood = paint("brown", "wood")
    parts: list[Part] = [can(0, 0, 0, 0.13, 0.45, metal), can(0, 0, 0.4495, 0.115, 0.001, BLACK)]
    for x, y in ((0.05, 0.02), (-0.05, 0.03), (0.0, -0.05)):
        cloth = draw.bright("fabric")
        handle = (x * 1.4, y * 1.4, 0.8)
        parts += [
            *pipe(0.032, cloth, (x, y, 0.3), (x * 1.3, y * 1.3, 0.68)),
            rod((x * 1.3, y * 1.3, 0.66), handle, 0.009, wood),
            *pipe(0.009, wood, handle, (x * 1.4 + 0.05, y * 1.4, 0.8)),
        ]
    return model(metal, parts)


def watering_can(draw: Draw) -> Model:
    metal = draw.of("metal", "green", "blue", "red", "light grey", "teal")
    parts = [
        can(0, 0, 0, 0.095, 0.16, metal),
        can(0, 0, 0.1595, 0.08, 0.001, BLACK),
        rod((-0.08, 0, 0.04), (-0.24, 0, 0.2), 0.014, metal),
        rod((-0.235, 0, 0.195), (-0.27, 0, 0.23), 0.032, metal),
    ]
    bow = ((0.07, 0.155), (0.11, 0.23), (0.17, 0.21), (0.17, 0.12), (0.09, 0.05))
    parts += pipe(0.01, metal, *((x, 0, z) for x, z in bow))
    return model(metal, parts)


def bucket(draw: Draw) -> Model:
    shell = draw.of("plastic", "blue", "red", "yellow", "green")
    parts = [
        *lathe(0, 0, 0, [(0, 0.11), (0.24, 0.145)], shell, 5),
        can(0, 0, 0.2395, 0.13, 0.001, paint("light blue", "plastic")),
        rod((-0.145, 0, 0.22), (-0.1, -0.0, 0.35), 0.006, STEEL),
        rod((0.145, 0, 0.22), (0.1, 0, 0.35), 0.006, STEEL),
        *pipe(0.012, paint("white", "plastic"), (-0.1, 0, 0.35), (0.1, 0, 0.35)),
    ]
    return model(shell, parts)
