"""Camera views of a scene, computed by ray casting instead of the renderer.

One ray goes through the middle of each pixel. Walls and parts of things are triangles in an Embree
tree, which returns the first triangle that a ray hits. A ray that hits a mirror's glass is
reflected and cast again. Round shapes have flat sides, so edges may differ by a pixel.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache, cached_property, lru_cache
from math import atan2, cos, degrees, hypot, radians, sin
from pathlib import Path

from worldquiz.plugins import need
from worldquiz_scenes.arrays import Floats, Ints, Mask, Plane, np
from worldquiz_scenes.build import FIGURE
from worldquiz_scenes.cameras import FEATHER, ego, focal, into, matrix, plane, rays, reflect
from worldquiz_scenes.meshes import triangulated
from worldquiz_scenes.scene import Part, Quat, Scene, Shape, Thing, Vec, slabs
from worldquiz_scenes.view import BODY, EGO, Box, Camera

NEAREST = 0.05
"""Least distance along a camera's axis at which it sees anything, in metres."""
OFF = 1e-4
"""Metres in front of the glass at which a reflected ray starts."""
DETAIL = 3
"""Sides of round shapes: 48."""
RAYS = 60_000
"""Approximate number of rays to measure a thing alone."""

Pose = tuple[float, float, float]
"""Where the agent stands: x, y, heading."""


@dataclass(frozen=True, slots=True)
class Seen:
    """The visible part of a thing, seen directly or in one mirror."""

    pixels: int
    visible: float  # these / the pixels that it alone would fill in an unbounded picture
    box: Box  # around these pixels
    depth: float  # median of metres along the camera's axis to it, or to the mirror


class Triangles:
    """Search tree of triangles: arrays of m x 3 x 3, each with a number. Raises `MissingExtra`."""

    def __init__(self, numbered: Sequence[tuple[int, Floats]]) -> None:
        need("embreex", extra="tea")
        numbers, found = zip(*numbered, strict=True)
        points = np.concatenate(found)
        faces = np.arange(3 * len(points)).reshape(-1, 3)
        trimesh = need("trimesh", extra="tea")
        self._mesh = trimesh.Trimesh(points.reshape(-1, 3), faces, process=False)
        self.corners: Floats = trimesh.bounds.corners(self._mesh.bounds)
        self._foot = points[:, 0]
        self._normal = np.cross(points[:, 1] - self._foot, points[:, 2] - self._foot)
        self._number = np.repeat(numbers, [len(each) for each in found])

    def meet(self, starts: Floats, fan: Floats) -> tuple[Ints, Floats]:
        """Return, for each ray (n x 3), the number of the first triangle that it hits, and the
        distance in ray lengths; 0 and infinity if it hits none.
        """
        face = self._mesh.ray.intersects_first(starts, fan)
        hit = np.flatnonzero(face >= 0)
        numbers, when = np.zeros(len(fan), np.int32), np.full(len(fan), np.inf)
        numbers[hit] = self._number[face[hit]]
        normal, way = self._normal[face[hit]], self._foot[face[hit]] - starts[hit]
        when[hit] = (way * normal).sum(axis=1) / (fan[hit] * normal).sum(axis=1)
        return numbers, when


class Caster:
    """A scene for casting rays; `meshes` is the folder of its meshes."""

    def __init__(self, scene: Scene, meshes: Path | None = None) -> None:
        self.scene, self._meshes = scene, meshes
        self.ids = ("", BODY, *scene.thing)  # by number; the first is for walls, and for nothing
        self.number = {id: number for number, id in enumerate(self.ids)}
        self.tree = cache(lambda id: Triangles(self._bodies(id)))

        def figure(pose: Pose) -> Triangles:
            x, y, heading = pose
            turn = (cos(heading / 2), 0.0, 0.0, sin(heading / 2))
            parts = (Part(shape, at, size, paint) for shape, at, size, paint in FIGURE)
            return Triangles([(1, self._placed(part, BODY, (x, y, 0.0), turn)) for part in parts])

        self.figure = lru_cache(maxsize=4)(figure)  # the agent where it stands

    @cached_property
    def _every(self) -> Triangles:
        """Triangles of everything but the agent."""
        box = need("trimesh", extra="tea").creation.box
        walls = [(0, box(bounds=(slab.low, slab.high)).triangles) for slab in slabs(self.scene)]
        return Triangles([each for id in self.scene.thing for each in self._bodies(id)] + walls)

    def _bodies(self, id: str) -> list[tuple[int, Floats]]:
        """Return a thing's triangles with its number, which is negated for a mirror's glass."""
        thing, number = self.scene.thing[id], self.number[id]
        parts = [(number, part) for part in thing.parts]
        if thing.mirror:
            size, front = (thing.mirror[0], 0.0, thing.mirror[1]), -thing.half[1] - FEATHER
            parts.append((-number, Part(Shape.BOX, (0.0, front, 0.0), size, thing.paint)))
        return [(n, self._placed(part, id, thing.position, thing.rotation)) for n, part in parts]

    def _placed(self, part: Part, owner: str, at: Vec, turn: Quat) -> Floats:
        """Return a part's triangles in the scene's frame."""
        inner = triangulated(part, self._meshes, owner, DETAIL).triangles
        inner = inner @ matrix(part.turn).T + np.array(part.at)
        found: Floats = inner @ matrix(turn).T + np.array(at)
        return found

    def first(self, starts: Floats, fan: Floats, pose: Pose | None) -> tuple[Ints, Floats]:
        """Return, for each ray, the number of the first thing that it hits (negated for a mirror's
        glass), and the distance.

        With a pose, rays can also hit the agent, which is there.
        """
        numbers, when = self._every.meet(starts, fan)
        if pose is None:
            return numbers, when
        near = self.figure(pose).meet(starts, fan)[1]
        return np.where(near < when, self.number[BODY], numbers), np.minimum(near, when)


