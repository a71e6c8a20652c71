"""Solids met by rays: boxes, balls, cylinders, capsules and meshes, each in a frame of its own.

A ray is a start and a direction; a meeting is told in lengths of the direction. A convex solid is
the common part of intervals along the ray (slabs, a tube, a ball), so a ray enters where the last
interval begins, if that is before the first one ends.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from worldquiz.errors import RecordError
from worldquiz.tea.oracle.triangles import Triangles

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Floats = NDArray[np.float64]

NEAREST = 0.05
"""Lengths of its direction below which a ray from a camera meets nothing: its near plane."""
GLASS = 1e-3
"""Metres that a mirror's glass stands before its frame, to either side of the frame's front."""
SHAPES = ("box", "cylinder", "sphere", "ellipsoid", "capsule")


@dataclass(frozen=True, slots=True)
class Solid:
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
    import numpy as np

    w, *rest = quaternion
    u = np.array(rest, float)
    cross = np.array([[0, -u[2], u[1]], [u[2], 0, -u[0]], [-u[1], u[0], 0]])
    matrix: Floats = np.eye(3) * (w * w - u @ u) + 2 * np.outer(u, u) + 2 * w * cross
    return matrix


Meshes = Callable[[str, Any], Triangles]
"""Returns a mesh by its name, its box stretched to some half lengths."""


def _none(name: str, size: Any) -> Triangles:
    raise RecordError(f"the mesh {name!r} of {size} is in no folder that is known")


def solids(thing: dict[str, Any], meshes: Meshes = _none) -> list[Solid]:
    """Return what a thing of a scene's JSON consists of."""
    import numpy as np

    axes, middle = turn(thing["rotation"]), np.array(thing["position"], float)
    found = [
        solid(
            thing["id"], part["shape"], middle + axes @ np.array(part["at"]),
            axes @ turn(part["turn"]), part["size"],
            mesh=meshes(part["mesh"], part["size"]) if part["shape"] == "mesh" else None,
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
) -> Solid:  # fmt: skip
    """Return a body with the ball around it."""
    import numpy as np

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
    return Solid(owner, shape, at, frame, size, radius, glass, mesh)


def meet(solid: Solid, starts: Floats, rays: Floats, *, least: float = NEAREST) -> Floats:
    """Return where rays (n x 3) from a point, or from n points, enter a solid; else infinity."""
    import numpy as np

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


def _interval(solid: Solid, at: Floats, way: Floats) -> tuple[Floats, Floats]:
    import numpy as np

    size = np.array(solid.size)
    match solid.shape:
        case "box":
            enter, leave = _slabs(at, way, size)
            return enter.max(axis=1), leave.min(axis=1)
        case "cylinder":
            side, lids = _round(at, way, size[0], 2), _lids(at, way, size[1])
            return np.maximum(side[0], lids[0]), np.minimum(side[1], lids[1])
        case "capsule":
            side, lids = _round(at, way, size[0], 2), _lids(at, way, size[1])
            pieces = [(np.maximum(side[0], lids[0]), np.minimum(side[1], lids[1]))]
            ends = (np.array([0, 0, end]) for end in (-size[1], size[1]))
            pieces += [_round(at - end, way, size[0], 3) for end in ends]
            return _united(pieces)
        case _:
            return _round(at / size, way / size, 1.0, 3)


def _united(pieces: list[tuple[Floats, Floats]]) -> tuple[Floats, Floats]:
    """Return the interval of a convex union from those of its pieces."""
    import numpy as np

    enter = np.minimum.reduce([np.where(a <= b, a, np.inf) for a, b in pieces])
    leave = np.maximum.reduce([np.where(a <= b, b, -np.inf) for a, b in pieces])
    return enter, leave


def _slabs(at: Floats, way: Floats, half: Any) -> tuple[Floats, Floats]:
    """Return when rays are between -half and half, for each coordinate by itself."""
    import numpy as np

    way = np.where(np.abs(way) < 1e-300, 1e-300, way)
    one, two = (-half - at) / way, (half - at) / way
    return np.minimum(one, two), np.maximum(one, two)


def _lids(at: Floats, way: Floats, half: float) -> tuple[Floats, Floats]:
    """Return when rays are between a cylinder's lids."""
    return _slabs(at[..., 2], way[:, 2], half)


def _round(at: Floats, way: Floats, radius: float, axes: int) -> tuple[Floats, Floats]:
    """Return when rays are within a ball (3 axes) or an endless tube (2 axes) about the origin."""
    import numpy as np

    at, way = at[..., :axes], way[:, :axes]
    a = np.maximum((way * way).sum(axis=-1), 1e-300)
    b = (at * way).sum(axis=-1) / a
    c = ((at * at).sum(axis=-1) - radius**2) / a
    root = b * b - c
    deep = np.sqrt(np.maximum(root, 0.0))
    return np.where(root >= 0, -b - deep, np.inf), np.where(root >= 0, -b + deep, -np.inf)
