"""What a file calls "SM_couch_02_LOD0" is a sofa, in eight languages; "Cube.001" has no name."""

from __future__ import annotations

import csv
from importlib.resources import files

import pytest

from worldquiz_scenes.furniture import LABELS
from worldquiz_scenes.importing import names
from worldquiz_scenes.importing.pieces import Element

TABLE = list(
    csv.DictReader(
        files("worldquiz_scenes.importing").joinpath("labels.csv").read_text("utf-8").splitlines()
    )
)
WORDS = [
    (row["label"], language, word)
    for row in TABLE
    for language, listed in row.items()
    for word in listed.split("|")
    if word
]
STRUCTURE = {"floor", "wall", "ceiling"}


def test_every_label_that_tasks_use_has_words_in_every_language() -> None:
    assert {row["label"] for row in TABLE} == (set(names.KNOWN) | STRUCTURE) - {"low wall"}
    assert set(LABELS) <= set(names.KNOWN)
    for row in TABLE:
        assert all(row[language] for language in row if language not in ("label", "English")), row


def test_every_word_is_read_as_its_label_or_is_a_word_of_two_languages() -> None:
    double = set()
    for label, language, word in WORDS:
        meant = names.meanings(word)
        assert label in meant
        if label in STRUCTURE:
            assert names.role(f"{word} 2") in (Element.FLOOR, Element.WALL, Element.CEILING)
        elif len(meant) == 1:
            for written in (word, word.upper(), f"{word.replace(' ', '_')}.003"):
                assert names.label(written) == label, (language, written)
        else:
            double.add(names.fold(word))
            assert names.known(word) is None
    assert double <= {"bank", "bord", "vaso"}, "never English"


@pytest.mark.parametrize(
    ("name", "label"),
    [
        ("mug_01", "mug"), ("Mug.001", "mug"), ("SM_couch_02_LOD0", "sofa"), ("Chairs", "chair"),
        ("Washbasin with cabinet", "washbasin"), ("floorLamp", "floor lamp"), ("red mug 3", "mug"),
        ("eTeks#tvUnit", "tv stand"), ("hingecabinet", "cabinet"), ("wall shelf", "wall shelf"),
        ("Table_Leg", "table leg"), ("Fridge & Freezer", "fridge"), ("Suzanne", "suzanne"),
        ("scene/kitchen|Toaster", "toaster"), ("cube shelf mapple", "shelf"),
        ("flower pot", "plant"), ("mouse pad", "mouse pad"), ("wall art", "wall art"),
        ("Lampada da tavolo", "table lamp"), ("Tavolo rotondo", "table"),
        ("Kleiderschrank weiß", "wardrobe"), ("Stühle", "chair"), ("Beistelltisch", "table"),
        ("table basse ronde", "coffee table"), ("mesa de comedor 01", "dining table"),
        ("Soffa_blå", "sofa"), ("armadio a muro", "wardrobe"), ("Bank", "bank"),
        *((name, None) for name in ("", "Cube.001", "Object_12", "mesh_0", "node 7", "___", "42")),
    ],
)  # fmt: skip
def test_a_name_gives_what_people_say_and_a_tools_name_says_nothing(
    name: str, label: str | None
) -> None:
    assert names.label(name) == label


@pytest.mark.parametrize(
    ("name", "role"),
    [
        ("floor", "floor"), ("Kitchen Floor.002", "floor"), ("floor_lamp", "thing"),
        ("wall_north", "wall"), ("Wall.003", "wall"), ("wall clock", "thing"),
        ("Front door", "door"), ("door_frame", "door"), ("window_3", "window"),
        ("ceiling", "ceiling"), ("ceiling lamp", "thing"), ("chair", "thing"),
        ("Wand_Nord", "wall"), ("parete sud", "wall"), ("Fußboden", "floor"), ("Tür", "door"),
        ("porta ingresso", "door"), ("Fenster.001", "window"), ("armadio a muro", "thing"),
        ("finestra bagno", "window"),
    ],
)  # fmt: skip
def test_what_a_room_is_made_of_is_told_by_its_name(name: str, role: str) -> None:
    assert names.role(name) == role
