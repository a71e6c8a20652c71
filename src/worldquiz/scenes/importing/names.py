"""Labels for names in files: "mug" for "Mug.001", "sofa" for "SM_couch_02_LOD0".

They decide which nodes of a file's tree are things, and which are parts of one. A node whose name
our catalogue knows ("chair") is a thing together with all nodes below it, except those that the
catalogue knows as well: a "mug" below a "table" is a thing of its own. A node of another name is a
thing if it has a shape itself, or if the nodes below it have meaningless names ("Cube.001"). Names
also identify floors, walls, ceilings, doors and windows.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path

from worldquiz.scenes.arrays import Floats
from worldquiz.scenes.furniture import LABELS
from worldquiz.scenes.importing.limits import refused
from worldquiz.scenes.importing.pieces import Element, Named, Piece

ALIASES = {
    "couch": "sofa", "settee": "sofa", "loveseat": "sofa", "television": "tv", "tv set": "tv",
    "refrigerator": "fridge", "freezer": "fridge", "cooker": "stove", "bookcase": "bookshelf",
    "book shelf": "bookshelf", "bedside table": "nightstand", "night table": "nightstand",
    "night stand": "nightstand", "bedside cabinet": "nightstand", "dresser": "chest of drawers",
    "chest": "chest of drawers", "drawers cabinet": "chest of drawers", "bath": "bathtub",
    "bath tub": "bathtub", "clothes washer": "washing machine", "washer": "washing machine",
    "toilet unit": "toilet", "toilets unit": "toilet", "wc": "toilet", "trash can": "waste bin",
    "dustbin": "waste bin", "bin": "waste bin", "garbage can": "waste bin",
    "wastebasket": "waste bin", "trashcan": "waste bin", "carpet": "rug", "cushion": "pillow",
    "uplight": "floor lamp", "floor uplight": "floor lamp", "standing lamp": "floor lamp",
    "pendant lamp": "ceiling lamp", "chandelier": "ceiling lamp", "ceiling light": "ceiling lamp",
    "desk lamp": "table lamp", "work lamp": "table lamp", "desklamp": "table lamp",
    "painting": "picture", "poster": "picture", "picture frame": "photo frame",
    "mobile phone": "phone", "smartphone": "phone", "cellphone": "phone", "telephone": "phone",
    "remote": "remote control", "potted plant": "plant", "houseplant": "plant",
    "house plant": "plant", "flowers": "plant", "drapes": "curtain", "closet": "wardrobe",
    "armoire": "wardrobe", "tv unit": "tv stand", "tv table": "tv stand",
    "television cabinet": "tv stand", "arm chair": "armchair", "wash basin": "washbasin",
    "washbasin": "washbasin", "bookshelves": "bookshelf", "knife stand": "knife block",
    "teddy": "teddy bear", "mixing bowl": "bowl", "flower vase": "vase", "notebook": "laptop",
    "kitchen cabinet": "kitchen counter", "lower cabinet": "kitchen counter",
    "kitchen upper cabinet": "wall cupboard", "upper cabinet": "wall cupboard",
    "grand piano": "piano", "coffee maker": "coffee machine", "coffee brewer": "coffee machine",
    "basketball": "ball", "football": "ball", "soccer ball": "ball", "back pack": "backpack",
    "cupboard": "cabinet", "low table": "coffee table", "corner sofa": "sofa",
}  # fmt: skip
"""Other names of what the catalogue knows."""
BEYOND = {
    "table": "table", "lamp": "lighting", "light": "lighting", "cup": "tableware",
    "jug": "tableware", "pitcher": "tableware", "can": "food", "fork": "tableware",
    "spoon": "tableware", "knife": "tableware", "shelf": "storage", "drawer": "storage",
    "crate": "container", "barrel": "container", "oven": "appliance", "dishwasher": "appliance",
    "blender": "appliance", "fan": "appliance", "hood": "appliance", "fireplace": "decoration",
    "computer": "electronics", "mouse": "electronics", "printer": "electronics",
    "shower": "bathroom", "bidet": "bathroom", "towel": "textile", "staircase": "structure",
    "flower": "plant", "tree": "plant", "lemon": "food", "cake": "food", "egg": "food",
    "duck": "toy", "guitar": "music", "boot": "clothing", "sneaker": "clothing",
    "helmet": "clothing", "crib": "bed", "aquarium": "decoration", "robot": "machine",
    "door": "structure", "window": "decoration", "lantern": "lighting",
}  # fmt: skip
"""Further names with their category: things of rooms that the catalogue draws no models of."""
KNOWN = {**BEYOND, **LABELS}
OTHER = "other"
"""The category of what has a name that we do not know."""
_ROLES = {
    Element.FLOOR: {
        "floor",
        "ground",
        "groundplane",
        "floorplane",
        "parquet",
        "flooring",
        "terrain",
    },
    Element.WALL: {"wall", "walls", "baseboard", "skirting"},
    Element.CEILING: {"ceiling", "roof"},
    Element.DOOR: {"door", "doorway", "doorframe", "doors"},
    Element.WINDOW: {"window", "windows"},
}
_HEADS = _ROLES[Element.FLOOR] | _ROLES[Element.WALL] | _ROLES[Element.CEILING]
_NOISE = {
    "geo", "geom", "mesh", "obj", "object", "low", "high", "poly", "lowpoly", "highpoly", "visual",
    "vis", "copy", "grp", "group", "model", "body", "link", "sm", "static", "default", "main",
    "base", "root", "node", "prim", "primitive", "exported", "export", "geometry", "final",
}  # fmt: skip
_PARTS = {
    "leg", "legs", "seat", "back", "backrest", "handle", "top", "foot", "feet", "wheel", "arm",
    "armrest", "lid", "knob", "frame", "screen", "door", "drawer", "panel", "side", "glass",
    "support", "stand", "board", "bottom", "edge", "rail",
}  # fmt: skip
"""What a name ends with that means a part of what it begins with: "table leg"."""
_BLANK = {
    "", "cube", "plane", "sphere", "cylinder", "icosphere", "uvsphere", "cone", "torus", "circle",
    "curve", "empty", "world", "scene", "armature", "material", "untitled", "rootnode", "box shape",
    "sketchfab", "collada", "gltf", "null", "layer", "component", "instance", "polygon", "shape",
    "bezier curve", "path", "light source", "lights", "mat", "unnamed", "scene root",
    "auxscene", "osg", "collection", "fbx", "p", "polysurface", "psurface", "g", "m", "id",
}  # fmt: skip


_WHOLE = 5
"""Letters of a name that may end a longer word: "hingecabinet" is a cabinet."""


def words(name: str) -> list[str]:
    """Return a name's words in small letters, without numbers and what tools add to it."""
    tail = re.split(r"[/|:#]", name.strip())[-1]
    spaced = re.sub(r"(?<=[a-z])(?=[A-Z])", " ", tail)
    spaced = re.sub(r"[_\-.,()\[\]]+", " ", spaced).lower()
    spaced = re.split(r"\b(?:with|for)\b|&|\+", spaced)[0]
    found = [re.sub(r"^(\D{2,}?)\d+$", r"\1", word) for word in spaced.split()]
    found = [word for word in found if not any(sign.isdigit() for sign in word)]
    kept = [word for word in found if word not in _NOISE and not re.fullmatch(r"lod|\W+", word)]
    while len(kept) > 1 and len(kept[-1]) == 1:
        kept.pop()
    return kept


