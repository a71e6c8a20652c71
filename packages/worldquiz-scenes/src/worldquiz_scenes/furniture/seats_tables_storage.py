"""Seats and beds, tables and desks, and storage furniture."""

from __future__ import annotations

from worldquiz_scenes.furniture.parts import (
    Made,
    ball,
    both,
    box,
    can,
    egg,
    free,
    legs,
    rod,
)
from worldquiz_scenes.paints import Draw, paint, shaded
from worldquiz_scenes.scene import Paint

LED = paint("green", "light")


def sofa(draw: Draw) -> Made:
    cloth, seats = draw.fabric(0.15), draw.count(2, 3)
    width, depth, body = 0.62 * seats + 0.4, draw.size(0.85, 0.95), shaded(cloth, 0.8)
    yield from legs(width, depth, 0.1, 0.06, draw.wood(), inset=0.05)
    yield box(0, 0, 0.1, width, depth, 0.2, body)
    yield box(0, depth / 2 - 0.1, 0.3, width - 0.002, 0.198, 0.52, cloth)
    yield from both(box(width / 2 - 0.1, 0, 0.3, 0.2, depth, 0.32, cloth))
    span = (width - 0.4) / seats
    for index in range(seats):
        x = -width / 2 + 0.2 + span * (index + 0.5)
        yield box(x, -0.1, 0.3, span - 0.015, depth - 0.2, 0.14, cloth)
        yield box(x, depth / 2 - 0.24, 0.46, span - 0.03, 0.1, 0.34, shaded(cloth, 1.1))
    yield free(width, depth, 0.44, 0.25, front=0.05, back=0.32, kind="seat")
    yield cloth


def armchair(draw: Draw) -> Made:
    cloth, width, depth = draw.fabric(0.3), draw.size(0.78, 0.88), draw.size(0.78, 0.86)
    yield from legs(width, depth, 0.12, 0.05, draw.wood(), inset=0.05)
    yield box(0, 0, 0.12, width, depth, 0.18, shaded(cloth, 0.8))
    yield box(0, -0.09, 0.3, width - 0.34, depth - 0.18, 0.14, shaded(cloth, 1.12))
    yield box(0, depth / 2 - 0.09, 0.3, width, 0.18, 0.6, cloth)
    yield from both(box(width / 2 - 0.085, -0.09, 0.3, 0.17, depth - 0.18, 0.3, cloth))
    yield free(width, depth, 0.44, 0.22, front=0.06, back=0.24, kind="seat")
    yield cloth


def chair(draw: Draw) -> Made:
    wood = draw.wood()
    seat = draw.fabric(0.4) if draw.chance(0.5) else shaded(wood, 0.85)
    width, high = draw.size(0.42, 0.46), draw.size(0.88, 0.98)
    yield from legs(width, width, 0.43, 0.04, wood)
    yield box(0, 0, 0.43, width, width, 0.04, seat)
    yield box(0, width / 2 - 0.015, high - 0.1, width, 0.03, 0.1, wood)
    yield from both(box(width / 2 - 0.02, width / 2 - 0.02, 0.47, 0.04, 0.04, high - 0.57, wood))
    for x in (-0.09, 0, 0.09):
        yield box(x, width / 2 - 0.015, 0.47, 0.025, 0.02, high - 0.57, wood)


def office_chair(draw: Draw) -> Made:
    cloth, black = draw.fabric(), paint("black", "plastic")
    yield can(0, 0, 0.08, 0.03, 0.36, draw.metal())
    yield box(0, 0, 0.44, 0.48, 0.46, 0.08, cloth)
    yield box(0, 0.25, 0.62, 0.42, 0.07, draw.size(0.42, 0.55), cloth)
    yield box(0, 0.25, 0.44, 0.08, 0.04, 0.3, black)
    for x, y in ((0, 0.27), (0.257, 0.083), (0.159, -0.218), (-0.159, -0.218), (-0.257, 0.083)):
        yield rod((0, 0, 0.09), (x, y, 0.06), 0.02, black)
        yield egg(x, y, 0, 0.06, 0.06, 0.06, black)
    yield from both(
        box(0.26, 0.02, 0.64, 0.05, 0.28, 0.03, black),
        box(0.26, 0.08, 0.46, 0.03, 0.05, 0.18, black),
    )
    yield cloth