class Sight:
    """A camera's view while the agent is at a pose.

    It shows nothing that is more than `field` degrees from the agent's heading.
    """

    def __init__(self, caster: Caster, camera: Camera, pose: Pose, field: float = 180) -> None:
        self.caster, self.camera, self.pose = caster, camera, pose
        self._at = np.array(camera.at)
        rows, columns = np.divmod(np.arange(float(camera.height * camera.width)), camera.width)
        self._fan = rays(camera, columns, rows)
        figure = None if camera.name == EGO else pose
        numbers, when = caster.first(self._at + NEAREST * self._fan, self._fan, figure)
        straight = np.array([cos(pose[2]), sin(pose[2]), 0.0])
        reach = cos(radians(field)) * np.linalg.norm(self._fan, axis=1)
        self.numbers = np.where(self._fan @ straight >= reach - 1e-9, numbers, 0)
        self._when = when + NEAREST
        self._seen: dict[str, list[Seen]] = {}

    @cached_property
    def thrown(self) -> Ints:
        """For each pixel, the number of the thing that a mirror shows there, else 0."""
        found = np.zeros_like(self.numbers)
        for mirror in self.mirrors:
            here = np.flatnonzero(self.numbers == -self.caster.number[mirror.id])
            fan, (_, normal) = self._fan[here], plane(mirror)
            starts = self._at + self._when[here, None] * fan + OFF * normal
            fan = fan - 2 * np.outer(fan @ normal, normal)
            found[here] = np.abs(self.caster.first(starts, fan, self.pose)[0])
        return found

    @cached_property
    def mirrors(self) -> list[Thing]:
        """The mirrors whose glass is in view."""
        seen = set(np.unique(self.numbers).tolist())
        return [each for each in self.caster.scene.mirrors if -self.caster.number[each.id] in seen]

    def seen(self, id: str) -> list[Seen]:
        """Return the directly visible part of a thing, as a list of one or none."""
        if id not in self._seen:
            shows = np.abs(self.numbers) == self.caster.number[id]
            self._seen[id] = self._measured(id, shows, self.camera, None)
        return self._seen[id]

    def mirrored(self, id: str) -> list[Seen]:
        """Return the visible part of a thing in each mirror that shows it."""
        found: list[Seen] = []
        for mirror in self.mirrors:
            shows = self.thrown == self.caster.number[id]
            shows &= self.numbers == -self.caster.number[mirror.id]
            glass = plane(mirror)
            found += self._measured(id, shows, reflect(self.camera, glass), glass)
        return found

    def within(self, box: Box) -> dict[str, int]:
        """Return the number of pixels in a box that show each thing, by its id."""
        x0, y0, x1, y1 = box
        part = np.abs(self.numbers).reshape(self.camera.height, -1)[y0:y1, x0:x1]
        counts = zip(*np.unique(part, return_counts=True), strict=True)
        named = {self.caster.ids[number]: int(count) for number, count in counts}
        return {id: count for id, count in named.items() if id in self.caster.scene.thing}

    def turned(self, to: Vec, field: float) -> Sight:
        """Return the view from the same eyes turned to a point, with the agent's heading kept."""
        x, y, z = (float(each) for each in np.array(to) - self._at)
        pitch, size = degrees(atan2(z, hypot(x, y))), (self.camera.width, self.camera.height)
        camera = ego(*self.pose[:2], atan2(y, x), size=size, pitch=pitch)
        return Sight(self.caster, camera, self.pose, field)

    def _measured(self, id: str, shows: Mask, camera: Camera, glass: Plane | None) -> list[Seen]:
        here = np.flatnonzero(shows)
        if not len(here):
            return []
        rows, columns = np.divmod(here, camera.width)
        box = (int(columns.min()), int(rows.min()), int(columns.max()) + 1, int(rows.max()) + 1)
        visible = len(here) / max(self._alone(id, camera, glass), 1)
        return [Seen(len(here), visible, box, float(np.median(self._when[here])))]

    def _alone(self, id: str, camera: Camera, glass: Plane | None) -> int:
        """Return the number of pixels that a thing would fill if nothing covered or cut it off.

        For this, the picture is extended by its own size on each side; of many pixels, only every
        n-th is tried. For a mirror image, only the part in front of the mirror counts.
        """
        tree = self.caster.figure(self.pose) if id == BODY else self.caster.tree(id)
        size, inner = np.array([camera.width, camera.height]), into(camera, tree.corners)
        low, high = -size, 2 * size
        if (inner[:, 2] > 2 * NEAREST).all():
            spots = inner[:, :2] / inner[:, 2:] * focal(camera) + size / 2
            ends = np.floor(spots.min(axis=0)) - 2, np.ceil(spots.max(axis=0)) + 2
            low, high = (np.clip(each, -size, 2 * size) for each in ends)
        step = max(1, int(np.ceil(np.sqrt(np.prod(high - low) / RAYS))))
        x, y = (np.arange(float(a), b, step) for a, b in zip(low, high, strict=True))
        columns, rows = np.meshgrid(x, y)
        fan, at = rays(camera, columns.ravel(), rows.ravel()), np.array(camera.at)
        starts = at + NEAREST * fan
        if glass is not None:
            point, normal = glass
            fan = fan[fan @ normal > 0]
            starts = at + ((point - at) @ normal / (fan @ normal))[:, None] * fan
        return int(np.isfinite(tree.meet(starts, fan)[1]).sum()) * step**2
