"""Room titles in texts as games print them."""

from __future__ import annotations

import pytest

from worldquiz.mango.maze.recorder.words import (
    arrival,
    cleaned,
    dark,
    ending,
    label,
    printed,
    seat,
    sentences,
    title,
)

ZORK = "West of House\nYou are standing in an open field by a white house.\nThere is a mailbox."


@pytest.mark.parametrize(
    ("look", "name"),
    [
        (ZORK, "West of House"),
        ("\n-= Kitchen =-\nYou are in the kitchen.", "Kitchen"),
        ("<< Info >>\nText.", "Info"),
        ("Dr. No's Office\nDusty.", "Dr. No's Office"),
        ("Room # 30\nA room.", "Room # 30"),
        ("It is pitch black. You are likely to be eaten by a grue.", None),
        ("you can't see", None),
        ("", None),
        ("=====\n", None),
        (">\nPall Mall\n\nA wide street.", "Pall Mall"),
        ("The passage tilts here and forks, entering at the north\nand leaving south.", None),
        ("The Passage\nIt tilts here.", "The Passage"),
        (f"{'Long ' * 20}\n", None),
    ],
)
def test_the_title_is_the_first_line_if_it_looks_like_one(look: str, name: str | None) -> None:
    assert title(look) == name


def test_a_text_without_title_is_labelled_by_its_opening() -> None:
    assert label(ZORK) == "West of House"
    assert label("You are at a\ncrossroads. Roads lead on.") == "at a crossroads"
    assert label("") is None


def test_prompt_and_status_bar_are_cut_off_and_nothing_else() -> None:
    assert cleaned("\n\nHall\r\nA hall.\n\n>      Hall") == "Hall\nA hall."
    assert cleaned("a > b\n> quoted\nend") == "a > b\n> quoted\nend"


def test_how_a_text_ends_tells_a_command_from_a_key() -> None:
    assert ending("Taken.\n\n") == "\n\n"
    assert ending("Taken.\n\n>") == "\n\n>"
    assert ending("[Press any key]") == ""


def test_a_place_is_named_by_whole_words_in_any_case() -> None:
    assert printed("hall", "You reach the HALL.")
    assert printed("white house", "a white\nhouse")
    assert not printed("hall", "a hallway")


def test_a_heading_is_a_line_of_its_own() -> None:
    assert arrival("Kitchen\nPots.", "You go on.\n\n-= Kitchen =-\nPots.")
    assert not arrival("Kitchen\nPots.", "The Kitchen lies ahead")


def test_a_seat_is_told_from_its_room() -> None:
    assert seat("Beach, in the magic boat") == "magic boat"
    assert seat("Hall (on the chair)") == "chair"
    assert seat("Hall") is None


def test_darkness_is_no_name() -> None:
    assert dark("Darkness")
    assert dark("Dark")
    assert dark("It is pitch black. You are likely to be eaten by a grue.")
    assert not dark("Dark Cellar")


def test_a_description_is_cut_into_sentences_without_its_title() -> None:
    assert sentences("Hall\nA hall. It is\nempty!\n\nYou can see a rope here.") == (
        "A hall.",
        "It is empty!",
        "You can see a rope here.",
    )
