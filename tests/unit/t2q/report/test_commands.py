from __future__ import annotations

import re
import warnings
from dataclasses import replace
from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

import synthetic
from worldquiz.facts.knowledge_score import penalty
from worldquiz.t2q.report.commands import _NEAR, _apart, by_commands
from worldquiz.t2q.report.entries import entries
from worldquiz.t2q.report.page import render
from worldquiz.t2q.store import RunRecord


def _section(page: str) -> str:
    found = re.search(r'<section id="commands">(.*?)</section>', page, re.DOTALL)
    assert found
    return found[1]


def test_the_page_opens_with_the_curves() -> None:
    page = render([synthetic.run(), synthetic.run("idle", "abstainer")])
    assert page.index('id="commands"') < page.index('id="scores"')
    text = _section(page)
    assert text.count("<svg") == 1
    assert 'role="img"' in text
    assert "1.5 times the walkthroughs" in text
    assert not re.search(r"#0103|#0102", text)  # every stand-in became a colour of the page


def test_the_letters_of_fifty_runs_leave_room_for_their_curves() -> None:
    shown = entries([synthetic.run("scout", "reader")])
    with warnings.catch_warnings():
        warnings.simplefilter("error")  # matplotlib's, where letters leave no room
        drawn = by_commands(
            [replace(shown[0], tag=f"R{place}", place=place) for place in range(50)]
        )
    assert len(re.findall(r">R\d+<", drawn)) == 100  # in both panels


def test_areas_stand_in_the_table() -> None:
    """The scout settles three of six questions with commands 2, 2 and 3 of 9: 20 / 54.

    It gets one of them wrong, which costs by the guessing rate from that command on. Its answer
    about the cellar, which it never saw, costs from the start.
    """
    cost = {id: penalty(rate) for id, rate in synthetic.rates().items()}
    earned = (7 - 7 * cost["direction-001"] + 6 - 9 * cost["location-002"]) / 54
    cells = re.findall(r'<td class="num"><b>(.*?)</b>', _section(render([synthetic.run()])))
    assert cells == ["0.37", "0.37", f"{earned:.2f}"]


def _as_explorer() -> RunRecord:
    """The scout's run, of an agent that is called explorer."""
    run = synthetic.run()
    return replace(run, manifest={**run.manifest, "agent": "explorer"})


def test_a_reference_adds_a_column() -> None:
    text = _section(render([_as_explorer(), synthetic.run("idle", "abstainer")]))
    assert "efficiency against" in text
    cells = re.findall(r'<td class="num"><b>(.*?)</b>', text)
    assert [cells[3], cells[7]] == ["1.00", "0.00"]


def test_runs_on_other_worlds_have_no_efficiency() -> None:
    text = _section(render([_as_explorer(), synthetic.run(worlds=1)]))
    assert re.findall(r'<td class="num"><b>(.*?)</b>', text)[-1] == "–"


@given(st.lists(st.floats(-0.3, 1), min_size=1, max_size=12).map(sorted))
def test_letters_stand_apart_and_in_order(heights: list[float]) -> None:
    places = _apart(heights, _NEAR)
    assert all(b - a >= _NEAR - 1e-9 for a, b in pairwise(places))
    assert places[0] >= min(0, heights[0]) - 1e-9
    assert places[-1] <= max(1, heights[0] + _NEAR * len(heights)) + 1e-9
