"""`labels.toml`: what the file's names mean, for the user to confirm; what nobody named."""

from __future__ import annotations

import tomllib
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

import foreign
from foreign import Header, node
from worldquiz_scenes.errors import FileError
from worldquiz_scenes.importing import read, read_labels, save
from worldquiz_scenes.importing.label_file import LABELS, Term, check_labels, write_labels, written
from worldquiz_scenes.scene import UNKNOWN

TEXT = st.text(st.characters(exclude_categories=["Cs"]), max_size=40)


@pytest.fixture
def odd(tmp_path: Path) -> Path:
    """A room with a "Blorb" for a sofa, and a "letto" for a wardrobe."""

    def rename(header: Header) -> None:
        node(header, "Couch")["name"] = "Blorb_01"
        node(header, "wardrobe.003")["name"] = "letto"

    return foreign.changed(foreign.glb(tmp_path / "odd.glb"), rename)


@given(st.dictionaries(TEXT.filter(bool), st.builds(Term, TEXT, st.integers(1, 99))))
def test_what_is_written_is_read_again(
    tmp_path_factory: pytest.TempPathFactory, terms: dict[str, Term]
) -> None:
    folder = tmp_path_factory.mktemp("labels")
    terms = {name: Term(written(told.label), told.things) for name, told in terms.items()}
    write_labels(folder, terms)
    assert read_labels(folder) == {name: told.label for name, told in terms.items()}
    check_labels(folder)


def test_unknown_names_are_listed_apart_and_have_no_label(odd: Path, tmp_path: Path) -> None:
    found = read(odd)
    save(tmp_path / "flat", found)
    told = tomllib.loads((tmp_path / "flat" / LABELS).read_text())
    assert told["unknown"] == {"blorb": ""}
    assert told["known"]["letto"] == "bed"
    assert told["known"]["mug"] == "mug"
    assert found.terms["mug"].things == 2
    things = foreign.named(found.scene.things)
    assert things["bed-1"].has_label
    assert (things["unknown-blorb-1"].category, things["unknown-blorb-1"].has_label) == (
        UNKNOWN, False,
    )  # fmt: skip


def test_a_label_of_the_user_stands_after_the_next_import(odd: Path, tmp_path: Path) -> None:
    flat = tmp_path / "flat"
    save(flat, read(odd))
    text = (flat / LABELS).read_text()
    (flat / LABELS).write_text(
        text.replace('"blorb" = ""', '"blorb" = "Couch"').replace('"mug" = "mug"', '"mug" = ""')
    )
    with pytest.raises(FileError, match="was changed after the import"):
        check_labels(flat)
    for _ in range(2):  # the second reads what the first wrote
        save(flat, read(odd, labels=read_labels(flat)))
        check_labels(flat)
    found = read(odd, labels=read_labels(flat))
    assert read_labels(flat)["blorb"] == "sofa", "one label for one thing"
    assert found.scene.thing["sofa-1"].category == "seating"
    assert not any(thing.label == "mug" for thing in found.scene.things)
    assert [thing.id for thing in found.scene.things if not thing.has_label] == [
        "unknown-mug-1", "unknown-mug-2",
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("[unknown\n", "is not TOML"),
        ('[known]\n"mug" = 3\n', "'mug': .* is not a text"),
        ('[known]\n"mug" = "mug"\n[unknown]\n"mug" = ""\n', "'mug': is listed twice"),
        (f'[known]\n"mug" = "{"m" * 61}"\n', "at most 60"),
        ('known = "mug"\n', "'known': "),
    ],
)
def test_a_bad_file_is_refused_by_its_entry(tmp_path: Path, text: str, problem: str) -> None:
    (tmp_path / LABELS).write_text(text)
    with pytest.raises(FileError, match=problem):
        read_labels(tmp_path)
