"""What rays meet: boxes, balls, cylinders, capsules, meshes, and the walls around the air.

A ray is a start and a direction; a meeting is told in lengths of the direction. A convex solid is
the common part of intervals along the ray (slabs, a tube, a ball) in a frame of its own, so a ray
enters where the last interval begins, if that is before the first one ends. Meshes are met by
trimesh and Embree: neither has a part in making tasks or pictures.

Walls, floors and ceilings are where the air ends. Rooms and doorways are boxes of air, a doorway as
deep as its wall is thick; a ray goes on from box to box as long as one opens to the next.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from worldquiz.errors import RecordError
from worldquiz.extras import later, need
from worldquiz.scenes.meshes import arrays_in
from worldquiz.trust import beneath

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Floats = NDArray[np.float64]
else:
    np = later("numpy", extra="scene")

NEAREST = 0.05
"""Lengths of its direction below which a ray from a camera meets nothing: its near plane."""
GLASS = 1e-3
"""Metres that a mirror's glass stands before its frame, to either side of the frame's front."""


@dataclass(frozen=True, eq=False)
class Triangles:
    """A mesh in its part's frame, ready to be met."""

    mesh: Any  # trimesh.Trimesh

    def meet(self, starts: Floats, rays: Floats, least: float) -> Floats:
        """Return where rays (n x 3, from one point or from n) first meet it; else infinity."""
        found = np.full(len(rays), np.inf)
        begin = np.broadcast_to(starts, rays.shape) + least * rays
        places, hit, _ = self.mesh.ray.intersects_location(begin, rays, multiple_hits=False)
        along = np.einsum("ij,ij->i", places - begin[hit], rays[hit])
        found[hit] = least + along / np.einsum("ij,ij->i", rays[hit], rays[hit])
        return found


@dataclass(frozen=True, slots=True)
class SceneBody:
    """A body of a scene."""

    owner: str  # a thing's id
    shape: str
    centre: Floats
    axes: Floats  # 3 x 3; its columns are the solid's own axes
    size: tuple[float, float, float]
    radius: float  # of a ball around it
    glass: bool = False  # whether it is the glass of a mirror
    mesh: Triangles | None = None  # of shape "mesh"


def turn(quaternion: Any) -> Floats:
    """Return a rotation (w, x, y, z) as a matrix, by its action on the axes: v' = q v q*."""
    w, *rest = quaternion
    u = np.array(rest, float)
    cross = np.array([[0, -u[2], u[1]], [u[2], 0, -u[0]], [-u[1], u[0], 0]])
    matrix: Floats = np.eye(3) * (w * w - u @ u) + 2 * np.outer(u, u) + 2 * w * cross
    return matrix


Meshes = Callable[[str, tuple[float, ...]], Triangles]
"""Returns a mesh by its name, its box stretched to some half lengths."""


def solids(thing: dict[str, Any], meshes: Meshes) -> list[SceneBody]:
    """Return what a thing of a scene's JSON consists of."""
    axes, middle = turn(thing["rotation"]), np.array(thing["position"], float)
    found = [
        solid(
            thing["id"], part["shape"], middle + axes @ np.array(part["at"]),
            axes @ turn(part["turn"]), part["size"],
            mesh=meshes(part["mesh"], tuple(part["size"])) if part["shape"] == "mesh" else None,
        )
        for part in thing["parts"]
    ]  # fmt: skip
    if thing["mirror"]:
        wide, high = thing["mirror"]
        front = middle + axes @ np.array([0.0, -thing["half"][1], 0.0])
        found.append(solid(thing["id"], "box", front, axes, (wide, GLASS, high), glass=True))
    return found


