"""Table 10 of the paper: what its numbers say about its own formula of confusable locations.

Success rates of the paper's models a maze are not published, so its fits cannot be redone.
"""

from __future__ import annotations

from statistics import correlation

import pytest

from mango_data import mango_data, published_table
from worldquiz.mango.paths import Label, Net, count, mean
from worldquiz.mango.published import Layout, games, read
from worldquiz.mango.stats import shown_by
from worldquiz.mango.tables import predictors

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
    assert correlation(sizes, [float(each["alike_locations"] or 0) for each in known]) < 0.95


EXPLAINED = {
    5: {"detective", "huntdark", "pentari", "zork1"},
    6: {"detective", "huntdark", "pentari", "zork1", "partyfoul"},
}
"""Rows of Tables 5 and 6 that other maps gave; `test_mango_tables` says which moves they lack."""


@pytest.mark.parametrize("number", [5, 6])
def test_measures_are_those_of_the_published_statistics(number: int) -> None:
    """Places, edges, easy and hard paths, and the mean length of both together."""
    table, different = published_table(number), set()
    for home in games(mango_data(), Layout.FULL):
        maze, cells = read(home), table[home.game]
        limit = min(cells["steps"], maze.steps - 1)
        shown = shown_by(maze, limit)
        found = count(Net.of(shown), limit=limit, by=Label.FORWARD)
        moves = found.easy * (mean(found.lengths[0]) or 0) + found.hard * (
            mean(found.hard_lengths) or 0
        )
        ours = {
            "locs": len(shown.places),
            "edges": len(shown.edges),
            "avg_len_path": round(moves / (found.easy + found.hard), 2),
            "df_easy": found.easy,
            "df_hard": found.hard,
        }
        if any(ours[name] != cells[name] for name in ours):
            different.add(home.game)
    assert different == EXPLAINED[number]
