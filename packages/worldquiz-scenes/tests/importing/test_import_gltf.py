"""A GLB that trimesh wrote becomes rooms and things; a bad one an error that says what is wrong."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
import trimesh

import foreign
from foreign import Header, node
from worldquiz_scenes.errors import FileError
from worldquiz_scenes.importing import gltf, read, save
from worldquiz_scenes.save import read_scene


@pytest.fixture(scope="module")
def room(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return foreign.glb(tmp_path_factory.mktemp("glb") / "Room One.glb")


@pytest.fixture
def copy(room: Path, tmp_path: Path) -> Path:
    path = tmp_path / "in" / "room.glb"
    path.parent.mkdir()
    path.write_bytes(room.read_bytes())
    return path


def test_names_boxes_and_supports(room: Path) -> None:
    found = read(room)
    things = foreign.named(found.scene.things)
    assert found.scene.id == "room-one"
    assert set(things) == {"dining-table-1", "mug-1", "mug-2", "sofa-1", "wardrobe-1", "mirror-1",
                           "picture-1"}  # fmt: skip
    assert things["mug-1"].support == "dining-table-1"
    assert things["sofa-1"].support == "floor"
    assert things["picture-1"].support == things["mirror-1"].support == "wall"
    assert things["sofa-1"].half == pytest.approx((0.9, 0.4, 0.4))
    assert things["wardrobe-1"].half == pytest.approx((0.5, 0.3, 1.0), abs=1e-5)
    assert (things["mug-1"].label, things["mug-1"].category) == ("mug", "tableware")
    assert things["mug-1"].paint.colour == "red"
    assert "no licence" in found.credit


def test_a_scene_has_the_id_that_is_asked_for(room: Path) -> None:
    assert read(room, id="Our Flat 2").scene.id == "our-flat-2"


def test_a_label_that_its_size_belies_is_unknown(copy: Path) -> None:
    """A pane of glass is no drinking glass."""
    foreign.changed(copy, lambda header: node(header, "wardrobe.003").update(name="glass front"))
    found = read(copy)
    (pane,) = [thing for thing in found.scene.things if not thing.has_label]
    assert pane.label == "unknown glass front"
    assert "'glass front' is 2.0 m long, unlike any glass" in found.notes
    assert "glass front" in found.warnings[0]


def test_a_file_that_was_written_with_z_up_is_the_same_scene(room: Path, tmp_path: Path) -> None:
    upright = foreign.room()
    upright.apply_transform(foreign.rotation_matrix(np.pi / 2, [1, 0, 0]))
    path = tmp_path / "Room One.glb"
    path.write_bytes(upright.export(file_type="glb"))
    with pytest.raises(FileError, match=r"--up"):
        read(path)
    one, two = read(room).scene, read(path, up="z").scene
    assert [each.id for each in one.things] == [each.id for each in two.things]
    for thing in one.things:
        other = two.thing[thing.id]
        assert other.position == pytest.approx(thing.position, abs=1e-4)
        assert other.half == pytest.approx(thing.half, abs=1e-4)
        assert (other.support, other.room) == (thing.support, thing.room)
    assert [room.high for room in two.rooms] == [room.high for room in one.rooms]


def test_a_wall_with_a_gap_is_two_rooms_and_a_doorway(room: Path) -> None:
    scene = read(room).scene
    assert len(scene.rooms) == 2
    assert [round(high - low, 1) for r in scene.rooms
            for low, high in zip(r.low, r.high, strict=True)] == [3.4, 5.0, 2.4, 5.0]  # fmt: skip
    (door,) = scene.doors
    assert door.along == "y"
    assert door.width == pytest.approx(1.2, abs=0.01)
    assert scene.height == 2.5


def test_a_mirror_looks_into_its_room(room: Path) -> None:
    scene = read(room).scene
    mirror = scene.thing["mirror-1"]
    assert mirror.mirror == pytest.approx((0.4 * 0.92, 0.6 * 0.95))  # its glass, in its frame
    from worldquiz_scenes.cameras import plane

    point, normal = plane(mirror)
    middle = np.array([*np.mean([scene.rooms[0].low, scene.rooms[0].high], axis=0), point[2]])
    assert normal @ (middle - point) > 0.5


def test_equal_files_give_equal_bytes_and_are_read_again(room: Path, tmp_path: Path) -> None:
    for name in ("one", "two"):
        save(tmp_path / name, read(room))
    one, two = (
        {str(p.relative_to(tmp_path / name)): p.read_bytes()
         for p in sorted((tmp_path / name).rglob("*")) if p.is_file()}
        for name in ("one", "two")
    )  # fmt: skip
    assert one == two
    assert read_scene(tmp_path / "one") == read(room).scene
    assert b"Of the file as a whole" in one["CREDITS.md"]


def test_a_folder_with_other_things_is_left_alone(room: Path, tmp_path: Path) -> None:
    (tmp_path / "thesis.tex").write_text("years of work")
    with pytest.raises(FileError, match=r"holds 'thesis\.tex': choose another folder"):
        save(tmp_path, read(room))
    assert [path.name for path in tmp_path.iterdir()] == ["thesis.tex"]


def test_an_l_shaped_floor_has_no_room_in_its_notch(tmp_path: Path) -> None:
    scene = foreign.room(floor=False, walls=False)
    wings = [foreign.box(6, 0.1, 2.5).apply_translation((0, -0.05, -1.25)),
             foreign.box(3, 0.1, 2.5).apply_translation((-1.5, -0.05, 1.25))]  # fmt: skip
    floor = foreign.coloured(trimesh.util.concatenate(wings), 0.6, 0.45, 0.3)
    scene.add_geometry(floor, node_name="floor", geom_name="floor")
    path = tmp_path / "ell.glb"
    path.write_bytes(scene.export(file_type="glb"))
    found = read(path).scene
    assert [(room.low, room.high) for room in found.rooms] == [
        ((0.0, 0.0), (3.0, 5.0)), ((3.0, 2.5), (6.0, 5.0))
    ]  # fmt: skip
    (door,) = found.doors
    assert (door.at, door.width) == ((3.0, 3.75), 2.5)


def test_a_scene_without_floor_is_refused(tmp_path: Path) -> None:
    path = foreign.glb(tmp_path / "a.glb", floor=False)
    with pytest.raises(FileError, match=r"a\.glb: has no floor: .*--up"):
        read(path)


def _nan(header: Header) -> None:
    node(header, "Couch")["translation"] = [0, float("nan"), 0]
    node(header, "Couch").pop("matrix", None)


def _nameless(header: Header) -> None:
    for number, each in enumerate(header["nodes"]):
        each["name"] = f"Cube.{number:03}"
    for each in header["meshes"]:
        each["name"] = "mesh"


def _flat(header: Header) -> None:
    node(header, "Couch")["matrix"] = [0.0] * 15 + [1.0]


def _loop(header: Header) -> None:
    header["nodes"][1]["children"] = [2]
    header["nodes"][2]["children"] = [1]


def _elsewhere(header: Header) -> None:
    header["images"][0] = {"uri": "../../etc/passwd"}


def _huge(header: Header) -> None:
    header["accessors"][0].update(count=10**9)
    header["accessors"][0].pop("bufferView")


def _short(header: Header) -> None:
    header["bufferViews"][0]["byteLength"] = 10**6


def _meshopt(header: Header) -> None:
    header["extensionsRequired"] = ["EXT_meshopt_compression"]


@pytest.mark.parametrize(
    ("change", "problem"),
    [
        (_nan, r"room\.glb: node 'Couch': translation: nan is not a finite number: correct it"),
        (_nameless, r"none of its \d+ shapes has a meaningful name \('Cube"),
        (_flat, r"node 'Couch': has no size .*: delete it"),
        (_loop, "(is its own ancestor|has two parents)"),
        (_elsewhere, r"image .*: is a separate file: export all in one"),
        (_huge, r"accessor 0: declares 1,000,000,000 entries"),
        (_short, r"buffer view 0: reaches beyond its buffer"),
        (_meshopt, r"is compressed by EXT_meshopt_compression: export it without"),
    ],
)
def test_what_is_wrong_is_named(copy: Path, change: Callable[[Header], None], problem: str) -> None:
    foreign.changed(copy, change)
    with pytest.raises(FileError, match=problem):
        read(copy)


def test_all_meshes_together_are_limited(copy: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    told: list[int] = []
    foreign.changed(copy, lambda header: told.extend(each["count"] for each in header["accessors"]))
    monkeypatch.setattr(gltf, "MOST_NUMBERS", 3 * max(told))
    with pytest.raises(FileError, match="entries, too many: remove what the room does not need"):
        read(copy)


def test_a_file_cut_anywhere_is_refused(copy: Path) -> None:
    data = copy.read_bytes()
    for end in (0, 3, 11, 19, 200, len(data) // 2, len(data) - 1):
        copy.write_bytes(data[:end])
        with pytest.raises(FileError, match=r"room\.glb: "):
            read(copy)


def test_a_file_of_another_kind_is_refused(copy: Path) -> None:
    for data in (b"PK\3\4junk", b"{}", foreign.bomb()):
        (copy.parent / "a.glb").write_bytes(data)
        with pytest.raises(FileError, match=r"a\.glb: is not a GLB"):
            read(copy.parent / "a.glb")
    foreign.changed(copy, lambda header: header["asset"].update(version="1.0"))
    with pytest.raises(FileError, match=r"is glTF 1\.0, not 2"):
        read(copy)
    with pytest.raises(FileError, match=r"cannot be imported .*use one of \.glb"):
        read(copy.parent / "scene.fbx")


def test_a_file_in_centimetres_says_so(copy: Path) -> None:
    def grown(header: Header) -> None:
        header["nodes"].append({"name": "all", "scale": [100, 100, 100],
                                "children": header["scenes"][0]["nodes"]})  # fmt: skip
        header["scenes"][0]["nodes"] = [len(header["nodes"]) - 1]

    foreign.changed(copy, grown)
    with pytest.raises(FileError, match=r"--unit"):
        read(copy)
    assert read(copy, unit="cm").scene.thing["sofa-1"].half == pytest.approx((0.9, 0.4, 0.4))