def solid(
    owner: str, shape: str, centre: Any, axes: Any, size: Any, *, glass: bool = False,
    mesh: Triangles | None = None,
) -> SceneBody:  # fmt: skip
    """Return a body with the ball around it."""
    a, b, c = (float(each) for each in size)
    radius = {
        "box": float(np.hypot(np.hypot(a, b), c)),
        "cylinder": float(np.hypot(a, b)),
        "sphere": a,
        "ellipsoid": max(a, b, c),
        "capsule": a + b,
        "mesh": float(np.hypot(np.hypot(a, b), c)),
    }[shape]
    size = (a, a, a) if shape == "sphere" else (a, b, c)
    at, frame = np.array(centre, float), np.array(axes, float)
    return SceneBody(owner, shape, at, frame, size, radius, glass, mesh)


def meet(solid: SceneBody, starts: Floats, rays: Floats, *, least: float = NEAREST) -> Floats:
    """Return where rays (n x 3) from a point, or from n points, enter a solid; else infinity."""
    result = np.full(len(rays), np.inf)
    away = solid.centre - starts
    length = np.einsum("ij,ij->i", rays, rays)
    along = rays @ away if away.ndim == 1 else np.einsum("ij,ij->i", rays, away)
    far = away @ away if away.ndim == 1 else np.einsum("ij,ij->i", away, away)
    near = far - along**2 / length <= solid.radius**2 * (1 + 1e-9)
    if not near.any():
        return result
    origin = (-away[near] if away.ndim == 2 else -away) @ solid.axes
    if solid.mesh is not None:
        result[near] = solid.mesh.meet(origin, rays[near] @ solid.axes, least)
        return result
    enter, leave = _interval(solid, origin, rays[near] @ solid.axes)
    result[near] = np.where((enter <= leave) & (enter > least), enter, np.inf)
    return result


def _interval(solid: SceneBody, at: Floats, way: Floats) -> tuple[Floats, Floats]:
    size = np.array(solid.size)
    match solid.shape:
        case "box":
            return _crossed(at, way, -size, size)
        case "cylinder" | "capsule":
            side, lids = (
                _round(at, way, size[0], 2),
                _slabs(at[..., 2], way[:, 2], -size[1], size[1]),
            )
            tube = np.maximum(side[0], lids[0]), np.minimum(side[1], lids[1])
            if solid.shape == "cylinder":
                return tube
            ends = (np.array([0, 0, end]) for end in (-size[1], size[1]))
            return _united([tube, *(_round(at - end, way, size[0], 3) for end in ends)])
        case _:
            return _round(at / size, way / size, 1.0, 3)


def _united(pieces: list[tuple[Floats, Floats]]) -> tuple[Floats, Floats]:
    """Return the interval of a convex union from those of its pieces."""
    enter = np.minimum.reduce([np.where(a <= b, a, np.inf) for a, b in pieces])
    leave = np.maximum.reduce([np.where(a <= b, b, -np.inf) for a, b in pieces])
    return enter, leave


def _crossed(at: Floats, way: Floats, low: Floats, high: Floats) -> tuple[Floats, Floats]:
    """Return when rays are in a box from `low` to `high`."""
    enter, leave = _slabs(at, way, low, high)
    return enter.max(axis=1), leave.min(axis=1)


def _slabs(at: Floats, way: Floats, low: Any, high: Any) -> tuple[Floats, Floats]:
    """Return when rays are between `low` and `high`, for each coordinate by itself."""
    way = np.where(np.abs(way) < 1e-300, 1e-300, way)
    one, two = (low - at) / way, (high - at) / way
    return np.minimum(one, two), np.maximum(one, two)


def _round(at: Floats, way: Floats, radius: float, axes: int) -> tuple[Floats, Floats]:
    """Return when rays are within a ball (3 axes) or an endless tube (2 axes) about the origin."""
    at, way = at[..., :axes], way[:, :axes]
    a = np.maximum((way * way).sum(axis=-1), 1e-300)
    b = (at * way).sum(axis=-1) / a
    c = ((at * at).sum(axis=-1) - radius**2) / a
    root = b * b - c
    deep = np.sqrt(np.maximum(root, 0.0))
    return np.where(root >= 0, -b - deep, np.inf), np.where(root >= 0, -b + deep, -np.inf)


