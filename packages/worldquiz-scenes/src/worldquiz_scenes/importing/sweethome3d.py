"""Homes of Sweet Home 3D: `.sh3d`, a zip with `Home.xml` and the models in it.

Plans count centimetres, y to the south and angles clockwise. A room of the plan is a room; a door
between two is a doorway, its leaf left out; windows, and doors that lead outside, hang on the wall.
Of several storeys one is taken: that with most rooms, the lowest of equals.
"""

from __future__ import annotations

import math
import re
from collections import Counter
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any
from xml.etree import ElementTree as ET

from worldquiz_scenes.arrays import Floats, np
from worldquiz_scenes.importing import names, wavefront
from worldquiz_scenes.importing.limits import Archive, refused
from worldquiz_scenes.importing.pieces import (
    Draft,
    Named,
    Opening,
    Outline,
    Surface,
    Upright,
    about_z,
)
from worldquiz_scenes.scene import Vec

XML = "Home.xml"
CM = 0.01
PIECES = ("pieceOfFurniture", "light", "shelfUnit", "doorOrWindow", "furnitureGroup")
FRAME = 0.6
"""Metres from the floor: what opens lower is a door, what higher a window."""
FLOOR: Vec = (0.72, 0.6, 0.45)


def read(path: Path, scale: float = 1.0) -> Draft:
    """Return the contents of a home; `scale` is 1 for the centimetres that it counts in.

    Raises `FileError`.
    """
    with Archive(path) as archive:
        if XML not in archive:
            what = f"is not a home: it has no {XML}"
            raise refused(path, "", what, "save it with Sweet Home 3D 5.3 or later")
        root = _parsed(archive.read(XML), path)
        if root.tag != "home":
            raise refused(path, XML, f"is a {root.tag!r} element, not a home", "save it again")
        return _Reader(path, archive, root, CM * scale).draft()


def _parsed(data: bytes, path: Path) -> ET.Element:
    """Return XML that declares nothing of its own. Raises `FileError`."""
    if re.search(rb"<!(DOCTYPE|ENTITY)", data):
        raise refused(path, XML, "declares entities", "save it again with its own program")
    try:
        return ET.fromstring(data)
    except ET.ParseError as error:
        raise refused(path, XML, f"is not XML ({error})", "save it again") from error


@dataclass(frozen=True)
class _Place:
    """Position, angle and size of a piece."""

    x: float
    y: float
    z: float  # of its foot
    angle: float  # radians, counter-clockwise
    size: tuple[float, float, float]


