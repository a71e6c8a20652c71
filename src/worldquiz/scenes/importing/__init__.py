"""Scenes from files that other programs wrote: glTF, MuJoCo's MJCF, and homes of Sweet Home 3D.

`read` returns a scene with its meshes and says what it left out; `save` writes both into a folder
that appears whole or not at all. Input files are untrusted (`limits`).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from pathlib import Path

from worldquiz.errors import KnobError, RecordError, did_you_mean
from worldquiz.records import write_folder, write_text
from worldquiz.scenes.arrays import np
from worldquiz.scenes.importing import gltf, mjcf, room_geometry, sweethome3d
from worldquiz.scenes.importing.assemble import MESHES, Imported, assembled, reasonable
from worldquiz.scenes.importing.limits import refused
from worldquiz.scenes.importing.pieces import Draft
from worldquiz.scenes.meshes import save_forms
from worldquiz.scenes.save import CREDITS, SCENE, credits, write_scene

__all__ = ["KINDS", "UNITS", "Imported", "read", "save"]

UNITS = {"m": 1.0, "dm": 0.1, "cm": 0.01, "mm": 0.001, "in": 0.0254, "ft": 0.3048}
"""Metres of the units that a file may count in."""
KINDS: dict[str, Callable[[Path, float], Draft]] = {
    ".glb": gltf.read,
    ".gltf": gltf.read,
    ".xml": mjcf.read,
    ".mjcf": mjcf.read,
    ".sh3d": sweethome3d.read,
}
"""What can be imported, by the end of its name."""


def read(file: Path, *, unit: str = "m", add_floor: bool = False) -> Imported:
    """Return a file's scene. Equal files give equal scenes.

    `unit` is what the file counts in (a home's centimetres count as they are meant with "m");
    `add_floor` lays a floor beneath a scene that has none.

    Raises `RecordError` naming file, node, problem and way out; `KnobError` for an unknown unit;
    `MissingExtra`.
    """
    if unit not in UNITS:
        raise KnobError(f"--unit {unit!r}: no such unit{did_you_mean(unit, UNITS)}")
    kind = file.suffix.lower()
    if kind not in KINDS:
        other = " is a library of furniture: give it as --furniture" if kind == ".sh3f" else ""
        raise refused(
            file, "", f"cannot be imported{other or f' (its name ends with {kind!r})'}",
            f"give one of {', '.join(KINDS)}",
        )  # fmt: skip
    with np.errstate(all="ignore"):  # what is no number is refused by name
        draft = KINDS[kind](file, UNITS[unit])
        reasonable(draft, file)
        if not draft.floors and not draft.walls:
            draft = room_geometry.inferred(draft, file, add_floor=add_floor)
        return assembled(replace(draft, id=_id(draft.id)), file)


def _id(stem: str) -> str:
    """Return a file's name as an id that may name a folder."""
    plain = "".join(sign if sign.isascii() and sign.isalnum() else "-" for sign in stem.lower())
    return "-".join(part for part in plain.split("-") if part)[:60] or "imported"


def save(out: Path, imported: Imported) -> None:
    """Write a scene with its meshes and credits into a folder, whole or not at all.

    Raises `RecordError` for a folder that holds anything but such a scene.
    """
    if out.is_dir():
        strange = [each.name for each in out.iterdir()
                   if each.name not in (SCENE, CREDITS, MESHES)]  # fmt: skip
        if strange:
            raise RecordError(f"{out}: holds {min(strange)!r}: choose another folder")
    write_folder(out, partial(_fill, imported))


def _fill(imported: Imported, folder: Path) -> None:
    save_forms(folder, imported.forms)
    write_scene(folder, imported.scene)
    if imported.credit:
        text = credits(imported.scene)
        write_text(folder / CREDITS, f"{text}\nOf the file as a whole: {imported.credit}\n")
