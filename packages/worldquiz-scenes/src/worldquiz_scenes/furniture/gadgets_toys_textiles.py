"""Electronics, books, decoration, toys, toiletries, pillows, towels and blankets."""

from __future__ import annotations

import math
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
    turn,
)
from worldquiz_scenes.geometry import rotated
from worldquiz_scenes.paints import Draw, paint, patterned, shaded
from worldquiz_scenes.scene import Paint, Pattern

BLACK = paint("black", "plastic")
GREY = paint("grey", "plastic")
KEYS = paint("light grey", "plastic")
PAGES = paint("ivory", "paper")
SCREENS = ("light blue", "blue", "teal", "green", "purple")
STEEL = paint("light grey", "metal")
GREEN = paint("green", "leaf")


def book(draw: Draw) -> Made:
    cover, w, d = draw.bright("paper"), draw.size(0.15, 0.2), draw.size(0.21, 0.26)
    h = draw.size(0.025, 0.045)
    yield box(0, 0, 0, w, d, 0.004, cover)
    yield box(0.003, 0, 0.004, w - 0.01, d - 0.01, h - 0.008, PAGES)
    yield box(0, 0, h - 0.004, w, d, 0.004, cover)
    yield box(-w / 2 + 0.002, 0, 0, 0.004, d, h, cover)
    if cover.pattern is Pattern.PLAIN:
        ink = paint("black" if cover.colour != "blue" else "yellow", "paper")
        lines = ((0.26, 0.6, 0.03), (0.12, 0.4, 0.012), (-0.34, 0.3, 0.01))
        for y, wide, deep in lines:
            yield box(0, d * y, h, w * wide, deep, 0.0005, ink)


def upright_book(draw: Draw) -> Made:
    cover, thick = draw.bright("paper"), draw.size(0.035, 0.055)
    deep, high = draw.size(0.15, 0.19), draw.size(0.21, 0.27)
    yield box(0, 0, 0, thick, deep, high, cover)
    yield box(0, 0.004, high - 0.001, thick - 0.008, deep - 0.004, 0.002, PAGES)
    yield box(0, -deep / 2, high * 0.7, thick * 0.7, 0.002, 0.03, PAGES)


def laptop(draw: Draw) -> Made:
    shell = draw.of("metal", "light grey", "dark grey", "black")
    screen = draw.of("plastic", *SCREENS)
    yield box(0, 0, 0, 0.34, 0.24, 0.018, shell)
    yield box(0, 0.02, 0.018, 0.29, 0.11, 0.002, paint("black", "plastic"))
    yield box(0, -0.08, 0.018, 0.1, 0.06, 0.002, shaded(shell, 0.7))
    yield box(0, 0.15, 0.01, 0.34, 0.012, 0.23, shell, tilt(-15))
    yield box(0, 0.1425, 0.022, 0.31, 0.004, 0.2, screen, tilt(-15))


def monitor(draw: Draw) -> Made:
    screen, width = draw.of("plastic", *SCREENS), draw.size(0.5, 0.6)
    yield box(0, 0.02, 0, 0.24, 0.18, 0.015, BLACK)
    yield box(0, 0.05, 0.015, 0.05, 0.03, 0.2, BLACK)
    yield box(0, 0.02, 0.12, width, 0.04, 0.34, BLACK)
    yield box(0, -0.001, 0.14, width - 0.03, 0.004, 0.3, screen)
    yield box(-width / 8, -0.004, 0.2, width / 3, 0.004, 0.16, paint("white", "plastic"))


def keyboard(draw: Draw) -> Made:
    shell = draw.of("plastic", "black", "white", "dark grey")
    key = shaded(paint("light grey", "plastic"), 0.8 if shell.colour == "white" else 1.0)
    yield box(0, 0, 0, 0.43, 0.14, 0.014, shell)
    for row in range(4):
        y = 0.048 - 0.032 * row
        keys = (-0.175, -0.11, -0.045, 0.02, 0.085) if row < 3 else (-0.175, 0.085)
        for x, wide in (*((x, 0.052) for x in keys), (0.155, 0.027), (0.191, 0.027)):
            yield box(x, y, 0.014, wide, 0.024, 0.008, key)
    yield box(-0.045, -0.048, 0.014, 0.18, 0.024, 0.008, key)