class _Reader:
    """Turns a home's elements into a draft."""

    def __init__(self, path: Path, archive: Archive, root: ET.Element, cm: float) -> None:
        self.path, self.archive, self.root, self.cm = path, archive, root, cm
        self.notes: list[str] = []
        self._models: dict[str, list[Surface]] = {}
        self.level, self.ground = self._level()

    def draft(self) -> Draft:
        """Return rooms, walls, openings and things of one storey."""
        items, doors = [], []
        for element in self._elements(self.root):
            item = self._item(element)
            if item is None:
                continue
            if element.tag == "doorOrWindow":
                doors.append(self._opening(element, item))
            else:
                items.append(item)
        height = self._number(self.root, "wallHeight", 250.0) * self.cm
        return Draft(
            self.path.stem, items, self._credit(), self._rooms(),
            self._walls(), tuple(doors), height, self._start(), tuple(self.notes),
        )  # fmt: skip

    def _credit(self) -> str:
        makers = Counter(
            each.get("creator") or "unknown" for tag in PIECES for each in self.root.iter(tag)
        )
        told = ", ".join(f"{name} ({makers[name]})" for name in sorted(makers))
        return f"{self.path.name}: a home file states no licence; makers of its models: {told}"

    def _level(self) -> tuple[str | None, float]:
        """Return the storey that is taken, and how high its floor is."""
        levels = self.root.findall("level")
        if not levels:
            return None, 0.0
        rooms = Counter(each.get("level") for each in self.root.iter("room"))
        best = min(
            levels,
            key=lambda each: (-rooms[each.get("id")], self._number(each, "elevation"),
                              each.get("id") or ""),
        )  # fmt: skip
        if len(levels) > 1:
            self.notes.append(f"of {len(levels)} storeys {best.get('name')!r} was taken")
        return best.get("id"), self._number(best, "elevation") * self.cm

    def _here(self, element: ET.Element) -> bool:
        level = element.get("level")
        return self.level is None or level is None or level == self.level

    def _elements(self, parent: ET.Element) -> list[ET.Element]:
        """Return all furniture of the storey that is shown, groups taken apart."""
        found = []
        for element in parent:
            if element.tag not in PIECES or element.get("visible") == "false":
                continue
            if element.tag == "furnitureGroup":
                found += self._elements(element)
            elif self._here(element):
                found.append(element)
        return found

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

    def _rooms(self) -> tuple[Outline, ...]:
        found = []
        for room in self.root.iter("room"):
            points = [
                (self._number(each, "x") * self.cm, -self._number(each, "y") * self.cm)
                for each in room.findall("point")
            ]
            if self._here(room) and len(points) >= 3 and room.get("floorVisible") != "false":
                rgb = _colour(room.get("floorColor")) or FLOOR
                found.append(Outline(room.get("name") or "", np.array(points), rgb))
        return tuple(found)

    def _walls(self) -> tuple[Upright, ...]:
        found = []
        for wall in self.root.iter("wall"):
            if not self._here(wall):
                continue
            x0, y0, x1, y1 = (
                self._number(wall, name) * self.cm for name in ("xStart", "yStart", "xEnd", "yEnd")
            )
            one, two = np.array([x0, -y0]), np.array([x1, -y1])
            far = float(np.linalg.norm(two - one))
            if far < 1e-3:
                continue
            along = (two - one) / far
            side = np.array([-along[1], along[0]]) * self._number(wall, "thickness", 7.5) / 2
            side = side * self.cm
            rgb = _colour(wall.get("leftSideColor")) or _colour(wall.get("rightSideColor"))
            height = self._number(wall, "height", 250.0) * self.cm
            corners = np.array([one - side, two - side, two + side, one + side])
            found.append(Upright(corners, height, rgb or (0.93, 0.91, 0.86)))
        return tuple(found)

    def _place(self, element: ET.Element) -> _Place:
        wide, deep, high = (
            self._number(element, name) * self.cm for name in ("width", "depth", "height")
        )
        if min(wide, deep, high) <= 0:
            raise refused(
                self.path, f"{element.tag} {element.get('name')!r}",
                f"has no size ({wide:g} x {deep:g} x {high:g} m)", "give it a size, or delete it",
            )  # fmt: skip
        x, y = self._number(element, "x") * self.cm, -self._number(element, "y") * self.cm
        z = self._number(element, "elevation") * self.cm
        angle = -self._number(element, "angle")
        return _Place(x, y, z, angle, (wide, deep, high))

    def _item(self, element: ET.Element) -> Named | None:
        """Return a piece of furniture; none for a light without a body."""
        said = element.get("name") or ""
        called, term = _called(element)
        if called is None or (element.tag == "light" and "lightsource" in _id(element).lower()):
            return None
        place = self._place(element)
        turn = about_z(place.angle)
        tilt = _tilt(self._number(element, "pitch"), self._number(element, "roll"))
        model = self._model(element, place.size)
        if element.get("modelMirrored") == "true":
            model = [each.moved(np.diag([-1.0, 1.0, 1.0]), np.zeros(3)) for each in model]
        model = [self._painted(each, element) for each in model]
        shift = np.array([place.x, place.y, place.z + place.size[2] / 2])
        pieces = tuple(each.moved(turn @ tilt, shift) for each in model)
        maker = element.get("creator") or "an unknown maker"
        credit = f"{maker}, {said or _id(element)}, licence: {element.get('license') or 'not said'}"
        return Named(said, called, pieces, turn, names.role(said), credit, term=term)

    def _painted(self, surface: Surface, element: ET.Element) -> Surface:
        """Return a surface in the colour that the home gives it."""
        rgb = _colour(element.get("color"))
        for material in element.findall("material"):
            if material.get("name") == surface.material:
                rgb = _colour(material.get("color")) or rgb
        return surface if rgb is None else replace(surface, rgb=rgb, texture=None, uv=None)

    def _model(self, element: ET.Element, size: tuple[float, float, float]) -> list[Surface]:
        """Return a piece's triangles, its middle at 0; a box where its model cannot be read."""
        entry, said = element.get("model") or "", element.get("name") or _id(element)
        if entry not in self._models:
            self._models[entry] = wavefront.model(self.archive, entry, f"{element.tag} {said!r}")
        turn = _rotation(element.get("modelRotation"), self.path, said)
        if not self._models[entry]:
            self.notes.append(f"{said!r} is drawn as a box: its model {entry!r} is not OBJ")
            return wavefront.fitted([wavefront.box()], np.eye(3), size)
        return wavefront.fitted(self._models[entry], turn, size)

    def _opening(self, element: ET.Element, item: Named) -> Opening:
        place = self._place(element)
        along = np.array([math.cos(place.angle), math.sin(place.angle)])
        passable = place.z < FRAME and place.size[2] > 1.6 and "window" not in item.label
        label = "door" if passable else "window"
        return Opening(
            np.array([place.x, place.y]), along, place.size[0], place.z + place.size[2],
            replace(item, label=label, term=""), passable=passable,
        )  # fmt: skip

    def _start(self) -> tuple[float, float, float] | None:
        """Return where the home's visitor stands."""
        camera = self.root.find("observerCamera")
        if camera is None:
            return None
        x, y = self._number(camera, "x") * self.cm, -self._number(camera, "y") * self.cm
        # yaw 0 looks along plan y (south), growing clockwise as seen from above
        return x, y, -math.pi / 2 - self._number(camera, "yaw")


