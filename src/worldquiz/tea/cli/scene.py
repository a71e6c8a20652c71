"""``worldquiz tea scene``: a scene, generated from a preset or imported from a file."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from worldquiz.cli.options import JSON, PATH, command, option, out, pairs
from worldquiz.cli.shell import tell, waiting, warn
from worldquiz.errors import KnobError

if TYPE_CHECKING:
    from worldquiz_scenes.importing.assemble import Imported

LISTS = ("notes", "labels", "warnings")
"""What the table leaves out."""


@command
@out("The folder to write.")
@option("--seed", type=int, help="Random seed; a generated scene needs one.")
@option("--preset", help="Preset of the scene: tiny, paper (default) or large.")
@option(
    "--import",
    "file",
    type=PATH,
    metavar="FILE",
    help="A scene to import: .glb, .gltf or .sh3d.",
)
@option(
    "--set",
    "parameters",
    metavar="NAME=VALUE",
    multiple=True,
    help="Change a parameter of the preset, e.g. rooms=3..4.",
)
@option("--unit", default="m", help="Unit of length of an imported file: m, cm, mm, in.")
@option("--up", help="Axis that points up in an imported glTF file: y (default) or z.")
@option("--add-floor", is_flag=True, help="Add a floor to a scene that has none.")
@option("--glb", is_flag=True, help="Also write scene.glb, which 3D programs open.")
@JSON
def scene(
    out: Path,
    seed: int | None,
    preset: str | None,
    file: Path | None,
    parameters: Sequence[str],
    unit: str,
    up: str | None,
    add_floor: bool,
    glb: bool,
    json: bool,
) -> None:
    """Generate one apartment, or import a scene from a file of another program."""
    from worldquiz.records import write_bytes
    from worldquiz_scenes import importing
    from worldquiz_scenes.save import write_scene

    if file is not None:
        if preset is not None or parameters:
            raise KnobError(
                f"--import {file}: goes without --preset and --set: the file says what is in the "
                "scene"
            )
        with waiting(f"importing {file.name}"):
            labels = importing.read_labels(out)
            found = importing.read(file, unit=unit, up=up, add_floor=add_floor, labels=labels)
            importing.save(out, found)
    else:
        with waiting("generating"):
            found = _generated(preset or "paper", seed, parameters)
            write_scene(out, found.scene)
    if glb:
        from worldquiz.tea.export import glb as drawn

        write_bytes(out / "scene.glb", drawn(found.scene, out))
    _report(found, out, json=json)


def _generated(preset: str, seed: int | None, parameters: Sequence[str]) -> Imported:
    from worldquiz.rng import child_seed
    from worldquiz_scenes import generate
    from worldquiz_scenes.config import preset as preset_of
    from worldquiz_scenes.config import turned
    from worldquiz_scenes.importing.assemble import Imported

    if seed is None:
        raise KnobError("--seed is missing: a generated scene needs one, e.g. --seed 7")
    wanted = turned(preset_of(preset).knobs, pairs(parameters, "--set", "rooms=3..4"))
    made = generate.generate(wanted, child_seed(seed, "scene", 1), f"{preset}-01")
    return Imported(made, {}, (), "")


def _report(found: Imported, folder: Path, *, json: bool) -> None:
    from worldquiz.records import digest, read_bytes
    from worldquiz.report.terminal import plain
    from worldquiz_scenes.importing.doubts import doubts
    from worldquiz_scenes.importing.label_file import LABELS
    from worldquiz_scenes.save import SCENE

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
