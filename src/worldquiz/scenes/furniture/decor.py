"""Decoration, textiles, toys, toiletries; clothes, bags and containers."""

from __future__ import annotations

import math

from worldquiz.scenes.furniture.parts import (
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
from worldquiz.scenes.paints import Draw, paint, shaded
from worldquiz.scenes.scene import Part

BLACK = paint("black", "plastic")
STEEL = paint("light grey", "metal")
GREEN = paint("green", "leaf")


def vase(draw: Draw) -> Model:
    """A bellied vase with flowers."""
    clay, high = draw.bright("ceramic", 0.3), draw.size(0.18, 0.24)
    profile = [(0, 0.04), (high * 0.45, 0.07), (high * 0.8, 0.035), (high, 0.045)]
    parts = lathe(0, 0, 0, profile, clay, 5)
    bloom = draw.of("leaf", "red", "yellow", "pink", "purple", "orange", "white")
    for index in range(5):
        angle = math.tau * index / 5
        x, y, z = 0.055 * math.cos(angle), 0.055 * math.sin(angle), high + 0.09 + 0.03 * (index % 3)
        parts.append(rod((x * 0.2, y * 0.2, high - 0.02), (x, y, z), 0.004, GREEN))
        parts += [
            egg(x, y, z - 0.02, 0.06, 0.06, 0.045, bloom),
            ball(x, y, z + 0.008, 0.011, paint("yellow", "leaf")),
        ]
    return model(clay, parts)


def candle(draw: Draw) -> Model:
    """A lit candle on a saucer."""
    wax = draw.of("stone", "ivory", "red", "white", "dark green", "purple")
    parts = [
        can(0, 0, 0, 0.06, 0.01, paint("dark grey", "metal")),
        can(0, 0, 0.01, 0.03, 0.13, wax),
        can(0, 0, 0.14, 0.003, 0.012, BLACK),
        egg(0, 0, 0.145, 0.016, 0.016, 0.035, paint("orange", "plastic")),
    ]
    return model(wax, parts)


def sculpture(draw: Draw) -> Model:
    """A bust on a plinth."""
    stone = draw.of("stone", "white", "dark grey", "light brown")
    parts = [
        box(0, 0, 0, 0.12, 0.1, 0.05, shaded(stone, 0.7)),
        egg(0, 0, 0.04, 0.2, 0.11, 0.11, stone),
        can(0, 0, 0.12, 0.028, 0.06, stone),
        egg(0, 0, 0.155, 0.095, 0.11, 0.13, stone),
        egg(0, -0.058, 0.2, 0.02, 0.03, 0.035, stone),
    ]
    return model(stone, parts)


def cactus(draw: Draw) -> Model:
    """A small cactus with two arms, in a pot."""
    pot = draw.of("ceramic", "orange", "white", "brown", "blue")
    parts = [
        *lathe(0, 0, 0, [(0, 0.04), (0.07, 0.055)], pot, 3),
        can(0, 0, 0.069, 0.048, 0.002, paint("dark brown", "stone")),
        *pipe(0.026, GREEN, (0, 0, 0.07), (0, 0, 0.2)),
    ]
    for side, z in ((-1, 0.11), (1, 0.13)):
        x = side * 0.055
        parts += pipe(0.014, GREEN, (0, 0, z), (x, 0, z))
        parts += pipe(0.014, GREEN, (x, 0, z - 0.01), (x, 0, z + 0.06))
    return model(GREEN, parts)


def pillow(draw: Draw) -> Model:
    """A cushion that lies flat."""
    cloth, side = draw.bright("fabric", 0.6), draw.size(0.36, 0.44)
    parts = [
        egg(0, 0, 0.0, side * 1.05, side * 1.05, 0.13, cloth),
        box(0, 0, 0.035, side, side, 0.06, cloth),
        box(0, 0, 0, side * 0.5, side * 0.5, 0.02, cloth),
    ]
    return model(cloth, parts)


def bed_pillow(draw: Draw) -> Model:
    """A wide plump pillow for a bed's head."""
    cloth = draw.of("fabric", "white", "white", "ivory", "light blue", "light grey")
    wide, deep = draw.size(0.56, 0.62), draw.size(0.38, 0.42)
    parts = [
        egg(0, 0, 0, wide * 1.04, deep * 1.08, 0.16, cloth),
        box(0, 0, 0.045, wide * 0.86, deep * 0.8, 0.05, cloth),
        box(0, 0, 0, wide * 0.5, deep * 0.5, 0.03, cloth),
    ]
    return model(cloth, parts)


def folded_towel(draw: Draw) -> Model:
    """A folded towel."""
    cloth, w = draw.bright("fabric", 0.5), draw.size(0.24, 0.3)
    parts = [
        box(0, 0, 0, w, 0.2, 0.035, cloth),
        box(0, 0.002, 0.035, w, 0.195, 0.035, shaded(cloth, 1.12)),
        rod((-w / 2, -0.1, 0.035), (w / 2, -0.1, 0.035), 0.034, cloth),
    ]
    return model(cloth, parts)


def blanket(draw: Draw) -> Model:
    """A folded blanket."""
    cloth = draw.fabric(0.7)
    parts = [
        box(0, 0, 0, 0.5, 0.38, 0.05, cloth),
        box(0.0, 0, 0.05, 0.48, 0.37, 0.04, shaded(cloth, 1.1)),
    ]
    return model(cloth, parts)


def teddy_bear(draw: Draw) -> Model:
    """A teddy bear that sits."""
    fur = draw.of("fabric", "brown", "light brown", "beige", "pink")
    dark = paint("black", "plastic")
    pale = shaded(fur, 1.3)
    parts: list[Part] = [
        box(0, 0.02, 0, 0.13, 0.12, 0.04, fur),
        egg(0, 0.02, 0.01, 0.2, 0.17, 0.2, fur),
        egg(0, -0.04, 0.05, 0.13, 0.06, 0.12, pale),
        ball(0, 0, 0.185, 0.08, fur),
        egg(0, -0.075, 0.225, 0.07, 0.05, 0.05, pale),
        ball(0, -0.1, 0.245, 0.012, dark),
    ]
    parts += both(
        ball(0.062, 0.0, 0.31, 0.03, fur),
        ball(0.03, -0.066, 0.28, 0.011, dark),
        *pipe(0.038, fur, (0.06, -0.03, 0.04), (0.09, -0.13, 0.04)),
        disc(0.095, -0.15, 0.04, 0.026, 0.03, pale),
        *pipe(0.03, fur, (0.08, 0, 0.16), (0.13, -0.06, 0.09)),
    )
    return model(fur, parts)


def ball_(draw: Draw) -> Model:
    """A ball of two colours."""
    skin, r = draw.bright("plastic", 0.7), draw.size(0.09, 0.12)
    belt = paint("white" if skin.colour != "white" else "red", "plastic")
    return model(skin, [ball(0, 0, 0, r, skin), can(0, 0, r - 0.02, r * 1.001, 0.04, belt)])


def toy_car(draw: Draw) -> Model:
    """A little car."""
    shell = draw.of("plastic", "red", "blue", "yellow", "green", "orange")
    parts: list[Part] = [
        box(0, 0, 0.02, 0.24, 0.11, 0.05, shell),
        box(0.01, 0, 0.07, 0.12, 0.095, 0.045, paint("light blue", "plastic")),
        box(0.01, 0, 0.112, 0.11, 0.09, 0.008, shell),
    ]
    for x in (-0.075, 0.075):
        parts += [disc(x, side * 0.055, 0.03, 0.03, 0.02, BLACK) for side in (-1, 1)]
        parts += [disc(x, side * 0.064, 0.03, 0.014, 0.006, STEEL) for side in (-1, 1)]
    return model(shell, parts)


def rubber_duck(draw: Draw) -> Model:
    """A yellow duck."""
    skin = draw.of("plastic", "yellow", "yellow", "pink")
    parts = [
        egg(0, 0.01, 0, 0.09, 0.13, 0.075, skin),
        box(0, 0.01, 0, 0.05, 0.07, 0.02, skin),
        ball(0, -0.035, 0.055, 0.036, skin),
        egg(0, -0.078, 0.075, 0.032, 0.036, 0.014, paint("orange", "plastic")),
        egg(0, 0.075, 0.045, 0.04, 0.05, 0.03, skin, tilt(30)),
    ]
    parts += both(ball(0.018, -0.064, 0.095, 0.006, BLACK))
    return model(skin, parts)


def soap_bottle(draw: Draw) -> Model:
    """A bottle with a pump."""
    shell, white = draw.bright("plastic"), paint("white", "plastic")
    if shell.colour == "white":
        white = BLACK
    parts = [
        *lathe(0, 0, 0, [(0, 0.034), (0.12, 0.034), (0.14, 0.014)], shell, 3),
        can(0, 0, 0.14, 0.014, 0.02, white),
        can(0, 0, 0.16, 0.005, 0.03, white),
        box(0, -0.012, 0.186, 0.018, 0.055, 0.012, white),
        can(0, 0, 0.04, 0.0345, 0.05, white),
    ]
    return model(shell, parts)


def toothbrush_cup(draw: Draw) -> Model:
    """A cup with two toothbrushes in it."""
    cup = draw.of("ceramic", "white", "light blue", "light green", "pink")
    parts: list[Part] = [can(0, 0, 0, 0.036, 0.1, cup), can(0, 0, 0.0995, 0.03, 0.001, BLACK)]
    for side in (-1, 1):
        brush = draw.bright("plastic")
        end = (side * 0.045, 0.0, 0.2)
        parts += [
            rod((side * 0.012, 0, 0.09), end, 0.005, brush),
            box(side * 0.045, -0.008, 0.185, 0.01, 0.012, 0.028, paint("white", "plastic")),
        ]
    return model(cup, parts)


def toilet_paper(draw: Draw) -> Model:
    """A roll."""
    white, r = paint("white", "paper"), draw.size(0.055, 0.065)
    parts = [
        can(0, 0, 0, r, 0.1, white),
        can(0, 0, 0.0995, r * 0.38, 0.001, paint("light brown", "paper")),
    ]
    return model(white, parts)


def tissue_box(draw: Draw) -> Model:
    """A patterned box with a tissue that sticks out."""
    card, white = draw.bright("paper", 0.8), paint("white", "paper")
    parts = [
        box(0, 0, 0, 0.23, 0.12, 0.09, card),
        egg(0, 0, 0.089, 0.12, 0.05, 0.003, BLACK),
        egg(0, 0, 0.07, 0.09, 0.03, 0.1, white, lean(12)),
        egg(0.01, 0, 0.07, 0.08, 0.03, 0.085, white, lean(-20)),
    ]
    return model(card, parts)


def toy_blocks(draw: Draw) -> Model:
    """A tower of four cubes."""
    parts = [
        box(-0.035, 0, 0, 0.065, 0.065, 0.065, draw.bright("wood")),
        box(0.035, 0, 0, 0.065, 0.065, 0.065, draw.bright("wood")),
        box(0, 0, 0.065, 0.065, 0.065, 0.065, draw.bright("wood")),
        box(0.004, 0, 0.13, 0.055, 0.055, 0.055, draw.bright("wood")),
    ]
    return model(parts[2].paint, parts)


def shoe(draw: Draw) -> Model:
    """A trainer with a white sole."""
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
        can(0, 0.055, 0.1195, 0.033, 0.001, BLACK),
    ]
    parts += [
        rod((-0.03, y, 0.1 + y * 0.25), (0.03, y, 0.1 + y * 0.25), 0.005, sole)
        for y in (-0.06, -0.035, -0.01)
    ]
    return model(cloth, parts)