def phone(draw: Draw) -> Made:
    shell = draw.of("plastic", "black", "red", "white", "blue", "pink")
    screen = draw.of("light", "dark grey", "light blue", "black")
    lit = paint("blue" if screen.colour == "light blue" else "dark blue", "light")
    yield box(0, 0, 0, 0.078, 0.155, 0.009, shell)
    yield box(0, 0, 0.009, 0.072, 0.149, 0.001, BLACK)
    yield box(0, 0, 0.01, 0.064, 0.132, 0.001, lit)
    yield box(0, -0.054, 0.011, 0.056, 0.016, 0.0005, paint("white", "light"))
    signs = ("green", "yellow", "red", "orange", "white", "pink")
    for index, colour in enumerate(signs):
        x, y = -0.019 + 0.019 * (index % 3), 0.046 - 0.03 * (index // 3)
        yield box(x, y, 0.011, 0.013, 0.02, 0.0005, paint(colour, "light"))


def remote_control(draw: Draw) -> Made:
    shell = draw.of("plastic", "black", "black", "dark grey")
    yield box(0, 0, 0, 0.055, draw.size(0.19, 0.21), 0.02, shell)
    yield can(0, 0.075, 0.02, 0.01, 0.005, paint("red", "plastic"))
    for k in range(12):
        yield can(-0.015 + 0.015 * (k % 3), 0.045 - 0.025 * (k // 3), 0.02, 0.006, 0.005, KEYS)


def headphones(draw: Draw) -> Made:
    pad = draw.of("plastic", "black", "red", "white", "blue")
    yield from both(can(0.075, 0, 0, 0.04, 0.035, pad))
    yield from both(can(0.075, 0, 0.035, 0.025, 0.006, GREY))
    band = ((-0.085, 0.03), (-0.09, 0.09), (-0.05, 0.15), (0.05, 0.15), (0.09, 0.09), (0.085, 0.03))
    yield from pipe(0.012, pad, *((x, y, 0.014) for x, y in band))


def camera(draw: Draw) -> Made:
    body = draw.of("plastic", "black", "dark grey", "red")
    yield box(0, 0, 0, 0.14, 0.06, 0.085, body)
    yield box(0, 0, 0.085, 0.05, 0.05, 0.02, body)
    yield disc(0.01, -0.055, 0.043, 0.036, 0.06, BLACK)
    yield disc(0.01, -0.084, 0.043, 0.026, 0.004, paint("light blue", "plastic"))
    yield can(-0.05, 0, 0.085, 0.012, 0.012, paint("light grey", "metal"))
    yield box(0, -0.031, 0.06, 0.13, 0.002, 0.012, paint("light grey", "metal"))


def speaker(draw: Draw) -> Made:
    wood = draw.of("wood", "black", "brown", "white")
    rim, cone, dome = paint("light grey", "metal"), paint("dark grey", "plastic"), BLACK
    front = paint("black" if wood.colour != "black" else "dark grey", "fabric")
    yield box(0, 0, 0.01, 0.18, 0.2, 0.29, wood)
    yield box(0, -0.1, 0.02, 0.164, 0.008, 0.27, front)
    for z, radius in ((0.105, 0.07), (0.235, 0.036)):
        yield disc(0, -0.104, z, radius, 0.008, rim)
        yield disc(0, -0.106, z, radius * 0.84, 0.008, cone)
        yield egg(0, -0.108, z - radius * 0.4, radius * 0.8, 0.03, radius * 0.8, dome)
    yield from both(box(0.07, 0, 0, 0.02, 0.17, 0.01, BLACK))


def radio(draw: Draw) -> Made:
    shell = draw.of("plastic", "red", "light blue", "ivory", "brown", "teal")
    pale = paint("ivory" if shell.colour != "ivory" else "brown", "plastic")
    yield box(0, 0, 0, 0.28, 0.1, 0.17, shell)
    yield box(-0.05, -0.052, 0.02, 0.15, 0.006, 0.13, pale)
    yield disc(0.085, -0.055, 0.11, 0.035, 0.014, pale)
    yield disc(0.085, -0.055, 0.045, 0.016, 0.02, BLACK)
    yield rod((0.12, 0.03, 0.17), (0.2, 0.03, 0.36), 0.004, paint("light grey", "metal"))
    for k in range(6):
        yield box(-0.05, -0.056, 0.035 + 0.02 * k, 0.13, 0.004, 0.008, BLACK)


def pen_cup(draw: Draw) -> Made:
    cup = draw.bright("plastic", 0.3)
    yield can(0, 0, 0, 0.042, 0.1, cup)
    yield can(0, 0, 0.0995, 0.036, 0.001, BLACK)
    pens = ((0.015, 0.01, 0.18), (-0.02, 0.005, 0.17), (0.0, -0.02, 0.19), (0.01, 0.02, 0.16))
    for x, y, up in pens:
        yield rod((x, y, 0.09), (x * 2.2, y * 2.2, up), 0.0055, draw.bright("wood"))


def globe(draw: Draw) -> Made:
    foot = draw.of("wood", "brown", "dark brown", "black")
    sea, land, white = paint("blue", "paper"), paint("green", "paper"), paint("white", "paper")
    middle = 0.185
    yield can(0, 0, 0, 0.075, 0.018, foot)
    yield can(0, 0, 0.018, 0.012, 0.07, foot)
    yield ball(0, 0, middle - 0.1, 0.1, sea)
    yield egg(0, 0, middle + 0.075, 0.08, 0.08, 0.028, white)
    ups = (math.pi * step / 6 for step in range(-3, 4))
    bow = ((0.12 * math.cos(up), 0, middle + 0.12 * math.sin(up)) for up in ups)
    yield from pipe(0.006, paint("yellow", "metal"), *bow)
    for around, up, size in (
        (-118, 34, 0.1), (-78, 14, 0.106), (-104, -30, 0.098), (-28, 12, 0.102),
        (60, 15, 0.106), (120, -18, 0.1), (172, 20, 0.104),
    ):  # fmt: skip
        angle, rise = math.radians(around), math.radians(up)
        x, y = 0.06 * math.cos(rise) * math.cos(angle), 0.06 * math.cos(rise) * math.sin(angle)
        z = middle + 0.06 * math.sin(rise)
        yield ball(x, y, z - size / 2, size / 2, land)
    yield sea


def photo_frame(draw: Draw) -> Made:
    frame = draw.of("wood", "brown", "black", "white", "light brown")
    skin = draw.of("paper", "beige", "light brown", "brown")
    shirt, hair = draw.bright("paper"), paint("dark brown", "paper")
    for part in (
        box(0, -0.008, 0, 0.16, 0.016, 0.21, frame),
        box(0, -0.0165, 0.014, 0.132, 0.003, 0.182, paint("white", "paper")),
        box(0, -0.0185, 0.028, 0.104, 0.003, 0.154, paint("light blue", "paper")),
        egg(0, -0.0205, 0.098, 0.062, 0.004, 0.062, hair),
        egg(0, -0.022, 0.09, 0.048, 0.004, 0.056, skin),
        box(0, -0.0205, 0.028, 0.08, 0.003, 0.055, shirt),
    ):  # upright, their backs in the plane y = 0
        yield replace(part, at=rotated(tilt(-12), part.at), turn=tilt(-12))
    yield rod((0, 0.025, 0.12), (0, 0.085, 0.004), 0.004, frame)


def table_lamp(draw: Draw) -> Made:
    foot = draw.of("ceramic", "white", "blue", "teal", "brown", "dark grey")
    shade = draw.of("fabric", "ivory", "yellow", "orange", "red")
    yield can(0, 0, 0, 0.075, 0.02, foot)
    yield egg(0, 0, 0.015, 0.13, 0.13, 0.15, foot)
    yield can(0, 0, 0.15, 0.012, 0.1, foot)
    yield from lathe(0, 0, 0.22, [(0, 0.13), (0.17, 0.08)], shade, 7)
    yield shade


def alarm_clock(draw: Draw) -> Made:
    rim, black = draw.bright("metal"), BLACK
    yield disc(0, 0, 0.075, 0.062, 0.05, rim)
    yield disc(0, -0.024, 0.075, 0.05, 0.006, paint("white", "paper"))
    yield box(0, 0, 0, 0.09, 0.05, 0.018, rim)
    yield rod((0, -0.028, 0.075), (0, -0.028, 0.115), 0.004, black)
    yield rod((0, -0.028, 0.075), (0.026, -0.028, 0.06), 0.004, black)
    yield from both(ball(0.035, 0, 0.12, 0.02, rim))


def chess_board(draw: Draw) -> Made:
    dark = draw.rng.choice(("dark brown", "black", "dark green", "dark red"))
    board = patterned(dark, "ivory", "wood", Pattern.CHECKS)
    yield box(0, 0, 0, 0.4, 0.4, 0.02, board)
    for index in range(6):
        x = -0.125 + 0.05 * index
        for y, tone in ((-0.125, "ivory"), (0.125, "black")):
            man = paint(tone, "wood")
            yield can(x, y, 0.02, 0.014, 0.04, man)
            yield ball(x, y, 0.055, 0.012, man)


def vase(draw: Draw) -> Made:
    clay, high = draw.bright("ceramic", 0.3), draw.size(0.18, 0.24)
    profile = [(0, 0.04), (high * 0.45, 0.07), (high * 0.8, 0.035), (high, 0.045)]
    yield from lathe(0, 0, 0, profile, clay, 5)
    bloom = draw.of("leaf", "red", "yellow", "pink", "purple", "orange", "white")
    for index in range(5):
        angle = math.tau * index / 5
        x, y, z = 0.055 * math.cos(angle), 0.055 * math.sin(angle), high + 0.09 + 0.03 * (index % 3)
        yield rod((x * 0.2, y * 0.2, high - 0.02), (x, y, z), 0.004, GREEN)
        yield egg(x, y, z - 0.02, 0.06, 0.06, 0.045, bloom)
        yield ball(x, y, z + 0.008, 0.011, paint("yellow", "leaf"))


def candle(draw: Draw) -> Made:
    wax = draw.of("stone", "ivory", "red", "white", "dark green", "purple")
    yield can(0, 0, 0, 0.06, 0.01, paint("dark grey", "metal"))
    yield can(0, 0, 0.01, 0.03, 0.13, wax)
    yield can(0, 0, 0.14, 0.003, 0.012, BLACK)
    yield egg(0, 0, 0.145, 0.016, 0.016, 0.035, paint("orange", "plastic"))
    yield wax


def sculpture(draw: Draw) -> Made:
    stone = draw.of("stone", "white", "dark grey", "light brown")
    dark = shaded(stone, 0.7)
    yield box(0, 0, 0, 0.13, 0.11, 0.02, dark)
    yield can(0, 0, 0.02, 0.035, 0.035, dark)
    yield egg(0, 0, 0.045, 0.21, 0.11, 0.085, stone)
    yield egg(0, -0.01, 0.04, 0.13, 0.11, 0.1, stone)
    yield can(0, 0.004, 0.12, 0.026, 0.055, stone)
    yield egg(0, 0, 0.155, 0.08, 0.095, 0.125, stone)
    yield egg(0, 0.016, 0.2, 0.094, 0.09, 0.088, dark)
    yield egg(0, -0.045, 0.198, 0.014, 0.024, 0.034, stone)
    yield from both(egg(0.019, -0.037, 0.222, 0.022, 0.016, 0.008, dark))
    yield stone


def cactus(draw: Draw) -> Made:
    pot = draw.of("ceramic", "orange", "white", "brown", "blue")
    yield from lathe(0, 0, 0, [(0, 0.04), (0.07, 0.055)], pot, 3)
    yield can(0, 0, 0.069, 0.048, 0.002, paint("dark brown", "stone"))
    yield from pipe(0.026, GREEN, (0, 0, 0.07), (0, 0, 0.2))
    for side, z in ((-1, 0.11), (1, 0.13)):
        x = side * 0.055
        yield from pipe(0.014, GREEN, (0, 0, z), (x, 0, z))
        yield from pipe(0.014, GREEN, (x, 0, z - 0.01), (x, 0, z + 0.06))
    yield GREEN


def teddy_bear(draw: Draw) -> Made:
    fur = draw.of("fabric", "brown", "light brown", "beige", "pink")
    dark, pale = paint("black", "plastic"), shaded(fur, 1.3)
    yield box(0, 0.02, 0, 0.13, 0.12, 0.04, fur)
    yield egg(0, 0.02, 0.01, 0.2, 0.17, 0.2, fur)
    yield egg(0, -0.04, 0.05, 0.13, 0.06, 0.12, pale)
    yield ball(0, 0, 0.185, 0.08, fur)
    yield egg(0, -0.075, 0.225, 0.07, 0.05, 0.05, pale)
    yield ball(0, -0.1, 0.245, 0.012, dark)
    yield from both(
        ball(0.062, 0.0, 0.31, 0.03, fur),
        ball(0.03, -0.066, 0.28, 0.011, dark),
        *pipe(0.038, fur, (0.06, -0.03, 0.04), (0.09, -0.13, 0.04)),
        disc(0.095, -0.15, 0.04, 0.026, 0.03, pale),
        *pipe(0.03, fur, (0.08, 0, 0.16), (0.13, -0.06, 0.09)),
    )


def ball_(draw: Draw) -> Made:
    skin, r = draw.bright("plastic", 0.7), draw.size(0.09, 0.12)
    yield ball(0, 0, 0, r, skin)
    if skin.pattern is Pattern.PLAIN:
        seam = can(0, 0, r - 0.002, r * 1.004, 0.004, BLACK)
        for way in (tilt(0), tilt(90), lean(90)):
            yield replace(seam, turn=way)


def toy_car(draw: Draw) -> Made:
    shell = draw.of("plastic", "red", "blue", "yellow", "green", "orange")
    yield box(0, 0, 0.02, 0.24, 0.11, 0.05, shell)
    yield box(0.01, 0, 0.07, 0.12, 0.095, 0.045, paint("light blue", "plastic"))
    yield box(0.01, 0, 0.112, 0.11, 0.09, 0.008, shell)
    for x in (-0.075, 0.075):
        for y, radius, deep, metal in ((0.055, 0.03, 0.02, BLACK), (0.064, 0.014, 0.006, STEEL)):
            for side in (-1, 1):
                yield disc(x, side * y, 0.03, radius, deep, metal)


def rubber_duck(draw: Draw) -> Made:
    skin = draw.of("plastic", "yellow", "yellow", "pink")
    yield egg(0, 0.01, 0, 0.09, 0.13, 0.075, skin)
    yield box(0, 0.01, 0, 0.05, 0.07, 0.02, skin)
    yield ball(0, -0.035, 0.055, 0.036, skin)
    yield egg(0, -0.078, 0.075, 0.032, 0.036, 0.014, paint("orange", "plastic"))
    yield egg(0, 0.075, 0.045, 0.04, 0.05, 0.03, skin, tilt(30))
    yield from both(ball(0.018, -0.064, 0.095, 0.006, BLACK))


def soap_bottle(draw: Draw) -> Made:
    shell, white = draw.bright("plastic"), paint("white", "plastic")
    if shell.colour == "white":
        white = BLACK
    yield from lathe(0, 0, 0, [(0, 0.034), (0.12, 0.034), (0.14, 0.014)], shell, 3)
    yield can(0, 0, 0.14, 0.014, 0.02, white)
    yield can(0, 0, 0.16, 0.005, 0.03, white)
    yield box(0, -0.012, 0.186, 0.018, 0.055, 0.012, white)
    yield can(0, 0, 0.04, 0.0345, 0.05, white)


def toothbrush_cup(draw: Draw) -> Made:
    cup = draw.of("ceramic", "white", "light blue", "light green", "pink")
    yield can(0, 0, 0, 0.036, 0.1, cup)
    yield can(0, 0, 0.0995, 0.03, 0.001, BLACK)
    for side in (-1, 1):
        brush = draw.bright("plastic")
        end = (side * 0.045, 0.0, 0.2)
        yield rod((side * 0.012, 0, 0.09), end, 0.005, brush)
        yield box(side * 0.045, -0.008, 0.185, 0.01, 0.012, 0.028, paint("white", "plastic"))


def toilet_paper(draw: Draw) -> Made:
    white, r = paint("white", "paper"), draw.size(0.055, 0.065)
    yield can(0, 0, 0, r, 0.1, white)
    yield can(0, 0, 0.0995, r * 0.38, 0.001, paint("light brown", "paper"))


def tissue_box(draw: Draw) -> Made:
    card, white = draw.bright("paper", 0.8), paint("white", "paper")
    yield box(0, 0, 0, 0.23, 0.12, 0.09, card)
    yield egg(0, 0, 0.089, 0.13, 0.05, 0.003, BLACK)
    yield box(-0.012, 0, 0.08, 0.075, 0.003, 0.085, white, lean(-16))
    yield box(0.016, 0.006, 0.08, 0.06, 0.003, 0.075, white, lean(24))
    yield box(0.0, -0.006, 0.08, 0.05, 0.003, 0.06, shaded(white, 0.9), lean(50))


def toy_blocks(draw: Draw) -> Made:
    for x, z in ((-0.035, 0), (0.035, 0), (0, 0.065)):
        wood = draw.bright("wood")
        yield box(x, 0, z, 0.065, 0.065, 0.065, wood)
    yield wood
    yield box(0.004, 0, 0.13, 0.055, 0.055, 0.055, draw.bright("wood"))


def pillow(draw: Draw) -> Made:
    cloth, side = draw.bright("fabric", 0.6), draw.size(0.36, 0.44)
    yield from _plump(side, side, 0.13, cloth)


def bed_pillow(draw: Draw) -> Made:
    cloth = draw.of("fabric", "white", "white", "ivory", "light blue", "light grey")
    wide, deep = draw.size(0.56, 0.62), draw.size(0.38, 0.42)
    yield from _plump(wide, deep, 0.16, cloth)


def _plump(width: float, depth: float, high: float, cloth: Paint) -> Made:
    askew, long = math.degrees(math.atan2(depth, width)), math.hypot(width, depth)
    yield box(0, 0, 0, width * 0.4, depth * 0.4, 0.02, cloth)
    for share, wide, tall in ((0.84, 0.88, 0.94), (0.96, 0.42, 0.56)):
        z = high * (1 - tall) / 2
        for way in (-askew, askew):
            yield egg(0, 0, z, long * share, depth * wide, high * tall, cloth, turn(way))
    yield egg(0, 0, 0, width, depth * 0.9, high, cloth)


def folded_towel(draw: Draw) -> Made:
    cloth, w = draw.bright("fabric", 0.5), draw.size(0.24, 0.3)
    band = paint("white" if cloth.colour != "white" else "blue", "fabric")
    for z, deep, end in ((0.0, 0.2, w / 2), (0.044, 0.185, w / 2 - 0.008)):
        y = 0.02 - deep / 2
        yield box(0, 0.01, z, 2 * end, deep - 0.02, 0.044, cloth)
        yield rod((-end, y, z + 0.022), (end, y, z + 0.022), 0.022, cloth)
    for x in (w / 2 - 0.05, w / 2 - 0.075) if cloth.pattern is Pattern.PLAIN else ():
        yield box(x, 0.01, 0.044, 0.014, 0.166, 0.0455, band)
        yield rod((x - 0.007, -0.0725, 0.066), (x + 0.007, -0.0725, 0.066), 0.0235, band)


def blanket(draw: Draw) -> Made:
    cloth = draw.fabric(0.7)
    for index in range(3):
        z, deep = 0.036 * index, 0.35 - 0.012 * index
        yield box(0, 0, z, 0.4, deep, 0.036, cloth)
        yield from pipe(0.018, cloth, (-0.2, -deep / 2, z + 0.018), (0.2, -deep / 2, z + 0.018))
    for index in range(5):
        y = -0.14 + 0.07 * index
        yield from both(box(0.222, y, 0.072, 0.058, 0.014, 0.008, shaded(cloth, 1.25), lean(22)))
