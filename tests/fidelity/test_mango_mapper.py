"""The map builder on the published 70-step prefixes: every question, none sampled.

The paper calls drawing a map and searching it "not promising" (appendix C.4).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

import pytest

from mango_data import mango_data
from mango_settled import told as claims
from worldquiz.mango.answerers import searched
from worldquiz.mango.grade import Question, Ways, grade
from worldquiz.mango.mapper import Mapper, trajectory
from worldquiz.mango.maze import Maze
from worldquiz.mango.paths import Net, Route, pairs, paths
from worldquiz.mango.published import Layout, games, read
from worldquiz.mango.questions import destination, route

STEPS = 70
PERFECT = {
    "library", "loose", "omniquest", "partyfoul", "pentari", "reverb", "snacktime", "zenon",
    "zork1",
}  # fmt: skip
"""Games whose every question the map builder answers right."""


def routes(maze: Maze) -> Iterator[Question]:
    net = Net.of(maze)
    found = pairs(net, Route.ANY)
    for source, levels in enumerate(found.shortest):
        for target, away in enumerate(levels):
            if away:
                yield route(maze.name, net, (source, target), easy=found, every=found)


@pytest.fixture(scope="module")
def found() -> dict[tuple[str, str], Counter[str]]:
    """What became of the questions, by task and game; *clear* are those that the text settles."""
    told: dict[tuple[str, str], Counter[str]] = {}
    for home in games(mango_data(), Layout.STEPS70):
        maze = read(home).prefix(STEPS)
        mapper = Mapper(maze.walkthrough, maze.places, maze.actions)
        ways, text = Ways(maze), claims(maze)
        asked = [
            *((destination(maze.name, path), text.path(path)) for path in paths(Net.of(maze))),
            *((each, text.pair(each.source, each.target)) for each in routes(maze)),
        ]
        for question, clear in asked:
            wrong = grade(ways, question, trajectory(searched(mapper, question))).success < 1
            row = told.setdefault((str(question.task), home.game), Counter())
            row.update(asked=1, wrong=wrong, clear=clear, clear_wrong=clear and wrong)
    return told


def total(found: dict[tuple[str, str], Counter[str]], task: str) -> Counter[str]:
    return sum((row for (kind, _), row in found.items() if kind == task), Counter())


def test_every_unambiguous_question_is_answered_right(
    found: dict[tuple[str, str], Counter[str]],
) -> None:
    for key, row in found.items():
        assert row["clear_wrong"] == 0, key
    df, rf = (total(found, task) for task in ("df", "rf"))
    assert (df["asked"], df["clear"]) == (4533, 2917)
    assert (rf["asked"], rf["clear"]) == (2885, 1469)
    assert df["wrong"] <= 756
    assert rf["wrong"] <= 485


def test_the_games_that_it_reads_perfectly(found: dict[tuple[str, str], Counter[str]]) -> None:
    names = {game for _, game in found}
    whole = {name for name in names if not found["df", name]["wrong"] + found["rf", name]["wrong"]}
    assert whole == PERFECT
