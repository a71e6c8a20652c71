"""Clothes, bags and containers."""

from __future__ import annotations

from worldquiz_scenes.furniture.parts import (
    Model,
    ball,
    both,
    box,
    can,
    egg,
    lathe,
    model,
    pipe,
    rod,
)
from worldquiz_scenes.paints import Draw, paint, shaded
from worldquiz_scenes.scene import Part, Pattern

BLACK = paint("black", "plastic")
STEEL = paint("light grey", "metal")


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
