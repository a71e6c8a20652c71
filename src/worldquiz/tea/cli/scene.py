"""``worldquiz tea scene``: a scene, generated from a preset or imported from a file."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Annotated, Any

import typer

from worldquiz.cli.shell import Json, tell, waiting, warn
from worldquiz.cli.tables import plain
from worldquiz.errors import KnobError
from worldquiz.records import digest, read_bytes, write_bytes
from worldquiz.rng import child_seed
from worldquiz.tea.cli.options import Out
from worldquiz.tea.export.glb import glb as drawn
from worldquiz_scenes import generate, importing
from worldquiz_scenes.config import preset as preset_of
from worldquiz_scenes.config import turned
from worldquiz_scenes.importing.assemble import Imported
from worldquiz_scenes.importing.doubts import doubts
from worldquiz_scenes.importing.label_file import LABELS
from worldquiz_scenes.save import SCENE, write_scene

LISTS = ("notes", "labels", "warnings")
"""What the table leaves out."""


def scene(
    out_folder: Out,
    seed: Annotated[
        int | None, typer.Option(help="Random seed; a generated scene needs one.")
    ] = None,
    preset: Annotated[
        str | None, typer.Option(help="Preset of the scene: tiny, paper (default) or large.")
    ] = None,
    file: Annotated[
        Path | None,
        typer.Option("--import", metavar="FILE", help="A scene to import: .glb, .gltf or .sh3d."),
    ] = None,
    knob: Annotated[
        list[str] | None,
        typer.Option(
            "--set", metavar="NAME=VALUE", help="Change a parameter of the preset, e.g. rooms=3..4."
        ),
    ] = None,
    unit: Annotated[
        str, typer.Option(help="Unit of length of an imported file: m, cm, mm, in.")
    ] = "m",
    up: Annotated[
        str | None,
        typer.Option(help="Axis that points up in an imported glTF file: y (default) or z."),
    ] = None,
    add_floor: Annotated[
        bool, typer.Option("--add-floor", help="Add a floor to a scene that has none.")
    ] = False,
    glb: Annotated[
        bool, typer.Option("--glb", help="Also write scene.glb, which 3D programs open.")
    ] = False,
    json: Json = False,
) -> None:
    """Generate one apartment, or import a scene from a file of another program."""
    if file is not None:
        if preset is not None or knob:
            raise KnobError(
                f"--import {file}: goes without --preset and --set: the file says what is in the "
                "scene"
            )
        with waiting(f"importing {file.name}"):
            found = importing.read(
                file, unit=unit, up=up, add_floor=add_floor,
                labels=importing.read_labels(out_folder),
            )  # fmt: skip
            importing.save(out_folder, found)
    else:
        with waiting("generating"):
            found = _generated(preset or "paper", seed, knob or [])
            write_scene(out_folder, found.scene)
    if glb:
        write_bytes(out_folder / "scene.glb", drawn(found.scene, out_folder))
    _report(found, out_folder, json=json)


def _generated(preset: str, seed: int | None, knobs: Sequence[str]) -> Imported:
    if seed is None:
        raise KnobError("--seed is missing: a generated scene needs one, e.g. --seed 7")
    wanted = turned(preset_of(preset).knobs, _settings(knobs))
    made = generate.generate(wanted, child_seed(seed, "scene", 1), f"{preset}-01")
    return Imported(made, {}, (), "")


def _report(found: Imported, folder: Path, *, json: bool) -> None:
    made = found.scene
    document: dict[str, Any] = {
        "scene": str(folder / SCENE),
        "id": made.id,
        "style": made.style,
        "rooms": len({room.whole for room in made.rooms}),
        "doors": sum(
            len({made.room[name].whole for name in door.rooms}) > 1 for door in made.doors
        ),
        "things": len(made.things),
        "mirrors": len(made.mirrors),
        "meshes": len(found.forms),
        "notes": list(dict.fromkeys(found.notes)),
        "labels": {term: told.label for term, told in sorted(found.terms.items())},
        "warnings": list(doubts(made)),
        "digest": digest(read_bytes(folder / SCENE), *sorted(found.forms)),
    }
    rows = [(name, str(value)) for name, value in document.items() if name not in LISTS]
    tell(document, [plain(rows, "", made.id)], json=json)
    if not json:
        warn(*document["notes"], *(f"warning: {each}" for each in document["warnings"]))
        if found.terms:
            warn(f"{folder / LABELS} says what each thing is called: look it through")


def _settings(knobs: Sequence[str]) -> dict[str, str]:
    found: dict[str, str] = {}
    for text in knobs:
        name, sign, value = text.partition("=")
        if not sign or name in found:
            reason = "given twice" if sign else "give it as NAME=VALUE, e.g. rooms=3..4"
            raise KnobError(f"--set {text!r}: {reason}")
        found[name] = value
    return found
