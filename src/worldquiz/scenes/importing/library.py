"""Furniture of Sweet Home 3D libraries (`.sh3f`) in generated scenes.

A library is a zip with `PluginFurnitureCatalog.properties`: of each piece its name, model and
measures in centimetres, and how high something may be put down on it. A generated scene keeps its
rooms, places and laws; a thing of it is redrawn as a piece of the same label whose proportions are
near, stretched into the thing's own box. What carries other things becomes as high as it must be
for the piece to carry them where they are, if that is not in the way of anything.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from random import Random

from worldquiz.rng import child
from worldquiz.scenes import geometry
from worldquiz.scenes.arrays import Floats
from worldquiz.scenes.furniture import LABELS
from worldquiz.scenes.generate import DEEPEST
from worldquiz.scenes.importing import names, wavefront
from worldquiz.scenes.importing.assemble import Imported, parts_of
from worldquiz.scenes.importing.limits import LIBRARY_BYTES, Archive, refused
from worldquiz.scenes.importing.pieces import Surface, painted
from worldquiz.scenes.importing.sweethome3d import rotation
from worldquiz.scenes.meshes import MeshForm
from worldquiz.scenes.scene import Part, Scene, Thing, Vec

CATALOG = "PluginFurnitureCatalog.properties"
SUFFIX = ".sh3f"
STRETCH = 1.35
"""How much more a piece may be stretched along one axis than along another."""
LEVEL = 0.015
"""Metres between where a thing's load lies and where a piece would carry it."""
TAKEN = 4
"""Pieces with the nearest proportions among which one is drawn."""
KEPT = frozenset({"mirror", "window", "curtain", "rug", "book", "picture", "box", "ball", "candle"})
"""Labels that stay as they are drawn: they reflect, hang flat, or lie in rows."""


@dataclass(frozen=True, eq=False)
class LibraryPiece:
    """A piece of furniture of a library."""

    archive: Archive
    id: str
    label: str
    model: str  # the name of its entry
    size: Vec  # metres: width, depth, height
    carries: float | None  # the share of its height at which something may be put down
    turn: Floats
    credit: str


def opened(paths: Sequence[Path]) -> tuple[LibraryPiece, ...]:
    """Return the pieces of libraries, or of all in a folder, whose label we know.

    Raises `RecordError` for a file that is not a library.
    """
    found: list[LibraryPiece] = []
    for path in paths:
        files = sorted(path.glob(f"*{SUFFIX}")) if path.is_dir() else [path]
        if not files:
            raise refused(path, "", f"holds no {SUFFIX} files", "give a library, or its folder")
        for file in files:
            found += _pieces(file)
    return tuple(sorted(found, key=lambda piece: (piece.label, piece.id)))


def _pieces(path: Path) -> list[LibraryPiece]:
    archive = Archive(path, most=LIBRARY_BYTES)
    if CATALOG not in archive:
        archive.close()
        raise refused(
            path, "", f"is not a furniture library: it has no {CATALOG}", "choose a .sh3f"
        )
    table = properties(archive.read(CATALOG).decode("latin-1"))
    licence = table.get("license", "licence not said")
    numbers = sorted((int(key[3:]) for key in table if re.fullmatch(r"id#\d{1,6}", key)), key=int)
    pieces = (_piece(archive, table, number, licence) for number in numbers)
    return [piece for piece in pieces if piece is not None]


def properties(text: str) -> dict[str, str]:
    """Return Java properties: `key=value` lines, continued by a backslash, with \\\\u escapes."""
    found = {}
    joined = re.sub(r"\\\r?\n[ \t]*", "", text)
    for line in joined.splitlines():
        key, sign, value = line.strip().partition("=")
        if sign and not key.startswith(("#", "!")):
            found[key.strip()] = re.sub(
                r"\\u([0-9a-fA-F]{4})", lambda hex_: chr(int(hex_[1], 16)), value.strip()
            )
    return found


def _piece(
    archive: Archive, table: dict[str, str], number: int, licence: str
) -> LibraryPiece | None:
    """Return a piece; none for doors, and for what has a label that we do not draw."""

    def told(name: str) -> str:
        return table.get(f"{name}#{number}", "")

    said = names.label(told("name"))
    label = _DRAWN.get(said or "", said)
    if label not in LABELS or told("doorOrWindow") == "true" or label in KEPT:
        return None
    where = f"piece {number} ({told('name')})"
    wide, deep, high = (_metres(told(name), archive.path, where) for name in _SIZES)
    drop = told("dropOnTopElevation")
    carries = _metres(drop, archive.path, where, least=-1.0) / high if drop else 1.0
    turn = rotation(told("modelRotation") or None, archive.path, told("name"))
    maker = told("creator") or "an unknown maker"
    return LibraryPiece(
        archive, told("id"), label, told("model").lstrip("/"), (wide, deep, high),
        carries if carries > 0 else None, turn,
        f"{maker}, {told('id')}, {' '.join(licence.split())}",
    )  # fmt: skip


_DRAWN = {"table": "dining table", "lamp": "table lamp", "shelf": "wall shelf"}
"""Labels of pieces, and what we draw that is most like them."""
_SIZES = ("width", "depth", "height")


