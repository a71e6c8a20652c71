"""Turns a draft into a scene: rooms, things with boxes and meshes, supports, and a start.

A thing's box lies along the axes, or along the thing's own frame where that is clearly tighter. Its
triangles become meshes, named by digests of their content. A mesh that is not closed gets back
faces, so that pictures and rays meet the same surfaces. No two things share a plane, so that each
pixel is of one (no z-fighting): a picture lies a little before the wall that a file puts it on.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from worldquiz_scenes.arrays import Floats, Ints, later, np
from worldquiz_scenes.cameras import matrix
from worldquiz_scenes.generate import named
from worldquiz_scenes.geometry import depth, extent_of, rounded, solid_of
from worldquiz_scenes.importing import names, support_inference
from worldquiz_scenes.importing.floorplan_rooms import House, house
from worldquiz_scenes.importing.label_file import LABELS, Term
from worldquiz_scenes.importing.limits import MOST_FACES, refused
from worldquiz_scenes.importing.pieces import Draft, Named, Surface, about_z, painted
from worldquiz_scenes.meshes import MeshForm, digest_of
from worldquiz_scenes.scene import UNKNOWN, UPRIGHT, Part, Quat, Room, Scene, Shape, Thing, Vec

spatial, trimesh = (later(name) for name in ("scipy.spatial", "trimesh"))

MESHES = "meshes"
"""The folder beneath a scene's that its meshes are in."""
THINNEST = 5e-4
"""Metres of a part's half lengths, at least: flat pictures are drawn this thin."""
SMALLEST = 1e-3
"""Metres below which a thing has no size."""
TIGHTER = 0.85
"""Share of the upright box's volume below which a thing's own box is taken."""
GLASS = (0.92, 0.95)
"""Shares of a mirror's front that its glass is wide and high."""
DEEP = 0.35
"""Depth of a mirror against its width: what is deeper has no glass that we could find."""
STYLE = "imported"
SOME = 3
"""Things that a note names, of those that were left out for one reason."""
OFF = 0.003
"""Metres between a flat thing and the wall or floor that it lies on."""
FLAT = 0.003
"""Metres that a flat thing is thick at most."""
BEYOND = 0.06
"""Metres that a flat thing may lie in a wall and still be meant to hang on it."""
MEET = 0.001
"""Metres of overlap that are no mere touch."""
STEP = 0.002
"""Metres that each side of the smaller one moves in."""


@dataclass(frozen=True)
class Imported:
    """A scene from a file, with the meshes that its parts name."""

    scene: Scene
    forms: dict[str, MeshForm]  # by the names that parts have
    notes: tuple[str, ...]  # what was left out or changed
    credit: str
    terms: Mapping[str, Term] = field(default_factory=dict)  # the file's names of its things


def assembled(draft: Draft, file: Path, labels: Mapping[str, str] | None = None) -> Imported:
    """Return a draft as a scene; `labels` are those that the user gives to its terms.

    Raises `FileError` for what no scene can be made of.
    """
    _faces(draft, file)
    home, moved = house(draft, file)
    maker = _Maker(home, file, labels or {})
    for item in moved:
        maker.add(item)
    if not maker.things:
        raise refused(
            file, "", "has no thing within its rooms", "check its unit (--unit) and its floor"
        )
    things = named(
        support_inference.supported(apart(maker.things), home), [room.name for room in home.rooms]
    )
    scene = Scene(draft.id, 0, STYLE, home.height, home.rooms, home.doors, things, (0.0, 0.0, 0.0))
    scene = replace(scene, start=support_inference.start(scene, home.start, file))
    gone = [f"{LABELS} has a label for {term!r}, which no thing in the scene is called"
            for term in sorted(set(labels or {}) - set(maker.terms))]  # fmt: skip
    told = (*draft.notes, *home.notes, *maker.notes, *maker.outside, *gone)
    return Imported(scene, maker.forms, tuple(dict.fromkeys(told)), draft.credit, maker.terms)


FARTHEST = 1e5
"""Metres from the origin beyond which a position must be a mistake."""


def reasonable(draft: Draft, file: Path) -> None:
    """Refuse items whose points are not finite or are too far away."""
    for item in draft.items:
        if not np.isfinite(item.points).all() or np.abs(item.points).max() > FARTHEST:
            raise refused(
                file, f"node {item.name!r}", "has a position that is not finite or too far away",
                "correct its pose and scale",
            )  # fmt: skip


