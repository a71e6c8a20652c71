"""Infers which thing carries which, and where an agent can start, from where things are."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from worldquiz_scenes.arrays import np
from worldquiz_scenes.errors import SceneError
from worldquiz_scenes.geometry import Extent, extent_of
from worldquiz_scenes.importing.floorplan import House
from worldquiz_scenes.importing.limits import refused
from worldquiz_scenes.locomotion import Ground, StepGraph, wrapped
from worldquiz_scenes.scene import CEILING, FLOOR, WALL, Scene, Thing, below

NEAR, LOOSE = 0.03, 0.12
"""Metres between a thing's foot and what carries it, at most; and where nothing is so near."""
AT_WALL, AT_CEILING = 0.12, 0.2
"""Metres within which what stands on nothing hangs on a wall, or from the ceiling."""


def supported(things: Sequence[Thing], home: House) -> list[Thing]:
    """Return things with their supports: another thing, else floor, wall or ceiling.

    Of things that would carry each other in a circle one stands on the floor instead.
    """
    extents = {thing.id: extent_of(thing) for thing in things}
    by_id = {
        thing.id: replace(thing, support=thing.support or _support(thing, extents, home))
        for thing in things
    }
    for id in sorted(by_id, key=lambda id: (-extents[id].low[2], id)):
        if below(id, by_id)[-1] in by_id:
            by_id[id] = replace(by_id[id], support=FLOOR)
    return [by_id[thing.id] for thing in things]


def _support(thing: Thing, extents: dict[str, Extent], home: House) -> str:
    low, high = extents[thing.id]
    if low[2] <= NEAR:
        return FLOOR
    x, y = (low[0] + high[0]) / 2, (low[1] + high[1]) / 2
    carriers = [  # by how far the foot is from their top; a thing on a shelf is in the shelf's box
        (abs(low[2] - other.high[2]), name, low[2] <= other.high[2] + NEAR)
        for name, other in extents.items()
        if name != thing.id
        and other.low[0] < x < other.high[0]
        and other.low[1] < y < other.high[1]
        and other.low[2] + NEAR < low[2] <= other.high[2] + LOOSE
    ]
    if near := [each for each in carriers if each[2]]:
        return min(near)[1]
    room = next(room for room in home.rooms if room.name == thing.room)
    gaps = (gap for k in (0, 1) for gap in (low[k] - room.low[k], room.high[k] - high[k]))
    if min(map(abs, gaps)) <= AT_WALL:
        return WALL
    if carriers:
        return min(carriers)[1]
    hangs = home.height - high[2] <= AT_CEILING or low[2] > 1.5
    return CEILING if hangs else FLOOR


def start(
    scene: Scene, wanted: tuple[float, float, float] | None, file: Path
) -> tuple[float, float, float]:
    """Return where an agent begins: where the file says, else in the fullest room, in its middle.

    Raises `FileError` where no spot is free for an agent.
    """
    ground = Ground(scene)
    try:
        spots = StepGraph(ground, widest=True).points
    except SceneError as error:
        raise refused(
            file, "", "leaves no free floor for an agent to stand on",
            "take some furniture out, or check its unit (--unit)",
        ) from error  # fmt: skip
    if wanted is not None:
        far = np.hypot(*(spots - wanted[:2]).T)
        x, y = spots[int(far.argmin())].tolist()
        if far.min() <= 1.5:
            return (round(x, 4), round(y, 4), round(wrapped(wanted[2]), 6))
    room = scene.room[max(scene.room, key=Counter(each.room for each in scene.things).__getitem__)]
    within = ((spots >= room.low) & (spots <= room.high)).all(axis=1)
    clear = np.minimum(ground.clearance(spots), 1.0) + within
    x, y = spots[int(np.argmax(clear))].tolist()
    ways = [wrapped(eighth * math.pi / 4) for eighth in range(8)]
    ahead = max(ways, key=lambda way: round(ground.reach(x, y, way, 20.0)[0], 3))
    return (round(x, 4), round(y, 4), round(ahead, 6))
