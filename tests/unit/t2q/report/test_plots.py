"""Plots: one SVG element each, coloured by the page, equal for equal rows."""

from __future__ import annotations

import re
import sys
import xml.etree.ElementTree as ET
from collections.abc import Callable, Sequence
from functools import cache

import pytest

import synthetic
from worldquiz.errors import MissingExtra
from worldquiz.report import canvas
from worldquiz.t2q.quiz.exam import results
from worldquiz.t2q.report import plots
from worldquiz.t2q.report.tables import Row, Tagged
from worldquiz.t2q.scoring import scores, sitting

Plot = Callable[[Sequence[Tagged]], str]
PLOTS: list[Plot] = [plots.types, plots.levels]


def row(agent: str, answerer: str, worlds: int = 2) -> Row:
    run = synthetic.run(agent, answerer, worlds=worlds)
    return Row(agent, answerer, scores(sitting(one, results(one)) for one in run.worlds))


ROWS = [row("scout", "reader"), row("idle", "abstainer"), row("scout", "oracle")]


def tagged(rows: Sequence[Row]) -> list[Tagged]:
    return [Tagged(row, chr(ord("A") + place), place) for place, row in enumerate(rows)]


RUNS = tagged(ROWS)


@cache
def drawn(plot: Plot) -> str:
    """Return a plot of `RUNS`, drawn once for all tests that look at it."""
    return plot(RUNS)


@pytest.mark.parametrize("plot", PLOTS)
def test_is_one_well_formed_element_that_says_what_it_shows(plot: Plot) -> None:
    root = ET.fromstring(drawn(plot))
    assert root.tag == "{http://www.w3.org/2000/svg}svg"
    assert root.attrib["role"] == "img"
    assert len(root.attrib["aria-label"]) > 20
    assert "width" not in root.attrib  # the page decides


@pytest.mark.parametrize("plot", PLOTS)
def test_equal_rows_equal_bytes(plot: Plot) -> None:
    assert plot(RUNS) == drawn(plot)


@pytest.mark.parametrize("plot", PLOTS)
def test_colours_are_the_pages(plot: Plot) -> None:
    svg = drawn(plot)
    assert "var(--run-0)" in svg
    assert "var(--ink)" in svg
    assert not re.search(r"#[0-9a-f]{6}\b", svg)


@pytest.mark.parametrize("plot", PLOTS)
def test_nothing_styles_the_rest_of_the_page_or_leaves_it(plot: Plot) -> None:
    svg = drawn(plot)
    assert "<style" not in svg
    assert "<metadata" not in svg
    assert not re.search(r'(?:href|src)="(?!#)', svg)


def test_identifiers_are_unique_over_all_plots_and_references_resolve() -> None:
    everything = "".join(drawn(plot) for plot in PLOTS)
    ids = re.findall(r'\bid="([^"]+)"', everything)
    assert len(set(ids)) == len(ids)
    wanted = re.findall(r'(?:href="#|url\(#)([^")]+)', everything)
    assert set(wanted) <= set(ids)
    assert wanted


@pytest.mark.parametrize("plot", PLOTS)
def test_runs_without_intervals_or_shares_can_be_drawn(plot: Plot) -> None:
    empty = Row("x", "y", scores([]))
    ET.fromstring(plot(tagged([row("scout", "reader", worlds=1), empty])))


@pytest.mark.parametrize("plot", PLOTS)
def test_more_runs_than_colours_take_them_again(plot: Plot) -> None:
    ET.fromstring(plot(tagged([ROWS[0]] * (canvas.COLOURS + 2))))
    assert canvas.colour(canvas.COLOURS) == canvas.colour(0) != canvas.colour(1)


def test_without_matplotlib_the_error_names_the_extra(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    with pytest.raises(MissingExtra, match=r"matplotlib.*worldquiz\[t2q\]"):
        plots.levels(RUNS)