def _faces(draft: Draft, file: Path) -> None:
    """Refuse a scene of too many triangles, naming the thing that has most."""
    counts = {item.name: sum(len(piece.faces) for piece in item.pieces) for item in draft.items}
    total = sum(counts.values())
    if total > MOST_FACES:
        most = max(counts, key=lambda name: counts[name])
        raise refused(
            file, f"node {most!r}", f"has {counts[most]:,} of {total:,} faces; the limit is "
            f"{MOST_FACES:,} in all", "decimate it in the program that made it",
        )  # fmt: skip


class _Maker:
    """Collects things and their meshes, each mesh once."""

    def __init__(self, home: House, file: Path, labels: Mapping[str, str]) -> None:
        self.home, self.file, self.labels = home, file, labels
        self.terms: dict[str, Term] = {}
        self.things: list[Thing] = []
        self.forms: dict[str, MeshForm] = {}
        self.notes: list[str] = []
        self._outside: list[str] = []

    @property
    def outside(self) -> list[str]:
        """Note on the items left out because they lie in no room, if there are any."""
        some, more = self._outside[:SOME], len(self._outside) - SOME
        rest = f" and {more} more" if more > 0 else ""
        listed = ", ".join(map(repr, some))
        return [f"in no room, so left out: {listed}{rest}"] if some else []

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
            self._outside.append(item.name)
            return
        label = self._label(item)
        named = replace(item, label=label or f"unknown {item.term}".removesuffix(" "))
        category = names.category(label) if label else UNKNOWN
        made = self._thing(named, room, f"{len(self.things):05d}", category)
        self.things.append(lifted(made, room))

    def _label(self, item: Named) -> str:
        """Return the label of an item, "" where nobody knows one, and count its term."""
        own = item.label if item.sure and item.label in names.KNOWN else ""
        if not item.term:
            return own
        label = self.labels.get(item.term, own)
        count = self.terms[item.term].things if item.term in self.terms else 0
        self.terms[item.term] = Term(label, count + 1)
        return label

    def _thing(self, item: Named, room: Room, id: str, category: str) -> Thing:
        mirror = item.label == "mirror"
        rotation = _facing(item, room) if mirror else frame(item)
        axes = matrix(rotation)
        inner = item.points @ axes
        low, high = inner.min(axis=0), inner.max(axis=0)
        middle = axes @ ((low + high) / 2)
        at = rounded(middle)
        half = np.maximum((high - low) / 2, SMALLEST / 2)
        parts = parts_of(item.pieces, self.forms, axes, np.array(at))
        a, b, c = rounded(half)
        main = item.looks
        paint = painted(main.looks, main.material, main.alpha)
        glass = None
        if mirror and b <= DEEP * a and b <= DEEP * c:
            glass = (round(a * GLASS[0], 6), round(c * GLASS[1], 6))
        elif mirror:
            self.notes.append(f"{item.name!r} is too deep for a mirror and does not reflect")
        support = item.support or ""
        return Thing(id, item.label, category, room.name, at, rotation,
                     (a, b, c), parts, paint, support, glass, item.credit)  # fmt: skip


def parts_of(
    pieces: Sequence[Surface], forms: dict[str, MeshForm], axes: Floats, middle: Floats
) -> tuple[Part, ...]:
    """Return surfaces as the parts of a thing with these axes and middle; meshes go to `forms`."""
    return tuple(_part(piece, forms, axes, middle) for piece in _joined(pieces))


def _part(piece: Surface, forms: dict[str, MeshForm], axes: Floats, middle: Floats) -> Part:
    inner = (piece.points - middle) @ axes
    used = inner[np.unique(piece.faces)]
    low, high = used.min(axis=0), used.max(axis=0)
    half = np.maximum((high - low) / 2, THINNEST)
    form = _form(inner - (low + high) / 2, piece)
    name = f"{MESHES}/{digest_of(form)[:20]}.npz"
    forms.setdefault(name, form)
    paint = painted(piece.looks, piece.material, piece.alpha)
    return Part(Shape.MESH, rounded((low + high) / 2), rounded(half), paint, UPRIGHT, name)