def stool(draw: Draw) -> Made:
    wood, high = draw.wood(), draw.size(0.45, 0.62)
    yield can(0, 0, high - 0.05, 0.17, 0.05, draw.bright("wood") if draw.chance(0.5) else wood)
    for x in (-1, 1):
        for y in (-1, 1):
            yield rod((x * 0.09, y * 0.09, high - 0.05), (x * 0.15, y * 0.15, 0.01), 0.018, wood)


def bench(draw: Draw) -> Made:
    wood, width = draw.wood(), draw.size(1.0, 1.3)
    yield box(0, 0, 0.41, width, 0.36, 0.05, wood)
    yield box(0, 0, 0.16, width - 0.2, 0.05, 0.06, wood)
    yield from both(box(width / 2 - 0.1, 0, 0, 0.06, 0.32, 0.41, shaded(wood, 0.85)))
    yield free(width, 0.4, 0.46, 0.05, kind="seat")


def bed(draw: Draw) -> Made:
    wood, cover, white = draw.wood(), draw.fabric(0.5), paint("white", "fabric")
    width, length = (1.5, 2.05) if draw.chance(0.6) else (1.0, 2.05)
    yield from legs(width, length, 0.14, 0.08, wood)
    yield box(0, 0, 0.14, width, length, 0.16, wood)
    yield box(0, length / 2 - 0.031, 0.14, width - 0.002, 0.06, draw.size(0.75, 0.95), wood)
    yield box(0, -0.03, 0.3, width - 0.06, length - 0.1, 0.2, white)
    yield box(0, -0.325, 0.32, width - 0.02, length - 0.67, 0.21, cover)
    yield free(width, length, 0.53, 0.15, back=0.75, clear=1.2, kind="seat")
    yield free(width, length, 0.5, 0.05, front=length - 0.62, back=0.09, clear=1.2, kind="head")
    yield cover


def dining_table(draw: Draw) -> Made:
    wood = draw.wood()
    if draw.chance(0.3):
        radius = draw.size(0.5, 0.58)
        yield can(0, 0, 0.71, radius, 0.035, wood)
        yield can(0, 0, 0.03, 0.06, 0.68, wood)
        yield can(0, 0, 0, 0.3, 0.03, shaded(wood, 0.8))
        yield free(radius * 1.4, radius * 1.4, 0.745)
    else:
        width, depth = draw.size(1.2, 1.6), draw.size(0.8, 0.9)
        yield from legs(width, depth, 0.71, 0.07, wood, inset=0.02)
        yield box(0, 0, 0.71, width, depth, 0.035, wood)
        for side in (-1, 1):
            yield box(0, side * (depth / 2 - 0.06), 0.63, width - 0.16, 0.02, 0.08, wood)
        yield free(width, depth, 0.745)


def coffee_table(draw: Draw) -> Made:
    wood = draw.wood()
    if draw.chance(0.3):
        radius = draw.size(0.36, 0.42)
        yield can(0, 0, 0.38, radius, 0.03, wood)
        yield from legs(0.48, 0.48, 0.38, 0.045, shaded(wood, 0.8))
        yield free(radius * 1.4, radius * 1.4, 0.41)
    else:
        width, depth = draw.size(0.9, 1.1), draw.size(0.5, 0.6)
        yield from legs(width, depth, 0.38, 0.06, wood)
        yield box(0, 0, 0.38, width, depth, 0.035, wood)
        yield box(0, 0, 0.12, width - 0.04, depth - 0.04, 0.02, shaded(wood, 0.85))
        yield free(width, depth, 0.415)
        yield free(width, depth, 0.14, 0.08, clear=0.22, kind="shelf")


