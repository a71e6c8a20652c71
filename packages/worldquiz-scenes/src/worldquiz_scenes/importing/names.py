"""Labels for names in files: "mug" for "Mug.001", "sofa" for "SM_couch_02_LOD0".

Labels decide which nodes of a file's tree are things, and which are parts of a thing. A node whose
name is in our catalogue ("chair") is a thing together with all nodes below it, except nodes whose
names are in the catalogue, too: a "mug" below a "table" is a thing of its own. A node with another
name is a thing if it has a shape itself, or if the nodes below it have meaningless names
("Cube.001"). Names also identify floors, walls, ceilings, doors and windows.

`labels.csv` has a row for each label, with its words in eight languages. A word whose meaning
differs between languages ("bank": a bench in German, a sofa in Dutch) is ignored, unless one of
them is English, in which most files are written.
"""

from __future__ import annotations

import csv
import re
import unicodedata
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import cache
from importlib.resources import files
from pathlib import Path

from worldquiz_scenes.arrays import Floats
from worldquiz_scenes.files import refused
from worldquiz_scenes.furniture import LABELS
from worldquiz_scenes.importing.pieces import Element, Named, Surface

BEYOND = {
    "table": "table", "lamp": "lighting", "lantern": "lighting", "cup": "tableware",
    "jug": "tableware", "can": "food", "fork": "tableware", "spoon": "tableware",
    "knife": "tableware", "shelf": "storage", "drawer": "storage", "crate": "container",
    "barrel": "container", "oven": "appliance", "dishwasher": "appliance", "blender": "appliance",
    "fan": "appliance", "hood": "appliance", "air conditioner": "appliance",
    "water heater": "appliance", "tumble dryer": "appliance", "fireplace": "decoration",
    "mannequin": "decoration", "aquarium": "decoration", "computer": "electronics",
    "mouse": "electronics", "printer": "electronics", "shower": "bathroom", "bidet": "bathroom",
    "towel": "textile", "staircase": "structure", "railing": "structure", "door": "structure",
    "low wall": "structure", "window": "decoration", "tree": "plant", "lemon": "food",
    "cake": "food", "egg": "food", "duck": "toy", "guitar": "music", "boot": "clothing",
    "sneaker": "clothing", "helmet": "clothing", "crib": "bed", "robot": "machine",
    "pencil": "stationery", "pen": "stationery", "ladder": "tool", "bicycle": "vehicle",
}  # fmt: skip
"""Further labels with their category: things in rooms for which the catalogue has no models."""
KNOWN = {**BEYOND, **LABELS}
_ROLES = {
    "floor": Element.FLOOR, "wall": Element.WALL, "ceiling": Element.CEILING,
    "door": Element.DOOR, "window": Element.WINDOW,
}  # fmt: skip
"""Roles of the words for parts of a room."""
_HUNG = {"lamp", "light", "clock", "shelf", "art", "mount", "mat"}
"""Words that turn "wall" or "floor" before them into a thing: "wall clock"."""
_HEADS = (Element.FLOOR, Element.WALL, Element.CEILING)
_NOISE = {
    "geo", "geom", "mesh", "obj", "object", "low", "high", "poly", "lowpoly", "highpoly", "visual",
    "vis", "copy", "grp", "group", "model", "body", "link", "sm", "static", "default", "main",
    "base", "root", "node", "prim", "primitive", "exported", "export", "geometry", "final",
}  # fmt: skip
_PARTS = {
    "leg", "legs", "seat", "back", "backrest", "handle", "top", "foot", "feet", "wheel", "arm",
    "armrest", "lid", "knob", "frame", "screen", "door", "drawer", "panel", "side", "glass",
    "support", "stand", "board", "bottom", "edge", "rail", "pad", "rod",
}  # fmt: skip
"""Last words that name a part of a thing: "table leg"."""
_BLANK = {
    "", "cube", "plane", "sphere", "cylinder", "icosphere", "uvsphere", "cone", "torus", "circle",
    "curve", "empty", "world", "scene", "armature", "material", "untitled", "rootnode", "box shape",
    "sketchfab", "collada", "gltf", "null", "layer", "component", "instance", "polygon", "shape",
    "bezier curve", "path", "light source", "lights", "mat", "unnamed", "scene root",
    "cubo", "wurfel", "kubus", "kub", "plano", "cilindro", "zylinder", "auxscene", "osg",
    "collection", "fbx", "p", "polysurface", "psurface", "g", "m", "id",
}  # fmt: skip


