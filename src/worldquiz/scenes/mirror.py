"""Reflections in mirrors: one more view for each mirror, from behind its glass.

The camera is reflected at the mirror's plane. Its picture of the space beyond that plane, flipped
from left to right, fills the mirror's pixels. Mirrors inside mirrors stay dark.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Protocol

from worldquiz.scenes.arrays import Depths, Ints, Mask, Picture, Plane, np
from worldquiz.scenes.build import Built
from worldquiz.scenes.cameras import Images, plane, reflect, spot
from worldquiz.scenes.rays import recast
from worldquiz.scenes.render import Canvas, inside
from worldquiz.scenes.scene import Room
from worldquiz.scenes.view import Box, Camera

SHINE = 0.92
"""How much of a mirror's colour is what it reflects."""
CASTS = 0.04
"""Metres: what is smaller casts no shadow unless it is seen."""
FEW = 2500
"""Pixels: a mirror that fills fewer shows no shadows."""
STRAY = 0.002
"""Share of a mirror's pixels that things across its plane may hide before shadows are given up."""


class Eyes(Protocol):
    """Something that tells which geometry each pixel shows: a `Canvas` or a `Caster`."""

    @property
    def built(self) -> Built:
        """The scene that it sees."""
        ...

    def owners(
        self,
        camera: Camera,
        shown: Mask,
        window: Box | None = None,
        *,
        scale: int = 1,
        beyond: Plane | None = None,
    ) -> tuple[Ints, Depths]:
        """Return each pixel's geometry (or -1) and depth in metres (0 for nothing)."""
        ...


def look(
    eyes: Eyes,
    camera: Camera,
    *,
    room: str | None = None,
    self_seen: bool = True,
    colours: bool = True,
) -> Images:
    """Return all that a camera shows; colours only where asked for, and only from a `Canvas`.

    `room` is the one whose lamp casts shadows; `self_seen` is false for the agent's own eyes, whose
    figure then is seen in mirrors alone.
    """
    built = eyes.built
    shown = everything(built) if self_seen else ~built.figure
    near = shown & inside(built, camera)
    owners, depth = eyes.owners(camera, near)
    if isinstance(eyes, Canvas):
        owners, depth = recast(built, camera, near, owners, depth)
    images = Images(
        depth,
        _take(built.thing, owners),
        _take(built.mirror, owners),
        _none(owners),
        _take(built.figure.astype(np.int32), owners) == 1,
    )
    picture = None
    if colours and isinstance(eyes, Canvas):
        picture = eyes.colours(camera, shown & _lit(built, owners, near, room), room=room).copy()
    for index in _mirrors(images):
        _reflect(eyes, camera, index, images, picture, room)
    return replace(images, rgb=picture)


def everything(built: Built) -> Mask:
    """Return the choice of all geometry."""
    return np.ones(built.model.ngeom, bool)


def _reflect(
    eyes: Eyes,
    camera: Camera,
    index: int,
    images: Images,
    picture: Picture | None,
    room: str | None,
) -> None:
    """Fill in what one mirror shows."""
    built = eyes.built
    glass = plane(built.scene.thing[built.mirrors[index]])
    mask = images.mirror == index
    x0, y0, x1, y1 = window = box(mask)
    behind = reflect(camera, glass)
    flipped = (camera.width - x1, y0, camera.width - x0, y1)
    seen = inside(built, behind, flipped, start=spot(glass[0]))
    shown = (built.mirror != index) & seen & before(built, glass)
    owners, _ = eyes.owners(behind, shown, flipped, beyond=glass)
    part = mask[y0:y1, x0:x1]
    images.reflected[y0:y1, x0:x1][part] = _take(built.thing, owners)[:, ::-1][part]
    if picture is not None and isinstance(eyes, Canvas):
        lit = (built.mirror != index) & _lit(built, owners, seen, room) & before(built, glass)
        drawn = _coloured(eyes, behind, lit, flipped, glass, owners, room)[:, ::-1]
        _paste(picture, drawn, window, part)


