"""What one view shows, found by casting rays through the middles of its pixels.

Only what is asked for is cast: a thing's rays go through the part of the picture that its box
covers, and what may be before it is tried on those rays that meet it. Where that part is large,
every second or third pixel in each direction stands for those around it.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from functools import cache, cached_property, partial
from math import cos, radians, sin, tan
from pathlib import Path
from typing import TYPE_CHECKING, Any

from worldquiz.extras import later
from worldquiz.tea.oracle.solids import NEAREST, Halls, SceneBody, load, meet, solid, solids, turn

if TYPE_CHECKING:
    import numpy as np

    from worldquiz.tea.oracle.solids import Floats
else:
    np = later("numpy", extra="scene")

BODY, EGO = "agent", "ego"
RAYS, FEW = 60_000, 1_500
"""Rays of one part of a picture, about: to measure a thing, and to see who fills it."""
FIGURE = (
    ("capsule", (0.0, 0.09, 0.42), (0.075, 0.34, 0.0)),
    ("capsule", (0.0, -0.09, 0.42), (0.075, 0.34, 0.0)),
    ("ellipsoid", (0.0, 0.0, 1.07), (0.13, 0.19, 0.31)),
    ("capsule", (0.02, 0.22, 1.0), (0.045, 0.24, 0.0)),
    ("capsule", (0.02, -0.22, 1.0), (0.045, 0.24, 0.0)),
    ("sphere", (0.0, 0.0, 1.5), (0.12, 0.0, 0.0)),
    ("box", (0.1, 0.0, 1.52), (0.03, 0.09, 0.025)),
)
"""The agent's body: legs, trunk, arms, head and visor; looking along x, on the floor."""


@dataclass(frozen=True)
class Mask:
    """The pixels of a view that show a thing."""

    pixels: int
    box: tuple[int, int, int, int] | None  # None where no pixel shows it
    depth: float | None  # median over the pixels, in metres along the view's axis
    step: int  # 1 if every pixel was cast


@dataclass(frozen=True)
class MirrorImage:
    """What a mirror shows of a thing."""

    pixels: int
    whole: int  # pixels that the thing alone would fill in a mirror without edges
    side: float  # px: the shorter side of the box around those that show it


class Stage:
    """A scene's JSON as solids; `folder` is where its meshes are, if it has any."""

    def __init__(self, scene: dict[str, Any], folder: Path | None = None) -> None:
        self.scene = scene
        self.things: dict[str, dict[str, Any]] = {each["id"]: each for each in scene["things"]}
        self.halls = Halls(scene)
        meshes = cache(partial(load, folder))
        self.bodies = {id: solids(thing, meshes) for id, thing in self.things.items()}

    @cached_property
    def every(self) -> list[SceneBody]:
        """All solids of all things."""
        return [each for id in sorted(self.bodies) for each in self.bodies[id]]

    def corners(self, id: str) -> Floats:
        """Return the eight corners of a thing's box."""
        thing = self.things[id]
        signs = np.array([[i, j, k] for i in (-1, 1) for j in (-1, 1) for k in (-1, 1)])
        spread: Floats = (
            np.array(thing["position"]) + (signs * thing["half"]) @ turn(thing["rotation"]).T
        )
        return spread


