"""Poses in Habitat's frame, and back.

Here x grows to the east, y to the north and z up; heading 0 looks east and grows to the left.
There (habitat-sim) y is up, an agent that is not turned looks along -z, and rotations are
quaternions x, y, z, w. Our north is its -z: (x, y, z) becomes (x, z, -y), and a heading h becomes a
turn about y by h - pi/2.
"""

from __future__ import annotations

from math import atan2, cos, pi, sin, sqrt

from worldquiz.scenes.geometry import cross
from worldquiz.scenes.scene import Vec
from worldquiz.scenes.view import Camera

Turn = tuple[float, float, float, float]
"""A rotation: x, y, z, w."""
DIGITS = 9
"""Decimal places that are kept of unit quaternions and of positions (metres)."""


def point(at: Vec) -> Vec:
    """Return a point of ours in Habitat's frame."""
    x, y, z = at
    return x, z, -y + 0.0


def point_back(at: Vec) -> Vec:
    """Return a point of Habitat's in our frame."""
    x, y, z = at
    return x, -z + 0.0, y


def turn(heading: float) -> Turn:
    """Return the rotation of an agent that looks along a heading (radians)."""
    half = (heading - pi / 2) / 2
    return 0.0, sin(half), 0.0, cos(half)


def heading(rotation: Turn) -> float:
    """Return the heading that an upright agent looks along, in -pi..pi."""
    _, y, _, w = rotation
    angle = 2 * atan2(y, w) + pi / 2
    return atan2(sin(angle), cos(angle))


def rotation(camera: Camera) -> Turn:
    """Return how a camera of ours is turned."""
    right = point(cross(camera.forward, camera.up))
    up, ahead = point(camera.up), point(camera.forward)
    return _quaternion((right, up, (-ahead[0], -ahead[1], -ahead[2])))


def axes(turned: Turn) -> tuple[Vec, Vec]:
    """Return where a rotation's camera looks, and where its up is, in our frame."""
    x, y, z, w = turned
    up = (2 * (x * y - w * z), 1 - 2 * (x * x + z * z), 2 * (y * z + w * x))
    back = (2 * (x * z + w * y), 2 * (y * z - w * x), 1 - 2 * (x * x + y * y))
    return point_back((-back[0], -back[1], -back[2])), point_back(up)


def _quaternion(columns: tuple[Vec, Vec, Vec]) -> Turn:
    """Return the rotation whose matrix has these columns, its largest part above nought.

    Each part's square is taken from the diagonal; the largest one is divided by (Shepperd 1978).
    """
    (m00, m10, m20), (m01, m11, m21), (m02, m12, m22) = columns
    squares = (
        1 + m00 - m11 - m22, 1 - m00 + m11 - m22, 1 - m00 - m11 + m22, 1 + m00 + m11 + m22
    )  # fmt: skip
    rows = (
        (squares[0], m01 + m10, m02 + m20, m21 - m12),
        (m01 + m10, squares[1], m12 + m21, m02 - m20),
        (m02 + m20, m12 + m21, squares[2], m10 - m01),
        (m21 - m12, m02 - m20, m10 - m01, squares[3]),
    )
    x, y, z, w = rows[squares.index(max(squares))]
    size = sqrt(x * x + y * y + z * z + w * w)
    return x / size, y / size, z / size, w / size
