"""Contents of a camera's view: pictures, the things in them, and reflections in mirrors.

A mirror is one more view, from behind its glass: the camera is reflected at the mirror's plane, and
its picture of the space beyond that plane, flipped from left to right, fills the mirror's pixels.
Mirrors inside mirrors stay dark.

Visibility compares a thing with itself: with the pixels that it alone would fill, drawn without
anything else by the same lens. Pixels beyond the picture's edges count too, as far as `WIDE`
pictures away, so a thing that is cut off is not wholly visible. In a mirror it is compared with
what a mirror without edges would show of it.
"""

from __future__ import annotations

from dataclasses import replace
from math import ceil, floor

from worldquiz_scenes.arrays import Depths, Floats, Ints, Mask, Picture, Plane, later, np
from worldquiz_scenes.build import NEAR, Built
from worldquiz_scenes.cameras import Images, corners, focal, into, plane, rays, reflect
from worldquiz_scenes.outside import outlook, outside
from worldquiz_scenes.rays import Caster, recast
from worldquiz_scenes.render import Canvas, inside, owning
from worldquiz_scenes.scene import Thing
from worldquiz_scenes.shading import daylights, developed
from worldquiz_scenes.view import BODY, Box, Camera, Reflection, Sighting

ndimage = later("scipy.ndimage")

Eyes = Canvas | Caster
"""What tells which geometry each pixel shows: by OpenGL, or by rays."""
SHINE = 0.92
"""How much of a mirror's colour is what it reflects."""
CASTS = 0.04
"""Metres: what is smaller casts no shadow unless it is seen."""
FEW = 2500
"""Pixels: a mirror that fills fewer shows no shadows."""
STRAY = 0.002
"""Share of a mirror's pixels that things across its plane may hide before shadows are given up."""
WIDE = 1
"""How many pictures beyond each edge a thing is followed."""
FIGURE_X, FIGURE_Z = (-0.3, 0.3), (0.0, 1.7)
"""Metres that the agent's figure reaches at most."""
DIGITS = 4
"""Of metres and shares."""


def look(
    eyes: Eyes,
    camera: Camera,
    *,
    room: str | None = None,
    self_seen: bool = True,
    colours: bool = True,
    mirrors: bool = True,
) -> Images:
    """Return all that a camera shows; colours only where asked for, and only from a `Canvas`.

    `room` is the one whose lamp casts shadows; `self_seen` is false for the agent's own eyes, whose
    figure then is seen in mirrors alone. What mirrors show is left out where it is not asked for.
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
        np.full(owners.shape, -1, np.int32),
        _take(built.figure.astype(np.int32), owners) == 1,
    )
    picture = None
    if colours and isinstance(eyes, Canvas):
        full = (0, 0, camera.width, camera.height)
        lit = shown & _lit(built, owners, room)
        drawn = eyes.colours(camera, lit, room=room)
        picture = _finished(eyes, drawn, owners, depth, camera, full)
    glasses = np.unique(built.mirror[owning(built, owners)]) if mirrors else np.empty(0, int)
    for index in glasses[glasses >= 0]:
        _reflect(eyes, camera, int(index), images, picture, room)
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
    """Fill in the picture that one mirror shows."""
    built = eyes.built
    glass = plane(built.scene.thing[built.mirrors[index]])
    mask = images.mirror == index
    x0, y0, x1, y1 = window = box(mask)
    behind = reflect(camera, glass)
    flipped = (camera.width - x1, y0, camera.width - x0, y1)
    seen = inside(built, behind, flipped)
    shown = (built.mirror != index) & seen & before(built, glass)
    owners, depth = eyes.owners(behind, shown, flipped, beyond=glass)
    part = mask[y0:y1, x0:x1]
    images.reflected[y0:y1, x0:x1][part] = _take(built.thing, owners)[:, ::-1][part]
    if picture is not None and isinstance(eyes, Canvas):
        lit = (built.mirror != index) & before(built, glass)
        lit &= _lit(built, owners, room)
        drawn = _coloured(eyes, behind, lit, flipped, glass, owners, room)
        drawn = _finished(eyes, drawn, owners, depth, behind, flipped)[:, ::-1]
        _paste(picture, drawn, window, part)


def _finished(
    canvas: Canvas, drawn: Picture, owners: Ints, depth: Depths, camera: Camera, window: Box
) -> Picture:
    """Return a drawn picture with corners, daylight, soft highlights and what is outside."""
    if not canvas.quality.developed:
        return drawn.copy()
    scene = canvas.built.scene
    picture = developed(drawn, depth, camera, window, daylights(scene))
    rows, columns = np.nonzero(np.append(canvas.built.pane, True)[owners])
    directions = rays(camera, (columns + window[0]).astype(float), (rows + window[1]).astype(float))
    picture[rows, columns] = outlook(outside(scene.seed), directions)
    return picture


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


def _lit(built: Built, owners: Ints, room: str | None) -> Mask:
    """Return what a picture needs: what it shows, walls, and what casts shadows in a room."""
    inner = built.scene.room.get(room or "")
    if inner is None:
        return everything(built)
    at, ball = built.data.geom_xpos[:, :2], built.model.geom_rbound[:, None]
    within = ((at + ball > inner.low) & (at - ball < inner.high)).all(axis=1)
    casts = within & (built.model.geom_rbound > CASTS)
    walls = (built.thing < 0) & ~built.figure
    result: Mask = owning(built, owners) | casts | walls
    return result


def _take(table: Ints, owners: Ints) -> Ints:
    return np.take(np.append(table, np.int32(-1)), owners)


def sightings(
    eyes: Eyes, camera: Camera, images: Images
) -> tuple[tuple[Sighting, ...], tuple[Reflection, ...]]:
    """Return what a view shows directly, by thing, and what in mirrors, by thing and mirror.

    All are there, down to a single pixel: `view.shown` tells which are clear enough to ask about.
    The agent's own figure is among them under the name `BODY`.
    """
    seen = [_sighting(eyes, camera, images, *each) for each in spots(images.instances)]
    if images.figure.any():
        seen.append(_body(eyes, camera, images))
    mirrored = _reflections(eyes, camera, images)
    return (
        tuple(sorted(seen, key=lambda each: each.thing)),
        tuple(sorted(mirrored, key=lambda each: (each.thing, each.mirror))),
    )


def spots(instances: Ints) -> list[tuple[int, Box]]:
    """Return the box of each index that an image holds."""
    found = enumerate(ndimage.find_objects(instances + 1))
    return [(index, _window(*spot)) for index, spot in found if spot is not None]


def _window(rows: slice, columns: slice) -> Box:
    return (columns.start, rows.start, columns.stop, rows.stop)


def _sighting(eyes: Eyes, camera: Camera, images: Images, index: int, spot: Box) -> Sighting:
    built = eyes.built
    x0, y0, x1, y1 = spot
    mask = images.instances[y0:y1, x0:x1] == index
    depths = images.depth[y0:y1, x0:x1][mask]
    window = reach(built.scene.thing[built.ids[index]], camera)
    whole = alone(eyes, camera, built.thing == index, window)
    return _seen(built.ids[index], spot, depths, whole)


def _body(eyes: Eyes, camera: Camera, images: Images) -> Sighting:
    """Return how a view shows the agent's own figure."""
    built = eyes.built
    at = np.array([*built.data.mocap_pos[0][:2], 0.0])
    points = at + np.array([[x, y, z] for x in FIGURE_X for y in FIGURE_X for z in FIGURE_Z])
    whole = alone(eyes, camera, built.figure, _reach(points, camera))
    return _seen(BODY, box(images.figure), images.depth[images.figure], whole)


