"""Turns a draft (`pieces`) into a scene: rooms, things with boxes and meshes, and a start.

A thing's box lies along the world's axes, or along the thing's own if that box is clearly smaller.
Its triangles become meshes, named by digests of their content. An open mesh gets back faces, so
that pictures and rays show it from both sides. A thin thing that shares a surface with a wall or
floor is moved off it a little, so that each pixel shows one of them (no z-fighting).
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from worldquiz_scenes.arrays import Floats, later, np
from worldquiz_scenes.cameras import matrix
from worldquiz_scenes.errors import SceneError
from worldquiz_scenes.files import refused
from worldquiz_scenes.furniture import is_plausible
from worldquiz_scenes.generate import named
from worldquiz_scenes.geometry import Extent, extent_of, rounded
from worldquiz_scenes.importing import names
from worldquiz_scenes.importing.floorplan import House, house
from worldquiz_scenes.importing.pieces import Draft, Named, Surface, about_z, painted
from worldquiz_scenes.locomotion import Ground, StepGraph, wrapped
from worldquiz_scenes.meshes import MeshForm, digest_of
from worldquiz_scenes.scene import (
    CEILING,
    FLOOR,
    UNKNOWN,
    UPRIGHT,
    WALL,
    Part,
    Quat,
    Room,
    Scene,
    Shape,
    Thing,
    below,
)

spatial, trimesh = (later(name) for name in ("scipy.spatial", "trimesh"))

MOST_FACES = 2_000_000  # most triangles of a scene
MESHES = "meshes"  # subfolder of a scene's folder for its meshes
THINNEST = 5e-4  # fewest metres of a part's half lengths: flat pictures are this thin
SMALLEST = 1e-3  # metres below which a thing counts as without size
FARTHEST = 1e5  # metres from the origin beyond which a position must be a mistake
TIGHTER = 0.85  # share of the upright box's volume below which a thing's own box is used
GLASS = (0.92, 0.95)  # width and height of a mirror's glass as shares of its front
DEEP = 0.35  # depth of a mirror / its width: deeper things have no glass that we can find
STYLE = "imported"
SOME = 3  # things that a note names, among those left out for one reason
OFF = 0.003  # metres between a flat thing and the wall or floor that it lies on
FLAT = 0.003  # most metres of thickness of a flat thing
NEAR, LOOSE = 0.03, 0.12
"""Most metres between a thing's foot and its support; LOOSE applies if nothing is within NEAR."""
AT_WALL, AT_CEILING = 0.12, 0.2  # metres within which things without a support hang there
BEYOND = 0.06  # most metres that a thing hung on a wall may lie inside it


@dataclass(frozen=True)
class Imported:
    """A scene from a file, with the meshes that its parts name."""

    scene: Scene
    forms: dict[str, MeshForm]  # by the names in parts
    notes: tuple[str, ...]  # what was left out or changed
    warnings: tuple[str, ...]  # reasons why tasks may be few or odd
    credit: str
    labels: dict[str, str]  # of the file's names; "" for an unknown name


def assembled(draft: Draft, file: Path) -> Imported:
    """Return a draft as a scene. Raises `FileError` if the draft cannot become a scene."""
    home, moved = house(draft, file)
    maker = _Maker(home, file)
    for item in moved:
        maker.add(item)
    if not maker.things:
        raise refused(
            file, "", "has no thing within its rooms", "check its unit (--unit) and its floor"
        )
    once = {(each.label, each.position, each.half): each for each in maker.things}
    if len(once) < len(maker.things):
        maker.notes.append("things that the file holds twice in one place were added once")
    things = named(supported([*once.values()], home), [room.name for room in home.rooms])
    scene = Scene(draft.id, 0, STYLE, home.height, home.rooms, home.doors, things, (0.0, 0.0, 0.0))
    scene = replace(scene, start=start(scene, home.start, file))
    outside, more = ", ".join(map(repr, maker.outside[:SOME])), len(maker.outside) - SOME
    left = f"in no room, so left out: {outside}" + (f" and {more} more" if more > 0 else "")
    told = (*draft.notes, *home.notes, *maker.notes, *([left] if outside else []))
    notes, warnings = tuple(dict.fromkeys(told)), tuple(doubts(scene))
    return Imported(scene, maker.forms, notes, warnings, draft.credit, maker.labels)


