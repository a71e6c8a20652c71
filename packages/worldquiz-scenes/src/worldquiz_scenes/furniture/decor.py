"""Decoration, toys and toiletries."""

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
from worldquiz_scenes.paints import Draw, paint, shaded
from worldquiz_scenes.scene import Part, Pattern

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
    """A bust on a plinth: shoulders, neck, and a head with hair, nose and brows."""
    stone = draw.of("stone", "white", "dark grey", "light brown")
    dark = shaded(stone, 0.7)
    parts = [
        box(0, 0, 0, 0.13, 0.11, 0.02, dark),
        can(0, 0, 0.02, 0.035, 0.035, dark),
        egg(0, 0, 0.045, 0.21, 0.11, 0.085, stone),
        egg(0, -0.01, 0.04, 0.13, 0.11, 0.1, stone),
        can(0, 0.004, 0.12, 0.026, 0.055, stone),
        egg(0, 0, 0.155, 0.08, 0.095, 0.125, stone),
        egg(0, 0.016, 0.2, 0.094, 0.09, 0.088, dark),
        egg(0, -0.045, 0.198, 0.014, 0.024, 0.034, stone),
    ]
    parts += both(egg(0.019, -0.037, 0.222, 0.022, 0.016, 0.008, dark))
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
    """A ball with one pattern all over, or a plain one with the seams of a basketball."""
    skin, r = draw.bright("plastic", 0.7), draw.size(0.09, 0.12)
    parts: list[Part] = [ball(0, 0, 0, r, skin)]
    if skin.pattern is Pattern.PLAIN:
        seam = can(0, 0, r - 0.002, r * 1.004, 0.004, BLACK)
        parts += [replace(seam, turn=way) for way in (tilt(0), tilt(90), lean(90))]
    return model(skin, parts)


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
    """A patterned box with a crumpled tissue that sticks out."""
    card, white = draw.bright("paper", 0.8), paint("white", "paper")
    parts = [
        box(0, 0, 0, 0.23, 0.12, 0.09, card),
        egg(0, 0, 0.089, 0.13, 0.05, 0.003, BLACK),
        box(-0.012, 0, 0.08, 0.075, 0.003, 0.085, white, lean(-16)),
        box(0.016, 0.006, 0.08, 0.06, 0.003, 0.075, white, lean(24)),
        box(0.0, -0.006, 0.08, 0.05, 0.003, 0.06, shaded(white, 0.9), lean(50)),
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
