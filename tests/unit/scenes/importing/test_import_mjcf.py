"""MJCF that MuJoCo wrote: bodies are things, what collides unseen is not, poses are its own."""

from __future__ import annotations

from pathlib import Path

import pytest

import foreign
from worldquiz.errors import RecordError
from worldquiz.scenes.importing import read
from worldquiz.scenes.scene import Shape


@pytest.fixture
def room(tmp_path: Path) -> Path:
    return foreign.mjcf(tmp_path / "room.xml")


def test_bodies_are_things_in_their_places(room: Path) -> None:
    scene = read(room).scene
    things = foreign.named(scene.things)
    assert set(things) == {"table-1", "mug-1", "ball-1"}
    assert things["mug-1"].support == "table-1"
    assert [part.shape for part in things["table-1"].parts] == [Shape.BOX, Shape.CYLINDER]
    assert [part.shape for part in things["ball-1"].parts] == [Shape.MESH]
    assert things["table-1"].half == pytest.approx((0.5, 0.4, 0.365))
    assert things["ball-1"].half == pytest.approx((0.3, 0.3, 0.3), abs=0.01)
    (floor,) = scene.rooms
    sizes = [high - low for low, high in zip(floor.low, floor.high, strict=True)]
    assert sizes == pytest.approx([6.0, 4.0], abs=0.01)
    assert scene.height == 2.4


def test_a_licence_in_a_comment_or_beside_it_is_told(room: Path) -> None:
    assert "states no maker" in read(room).credit
    (room.parent / "LICENSE").write_text("MIT License\n\nCopyright (c) A. Maker\n")
    assert "MIT License Copyright (c) A. Maker" in read(room).credit
    room.write_text(room.read_text().replace("<worldbody>", "<!-- Author: B. -->\n<worldbody>"))
    assert read(room).credit == "room.xml: Author: B."


def _changed(room: Path, old: str, new: str) -> None:
    text = room.read_text()
    assert old in text
    room.write_text(text.replace(old, new))


@pytest.mark.parametrize(
    ("old", "new", "problem"),
    [
        ('pos="1 0.5 0.78"', 'pos="1 nan 0.78"', r"room\.xml: body 'mug_1': pos: '1 nan 0\.78'"),
        ("</worldbody>", "", r"room\.xml: is not XML, or was cut short"),
        ("<mujoco", "<robot", "is not XML|is about a 'robot'"),
        ("<worldbody>", '<asset><mesh name="m" file="gone.stl"/></asset><worldbody>',
         r"mesh 'm': its file 'gone\.stl' is missing beside it: copy it there"),
        ("<worldbody>", '<worldbody><geom type="ball"/>', "MuJoCo cannot read it"),
    ],
)  # fmt: skip
def test_what_is_wrong_is_named(room: Path, old: str, new: str, problem: str) -> None:
    _changed(room, old, new)
    with pytest.raises(RecordError, match=problem):
        read(room)


def test_a_texture_bomb_is_not_given_to_mujoco(room: Path) -> None:
    (room.parent / "bomb.png").write_bytes(foreign.bomb())
    _changed(
        room, "<worldbody>",
        '<asset><texture name="t" type="2d" file="bomb.png"/></asset><worldbody>',
    )  # fmt: skip
    with pytest.raises(RecordError, match=r"texture 't': declares .*; it was not decoded"):
        read(room)


def test_a_scene_without_floor_is_refused(tmp_path: Path) -> None:
    path = foreign.mjcf(tmp_path / "room.xml", floor=False)
    with pytest.raises(RecordError, match="has no floor"):
        read(path)