def _metres(text: str, path: Path, where: str, *, least: float = 1e-4) -> float:
    try:
        value = float(text) / 100
    except ValueError:
        value = float("nan")
    if not least <= value < 100:
        raise refused(path, where, f"{text!r} is not a length in cm", "correct the library")
    return value


def refurnished(scene: Scene, pieces: Sequence[LibraryPiece], seed: int) -> Imported:
    """Return a scene whose things are drawn as pieces of libraries, where some fit.

    Equal scenes, libraries and seeds give equal results. A piece whose model cannot be read is
    passed over, and said in the notes.
    """
    forms: dict[str, MeshForm] = {}
    shop = _Shop(pieces)
    things = []
    for thing in scene.things:
        twin = thing.label in _TWINS
        rng = child(seed, "furniture", scene.id, thing.room if twin else thing.id, thing.label)
        made = None
        for piece in shop.fitting(thing, scene, rng):
            seated = _seated(piece, thing, scene)
            made = None if seated is None else _redrawn(seated, piece, shop, forms)
            if made is not None:
                break
        things.append(made or thing)
    redrawn = sum(new is not old for new, old in zip(things, scene.things, strict=True))
    notes = [f"{redrawn} of {len(things)} things are drawn as pieces of libraries", *shop.notes]
    return Imported(replace(scene, things=tuple(things)), forms, tuple(notes), "")


_TWINS = frozenset({"chair", "nightstand", "kitchen counter", "wall cupboard"})
"""Labels of which all in a room look alike."""


class _Shop:
    """Pieces by label, and their models once read."""

    def __init__(self, pieces: Sequence[LibraryPiece]) -> None:
        self.by_label: dict[str, list[LibraryPiece]] = {}
        for piece in pieces:
            self.by_label.setdefault(piece.label, []).append(piece)
        self.notes: list[str] = []
        self._models: dict[str, list[Surface]] = {}

    def fitting(self, thing: Thing, scene: Scene, rng: Random) -> list[LibraryPiece]:
        """Return the pieces that a thing may be drawn as, drawn by lot among the nearest."""
        ranked = sorted(
            (round(_stretch(piece, thing), 6), piece.id, piece)
            for piece in self.by_label.get(thing.label, [])
            if (seated := _seated(piece, thing, scene)) is not None
            and _stretch(piece, seated) <= STRETCH
        )
        near = [piece for _, _, piece in ranked[:TAKEN]]
        rng.shuffle(near)
        return near

    def model(self, piece: LibraryPiece) -> list[Surface]:
        """Return a piece's triangles; none where they cannot be read."""
        key = f"{piece.archive.path}:{piece.model}"
        if key not in self._models:
            self._models[key] = wavefront.model(piece.archive, piece.model, f"piece {piece.id!r}")
            if not self._models[key]:
                self.notes.append(f"{piece.id}: its model {piece.model!r} is not OBJ: passed over")
        return self._models[key]


def _stretch(piece: LibraryPiece, thing: Thing) -> float:
    """Return by how much more a piece is stretched along one axis of a thing's than another."""
    shares = [2 * half / size for half, size in zip(thing.half, piece.size, strict=True)]
    return max(shares) / min(shares)


def _seated(piece: LibraryPiece, thing: Thing, scene: Scene) -> Thing | None:
    """Return a thing as high as it must be for a piece in its place to carry what stands on it.

    None where no height does, or where it would get into something else.
    """
    loads = [geometry.extent_of(each) for each in scene.things if each.support == thing.id]
    if not loads:
        return thing
    foot = geometry.extent_of(thing).low[2]
    levels = [load.low[2] - foot for load in loads]
    if piece.carries is None or max(levels) - min(levels) > LEVEL or min(levels) <= LEVEL:
        return None
    a, b, c = thing.half
    if abs(piece.carries * 2 * c - min(levels)) <= LEVEL:
        return thing
    high = round(min(levels) / piece.carries / 2, 6)
    x, y, _ = thing.position
    seated = replace(thing, half=(a, b, high), position=(x, y, round(foot + high, 6)))
    return None if _in_the_way(seated, scene) else seated


def _in_the_way(thing: Thing, scene: Scene) -> bool:
    """Tell whether a thing would be in another that it neither carries nor stands on."""
    solid, below = geometry.solid_of(thing), scene.under(thing.id)
    if geometry.extent(solid).high[2] > scene.height:
        return True
    return any(
        geometry.depth(solid, geometry.solid_of(other)) > DEEPEST
        for other in scene.things
        if other.room == thing.room
        and other.id not in (thing.id, *below)
        and thing.id not in scene.under(other.id)
    )


def _redrawn(
    thing: Thing, piece: LibraryPiece, shop: _Shop, forms: dict[str, MeshForm]
) -> Thing | None:
    """Return a thing drawn as a piece; none where the piece has no model."""
    model = shop.model(piece)
    if not model:
        return None
    a, b, c = (2 * half for half in thing.half)
    surfaces = wavefront.fitted(model, piece.turn, (a, b, c))
    made: tuple[Part, ...] = parts_of(surfaces, forms)
    main = max(surfaces, key=lambda each: each.area)
    paint = painted(main.looks, main.material, main.alpha)
    return replace(thing, parts=made, paint=paint, credit=piece.credit)
