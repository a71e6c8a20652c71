"""Contents of a camera's view: pictures, the things in them, and reflections in mirrors.

A mirror's picture is that of a second camera: the first one, reflected in the mirror's plane. Its
view of the space before the mirror, flipped from left to right, fills the mirror's pixels. Mirrors
inside mirrors are blank.

The visibility of a thing is the number of pixels that show it, as a share of those that it would
fill if it alone were drawn. The latter include pixels up to `WIDE` pictures beyond the edges, so a
thing that is cut off is not fully visible. In a mirror, the latter ignore the mirror's edges.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from math import ceil, floor

from worldquiz_scenes.arrays import Depths, Floats, Ints, Mask, Picture, Plane, later, marked, np
from worldquiz_scenes.build import NEAR, Built
from worldquiz_scenes.cameras import (
    Crop,
    Images,
    corners,
    focal,
    into,
    plane,
    rays,
    reflect,
    whole,
)
from worldquiz_scenes.render import Canvas, Caster, inside, owning, reaching, recast
from worldquiz_scenes.shading import cleaned, daylights, developed, outlook, outside
from worldquiz_scenes.view import BODY, Box, Camera, Reflection, Sighting

ndimage = later("scipy.ndimage")

Eyes = Canvas | Caster  # finds the geometry that each pixel shows, by OpenGL or by rays
SHINE = 0.92  # share of a mirror's colour that is its reflection
CASTS = 0.04  # metres: smaller things cast no shadow unless they are seen
FEW = 2500  # pixels: a mirror with fewer shows no shadows
STRAY = 0.002  # share of a mirror's pixels that things across its plane may fill
WIDE = 1  # pictures beyond each edge in which a thing's pixels count
FIGURE_X, FIGURE_Z = (-0.8, 0.8), (0.0, 1.7)  # metres: reach of the agent's figure
DIGITS = 4  # of metres and shares


@dataclass
class Still:
    """Cache of drawings by cameras that do not move.

    For each camera, `empty` holds owners and depths (m) without the agent's figure. `alone` holds
    results of `_alone` by camera, thing, and the mirror that shows it (None: seen directly).
    """

    empty: dict[Camera, tuple[Ints, Depths]] = field(default_factory=dict)
    alone: dict[tuple[Camera, int, int | None], tuple[int, bool]] = field(default_factory=dict)


def look(
    eyes: Eyes,
    camera: Camera,
    *,
    room: str | None = None,
    self_seen: bool = True,
    colours: bool = True,
    mirrors: bool = True,
    still: Still | None = None,
) -> Images:
    """Return the images of a camera; with colours only if requested, and only from a `Canvas`.

    The lamp of `room` casts shadows. `self_seen` is false for the agent's own eyes, which see the
    agent's figure only in mirrors. Without `mirrors`, the content of mirrors is left out. For a
    camera that does not move, pass the same `still` every time, as a cache.
    """
    built, crop = eyes.built, whole(camera)
    shown = everything(built) if self_seen else ~built.figure
    near = shown & inside(built, crop)
    if still is None:
        owners, depth = eyes.owners(crop, near)
    else:
        if camera not in still.empty:
            still.empty[camera] = eyes.owners(crop, near & ~built.figure)
        owners, depth = _nearer(still.empty[camera], eyes.owners(crop, near & built.figure))
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
        drawn = eyes.colours(crop, shown & _lit(built, crop, owners, room), room)
        picture = _finished(eyes, drawn, owners, depth, crop)
    glasses = np.unique(built.mirror[owning(built, owners)]) if mirrors else np.empty(0, int)
    for index in glasses[glasses >= 0]:
        _reflect(eyes, camera, int(index), images, picture, room)
    return replace(images, rgb=picture)


def _nearer(one: tuple[Ints, Depths], two: tuple[Ints, Depths]) -> tuple[Ints, Depths]:
    """Return two drawings (owners, depths in m) merged by depth; if equal, the first counts."""
    second = (two[1] > 0) & ((one[1] == 0) | (two[1] < one[1]))
    return np.where(second, two[0], one[0]), np.where(second, two[1], one[1])


def everything(built: Built) -> Mask:
    """Return a mask of all geometry."""
    return np.ones(built.model.ngeom, bool)


def _take(table: Ints, owners: Ints) -> Ints:
    return np.take(np.append(table, np.int32(-1)), owners)


def _reflect(
    eyes: Eyes,
    camera: Camera,
    index: int,
    images: Images,
    picture: Picture | None,
    room: str | None,
) -> None:
    """Fill in the picture that one mirror shows.

    It has shadows unless it is small, or something that crosses the mirror's plane is in the way.
    """
    built = eyes.built
    glass = plane(built.scene.thing[built.mirrors[index]])
    mask = images.mirror == index
    x0, y0, x1, y1 = box(mask)
    crop = Crop(reflect(camera, glass), (camera.width - x1, y0, camera.width - x0, y1))
    front = (built.mirror != index) & before(built, glass)
    owners, depth = eyes.owners(crop, front & inside(built, crop), glass)
    part = mask[y0:y1, x0:x1]
    images.reflected[y0:y1, x0:x1][part] = _take(built.thing, owners)[:, ::-1][part]
    if picture is None or not isinstance(eyes, Canvas):
        return
    lit, cut = front & _lit(built, crop, owners, room), True
    if not eyes.plain and owners.size > FEW:
        cut = float((eyes.owners(crop, lit)[0] != owners).mean()) > STRAY
    drawn = eyes.colours(crop, lit, room, glass if cut else None)
    drawn = _finished(eyes, drawn, owners, depth, crop)[:, ::-1]
    here = picture[y0:y1, x0:x1]
    mixed = SHINE * drawn[part].astype(np.float32) + (1 - SHINE) * here[part]
    here[part] = np.clip(mixed + 0.5, 0, 255).astype(np.uint8)


def _finished(canvas: Canvas, drawn: Picture, owners: Ints, depth: Depths, crop: Crop) -> Picture:
    """Return a drawn picture with the corrections of `shading`, and views from windows."""
    if canvas.plain:
        return drawn.copy()
    scene = canvas.built.scene
    picture = cleaned(drawn, owners, canvas.built.even)
    picture = developed(picture, depth, crop, daylights(scene))
    rows, columns = marked(np.append(canvas.built.pane, True)[owners])
    x0, y0, _, _ = crop.box
    directions = rays(crop.camera, (columns + x0).astype(float), (rows + y0).astype(float))
    picture[rows, columns] = outlook(outside(scene.seed), directions)
    return picture


def before(built: Built, glass: Plane) -> Mask:
    """Return a mask of the geometry that lies, at least in part, before a mirror's plane."""
    point, normal = glass
    result: Mask = reaching(built, normal[None])[0] > normal @ point + 1e-6
    return result


