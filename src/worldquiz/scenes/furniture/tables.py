"""Tables, desks, and stands for beds and televisions."""

from __future__ import annotations

from worldquiz.scenes.furniture.parts import Model, both, box, can, free, legs, model
from worldquiz.scenes.paints import Draw, paint, shaded
from worldquiz.scenes.scene import Paint, Part


def dining_table(draw: Draw) -> Model:
    """A rectangular or round table at eating height."""
    wood = draw.wood()
    if draw.chance(0.3):
        radius = draw.size(0.5, 0.58)
        parts = [
            can(0, 0, 0.71, radius, 0.035, wood),
            can(0, 0, 0.03, 0.06, 0.68, wood),
            can(0, 0, 0, 0.3, 0.03, shaded(wood, 0.8)),
        ]
        return model(wood, parts, tops=[free(radius * 1.4, radius * 1.4, 0.745)])
    width, depth = draw.size(1.2, 1.6), draw.size(0.8, 0.9)
    parts = [
        *legs(width, depth, 0.71, 0.07, wood, inset=0.02),
        box(0, 0, 0.71, width, depth, 0.035, wood),
    ]
    parts += [
        box(0, side * (depth / 2 - 0.06), 0.63, width - 0.16, 0.02, 0.08, wood) for side in (-1, 1)
    ]
    return model(wood, parts, tops=[free(width, depth, 0.745)])


def coffee_table(draw: Draw) -> Model:
    """A low table with a shelf below."""
    wood = draw.wood()
    if draw.chance(0.3):
        radius = draw.size(0.36, 0.42)
        parts: list[Part] = [can(0, 0, 0.38, radius, 0.03, wood)]
        parts += legs(0.48, 0.48, 0.38, 0.045, shaded(wood, 0.8))
        return model(wood, parts, tops=[free(radius * 1.4, radius * 1.4, 0.41)])
    width, depth = draw.size(0.9, 1.1), draw.size(0.5, 0.6)
    parts = [
        *legs(width, depth, 0.38, 0.06, wood),
        box(0, 0, 0.38, width, depth, 0.035, wood),
        box(0, 0, 0.12, width - 0.04, depth - 0.04, 0.02, shaded(wood, 0.85)),
    ]
    lower = free(width, depth, 0.14, 0.08, clear=0.22, kind="shelf")
    return model(wood, parts, tops=[free(width, depth, 0.415), lower])


def desk(draw: Draw) -> Model:
    """A writing desk with a block of drawers at one side."""
    wood, metal = draw.wood(), draw.metal()
    width, depth, side = draw.size(1.15, 1.45), draw.size(0.6, 0.7), 1 if draw.chance(0.5) else -1
    x = side * (width / 2 - 0.22)
    parts = [
        box(0, 0, 0.71, width, depth, 0.03, wood),
        box(x, 0.02, 0.02, 0.4, depth - 0.06, 0.69, shaded(wood, 0.92)),
        box(-side * (width / 2 - 0.03), 0, 0, 0.04, depth - 0.06, 0.71, wood),
        box(0, depth / 2 - 0.05, 0.4, width - 0.08, 0.02, 0.305, wood),
        box(x, 0.02, 0, 0.36, depth - 0.1, 0.02, wood),
    ]
    for index in range(3):
        z = 0.05 + 0.22 * index
        parts.append(box(x, -depth / 2 + 0.045, z, 0.36, 0.02, 0.2, shaded(wood, 1.12)))
        parts.append(box(x, -depth / 2 + 0.03, z + 0.11, 0.12, 0.02, 0.02, metal))
    return model(wood, parts, tops=[free(width, depth, 0.74)])


def nightstand(draw: Draw) -> Model:
    """A small bedside cabinet with two drawers."""
    wood, metal = draw.wood(), draw.metal()
    width, depth, high = draw.size(0.42, 0.5), draw.size(0.38, 0.42), draw.size(0.5, 0.58)
    parts = [
        *legs(width, depth, 0.08, 0.04, wood),
        box(0, 0, 0.08, width, depth, high - 0.08, wood),
    ]
    for index in range(2):
        z, tall = 0.1 + index * (high - 0.12) / 2, (high - 0.16) / 2
        parts.append(box(0, -depth / 2 - 0.005, z, width - 0.05, 0.02, tall, shaded(wood, 1.12)))
        parts.append(box(0, -depth / 2 - 0.02, z + tall / 2, 0.1, 0.02, 0.02, metal))
    return model(wood, parts, tops=[free(width, depth, high)])


def tv_stand(draw: Draw) -> Model:
    """A low wide cabinet with open shelves below its top."""
    wood, front = draw.wood(), draw.front()
    width, depth, high = draw.size(1.3, 1.6), 0.42, draw.size(0.46, 0.52)
    parts = [
        box(0, 0, 0, width, depth, 0.06, wood),
        box(0, 0, high - 0.03, width, depth, 0.03, wood),
        box(0, depth / 2 - 0.01, 0.06, width, 0.02, high - 0.09, wood),
    ]
    parts += [
        box(x, 0, 0.06, 0.03, depth, high - 0.09, wood)
        for x in (-width / 2 + 0.015, width / 2 - 0.015)
    ]
    for side in (-1, 1):
        x = side * (width / 2 - 0.22)
        parts.append(box(x, -0.01, 0.06, 0.38, depth - 0.04, high - 0.09, front))
        parts.append(
            box(x - side * 0.13, -depth / 2 + 0.005, high / 2, 0.03, 0.02, 0.1, draw.metal())
        )
    shelf = free(width, depth, 0.06, 0.45, front=0.04, back=0.05, clear=high - 0.11, kind="shelf")
    return model(wood, parts, tops=[free(width, depth, high), shelf])


def kitchen_counter(draw: Draw) -> Model:
    """A kitchen base unit: doors, drawer and a stone worktop."""
    front, stone = draw.front(), draw.of("stone", "dark grey", "light grey", "beige")
    width, metal = draw.size(0.8, 1.2), draw.metal()
    parts = [*base_unit(width, front), box(0, 0, 0.86, width, 0.62, 0.04, stone)]
    parts += both(
        box(width / 4, -0.3, 0.12, width / 2 - 0.02, 0.02, 0.5, shaded(front, 1.08)),
        box(0.05, -0.315, 0.45, 0.02, 0.02, 0.14, metal),
    )
    parts.append(box(0, -0.3, 0.66, width - 0.02, 0.02, 0.18, shaded(front, 1.08)))
    parts.append(box(0, -0.315, 0.74, 0.16, 0.02, 0.02, metal))
    return model(front, parts, tops=[free(width, 0.6, 0.9, side=0.04)])


def base_unit(width: float, front: Paint) -> list[Part]:
    """Return the carcass of a kitchen unit on a recessed plinth."""
    return [
        box(0, 0.03, 0, width, 0.52, 0.1, paint("dark grey", "plastic")),
        box(0, 0.0, 0.1, width, 0.58, 0.76, front),
    ]