def doubts(scene: Scene) -> Iterator[str]:
    """Yield warnings about an imported scene, each with a fix."""
    if strange := [thing for thing in scene.things if not thing.has_label]:
        known = sorted({thing.label.removeprefix(f"{UNKNOWN} ") for thing in strange})
        yield (
            f"{len(strange)} of {len(scene.things)} things have names that are not known, or "
            f"that do not fit their size ({', '.join(known)}): tasks that use labels leave them "
            "out; rename them in the program that made the file, and import it again"
        )
    ground = Ground(scene)
    reached = {ground.room(x, y) for x, y in ground.grid.points.tolist()}
    rooms = dict.fromkeys(room.whole for room in scene.rooms)  # the parts of one count as one
    whole = {scene.room[name].whole for name in reached if name}
    if cut := [name for name in rooms if name not in whole]:
        yield (
            f"{len(cut)} of {len(rooms)} rooms cannot be walked to ({', '.join(cut)}): draw doors "
            "or gaps in the walls, or no agent will see them"
        )


def reasonable(draft: Draft, file: Path) -> None:
    """Refuse points that are not finite or too far away, and a scene with too many triangles."""
    for item in draft.items:
        if not np.isfinite(item.points).all() or np.abs(item.points).max() > FARTHEST:
            raise refused(
                file, f"node {item.name!r}", "has a position that is not finite or too far away",
                "correct its pose and scale",
            )  # fmt: skip
    counts = {item.name: sum(len(piece.faces) for piece in item.pieces) for item in draft.items}
    total, most = sum(counts.values()), max(counts, key=lambda name: counts[name], default="")
    if total > MOST_FACES:
        raise refused(
            file, f"node {most!r}", f"has {counts[most]:,} of {total:,} faces; the limit is "
            f"{MOST_FACES:,} in all", "decimate it in the program that made it",
        )  # fmt: skip


class _Maker:
    """Collects things and their meshes, each mesh once."""

    def __init__(self, home: House, file: Path) -> None:
        self.home, self.file = home, file
        self.labels: dict[str, str] = {}
        self.things: list[Thing] = []
        self.forms: dict[str, MeshForm] = {}
        self.notes: list[str] = []
        self.outside: list[str] = []  # names of items that lie in no room

    def add(self, item: Named) -> None:
        """Add an item as a thing, if it lies within a room."""
        size = item.high - item.low
        if size.max() < SMALLEST or not any(piece.area > 0 for piece in item.pieces):
            raise refused(
                self.file, f"node {item.name!r}", "has no size (its mesh is a point or a line)",
                "delete it, or apply its scale",
            )  # fmt: skip
        if not item.label:
            self.notes.append("shapes without a name were left out")
            return
        middle = (item.low + item.high) / 2
        room = self.home.room(float(middle[0]), float(middle[1]))
        if room is None or item.low[2] > self.home.height or item.high[2] < 0.001:
            self.outside.append(item.name)
            return
        label = item.label if item.label in names.KNOWN else ""
        if label and not is_plausible(label, float(size.max())):
            self.notes.append(f"{item.name!r} is {size.max():.1f} m long, unlike any {label}")
            label = ""
        if item.term:
            self.labels[item.term] = label
        self.things.append(lifted(self._thing(item, label, room), room))

    def _thing(self, item: Named, label: str, room: Room) -> Thing:
        rotation = _facing(item, room) if label == "mirror" else frame(item)
        axes = matrix(rotation)
        inner = item.points @ axes
        low, high = inner.min(axis=0), inner.max(axis=0)
        at = rounded(axes @ ((low + high) / 2))
        a, b, c = rounded(np.maximum((high - low) / 2, SMALLEST / 2))
        glass = None
        if label == "mirror" and b <= DEEP * min(a, c):
            glass = (round(a * GLASS[0], 6), round(c * GLASS[1], 6))
        elif label == "mirror":
            self.notes.append(f"{item.name!r} is too deep for a mirror and does not reflect")
        main = item.looks
        return Thing(
            f"{len(self.things):05d}",
            label or f"unknown {item.term}".removesuffix(" "),
            names.KNOWN.get(label, UNKNOWN),
            room.name,
            at,
            rotation,
            (a, b, c),
            parts_of(item.pieces, self.forms, axes, np.array(at)),
            painted(main.looks, main.material, main.alpha),
            item.support or "",
            glass,
            item.credit,
        )


