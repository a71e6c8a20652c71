"""Electronics, books and other small things for desks."""

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
    model,
    pipe,
    rod,
    tilt,
)
from worldquiz_scenes.geometry import rotated
from worldquiz_scenes.paints import Draw, paint, patterned, shaded
from worldquiz_scenes.scene import Part, Pattern

BLACK = paint("black", "plastic")
GREY = paint("grey", "plastic")
KEYS = paint("light grey", "plastic")
PAGES = paint("ivory", "paper")
SCREENS = ("light blue", "blue", "teal", "green", "purple")


def book(draw: Draw) -> Model:
    """A closed book that lies flat, with a title on its cover where that is plain."""
    cover = draw.bright("paper", 0.25)
    w = draw.size(0.15, 0.2)
    d = draw.size(0.21, 0.26)
    h = draw.size(0.025, 0.045)
    parts = [
        box(0, 0, 0, w, d, 0.004, cover),
        box(0.003, 0, 0.004, w - 0.01, d - 0.01, h - 0.008, PAGES),
        box(0, 0, h - 0.004, w, d, 0.004, cover),
        box(-w / 2 + 0.002, 0, 0, 0.004, d, h, cover),
    ]
    if cover.pattern is Pattern.PLAIN:
        ink = paint("black" if cover.colour != "blue" else "yellow", "paper")
        lines = ((0.26, 0.6, 0.03), (0.12, 0.4, 0.012), (-0.34, 0.3, 0.01))
        parts += [box(0, d * y, h, w * wide, deep, 0.0005, ink) for y, wide, deep in lines]
    return model(cover, parts)


def upright_book(draw: Draw) -> Model:
    """A book that stands, its spine to the front."""
    cover, thick = draw.bright("paper", 0.25), draw.size(0.035, 0.055)
    deep, high = draw.size(0.15, 0.19), draw.size(0.21, 0.27)
    parts = [
        box(0, 0, 0, thick, deep, high, cover),
        box(0, 0.004, high - 0.001, thick - 0.008, deep - 0.004, 0.002, PAGES),
        box(0, -deep / 2, high * 0.7, thick * 0.7, 0.002, 0.03, PAGES),
    ]
    return model(cover, parts)


def laptop(draw: Draw) -> Model:
    """An open laptop with a lit screen."""
    shell = draw.of("metal", "light grey", "dark grey", "black")
    screen = draw.of("plastic", *SCREENS)
    parts = [
        box(0, 0, 0, 0.34, 0.24, 0.018, shell),
        box(0, 0.02, 0.018, 0.29, 0.11, 0.002, paint("black", "plastic")),
        box(0, -0.08, 0.018, 0.1, 0.06, 0.002, shaded(shell, 0.7)),
        box(0, 0.15, 0.01, 0.34, 0.012, 0.23, shell, tilt(-15)),
        box(0, 0.1425, 0.022, 0.31, 0.004, 0.2, screen, tilt(-15)),
    ]
    return model(shell, parts)


def monitor(draw: Draw) -> Model:
    """A screen on a foot."""
    screen, width = draw.of("plastic", *SCREENS), draw.size(0.5, 0.6)
    parts = [
        box(0, 0.02, 0, 0.24, 0.18, 0.015, BLACK),
        box(0, 0.05, 0.015, 0.05, 0.03, 0.2, BLACK),
        box(0, 0.02, 0.12, width, 0.04, 0.34, BLACK),
        box(0, -0.001, 0.14, width - 0.03, 0.004, 0.3, screen),
        box(-width / 8, -0.004, 0.2, width / 3, 0.004, 0.16, paint("white", "plastic")),
    ]
    return model(BLACK, parts)


def keyboard(draw: Draw) -> Model:
    """Rows of keys, a space bar, and two columns of further keys at the right."""
    shell = draw.of("plastic", "black", "white", "dark grey")
    key = shaded(paint("light grey", "plastic"), 0.8 if shell.colour == "white" else 1.0)
    parts = [box(0, 0, 0, 0.43, 0.14, 0.014, shell)]
    for row in range(4):
        y = 0.048 - 0.032 * row
        keys = (-0.175, -0.11, -0.045, 0.02, 0.085) if row < 3 else (-0.175, 0.085)
        parts += [box(x, y, 0.014, 0.052, 0.024, 0.008, key) for x in keys]
        parts += [box(x, y, 0.014, 0.027, 0.024, 0.008, key) for x in (0.155, 0.191)]
    parts.append(box(-0.045, -0.048, 0.014, 0.18, 0.024, 0.008, key))
    return model(shell, parts)