def frame(item: Named) -> Quat:
    """Return how a thing's box lies: upright, or as the thing is turned where that is tighter."""
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
    """Return the turn about z alone that is nearest to a frame's."""
    level = max(range(3), key=lambda k: (round(float(np.hypot(*axes[:2, k])), 6), -k))
    return about_z(math.atan2(axes[1, level], axes[0, level]))


def _facing(item: Named, room: Room) -> Quat:
    """Return the upright frame of a mirror: its thin side along y, its front (-y) to the room."""
    turns = [np.eye(3), _yaw(item.axes)]
    turn = min(turns, key=lambda each: round(_volume(item.points, each), 6))
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
    """Yield surfaces, those of equal looks as one."""
    groups: dict[object, list[Surface]] = {}
    for piece in pieces:
        skin = id(piece.texture) if piece.texture is not None else None
        groups.setdefault((piece.rgb, piece.alpha, piece.material, skin), []).append(piece)
    for some in groups.values():
        starts = np.cumsum([0, *(len(each.points) for each in some[:-1])])
        yield replace(
            some[0],
            points=np.concatenate([each.points for each in some]),
            faces=np.concatenate(
                [each.faces + start for each, start in zip(some, starts, strict=True)]
            ).astype(np.int32),
            uv=None
            if some[0].uv is None
            else np.concatenate([each.uv for each in some if each.uv is not None]),
        )


def _form(points: Floats, surface: Surface) -> MeshForm:
    """Return triangles as a mesh: those without area left out, open ones with their back."""
    faces: Any
    used, faces = np.unique(_sound(points, surface.faces), return_inverse=True)
    faces = faces.reshape(-1, 3).astype(np.int32)
    points = np.round(points[used], 6)
    uv = None if surface.uv is None else surface.uv[used]
    closed, outward = _closed(points, faces)
    if closed and not outward:
        faces = np.ascontiguousarray(faces[:, ::-1]).astype(np.int32)
    elif not closed:
        faces = np.concatenate([faces, faces[:, ::-1] + len(points)]).astype(np.int32)
        points = np.concatenate([points, points])
        uv = None if uv is None else np.concatenate([uv, uv])
    return MeshForm(
        points.astype(np.float32), faces, None if uv is None else uv.astype(np.float32),
        None if uv is None else faces, surface.texture,
    )  # fmt: skip


def _sound(points: Floats, faces: Ints) -> Ints:
    """Return the faces that have an area, or one at least."""
    a, b, c = (points[faces[:, k]] for k in range(3))
    area = np.linalg.norm(np.cross(b - a, c - a), axis=1)
    kept = faces[area > 1e-12]
    return kept if len(kept) else faces[:1]


def _closed(points: Floats, faces: Any) -> tuple[bool, bool]:
    """Tell whether a mesh has no rim, and whether it looks outward."""
    mesh = trimesh.Trimesh(points, faces, process=False)
    mesh.merge_vertices(merge_tex=True, merge_norm=True)
    if not (mesh.is_watertight and mesh.is_winding_consistent):
        return False, True
    # pieces that each look outward: a hollow one would count as open
    return True, bool(mesh.volume > 0)


def lifted(thing: Thing, room: Room) -> Thing:
    """Return a thing a little away from the floor or wall that it would share a surface with."""
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


def apart(things: Sequence[Thing]) -> list[Thing]:
    """Return things, those smaller that stand in earlier ones: no two of them share a plane."""
    solids = [solid_of(thing) for thing in things]
    level = [0] * len(things)
    for two in range(len(things)):
        taken = {level[one] for one in range(two) if depth(solids[one], solids[two]) > MEET}
        while level[two] in taken:
            level[two] += 1
    return [_smaller(thing, STEP * each) for thing, each in zip(things, level, strict=True)]


def _smaller(thing: Thing, by: float) -> Thing:
    """Return a thing whose box is `by` metres further in at each side but its foot."""
    if not by or min(thing.half) <= 10 * STEP:
        return thing
    share = [(half - by) / half for half in thing.half]

    def less(values: Vec) -> Vec:
        return rounded(value * part for value, part in zip(values, share, strict=True))

    parts = tuple(replace(part, at=less(part.at), size=less(part.size)) for part in thing.parts)
    x, y, z = thing.position
    return replace(thing, half=less(thing.half), parts=parts, position=(x, y, round(z - by, 6)))
