"""What the import says of scenes that give few tasks, or odd ones."""

from __future__ import annotations

from dataclasses import replace

from scenes import studio
from worldquiz_scenes.importing.assemble import doubts
from worldquiz_scenes.scene import UNKNOWN

FLAT = studio()


def test_a_scene_like_any_other_gives_no_doubt() -> None:
    assert not list(doubts(FLAT))


def test_names_that_are_not_known_and_rooms_without_a_door_are_listed() -> None:
    odd = replace(FLAT.things[0], label="unknown blorb", category=UNKNOWN)
    scene = replace(FLAT, things=(odd, *FLAT.things[1:]), doors=())
    names, rooms = doubts(scene)
    assert f"1 of {len(FLAT.things)} things have names that are not known (blorb)" in names
    assert "1 of 2 rooms cannot be walked to (kitchen-1)" in rooms


def test_parts_of_one_room_count_as_one() -> None:
    kitchen, living = FLAT.rooms
    door = replace(FLAT.doors[0], rooms=("living-1", "living-1-b"))
    parts = replace(FLAT, rooms=(living, replace(kitchen, name="living-1-b")), doors=(door,))
    things = tuple(replace(each, room="living-1") for each in FLAT.things)
    assert not list(doubts(replace(parts, things=things)))