def desk(draw: Draw) -> Made:
    wood, metal = draw.wood(), draw.metal()
    width, depth, side = draw.size(1.15, 1.45), draw.size(0.6, 0.7), 1 if draw.chance(0.5) else -1
    x = side * (width / 2 - 0.22)
    yield box(0, 0, 0.71, width, depth, 0.03, wood)
    yield box(x, 0.02, 0.02, 0.4, depth - 0.06, 0.69, shaded(wood, 0.92))
    yield box(-side * (width / 2 - 0.03), 0, 0, 0.04, depth - 0.06, 0.71, wood)
    yield box(0, depth / 2 - 0.05, 0.4, width - 0.08, 0.02, 0.305, wood)
    yield box(x, 0.02, 0, 0.36, depth - 0.1, 0.02, wood)
    for index in range(3):
        z = 0.05 + 0.22 * index
        yield box(x, -depth / 2 + 0.045, z, 0.36, 0.02, 0.2, shaded(wood, 1.12))
        yield box(x, -depth / 2 + 0.03, z + 0.11, 0.12, 0.02, 0.02, metal)
    yield free(width, depth, 0.74)


def nightstand(draw: Draw) -> Made:
    wood, metal = draw.wood(), draw.metal()
    width, depth, high = draw.size(0.42, 0.5), draw.size(0.38, 0.42), draw.size(0.5, 0.58)
    inner = shaded(wood, 0.75)
    yield from legs(width - 0.02, depth - 0.02, high - 0.025, 0.035, wood)
    yield box(0, 0, high - 0.025, width, depth, 0.025, wood)
    yield box(0, 0, high - 0.19, width - 0.04, depth - 0.04, 0.16, inner)
    yield box(0, -depth / 2 + 0.012, high - 0.185, width - 0.1, 0.02, 0.15, shaded(wood, 1.12))
    yield ball(0, -depth / 2 - 0.012, high - 0.125, 0.016, metal)
    yield box(0, 0, 0.12, width - 0.03, depth - 0.03, 0.02, inner)
    yield free(width, depth, high)
    yield free(width, depth, 0.14, 0.07, clear=high - 0.35, kind="shelf")


def tv_stand(draw: Draw) -> Made:
    wood, front = draw.wood(), draw.front()
    width, depth, high = draw.size(1.3, 1.6), 0.42, draw.size(0.46, 0.52)
    inner, dark = shaded(wood, 0.6), paint("black", "plastic")
    yield box(0, 0, 0, width, depth, 0.06, wood)
    yield box(0, 0, high - 0.03, width, depth, 0.03, wood)
    yield box(0, depth / 2 - 0.01, 0.06, width - 0.06, 0.02, high - 0.09, inner)
    for side in (-1, 1):
        edge, middle = side * (width / 2 - 0.015), side * (width / 2 - 0.22)
        tall = high / 2 - 0.06
        yield box(edge, 0, 0.06, 0.03, depth, high - 0.09, wood)
        yield box(edge - side * 0.4, 0, 0.06, 0.025, depth - 0.04, high - 0.09, wood)
        yield box(middle, -0.01, 0.065, 0.37, depth - 0.04, tall, front)
        yield box(middle, -depth / 2 + 0.005, 0.06 + tall * 0.6, 0.12, 0.02, 0.02, draw.metal())
        if side < 0:
            z = 0.065 + tall
            yield box(middle, -0.02, z, 0.3, 0.26, 0.05, dark)
            yield box(middle - 0.1, -0.152, z + 0.02, 0.03, 0.01, 0.012, LED)
    yield free(width, depth, high)
    yield free(width, depth, 0.06, 0.45, front=0.04, back=0.05, clear=high - 0.11, kind="shelf")


