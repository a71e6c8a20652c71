"""Where published walkthroughs went, and how many minigames they hold, beside the paper's."""

from __future__ import annotations

import csv

import pytest

from mango_data import mango_data
from worldquiz.mango.maze import taken
from worldquiz.mango.minigames import answerable
from worldquiz.mango.published import Home, Layout, read
from worldquiz.mango.settings import MinigameSettings

STEPS = 70  # of which the published labels are
MINIGAMES = {
    "905": (0, 1), "balances": (3, 4), "detective": (6, 7), "huntdark": (0, 0), "library": (5, 8),
    "loose": (4, 14), "lostpig": (1, 1), "moonlit": (2, 4), "night": (16, 19),
    "omniquest": (11, 12), "partyfoul": (2, 11), "pentari": (13, 14), "reverb": (2, 19),
    "snacktime": (3, 5), "zenon": (5, 6), "zork1": (18, 20),
}  # fmt: skip
"""Answerable minigames: those of Table 14, read in a window of 4,000 tokens, and all of ours."""


@pytest.mark.parametrize("game", MINIGAMES)
def test_every_step_goes_where_the_published_annotation_says(game: str) -> None:
    folder = mango_data() / game
    maze = read(Home(game, folder / "steps70", Layout.STEPS70))
    with (folder / "full" / f"{game}.valid_moves.csv").open(newline="") as stream:
        rows = [row for row in csv.reader(stream) if row[0].isdigit()]
    last = min(STEPS, maze.steps)
    published = {
        int(number): (source.lower().strip(), target.lower().strip())
        for number, source, target, *_ in rows
        if source.strip() and int(number) <= last
    }
    found = {step: (edge.source, edge.target) for step, edge in taken(maze, STEPS).items()}
    assert found == published


@pytest.mark.parametrize("game", MINIGAMES)
def test_no_game_has_fewer_minigames_than_table_14(game: str) -> None:
    published, ours = MINIGAMES[game]
    maze = read(Home(game, mango_data() / game / "steps70", Layout.STEPS70))
    assert len(answerable(maze, MinigameSettings(steps=STEPS))) == ours >= published
