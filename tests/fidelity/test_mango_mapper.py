"""The map builder on the published 70-step prefixes: every question, none sampled.

The paper calls drawing a map and searching it "not promising" (appendix C.4).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

import pytest

from mango_data import mango_data
from worldquiz.mango.asking.ask import destination, route
from worldquiz.mango.mapper.mapper import Mapper
from worldquiz.mango.maze.mango import Layout, games, read
from worldquiz.mango.maze.maze import Maze
from worldquiz.mango.paths.pairs import Route, pairs
from worldquiz.mango.paths.path_tree import Net, paths
from worldquiz.mango.scoring.grade import Question
from worldquiz.mango.scoring.mistakes import MistakeCause, mistakes

STEPS = 70
PERFECT = {
    "library", "loose", "partyfoul", "pentari", "reverb", "snacktime", "zenon", "zork1",
}  # fmt: skip
"""Games whose every question the map builder answers right."""


def destinations(maze: Maze) -> Iterator[Question]:
    for path in paths(Net.of(maze)):
        yield destination(maze.name, path)


def routes(maze: Maze) -> Iterator[Question]:
    net = Net.of(maze)
    found = pairs(net, Route.ANY)
    for source, levels in enumerate(found.shortest):
        for target, away in enumerate(levels):
            if away:
                yield route(maze.name, net, (source, target), easy=found, every=found)


@pytest.fixture(scope="module")
def found() -> dict[tuple[str, str], Counter[str]]:
    """What went wrong, by task and game."""
    told = {}
    for home in games(mango_data(), Layout.STEPS70):
        maze = read(home).prefix(STEPS)
        mapper = Mapper(maze.walkthrough, maze.places, maze.actions)
        for task, asked in (("df", destinations(maze)), ("rf", routes(maze))):
            row = mistakes(maze, STEPS, mapper, asked)
            told[task, home.game] = Counter({**row.pop("causes"), **row})
    return told


def total(found: dict[tuple[str, str], Counter[str]], task: str) -> Counter[str]:
    return sum((row for (kind, _), row in found.items() if kind == task), Counter())


def test_every_unambiguous_question_is_answered_right(
    found: dict[tuple[str, str], Counter[str]],
) -> None:
    for key, row in found.items():
        assert row["unambiguous_wrong"] == 0, key
    df, rf = (total(found, task) for task in ("df", "rf"))
    assert (df["asked"], df["unambiguous"]) == (4533, 2917)
    assert (rf["asked"], rf["unambiguous"]) == (2885, 1469)


def test_the_games_that_it_reads_perfectly(found: dict[tuple[str, str], Counter[str]]) -> None:
    names = {game for _, game in found}
    whole = {name for name in names if not found["df", name]["wrong"] + found["rf", name]["wrong"]}
    assert whole == PERFECT


def test_what_it_gets_wrong_is_what_the_text_does_not_settle(
    found: dict[tuple[str, str], Counter[str]],
) -> None:
    for task, most in (("df", 756), ("rf", 485)):
        row = total(found, task)
        assert sum(row[str(cause)] for cause in MistakeCause) == row["wrong"] <= most
        assert row["shared"] + row["unnamed"] > 0.9 * row["wrong"]