def parts_of(
    pieces: Sequence[Surface], forms: dict[str, MeshForm], axes: Floats, middle: Floats
) -> tuple[Part, ...]:
    """Return surfaces as parts in a thing's frame (`axes`, `middle`); add meshes to `forms`."""
    parts = []
    for piece in _joined(pieces):
        inner = (piece.points - middle) @ axes
        used = inner[np.unique(piece.faces)]
        low, high = used.min(axis=0), used.max(axis=0)
        form = _form(inner - (low + high) / 2, piece)
        name = f"{MESHES}/{digest_of(form)[:20]}.npz"
        forms.setdefault(name, form)
        half = rounded(np.maximum((high - low) / 2, THINNEST))
        paint = painted(piece.looks, piece.material, piece.alpha)
        parts.append(Part(Shape.MESH, rounded((low + high) / 2), half, paint, UPRIGHT, name))
    return tuple(parts)


def frame(item: Named) -> Quat:
    """Return the rotation of a thing's box: upright, or the thing's own if its box is smaller."""
    best, volume = UPRIGHT, _volume(item.points, np.eye(3))
    for turn in (_yaw(item.axes), item.axes):
        rotation = quaternion(turn)
        other = _volume(item.points, matrix(rotation))
        if other < TIGHTER * volume:
            best, volume = rotation, other
    return best


def _volume(points: Floats, axes: Floats) -> float:
    return float(np.prod(np.maximum(np.ptp(points @ axes, axis=0), 0.01)))


def _yaw(axes: Floats) -> Floats:
    """Return the rotation about z that is nearest to a rotation (3 x 3)."""
    level = max(range(3), key=lambda k: (round(float(np.hypot(*axes[:2, k])), 6), -k))
    return about_z(math.atan2(axes[1, level], axes[0, level]))


def _facing(item: Named, room: Room) -> Quat:
    """Return a mirror's upright rotation: thin along y, with its front (-y) towards the room."""
    turn = min((np.eye(3), _yaw(item.axes)), key=lambda each: round(_volume(item.points, each), 6))
    size = np.ptp(item.points @ turn, axis=0)
    normal = turn[:, 0] if size[0] < size[1] else turn[:, 1]
    middle = (item.low + item.high) / 2
    inward = np.array([(a + b) / 2 for a, b in zip(room.low, room.high, strict=True)]) - middle[:2]
    if normal[:2] @ inward > 0:
        normal = -normal
    # the frame's y is away from the room: -y looks into it
    return quaternion(about_z(math.atan2(normal[1], normal[0]) - math.pi / 2))


def quaternion(turn: Floats) -> Quat:
    """Return a rotation matrix as a quaternion, w not negative, rounded and of length 1."""
    x, y, z, w = spatial.transform.Rotation.from_matrix(turn).as_quat(canonical=True).tolist()
    w, x, y, z = (round(value, 9) + 0.0 for value in (w, x, y, z))
    return UPRIGHT if max(abs(x), abs(y), abs(z)) < 1e-7 else (w, x, y, z)


def _joined(pieces: Sequence[Surface]) -> Iterator[Surface]:
    """Yield surfaces, after joining those that look the same."""
    groups: dict[object, list[Surface]] = {}
    for piece in pieces:
        skin = id(piece.texture) if piece.texture is not None else None
        groups.setdefault((piece.rgb, piece.alpha, piece.material, skin), []).append(piece)
    for some in groups.values():
        starts = np.cumsum([0, *(len(each.points) for each in some[:-1])])
        faces = [each.faces + start for each, start in zip(some, starts, strict=True)]
        uv = [each.uv for each in some if each.uv is not None]
        yield replace(
            some[0],
            points=np.concatenate([each.points for each in some]),
            faces=np.concatenate(faces).astype(np.int32),
            uv=np.concatenate(uv) if uv else None,
        )


def _form(points: Floats, surface: Surface) -> MeshForm:
    """Return triangles as a mesh, without empty triangles; an open mesh gets back faces."""
    a, b, c = (points[surface.faces[:, k]] for k in range(3))
    flat = np.linalg.norm(np.cross(b - a, c - a), axis=1) <= 1e-12
    faces: Any
    used, faces = np.unique(
        surface.faces[:1] if flat.all() else surface.faces[~flat], return_inverse=True
    )
    faces = faces.reshape(-1, 3).astype(np.int32)
    points = np.round(points[used], 6)
    uv = None if surface.uv is None else surface.uv[used]
    mesh = trimesh.Trimesh(points, faces, process=False)
    mesh.merge_vertices(merge_tex=True, merge_norm=True)
    if not (mesh.is_watertight and mesh.is_winding_consistent):
        faces = np.concatenate([faces, faces[:, ::-1] + len(points)]).astype(np.int32)
        points = np.concatenate([points, points])
        uv = None if uv is None else np.concatenate([uv, uv])
    elif mesh.volume <= 0:  # its faces look inward
        faces = np.ascontiguousarray(faces[:, ::-1]).astype(np.int32)
    return MeshForm(
        points.astype(np.float32), faces, None if uv is None else uv.astype(np.float32),
        None if uv is None else faces, surface.texture,
    )  # fmt: skip