def label(name: str) -> str | None:
    """Return what people call a thing of this name; none where the name says nothing."""
    parts = words(name)
    text = " ".join(parts)
    if text in _BLANK or not any(sign.isalpha() for sign in text):
        return None
    for start in range(len(parts)):
        if found := _known(" ".join(parts[start:])):
            return found
    ends = range(len(parts) - 1, 0, -1) if parts[-1] not in _PARTS else ()
    for end in ends:
        if found := _known(" ".join(parts[:end])):
            return found
    within = (word for word in sorted(KNOWN, key=len, reverse=True) if len(word) >= _WHOLE)
    return next((word for word in within if parts[-1].endswith(word)), text[:60])


def _known(text: str) -> str | None:
    forms = [text]
    if text.endswith("es"):
        forms.append(text[:-2])
    if text.endswith("s") and not text.endswith("ss"):
        forms.append(text[:-1])
    for form in forms:
        if form in ALIASES:
            return ALIASES[form]
        if form in KNOWN:
            return form
    return None


def category(label: str) -> str:
    """Return what sort of thing a label means."""
    return KNOWN.get(label, OTHER)


def role(name: str) -> Element:
    """Return what something of this name is for a room."""
    parts = words(name)
    for wanted, names in _ROLES.items():
        if parts and (parts[-1] in names or (parts[0] in names & _HEADS and _plain(parts[1:]))):
            return wanted
        if parts and wanted is Element.WALL and re.fullmatch(r"(back|side|front)walls?", parts[-1]):
            return wanted
        if len(parts) == 2 and wanted is Element.DOOR and parts[0] in names and parts[1] == "frame":
            return wanted
    return Element.THING