_OF = {
    "di", "da", "de", "do", "del", "dell", "della", "dei", "dal", "du", "des", "d", "a", "au", "en",
    "in", "per", "pour", "para", "com", "con", "avec", "mit", "fur", "von", "van", "voor", "met",
    "med", "of", "on",
}  # fmt: skip
"""Words after which a name's head is over: "lampada da terra"."""
_LONGEST = 120  # most letters of a name that are read: every part of it may be a label
_WHOLE, _BEFORE = 5, 3  # fewest letters of an ending, and of the word before it
ENGLISH = "English"
HEAD_FIRST = frozenset({"French", "Italian", "Spanish", "Portuguese"})
"""Languages in which the head of a name comes first: "tavolo rotondo"."""
_JOINED = str.maketrans({"ß": "ss", "œ": "oe", "ø": "o", "æ": "ae", "’": " ", "'": " "})


def fold(text: str) -> str:
    """Return a text in lower case without accents, its words separated by single blanks."""
    parts = unicodedata.normalize("NFKD", text).lower()
    plain = "".join(sign for sign in parts if not unicodedata.combining(sign))
    return " ".join(re.sub(r"[_\-.,()\[\]]+", " ", plain.translate(_JOINED)).split())


@cache
def _table() -> Mapping[str, Mapping[str, frozenset[str]]]:
    """Return the labels of every word, with the languages in which it has that meaning."""
    found: dict[str, dict[str, frozenset[str]]] = {}
    text = files(__package__).joinpath("labels.csv").read_text(encoding="utf-8")
    for row in csv.DictReader(text.splitlines()):
        label = row.pop("label")
        row[ENGLISH] = f"{label}|{row[ENGLISH]}"
        for language, listed in row.items():
            for word in filter(None, map(fold, listed.split("|"))):
                meant = found.setdefault(word, {})
                meant[label] = meant.get(label, frozenset()) | {language}
    return found


def meanings(text: str) -> Mapping[str, frozenset[str]]:
    """Return the labels of a word in exactly this form, each with the languages of that meaning."""
    return _table().get(fold(text), {})


def known(text: str) -> str | None:
    """Return the label of a word or its plural, None if the word is unknown or ambiguous."""
    for meant in map(meanings, _forms(text)):
        english = [label for label, languages in meant.items() if ENGLISH in languages]
        chosen = english or list(meant)
        if len(chosen) == 1:
            return chosen[0]
    return None


def head_first(text: str) -> bool:
    """Return whether all languages that know a word put a name's main word first."""
    told = [meant for form in _forms(text) for meant in meanings(form).values()]
    return bool(told) and frozenset().union(*told) <= HEAD_FIRST


@cache
def _endings() -> tuple[str, ...]:
    """Return the words that may end a longer word ("Kleiderschrank"), longest first."""
    words = (word for word in _table() if " " not in word and known(word) and not head_first(word))
    return tuple(sorted(words, key=lambda word: (-len(word), word)))


def _forms(text: str) -> list[str]:
    return [text, *(text.removesuffix(end) for end in ("es", "s")
                    if text.endswith(end) and not text.endswith("ss"))]  # fmt: skip


def words(name: str) -> list[str]:
    """Return a name's words in lower case, without accents, numbers and words of tools ("mesh")."""
    tail = re.split(r"[/|:#]", name.strip())[-1][:_LONGEST]
    spaced = fold(re.sub(r"(?<=[a-z])(?=[A-Z])", " ", tail))
    spaced = re.split(r"\b(?:with|for)\b|&|\+", spaced)[0]
    found = [re.sub(r"^(\D{2,}?)\d+$", r"\1", word) for word in spaced.split()]
    found = [word for word in found if not any(sign.isdigit() for sign in word)]
    kept = [word for word in found if word not in _NOISE and not re.fullmatch(r"lod|\W+", word)]
    while len(kept) > 1 and len(kept[-1]) == 1:
        kept.pop()
    return kept


def label(name: str) -> str | None:
    """Return the everyday name for a thing's name: a known label, else the name itself.

    None for a meaningless name.
    """
    parts = words(name)
    text = " ".join(parts)
    if text in _BLANK or not any(sign.isalpha() for sign in text):
        return None
    return _meant(parts) or text[:60]


