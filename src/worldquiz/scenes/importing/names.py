"""Labels for names in files: "mug" for "Mug.001", "sofa" for "SM_couch_02_LOD0"."""

from __future__ import annotations

import re

from worldquiz.scenes.furniture import LABELS
from worldquiz.scenes.importing.pieces import Role

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
    Role.FLOOR: {"floor", "ground", "groundplane", "floorplane", "parquet", "flooring", "terrain"},
    Role.WALL: {"wall", "walls", "baseboard", "skirting"},
    Role.CEILING: {"ceiling", "roof"},
    Role.DOOR: {"door", "doorway", "doorframe", "doors"},
    Role.WINDOW: {"window", "windows"},
}
_HEADS = _ROLES[Role.FLOOR] | _ROLES[Role.WALL] | _ROLES[Role.CEILING]
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


def role(name: str) -> Role:
    """Return what something of this name is for a room."""
    parts = words(name)
    for wanted, names in _ROLES.items():
        if parts and (parts[-1] in names or (parts[0] in names & _HEADS and _plain(parts[1:]))):
            return wanted
        if parts and wanted is Role.WALL and re.fullmatch(r"(back|side|front)walls?", parts[-1]):
            return wanted
        if len(parts) == 2 and wanted is Role.DOOR and parts[0] in names and parts[1] == "frame":
            return wanted
    return Role.THING


def _plain(rest: list[str]) -> bool:
    """Tell whether what follows "wall" or "floor" says where it is, not what hangs there."""
    return (
        not _known(" ".join(rest))
        and _known(f"wall {' '.join(rest)}") is None
        and all(
            word not in ("lamp", "light", "clock", "shelf", "art", "mount", "mat") for word in rest
        )
    )
