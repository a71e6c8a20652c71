"""Ambient occlusion and exposure: corrections of a picture after OpenGL has drawn it.

Corners, and the places where things stand, get less of the light that comes from all sides. How
much less follows from the depths around a pixel alone (screen-space ambient occlusion, at several
scales: Hoang and Low, "Efficient screen-space approach to high-quality multiscale ambient
occlusion", The Visual Computer 28, 2012), so imported scenes need nothing for it.

Windows give daylight: each lights the surfaces of its room that look towards it, as an even panel
of its size would, less with the square of the distance.

Exposure is a curve: up to `KNEE` a brightness stays as it is, and above it no brightness reaches
white. Nothing here knows what a pixel shows, and nothing here can change it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from itertools import pairwise

from worldquiz_scenes.arrays import Depths, Floats, Picture, Singles, np
from worldquiz_scenes.cameras import Crop, focal, frame, matrix, spot
from worldquiz_scenes.scene import Scene, Vec
from worldquiz_scenes.view import Camera

WINDOW = "window"  # the label of what gives daylight
DIM = 0.6  # by which lamps are dimmed, so that OpenGL cuts off nothing bright
GAIN = 1.04  # by which a picture is brighter than it was drawn, before bright parts are held back
AROUND = 1.1  # by which the even light is stronger than where something holds it back
KNEE = 0.7  # brightness (1 is white) up to which exposure changes nothing
REACH = 0.7  # metres up to which a surface takes light from another
RING = ((2, 0), (1, 2), (0, 2), (-1, 2))  # rows and columns to neighbours that are compared
LEAST = 12  # pixels of the shorter side of the coarsest picture that is compared
NARROW = 8  # pixels of a side below which a picture, a sliver of a mirror, is not shaded
BIAS = 0.1  # sine below which a neighbour is a surface's own roughness
ALIKE = 0.03  # share of its depth by which a neighbour still counts half for smoothing
STRENGTH = 1.35  # how strongly occlusion shows
BOUNCE = 0.6  # share of a surface's brightness that counts as its albedo
LEVELS = 256  # of light that exposure tells apart, up to the light as it was drawn
MOST = 2  # by which daylight brightens at most
DAY = 2.0  # light of a window beside that of a lamp
FRAME = 0.07  # metres before a pane that its frame and sill fill: they get none of its light
SPILL = 0.3  # metres beyond its room at which a window's light ends


@dataclass(frozen=True, slots=True)
class Daylight:
    """A window as a source of light, and the room that it lights."""

    at: Vec
    normal: Vec  # of its pane; either side may look into the room
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
    """Return a picture that was drawn with dimmed lamps, shaded and exposed.

    `depth` (m, 0 for nothing) is that of the same crop of the camera's picture.
    """
    level = np.rint(np.minimum(light(depth, crop, windows), MOST) * LEVELS).astype(np.int32)
    brightest = np.maximum(np.maximum(picture[..., 0], picture[..., 1]), picture[..., 2])
    gain = np.take(_gains(), level * 256 + brightest)
    result: Picture = (picture * gain[..., None] + np.float32(0.5)).astype(np.uint8)
    return result


def exposed(brightness: Floats) -> Floats:
    """Return how bright light shows: itself up to the knee, then ever less more, below 1."""
    above = np.maximum(brightness - KNEE, 0.0)
    return np.minimum(brightness, KNEE) - (1 - KNEE) * np.expm1(-above / (1 - KNEE))


@cache
def _gains() -> Singles:
    """Return what colours are multiplied by, for each level of light and brightest part (0..255).

    The brightest part decides, so that hues stay. Light that bounces between near surfaces has
    their colour: what is bright is darkened less (Jimenez et al., "Practical real-time strategies
    for accurate indirect occlusion", 2016).
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
    """Return the light at each pixel as a share of what was drawn: below 1 in corners."""
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
    """Return the light that a window gives each pixel."""
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
    """Return the smaller of the differences to the next and from the last."""
    step = np.diff(values, axis=axis)
    first, last = np.take(step, [0], axis), np.take(step, [-1], axis)
    after, before = np.concatenate([step, last], axis), np.concatenate([first, step], axis)
    return np.where(np.abs(after) < np.abs(before), after, before)


def _occluded(places: Singles, normals: Singles) -> Singles:
    """Return how far neighbours rise above each pixel's surface: the mean sine, 0..1."""
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
    """Return means of each pixel and its neighbours, as far as those are as deep."""
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
    """Return the rows or columns that are so many steps from another one."""
    return slice(step, None) if step >= 0 else slice(None, step)


def _lifted(values: Singles, coarse: Depths, fine: Depths) -> Singles:
    """Return values of every second pixel for all: those between take after the nearer in depth."""
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
