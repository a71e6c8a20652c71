"""Import of scenes from files of other programs: GLB, and homes of Sweet Home 3D.

`read` returns a scene with its meshes and a list of what it left out; `save` writes both into a
folder that appears whole or not at all. Input files are not trusted (`files`).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

from worldquiz_scenes.arrays import np
from worldquiz_scenes.errors import FileError, ParameterError, did_you_mean
from worldquiz_scenes.files import refused, write_bytes, write_folder
from worldquiz_scenes.importing import gltf, room_geometry, sweethome3d
from worldquiz_scenes.importing.assemble import MESHES, Imported, assembled, reasonable
from worldquiz_scenes.importing.pieces import Draft
from worldquiz_scenes.meshes import save_forms
from worldquiz_scenes.save import CREDITS, SCENE, credits, write_scene

__all__ = ["KINDS", "UNITS", "Imported", "read", "save"]

UNITS = {"m": 1.0, "dm": 0.1, "cm": 0.01, "mm": 0.001, "in": 0.0254, "ft": 0.3048}
"""Metres of each unit that a file may use."""
KINDS: dict[str, Callable[[Path, float], Draft]] = {".glb": gltf.read, ".sh3d": sweethome3d.read}
"""File types that can be imported, by ending."""


def read(
    file: Path,
    *,
    unit: str = "m",
    up: str | None = None,
    id: str | None = None,
) -> Imported:
    """Return the scene in a file. Equal files give equal scenes.

    Its id is `id`, or by default the file's name without its ending, in lower case. `unit` is the
    unit of the file's numbers; keep "m" for homes of Sweet Home 3D, which count in centimetres.
    `up` is the axis that points up in a GLB, "y" or "z".

    Raises `FileError` with file, node, problem and fix; `ParameterError` for an unknown unit.
    """
    if unit not in UNITS:
        raise ParameterError(f"--unit {unit!r}: no such unit{did_you_mean(unit, UNITS)}")
    kind = file.suffix.lower()
    if kind not in KINDS:
        raise refused(
            file, "", f"cannot be imported (its name ends with {kind!r})",
            f"use one of {', '.join(KINDS)}",
        )  # fmt: skip
    if up is not None and (kind == ".sh3d" or up not in ("y", "z")):
        home = kind == ".sh3d"
        reason = "a home fixes its own axis: omit --up" if home else "no such axis: use y or z"
        raise ParameterError(f"--up {up!r}: {reason}")
    with np.errstate(all="ignore"):  # values that are not numbers are refused by name
        draft = KINDS[kind](file, UNITS[unit])
        if up == "z":
            turn = np.array(gltf.FLIP).T
            turned = [item.moved(turn, np.zeros(3)) for item in draft.items]
            items = [replace(item, axes=item.axes @ turn.T) for item in turned]
            draft = replace(draft, items=items)
        reasonable(draft, file)
        if not draft.floors and not draft.walls:
            draft = room_geometry.inferred(draft, file)
        named = (id or draft.id).lower()
        letters = (sign if sign.isascii() and sign.isalnum() else "-" for sign in named)
        plain = "-".join(filter(None, "".join(letters).split("-")))[:60]
        return assembled(replace(draft, id=plain or "imported"), file)


def save(out: Path, imported: Imported) -> None:
    """Write a scene with its meshes and credits into a folder, whole or not at all.

    Raises `FileError` if the folder holds anything that is not part of such a scene.
    """
    if out.is_dir():
        strange = {each.name for each in out.iterdir()} - {SCENE, CREDITS, MESHES}
        if strange:
            raise FileError(f"{out}: already holds {min(strange)!r}: choose another folder")

    def fill(folder: Path) -> None:
        save_forms(folder, imported.forms)
        write_scene(folder, imported.scene)
        if imported.credit:
            text = f"{credits(imported.scene)}\nOf the file as a whole: {imported.credit}\n"
            write_bytes(folder / CREDITS, text.encode())

    write_folder(out, fill)
