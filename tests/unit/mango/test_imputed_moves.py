"""How long a maze's paths are and how much of them nobody took, on a maze read off by hand."""

from __future__ import annotations

import pytest

from mango_data import edge, maze_of
from worldquiz.errors import KnobError
from worldquiz.mango.paths import Net, count

LINE = Net.of(
    maze_of(
        edge("a", "east", "b", 1),
        edge("b", "west", "a", None, 1),
        edge("b", "east", "c", 2),
        edge("c", "west", "b", None, 2),
    )
)  # a -- b -- c, walked from a to c and never back


def test_a_line_walked_one_way() -> None:
    found = count(LINE, limit=2)
    assert (found.easy, found.hard) == (3, 3)  # ab, bc, abc; ba, cb, cba
    assert (found.mean_easy, found.mean_hard) == (4 / 3, 4 / 3)
    assert found.mean_imputed == 4 / 3  # 1, 1 and 2


def test_what_was_not_read_yet_is_imputed() -> None:
    found = count(LINE, limit=1)  # the move from b to c comes at step 2
    assert (found.easy, found.hard) == (1, 5)
    assert found.mean_imputed == (1 + 1 + 1 + 1 + 2) / 5  # bc, abc, ba, cb, cba


def test_means_over_nothing_are_none() -> None:
    found = count(Net.of(maze_of(edge("a", "east", "b", 1))), limit=9)
    assert (found.mean_easy, found.mean_hard, found.mean_imputed) == (1, None, None)
    assert count(Net.of(maze_of()), limit=9).mean_easy is None


def test_too_many_paths_are_an_error_that_says_what_to_do() -> None:
    with pytest.raises(KnobError, match=r"maze 'toy' has more than 5 simple paths"):
        count(LINE, limit=2, most=5)
