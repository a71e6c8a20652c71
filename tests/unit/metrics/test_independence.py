"""The largest sets without two that are alike, against trying all sets."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from worldquiz.metrics.independence import Independent, added, alike, independent


@st.composite
def nets(draw: st.DrawFn) -> tuple[int, list[tuple[int, int]]]:
    size = draw(st.integers(0, 9))
    every = list(combinations(range(size), 2))
    return size, draw(st.lists(st.sampled_from(every), unique=True)) if every else []


def found(size: int, pairs: list[tuple[int, int]], exact: int = 400) -> Independent:
    return independent(np.array(pairs, "int64").reshape(-1, 2), size, exact=exact)


def largest(size: int, pairs: list[tuple[int, int]]) -> int:
    bad = set(pairs)
    return max(
        k
        for k in range(size + 1)
        for some in combinations(range(size), k)
        if not bad & set(combinations(some, 2))
    )


@settings(max_examples=300, deadline=None)
@given(nets())
def test_small_nets_are_solved_with_proof(net: tuple[int, list[tuple[int, int]]]) -> None:
    size, pairs = net
    result = found(size, pairs)
    assert result.optimal
    assert len(result.chosen) == largest(size, pairs)
    assert not set(pairs) & set(combinations(result.chosen, 2))


@settings(max_examples=300, deadline=None)
@given(nets())
def test_search_is_bounded_from_above_and_never_wrong(
    net: tuple[int, list[tuple[int, int]]],
) -> None:
    size, pairs = net
    result = found(size, pairs, exact=0)
    assert len(result.chosen) <= largest(size, pairs) <= result.bound
    assert not set(pairs) & set(combinations(result.chosen, 2))


@given(nets(), st.randoms(use_true_random=False))
def test_the_order_of_pairs_changes_nothing(
    net: tuple[int, list[tuple[int, int]]], random: object
) -> None:
    size, pairs = net
    other = [*pairs]
    random.shuffle(other)  # type: ignore[attr-defined]
    assert found(size, pairs) == found(size, other)


def test_an_odd_ring_needs_the_solver() -> None:
    ring = [(0, 1), (1, 2), (2, 3), (3, 4), (0, 4)]
    assert found(5, ring).bound == 2  # cliques alone say 3
    assert found(5, ring).ratio == pytest.approx(0.4)
    assert found(0, []).ratio is None


def test_tasks_are_alike_by_the_mean_of_their_modalities() -> None:
    one = np.array([[1, 0], [1, 0], [0, 1]], "float32")
    two = np.array([[1, 0], [0, 1], [1, 0]], "float32")
    assert alike([one], 0.9).tolist() == [[0, 1]]
    assert alike([one, two], 0.9).tolist() == []
    assert alike([one, two], 0.4).tolist() == [[0, 1], [0, 2]]
    with pytest.raises(ValueError, match="modalities of"):
        alike([one, two[:2]], 0.5)


def test_evolved_tasks_count_by_what_they_add() -> None:
    before, after = found(2, []), found(4, [(0, 2)])
    assert added(before, after, 2) == pytest.approx(0.5)
    assert added(before, before, 0) is None