def box(mask: Mask) -> Box:
    """Return the box around a mask's pixels: x0, y0, x1, y1, with x1 and y1 outside."""
    rows, columns = np.flatnonzero(mask.any(axis=1)), np.flatnonzero(mask.any(axis=0))
    return (int(columns[0]), int(rows[0]), int(columns[-1]) + 1, int(rows[-1]) + 1)


def _lit(built: Built, crop: Crop, owners: Ints, room: str | None) -> Mask:
    """Return a mask of the geometry that a picture needs: visible, wall, or casting a shadow."""
    inner = built.scene.room.get(room or "")
    if inner is None:
        return everything(built)
    at, ball = built.data.geom_xpos[:, :2], built.model.geom_rbound[:, None]
    within = ((at + ball > inner.low) & (at - ball < inner.high)).all(axis=1)
    casts = within & (built.model.geom_rbound > CASTS)
    walls = (built.thing < 0) & ~built.figure
    lamp = built.data.light_xpos[built.lamps.index(inner.name)]
    result: Mask = owning(built, owners) | ((walls | casts) & inside(built, crop, lamp))
    return result


def sightings(
    eyes: Eyes, camera: Camera, images: Images, still: Still | None = None
) -> tuple[tuple[Sighting, ...], tuple[Reflection, ...]]:
    """Return the things that a view shows directly, by id, and those in mirrors, by id and mirror.

    A single pixel is enough; `view.shown` returns how clearly a thing is seen. The agent's own
    figure is included under the name `BODY`. For a camera that does not move, pass the same `still`
    every time.
    """
    built, seen, mirrored = eyes.built, [], []
    still = still or Still()
    for index, spot in spots(images.instances):
        x0, y0, x1, y1 = spot
        mask = images.instances[y0:y1, x0:x1] == index
        depths = images.depth[y0:y1, x0:x1][mask]
        seen.append(_sighting(built.ids[index], spot, depths, *_thing(eyes, camera, index, still)))
    if images.figure.any():
        at = np.array([*built.data.mocap_pos[0][:2], 0.0])
        points = at + np.array([[x, y, z] for x in FIGURE_X for y in FIGURE_X for z in FIGURE_Z])
        alone = _alone(eyes, camera, built.figure, points)
        seen.append(_sighting(BODY, box(images.figure), images.depth[images.figure], *alone))
    for mirror in np.unique(images.mirror[images.reflected >= 0]).tolist():
        reflected = np.where(images.mirror == mirror, images.reflected, -1)
        for index, spot in spots(reflected):
            pixels = int((reflected == index).sum())
            most, _ = _thing(eyes, camera, index, still, mirror)
            share = _share(pixels, most)
            mirrored.append(
                Reflection(built.ids[index], built.mirrors[mirror], pixels, share, spot)
            )
    return (
        tuple(sorted(seen, key=lambda each: each.thing)),
        tuple(sorted(mirrored, key=lambda each: (each.thing, each.mirror))),
    )


