"""The paper's figures, causes and confidences: one SVG element each, in the colours of the page."""

from __future__ import annotations

import re
import xml.etree.ElementTree as ET
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import cache

import pytest

import synthetic
from worldquiz.report import canvas
from worldquiz.t2q.pipeline import scores
from worldquiz.t2q.report import plots
from worldquiz.t2q.report.tables import REASONS, Tagged, row_of
from worldquiz.t2q.trace import Cause

Plot = Callable[[Sequence[Tagged]], str]
PLOTS: list[Plot] = [
    plots.figure_4, plots.figure_5, plots.figure_6, plots.figure_8,
    plots.causes, plots.confidence,
]  # fmt: skip


def tagged(*names: tuple[str, str]) -> list[Tagged]:
    runs = [synthetic.model_run(*each) for each in names]
    return [
        Tagged(row_of(run, scores(run)), chr(ord("A") + place), place)
        for place, run in enumerate(runs)
    ]


RUNS = tagged(("m1", "in-context"), ("m1", "mem0"))


@cache
def drawn(plot: Plot) -> str:
    """Return a plot of `RUNS`, drawn once for all tests that look at it."""
    return plot(RUNS)


@pytest.mark.parametrize("plot", PLOTS)
def test_is_one_well_formed_element_that_says_what_it_shows(plot: Plot) -> None:
    root = ET.fromstring(drawn(plot))
    assert root.tag == "{http://www.w3.org/2000/svg}svg"
    assert len(root.attrib["aria-label"]) > 20


@pytest.mark.parametrize("plot", PLOTS)
def test_equal_runs_equal_bytes(plot: Plot) -> None:
    assert plot(RUNS) == drawn(plot)


@pytest.mark.parametrize("plot", PLOTS)
def test_colours_are_the_pages(plot: Plot) -> None:
    svg = drawn(plot)
    assert "var(--run-1)" in svg or "var(--cause-overclaim)" in svg
    assert not re.search(r"#[0-9a-f]{6}\b", svg)


def test_a_run_keeps_its_colour_beside_others() -> None:
    """Figures of models alone leave out the page's other runs, and repaint none."""
    svg = plots.figure_6([replace(RUNS[0], place=5)])
    assert "var(--run-5)" in svg
    assert "var(--run-0)" not in svg


@pytest.mark.parametrize("plot", PLOTS)
def test_many_runs_can_be_drawn(plot: Plot) -> None:
    many = [replace(RUNS[0], place=place, tag=str(place)) for place in range(canvas.COLOURS + 2)]
    ET.fromstring(plot(many))


def test_identifiers_are_unique_over_all_plots() -> None:
    ids = re.findall(r'\bid="([^"]+)"', "".join(drawn(plot) for plot in PLOTS))
    assert len(set(ids)) == len(ids)


def test_every_cause_has_a_name_a_colour_and_a_meaning() -> None:
    assert set(REASONS) == set(Cause) == set(plots.COLOURS)
    assert len({name for name, _ in REASONS.values()}) == len(Cause)
    right = {cause for cause, (_, told) in REASONS.items() if not told.startswith("wrong")}
    assert right == {Cause.KNOWN, Cause.GUESSED, Cause.EXPLORE}
