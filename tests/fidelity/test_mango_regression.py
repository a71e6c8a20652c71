"""Table 10 of the paper: what its numbers say about its own formula of confusable locations.

Its fits are redone with published answers of June 2023 in `test_mango_answers`.
"""

from __future__ import annotations

from statistics import correlation

from mango_data import mango_data
from worldquiz.mango.published import Layout, games, read
from worldquiz.mango.scores import predictors

LOCATIONS, CONFUSABLE = (0.076, 0.084, 0.073, 0.120), (0.056, 0.067, 0.065, 0.088)
"""Sizes of the betas of easy questions: GPT-3.5 and GPT-4, destinations and routes."""


def test_table_10_cannot_have_used_the_formula_of_its_confusion() -> None:
    """By the formula it is the number of locations; the table's two rows are far apart."""
    shown = [read(home).prefix(70) for home in games(mango_data(), Layout.STEPS70)]
    sizes = [float(len(maze.places)) for maze in shown]
    known = [predictors(maze, 70) for maze in shown]
    by_formula = [float(each["confusable_locations"] or 0) for each in known]
    assert correlation(sizes, by_formula) > 0.999
    assert sum(a == b for a, b in zip(sizes, by_formula, strict=True)) >= 15
    for locations, confusable in zip(LOCATIONS, CONFUSABLE, strict=True):
        assert confusable < 0.9 * locations