def hat(draw: Draw) -> Model:
    """A hat with a brim and a ribbon."""
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
    """A handbag with a bow handle."""
    skin = draw.of("fabric", "red", "brown", "black", "teal", "pink")
    gold = paint("yellow", "metal")
    parts = [
        box(0, 0, 0, 0.3, 0.12, 0.2, skin),
        box(0, -0.062, 0.095, 0.29, 0.01, 0.1, shaded(skin, 0.75)),
        box(0, -0.07, 0.09, 0.04, 0.01, 0.03, gold),
    ]
    bow = ((-0.1, 0.2), (-0.08, 0.29), (0, 0.32), (0.08, 0.29), (0.1, 0.2))
    parts += pipe(0.011, shaded(skin, 0.75), *((x, 0, z) for x, z in bow))
    return model(skin, parts)


def backpack(draw: Draw) -> Model:
    """A school bag with a front pocket."""
    cloth = draw.bright("fabric", 0.2)
    parts = [
        box(0, 0, 0, 0.3, 0.16, 0.34, cloth),
        egg(0, 0, 0.26, 0.3, 0.16, 0.16, cloth),
        box(0, -0.1, 0.03, 0.24, 0.06, 0.16, shaded(cloth, 0.7)),
        *pipe(0.012, BLACK, (-0.04, 0.03, 0.42), (0.04, 0.03, 0.42)),
        box(0, -0.132, 0.15, 0.2, 0.006, 0.012, STEEL),
    ]
    parts += both(*pipe(0.016, BLACK, (0.08, 0.08, 0.38), (0.11, 0.11, 0.08)))
    return model(cloth, parts)


