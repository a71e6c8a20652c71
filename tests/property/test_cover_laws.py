"""Laws of the covers, against trying every subset."""

from __future__ import annotations

import math
import random
from itertools import combinations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from worldquiz.t2q.tasks.cover import exact, greedy, uncovered

LETTERS = "abcdefgh"

signature_maps = st.dictionaries(
    st.text("xyz", min_size=1, max_size=3), st.frozensets(st.sampled_from(LETTERS)), max_size=8
)
universes = st.dictionaries(
    st.sampled_from(LETTERS), st.floats(0.1, 10, allow_nan=False), min_size=1, max_size=8
)
costs = st.dictionaries(st.text("xyz", min_size=1, max_size=3), st.integers(0, 20))

Signatures = dict[str, frozenset[str]]


def covered(tasks: tuple[str, ...], universe: dict[str, float], signatures: Signatures) -> set[str]:
    return set().union(*(signatures[task] for task in tasks)) & universe.keys()


def by_trial(
    universe: dict[str, float], signatures: Signatures, cost: dict[str, int]
) -> tuple[int, int]:
    """Return the least number of tasks of any cover and the least cost of those."""
    wanted = covered(tuple(signatures), universe, signatures)
    for size in range(len(signatures) + 1):
        covers = [
            tasks
            for tasks in combinations(signatures, size)
            if covered(tasks, universe, signatures) == wanted
        ]
        if covers:
            return size, min(sum(cost.get(task, 0) for task in tasks) for tasks in covers)
    raise AssertionError("all tasks together cover what can be covered")


@given(universes, signature_maps, costs)
def test_greedy_covers_all_that_can_be_covered(
    universe: dict[str, float], signatures: Signatures, cost: dict[str, int]
) -> None:
    chosen = greedy(universe, signatures, cost=cost)
    left = universe.keys() - covered(chosen, universe, signatures)
    assert left == set(uncovered(universe, signatures))


@given(universes, signature_maps, costs)
def test_each_step_of_greedy_takes_the_best_there_is(
    universe: dict[str, float], signatures: Signatures, cost: dict[str, int]
) -> None:
    left = set(universe)

    def rank(task: str) -> tuple[float, int, str]:
        gain = math.fsum(universe[name] for name in signatures[task] & left)
        return -gain, cost.get(task, 0), task

    for task in greedy(universe, signatures, cost=cost):
        assert task == min(signatures, key=rank)
        assert signatures[task] & left
        left -= signatures[task]


@pytest.mark.slow
@settings(deadline=None, max_examples=60)
@given(universes, signature_maps, costs)
def test_exact_is_as_good_as_trying_every_subset(
    universe: dict[str, float], signatures: Signatures, cost: dict[str, int]
) -> None:
    cover = exact(universe, signatures, cost=cost)
    size, price = by_trial(universe, signatures, cost)
    assert covered(cover.tasks, universe, signatures) == covered(
        tuple(signatures), universe, signatures
    )
    assert (len(cover.tasks), sum(cost.get(task, 0) for task in cover.tasks)) == (size, price)
    assert cover.optimal
    assert cover.bound == size
    assert cover.missing == uncovered(universe, signatures)
    assert cover.gap(greedy(universe, signatures, cost=cost)) >= 0


@settings(deadline=None, max_examples=60)
@given(universes, signature_maps, costs, st.randoms(use_true_random=False))
def test_the_order_of_the_input_changes_nothing(
    universe: dict[str, float], signatures: Signatures, cost: dict[str, int], shuffle: random.Random
) -> None:
    items, weights = list(signatures.items()), list(universe.items())
    shuffle.shuffle(items)
    shuffle.shuffle(weights)
    for cover in (greedy, exact):
        assert cover(dict(weights), dict(items), cost=cost) == cover(
            universe, signatures, cost=cost
        )


@given(universes, signature_maps)
def test_greedy_stays_within_its_known_ratio(
    universe: dict[str, float], signatures: Signatures
) -> None:
    """With even weights it takes at most H(n) times the least number (Chvatal 1979)."""
    even = dict.fromkeys(universe, 1.0)
    least, _ = by_trial(even, signatures, {})
    harmonic = sum(1 / number for number in range(1, len(even) + 1))
    assert len(greedy(even, signatures)) <= harmonic * least + 1e-9
