"""Homes of Sweet Home 3D: `.sh3d`, a zip with `Home.xml` and Wavefront OBJ models in it.

Plans count in centimetres, y to the south and angles clockwise. A room of the plan is a room; a
door between two rooms is a doorway without its leaf; windows, and doors that lead outside, hang on
the wall. Only one storey is read: the one with most furniture, the lowest if there are several.
trimesh reads OBJ models, within our limits; other models are drawn as boxes.
"""

from __future__ import annotations

import math
import posixpath
import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from io import BytesIO
from pathlib import Path
from typing import Any, cast
from xml.etree import ElementTree as ET

from worldquiz_scenes.arrays import Floats, later, np
from worldquiz_scenes.files import MOST_PIXELS, Archive, refused, shrunk
from worldquiz_scenes.importing import names
from worldquiz_scenes.importing.pieces import (
    GREY,
    Draft,
    Named,
    Opening,
    Outline,
    Surface,
    Upright,
    about_z,
)
from worldquiz_scenes.scene import Vec

spatial, trimesh = (later(name) for name in ("scipy.spatial", "trimesh"))

XML = "Home.xml"
CM = 0.01
PIECES = ("pieceOfFurniture", "light", "shelfUnit", "doorOrWindow", "furnitureGroup")
FRAME = 0.6  # metres from the floor: openings that begin lower are doors, higher ones windows
FLOOR: Vec = (0.72, 0.6, 0.45)
UNSEEN = 0.02  # opacity below which a surface is left out


def read(path: Path, scale: float = 1.0) -> Draft:
    """Return the contents of a home. `scale` is 1 for centimetres, the usual unit of homes.

    Raises `FileError`.
    """
    archive, way = Archive(path), "save it again"
    if XML not in archive:
        what = f"is not a home: it has no {XML}"
        raise refused(path, "", what, "save it with Sweet Home 3D 5.3 or later")
    data = archive.read(XML)
    if re.search(rb"<!(DOCTYPE|ENTITY)", data):
        raise refused(path, XML, "declares XML entities", way)
    try:
        root = ET.fromstring(data)
    except ET.ParseError as error:
        raise refused(path, XML, f"is not XML ({error})", way) from error
    if root.tag != "home":
        raise refused(path, XML, f"is a {root.tag!r} element, not a home", way)
    return _Reader(path, archive, root, CM * scale).draft()


