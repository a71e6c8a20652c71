"""Infers which thing carries which, and where an agent can start, from where things are."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from worldquiz_scenes import geometry
from worldquiz_scenes.arrays import Floats, later, np
from worldquiz_scenes.cameras import matrix
from worldquiz_scenes.importing.floorplan_rooms import House
from worldquiz_scenes.importing.limits import refused
from worldquiz_scenes.locomotion import Ground, wrapped
from worldquiz_scenes.meshes import MeshForm
from worldquiz_scenes.scene import CEILING, FLOOR, WALL, Door, Room, Scene, Thing, below

sparse, csgraph, spatial = (
    later(f"scipy.{name}") for name in ("sparse", "sparse.csgraph", "spatial")
)

NEAR, LOOSE = 0.03, 0.12
"""Metres between a thing's foot and what carries it, at most; and where nothing is so near."""
REST = 0.03
"""Metres that a thing's box may end above the box of what carries it."""
AT_WALL, AT_CEILING = 0.12, 0.2
"""Metres within which what stands on nothing hangs on a wall, or from the ceiling."""
CELL, SPARE = 0.1, 0.03
"""Metres between the spots that a start is sought among, and of room to spare around one."""


def supported(things: Sequence[Thing], forms: dict[str, MeshForm], home: House) -> list[Thing]:
    """Return things with their supports: another thing, else floor, wall or ceiling."""
    extents = {thing.id: geometry.extent_of(thing) for thing in things}
    found = []
    for thing in things:
        support = thing.support or _support(thing, things, extents, forms, home)
        found.append(replace(thing, support=support))
    return _straight(found, extents)


def _support(
    thing: Thing, things: Sequence[Thing], extents: dict[str, geometry.Extent],
    forms: dict[str, MeshForm], home: House,
) -> str:  # fmt: skip
    low, high = extents[thing.id]
    if low[2] <= NEAR:
        return FLOOR
    below = [
        other
        for other in things
        if other.id != thing.id and _over(extents[thing.id], extents[other.id])
    ]
    if carrier := _carrier(thing, below, extents, forms, NEAR):
        return carrier
    room = next(room for room in home.rooms if room.name == thing.room)
    to_wall = min(
        *(abs(low[k] - room.low[k]) for k in (0, 1)), *(abs(room.high[k] - high[k]) for k in (0, 1))
    )
    if to_wall <= AT_WALL:
        return WALL
    if carrier := _carrier(thing, below, extents, forms, LOOSE):
        return carrier
    hangs = home.height - high[2] <= AT_CEILING or low[2] > 1.5
    return CEILING if hangs else FLOOR


def _carrier(
    thing: Thing, below: Sequence[Thing], extents: dict[str, geometry.Extent],
    forms: dict[str, MeshForm], reach: float,
) -> str | None:  # fmt: skip
    """Return what lies under most of a thing's foot, within so many metres."""
    ranked = []
    for other in below:
        touched, gap = _touching(thing, other, extents, forms, reach)
        if touched:
            ranked.append((-touched, gap, other.id))
    return min(ranked)[2] if ranked else None


def _over(upper: geometry.Extent, lower: geometry.Extent) -> bool:
    """Tell whether one box may stand on another: above its foot, over it, and within reach."""
    return (
        all(upper.low[k] < lower.high[k] and upper.high[k] > lower.low[k] for k in (0, 1))
        and upper.low[2] > lower.low[2] + NEAR
        and upper.low[2] <= lower.high[2] + REST
        and upper.high[2] > lower.low[2]
    )


def _touching(
    thing: Thing, other: Thing, extents: dict[str, geometry.Extent], forms: dict[str, MeshForm],
    reach: float,
) -> tuple[int, float]:  # fmt: skip
    """Return under how many of nine spots of a thing's foot another's surface lies, how near."""
    low, high = extents[thing.id]
    shares = (0.2, 0.5, 0.8)
    spots = np.array(
        [
            (low[0] + a * (high[0] - low[0]), low[1] + b * (high[1] - low[1]))
            for a in shares
            for b in shares
        ]
    )
    tops = _surface(other, spots, low[2] + NEAR, forms)
    gaps = np.abs(low[2] - tops)
    touched = gaps <= reach
    return int(touched.sum()), round(float(gaps[touched].mean()), 6) if touched.any() else 0.0


def _surface(thing: Thing, spots: Floats, below: float, forms: dict[str, MeshForm]) -> Floats:
    """Return how high a thing's surface is at spots (n x 2), at most `below`; -inf for none."""
    best = np.full(len(spots), -np.inf)
    turn, middle = matrix(thing.rotation), np.array(thing.position)
    for part in thing.parts:
        if part.mesh is not None:
            form = forms[part.mesh]
            points = (form.fitted(part) + part.at) @ turn.T + middle
            best = np.maximum(best, _highest(points, form.faces, spots, below))
    return best