def _plain(rest: list[str]) -> bool:
    """Tell whether what follows "wall" or "floor" says where it is, not what hangs there."""
    return (
        not _known(" ".join(rest))
        and _known(f"wall {' '.join(rest)}") is None
        and all(
            word not in ("lamp", "light", "clock", "shelf", "art", "mount", "mat") for word in rest
        )
    )


@dataclass(eq=False)
class Node:
    """A node of a file."""

    name: str
    axes: Floats  # 3 x 3: its frame in the world
    pieces: list[Piece] = field(default_factory=list)
    children: list[Node] = field(default_factory=list)


@dataclass(eq=False)
class _Owner:
    """A thing in the making."""

    name: str
    label: str
    axes: Floats
    role: Element
    known: bool
    shaped: bool  # whether the node has pieces itself
    pieces: list[Piece] = field(default_factory=list)


def items(roots: Iterable[Node], file: Path, credit: str) -> list[Named]:
    """Return the things of a tree, in its order.

    Raises `RecordError` where no node that has a shape has a name that says anything.
    """
    owners: list[_Owner] = []
    nameless: list[Node] = []
    for root in roots:
        _walk(root, None, owners, nameless)
    found = [each for each in owners if each.pieces]
    if not any(each.role is Element.THING for each in found):
        _complain(found, nameless, file)
    made = [
        Named(each.name, each.label, tuple(each.pieces), each.axes, each.role, credit)
        for each in found
    ]
    spare = [piece for node in nameless for piece in node.pieces]
    if spare:
        made.append(Named(nameless[0].name, "", tuple(spare), nameless[0].axes, credit=credit))
    return made


def _complain(found: list[_Owner], nameless: list[Node], file: Path) -> None:
    if nameless:
        some = ", ".join(repr(node.name) for node in nameless[:3])
        raise refused(
            file, "", f"none of its {len(nameless)} shapes has a meaningful name ({some})",
            "name the objects in the program that made it, e.g. mug_01, table",
        )  # fmt: skip
    what = "only floor and walls" if found else "no shapes"
    raise refused(file, "", f"holds {what}", "a scene needs things with names, e.g. mug_01")


def _walk(node: Node, owner: _Owner | None, owners: list[_Owner], nameless: list[Node]) -> None:
    called = label(node.name)
    mine = owner if called is None else _own(node, called, owner, owners)
    if node.pieces:
        if mine is None:
            nameless.append(node)
        else:
            mine.pieces += node.pieces
    for child in node.children:
        _walk(child, mine, owners, nameless)


def _own(node: Node, called: str, owner: _Owner | None, owners: list[_Owner]) -> _Owner:
    """Return what a named node's shapes belong to: a thing of its own, or the one above it."""
    meant, known = role(node.name), called in KNOWN
    part = owner is not None and (owner.known or owner.shaped or owner.role is not Element.THING)
    if owner is not None and part and (not known or owner.label == called):
        return owner
    if meant in (Element.DOOR, Element.WINDOW) and owner is not None and part:
        return owner
    fresh = _Owner(node.name, called, node.axes, meant, known, bool(node.pieces))
    owners.append(fresh)
    return fresh