def _coloured(
    canvas: Canvas,
    behind: Camera,
    shown: Mask,
    window: Box,
    glass: Plane,
    owners: Ints,
    room: str | None,
) -> Picture:
    """Return a mirror's picture.

    It has shadows unless it is small or something across the mirror's plane is in the way.
    """
    if canvas.quality.shadows and owners.size > FEW:
        uncut, _ = canvas.owners(behind, shown, window)
        if float((uncut != owners).mean()) <= STRAY:
            return canvas.colours(behind, shown, window, room=room)
    return canvas.colours(behind, shown, window, room=room, beyond=glass)


def _paste(picture: Picture, drawn: Picture, window: Box, part: Mask) -> None:
    x0, y0, x1, y1 = window
    here = picture[y0:y1, x0:x1]
    mixed = SHINE * drawn[part].astype(np.float32) + (1 - SHINE) * here[part]
    here[part] = np.clip(mixed + 0.5, 0, 255).astype(np.uint8)


def before(built: Built, glass: Plane) -> Mask:
    """Tell which geometry reaches before a mirror's plane, by its box."""
    point, normal = glass
    turned = built.data.geom_xmat.reshape(-1, 3, 3)
    centre, half = built.model.geom_aabb[:, :3], built.model.geom_aabb[:, 3:]
    along = np.einsum("i,gij->gj", normal, turned)
    middle = (built.data.geom_xpos - point) @ normal + (along * centre).sum(axis=1)
    reach: Mask = middle + (np.abs(along) * half).sum(axis=1) > 1e-6
    return reach


def box(mask: Mask) -> Box:
    """Return the box around a mask's pixels: x0, y0, x1, y1, the latter outside."""
    rows, columns = np.flatnonzero(mask.any(axis=1)), np.flatnonzero(mask.any(axis=0))
    return (int(columns[0]), int(rows[0]), int(columns[-1]) + 1, int(rows[-1]) + 1)


def _lit(built: Built, owners: Ints, near: Mask, room: str | None) -> Mask:
    """Return what a picture needs: what it shows, walls, and what casts shadows in its room.

    `near` is what may be seen in it.
    """
    inner = built.scene.room.get(room or "")
    if inner is None:
        return everything(built)
    shown = np.zeros(built.model.ngeom, bool)
    shown[np.unique(owners[owners >= 0])] = True
    casts = _at(built, inner) & (built.model.geom_rbound > CASTS)
    result: Mask = shown | casts | _walls(built, near, inner)
    return result


def _walls(built: Built, near: Mask, lit: Room) -> Mask:
    """Return the walls that light from a room's lamp may meet on its way to what is shown.

    They are those of that room, of the rooms next to it and of those that may be seen into: what
    leaves the first two by a door is stopped at the last.
    """
    doors = [door.rooms for door in built.scene.doors if lit.name in door.rooms]
    beside = {lit.name, *(name for pair in doors for name in pair)}
    kept = [at for at, room in enumerate(built.scene.rooms) if room.name in beside]
    result: Mask = (built.thing < 0) & np.isin(built.room, [*kept, *built.room[near]])
    return result


def _at(built: Built, room: Room) -> Mask:
    """Tell which geometry may reach into a room, by the balls around it."""
    at, far = built.data.geom_xpos[:, :2], built.model.geom_rbound[:, None]
    result: Mask = ((at + far > room.low) & (at - far < room.high)).all(axis=1)
    return result


def _mirrors(images: Images) -> list[int]:
    return [int(index) for index in np.unique(images.mirror) if index >= 0]


def _take(table: Ints, owners: Ints) -> Ints:
    return np.append(table, np.int32(-1))[owners]


def _none(owners: Ints) -> Ints:
    return np.full(owners.shape, -1, np.int32)
