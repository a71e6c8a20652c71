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


def test_names_that_are_not_known_are_listed() -> None:
    odd = replace(thing("unknown-blorb-1"), category=UNKNOWN)
    assert "1 of 7 things have names that are not known (blorb)" in told(scene(*FULL, odd))


def test_few_labels_are_too_few() -> None:
    assert "only 4 things have labels" in told(scene(*FULL[2:]))


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
