"""A home that Sweet Home 3D itself wrote, and homes that nobody should open."""

from __future__ import annotations

import math
import re
import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest

import foreign
from worldquiz_scenes import files
from worldquiz_scenes.errors import FileError
from worldquiz_scenes.importing import read
from worldquiz_scenes.locomotion import Ground


def rewritten(path: Path, change: Callable[[str, bytes], tuple[str, bytes]]) -> Path:
    """Write the home again with its files changed."""
    with zipfile.ZipFile(foreign.HOME) as old, zipfile.ZipFile(path, "w") as new:
        for name in old.namelist():
            new.writestr(*change(name, old.read(name)))
    return path


def edited(path: Path, change: Callable[[str], str]) -> Path:
    """Write the home again with its plan changed."""

    def changed(name: str, data: bytes) -> tuple[str, bytes]:
        return name, change(data.decode()).encode() if name == "Home.xml" else data

    return rewritten(path, changed)


def once(old: str, new: str) -> Callable[[str], str]:
    def change(text: str) -> str:
        assert old in text
        return text.replace(old, new, 1)

    return change


def test_rooms_doors_and_furniture_are_where_they_were_drawn() -> None:
    found = read(foreign.HOME)
    scene = found.scene
    assert [(room.name, room.low, room.high) for room in scene.rooms] == [
        ("living-room-1", (0.1, 0.1), (4.0, 4.0)), ("study-1", (4.1, 0.1), (7.0, 4.0))
    ]  # fmt: skip
    (door,) = scene.doors
    assert (door.at, door.width, door.height, door.along) == ((4.05, 1.55), 0.9, 2.05, "y")
    things = foreign.named(scene.things)
    assert set(things) == {"desk-1", "table-lamp-1", "waste-bin-1", "nightstand-1", "box-1",
                           "door-1"}  # fmt: skip
    assert things["desk-1"].position[:2] == pytest.approx((6.05, 3.65))
    assert things["table-lamp-1"].support == "desk-1"
    assert things["door-1"].support == "wall", "it leads outside"
    assert "Razi" in things["desk-1"].credit
    assert "states no licence" in found.credit


def test_a_home_is_called_as_its_file_and_not_by_its_makers_path(tmp_path: Path) -> None:
    named = once("<home ", "<home name='C:\\Users\\hh\\Documents\\home.sh3d' ")
    assert read(edited(tmp_path / "Our Flat.sh3d", named)).scene.id == "our-flat"


@pytest.mark.parametrize(
    ("old", "new", "problem"),
    [
        ("name='Desk'", "name='Desk' elevation='NaN'",
         r"pieceOfFurniture 'Desk': elevation: 'NaN' is not a finite number"),
        ("width='139.3'", "width='0'", r"'Desk'.*has no size"),
        ("<home ", "<!DOCTYPE x [<!ENTITY a 'b'>]><home ", r"Home\.xml: declares XML entities"),
        ("</home>", "", r"Home\.xml: is not XML"),
        ("<home ", "<house ", r"Home\.xml: is (not XML|a 'house')"),
    ],
)  # fmt: skip
def test_what_is_wrong_is_named(tmp_path: Path, old: str, new: str, problem: str) -> None:
    path = edited(tmp_path / "bad.sh3d", once(old, new))
    with pytest.raises(FileError, match=problem):
        read(path)


def test_of_two_storeys_the_furnished_one_is_taken(tmp_path: Path) -> None:
    """The upper one has more rooms."""

    def storeys(text: str) -> str:
        levels = "".join(
            f"<level id='{n}' name='{n}' elevation='{n}00' floorThickness='12' height='250'/>"
            for n in (0, 3)
        )
        text = re.sub(r"<(pieceOfFurniture|light|doorOrWindow|room|wall) ", r"<\1 level='0' ", text)
        corners = "".join(f"<point x='{x}' y='{y}'/>" for x, y in ELL)
        attics = f"<room level='3'>{corners}</room>" * 5
        return text.replace("</home>", f"{attics}{levels}</home>")

    found = read(edited(tmp_path / "high.sh3d", storeys))
    assert len(found.scene.rooms) == 2
    assert "of 2 storeys, only '0' was read" in found.notes


