"""A second road to what a camera sees: a scene's own numbers and school geometry, no engine.

Rays meet boxes, balls, cylinders and capsules by their equations. A mirror is a rectangle; a ray
that meets it first goes on from there, its part along the mirror's normal turned round.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from worldquiz.scenes.scene import Part, Quat, Scene, Shape, Thing
from worldquiz.scenes.shell import slabs
from worldquiz.scenes.view import Camera

Floats = NDArray[np.float64]
SHELL = "shell"
"""What walls, floors and ceilings are called here."""


def turned(rotation: Quat, vectors: Floats, *, back: bool = False) -> Floats:
    """Return vectors turned by a rotation (v + 2w(u x v) + 2u x (u x v)), or turned back."""
    w, u = rotation[0], np.array(rotation[1:]) * (-1 if back else 1)
    once = np.cross(u, vectors)
    result: Floats = vectors + 2 * w * once + 2 * np.cross(u, once)
    return result


def pixel_rays(camera: Camera, columns: Floats, rows: Floats) -> Floats:
    """Return directions through the middles of pixels, one metre ahead each."""
    ahead, up = np.array(camera.forward), np.array(camera.up)
    right = np.cross(ahead, up)
    half = np.tan(np.radians(camera.fovy) / 2)
    across = (2 * (columns + 0.5) - camera.width) / camera.height * half
    above = (camera.height - 2 * (rows + 0.5)) / camera.height * half
    result: Floats = ahead + across[:, None] * right + above[:, None] * up
    return result


@dataclass(frozen=True)
class Road:
    """A scene to be met by rays."""

    scene: Scene

    @cached_property
    def solids(self) -> list[tuple[str, Part, Thing | None, Floats, Floats]]:
        """Every part with its owner's name, thing, and a slab's middle and half lengths."""
        empty = np.zeros(3)
        parts = [
            (thing.id, part, thing, empty, empty)
            for thing in self.scene.things
            for part in thing.parts
        ]
        walls = [
            (SHELL, BLOCK, None, (np.array(s.low) + s.high) / 2, (np.array(s.high) - s.low) / 2)
            for s in slabs(self.scene)
        ]
        return [*parts, *walls]

    def owners(self, starts: Floats, fan: Floats) -> tuple[list[str], Floats]:
        """Return what each ray meets first ("" for nothing) and when (in its own lengths)."""
        best, names = np.full(len(fan), np.inf), np.full(len(fan), "", object)
        for name, part, thing, middle, half in self.solids:
            when = _meet(part, thing, middle, half, starts, fan)
            nearer = when < best
            best[nearer], names[nearer] = when[nearer], name
        for thing in self.scene.mirrors:
            when = glass(thing, starts, fan)
            nearer = when < best
            best[nearer], names[nearer] = when[nearer], f"glass:{thing.id}"
        return list(names), best

    def seen(self, camera: Camera, columns: Floats, rows: Floats) -> list[tuple[str, str]]:
        """Return, per pixel, the thing seen directly and the thing seen in a mirror (or "")."""
        fan = pixel_rays(camera, columns, rows)
        starts = np.repeat(np.array(camera.at)[None], len(fan), axis=0)
        names, when = self.owners(starts, fan)
        found = [("" if name == SHELL else name.removeprefix("glass:"), "") for name in names]
        for thing in self.scene.mirrors:
            hit = np.flatnonzero(np.array([name == f"glass:{thing.id}" for name in names]))
            normal = turned(thing.rotation, np.array([0.0, -1.0, 0.0]))
            bounced = fan[hit] - 2 * (fan[hit] @ normal)[:, None] * normal
            places = starts[hit] + when[hit, None] * fan[hit] + 1e-9 * normal
            for at, name in zip(hit, self.owners(places, bounced)[0], strict=True):
                found[at] = (thing.id, "" if name == SHELL else name.removeprefix("glass:"))
        return found


BLOCK = Part(Shape.BOX, (0.0, 0.0, 0.0), (1.0, 1.0, 1.0), None)  # type: ignore[arg-type]


def glass(thing: Thing, starts: Floats, fan: Floats) -> Floats:
    """Return when rays meet the front of a mirror."""
    assert thing.mirror
    inner = turned(thing.rotation, starts - np.array(thing.position), back=True)
    along = turned(thing.rotation, fan, back=True)
    front = -thing.half[1] - 1e-3
    with np.errstate(divide="ignore", invalid="ignore"):
        when = (front - inner[:, 1]) / along[:, 1]
        place = inner + when[:, None] * along
        hits = (
            (along[:, 1] > 0) & (when > 1e-7)
            & (np.abs(place[:, 0]) <= thing.mirror[0]) & (np.abs(place[:, 2]) <= thing.mirror[1])
        )  # fmt: skip
    return np.where(hits, when, np.inf)


def _meet(
    part: Part, thing: Thing | None, middle: Floats, half: Floats, starts: Floats, fan: Floats
) -> Floats:
    """Return when rays meet a part, in its own frame."""
    if thing is None:
        return _box(half, starts - middle, fan)
    inner = turned(thing.rotation, starts - np.array(thing.position), back=True)
    along = turned(thing.rotation, fan, back=True)
    inner = turned(part.turn, inner - np.array(part.at), back=True)
    along = turned(part.turn, along, back=True)
    size = part.size
    match part.shape:
        case Shape.BOX:
            return _box(np.array(size), inner, along)
        case Shape.SPHERE:
            return _ball(inner / size[0], along / size[0])
        case Shape.ELLIPSOID:
            return _ball(inner / np.array(size), along / np.array(size))
        case Shape.CYLINDER:
            return np.minimum(_tube(size, inner, along), _lids(size, inner, along))
        case _:
            caps = [
                _ball((inner - [0, 0, end]) / size[0], along / size[0])
                for end in (size[1], -size[1])
            ]
            return np.minimum(_tube(size, inner, along), np.minimum(*caps))


def _box(half: Floats, starts: Floats, fan: Floats) -> Floats:
    with np.errstate(divide="ignore", invalid="ignore"):
        one, two = (-half - starts) / fan, (half - starts) / fan
    enter = np.nanmax(np.minimum(one, two), axis=1)
    leave = np.nanmin(np.maximum(one, two), axis=1)
    return np.where((enter <= leave) & (enter > 1e-7), enter, np.inf)


def _ball(starts: Floats, fan: Floats) -> Floats:
    a, b = (fan**2).sum(1), (starts * fan).sum(1)
    root = b**2 - a * ((starts**2).sum(1) - 1)
    when = (-b - np.sqrt(np.maximum(root, 0))) / a
    return np.where((root > 0) & (when > 1e-7), when, np.inf)


def _tube(size: tuple[float, float, float], starts: Floats, fan: Floats) -> Floats:
    radius, half, _ = size
    a = np.maximum((fan[:, :2] ** 2).sum(1), 1e-18)
    b = (starts[:, :2] * fan[:, :2]).sum(1)
    root = b**2 - a * ((starts[:, :2] ** 2).sum(1) - radius**2)
    when = (-b - np.sqrt(np.maximum(root, 0))) / a
    height = np.abs(starts[:, 2] + when * fan[:, 2])
    return np.where((root > 0) & (when > 1e-7) & (height <= half), when, np.inf)


def _lids(size: tuple[float, float, float], starts: Floats, fan: Floats) -> Floats:
    radius, half, _ = size
    best = np.full(len(fan), np.inf)
    for end in (half, -half):
        with np.errstate(divide="ignore", invalid="ignore"):
            when = (end - starts[:, 2]) / fan[:, 2]
        place = starts + np.where(np.isfinite(when), when, 0.0)[:, None] * fan
        hits = (place[:, 0] ** 2 + place[:, 1] ** 2 <= radius**2) & (when > 1e-7)
        best = np.where(hits & np.isfinite(when), np.minimum(best, when), best)
    return best
