"""Libraries of furniture: pieces of a generated scene redrawn in their own boxes."""

from __future__ import annotations

import zipfile
from pathlib import Path

import pytest

import foreign
from worldquiz.errors import RecordError
from worldquiz.scenes.config import preset
from worldquiz.scenes.generate import generate
from worldquiz.scenes.importing.library import KEPT, LEVEL, opened, properties, refurnished
from worldquiz.scenes.scene import Scene, Shape

INSTALLED = Path("/usr/share/sweethome3d/furniture")
OBJ = """mtllib m.mtl
v 0 0 0
v 2 0 0
v 2 1 0
v 0 1 0
v 0 0 3
v 2 0 3
v 2 1 3
v 0 1 3
usemtl paint
f 1 4 3 2
f 5 6 7 8
f 1 2 6 5
f 4 8 7 3
f 1 5 8 4
f 2 3 7 6
"""
PIECE = """id#{n}=own#{n}
name#{n}={name}
model#{n}=/m/{n}.obj
width#{n}={width}
depth#{n}={depth}
height#{n}={height}
creator#{n}=A. Maker
{more}
"""


@pytest.fixture(scope="module")
def flat() -> Scene:
    return generate(preset("tiny").knobs, 5, "tiny-01")


def library(path: Path, *pieces: str, model: bytes = OBJ.encode()) -> Path:
    """Write a library whose pieces are boxes of one colour."""
    with zipfile.ZipFile(path, "w") as archive:
        text = "license=CC0\\\n  and no more\n" + "".join(pieces)
        archive.writestr("PluginFurnitureCatalog.properties", text)
        archive.writestr("m/m.mtl", "newmtl paint\nKd 1 0 0\n")
        for number in range(1, len(pieces) + 1):
            archive.writestr(f"m/{number}.obj", model)
    return path


def like(thing: object, number: int, more: str = "") -> str:
    wide, deep, high = (200 * half for half in thing.half)  # type: ignore[attr-defined]
    return PIECE.format(
        n=number, name=thing.label, width=wide, depth=deep, height=high, more=more  # type: ignore[attr-defined]
    )  # fmt: skip


def test_a_thing_is_redrawn_in_its_own_box(flat: Scene, tmp_path: Path) -> None:
    old = next(each for each in flat.things if each.label not in KEPT
               and not any(other.support == each.id for other in flat.things))  # fmt: skip
    pieces = opened([library(tmp_path / "own.sh3f", like(old, 1))])
    found = refurnished(flat, pieces, 1)
    new = found.scene.thing[old.id]
    (part,) = new.parts
    assert (part.shape, part.size, part.at) == (Shape.MESH, old.half, (0.0, 0.0, 0.0))
    assert (new.position, new.rotation, new.half, new.support) == (
        old.position, old.rotation, old.half, old.support
    )  # fmt: skip
    assert new.paint.colour == "red"
    assert new.credit == "A. Maker, own#1, CC0and no more"
    assert set(found.forms) == {part.mesh}
    assert [each for each in found.scene.things if each.label != old.label] == [
        each for each in flat.things if each.label != old.label
    ]
    assert refurnished(flat, pieces, 1).scene == found.scene


def test_what_carries_things_is_as_high_as_its_load_needs(flat: Scene, tmp_path: Path) -> None:
    load = next(each for each in flat.things if each.support in flat.thing)
    bearer = flat.thing[load.support]
    foot = bearer.position[2] - bearer.half[2]
    level = load.position[2] - load.half[2] - foot
    for share in (1.0, 0.95, 0.2):
        more = f"dropOnTopElevation#1={share * 200 * bearer.half[2]}"
        pieces = opened([library(tmp_path / f"{share}.sh3f", like(bearer, 1, more))])
        new = refurnished(flat, pieces, 1).scene.thing[bearer.id]
        if new.credit == bearer.credit:
            assert new == bearer
        else:
            assert share * 2 * new.half[2] == pytest.approx(level, abs=LEVEL)
            assert new.position[2] - new.half[2] == pytest.approx(foot, abs=1e-5)
            assert new.half[:2] == bearer.half[:2]
    assert new == bearer, "five times as high is another proportion"


def test_doors_strange_shapes_and_unknown_names_are_not_used(flat: Scene, tmp_path: Path) -> None:
    thing = flat.things[0]
    door = like(thing, 1, "doorOrWindow#1=true")
    rocket = like(thing, 2).replace(f"name#2={thing.label}", "name#2=Rocket")
    long = PIECE.format(n=3, name=thing.label, width=900, depth=1, height=1, more="")
    pieces = opened([library(tmp_path / "own.sh3f", door, rocket, long)])
    assert [piece.id for piece in pieces] in (["own#3"], [])
    assert refurnished(flat, pieces, 1).scene == flat


@pytest.mark.parametrize(
    ("old", "new", "problem"),
    [
        ("width#1=50", "width#1=NaN", r"piece 1 \(Chair\): 'NaN' is not a length in cm"),
        ("creator#1=A. Maker", "modelRotation#1=1 2", r"modelRotation: '1 2' is not a rotation"),
    ],
)
def test_what_is_wrong_is_named(tmp_path: Path, old: str, new: str, problem: str) -> None:
    text = PIECE.format(n=1, name="Chair", width=50, depth=50, height=90, more="")
    assert old in text
    with pytest.raises(RecordError, match=problem):
        opened([library(tmp_path / "bad.sh3f", text.replace(old, new))])


def test_what_is_no_library_is_refused(tmp_path: Path) -> None:
    with pytest.raises(RecordError, match=r"holds no \.sh3f files"):
        opened([tmp_path])
    with pytest.raises(RecordError, match="is not a furniture library"):
        opened([foreign.HOME])


def test_java_properties_are_read() -> None:
    text = "# no\na=1\nlong=one \\\n   two\nname#3=Caf\\u00e9\nempty=\n"
    assert properties(text) == {"a": "1", "long": "one two", "name#3": "Café", "empty": ""}


@pytest.mark.skipif(not INSTALLED.is_dir(), reason="apt install sweethome3d-furniture")
def test_the_libraries_that_debian_has_furnish_a_flat(flat: Scene) -> None:
    pieces = opened([INSTALLED / "BlendSwap-CC-0.sh3f"])
    assert len(pieces) > 80
    assert {"armchair", "bed", "chair", "fridge", "sofa"} <= {piece.label for piece in pieces}
    found = refurnished(flat, pieces, 5)
    redrawn = [each for each in found.scene.things if "Public domain" in each.credit]
    assert redrawn
    assert {part.mesh for each in redrawn for part in each.parts} == set(found.forms)
