"""The label map: each label in eight languages, each word one label."""

from __future__ import annotations

import csv
from importlib.resources import files

import pytest

from worldquiz_scenes.importing import names, vocabulary
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
    for row in TABLE:
        assert all(row[language] for language in row if language not in ("label", "English")), row


def test_every_word_is_read_as_its_label_or_is_a_word_of_two_languages() -> None:
    for label, language, word in WORDS:
        meant = vocabulary.meanings(word)
        assert label in meant
        if label in STRUCTURE:
            assert names.role(f"{word} 2") in (Element.FLOOR, Element.WALL, Element.CEILING)
        elif len(meant) == 1:
            for written in (word, word.upper(), f"{word.replace(' ', '_')}.003"):
                assert names.label(written) == label, (language, written)
        else:
            assert len({frozenset(languages) for languages in meant.values()}) == len(meant)
            assert vocabulary.known(word) is None


def test_words_of_two_meanings_are_few_and_never_english() -> None:
    double = {word for _, _, word in WORDS if len(vocabulary.meanings(word)) > 1}
    assert {vocabulary.fold(word) for word in double} == {"bank", "bord", "vaso"}


@pytest.mark.parametrize(
    ("name", "label"),
    [
        ("Letto matrimoniale", "bed"), ("letto", "bed"), ("Lampada da tavolo", "table lamp"),
        ("Tavolo rotondo", "table"), ("Kleiderschrank weiß", "wardrobe"), ("Stühle", "chair"),
        ("Beistelltisch", "table"), ("table basse ronde", "coffee table"),
        ("Réfrigérateur", "fridge"), ("mesa de comedor 01", "dining table"),
        ("Tweepersoonsbed", "bed"), ("Geladeira", "fridge"),
        ("Soffa_blå", "sofa"), ("armadio a muro", "wardrobe"),
        ("angle wardrobe cherry", "wardrobe"),
        ("cube shelf mapple", "shelf"), ("flower pot", "plant"), ("mouse pad", "mouse pad"),
        ("Bank", "bank"), ("wall art", "wall art"),
    ],
)  # fmt: skip
def test_names_in_other_languages(name: str, label: str) -> None:
    assert names.label(name) == label


@pytest.mark.parametrize(
    ("name", "role"),
    [
        ("Wand_Nord", Element.WALL), ("parete sud", Element.WALL), ("Fußboden", Element.FLOOR),
        ("Tür", Element.DOOR), ("porta ingresso", Element.DOOR), ("Fenster.001", Element.WINDOW),
        ("armadio a muro", Element.THING), ("finestra bagno", Element.WINDOW),
    ],
)  # fmt: skip
def test_parts_of_rooms_in_other_languages(name: str, role: Element) -> None:
    assert names.role(name) is role
