"""Table 10 of the paper: what its betas are, and what its numbers say about its own formula.

Success rates of the paper's models a maze are not published, so its fits cannot be redone; what can
be is checked against its other tables, and the table against itself.
"""

from __future__ import annotations

import math
from statistics import correlation, fmean
from typing import NamedTuple

import pytest
from scipy import stats

from mango_data import mango_data, published_table
from worldquiz.mango.paths import Label, Net, count, mean
from worldquiz.mango.published import Layout, games, read
from worldquiz.mango.stats import shown_by
from worldquiz.mango.tables import predictors


class Cell(NamedTuple):
    beta: float
    p: float


# GPT-3.5 DF, GPT-3.5 RF, GPT-4 DF, GPT-4 RF
EASY = {
    "locations": (-0.076, 0.001, -0.084, 0.000, -0.073, 0.000, -0.120, 0.000),
    "explicit": (-0.068, 0.003, -0.081, 0.001, -0.067, 0.000, -0.096, 0.003),
    "confusable": (-0.056, 0.017, -0.067, 0.006, -0.065, 0.000, -0.088, 0.006),
    "length": (-0.066, 0.005, -0.081, 0.001, -0.066, 0.000, -0.131, 0.000),
    "scene": (-0.037, 0.119, -0.002, 0.939, 0.031, 0.036, 0.069, 0.035),
}
HARD = {
    "locations": (-0.049, 0.088, -0.055, 0.043, -0.083, 0.007, -0.115, 0.006),
    "explicit": (-0.052, 0.070, -0.064, 0.018, -0.080, 0.010, -0.107, 0.011),
    "imputed": (-0.059, 0.038, -0.032, 0.252, -0.118, 0.000, -0.152, 0.000),
    "confusable": (-0.045, 0.125, -0.055, 0.043, -0.068, 0.030, -0.081, 0.061),
    "length": (-0.072, 0.011, -0.055, 0.046, -0.094, 0.002, -0.122, 0.004),
    "in hard": (-0.057, 0.046, -0.022, 0.428, -0.081, 0.009, -0.096, 0.024),
    "scene": (0.032, 0.268, 0.050, 0.069, 0.084, 0.007, 0.105, 0.013),
}
ALL_GAMES = 53
HARD_GAMES = 42  # of Table 5 have a hard destination-finding question


def column(rows: dict[str, tuple[float, ...]], which: int) -> list[Cell]:
    """Return a model's and task's cells; p-values of three digits tell little below 0.005."""
    cells = [Cell(row[2 * which], row[2 * which + 1]) for row in rows.values()]
    return [cell for cell in cells if 0.005 <= cell.p < 0.5]


def strength(p: float, mazes: int) -> float:
    """Return the size of the correlation that has a p-value."""
    t = float(stats.t.isf(p / 2, mazes - 2))
    return t / math.sqrt(t * t + mazes - 2)


@pytest.mark.parametrize(
    ("rows", "mazes", "which"),
    [(EASY, ALL_GAMES, 0), (EASY, ALL_GAMES, 3), *((HARD, HARD_GAMES, n) for n in range(4))],
)  # the other two columns have one p-value of enough digits
def test_betas_are_changes_for_one_standard_deviation(
    rows: dict[str, tuple[float, ...]], mazes: int, which: int
) -> None:
    """Beta over correlation is the rates' standard deviation whatever the predictor's unit.

    Were predictors not standardised it would differ by the ratio of their units, some 20-fold
    between locations and words; were rates standardised too, it would be 1.
    """
    spreads = [abs(cell.beta) / strength(cell.p, mazes) for cell in column(rows, which)]
    assert len(spreads) >= 2
    for spread in spreads:
        assert spread == pytest.approx(fmean(spreads), rel=0.03)
    assert 0.09 < fmean(spreads) < 0.35


def test_table_10_cannot_have_used_the_formula_of_its_confusion() -> None:
    """By the formula it is the number of locations; the table's two rows are far apart."""
    shown = [read(home).prefix(70) for home in games(mango_data(), Layout.STEPS70)]
    sizes = [float(len(maze.places)) for maze in shown]
    known = [predictors(maze, 70) for maze in shown]
    by_formula = [float(each["confusable_locations"] or 0) for each in known]
    assert correlation(sizes, by_formula) > 0.999
    assert sum(a == b for a, b in zip(sizes, by_formula, strict=True)) >= 15
    for which in range(4):
        locations, confused = (abs(EASY[row][2 * which]) for row in ("locations", "confusable"))
        assert confused < 0.9 * locations
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