class Eye:
    """One view.

    Where there is a `field`, only rays in it are cast: those within some angle of a direction.
    """

    def __init__(
        self, stage: Stage, view: dict[str, Any], field: tuple[Floats, float] | None = None
    ) -> None:
        self.stage, self.view, self.field = stage, view, field
        camera = view["camera"]
        self.wide, self.high = camera["width"], camera["height"]
        self.at = np.array(camera["at"])
        ahead, up = np.array(camera["forward"]), np.array(camera["up"])
        self.axes = np.stack([np.cross(ahead, up), -up, ahead], axis=1)  # right, down, ahead
        self.focal = self.high / 2 / tan(radians(camera["fovy"] / 2))
        self.ego = camera["name"] == EGO
        self.figure = figure(view["agent"])
        self._masks: dict[str, Mask] = {}
        self._alone: dict[str, int] = {}
        self._mirrored: dict[str, list[MirrorImage]] = {}

    def rays(self, columns: Any, rows: Any) -> Floats:
        """Return directions through the middles of pixels, one metre ahead each."""
        across = (np.asarray(columns) + 0.5 - self.wide / 2) / self.focal
        below = (np.asarray(rows) + 0.5 - self.high / 2) / self.focal
        fan: Floats = np.stack([across, below, np.ones_like(across)], axis=1) @ self.axes.T
        return fan

    def turned(self, point: Floats, reach: float) -> Eye:
        """Return the eye of the person whose camera this is, turned towards a point.

        It sees what is less than `reach` degrees from where the person looks, heading straight on.
        """
        heading = self.view["agent"][2]
        straight = np.array([cos(heading), sin(heading), 0.0])
        ahead = (point - self.at) / max(float(np.linalg.norm(point - self.at)), 1e-9)
        up = np.array([0.0, 0.0, 1.0]) if abs(ahead[2]) < 0.99 else straight
        up = up - (up @ ahead) * ahead
        camera = {**self.view["camera"], "forward": ahead, "up": up / np.linalg.norm(up)}
        return Eye(self.stage, {**self.view, "camera": camera}, (straight, cos(radians(reach))))

    def _within(self, fan: Floats) -> Any:
        """Tell which rays are in the field."""
        if self.field is None:
            return np.ones(len(fan), bool)
        ahead, least = self.field
        return fan @ ahead >= least * np.linalg.norm(fan, axis=1)

    def framed(self, points: Floats) -> Floats:
        """Return points in the camera's frame: right, down, ahead."""
        result: Floats = (points - self.at) @ self.axes
        return result

    def window(self, id: str, *, wide: int = 0) -> tuple[int, int, int, int]:
        """Return the part of a picture, with so many pictures around it, that a thing may fill."""
        return self._window(self._corners(id), wide)

    def _window(self, corners: Floats, wide: int) -> tuple[int, int, int, int]:
        limit = (-wide * self.wide, -wide * self.high,
                 (1 + wide) * self.wide, (1 + wide) * self.high)  # fmt: skip
        inner = self.framed(corners)
        if (inner[:, 2] <= 2 * NEAREST).any():
            return limit
        spots = inner[:, :2] / inner[:, 2:] * self.focal + [self.wide / 2, self.high / 2]
        low, high = np.floor(spots.min(axis=0)) - 2, np.ceil(spots.max(axis=0)) + 2
        return (
            int(np.clip(low[0], limit[0], limit[2])), int(np.clip(low[1], limit[1], limit[3])),
            int(np.clip(high[0], limit[0], limit[2])), int(np.clip(high[1], limit[1], limit[3])),
        )  # fmt: skip

    def _corners(self, id: str) -> Floats:
        if id != BODY:
            return self.stage.corners(id)
        x, y, _ = self.view["agent"]
        across = (-0.3, 0.3)
        return np.array([[x + i, y + j, k] for i in across for j in across for k in (0, 1.7)])

    def bodies(self, id: str) -> list[SceneBody]:
        """Return what a thing, or the agent's body, consists of."""
        return self.figure if id == BODY else self.stage.bodies[id]

    def mask(self, id: str) -> Mask:
        """Return the pixels that show a thing directly."""
        if id not in self._masks:
            self._masks[id] = self._cast(id)
        return self._masks[id]

    def _cast(self, id: str) -> Mask:
        columns, rows, step = grid(self.window(id))
        fan = self.rays(columns, rows)
        when = self.first(id, self.at, fan, [] if self.ego else self.figure, NEAREST)
        seen = np.flatnonzero(np.isfinite(when) & self._within(fan))
        if not len(seen):
            return Mask(0, None, None, step)
        x, y = columns[seen].astype(int), rows[seen].astype(int)
        box = (int(x.min()), int(y.min()), int(x.max()) + step, int(y.max()) + step)
        return Mask(len(seen) * step**2, box, float(np.median(when[seen])), step)

    def first(
        self, id: str, starts: Floats, fan: Floats, figure: list[SceneBody], least: float
    ) -> Floats:
        """Return where rays meet a thing before anything else; infinity for all others."""
        when = nearest(self.bodies(id), starts, fan, least)
        hits = np.flatnonzero(np.isfinite(when))
        if not len(hits):
            return when
        own, rays = when[hits], fan[hits]
        points = starts[hits] if starts.ndim == 2 else starts
        covered = self.stage.halls.meet(points, rays) < own - 1e-9
        others = [each for each in (*self.stage.every, *figure) if each.owner != id]
        for each in _between(others, points, rays, own):
            open_ = np.flatnonzero(~covered)
            if not len(open_):
                break
            begin = points[open_] if points.ndim == 2 else points
            covered[open_] = meet(each, begin, rays[open_], least=least) < own[open_]
        when[hits[covered]] = np.inf
        return when

    def alone(self, id: str) -> int:
        """Return how many pixels a thing alone would fill, in the picture and around it."""
        if id not in self._alone:
            columns, rows, step = grid(self.window(id, wide=1))
            when = nearest(self.bodies(id), self.at, self.rays(columns, rows), NEAREST)
            self._alone[id] = int(np.isfinite(when).sum()) * step**2
        return self._alone[id]

    def fill(self, box: tuple[int, int, int, int]) -> Counter[str]:
        """Return how many of the rays through a box meet each thing first."""
        columns, rows, _ = grid(box, most=FEW)
        fan = self.rays(columns, rows)
        best = self.stage.halls.meet(self.at, fan)
        names = np.full(len(fan), "", object)
        bodies = [*self.stage.every, *([] if self.ego else self.figure)]
        for each in _between(bodies, self.at, fan, best):
            when = meet(each, self.at, fan)
            nearer = when < best
            best[nearer], names[nearer] = when[nearer], each.owner
        return Counter(name for name in names.tolist() if name not in ("", BODY))

    @cached_property
    def glasses(self) -> dict[str, SceneBody]:
        """The glass of each mirror that the view shows."""
        every = {each.owner: each for each in self.stage.every if each.glass}
        return {id: glass for id, glass in every.items() if len(self._thrown[id][1])}

    @cached_property
    def _thrown(self) -> dict[str, tuple[Floats, Floats]]:
        """The rays that mirrors throw back, one for each pixel of glass that is seen, by mirror."""
        return {each.owner: self._shown(each) for each in self.stage.every if each.glass}

    def _shown(self, glass: SceneBody) -> tuple[Floats, Floats]:
        columns, rows, _ = grid(self.window(glass.owner), most=10**9)
        fan = self.rays(columns, rows)
        when = self.first(glass.owner, self.at, fan, [] if self.ego else self.figure, NEAREST)
        on_glass = np.isfinite(when) & (meet(glass, self.at, fan) <= when + 1e-12)
        on_glass &= self._within(fan)
        return self._back(glass, fan[on_glass], when[on_glass])

    def _back(self, glass: SceneBody, fan: Floats, when: Floats) -> tuple[Floats, Floats]:
        """Return the rays that a mirror's plane throws back, and where they start."""
        normal = -glass.axes[:, 1]
        thrown = fan - 2 * (fan @ normal)[:, None] * normal
        return self.at + when[:, None] * fan + 1e-7 * normal, thrown

    def mirrored(self, id: str) -> list[MirrorImage]:
        """Return what each mirror shows of a thing, if anything."""
        if id not in self._mirrored:
            found = (self._image(id, glass) for glass in self.glasses.values())
            self._mirrored[id] = [each for each in found if each is not None]
        return self._mirrored[id]

    def _image(self, id: str, glass: SceneBody) -> MirrorImage | None:
        starts, rays = self._thrown[glass.owner]
        met = np.isfinite(self.first(id, starts, rays, self.figure, 1e-6))
        if not met.any():
            return None
        inner = self.framed(starts[met])
        spots = inner[:, :2] / inner[:, 2:] * self.focal
        sides = spots.max(axis=0) - spots.min(axis=0) + 1
        return MirrorImage(int(met.sum()), self._endless(id, glass), float(sides.min()))

    def _endless(self, id: str, glass: SceneBody) -> int:
        """Return how many pixels a thing alone would fill in a mirror without edges."""
        normal = -glass.axes[:, 1]
        front = glass.centre + glass.size[1] * normal
        corners = self._corners(id)
        behind = corners - 2 * ((corners - front) @ normal)[:, None] * normal
        columns, rows, step = grid(self._window(behind, 1))
        fan = self.rays(columns, rows)
        slope = fan @ normal
        with np.errstate(divide="ignore"):
            when = ((front - self.at) @ normal) / slope
        met = (slope < 0) & (when > 0)
        starts, thrown = self._back(glass, fan[met], when[met])
        return int(np.isfinite(nearest(self.bodies(id), starts, thrown, 1e-6)).sum()) * step**2


