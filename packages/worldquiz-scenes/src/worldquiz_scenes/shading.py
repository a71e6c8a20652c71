"""Ambient occlusion, daylight and exposure: changes to a picture after OpenGL has drawn it.

Corners, and spots where things stand, get less of the light that comes from all sides. The loss is
computed from the depths around a pixel alone (screen-space ambient occlusion, at several scales:
Hoang and Low, "Efficient screen-space approach to high-quality multiscale ambient occlusion", The
Visual Computer 28, 2012), so it works for imported scenes, too.

Windows give daylight: each lights the surfaces of its room that face it, like a lamp of its size.
The light falls with the square of the distance.

Windows show sky over hills, woods or the roofs of a town, so far away that only the direction of
view counts: all windows of an apartment, and mirrors that show them, show the same landscape. No
task can ask about it.

Exposure keeps brightness up to `KNEE`, and compresses what is above so that none of it reaches
white. No change depends on, or alters, which thing a pixel shows.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from itertools import pairwise

from worldquiz_scenes.arrays import Depths, Floats, Ints, Mask, Picture, Singles, marked, np
from worldquiz_scenes.cameras import Crop, focal, frame, matrix, spot
from worldquiz_scenes.rng import child
from worldquiz_scenes.scene import Scene, Vec
from worldquiz_scenes.view import Camera

WINDOW = "window"  # the label of things that give daylight
DIM = 0.6  # factor that dims lamps, so that OpenGL does not clip bright parts
GAIN = 1.04  # factor that brightens a drawn picture, before exposure
AROUND = 1.1  # factor on even light, which occlusion then reduces
KNEE = 0.7  # brightness (1 is white) up to which exposure changes nothing
REACH = 0.7  # most metres at which a surface takes light from another
RING = ((2, 0), (1, 2), (0, 2), (-1, 2))  # rows and columns to compared neighbours
LEAST = 12  # pixels of the shorter side of the coarsest compared picture
NARROW = 8  # pixels of a side below which a sliver of a mirror is not shaded
BIAS = 0.1  # sine below which a neighbour counts as a surface's own roughness
ALIKE = 0.03  # relative difference in depth at which a neighbour counts half in smoothing
STRENGTH = 1.35  # how strongly occlusion shows
BOUNCE = 0.6  # share of a surface's brightness that counts as its albedo
THIN, FAINT = ((0, 1), (0, 2), (1, 0), (2, 0)), 10
"""Rows and columns from a dash to its neighbours; levels by which it is darker."""
LEVELS = 256  # steps of light that exposure distinguishes, up to the light as drawn
MOST = 2  # largest factor by which daylight brightens
DAY = 2.0  # light of a window relative to a lamp
FRAME = 0.07  # metres before a pane of its frame and sill, which get none of its light
SPILL = 0.3  # metres beyond its room at which a window's light ends


@dataclass(frozen=True, slots=True)
class Daylight:
    """A window as a source of light, and the room that it lights."""

    at: Vec
    normal: Vec  # of its pane; either side may face into the room
    area: float  # square metres
    low: Vec
    high: Vec


def daylights(scene: Scene) -> tuple[Daylight, ...]:
    """Return the windows of a scene as sources of light."""
    return tuple(
        Daylight(
            thing.position,
            spot(matrix(thing.rotation)[:, 1]),
            4 * thing.half[0] * thing.half[2],
            (*scene.room[thing.room].low, 0.0),
            (*scene.room[thing.room].high, scene.height),
        )
        for thing in scene.things
        if thing.label == WINDOW and thing.room in scene.room
    )


def developed(
    picture: Picture, depth: Depths, crop: Crop, windows: Sequence[Daylight] = ()
) -> Picture:
    """Return a picture, drawn with dimmed lamps, with occlusion, daylight and exposure applied.

    `depth` (m, 0 for nothing) belongs to the same crop of the camera's picture.
    """
    level = np.rint(np.minimum(light(depth, crop, windows), MOST) * LEVELS).astype(np.int32)
    brightest = np.maximum(np.maximum(picture[..., 0], picture[..., 1]), picture[..., 2])
    gain = np.take(_gains(), level * 256 + brightest)
    result: Picture = (picture * gain[..., None] + np.float32(0.5)).astype(np.uint8)
    return result


def cleaned(picture: Picture, owners: Ints, even: Mask) -> Picture:
    """Return a picture without dark dashes, which coarse shadows leave along edges.

    A dash is a thin line that is darker than both its sides, all within one part of an even colour.
    `even` is a mask of the geometry with an even colour, and a last entry for nothing.
    """
    light, result, (high, wide) = picture[..., 1].astype(np.int16), picture.copy(), owners.shape
    for down, across in THIN:
        if high <= 2 * down or wide <= 2 * across:  # a mirror seen at its edge is a few pixels
            continue
        one, two = (
            (slice(high - 2 * down), slice(wide - 2 * across)),
            (slice(2 * down, None), slice(2 * across, None)),
        )
        middle = light[down : high - down, across : wide - across]
        y, x = marked(np.minimum(light[one], light[two]) - middle > FAINT)
        whose = owners[y + down, x + across]
        same = (owners[one][y, x] == whose) & (owners[two][y, x] == whose) & even[whose]
        y, x = y[same], x[same]
        least = np.minimum(picture[one][y, x], picture[two][y, x])
        result[y + down, x + across] = np.maximum(result[y + down, x + across], least)
    return result


def exposed(brightness: Floats) -> Floats:
    """Return brightness after exposure: the same up to `KNEE`, then rising more slowly."""
    above = np.maximum(brightness - KNEE, 0.0)
    return np.minimum(brightness, KNEE) - (1 - KNEE) * np.expm1(-above / (1 - KNEE))


@cache
def _gains() -> Singles:
    """Return a table of factors on colours, by light at a pixel and its brightest channel.

    The factor depends on the brightest channel, so that hues are kept. Light that bounces between
    near surfaces has their colour, so bright surfaces are darkened less (Jimenez et al., "Practical
    real-time strategies for accurate indirect occlusion", 2016).
    """
    drawn = np.arange(256) / 255
    level = np.arange(MOST * LEVELS + 1)[:, None] / LEVELS
    lit = GAIN * drawn / DIM
    albedo, held = BOUNCE * np.minimum(lit, 1.0), np.minimum(level, 1.0)
    a, b, c = 2.0404 * albedo - 0.3324, -4.7951 * albedo + 0.6417, 2.7552 * albedo + 0.6903
    bounced = np.maximum(held, ((held * a + b) * held + c) * held)
    shown = exposed(lit * np.where(level > 1, level, bounced))
    return np.where(drawn > 0, shown / np.maximum(drawn, 1e-9), 0).astype("f4").ravel()


def light(depth: Depths, crop: Crop, windows: Sequence[Daylight] = ()) -> Singles:
    """Return the factor on each pixel's light: below 1 in corners, above 1 in daylight."""
    camera, (x0, y0, _, _) = crop.camera, crop.box
    high, wide = depth.shape
    if min(high, wide) < NARROW:
        return np.ones(depth.shape, np.float32)
    near = np.where(depth > 0, depth, np.float32(1e3)).astype(np.float32)
    half = near[::2, ::2]
    columns = ((np.arange(0, wide, 2) + x0 + 0.5 - camera.width / 2) / focal(camera)).astype("f4")
    rows = ((np.arange(0, high, 2) + y0 + 0.5 - camera.height / 2) / focal(camera)).astype("f4")
    places = np.stack([columns * half, rows[:, None] * half, half])
    # in pixels, 1 / depth of a plane is linear
    inverse = np.float32(1) / half
    across = _slope(inverse, 1) / (columns[1] - columns[0])
    below = _slope(inverse, 0) / (rows[1] - rows[0])
    normals = np.stack([across, below, inverse - columns * across - rows[:, None] * below])
    normals /= -np.sqrt((normals**2).sum(axis=0)) - np.float32(1e-12)  # towards the camera
    share = _openness(places, normals)
    for each in windows:
        share *= 1 + _given(each, camera, places, normals)
    return _lifted(share, half, near)


def _openness(places: Singles, normals: Singles) -> Singles:
    """Return the share of the light from all sides that reaches each pixel, 0..1."""
    steps = [(places, normals)]
    while min(steps[-1][0].shape[1:]) >= 2 * LEAST:
        places, normals = steps[-1]
        steps.append((places[:, ::2, ::2], normals[:, ::2, ::2]))
    places, normals = steps[-1]
    most = total = _smooth(_occluded(places, normals), places[2])
    for (places, normals), (coarse, _) in reversed(list(pairwise(steps))):
        here = _smooth(_occluded(places, normals), places[2])
        most = np.maximum(_lifted(most, coarse[2], places[2]), here)
        total = _lifted(total, coarse[2], places[2]) + here
    open_ = (1 - STRENGTH * most) * (1 - STRENGTH * total / len(steps))
    return np.clip(open_, 0, 1)


def _given(source: Daylight, camera: Camera, places: Singles, normals: Singles) -> Singles:
    """Return the light that a window adds to each pixel, as a share of the lamps' light."""
    axes = frame(camera)
    turn = np.stack([axes.right, axes.down, axes.ahead]).astype("f4")[..., None, None]
    low, high, at = (
        (np.array(each) - axes.at).astype("f4")[:, None, None]
        for each in (source.low, source.high, source.at)
    )
    # a product of matrices would depend on the number of threads in its last digit
    world = turn[0] * places[0] + turn[1] * places[1] + turn[2] * places[2]
    beyond = np.maximum(low - world, world - high).max(axis=0)
    within: Singles = np.clip(1 - beyond / np.float32(SPILL), 0, 1)
    if not within.any():
        return within
    way = (turn * at).sum(axis=1) - places
    ahead = (turn * np.array(source.normal, "f4")[:, None, None]).sum(axis=1)
    square = (way**2).sum(axis=0)
    faced = np.maximum((way * normals).sum(axis=0), 0)
    leaving = np.maximum(np.abs((ahead * way).sum(axis=0)) - np.float32(FRAME), 0)
    spread = square * (np.float32(np.pi) * square + np.float32(source.area))
    result: Singles = np.float32(DAY * source.area) * within * faced * leaving / spread
    return result


def _slope(values: Singles, axis: int) -> Singles:
    """Return each value's difference from a neighbour along an axis, the smaller one of two."""
    step = np.diff(values, axis=axis)
    first, last = np.take(step, [0], axis), np.take(step, [-1], axis)
    after, before = np.concatenate([step, last], axis), np.concatenate([first, step], axis)
    return np.where(np.abs(after) < np.abs(before), after, before)


def _occluded(places: Singles, normals: Singles) -> Singles:
    """Return how high neighbours rise above each pixel's surface: their mean sine, 0..1."""
    result = np.zeros(places.shape[1:], np.float32)
    for row, column in RING:
        one, two = (_cut(-row), _cut(-column)), (_cut(row), _cut(column))
        here, there = (slice(None), *one), (slice(None), *two)
        way = places[there] - places[here]
        square = (way**2).sum(axis=0) + np.float32(1e-9)
        weight = np.maximum(1 - square / np.float32(REACH**2), 0)
        scale = weight / np.sqrt(square)
        for side, normal, sign in ((one, normals[here], 1), (two, normals[there], -1)):
            rise = sign * (way * normal).sum(axis=0) * scale - BIAS * weight
            result[side] += np.maximum(rise, 0)
    return result / np.float32(2 * len(RING))


def _smooth(values: Singles, depth: Depths) -> Singles:
    """Return values averaged over neighbouring pixels of about the same depth."""
    for _ in range(2):
        total, weights = values.copy(), np.ones_like(values)
        alike = 1 / (1 + ((depth[1:] - depth[:-1]) / (ALIKE * depth[1:])) ** 2)
        total[1:] += alike * values[:-1]
        total[:-1] += alike * values[1:]
        weights[1:] += alike
        weights[:-1] += alike
        values, depth = (total / weights).T, depth.T
    return values


def _cut(step: int) -> slice:
    """Return a slice of the rows or columns that come `step` after another row or column."""
    return slice(step, None) if step >= 0 else slice(None, step)


def _lifted(values: Singles, coarse: Depths, fine: Depths) -> Singles:
    """Return values for all pixels, interpolated from every second one by depth."""
    return _between(_between(values, coarse, fine[:, ::2]), fine[:, ::2], fine, axis=1)


def _between(values: Singles, coarse: Depths, fine: Depths, axis: int = 0) -> Singles:
    if axis:
        return _between(values.T, coarse.T, fine.T).T
    result = np.empty(fine.shape, np.float32)
    result[::2] = values
    middle = fine[1::2]
    after = np.concatenate([np.arange(1, len(values)), [len(values) - 1]])[: len(middle)]
    first, last = values[: len(middle)], values[after]
    far = np.abs(middle - coarse[: len(middle)])
    near = np.abs(middle - coarse[after])
    share = (far + np.float32(1e-6)) / (far + near + np.float32(2e-6))
    result[1::2] = first + (last - first) * share
    return result


ZENITH, HORIZON = (0.47, 0.67, 0.92), (0.88, 0.93, 0.97)
CLOUD = (0.96, 0.96, 0.97)
Wave = tuple[int, float, float]  # periods all around, height, start (radians)
HAZE = 0.012  # tangent of the angle over which an outline fades into its background


@dataclass(frozen=True, slots=True)
class Ridge:
    """Outline of hills or roofs all around; heights are tangents of angles above the horizon."""

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
    """Return the scenery outside a scene, sampled from the scene's seed."""
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
    """Return the colours (n x 3) of the scenery in some directions (n x 3)."""
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
    # shrubs on the grass look larger from a steeper angle
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
    """Return the share, 0..1, of the background that a ridge hides."""
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