class Halls:
    """The air of a scene's JSON: boxes of rooms, then of doorways."""

    def __init__(self, scene: dict[str, Any]) -> None:
        names = [room["name"] for room in scene["rooms"]]
        self.rooms = len(names)
        self.low = np.array([[*room["low"], 0.0] for room in scene["rooms"]])
        self.high = np.array([[*room["high"], scene["height"]] for room in scene["rooms"]])
        self.axes = [1 if door["along"] == "x" else 0 for door in scene["doors"]]
        self.beside: list[list[int]] = [[] for _ in names]
        """The boxes that each box opens to."""
        for door, axis in zip(scene["doors"], self.axes, strict=True):
            ends = sorted(map(names.index, door["rooms"]), key=lambda room: self.low[room][axis])
            for room in ends:
                self.beside[room].append(len(self.beside))
            self.beside.append(ends)
            low, high = self._doorway(door, axis, *ends)
            self.low, self.high = np.vstack([self.low, low]), np.vstack([self.high, high])

    def _doorway(
        self, door: dict[str, Any], axis: int, first: int, second: int
    ) -> tuple[Floats, Floats]:
        """Return the corners of the air between two rooms along an axis."""
        low, high = np.zeros(3), np.zeros(3)
        low[axis], high[axis] = sorted((self.high[first][axis], self.low[second][axis]))
        middle, half = door["at"][1 - axis], door["width"] / 2
        low[1 - axis], high[1 - axis] = middle - half, middle + half
        high[2] = door["height"]
        return low, high

    def meet(self, starts: Floats, rays: Floats) -> Floats:
        """Return where rays from a point, or from n points of one room, meet a wall."""
        ends = np.full(len(rays), -np.inf)
        if not len(rays):
            return ends
        starts = np.broadcast_to(starts, rays.shape)
        first = self._around(starts[0])
        _, leave = _crossed(starts, rays, self.low[first], self.high[first])
        todo = [(first, -1, np.arange(len(rays)), leave)]
        while todo:
            box, before, mine, leave = todo.pop()
            ends[mine] = np.maximum(ends[mine], leave)
            for other in set(self.beside[box]) - {before}:
                corners = self.low[other], self.high[other]
                enter, beyond = _crossed(starts[mine], rays[mine], *corners)
                on = (enter <= leave) & (beyond >= leave)
                if on.any():
                    todo.append((other, box, mine[on], beyond[on]))
        return ends

    def _around(self, point: Floats) -> int:
        """Return the box that a point is in."""
        within = (point[:2] >= self.low[:, :2] - 1e-6) & (point[:2] <= self.high[:, :2] + 1e-6)
        boxes = np.flatnonzero(within.all(axis=1))
        if not len(boxes):
            raise RecordError(f"a camera at {point.tolist()} is in no room and no doorway")
        return int(boxes[0])


def load(folder: Path | None, name: str, size: tuple[float, ...]) -> Triangles:
    """Return a mesh's file as triangles, its box stretched to some half lengths.

    Raises `RecordError` for a file that is missing or broken, and where no folder is known.
    """
    if folder is None:
        raise RecordError(f"the mesh {name!r} is in no folder that is known")
    path = folder / beneath(name, folder)
    try:
        file = arrays_in(path)
        points, faces = np.array(file["vertices"], float), np.array(file["faces"], int)
    except (KeyError, ValueError, TypeError) as error:
        raise RecordError(f"{path}: is no mesh: {error}") from error
    low, high = points.min(axis=0), points.max(axis=0)
    half = (high - low) / 2
    points = (points - low - half) * np.array(size, float) / np.maximum(half, 1e-9)
    return tree(points[faces])


def tree(corners: Floats) -> Triangles:
    """Return triangles (m x 3 x 3) with Embree's tree. Raises `MissingExtra`."""
    need("embreex", extra="scene")
    trimesh = need("trimesh", extra="scene")
    faces = np.arange(3 * len(corners)).reshape(-1, 3)
    return Triangles(trimesh.Trimesh(corners.reshape(-1, 3), faces, process=False))
