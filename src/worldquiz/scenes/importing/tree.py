"""Decides which nodes of a file's tree are things, and which are parts of one.

A node whose name our catalogue knows ("chair") is a thing together with all nodes below it, except
those that the catalogue knows as well: a "mug" below a "table" is a thing of its own. A node of
another name is a thing if it has a shape itself, or if the nodes below it have meaningless names
("Cube.001"). Names also identify floors, walls, ceilings, doors and windows.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path

from worldquiz.scenes.arrays import Floats
from worldquiz.scenes.importing import names
from worldquiz.scenes.importing.limits import refused
from worldquiz.scenes.importing.pieces import Item, Piece, Role


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
    role: Role
    known: bool
    shaped: bool  # whether the node has pieces itself
    pieces: list[Piece] = field(default_factory=list)


def items(roots: Iterable[Node], file: Path, credit: str) -> list[Item]:
    """Return the things of a tree, in its order.

    Raises `RecordError` where no node that has a shape has a name that says anything.
    """
    owners: list[_Owner] = []
    nameless: list[Node] = []
    for root in roots:
        _walk(root, None, owners, nameless)
    found = [each for each in owners if each.pieces]
    if not any(each.role is Role.THING for each in found):
        _complain(found, nameless, file)
    made = [
        Item(each.name, each.label, tuple(each.pieces), each.axes, each.role, credit)
        for each in found
    ]
    spare = [piece for node in nameless for piece in node.pieces]
    if spare:
        made.append(Item(nameless[0].name, "", tuple(spare), nameless[0].axes, credit=credit))
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
    called = names.label(node.name)
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
    role, known = names.role(node.name), called in names.KNOWN
    part = owner is not None and (owner.known or owner.shaped or owner.role is not Role.THING)
    if owner is not None and part and (not known or owner.label == called):
        return owner
    if role in (Role.DOOR, Role.WINDOW) and owner is not None and part:
        return owner
    fresh = _Owner(node.name, called, node.axes, role, known, bool(node.pieces))
    owners.append(fresh)
    return fresh