class _Reader:
    """Turns a home's elements into a draft."""

    def __init__(self, path: Path, archive: Archive, root: ET.Element, cm: float) -> None:
        self.path, self.archive, self.root, self.cm = path, archive, root, cm
        self.notes: list[str] = []
        self._models: dict[str, list[Surface]] = {}
        self.level: str | None = None  # the storey that is read
        if levels := root.findall("level"):
            things = Counter(each.get("level") for tag in PIECES[:3] for each in root.iter(tag))
            best = min(levels, key=lambda each: (
                -things[each.get("id")], self._number(each, "elevation"), each.get("id") or "",
            ))  # fmt: skip
            if len(levels) > 1:
                self.notes.append(f"of {len(levels)} storeys, only {best.get('name')!r} was read")
            self.level = best.get("id")

    def draft(self) -> Draft:
        """Return rooms, walls, openings and things of one storey."""
        items, doors = [], []
        for element in self._elements(self.root):
            item = self._item(element)
            if item is not None and element.tag == "doorOrWindow":
                doors.append(self._opening(element, item))
            elif item is not None:
                items.append(item)
        makers = Counter(
            each.get("creator") or "unknown" for tag in PIECES for each in self.root.iter(tag)
        )
        told = ", ".join(f"{name} ({makers[name]})" for name in sorted(makers))
        credit = f"{self.path.name}: a home file states no licence; makers of its models: {told}"
        camera, start = self.root.find("observerCamera"), None
        if camera is not None:  # yaw 0 looks south, growing clockwise as seen from above
            x, y = self._spot(camera)
            start = (x, y, -math.pi / 2 - self._number(camera, "yaw"))
        height = self._length(self.root, "wallHeight", 250.0)
        rooms, walls = tuple(self._rooms()), tuple(self._walls())
        return Draft(
            self.path.stem, items, credit, rooms, walls, tuple(doors), height, start,
            tuple(self.notes),
        )  # fmt: skip

    def _here(self, element: ET.Element) -> bool:
        return self.level is None or element.get("level") in (None, self.level)

    def _elements(self, parent: ET.Element) -> Iterator[ET.Element]:
        """Yield all visible furniture of the storey, including that in groups."""
        for element in parent:
            if element.tag not in PIECES or element.get("visible") == "false":
                continue
            if element.tag == "furnitureGroup":
                yield from self._elements(element)
            elif self._here(element):
                yield element

    def _number(self, element: ET.Element, name: str, default: float = 0.0) -> float:
        text = element.get(name)
        try:
            value = default if text is None else float(text)
        except ValueError:
            value = math.nan
        if not math.isfinite(value):
            called = element.get("name") or element.get("id") or ""
            raise refused(
                self.path, f"{element.tag} {called!r}: {name}", f"{text!r} is not a finite number",
                "correct it in Sweet Home 3D",
            )  # fmt: skip
        return value

    def _length(self, element: ET.Element, name: str, default: float = 0.0) -> float:
        """Return a length in metres."""
        return self._number(element, name, default) * self.cm

    def _spot(self, element: ET.Element, x: str = "x", y: str = "y") -> tuple[float, float]:
        """Return a point of the plan in metres, y to the north."""
        return self._length(element, x), -self._length(element, y)

    def _rooms(self) -> Iterator[Outline]:
        for room in self.root.iter("room"):
            points = [self._spot(each) for each in room.findall("point")]
            if self._here(room) and len(points) >= 3 and room.get("floorVisible") != "false":
                rgb = _colour(room.get("floorColor")) or FLOOR
                yield Outline(room.get("name") or "", np.array(points), rgb)

    def _walls(self) -> Iterator[Upright]:
        for wall in self.root.iter("wall"):
            one = np.array(self._spot(wall, "xStart", "yStart"))
            two = np.array(self._spot(wall, "xEnd", "yEnd"))
            far = float(np.linalg.norm(two - one))
            if not self._here(wall) or far < 1e-3:
                continue
            along = (two - one) / far
            side = np.array([-along[1], along[0]]) * self._length(wall, "thickness", 7.5) / 2
            rgb = _colour(wall.get("leftSideColor")) or _colour(wall.get("rightSideColor"))
            height = self._length(wall, "height", 250.0)
            corners = np.array([one - side, two - side, two + side, one + side])
            yield Upright(corners, height, rgb or (0.93, 0.91, 0.86))

    def _size(self, element: ET.Element) -> Vec:
        wide, deep, high = (self._length(element, name) for name in ("width", "depth", "height"))
        if min(wide, deep, high) <= 0:
            raise refused(
                self.path, f"{element.tag} {element.get('name')!r}",
                f"has no size ({wide:g} x {deep:g} x {high:g} m)", "give it a size, or delete it",
            )  # fmt: skip
        return wide, deep, high

    def _item(self, element: ET.Element) -> Named | None:
        """Return a piece of furniture, None for a light without a body."""
        said, id = element.get("name") or "", element.get("catalogId") or ""
        called, term = _called(said, id, element.tag)
        bare = "lightsource" in f"{id} {said.replace(' ', '')}".lower()
        if called is None or (element.tag == "light" and bare):
            return None
        size = self._size(element)
        turn = about_z(-self._number(element, "angle"))
        pitch, roll = self._number(element, "pitch"), self._number(element, "roll")
        tilt = spatial.transform.Rotation.from_euler("XY", (-pitch, roll)).as_matrix()
        mirrored = np.diag([-1.0 if element.get("modelMirrored") == "true" else 1.0, 1.0, 1.0])
        foot = self._length(element, "elevation")
        shift = np.array([*self._spot(element), foot + size[2] / 2])
        whole = _colour(element.get("color"))
        colours = {each.get("name"): _colour(each.get("color")) or whole
                   for each in element.findall("material")}  # fmt: skip
        pieces = []
        for piece in self._model(element, size):
            rgb = colours.get(piece.material, whole)
            painted = piece if rgb is None else replace(piece, rgb=rgb, texture=None, uv=None)
            pieces.append(painted.moved(turn @ tilt @ mirrored, shift))
        maker = element.get("creator") or "an unknown maker"
        credit = f"{maker}, {said or id}, licence: {element.get('license') or 'not said'}"
        return Named(said, called, tuple(pieces), turn, names.role(said), credit, term=term)

    def _model(self, element: ET.Element, size: Vec) -> list[Surface]:
        """Return a piece's triangles, centred on 0; a box if its model cannot be read."""
        entry = element.get("model") or ""
        said = element.get("name") or element.get("catalogId") or ""
        if entry not in self._models:
            self._models[entry] = _loaded(self.archive, entry, f"{element.tag} {said!r}")
        turn = _rotation(element.get("modelRotation"), self.path, said)
        if not self._models[entry]:
            self.notes.append(f"{said!r} is drawn as a box: its model {entry!r} is not OBJ")
            cube = trimesh.creation.box()
            return [Surface(cube.vertices * size, np.asarray(cube.faces, np.int32))]
        flip = np.array([[1.0, 0.0, 0.0], [0.0, 0.0, -1.0], [0.0, 1.0, 0.0]])  # from y up to z up
        turned = [each.moved(flip @ turn, np.zeros(3)) for each in self._models[entry]]
        points = np.concatenate([each.points[np.unique(each.faces)] for each in turned])
        low, high = points.min(axis=0), points.max(axis=0)
        stretch = np.array(size) / np.maximum(high - low, 1e-9)
        stretch = np.where(high - low < 1e-9, 1.0, stretch)
        shift = -(low + high) / 2 * stretch
        return [each.moved(np.diag(stretch), shift) for each in turned]

    def _opening(self, element: ET.Element, item: Named) -> Opening:
        wide, _, high = self._size(element)
        foot, angle = self._length(element, "elevation"), -self._number(element, "angle")
        passable = foot < FRAME and high > 1.6 and "window" not in item.label
        return Opening(
            np.array(self._spot(element)), np.array([math.cos(angle), math.sin(angle)]), wide,
            foot + high, replace(item, label="door" if passable else "window", term=""), passable,
        )  # fmt: skip