def test_a_thing_that_is_there_twice_is_one(tmp_path: Path) -> None:
    """No picture shows which of two equal things in one place is meant."""

    def twice(text: str) -> str:
        (desk,) = re.findall(r"<pieceOfFurniture [^>]*name='Desk'[^>]*/>", text)
        return text.replace(desk, desk * 2)

    found = read(edited(tmp_path / "twice.sh3d", twice))
    assert len(found.scene.things) == len(read(foreign.HOME).scene.things)
    assert "things that the file holds twice in one place were added once" in found.notes


def test_a_home_without_rooms_is_that_of_its_walls(tmp_path: Path) -> None:
    def bare(text: str) -> str:
        return text[: text.index("<room")] + "</home>"

    scene = read(edited(tmp_path / "walls.sh3d", bare)).scene
    assert [(room.low, room.high) for room in scene.rooms] == [
        ((0.1, 0.1), (4.0, 4.0)), ((4.1, 0.1), (7.0, 4.0))
    ]  # fmt: skip


ELL = [(10, 10), (690, 10), (690, 200), (400, 200), (400, 390), (10, 390)]
"""An L-shaped room, in the plan's centimetres: its notch is in the south-east."""


def bent(text: str) -> str:
    """Give the home one L-shaped room, and walls around it."""
    corners = "".join(f"<point x='{x}' y='{y}'/>" for x, y in ELL)
    walls = "".join(
        f"<wall xStart='{x}' yStart='{y}' xEnd='{u}' yEnd='{v}' height='250' thickness='10'/>"
        for (x, y), (u, v) in zip(ELL, [*ELL[1:], ELL[0]], strict=True)
    )
    room = f"<room name='Living room'>{corners}</room>"
    return f"{text[: text.index('<wall')]}{walls}{room}</home>"


def test_an_l_shaped_room_is_its_two_wings_with_all_between_them_open(tmp_path: Path) -> None:
    found = read(edited(tmp_path / "ell.sh3d", bent))
    scene = found.scene
    assert [room.name for room in scene.rooms] == ["living-room-1", "living-room-1-b"]
    assert {room.kind for room in scene.rooms} == {"living room"}
    sizes = [math.prod(b - a for a, b in zip(r.low, r.high, strict=True)) for r in scene.rooms]
    assert sum(sizes) == pytest.approx(6.7 * 1.8 + 3.8 * 1.9, abs=0.1), "less its walls' halves"
    (door,) = scene.doors
    assert set(door.rooms) == {room.name for room in scene.rooms}
    assert door.width == pytest.approx(3.8, abs=0.01) or door.width == pytest.approx(1.8, abs=0.01)
    reached = {Ground(scene).room(x, y) for x, y in Ground(scene).grid.points.tolist()}
    assert reached == {room.name for room in scene.rooms}


def test_no_thing_is_in_the_notch_of_an_l_shaped_room(tmp_path: Path) -> None:
    def moved(text: str) -> str:
        return bent(text).replace("x='250.0' y='80.0'", "x='600.0' y='330.0'")

    found = read(edited(tmp_path / "ell.sh3d", moved))
    assert "box-1" not in found.scene.thing
    assert "in no room, so left out: 'Box'" in found.notes
    assert "box-1" in read(edited(tmp_path / "fine.sh3d", bent)).scene.thing


