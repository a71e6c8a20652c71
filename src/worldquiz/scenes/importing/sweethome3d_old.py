"""Homes that Sweet Home 3D wrote before version 5.3: a serialized Java object, read as its XML.

javaobj reads the object as plain values and runs none of its code. What the reader of homes asks
for gets the names that later versions write into `Home.xml`.
"""

from __future__ import annotations

import struct
from collections.abc import Iterable
from pathlib import Path
from typing import Any
from urllib.parse import unquote
from xml.etree import ElementTree as ET

from worldquiz.extras import need
from worldquiz.scenes.arrays import np
from worldquiz.scenes.importing.limits import refused

MOST = 64 * 2**20
"""Bytes of a serialized home."""
NEWER = "open it with Sweet Home 3D 5.3 or later, save it, and import that"
_BROKEN = (ValueError, TypeError, AttributeError, KeyError, IndexError, EOFError, OSError,
           NotImplementedError, RecursionError, struct.error)  # fmt: skip
_TAGS = {
    "HomeDoorOrWindow": "doorOrWindow", "HomeLight": "light", "HomeShelfUnit": "shelfUnit",
    "HomeFurnitureGroup": "furnitureGroup",
}  # fmt: skip
_LEVEL = ("name", "elevation")
_ROOM = ("name", "floorVisible", "floorColor")
_WALL = ("xStart", "yStart", "xEnd", "yEnd", "thickness", "height", "leftSideColor",
         "rightSideColor")  # fmt: skip
_PIECE = ("name", "x", "y", "elevation", "angle", "pitch", "roll", "width", "depth", "height",
          "visible", "catalogId", "creator", "license", "color", "modelMirrored")  # fmt: skip
_CAMERA = ("x", "y", "yaw")


def home_of(data: bytes, file: Path) -> ET.Element:
    """Return a serialized home as the element that `Home.xml` would hold.

    Raises `RecordError` for what is no home or cannot be read; `MissingExtra` without javaobj.
    """
    java = need("javaobj.v2", extra="formats", library="javaobj-py3")
    if len(data) > MOST:
        raise refused(file, "Home", f"{len(data):,} bytes are more than {MOST:,}", NEWER)
    try:
        found = java.loads(data)
        if _class(found) != "Home":
            raise TypeError(f"it is a {_class(found)}")
        return _home(_fields(found))
    except _BROKEN as error:
        raise refused(file, "Home", f"is no home that can be read ({error})", NEWER) from error


def _home(fields: dict[str, Any]) -> ET.Element:
    root = _element("home", fields, ("name", "wallHeight"))
    for level in _listed(fields, "levels"):
        root.append(_element("level", _fields(level), _LEVEL, id=str(level.handle)))
    every = ("furnitureWithGroups", "furnitureWithDoorsAndWindows", "furniture")
    pieces = next((name for name in every if fields.get(name) is not None), "furniture")
    root.extend(list(_pieces(_listed(fields, pieces))))
    for room in _listed(fields, "rooms"):
        told = _fields(room)
        made = _placed("room", told, _ROOM)
        for x, y in told["points"]:
            ET.SubElement(made, "point", x=_number(x), y=_number(y))
        root.append(made)
    root.extend([_placed("wall", _fields(wall), _WALL) for wall in _listed(fields, "walls")])
    if fields.get("observerCamera") is not None:
        root.append(_element("observerCamera", _fields(fields["observerCamera"]), _CAMERA))
    return root


def _pieces(pieces: Iterable[Any]) -> Iterable[ET.Element]:
    for piece in pieces:
        told = _fields(piece)
        made = _placed(_TAGS.get(_class(piece), "pieceOfFurniture"), told, _PIECE)
        if told.get("model") is not None:
            made.set("model", _entry(told["model"]))
        if told.get("modelRotation") is not None:
            turn = [_number(value) for row in told["modelRotation"] for value in row]
            made.set("modelRotation", " ".join(turn))
        for material in told.get("modelMaterials") or ():
            if material is not None:
                made.append(_element("material", _fields(material), ("name", "color")))
        made.extend(list(_pieces(_listed(told, "furniture"))))
        yield made


def _placed(tag: str, fields: dict[str, Any], names: Iterable[str]) -> ET.Element:
    """Return an element with its storey."""
    level = fields.get("level")
    return _element(tag, fields, names, **({} if level is None else {"level": str(level.handle)}))


def _element(tag: str, fields: dict[str, Any], names: Iterable[str], **more: str) -> ET.Element:
    told = {name: _text(name, fields[name]) for name in names if fields.get(name) is not None}
    return ET.Element(tag, {**told, **more})


def _text(name: str, value: Any) -> str:
    """Return a value as `Home.xml` writes it; numbers may stand in objects of their own."""
    plain = _fields(value)["value"] if hasattr(value, "field_data") else value
    if name.lower().endswith("color"):
        return f"{int(plain) & 0xFFFFFFFF:08X}"
    if isinstance(plain, bool):
        return "true" if plain else "false"
    return _number(plain) if isinstance(plain, float) else str(plain)


def _number(value: float) -> str:
    """Return a number as Java writes it: homes hold single precision."""
    return str(np.float32(value))


def _entry(content: Any) -> str:
    """Return the name in the archive of a model, whose URL is "jar:file:temp!/NAME"."""
    url = _fields(_fields(content)["url"])
    return unquote(str(url["file"]).partition("!/")[2])


def _listed(fields: dict[str, Any], name: str) -> list[Any]:
    """Return a list's items; one that may not be changed holds another that has them."""
    found = fields.get(name)
    inner = _fields(found).get("list") if hasattr(found, "field_data") else None
    return list((found if inner is None else inner) or ())


def _fields(instance: Any) -> dict[str, Any]:
    """Return an object's fields by name, those of its class before those that it inherits."""
    return {field.name: value for some in instance.field_data.values()
            for field, value in some.items()}  # fmt: skip


def _class(instance: Any) -> str:
    return str(instance.get_class().name).rpartition(".")[2]
