"""Separates surfaces that share a plane, so that each pixel belongs to one thing (no z-fighting).

Files put pictures exactly on walls, rugs exactly on floors, and pieces of furniture into each
other with their fronts in line. Flat things are moved `OFF` metres away from what they lie on; of
two that stand in each other the later one is made a little smaller.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from worldquiz_scenes.geometry import depth, extent_of, rounded, solid_of
from worldquiz_scenes.scene import Room, Thing, Vec

OFF = 0.003
"""Metres between a flat thing and the wall or floor that it lies on."""
FLAT = 0.003
"""Metres that a flat thing is thick at most."""
BEYOND = 0.06
"""Metres that a flat thing may lie in a wall and still be meant to hang on it."""
DEEP = 0.001
"""Metres of overlap that are no mere touch."""
STEP = 0.002
"""Metres that each side of the smaller one moves in."""


def lifted(thing: Thing, room: Room) -> Thing:
    """Return a thing a little away from the floor or wall that it would share a surface with."""
    low, high = extent_of(thing)
    shift = [0.0, 0.0, OFF - high[2] if high[2] < OFF else 0.0]
    for k in (0, 1):
        if high[k] - low[k] > FLAT:
            continue
        if -BEYOND < low[k] - room.low[k] < OFF:
            shift[k] = room.low[k] + OFF - low[k]
        elif -BEYOND < room.high[k] - high[k] < OFF:
            shift[k] = room.high[k] - OFF - high[k]
    if not any(shift):
        return thing
    x, y, z = (round(at + by, 6) for at, by in zip(thing.position, shift, strict=True))
    return replace(thing, position=(x, y, z))


def apart(things: Sequence[Thing]) -> list[Thing]:
    """Return things, those smaller that stand in earlier ones: no two of them share a plane."""
    solids = [solid_of(thing) for thing in things]
    level = [0] * len(things)
    for two in range(len(things)):
        taken = {level[one] for one in range(two) if depth(solids[one], solids[two]) > DEEP}
        while level[two] in taken:
            level[two] += 1
    return [_smaller(thing, STEP * each) for thing, each in zip(things, level, strict=True)]


def _smaller(thing: Thing, by: float) -> Thing:
    """Return a thing whose box is `by` metres further in at each side but its foot."""
    if not by or min(thing.half) <= 10 * STEP:
        return thing
    share = [(half - by) / half for half in thing.half]

    def less(values: Vec) -> Vec:
        return rounded(value * part for value, part in zip(values, share, strict=True))

    parts = tuple(replace(part, at=less(part.at), size=less(part.size)) for part in thing.parts)
    x, y, z = thing.position
    return replace(thing, half=less(thing.half), parts=parts, position=(x, y, round(z - by, 6)))
