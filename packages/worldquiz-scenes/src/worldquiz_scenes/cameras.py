"""Cameras of agents and rooms, and the geometry of their pictures.

A pixel shows the geometry that a ray through its middle hits, whether OpenGL or rays are used.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import lru_cache
from math import cos, hypot, radians, sin, tan

from worldquiz_scenes import geometry
from worldquiz_scenes.arrays import Depths, Floats, Ints, Mask, Picture, Plane, np
from worldquiz_scenes.scene import Quat, Scene, Thing, Vec
from worldquiz_scenes.view import EGO, Box, Camera

EYES = 1.5  # metres from the floor to an agent's eyes
FOVY = 60.0  # an agent's vertical field of view in degrees
PITCH = -14.0  # degrees that an agent looks up: negative, towards floors and tables
SIZE = (640, 480)  # pixels of a picture: width and height
WATCH_FOVY = 78.0  # field of view in degrees of a camera in a corner: a whole room
FEATHER = 1e-3  # metres from a mirror's frame forward to its glass
CORNER = 0.22  # metres from a corner camera to the two walls and the ceiling


@dataclass(frozen=True)
class Images:
    """One camera's images, as arrays with the top row first."""

    depth: Depths  # metres along the camera's axis; 0 where nothing is
    instances: Ints  # index of the thing seen directly, or -1
    mirror: Ints  # index of the mirror whose glass is seen, or -1
    reflected: Ints  # index of the thing seen in that mirror, or -1
    figure: Mask  # whether the agent's own figure is seen directly
    rgb: Picture | None = None  # height x width x 3; rays give none


@dataclass(frozen=True, slots=True)
class Crop:
    """Rectangle of a camera's picture, possibly beyond its edges, drawn `scale` times smaller."""

    camera: Camera
    box: Box
    scale: int = 1

    @property
    def size(self) -> tuple[int, int]:
        """Width and height in pixels."""
        x0, y0, x1, y1 = self.box
        return (x1 - x0) // self.scale, (y1 - y0) // self.scale


@dataclass(frozen=True, slots=True)
class Frame:
    """A camera's position and axes, in world coordinates."""

    at: Floats
    right: Floats
    down: Floats
    ahead: Floats


def ego(
    x: float,
    y: float,
    heading: float,
    *,
    size: tuple[int, int] = SIZE,
    pitch: float = PITCH,
    fovy: float = FOVY,
) -> Camera:
    """Return the camera of an agent that stands at x, y and looks along its heading (radians)."""
    up = radians(pitch)
    forward = (cos(heading) * cos(up), sin(heading) * cos(up), sin(up))
    upward = (-cos(heading) * sin(up), -sin(heading) * sin(up), cos(up))
    return Camera(EGO, (x, y, EYES), forward, upward, fovy, *size)


def watchers(scene: Scene, *, size: tuple[int, int] = SIZE) -> tuple[Camera, ...]:
    """Return two cameras for each room, `watch-ROOM-1` and `-2`, in upper corners.

    The cameras hang in opposite corners, unless something tall stands there.
    """
    z, cameras = scene.height - CORNER, []

    def holds(thing: Thing, point: Vec) -> bool:
        inner = (np.array(point) - thing.position) @ matrix(thing.rotation)
        return bool((np.abs(inner) <= np.array(thing.half) + CORNER / 2).all())

    def unit(vector: Vec) -> Vec:
        length = hypot(*vector)
        return (vector[0] / length, vector[1] / length, vector[2] / length)

    for room in scene.rooms:
        west, south = (edge + CORNER for edge in room.low)
        east, north = (edge - CORNER for edge in room.high)
        corners = sorted(
            [(west, south), (east, north), (east, south), (west, north)],
            key=lambda spot: any(holds(each, (*spot, z)) for each in scene.things),
        )
        for number, corner in enumerate(corners[:2], start=1):
            x, y = ((room.low[k] + room.high[k]) / 2 - corner[k] for k in (0, 1))
            far = hypot(x, y) or 1.0
            ahead = unit((x, y, (0.55 - z) * min(1.0, far / 2.4)))  # to the room's middle
            up = unit((-ahead[0] * ahead[2], -ahead[1] * ahead[2], ahead[0] ** 2 + ahead[1] ** 2))
            name = f"watch-{room.name}-{number}"
            cameras.append(Camera(name, (*corner, z), ahead, up, WATCH_FOVY, *size))
    return tuple(cameras)


def whole(camera: Camera) -> Crop:
    """Return a camera's picture as one crop."""
    return Crop(camera, (0, 0, camera.width, camera.height))


@lru_cache(maxsize=16)
def frame(camera: Camera) -> Frame:
    """Return a camera's axes."""
    ahead, up = np.array(camera.forward), np.array(camera.up)
    return Frame(np.array(camera.at), np.cross(ahead, up), -up, ahead)


def focal(camera: Camera) -> float:
    """Return a camera's focal length in pixels."""
    return camera.height / (2 * tan(radians(camera.fovy) / 2))


def into(camera: Camera, points: Floats) -> Floats:
    """Return points of the world (n x 3) in the camera's frame: right, down, ahead."""
    axes = frame(camera)
    turn = np.stack([axes.right, axes.down, axes.ahead], axis=1)
    return (np.asarray(points) - axes.at) @ turn


def rays(camera: Camera, columns: Floats, rows: Floats) -> Floats:
    """Return directions (n x 3) through the middles of pixels; each reaches one metre ahead."""
    axes, scale = frame(camera), focal(camera)
    across = (np.asarray(columns, float) + 0.5 - camera.width / 2) / scale
    below = (np.asarray(rows, float) + 0.5 - camera.height / 2) / scale
    return axes.ahead + across[:, None] * axes.right + below[:, None] * axes.down


def reflect(camera: Camera, glass: Plane) -> Camera:
    """Return a camera reflected in a mirror's plane: its picture, flipped, fills the mirror."""
    point, normal = glass
    at, ahead, up = (np.array(part) for part in (camera.at, camera.forward, camera.up))
    at = at - 2 * float(normal @ (at - point)) * normal
    ahead, up = (axis - 2 * float(normal @ axis) * normal for axis in (ahead, up))
    return replace(camera, at=spot(at), forward=spot(ahead), up=spot(up))


def matrix(rotation: Quat) -> Floats:
    """Return a rotation as a matrix, whose columns are the rotated axes."""
    return np.array(geometry.matrix(rotation))


def corners(thing: Thing) -> Floats:
    """Return the eight corners of a thing's box, in the world."""
    spread = (np.array(geometry.SIGNS) * thing.half) @ matrix(thing.rotation).T
    return np.array(thing.position) + spread


def plane(mirror: Thing) -> Plane:
    """Return a point on a mirror's glass, and the direction in which the glass faces."""
    normal = -matrix(mirror.rotation)[:, 1]
    return np.array(mirror.position) + (mirror.half[1] + FEATHER) * normal, normal


def spot(parts: Floats) -> Vec:
    """Return three numbers as a tuple."""
    x, y, z = parts.tolist()
    return (x, y, z)
