"""Points, boxes and cameras in space: plain functions of a scene's values.

Metres. A camera's frame has x to the right, y down and z ahead.
"""

from __future__ import annotations

from itertools import product

from worldquiz.scenes.scene import Quat, Thing, Vec
from worldquiz.scenes.view import Camera


def rotated(turn: Quat, point: Vec) -> Vec:
    """Return a point turned about the origin."""
    w, *axis = turn
    x, y, z = axis
    px, py, pz = point
    tx, ty, tz = 2 * (y * pz - z * py), 2 * (z * px - x * pz), 2 * (x * py - y * px)
    return (
        px + w * tx + y * tz - z * ty,
        py + w * ty + z * tx - x * tz,
        pz + w * tz + x * ty - y * tx,
    )


def corners(thing: Thing) -> tuple[Vec, ...]:
    """Return the eight corners of a thing's box, in the scene."""
    signs = product((-1, 1), repeat=3)
    return tuple(
        added(thing.position, rotated(thing.rotation, _times(thing.half, sign))) for sign in signs
    )


def bounds(thing: Thing) -> tuple[Vec, Vec]:
    """Return the lowest and the highest corner of the upright box around a thing."""
    return spans(corners(thing))


def spans(points: tuple[Vec, ...]) -> tuple[Vec, Vec]:
    """Return the lowest and the highest corner of the upright box around points."""
    axes = list(zip(*points, strict=True))
    low, high = tuple(map(min, axes)), tuple(map(max, axes))
    return (low[0], low[1], low[2]), (high[0], high[1], high[2])


def in_frame(camera: Camera, point: Vec) -> Vec:
    """Return a point of the scene in a camera's frame."""
    way = (point[0] - camera.at[0], point[1] - camera.at[1], point[2] - camera.at[2])
    right = cross(camera.forward, camera.up)
    return dot(way, right), -dot(way, camera.up), dot(way, camera.forward)


def box3(camera: Camera, thing: Thing) -> tuple[Vec, Vec]:
    """Return a thing's box in a camera's frame: its middle, and its full lengths along the axes."""
    low, high = spans(tuple(in_frame(camera, corner) for corner in corners(thing)))
    middle = ((low[0] + high[0]) / 2, (low[1] + high[1]) / 2, (low[2] + high[2]) / 2)
    return middle, (high[0] - low[0], high[1] - low[1], high[2] - low[2])


def dot(a: Vec, b: Vec) -> float:
    """Return the inner product."""
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]


def cross(a: Vec, b: Vec) -> Vec:
    """Return the vector product."""
    return (
        a[1] * b[2] - a[2] * b[1],
        a[2] * b[0] - a[0] * b[2],
        a[0] * b[1] - a[1] * b[0],
    )


def added(a: Vec, b: Vec) -> Vec:
    """Return the sum."""
    return a[0] + b[0], a[1] + b[1], a[2] + b[2]


def _times(a: Vec, b: tuple[int, ...]) -> Vec:
    return a[0] * b[0], a[1] * b[1], a[2] * b[2]
