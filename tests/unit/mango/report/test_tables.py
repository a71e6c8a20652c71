"""Pairs as in Tables 1 and 9: which number stands where."""

from __future__ import annotations

from itertools import product

import pytest

from worldquiz.llm.reply_lists import Form
from worldquiz.mango.report import tables
from worldquiz.mango.scoring.contest import Contest, Contestant, Marked, pair
from worldquiz.mango.scoring.grade import Grade, Level, Question, Task

GAMES = [f"g{n}" for n in range(8)]


def contestant(name: str, easy: float, hard: float, games: list[str] = GAMES) -> Contestant:
    """Return one that earns the same on every easy, and on every hard, question."""
    marked = []
    for game, task, level in product(games, Task, Level):
        earned = easy if level is Level.EASY else hard
        question = Question(game, f"{task}{level}", task, "a", (), "b", 1, 1, 1)
        marked.append(Marked(question, 9, level, "", Grade(Form.CLEAN, earned, earned, earned / 2)))
    return Contestant(name, {"model": name, "steps": 9}, tuple(marked), {}, {})


ONE, TWO, THREE = (
    contestant("x", 0.75, 0.5),
    contestant("y", 0.5, 0.25),
    contestant("z", 0.25, 0.125),
)
CONTEST = Contest({}, (ONE, TWO, THREE))


@pytest.mark.parametrize("task", Task)
def test_easy_is_below_the_diagonal_and_hard_above_it(task: Task) -> None:
    cells = tables.matrix(tables.compared(CONTEST), task, "success")
    shown = {both: (side.row, side.column) for both, side in cells.items()}
    assert shown == {
        (0, 1): (0.5, 0.25), (0, 2): (0.5, 0.125), (1, 2): (0.25, 0.125),
        (1, 0): (0.5, 0.75), (2, 0): (0.25, 0.75), (2, 1): (0.25, 0.5),
    }  # fmt: skip


def test_the_row_is_named_first_and_the_difference_is_row_minus_column() -> None:
    cells = tables.matrix(tables.compared(CONTEST), Task.DF, "success")
    for both, sign in (((0, 1), 0.25), ((1, 0), -0.25)):
        side = cells[both]
        assert side.difference is not None
        assert side.difference["value"] == sign
        assert side.difference["low"] <= side.difference["value"] <= side.difference["high"]
        assert (side.asked, side.mazes) == (8, 8)


def test_p_is_adjusted_over_the_pairs_of_a_triangle() -> None:
    cells = tables.matrix(tables.compared(CONTEST), Task.DF, "success")
    raw = pair(ONE.scored, TWO.scored)["df"]["hard"]["success"]["difference"]["p"]
    assert cells[0, 1].adjusted == pytest.approx(3 * raw)  # three pairs, all of equal p
    assert {side.adjusted for side in cells.values()} == {cells[0, 1].adjusted}


def test_pairs_are_compared_on_what_both_were_asked() -> None:
    few = Contest({}, (ONE, contestant("y", 0.5, 0.25, GAMES[:3])))
    side = tables.matrix(tables.compared(few), Task.RF, "reasoning")[0, 1]
    assert (side.asked, side.mazes) == (3, 3)
    apart = Contest({}, (contestant("x", 1, 1, GAMES[:2]), contestant("y", 1, 1, GAMES[2:])))
    side = tables.matrix(tables.compared(apart), Task.RF, "reasoning")[0, 1]
    assert (side.row, side.column, side.asked, side.difference) == (None, None, 0, None)


def test_a_crowd_is_compared_with_the_first_only() -> None:
    crowd = Contest({}, tuple(contestant(str(n), 1, 1, GAMES[:2]) for n in range(11)))
    assert set(tables.compared(crowd)) == {(0, other) for other in range(1, 11)}


def test_dots_are_each_mazes_means_on_what_both_were_asked() -> None:
    found = tables.dots(ONE.scored, TWO.scored, Task.DF, Level.HARD, "success")
    assert found == dict.fromkeys(GAMES, (0.5, 0.25))
    none = tables.dots(ONE.scored, (), Task.DF, Level.HARD, "success")
    assert none == {}


def test_an_entry_says_what_was_set_but_not_what_its_name_says() -> None:
    first, *_ = tables.entries(CONTEST)
    assert (first.tag, first.name, first.settings) == ("A", "x", {"steps": "9"})
    levels = [(task, level) for task, level, _ in tables.blocks(first)]
    assert levels == [("df", "all"), ("df", "easy"), ("df", "hard"),
                      ("rf", "all"), ("rf", "easy"), ("rf", "hard")]  # fmt: skip


def test_answers_that_count_nowhere_are_counted() -> None:
    question = Question("g", "q", Task.DF, "a", ("x",), "b", 1, None, None)
    lost = Marked(question, 9, None, None, Grade(Form.ILL_FORMED, 0, 0, 0))
    entry, *_ = tables.entries(Contest({}, (Contestant("x", {}, (*ONE.marked, lost), {}, {}),)))
    assert entry.unscored == 1


def test_each_mazes_own_figures_have_their_counts() -> None:
    found = tables.by_maze(CONTEST, GAMES)
    assert found["g0"][0, "df"] == (0.625, 2)
    assert found["g0"][2, "rf"] == (0.1875, 2)
