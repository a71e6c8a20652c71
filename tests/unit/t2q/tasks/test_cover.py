"""Algorithm 1 and the exact cover on sets small enough to see through."""

from __future__ import annotations

import math
import sys

import pytest

from worldquiz.errors import MissingExtra
from worldquiz.t2q.tasks.cover import Cover, exact, greedy, uncovered


def sets(**members: str) -> dict[str, frozenset[str]]:
    return {name: frozenset(letters) for name, letters in members.items()}


def even(letters: str) -> dict[str, float]:
    return dict.fromkeys(letters, 1.0)


TRAP = sets(big="abef", left="abc", right="efd")
"""Greedy takes the big one first and then needs both others."""


def test_greedy_takes_the_greatest_gain_first() -> None:
    assert greedy(even("abcdef"), TRAP) == ("big", "left", "right")


def test_exact_needs_one_task_less() -> None:
    cover = exact(even("abcdef"), TRAP)
    assert cover == Cover(("left", "right"), optimal=True, bound=2, missing=())
    assert cover.gap(greedy(even("abcdef"), TRAP)) == 1


def test_weights_decide_what_greedy_takes_first() -> None:
    signatures = sets(many="abc", heavy="d")
    assert greedy({"a": 1, "b": 1, "c": 1, "d": 2}, signatures) == ("many", "heavy")
    assert greedy({"a": 1, "b": 1, "c": 1, "d": 4}, signatures) == ("heavy", "many")


def test_gains_are_of_what_is_left_uncovered() -> None:
    signatures = sets(first="abcd", second="abce", third="ef")
    assert greedy(even("abcdef"), signatures) == ("first", "third")


def test_ties_go_to_the_lower_cost_then_to_the_lower_id() -> None:
    signatures = sets(zebra="ab", ant="ab", bee="ab")
    assert greedy(even("ab"), signatures) == ("ant",)
    assert greedy(even("ab"), signatures, cost={"zebra": 1, "ant": 2, "bee": 2}) == ("zebra",)


def test_a_task_without_a_cost_costs_nothing() -> None:
    assert greedy(even("ab"), sets(zebra="ab", ant="ab"), cost={"ant": 1}) == ("zebra",)
    crossed = sets(upper="ab", lower="cd", left="ac", right="bd")
    assert exact(even("abcd"), crossed, cost={"left": 1, "right": 0}).tasks == ("lower", "upper")


def test_equal_sums_tie_however_they_are_added_up() -> None:
    """0.1 + 0.2 + 0.3 depends on the order of adding; the gain must not."""
    universe = {"a": 0.1, "b": 0.2, "c": 0.3, "d": 0.3, "e": 0.2, "f": 0.1}
    assert greedy(universe, sets(two="fed", one="abc")) == ("one", "two")


def test_exact_prefers_the_cheaper_of_equally_small_covers() -> None:
    signatures = sets(dear="ab", cheap="ab", other="c")
    cover = exact(even("abc"), signatures, cost={"dear": 9, "cheap": 2, "other": 5})
    assert cover.tasks == ("cheap", "other")


def test_exact_never_takes_more_tasks_to_be_cheaper() -> None:
    signatures = sets(whole="abc", a="a", b="b", c="c")
    cover = exact(even("abc"), signatures, cost={"whole": 100, "a": 1, "b": 1, "c": 1})
    assert cover.tasks == ("whole",)


def test_what_no_task_covers_is_reported() -> None:
    signatures = sets(one="ab")
    assert exact(even("abyz"), signatures) == Cover(("one",), True, 1, ("y", "z"))
    assert greedy(even("abyz"), signatures) == ("one",)
    assert uncovered(even("abyz"), signatures) == ("y", "z")


def test_what_is_no_target_does_not_count() -> None:
    signatures = sets(one="axyz", two="ab")
    assert greedy(even("ab"), signatures) == ("two",)
    assert exact(even("ab"), signatures).tasks == ("two",)


def test_nothing_to_cover_needs_no_task() -> None:
    assert greedy({}, TRAP) == ()
    assert exact({}, TRAP) == Cover((), True, 0, ())
    assert exact(even("a"), {}) == Cover((), True, 0, ("a",))


@pytest.mark.parametrize("weight", [0.0, -1.0, math.nan, math.inf])
def test_a_weight_that_is_not_positive_is_refused(weight: float) -> None:
    for cover in (greedy, exact):
        with pytest.raises(ValueError, match="'b'"):
            cover({"a": 1.0, "b": weight}, sets(one="ab"))


def test_without_time_the_greedy_cover_stands_unproven() -> None:
    letters = "abcdefghijklmnop"
    signatures = {
        f"{a}{b}{c}": frozenset((a, b, c)) for a in letters for b in letters for c in letters
    }
    cost = dict.fromkeys(("abc", "def"), 1)
    cover = exact(even(letters), signatures, cost=cost, time_limit=1e-9)
    assert cover.tasks == tuple(sorted(greedy(even(letters), signatures, cost=cost)))
    assert frozenset().union(*(signatures[task] for task in cover.tasks)) == set(letters)
    assert 0 <= cover.bound <= len(cover.tasks)
    assert cover.optimal == (cover.bound == len(cover.tasks))


def test_a_missing_solver_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "ortools.sat.python.cp_model", None)
    with pytest.raises(MissingExtra, match=r"worldquiz\[exact\]"):
        exact(even("a"), sets(one="a"))
