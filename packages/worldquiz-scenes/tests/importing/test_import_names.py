"""What a file calls "SM_couch_02_LOD0" is a sofa; what it calls "Cube.001" has no name."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from worldquiz_scenes.furniture import LABELS
from worldquiz_scenes.importing import names
from worldquiz_scenes.importing.pieces import Element


@pytest.mark.parametrize(
    ("name", "label"),
    [
        ("mug_01", "mug"), ("Mug.001", "mug"), ("SM_couch_02_LOD0", "sofa"), ("Chairs", "chair"),
        ("Washbasin with cabinet", "washbasin"), ("floorLamp", "floor lamp"), ("red mug 3", "mug"),
        ("eTeks#tvUnit", "tv stand"), ("hingecabinet", "cabinet"), ("wall shelf", "wall shelf"),
        ("Table_Leg", "table leg"), ("Fridge & Freezer", "fridge"), ("Suzanne", "suzanne"),
        ("scene/kitchen|Toaster", "toaster"),
    ],
)  # fmt: skip
def test_a_name_gives_what_people_say(name: str, label: str) -> None:
    assert names.label(name) == label


@pytest.mark.parametrize("name", ["", "Cube.001", "Object_12", "mesh_0", "node 7", "___", "42"])
def test_names_of_tools_are_no_names(name: str) -> None:
    assert names.label(name) is None


@pytest.mark.parametrize(
    ("name", "role"),
    [
        ("floor", Element.FLOOR), ("Kitchen Floor.002", Element.FLOOR),
        ("floor_lamp", Element.THING),
        ("wall_north", Element.WALL), ("Wall.003", Element.WALL), ("wall clock", Element.THING),
        ("Front door", Element.DOOR), ("door_frame", Element.DOOR), ("window_3", Element.WINDOW),
        ("ceiling", Element.CEILING), ("ceiling lamp", Element.THING), ("chair", Element.THING),
    ],
)  # fmt: skip
def test_what_a_room_is_made_of_is_told_by_its_name(name: str, role: Element) -> None:
    assert names.role(name) is role


@given(st.sampled_from(sorted(LABELS)), st.integers(0, 999))
def test_every_label_of_the_catalogue_is_found_again(label: str, number: int) -> None:
    found = names.label(f"{label.replace(' ', '_')}.{number:03}")
    assert found == label
    assert names.category(label) == LABELS[label]