def _highest(points: Floats, faces: Any, spots: Floats, below: float) -> Floats:
    """Return the highest of triangles over each spot that is not above `below`."""
    a, b, c = (points[np.asarray(faces)[:, k]] for k in range(3))
    best = np.full(len(spots), -np.inf)
    low, high = np.minimum(np.minimum(a, b), c), np.maximum(np.maximum(a, b), c)
    for at, (x, y) in enumerate(spots):
        near = np.flatnonzero(
            (low[:, 0] <= x) & (high[:, 0] >= x) & (low[:, 1] <= y) & (high[:, 1] >= y)
            & (low[:, 2] <= below)
        )  # fmt: skip
        if not len(near):
            continue
        p, q, r = a[near], b[near], c[near]
        det = (q[:, 1] - r[:, 1]) * (p[:, 0] - r[:, 0]) + (r[:, 0] - q[:, 0]) * (p[:, 1] - r[:, 1])
        flat = np.abs(det) > 1e-12
        safe = np.where(flat, det, 1.0)
        u = ((q[:, 1] - r[:, 1]) * (x - r[:, 0]) + (r[:, 0] - q[:, 0]) * (y - r[:, 1])) / safe
        v = ((r[:, 1] - p[:, 1]) * (x - r[:, 0]) + (p[:, 0] - r[:, 0]) * (y - r[:, 1])) / safe
        z = u * p[:, 2] + v * q[:, 2] + (1 - u - v) * r[:, 2]
        hit = flat & (u >= -1e-9) & (v >= -1e-9) & (u + v <= 1 + 1e-9) & (z <= below)
        if hit.any():
            best[at] = z[hit].max()
    return best


def _straight(things: list[Thing], extents: dict[str, geometry.Extent]) -> list[Thing]:
    """Return things without circles of support: one of each circle stands on the floor instead."""
    by_id = {thing.id: thing for thing in things}
    for id in sorted(by_id, key=lambda id: (-extents[id].low[2], id)):
        if below(id, by_id)[-1] in by_id:
            by_id[id] = replace(by_id[id], support=FLOOR)
    return [by_id[thing.id] for thing in things]


def start(
    scene: Scene, wanted: tuple[float, float, float] | None, file: Path
) -> tuple[float, float, float]:
    """Return where an agent begins: where the file says, else in the middle of the widest floor.

    Raises `FileError` where no spot is free for an agent.
    """
    ground = Ground(scene)
    spots = np.concatenate([*map(_spots, scene.rooms), *(_threshold(door) for door in scene.doors)])
    clear = ground.clearance(spots) if ground.scene.things else np.full(len(spots), 1.0)
    free = clear >= ground.radius + SPARE
    if not free.any():
        raise refused(
            file, "", "leaves no free floor for an agent to stand on",
            "take some furniture out, or check its unit (--unit)",
        )  # fmt: skip
    largest = _largest(spots, free)
    if wanted is not None:
        far = np.hypot(*(spots[largest] - np.array(wanted[:2])).T)
        x, y = spots[largest][int(far.argmin())].tolist()
        if far.min() <= 1.5:
            return (round(x, 4), round(y, 4), round(wrapped(wanted[2]), 6))
    here = spots[largest][int(np.argmax(np.minimum(clear[largest], 1.0)))]
    x, y = here.tolist()
    return (round(x, 4), round(y, 4), _open(ground, x, y))


def _spots(room: Room) -> Floats:
    lines = [np.arange(low + CELL / 2, high, CELL)
             for low, high in zip(room.low, room.high, strict=True)]  # fmt: skip
    x, y = np.meshgrid(*lines, indexing="ij")
    return np.stack([x.ravel(), y.ravel()], axis=1)


def _threshold(door: Door) -> Floats:
    """Return spots on the way through a doorway."""
    across = np.array([0.0, 1.0] if door.along == "x" else [1.0, 0.0])
    spots: Floats = np.array(door.at) + np.arange(-4, 5)[:, None] * CELL * across
    return spots


def _largest(spots: Floats, free: Any) -> Any:
    """Return the indices of the free spots in the largest piece that hangs together."""
    open_ = np.flatnonzero(np.asarray(free))
    pairs = spatial.cKDTree(spots[open_]).query_pairs(2.3 * CELL, output_type="ndarray")
    size = len(open_)
    graph = sparse.coo_matrix((np.ones(len(pairs)), (pairs[:, 0], pairs[:, 1])), (size, size))
    _, labels = csgraph.connected_components(graph, directed=False)
    return open_[labels == np.bincount(labels).argmax()]


def _open(ground: Ground, x: float, y: float) -> float:
    """Return the heading of eight in which one can walk furthest."""
    best, heading = -1.0, 0.0
    for eighth in range(8):
        way = wrapped(eighth * math.pi / 4)
        far = ground.reach(x, y, way, 20.0)[0]
        if far > best + 1e-3:
            best, heading = far, way
    return round(heading, 6)
