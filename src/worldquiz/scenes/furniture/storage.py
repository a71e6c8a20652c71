"""Storage: wardrobes, shelves, cabinets, and the racks beside a front door."""

from __future__ import annotations

from worldquiz.scenes.furniture.parts import (
    Model,
    Top,
    ball,
    both,
    box,
    can,
    free,
    legs,
    model,
    rod,
)
from worldquiz.scenes.paints import Draw, shaded
from worldquiz.scenes.scene import Paint, Part


def wardrobe(draw: Draw) -> Model:
    """A tall cupboard with two or three doors."""
    front, metal, doors = draw.front(), draw.metal(), draw.count(2, 3)
    width, depth, high = 0.5 * doors, draw.size(0.55, 0.6), draw.size(1.9, 2.1)
    parts = [
        box(0, 0.01, 0, width, depth - 0.02, high, shaded(front, 0.85)),
        box(0, 0, high, width + 0.04, depth + 0.02, 0.04, front),
    ]
    for index in range(doors):
        x = -width / 2 + 0.5 * (index + 0.5)
        parts.append(box(x, -depth / 2, 0.06, 0.485, 0.02, high - 0.09, front))
        side = 1 if index < doors / 2 - 0.1 else -1
        parts.append(
            box(x + side * 0.18, -depth / 2 - 0.02, high / 2 - 0.1, 0.02, 0.02, 0.2, metal)
        )
    return model(front, parts)


def bookshelf(draw: Draw) -> Model:
    """A tall open shelf with three to five boards."""
    wood, levels = draw.wood(), draw.count(3, 5)
    width, depth, gap = draw.size(0.75, 1.0), draw.size(0.28, 0.32), 0.35
    parts, tops = _rack(width, depth, gap, levels, wood)
    return model(wood, parts, tops=tops)


def _rack(
    width: float, depth: float, gap: float, levels: int, wood: Paint
) -> tuple[list[Part], list[Top]]:
    """Return an open rack: `levels` shelves one above the other, and its top."""
    high = 0.08 + levels * (gap + 0.02) + 0.02
    parts = both(box(width / 2 - 0.01, 0, 0, 0.02, depth, high, wood))
    parts.append(
        box(0, depth / 2 - 0.005, 0.06, width - 0.04, 0.01, high - 0.06, shaded(wood, 0.75))
    )
    tops = []
    for index in range(levels + 1):
        z = 0.06 + index * (gap + 0.02)
        parts.append(box(0, -0.005, z, width - 0.04, depth - 0.01, 0.02, wood))
        clear, kind = (0.4, "top") if index == levels else (gap - 0.02, "shelf")
        tops.append(free(width, depth, z + 0.02, front=0.02, back=0.02, clear=clear, kind=kind))
    return parts, tops


def cabinet(draw: Draw) -> Model:
    """A sideboard with doors, at waist height."""
    wood, front, metal, doors = draw.wood(), draw.front(), draw.metal(), draw.count(2, 3)
    width, depth, high = 0.45 * doors, draw.size(0.4, 0.45), draw.size(0.75, 0.9)
    parts = [
        *legs(width, depth, 0.12, 0.05, wood),
        box(0, 0.01, 0.12, width, depth - 0.02, high - 0.15, wood),
        box(0, 0, high - 0.03, width, depth, 0.03, wood),
    ]
    for index in range(doors):
        x = -width / 2 + 0.45 * (index + 0.5)
        parts.append(box(x, -depth / 2 + 0.005, 0.15, 0.42, 0.02, high - 0.2, front))
        parts.append(ball(x + 0.15, -depth / 2 - 0.012, high / 2, 0.015, metal))
    return model(front, parts, tops=[free(width, depth, high)])


def chest_of_drawers(draw: Draw) -> Model:
    """A chest of drawers."""
    wood, metal, rows = draw.wood(), draw.metal(), draw.count(3, 4)
    width, depth = draw.size(0.8, 1.0), draw.size(0.42, 0.48)
    high = 0.1 + 0.21 * rows
    parts = [
        *legs(width, depth, 0.08, 0.05, wood),
        box(0, 0, 0.08, width, depth, high - 0.08, wood),
    ]
    for index in range(rows):
        z = 0.1 + 0.21 * index
        parts.append(box(0, -depth / 2 - 0.005, z, width - 0.05, 0.02, 0.19, shaded(wood, 1.15)))
        parts += both(ball(width / 4, -depth / 2 - 0.025, z + 0.08, 0.016, metal))
    return model(wood, parts, tops=[free(width, depth, high)])


def shoe_rack(draw: Draw) -> Model:
    """Two low boards between two sides."""
    wood, width = draw.wood(), draw.size(0.7, 0.9)
    parts = both(box(width / 2 - 0.015, 0, 0, 0.03, 0.34, 0.46, wood))
    tops = []
    for z, clear in ((0.08, 0.28), (0.42, 1.0)):
        parts.append(box(0, 0, z, width - 0.06, 0.34, 0.02, shaded(wood, 0.9)))
        tops.append(free(width, 0.4, z + 0.02, 0.04, clear=clear, kind="shelf"))
    return model(wood, parts, tops=tops)


def coat_rack(draw: Draw) -> Model:
    """A pole with hooks, and perhaps a coat."""
    wood = draw.wood()
    parts = [
        can(0, 0, 0, 0.2, 0.03, wood),
        can(0, 0, 0.03, 0.025, 1.7, wood),
        ball(0, 0, 1.71, 0.04, wood),
    ]
    parts += [
        rod((0, 0, 1.55), (0.17 * x, 0.17 * y, 1.66), 0.013, wood)
        for x, y in ((1, 0), (-1, 0), (0, 1), (0, -1))
    ]
    if draw.chance(0.6):
        coat = draw.fabric()
        parts.append(box(0.12, 0, 0.85, 0.12, 0.34, 0.72, coat))
        parts += [
            rod((0.12, side * 0.18, 1.5), (0.12, side * 0.2, 1.0), 0.05, coat) for side in (-1, 1)
        ]
    return model(wood, parts)


def wall_shelf(draw: Draw) -> Model:
    """A board on two brackets, on a wall."""
    wood, metal, width = draw.wood(), draw.metal(), draw.size(0.7, 1.0)
    parts = [box(0, 0, 0.12, width, 0.24, 0.025, wood)]
    parts += both(
        box(width / 3, 0.11, 0, 0.025, 0.02, 0.12, metal),
        rod((width / 3, 0.1, 0.01), (width / 3, -0.08, 0.12), 0.008, metal),
    )
    top = free(width, 0.24, 0.145, 0.02, front=0.02, clear=0.45, kind="shelf")
    return model(wood, parts, tops=[top])


def wall_cupboard(draw: Draw) -> Model:
    """A kitchen cupboard on a wall."""
    front, metal, width = draw.front(), draw.metal(), draw.size(0.7, 1.0)
    parts = [box(0, 0, 0, width, 0.34, 0.6, shaded(front, 0.85))]
    parts += both(
        box(width / 4, -0.175, 0.01, width / 2 - 0.015, 0.02, 0.58, front),
        box(0.05, -0.19, 0.06, 0.02, 0.02, 0.14, metal),
    )
    return model(front, parts)
