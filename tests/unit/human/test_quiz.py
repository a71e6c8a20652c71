"""Which quiz a run asked, and what a person may be called."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from worldquiz.errors import KnobError, RecordError
from worldquiz.human.quiz import folder_of, named, quiz_of
from worldquiz.records import write_json


@pytest.mark.parametrize("name", ["human", "Anna", "rater 2", "J. R", "Zoë", "名", "a-b_c"])
def test_a_name_is_one_that_a_folder_may_have(name: str) -> None:
    assert named(f" {name} ") == name


@pytest.mark.parametrize(
    "name",
    ["", ".", "..", "a/b", "../x", "-x", "a.", ".a", "a\nb", "a\x00b", "a:b", "x" * 65, "~", "*"],
)
def test_other_names_are_refused(name: str) -> None:
    with pytest.raises(KnobError, match="--name"):
        named(name)


@given(st.text(max_size=80))
def test_no_name_leads_out_of_its_folder(name: str) -> None:
    try:
        told = named(name)
    except KnobError:
        return
    folder = folder_of(Path("/runs/x"), told)
    assert folder.parent == Path("/runs")
    assert folder.name == f"x-{told}"


def test_folders_that_ask_nothing_say_what_to_give(tmp_path: Path) -> None:
    with pytest.raises(RecordError, match="it is no folder of data and no run"):
        quiz_of(tmp_path, "human")
    for kind, words in (
        ("suite", "is a suite, not a run"),
        ("mango-minigames", "has no quiz for people: give a run of .*`worldquiz t2q run`"),
        ("unheard-of", "belongs to no installed benchmark"),
        (None, "states no kind"),
    ):
        write_json(tmp_path / "manifest.json", {"kind": kind})
        with pytest.raises(RecordError, match=words):
            quiz_of(tmp_path, "human")