def _id(element: ET.Element) -> str:
    return element.get("catalogId") or ""


def _called(element: ET.Element) -> tuple[str | None, str]:
    """Return what a piece is called, and the term that says so.

    That is its own name, if we know it; else its name in the catalogue, which is English.
    """
    said, id = element.get("name") or "", _id(element)
    by_name, by_id = names.label(said), names.label(id)
    term = " ".join(names.words(said))
    if by_name not in names.KNOWN and by_id in names.KNOWN:
        return by_id, f"{term} ({id})"
    if element.tag == "doorOrWindow":
        return by_name or by_id or "door", term
    return by_name or by_id, term if by_name else " ".join(names.words(id))


def _colour(text: str | None) -> Vec | None:
    """Return a colour that a home writes as eight or six hexadecimal digits."""
    if not text or not re.fullmatch(r"[0-9A-Fa-f]{6,8}", text):
        return None
    red, green, blue = (int(text[-6:][k : k + 2], 16) / 255 for k in (0, 2, 4))
    return (round(red, 4), round(green, 4), round(blue, 4))


def _rotation(text: str | None, path: Path, said: str) -> Floats:
    """Return a model's own rotation: nine numbers, row by row. Raises `FileError`."""
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


def _tilt(pitch: float, roll: float) -> Any:
    """Return the turns about a piece's own x and y."""
    c, s, d, t = math.cos(pitch), math.sin(pitch), math.cos(roll), math.sin(roll)
    about_x = np.array([[1.0, 0.0, 0.0], [0.0, c, s], [0.0, -s, c]])
    about_y = np.array([[d, 0.0, t], [0.0, 1.0, 0.0], [-t, 0.0, d]])
    return about_x @ about_y
