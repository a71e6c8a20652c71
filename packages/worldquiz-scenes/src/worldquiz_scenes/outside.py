"""Scenery outside an apartment's windows: sky over hills, woods or the roofs of a town, far away.

It is so far away that only the direction of a look counts, so all windows of an apartment, and
mirrors that show them, look out on one and the same place. It is blurred by haze and shows nothing
that a task could ask about: no house with windows, no single tree, no pattern.
"""

from __future__ import annotations

from dataclasses import dataclass

from worldquiz_scenes.arrays import Floats, Picture, np
from worldquiz_scenes.rng import child

ZENITH, HORIZON = (0.47, 0.67, 0.92), (0.88, 0.93, 0.97)
CLOUD = (0.96, 0.96, 0.97)
Wave = tuple[int, float, float]  # how often it comes all around, its height, its start (radians)
HAZE = 0.012  # tangent of the angle over which an outline fades into what is behind it


@dataclass(frozen=True, slots=True)
class Ridge:
    """An outline against the sky, all around: tangents of angles above the horizon."""

    base: float
    waves: tuple[Wave, ...]
    colour: tuple[float, float, float]
    steps: int = 0  # pieces of even height all around; 0 for a smooth outline


@dataclass(frozen=True, slots=True)
class Outside:
    """Scenery: outlines from far to near, the ground, and the plants on it."""

    ridges: tuple[Ridge, ...]
    near: Ridge  # crowns of trees below the windows
    ground: tuple[float, float, float]
    clouds: tuple[Wave, ...]
    shrubs: tuple[Wave, ...]


HILLS, WOODS, ROOFS = (0.66, 0.76, 0.82), (0.46, 0.6, 0.42), (0.72, 0.66, 0.63)
SHRUBS, CROWNS = (0.42, 0.57, 0.34), (0.42, 0.56, 0.36)


def outside(seed: int) -> Outside:
    """Return the scenery outside a scene of some seed."""
    draw = child(seed, "outside")

    def waves(low: int, high: int, size: float) -> tuple[Wave, ...]:
        return tuple(
            (often, round(size * low / often * draw.uniform(0.5, 1), 4), draw.uniform(0, 6.28))
            for often in sorted(draw.sample(range(low, high), 6))
        )

    far = Ridge(0.07, waves(3, 17, 0.03), HILLS)
    woods = Ridge(0.02, waves(9, 61, 0.012), WOODS)
    roofs = Ridge(0.05, waves(20, 90, 0.035), ROOFS, steps=draw.randrange(130, 160))
    ridges = draw.choice([(far, woods), (far, roofs, woods), (woods,)])
    ground = draw.choice([(0.66, 0.75, 0.5), (0.72, 0.76, 0.56), (0.74, 0.74, 0.68)])
    near = Ridge(-0.3, waves(9, 40, 0.09), CROWNS)
    return Outside(ridges, near, ground, waves(2, 12, 0.5), waves(3, 24, 1.2))


def outlook(place: Outside, directions: Floats) -> Picture:
    """Return the colours that looks in some directions (n x 3) meet outside: n x 3."""
    x, y, z = directions.T
    around, rise = np.arctan2(y, x), z / np.maximum(np.hypot(x, y), 1e-6)
    high = np.clip(rise, 0, 1.5)
    bluer = (1 - np.exp(-2.2 * high))[:, None]
    colours = np.array(HORIZON) + bluer * (np.array(ZENITH) - np.array(HORIZON))
    drift = around + 0.8 * high
    heaped = _sum(place.clouds, drift) * np.cos(5 * rise + 2 * np.sin(3 * drift))
    colours = colours + np.clip(0.9 * heaped, 0, 0.8)[:, None] * (np.array(CLOUD) - colours)
    for ridge in place.ridges:
        colours += _covered(ridge, around, rise) * (np.array(ridge.colour) - colours)
    # shrubs on the grass look the larger the steeper one looks down on them
    far = np.log(np.maximum(-rise, 1e-3))
    grown = _sum(place.shrubs, around + 0.5 * far) * np.cos(3 * far + 2 * np.sin(7 * around))
    thick = np.clip(0.4 + 1.5 * grown, 0, 1)[:, None]
    grass = np.array(place.ground)
    ground = grass + 0.6 * thick * (np.array(SHRUBS) - grass)
    colours += np.clip(-rise / 0.03, 0, 1)[:, None] * (ground - colours)
    leaves = 0.4 * ground + 0.6 * np.array(place.near.colour)
    colours += _covered(place.near, around, rise) * (leaves - colours)
    result: Picture = np.rint(255 * np.clip(colours, 0, 1)).astype(np.uint8)
    return result


def _covered(ridge: Ridge, around: Floats, rise: Floats) -> Floats:
    """Return how much of what is behind a ridge it hides, 0..1."""
    if ridge.steps:
        piece = np.floor(around / (2 * np.pi) * ridge.steps)
        around = (piece + 0.5) / ridge.steps * 2 * np.pi
    outline = ridge.base + _sum(ridge.waves, around)
    return np.clip((outline - rise) / HAZE + 0.5, 0, 1)[:, None]


def _sum(waves: tuple[Wave, ...], around: Floats) -> Floats:
    total: Floats = sum(
        (size * np.sin(often * around + begin) for often, size, begin in waves),
        start=np.zeros_like(around),
    )
    return total
