"""What the import says of scenes that give few tasks, or odd ones."""

from __future__ import annotations

from dataclasses import replace

from views import scene, thing
from worldquiz_scenes.importing.assemble import STYLE
from worldquiz_scenes.importing.doubts import doubts
from worldquiz_scenes.scene import UNKNOWN, Scene

LABELS = ("bed", "cup", "hat", "pan", "pot")
FULL = (*(thing(f"{label}-1") for label in LABELS), thing("mug-1", room="hall-1"))


def told(flat: Scene) -> str:
    return " / ".join(doubts(replace(flat, style=STYLE)))


def test_a_scene_like_any_other_gives_no_doubt() -> None:
    assert told(scene(*FULL)) == ""


def test_nothing_is_said_of_generated_scenes() -> None:
    assert list(doubts(scene())) == []


def test_names_that_are_not_known_are_listed() -> None:
    odd = replace(thing("unknown-blorb-1"), category=UNKNOWN)
    assert "1 of 7 things have names that are not known (blorb)" in told(scene(*FULL, odd))


def test_few_labels_are_too_few() -> None:
    assert "only 4 things have labels" in told(scene(*FULL[2:]))


def test_rooms_that_hold_nothing_are_probably_none() -> None:
    flat = scene(*FULL[:-1])
    assert "hold nothing" not in told(flat), "half of them may"
    more = replace(flat.rooms[0], name="room-2", low=(7.1, 0.0), high=(9.0, 5.0))
    assert "2 of 3 rooms hold nothing (hall-1, room-2)" in told(
        replace(flat, rooms=(*flat.rooms, more))
    )


def test_parts_of_one_room_count_as_one() -> None:
    flat = scene(*FULL)
    parts = [replace(flat.rooms[1], name=f"kitchen-1-{part}") for part in "bcd"]
    assert [part.whole for part in parts] == ["kitchen-1"] * 3
    assert [room.whole for room in flat.rooms] == ["hall-1", "kitchen-1"]
    doors = [replace(flat.doors[0], rooms=("kitchen-1", part.name)) for part in parts]
    whole = replace(flat, rooms=(*flat.rooms, *parts), doors=(*flat.doors, *doors))
    assert told(whole) == ""
    assert "1 of 2 rooms cannot be walked to (kitchen-1)" in told(
        replace(whole, doors=(), start=(5.0, 1.0, 0.0))
    )


def test_rooms_of_a_square_metre_and_rooms_without_a_door() -> None:
    flat = scene(*FULL)
    small = tuple(replace(room, high=(room.low[0] + 1, room.low[1] + 1)) for room in flat.rooms)
    assert "2 of 2 rooms are under 1.5 square metres" in told(replace(flat, rooms=small))
    assert "1 of 2 rooms cannot be walked to (hall-1)" in told(replace(flat, doors=()))
