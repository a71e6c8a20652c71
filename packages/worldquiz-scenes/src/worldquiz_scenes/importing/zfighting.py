"""Separates surfaces that share a plane, so that each pixel belongs to one thing (no z-fighting).

Files put pictures exactly on walls, rugs exactly on floors, and pieces of furniture into each
other with their fronts in line. Flat things are moved `OFF` metres away from what they lie on; of
two that stand in each other with sides in one plane, the later one is made a little smaller.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from worldquiz_scenes.geometry import Extent, depth, extent, extent_of, solid_of
from worldquiz_scenes.scene import Part, Room, Thing

OFF = 0.003
"""Metres between a flat thing and the wall or floor that it lies on."""
FLAT = 0.003
"""Metres that a flat thing is thick at most."""
BEYOND = 0.06
"""Metres that a flat thing may lie in a wall and still be meant to hang on it."""
IN_LINE, DEEP = 0.0015, 0.001
"""Metres within which two sides are in one plane; metres of overlap that are no mere touch."""
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


def apart(things: Sequence[Thing]) -> tuple[list[Thing], list[str]]:
    """Return things without overlapping sides in one plane, and notes on those that changed."""
    solids = [solid_of(thing) for thing in things]
    extents = [extent(each) for each in solids]
    level = [0] * len(things)
    notes = []
    for two, thing in enumerate(things):
        taken = {
            level[one]
            for one in range(two)
            if _in_line(extents[one], extents[two]) and depth(solids[one], solids[two]) > DEEP
        }
        while level[two] in taken:
            level[two] += 1
        if level[two] and _shrinks(thing):
            notes.append(f"a {thing.label!r} that stands in another thing was made smaller by "
                         f"{2 * STEP * level[two] * 1000:.0f} mm")  # fmt: skip
    return [_smaller(thing, STEP * each) for thing, each in zip(things, level, strict=True)], notes


def _in_line(one: Extent, two: Extent) -> bool:
    """Tell whether two upright boxes overlap and have a side other than their feet in one plane."""
    if any(one.low[k] >= two.high[k] or two.low[k] >= one.high[k] for k in range(3)):
        return False
    return any(
        abs(a - b) < IN_LINE
        for k in range(3)
        for a, b in ((one.low[k], two.low[k]), (one.high[k], two.high[k]))
        if not (k == 2 and a is one.low[2])
    )


def _shrinks(thing: Thing) -> bool:
    """Tell whether a thing is large enough to be made smaller."""
    return all(half > 10 * STEP for half in thing.half)


def _smaller(thing: Thing, by: float) -> Thing:
    """Return a thing whose box is `by` metres further in at each side but its foot."""
    if not by or not _shrinks(thing):
        return thing
    share = [(half - by) / half for half in thing.half]

    def less(values: tuple[float, float, float]) -> tuple[float, float, float]:
        a, b, c = (round(value * part, 6) for value, part in zip(values, share, strict=True))
        return (a, b, c)

    parts: list[Part] = [
        replace(part, at=less(part.at), size=less(part.size)) for part in thing.parts
    ]
    x, y, z = thing.position
    return replace(
        thing, half=less(thing.half), parts=tuple(parts), position=(x, y, round(z - by, 6))
    )