def phone(draw: Draw) -> Model:
    """A smartphone, face up: a dark edge around a lit screen with coloured signs."""
    shell = draw.of("plastic", "black", "red", "white", "blue", "pink")
    screen = draw.of("light", "dark grey", "light blue", "black")
    lit = paint("blue" if screen.colour == "light blue" else "dark blue", "light")
    parts = [
        box(0, 0, 0, 0.078, 0.155, 0.009, shell),
        box(0, 0, 0.009, 0.072, 0.149, 0.001, BLACK),
        box(0, 0, 0.01, 0.064, 0.132, 0.001, lit),
        box(0, -0.054, 0.011, 0.056, 0.016, 0.0005, paint("white", "light")),
    ]
    signs = ("green", "yellow", "red", "orange", "white", "pink")
    for index, colour in enumerate(signs):
        x, y = -0.019 + 0.019 * (index % 3), 0.046 - 0.03 * (index // 3)
        parts.append(box(x, y, 0.011, 0.013, 0.02, 0.0005, paint(colour, "light")))
    return model(shell, parts)


def remote_control(draw: Draw) -> Model:
    """A remote control with coloured buttons."""
    shell = draw.of("plastic", "black", "black", "dark grey")
    parts = [
        box(0, 0, 0, 0.055, draw.size(0.19, 0.21), 0.02, shell),
        can(0, 0.075, 0.02, 0.01, 0.005, paint("red", "plastic")),
    ]
    parts += [
        can(-0.015 + 0.015 * (k % 3), 0.045 - 0.025 * (k // 3), 0.02, 0.006, 0.005, KEYS)
        for k in range(12)
    ]
    return model(shell, parts)


def headphones(draw: Draw) -> Model:
    """Headphones that lie on their cups, the band behind them."""
    pad = draw.of("plastic", "black", "red", "white", "blue")
    parts: list[Part] = both(can(0.075, 0, 0, 0.04, 0.035, pad))
    parts += both(can(0.075, 0, 0.035, 0.025, 0.006, GREY))
    half = [(0.05, 0.15), (0.09, 0.09), (0.085, 0.03)]
    band = [*((-x, y, 0.014) for x, y in reversed(half)), *((x, y, 0.014) for x, y in half)]
    parts += pipe(0.012, pad, *band)
    return model(pad, parts)


def camera(draw: Draw) -> Model:
    """A camera with a round lens."""
    body = draw.of("plastic", "black", "dark grey", "red")
    parts = [
        box(0, 0, 0, 0.14, 0.06, 0.085, body),
        box(0, 0, 0.085, 0.05, 0.05, 0.02, body),
        disc(0.01, -0.055, 0.043, 0.036, 0.06, BLACK),
        disc(0.01, -0.084, 0.043, 0.026, 0.004, paint("light blue", "plastic")),
        can(-0.05, 0, 0.085, 0.012, 0.012, paint("light grey", "metal")),
        box(0, -0.031, 0.06, 0.13, 0.002, 0.012, paint("light grey", "metal")),
    ]
    return model(body, parts)


def speaker(draw: Draw) -> Model:
    """A loudspeaker: a woofer and a tweeter with domes on a dark front, and feet."""
    wood = draw.of("wood", "black", "brown", "white")
    rim, cone, dome = paint("light grey", "metal"), paint("dark grey", "plastic"), BLACK
    front = paint("black" if wood.colour != "black" else "dark grey", "fabric")
    parts = [
        box(0, 0, 0.01, 0.18, 0.2, 0.29, wood),
        box(0, -0.1, 0.02, 0.164, 0.008, 0.27, front),
    ]
    for z, radius in ((0.105, 0.07), (0.235, 0.036)):
        parts += [
            disc(0, -0.104, z, radius, 0.008, rim),
            disc(0, -0.106, z, radius * 0.84, 0.008, cone),
            egg(0, -0.108, z - radius * 0.4, radius * 0.8, 0.03, radius * 0.8, dome),
        ]
    parts += both(box(0.07, 0, 0, 0.02, 0.17, 0.01, BLACK))
    return model(wood, parts)


def radio(draw: Draw) -> Model:
    """A radio with a dial, a grille and a handle."""
    shell = draw.of("plastic", "red", "light blue", "ivory", "brown", "teal")
    pale = paint("ivory" if shell.colour != "ivory" else "brown", "plastic")
    parts = [
        box(0, 0, 0, 0.28, 0.1, 0.17, shell),
        box(-0.05, -0.052, 0.02, 0.15, 0.006, 0.13, pale),
        disc(0.085, -0.055, 0.11, 0.035, 0.014, pale),
        disc(0.085, -0.055, 0.045, 0.016, 0.02, BLACK),
        rod((0.12, 0.03, 0.17), (0.2, 0.03, 0.36), 0.004, paint("light grey", "metal")),
    ]
    parts += [box(-0.05, -0.056, 0.035 + 0.02 * k, 0.13, 0.004, 0.008, BLACK) for k in range(6)]
    return model(shell, parts)


def pen_cup(draw: Draw) -> Model:
    """A cup with pens in it."""
    cup = draw.bright("plastic", 0.3)
    parts: list[Part] = [can(0, 0, 0, 0.042, 0.1, cup), can(0, 0, 0.0995, 0.036, 0.001, BLACK)]
    pens = ((0.015, 0.01, 0.18), (-0.02, 0.005, 0.17), (0.0, -0.02, 0.19), (0.01, 0.02, 0.16))
    for x, y, up in pens:
        parts.append(rod((x, y, 0.09), (x * 2.2, y * 2.2, up), 0.0055, draw.bright("wood")))
    return model(cup, parts)


def globe(draw: Draw) -> Model:
    """A globe on a stand: blue seas, green lands, white poles, and a bow from pole to pole."""
    foot = draw.of("wood", "brown", "dark brown", "black")
    sea, land, white = paint("blue", "paper"), paint("green", "paper"), paint("white", "paper")
    middle = 0.185
    parts: list[Part] = [
        can(0, 0, 0, 0.075, 0.018, foot),
        can(0, 0, 0.018, 0.012, 0.07, foot),
        ball(0, 0, middle - 0.1, 0.1, sea),
        egg(0, 0, middle + 0.075, 0.08, 0.08, 0.028, white),
    ]
    bow = [(0.12 * math.cos(up), middle + 0.12 * math.sin(up))
           for up in (math.pi * step / 6 for step in range(-3, 4))]  # fmt: skip
    parts += pipe(0.006, paint("yellow", "metal"), *((x, 0, z) for x, z in bow))
    for around, up, size in (
        (-118, 34, 0.1), (-78, 14, 0.106), (-104, -30, 0.098), (-28, 12, 0.102),
        (60, 15, 0.106), (120, -18, 0.1), (172, 20, 0.104),
    ):  # fmt: skip
        angle, rise = math.radians(around), math.radians(up)
        x, y = 0.06 * math.cos(rise) * math.cos(angle), 0.06 * math.cos(rise) * math.sin(angle)
        z = middle + 0.06 * math.sin(rise)
        parts.append(ball(x, y, z - size / 2, size / 2, land))
    return model(sea, parts)


def photo_frame(draw: Draw) -> Model:
    """A framed portrait that leans back on its strut."""
    frame = draw.of("wood", "brown", "black", "white", "light brown")
    skin = draw.of("paper", "beige", "light brown", "brown")
    shirt, hair = draw.bright("paper"), paint("dark brown", "paper")
    leaf = [  # upright, its back in the plane y = 0
        box(0, -0.008, 0, 0.16, 0.016, 0.21, frame),
        box(0, -0.0165, 0.014, 0.132, 0.003, 0.182, paint("white", "paper")),
        box(0, -0.0185, 0.028, 0.104, 0.003, 0.154, paint("light blue", "paper")),
        egg(0, -0.0205, 0.098, 0.062, 0.004, 0.062, hair),
        egg(0, -0.022, 0.09, 0.048, 0.004, 0.056, skin),
        box(0, -0.0205, 0.028, 0.08, 0.003, 0.055, shirt),
    ]
    strut = rod((0, 0.025, 0.12), (0, 0.085, 0.004), 0.004, frame)
    return model(frame, [*(_leant(part, -12) for part in leaf), strut])


def _leant(part: Part, degrees: float) -> Part:
    """Return an upright part turned about the x axis, as `tilt` turns, together with its place."""
    return replace(part, at=rotated(tilt(degrees), part.at), turn=tilt(degrees))


def table_lamp(draw: Draw) -> Model:
    """A small lamp with a round foot and a shade."""
    foot = draw.of("ceramic", "white", "blue", "teal", "brown", "dark grey")
    shade = draw.of("fabric", "ivory", "yellow", "orange", "red")
    parts = [
        can(0, 0, 0, 0.075, 0.02, foot),
        egg(0, 0, 0.015, 0.13, 0.13, 0.15, foot),
        can(0, 0, 0.15, 0.012, 0.1, foot),
        *lathe(0, 0, 0.22, [(0, 0.13), (0.17, 0.08)], shade, 7),
    ]
    return model(shade, parts)


def alarm_clock(draw: Draw) -> Model:
    """A round clock with two bells, on two feet."""
    rim, black = draw.bright("metal"), BLACK
    parts: list[Part] = [
        disc(0, 0, 0.075, 0.062, 0.05, rim),
        disc(0, -0.024, 0.075, 0.05, 0.006, paint("white", "paper")),
        box(0, 0, 0, 0.09, 0.05, 0.018, rim),
        rod((0, -0.028, 0.075), (0, -0.028, 0.115), 0.004, black),
        rod((0, -0.028, 0.075), (0.026, -0.028, 0.06), 0.004, black),
    ]
    parts += both(ball(0.035, 0, 0.12, 0.02, rim))
    return model(rim, parts)


def chess_board(draw: Draw) -> Model:
    """A chess board with some men on it."""
    dark = draw.rng.choice(("dark brown", "black", "dark green", "dark red"))
    board = patterned(dark, "ivory", "wood", Pattern.CHECKS)
    parts: list[Part] = [box(0, 0, 0, 0.4, 0.4, 0.02, board)]
    for index in range(6):
        x = -0.125 + 0.05 * index
        for y, tone in ((-0.125, "ivory"), (0.125, "black")):
            man = paint(tone, "wood")
            parts += [can(x, y, 0.02, 0.014, 0.04, man), ball(x, y, 0.055, 0.012, man)]
    return model(board, parts)