def kitchen_counter(draw: Draw) -> Made:
    front, stone = draw.front(), draw.of("stone", "dark grey", "light grey", "beige")
    width, metal, face = draw.size(0.8, 1.2), draw.metal(), shaded(front, 1.08)
    yield from base_unit(width, front)
    yield box(0, 0, 0.86, width, 0.66, 0.04, stone)
    for x in (-width / 4, width / 4):
        yield box(x, -0.3, 0.12, width / 2 - 0.02, 0.02, 0.5, face)
        yield box(x, -0.3, 0.64, width / 2 - 0.02, 0.02, 0.2, face)
        for z in (0.56, 0.77):
            yield box(x, -0.32, z, width / 2 - 0.14, 0.022, 0.02, metal)
    yield free(width, 0.6, 0.9, side=0.04)
    yield front


def base_unit(width: float, front: Paint) -> Made:
    yield box(0, 0.03, 0, width, 0.52, 0.1, paint("dark grey", "plastic"))
    yield box(0, 0.0, 0.1, width, 0.58, 0.76, front)


def wardrobe(draw: Draw) -> Made:
    front, metal, doors = draw.front(), draw.metal(), draw.count(2, 3)
    width, depth, high = 0.5 * doors, draw.size(0.55, 0.6), draw.size(1.9, 2.1)
    yield box(0, 0.01, 0, width, depth - 0.02, high, shaded(front, 0.85))
    yield box(0, 0, high, width + 0.04, depth + 0.02, 0.04, front)
    for index in range(doors):
        x = -width / 2 + 0.5 * (index + 0.5)
        yield box(x, -depth / 2, 0.06, 0.492, 0.02, high - 0.09, front)
        side = 1 if index < doors / 2 - 0.1 else -1
        yield box(x + side * 0.18, -depth / 2 - 0.02, high / 2 - 0.1, 0.02, 0.02, 0.2, metal)
    yield front


def bookshelf(draw: Draw) -> Made:
    wood, levels = draw.wood(), draw.count(3, 5)
    width, depth, gap = draw.size(0.75, 1.0), draw.size(0.28, 0.32), 0.35
    high = 0.08 + levels * (gap + 0.02) + 0.02
    yield from both(box(width / 2 - 0.01, 0, 0, 0.02, depth, high, wood))
    back = shaded(wood, 0.75)
    yield box(0, depth / 2 - 0.005, 0.06, width - 0.04, 0.01, high - 0.06, back)
    for index in range(levels + 1):
        z = 0.06 + index * (gap + 0.02)
        yield box(0, -0.005, z, width - 0.04, depth - 0.01, 0.02, wood)
        clear, kind = (0.4, "top") if index == levels else (gap - 0.02, "shelf")
        yield free(width, depth, z + 0.02, front=0.02, back=0.02, clear=clear, kind=kind)


def cabinet(draw: Draw) -> Made:
    wood, front, metal, doors = draw.wood(), draw.front(), draw.metal(), draw.count(2, 3)
    width, depth, high = 0.45 * doors, draw.size(0.4, 0.45), draw.size(0.75, 0.9)
    yield from legs(width, depth, 0.2, 0.045, wood, inset=0.02)
    yield box(0, 0.01, 0.2, width - 0.02, depth - 0.02, high - 0.225, wood)
    yield box(0, 0, high - 0.025, width, depth, 0.025, wood)
    for index in range(doors):
        x, side = -width / 2 + 0.45 * (index + 0.5), -1 if index % 2 else 1
        yield box(x, -depth / 2 + 0.005, 0.22, 0.41, 0.02, high - 0.265, front)
        yield box(x, -depth / 2 + 0.003, 0.28, 0.29, 0.022, high - 0.385, shaded(front, 0.78))
        yield ball(x + side * 0.175, -depth / 2 - 0.018, high / 2 + 0.04, 0.018, metal)
    yield free(width, depth, high)
    yield front