def _meant(parts: list[str]) -> str | None:
    """Return the label of the last words of a name that have one, as many words as possible. In
    languages that put the main word first, it is the label of the first words.
    """
    cut = next((at for at, word in enumerate(parts) if at and word in _OF), len(parts))
    starts = [" ".join(parts[:end]) for end in range(len(parts), 0, -1)]
    shortest = cut - 1 if parts[cut - 1] in _PARTS else 0
    later = [" ".join(parts[start:end])
             for end in range(cut, shortest, -1) for start in range(end)]  # fmt: skip
    tried = (starts[0], *(each for each in starts if head_first(each)), *later)
    found = next((label for text in tried if (label := _known(text))), None)
    word = parts[cut - 1]
    fitting = (end for end in _endings() if len(end) >= _WHOLE and word.endswith(end))
    ending = next((end for end in fitting if len(word) - len(end) >= _BEFORE), "")
    return found or _known(ending)


def _known(text: str) -> str | None:
    found = known(text)
    return found if found in KNOWN else None


def role(name: str) -> Element:
    """Return the role in a room (floor, wall, door, ...) of a thing with this name."""
    parts = words(name)
    if not parts:
        return Element.THING
    first, last = (_ROLES.get(known(word) or "") for word in (parts[0], parts[-1]))
    last = None if parts[1:] and head_first(parts[-1]) else last
    if last is None and re.fullmatch(r"(back|side|front)walls?", parts[-1]):
        return Element.WALL
    frame = first is Element.DOOR and parts[1:] == ["frame"]
    rest = " ".join(parts[1:])  # says where a wall is, or what hangs there
    plain = not (_known(rest) or _known(f"wall {rest}") or _HUNG & set(parts[1:]))
    said_first = (first in _HEADS and plain) or frame or head_first(parts[0])
    found = [each for each in (last, first if said_first else None) if each]
    return min(found, key=list(Element).index, default=Element.THING)


@dataclass(eq=False)
class Node:
    """A node in the tree of a file, with its shapes."""

    name: str
    axes: Floats  # 3 x 3: its frame in the world
    pieces: list[Surface] = field(default_factory=list)
    children: list[Node] = field(default_factory=list)


@dataclass(eq=False)
class _Owner:
    """A thing under construction."""

    name: str
    label: str
    axes: Floats
    role: Element
    known: bool
    shaped: bool  # whether the node has pieces itself
    pieces: list[Surface] = field(default_factory=list)


def items(roots: Iterable[Node], file: Path, credit: str) -> list[Named]:
    """Return the things in a tree of nodes, in order.

    Raises `FileError` if no node with a shape has a meaningful name.
    """
    owners: list[_Owner] = []
    nameless: list[Node] = []
    for root in roots:
        _walk(root, None, owners, nameless)
    found = [each for each in owners if each.pieces]
    if not any(each.role is Element.THING for each in found):
        what = "holds only floor and walls" if found else "holds no shapes"
        if nameless:
            some = ", ".join(repr(node.name) for node in nameless[:3])
            what = f"none of its {len(nameless)} shapes has a meaningful name ({some})"
        raise refused(file, "", what, "name its things in the program that made it, e.g. mug_01")
    made = [
        Named(each.name, each.label, tuple(each.pieces), each.axes, each.role, credit,
              term=" ".join(words(each.name)))
        for each in found
    ]  # fmt: skip
    spare = [piece for node in nameless for piece in node.pieces]
    if spare:
        made.append(Named(nameless[0].name, "", tuple(spare), nameless[0].axes, credit=credit))
    return made


def _walk(node: Node, owner: _Owner | None, owners: list[_Owner], nameless: list[Node]) -> None:
    """Give a node's shapes to a new thing, or to the thing above the node."""
    called, meant = label(node.name), role(node.name)
    part = owner is not None and (owner.known or owner.shaped or owner.role is not Element.THING)
    above = (
        called is None
        or (part and owner is not None and (called not in KNOWN or owner.label == called))
        or (part and meant in (Element.DOOR, Element.WINDOW))
    )
    if not above and called is not None:
        owner = _Owner(node.name, called, node.axes, meant, called in KNOWN, bool(node.pieces))
        owners.append(owner)
    if node.pieces and owner is None:
        nameless.append(node)
    elif owner is not None:
        owner.pieces += node.pieces
    for child in node.children:
        _walk(child, owner, owners, nameless)