def _called(said: str, id: str, tag: str) -> tuple[str | None, str]:
    """Return a piece's label, and the term in the file from which it comes.

    The term is the piece's own name, if we know it, else its English name in the catalogue.
    """
    by_name, by_id = names.label(said), names.label(id)
    term = " ".join(names.words(said))
    if by_name not in names.KNOWN and by_id in names.KNOWN:
        return by_id, f"{term} ({id})"
    if tag == "doorOrWindow":
        return by_name or by_id or "door", term
    return by_name or by_id, term if by_name else " ".join(names.words(id))


def _colour(text: str | None) -> Vec | None:
    """Return a colour from a home's six or eight hexadecimal digits."""
    if not text or not re.fullmatch(r"[0-9A-Fa-f]{6,8}", text):
        return None
    red, green, blue = (int(text[-6:][k : k + 2], 16) / 255 for k in (0, 2, 4))
    return (round(red, 4), round(green, 4), round(blue, 4))


def _rotation(text: str | None, path: Path, said: str) -> Floats:
    """Return a model's own rotation from nine numbers, row by row. Raises `FileError`."""
    if not text:
        return np.eye(3)
    try:
        turn = np.array([float(each) for each in text.split()]).reshape(3, 3)
    except ValueError:
        turn = np.full((3, 3), np.nan)
    if not np.isfinite(turn).all() or abs(np.linalg.det(turn)) < 1e-6:
        raise refused(
            path, f"piece {said!r}: modelRotation", f"{text!r:.80} is not a rotation", "correct it"
        )
    return turn


def _loaded(archive: Archive, name: str, where: str) -> list[Surface]:
    """Return the triangles of a model in an archive, in its own frame: y up, any unit.

    Empty if it is not OBJ. Raises `FileError` for a model that is missing, broken or empty.
    """
    data, file = archive.read(name, where), archive.path
    head = data[:4096].lstrip()
    if name.lower().endswith((".3ds", ".dae", ".kmz", ".lws")) or b"\0" in head:
        return []
    if head.startswith((b"PK", b"<")):
        return []
    text, files = data.decode("utf-8", errors="replace"), _Files(archive, posixpath.dirname(name))
    try:
        scene = trimesh.load_scene(
            BytesIO(text.encode()), file_type="obj", resolver=cast("Any", files), process=False,
            group_material=True,
        )  # fmt: skip
    except (ValueError, KeyError, IndexError, TypeError, AttributeError) as error:
        raise refused(
            file, where, f"its model {name!r} cannot be read ({error})", "replace the model"
        ) from error
    found = [_surface(mesh) for mesh in scene.geometry.values()
             if hasattr(mesh, "faces") and mesh.vertices.shape[1:] == (3,)]  # fmt: skip
    kept = [each for each in found if each.alpha > UNSEEN and len(each.faces)]
    if not kept:
        raise refused(file, where, f"its model {name!r} has no faces", "replace the model")
    return kept


class _Files:
    """The files beside a model, in the form that trimesh needs."""

    def __init__(self, archive: Archive, folder: str) -> None:
        self.archive, self.folder = archive, folder

    def get(self, name: str) -> bytes:
        """Return a file's bytes. Raises `KeyError` for a missing file."""
        path = posixpath.normpath(posixpath.join(self.folder, name.replace("\\", "/")))
        if path not in self.archive:
            raise KeyError(name)
        return self.archive.read(path)

    __getitem__ = get


def _surface(mesh: Any) -> Surface:
    material = getattr(mesh.visual, "material", None)
    kwargs = dict(getattr(material, "kwargs", {}) or {})

    def told(key: str, usual: tuple[float, ...]) -> tuple[float, ...]:
        try:
            found = tuple(float(each) for each in kwargs[key])
        except (KeyError, TypeError, ValueError):
            return usual
        return found if len(found) == len(usual) else usual

    red, green, blue = (min(1.0, max(0.0, each)) for each in told("kd", GREY))
    (alpha,) = told("d", (1 - told("tr", (0.0,))[0],))
    image, uv = getattr(material, "image", None), getattr(mesh.visual, "uv", None)
    points, texture = np.asarray(mesh.vertices, float), None
    large = image is None or image.width * image.height > MOST_PIXELS
    if large or uv is None or len(uv) != len(points):
        uv = None
    else:
        texture, uv = shrunk(image), np.asarray(uv, float)
        uv = np.where(np.isfinite(uv), uv, 0.0)
    finite = np.isfinite(points).all(axis=1)
    faces = np.asarray(mesh.faces, np.int32)
    faces = faces[finite[faces].all(axis=1)]
    points = np.where(finite[:, None], points, 0.0)
    name = str(getattr(material, "name", "") or "")
    return Surface(points, faces, (red, green, blue), alpha, uv, texture, name)
