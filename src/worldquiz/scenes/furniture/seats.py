"""Seats and beds."""

from __future__ import annotations

from worldquiz.scenes.furniture.parts import Model, both, box, can, egg, free, legs, model, rod
from worldquiz.scenes.paints import Draw, paint, shaded


def sofa(draw: Draw) -> Model:
    """A two- or three-seater with arms and seat cushions."""
    cloth, seats = draw.fabric(0.15), draw.count(2, 3)
    width, depth = 0.62 * seats + 0.4, draw.size(0.85, 0.95)
    body = shaded(cloth, 0.8)
    parts = [
        *legs(width, depth, 0.1, 0.06, draw.wood(), inset=0.05),
        box(0, 0, 0.1, width, depth, 0.2, body),
        box(0, depth / 2 - 0.1, 0.3, width, 0.2, 0.52, cloth),
    ]
    parts += both(box(width / 2 - 0.1, 0, 0.3, 0.2, depth, 0.32, cloth))
    span = (width - 0.4) / seats
    for index in range(seats):
        x = -width / 2 + 0.2 + span * (index + 0.5)
        parts.append(box(x, -0.1, 0.3, span - 0.015, depth - 0.2, 0.14, cloth))
        parts.append(box(x, depth / 2 - 0.24, 0.46, span - 0.03, 0.1, 0.34, shaded(cloth, 1.1)))
    seat = free(width, depth, 0.44, 0.25, front=0.05, back=0.32, kind="seat")
    return model(cloth, parts, tops=[seat])


def armchair(draw: Draw) -> Model:
    """One soft seat between two arms."""
    cloth = draw.fabric(0.3)
    width, depth = draw.size(0.78, 0.88), draw.size(0.78, 0.86)
    parts = [
        *legs(width, depth, 0.12, 0.05, draw.wood(), inset=0.05),
        box(0, 0, 0.12, width, depth, 0.18, shaded(cloth, 0.8)),
        box(0, -0.09, 0.3, width - 0.34, depth - 0.18, 0.14, shaded(cloth, 1.12)),
        box(0, depth / 2 - 0.09, 0.3, width, 0.18, 0.6, cloth),
    ]
    parts += both(box(width / 2 - 0.085, -0.09, 0.3, 0.17, depth - 0.18, 0.3, cloth))
    seat = free(width, depth, 0.44, 0.22, front=0.06, back=0.24, kind="seat")
    return model(cloth, parts, tops=[seat])


def chair(draw: Draw) -> Model:
    """A dining chair with a slatted back."""
    wood = draw.wood()
    seat = draw.fabric(0.4) if draw.chance(0.5) else shaded(wood, 0.85)
    width, high = draw.size(0.42, 0.46), draw.size(0.88, 0.98)
    parts = [
        *legs(width, width, 0.43, 0.04, wood),
        box(0, 0, 0.43, width, width, 0.04, seat),
        box(0, width / 2 - 0.015, high - 0.1, width, 0.03, 0.1, wood),
    ]
    parts += both(box(width / 2 - 0.02, width / 2 - 0.02, 0.47, 0.04, 0.04, high - 0.57, wood))
    parts += [
        box(x, width / 2 - 0.015, 0.47, 0.025, 0.02, high - 0.57, wood) for x in (-0.09, 0, 0.09)
    ]
    return model(wood, parts)


def office_chair(draw: Draw) -> Model:
    """A swivel chair on a star of five feet."""
    cloth, black = draw.fabric(), paint("black", "plastic")
    parts = [
        can(0, 0, 0.08, 0.03, 0.36, draw.metal()),
        box(0, 0, 0.44, 0.48, 0.46, 0.08, cloth),
        box(0, 0.25, 0.62, 0.42, 0.07, draw.size(0.42, 0.55), cloth),
        box(0, 0.25, 0.44, 0.08, 0.04, 0.3, black),
    ]
    for x, y in ((0, 0.27), (0.257, 0.083), (0.159, -0.218), (-0.159, -0.218), (-0.257, 0.083)):
        parts.append(rod((0, 0, 0.09), (x, y, 0.06), 0.02, black))
        parts.append(egg(x, y, 0, 0.06, 0.06, 0.06, black))
    parts += both(
        box(0.26, 0.02, 0.64, 0.05, 0.28, 0.03, black),
        box(0.26, 0.08, 0.46, 0.03, 0.05, 0.18, black),
    )
    return model(cloth, parts)


def stool(draw: Draw) -> Model:
    """A round seat on four splayed legs."""
    wood, high = draw.wood(), draw.size(0.45, 0.62)
    parts = [can(0, 0, high - 0.05, 0.17, 0.05, draw.bright("wood") if draw.chance(0.5) else wood)]
    for x in (-1, 1):
        parts += [
            rod((x * 0.09, y * 0.09, high - 0.05), (x * 0.15, y * 0.15, 0.01), 0.018, wood)
            for y in (-1, 1)
        ]
    return model(parts[0].paint, parts)


def bench(draw: Draw) -> Model:
    """A long plain seat without a back."""
    wood, width = draw.wood(), draw.size(1.0, 1.3)
    parts = [
        box(0, 0, 0.41, width, 0.36, 0.05, wood),
        box(0, 0, 0.16, width - 0.2, 0.05, 0.06, wood),
    ]
    parts += both(box(width / 2 - 0.1, 0, 0, 0.06, 0.32, 0.41, shaded(wood, 0.85)))
    seat = free(width, 0.4, 0.46, 0.05, kind="seat")
    return model(wood, parts, tops=[seat])


def bed(draw: Draw) -> Model:
    """A single or double bed: headboard, mattress and a cover over it; pillows come apart."""
    wood, cover, white = draw.wood(), draw.fabric(0.5), paint("white", "fabric")
    width, length = (1.5, 2.05) if draw.chance(0.6) else (1.0, 2.05)
    parts = [
        *legs(width, length, 0.14, 0.08, wood),
        box(0, 0, 0.14, width, length, 0.16, wood),
        box(0, length / 2 - 0.03, 0.14, width, 0.06, draw.size(0.75, 0.95), wood),
        box(0, -0.03, 0.3, width - 0.06, length - 0.1, 0.2, white),
        box(0, -0.325, 0.32, width - 0.02, length - 0.67, 0.21, cover),
    ]
    spread = free(width, length, 0.53, 0.15, back=0.75, clear=1.2, kind="seat")
    head = free(width, length, 0.5, 0.05, front=length - 0.62, back=0.09, clear=1.2, kind="head")
    return model(cover, parts, tops=[spread, head])