def _thing(
    eyes: Eyes, camera: Camera, index: int, still: Still, mirror: int | None = None
) -> tuple[int, bool]:
    """Return the result of `_alone` for a thing, seen directly or in a mirror; it is cached."""
    key = camera, index, mirror
    if key not in still.alone:
        built, glass = eyes.built, None
        if mirror is not None:
            glass = plane(built.scene.thing[built.mirrors[mirror]])
            camera = reflect(camera, glass)
        points = corners(built.scene.thing[built.ids[index]])
        still.alone[key] = _alone(eyes, camera, built.thing == index, points, glass)
    return still.alone[key]


def spots(instances: Ints) -> list[tuple[int, Box]]:
    """Return the bounding box of each index in an image."""
    found = enumerate(ndimage.find_objects(instances + 1))
    return [
        (index, (spot[1].start, spot[0].start, spot[1].stop, spot[0].stop))
        for index, spot in found
        if spot is not None
    ]


def _sighting(name: str, spot: Box, depths: Depths, most: int, beyond: bool) -> Sighting:
    depth = round(float(np.median(depths)), DIGITS)
    return Sighting(name, len(depths), _share(len(depths), most), spot, depth, beyond)


def _share(pixels: int, most: int) -> float:
    """Return a thing's visible share, 0..1: `pixels` of the `most` that it alone would fill."""
    return round(min(1.0, pixels / max(most, pixels)), DIGITS)


def _alone(
    eyes: Eyes, camera: Camera, shown: Mask, points: Floats, beyond: Plane | None = None
) -> tuple[int, bool]:
    """Return how many pixels some geometry would fill if drawn alone, and whether edges cut it.

    The count is exact for geometry no larger than the picture, else an estimate from a grid of
    pixels. Geometry behind the plane `beyond` does not count.
    """
    x0, y0, x1, y1 = reach(points, camera)
    wide, high = camera.width, camera.height
    scale = max(ceil((x1 - x0) / wide), ceil((y1 - y0) / high))
    x1, y1 = x0 + ceil((x1 - x0) / scale) * scale, y0 + ceil((y1 - y0) / scale) * scale
    filled = eyes.filled(Crop(camera, (x0, y0, x1, y1), scale), shown, beyond)
    count = int(filled.sum())
    if x0 >= 0 and y0 >= 0 and x1 <= wide and y1 <= high:
        return count, False
    columns = x0 + scale * np.arange(filled.shape[1]) + scale // 2
    rows = y0 + scale * np.arange(filled.shape[0]) + scale // 2
    within = filled[(rows >= 0) & (rows < high)][:, (columns >= 0) & (columns < wide)]
    return count * scale**2, int(within.sum()) < count


def reach(points: Floats, camera: Camera) -> Box:
    """Return the rectangle of a picture, widened by `WIDE`, that a box with these corners fills."""
    wide, high = camera.width, camera.height
    limits = (-WIDE * wide, -WIDE * high, (1 + WIDE) * wide, (1 + WIDE) * high)
    seen = into(camera, points)
    if (seen[:, 2] <= 2 * NEAR).any():
        return limits
    across = seen[:, 0] / seen[:, 2] * focal(camera) + wide / 2
    below = seen[:, 1] / seen[:, 2] * focal(camera) + high / 2
    x0, x1 = (min(max(at, limits[0]), limits[2]) for at in (across.min(), across.max()))
    y0, y1 = (min(max(at, limits[1]), limits[3]) for at in (below.min(), below.max()))
    return (floor(x0) - 1, floor(y0) - 1, ceil(x1) + 1, ceil(y1) + 1)