def box_(draw: Draw) -> Model:
    """A closed box with a lid or tape."""
    card = draw.bright("paper", 0.6) if draw.chance(0.6) else paint("light brown", "paper")
    w, d, h = draw.size(0.22, 0.34), draw.size(0.18, 0.26), draw.size(0.14, 0.22)
    tape = shaded(card, 0.7)
    parts = [
        box(0, 0, 0, w, d, h, card),
        box(0, 0, h * 0.75, w + 0.012, d + 0.012, h * 0.25 + 0.004, tape),
    ]
    return model(card, parts)


def basket(draw: Draw) -> Model:
    """A wicker basket with two handles."""
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
    """A pedal bin."""
    shell = draw.of("metal", "light grey", "black", "red", "white")
    parts = [
        *lathe(0, 0, 0, [(0, 0.13), (0.4, 0.145)], shell, 3),
        can(0, 0, 0.4, 0.15, 0.02, BLACK),
        egg(0, 0, 0.39, 0.28, 0.28, 0.08, shell),
        box(0, -0.15, 0.01, 0.07, 0.05, 0.015, BLACK),
    ]
    return model(shell, parts)


def umbrella_stand(draw: Draw) -> Model:
    """A stand with umbrellas in it."""
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
    """A can with a long spout and a handle."""
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
    """A bucket with water in it."""
    shell = draw.of("plastic", "blue", "red", "yellow", "green")
    parts = [
        *lathe(0, 0, 0, [(0, 0.11), (0.24, 0.145)], shell, 5),
        can(0, 0, 0.2395, 0.13, 0.001, paint("light blue", "plastic")),
        rod((-0.145, 0, 0.22), (-0.1, -0.0, 0.35), 0.006, STEEL),
        rod((0.145, 0, 0.22), (0.1, 0, 0.35), 0.006, STEEL),
        *pipe(0.012, paint("white", "plastic"), (-0.1, 0, 0.35), (0.1, 0, 0.35)),
    ]
    return model(shell, parts)


def suitcase(draw: Draw) -> Model:
    """An upright suitcase on wheels."""
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
