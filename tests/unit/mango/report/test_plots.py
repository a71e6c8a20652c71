"""The paper's figures of contestants: one SVG element each, coloured by the page."""

from __future__ import annotations

import re
import xml.etree.ElementTree as ET

import pytest

import mango_page
from worldquiz.mango.report import tables
from worldquiz.mango.scoring.contest import SCORES

CONTEST = mango_page.contest()
ENTRIES = tables.entries(CONTEST)
SCORED = {place: one.scored for place, one in enumerate(CONTEST.contestants)}
DRAWN = [
    *(tables.bars(ENTRIES, score) for score in SCORES),
    *(tables.against(ENTRIES[0], ENTRIES[1], SCORED, score) for score in ("success", "reasoning")),
]


@pytest.mark.parametrize("svg", DRAWN)
def test_is_one_well_formed_element_of_the_pages_colours(svg: str) -> None:
    root = ET.fromstring(svg)
    assert root.attrib["role"] == "img"
    assert len(root.attrib["aria-label"]) > 20
    assert "var(--run-0)" in svg
    assert not re.search(r"#[0-9a-f]{6}\b", svg)


def test_a_panel_for_each_task_and_level() -> None:
    for svg in DRAWN:
        for title in ("DF, easy", "DF, hard", "RF, easy", "RF, hard"):
            assert title in svg


def test_bars_name_every_contestant_by_its_letter_and_colour() -> None:
    assert "var(--run-1)" in DRAWN[0]
    assert {"A", "B"} <= set(re.findall(r">([AB])<", DRAWN[0]))


def test_identifiers_are_unique_over_all_figures() -> None:
    ids = re.findall(r'\bid="([^"]+)"', "".join(DRAWN))
    assert len(set(ids)) == len(ids)


def test_equal_contests_equal_bytes() -> None:
    assert tables.bars(ENTRIES, "success") == DRAWN[0]


def test_contestants_who_share_nothing_can_be_drawn() -> None:
    ET.fromstring(tables.against(ENTRIES[0], ENTRIES[1], {0: (), 1: ()}, "success"))