def figure(pose: Any) -> list[SceneBody]:
    """Return the agent's body at a pose: x, y, heading."""
    x, y, heading = pose
    axes = np.array([[cos(heading), -sin(heading), 0], [sin(heading), cos(heading), 0], [0, 0, 1]])
    return [
        solid(BODY, shape, np.array([x, y, 0.0]) + axes @ np.array(at), axes, size)
        for shape, at, size in FIGURE
    ]


def grid(window: tuple[int, int, int, int], *, most: int = RAYS) -> tuple[Any, Any, int]:
    """Return columns and rows of a window's pixels, and every how many of them that is."""
    x0, y0, x1, y1 = window
    step = 1
    while (x1 - x0) * (y1 - y0) > most * step**2:
        step += 1
    columns, rows = np.meshgrid(
        np.arange(x0, x1, step, dtype=float), np.arange(y0, y1, step, dtype=float)
    )
    return columns.ravel(), rows.ravel(), step


def nearest(bodies: list[SceneBody], starts: Floats, fan: Floats, least: float) -> Floats:
    """Return where rays first meet any of some solids."""
    when = np.full(len(fan), np.inf)
    for each in bodies:
        when = np.minimum(when, meet(each, starts, fan, least=least))
    return when


def _between(others: list[SceneBody], starts: Floats, rays: Floats, own: Floats) -> list[SceneBody]:
    """Return those solids whose ball may touch the upright box around all rays up to their ends."""
    if not others:
        return []
    ends = starts + own[:, None] * rays
    points = np.concatenate([np.atleast_2d(starts), ends])
    low, high = points.min(axis=0), points.max(axis=0)
    centres = np.array([each.centre for each in others])
    radii = np.array([each.radius for each in others])
    gap = np.maximum(np.maximum(low - centres, centres - high), 0.0)
    near = (gap**2).sum(axis=1) <= radii**2
    spread = np.atleast_2d(starts)
    if len(spread) == 1:  # a cone of rays: nothing outside of it can be in the way
        unit = rays / np.linalg.norm(rays, axis=1, keepdims=True)
        axis = unit.mean(axis=0)
        axis /= np.linalg.norm(axis)
        widest = np.arccos(np.clip((unit @ axis).min(), -1, 1))
        way = centres - spread[0]
        far = np.maximum(np.linalg.norm(way, axis=1), 1e-9)
        angle = np.arccos(np.clip(way @ axis / far, -1, 1))
        near &= angle <= widest + np.arcsin(np.clip(radii / far, 0, 1))
    return [each for each, maybe in zip(others, near.tolist(), strict=True) if maybe]