def _seen(name: str, spot: Box, depths: Depths, whole: tuple[int, bool]) -> Sighting:
    alone, beyond = whole
    depth = round(float(np.median(depths)), DIGITS)
    return Sighting(name, len(depths), _visible(len(depths), alone), spot, depth, beyond)


def _visible(pixels: int, alone: int) -> float:
    """Return the share that pixels are of what a thing alone would fill, 0..1."""
    return round(min(1.0, pixels / max(alone, pixels)), DIGITS)


def alone(
    eyes: Eyes, camera: Camera, shown: Mask, window: Box, *, beyond: Plane | None = None
) -> tuple[int, bool]:
    """Return how many pixels some geometry alone would fill, and whether some are out of sight.

    The count is exact for what fits the picture, else of every so many pixels. Geometry behind the
    plane `beyond` does not count.
    """
    x0, y0, x1, y1 = window
    scale = max(ceil((x1 - x0) / camera.width), ceil((y1 - y0) / camera.height))
    x1, y1 = x0 + ceil((x1 - x0) / scale) * scale, y0 + ceil((y1 - y0) / scale) * scale
    filled = eyes.filled(camera, shown, (x0, y0, x1, y1), scale, beyond=beyond)
    count = int(filled.sum())
    if x0 >= 0 and y0 >= 0 and x1 <= camera.width and y1 <= camera.height:
        return count, False
    columns = x0 + scale * np.arange(filled.shape[1]) + scale // 2
    rows = y0 + scale * np.arange(filled.shape[0]) + scale // 2
    within = filled[(rows >= 0) & (rows < camera.height)][
        :, (columns >= 0) & (columns < camera.width)
    ]
    return count * scale**2, int(within.sum()) < count


def reach(thing: Thing, camera: Camera) -> Box:
    """Return the part of the (widened) picture that a thing's box may touch."""
    return _reach(corners(thing), camera)


def _reach(corners: Floats, camera: Camera) -> Box:
    wide, high = camera.width, camera.height
    limits = (-WIDE * wide, -WIDE * high, (1 + WIDE) * wide, (1 + WIDE) * high)
    points = into(camera, corners)
    if (points[:, 2] <= 2 * NEAR).any():
        return limits
    across = points[:, 0] / points[:, 2] * focal(camera) + wide / 2
    below = points[:, 1] / points[:, 2] * focal(camera) + high / 2
    x0, x1 = (min(max(at, limits[0]), limits[2]) for at in (across.min(), across.max()))
    y0, y1 = (min(max(at, limits[1]), limits[3]) for at in (below.min(), below.max()))
    return (floor(x0) - 1, floor(y0) - 1, ceil(x1) + 1, ceil(y1) + 1)


def _reflections(eyes: Eyes, camera: Camera, images: Images) -> list[Reflection]:
    built, found = eyes.built, []
    for index in np.unique(images.mirror[images.reflected >= 0]):
        mirror = built.mirrors[index]
        glass = plane(built.scene.thing[mirror])
        behind = reflect(camera, glass)
        shown = np.where(images.mirror == index, images.reflected, -1)
        for thing, place in spots(shown):
            pixels, id = int((shown == thing).sum()), built.ids[thing]
            window = reach(built.scene.thing[id], behind)
            whole, _ = alone(eyes, behind, built.thing == thing, window, beyond=glass)
            found.append(Reflection(id, mirror, pixels, _visible(pixels, whole), place))
    return found