def chest_of_drawers(draw: Draw) -> Made:
    wood, metal, rows = draw.wood(), draw.metal(), draw.count(3, 4)
    width, depth, high = draw.size(0.8, 1.0), draw.size(0.42, 0.48), 0.1 + 0.21 * rows
    yield from legs(width, depth, 0.08, 0.05, wood)
    yield box(0, 0, 0.08, width - 0.02, depth - 0.02, high - 0.1, shaded(wood, 0.7))
    yield box(0, 0, high - 0.025, width, depth, 0.025, wood)
    for index in range(rows):
        z = 0.095 + 0.208 * index
        yield box(0, -depth / 2 - 0.002, z, width - 0.05, 0.02, 0.185, shaded(wood, 1.15))
        yield from both(ball(width / 4, -depth / 2 - 0.028, z + 0.075, 0.02, metal))
    yield free(width, depth, high)


def shoe_rack(draw: Draw) -> Made:
    wood, width = draw.wood(), draw.size(0.7, 0.9)
    slat = shaded(wood, 0.9)
    yield from both(
        *(box(width / 2 - 0.015, y, 0, 0.03, 0.03, 0.44, wood) for y in (-0.155, 0.155)),
        box(width / 2 - 0.015, 0, 0.42, 0.03, 0.34, 0.02, wood),
    )
    for z, clear in ((0.1, 0.28), (0.44, 1.0)):
        for y in (-0.142, -0.047, 0.047, 0.142):
            yield box(0, y, z, width - 0.01, 0.055, 0.018, slat)
        yield free(width, 0.4, z + 0.018, 0.05, clear=clear, kind="shelf")


def coat_rack(draw: Draw) -> Made:
    wood = draw.wood()
    yield can(0, 0, 0, 0.2, 0.03, wood)
    yield can(0, 0, 0.03, 0.025, 1.7, wood)
    yield ball(0, 0, 1.71, 0.04, wood)
    for x, y in ((1, 0), (-1, 0), (0, 1), (0, -1)):
        yield rod((0, 0, 1.55), (0.17 * x, 0.17 * y, 1.66), 0.013, wood)
    if draw.chance(0.6):
        coat = draw.fabric()
        yield box(0.12, 0, 0.85, 0.12, 0.34, 0.72, coat)
        for side in (-1, 1):
            yield rod((0.12, side * 0.18, 1.5), (0.12, side * 0.2, 1.0), 0.05, coat)


def wall_shelf(draw: Draw) -> Made:
    wood, metal, width = draw.wood(), draw.metal(), draw.size(0.7, 1.0)
    for z in (0.04, 0.34):
        yield box(0, 0, z, width - 0.04, 0.24, 0.022, wood)
    yield from both(
        box(width / 2 - 0.01, 0, 0, 0.02, 0.24, 0.46, shaded(wood, 0.85)),
        rod((width / 2 - 0.03, -0.1, 0.4), (0, -0.1, 0.4), 0.006, metal),
    )
    for z, clear in ((0.04, 0.27), (0.34, 0.45)):
        yield free(width, 0.24, z + 0.022, 0.03, front=0.02, clear=clear, kind="shelf")


def wall_cupboard(draw: Draw) -> Made:
    front, metal, width = draw.front(), draw.metal(), draw.size(0.7, 1.0)
    yield box(0, 0.01, 0, width - 0.02, 0.32, 0.57, shaded(front, 0.8))
    yield box(0, 0, 0.57, width, 0.36, 0.03, front)
    yield from both(
        box(width / 4, -0.16, 0.01, width / 2 - 0.025, 0.02, 0.55, front),
        box(width / 4, -0.162, 0.07, width / 2 - 0.145, 0.02, 0.43, shaded(front, 0.82)),
        box(0.05, -0.18, 0.03, 0.02, 0.02, 0.16, metal),
    )
    yield front