@pytest.mark.parametrize("name", ["../evil.txt", "/etc/evil", "a/../../evil", "..\\evil"])
def test_a_zip_that_leads_out_leads_nowhere(tmp_path: Path, name: str) -> None:
    path = rewritten(tmp_path / "bad.sh3d", lambda entry, data: (entry, data))
    with zipfile.ZipFile(path, "a") as bad:
        bad.writestr(name, b"evil")
    assert read(path).scene.things
    assert sorted(each.name for each in tmp_path.iterdir()) == ["bad.sh3d"]


def test_a_zip_bomb_is_not_unpacked(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "bomb.sh3d"
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as bad:
        bad.writestr("Home.xml", b" " * 10**7)
    assert path.stat().st_size < 20_000
    monkeypatch.setattr(files, "MOST_BYTES", 10**6)
    with pytest.raises(FileError, match=r"unpacks to 10,000,000 bytes, more than 1,000,000"):
        read(path)


def test_what_is_no_home_is_refused(tmp_path: Path) -> None:
    data = foreign.HOME.read_bytes()
    (tmp_path / "cut.sh3d").write_bytes(data[: len(data) // 2])
    (tmp_path / "text.sh3d").write_text("no zip")
    for name in ("cut", "text"):
        with pytest.raises(FileError, match=rf"{name}\.sh3d: is not a zip archive, or was cut"):
            read(tmp_path / f"{name}.sh3d")
    with zipfile.ZipFile(tmp_path / "other.sh3d", "w") as other:
        other.writestr("Home", b"of an earlier version")
    with pytest.raises(FileError, match=r"is not a home: it has no Home\.xml"):
        read(tmp_path / "other.sh3d")
    with pytest.raises(FileError, match="no such file"):
        read(tmp_path / "gone.sh3d")


def test_a_texture_bomb_in_a_home_is_not_decoded(tmp_path: Path) -> None:
    def textured(name: str, data: bytes) -> tuple[str, bytes]:
        if name.endswith("desk.mtl"):
            data = b"".join(line + b"\nmap_Kd bomb.png\n" if line.startswith(b"newmtl") else
                            line + b"\n" for line in data.splitlines())  # fmt: skip
        return name, data

    path = rewritten(tmp_path / "bad.sh3d", textured)
    with zipfile.ZipFile(path) as home:
        folder = next(n for n in home.namelist() if n.endswith("desk.obj")).rpartition("/")[0]
    with zipfile.ZipFile(path, "a") as bad:
        bad.writestr(f"{folder}/bomb.png", foreign.bomb())
    desk = read(path).scene.thing["desk-1"]
    assert desk.parts == read(foreign.HOME).scene.thing["desk-1"].parts


@pytest.mark.parametrize("drawn", [True, False])
def test_a_drawn_door_closes_a_room_as_a_gap_does_not(tmp_path: Path, drawn: bool) -> None:
    """A plan whose only room is the whole flat, with an inner wall that leaves 0.9 m free."""

    def one_room(text: str) -> str:
        ring = [(10, 10), (690, 10), (690, 390), (10, 390)]
        lines = [*zip(ring, [*ring[1:], ring[0]], strict=True),
                 ((400, 10), (400, 203)), ((400, 297), (400, 390))]  # fmt: skip
        walls = "".join(
            f"<wall xStart='{x}' yStart='{y}' xEnd='{u}' yEnd='{v}' thickness='10'/>"
            for (x, y), (u, v) in lines
        )
        corners = "".join(f"<point x='{x}' y='{y}'/>" for x, y in ring)
        head = text[: text.index("<wall")]
        if not drawn:
            head = re.sub(r"<doorOrWindow.*?</doorOrWindow>|<doorOrWindow[^>]*/>", "", head)
        return f"{head}{walls}<room>{corners}</room></home>"

    scene = read(edited(tmp_path / "flat.sh3d", one_room)).scene
    wings = {room.whole for room in scene.rooms}
    assert len(wings) == (2 if drawn else 1)
    (door,) = scene.doors
    assert door.width == pytest.approx(0.92, abs=0.03)
    assert (door.height < 2.4) is drawn