def lifted(thing: Thing, room: Room) -> Thing:
    """Return a thing moved a little off a floor or wall with which it would share a surface."""
    low, high = extent_of(thing)
    shift = [0.0, 0.0, OFF - high[2] if high[2] < OFF else 0.0]
    for k in (0, 1):
        if high[k] - low[k] > FLAT:
            continue
        if -BEYOND < low[k] - room.low[k] < OFF:
            shift[k] = room.low[k] + OFF - low[k]
        elif -BEYOND < room.high[k] - high[k] < OFF:
            shift[k] = room.high[k] - OFF - high[k]
    if not any(shift):
        return thing
    x, y, z = (round(at + by, 6) for at, by in zip(thing.position, shift, strict=True))
    return replace(thing, position=(x, y, z))


def supported(things: Sequence[Thing], home: House) -> list[Thing]:
    """Return things with their supports: another thing, else floor, wall or ceiling.

    If things would carry each other in a circle, one of them stands on the floor instead.
    """
    extents = {thing.id: extent_of(thing) for thing in things}
    by_id = {
        thing.id: replace(thing, support=thing.support or _support(thing, extents, home))
        for thing in things
    }
    for id in sorted(by_id, key=lambda id: (-extents[id].low[2], id)):
        if below(id, by_id)[-1] in by_id:
            by_id[id] = replace(by_id[id], support=FLOOR)
    return [by_id[thing.id] for thing in things]


def _support(thing: Thing, extents: dict[str, Extent], home: House) -> str:
    low, high = extents[thing.id]
    if low[2] <= NEAR:
        return FLOOR
    x, y = (low[0] + high[0]) / 2, (low[1] + high[1]) / 2
    carriers = [  # by how far the foot is from their top; a thing on a shelf is in the shelf's box
        (abs(low[2] - other.high[2]), name, low[2] <= other.high[2] + NEAR)
        for name, other in extents.items()
        if name != thing.id
        and other.low[0] < x < other.high[0]
        and other.low[1] < y < other.high[1]
        and other.low[2] + NEAR < low[2] <= other.high[2] + LOOSE
    ]
    if near := [each for each in carriers if each[2]]:
        return min(near)[1]
    room = next(room for room in home.rooms if room.name == thing.room)
    gaps = (gap for k in (0, 1) for gap in (low[k] - room.low[k], room.high[k] - high[k]))
    if min(map(abs, gaps)) <= AT_WALL:
        return WALL
    if carriers:
        return min(carriers)[1]
    hangs = home.height - high[2] <= AT_CEILING or low[2] > 1.5
    return CEILING if hangs else FLOOR


def start(
    scene: Scene, wanted: tuple[float, float, float] | None, file: Path
) -> tuple[float, float, float]:
    """Return an agent's start: near the file's own, else in the room with most things.

    Raises `FileError` if no spot is free for an agent.
    """
    ground = Ground(scene)
    try:
        spots = StepGraph(ground, widest=True).points
    except SceneError as error:
        raise refused(
            file, "", "leaves no free floor for an agent to stand on",
            "remove some furniture, or check its unit (--unit)",
        ) from error  # fmt: skip
    if wanted is not None:
        far = np.hypot(*(spots - wanted[:2]).T)
        x, y = spots[int(far.argmin())].tolist()
        if far.min() <= 1.5:
            return (round(x, 4), round(y, 4), round(wrapped(wanted[2]), 6))
    room = scene.room[max(scene.room, key=Counter(each.room for each in scene.things).__getitem__)]
    within = ((spots >= room.low) & (spots <= room.high)).all(axis=1)
    clear = np.minimum(ground.clearance(spots), 1.0) + within
    x, y = spots[int(np.argmax(clear))].tolist()
    ways = [wrapped(eighth * math.pi / 4) for eighth in range(8)]
    ahead = max(ways, key=lambda way: round(ground.reach(x, y, way, 20.0)[0], 3))
    return (round(x, 4), round(y, 4), round(ahead, 6))
