"""Laws of largest independent sets: independent, maximal, bounded, and true on small graphs."""

from __future__ import annotations

from itertools import combinations
from random import Random

import networkx as nx
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

pytest.importorskip("scipy")

from worldquiz.tea.mir import Independent, independent

Pair = tuple[int, int]


@st.composite
def nets(draw: st.DrawFn, most: int = 10) -> tuple[int, list[Pair]]:
    size = draw(st.integers(0, most))
    every = list(combinations(range(size), 2))
    return size, draw(st.lists(st.sampled_from(every), unique=True)) if every else []


@st.composite
def crowds(draw: st.DrawFn) -> tuple[int, list[Pair]]:
    """Draw near-cliques with some pairs between them: what tasks of one scene look like."""
    size, groups = draw(st.integers(15, 60)), draw(st.integers(2, 10))
    within, between = draw(st.floats(0.4, 1)), draw(st.floats(0, 0.1))
    chance = Random(draw(st.integers(0, 2**32)))
    return size, [
        (a, b)
        for a, b in combinations(range(size), 2)
        if chance.random() < (within if a % groups == b % groups else between)
    ]


def found(size: int, pairs: list[Pair]) -> Independent:
    return independent(np.array(pairs, "int64").reshape(-1, 2), size)


def brute(size: int, pairs: list[Pair]) -> int:
    bad = set(pairs)
    return max(
        k
        for k in range(size + 1)
        for some in combinations(range(size), k)
        if not bad & set(combinations(some, 2))
    )


def lawful(result: Independent, size: int, pairs: list[Pair]) -> None:
    inside = set(result.chosen)
    assert list(result.chosen) == sorted(inside)
    assert not set(pairs) & set(combinations(result.chosen, 2))
    near: dict[int, set[int]] = {at: set() for at in range(size)}
    for a, b in pairs:
        near[a].add(b)
        near[b].add(a)
    assert all(near[at] & inside for at in set(range(size)) - inside)
    assert len(inside) <= result.bound <= size
    assert result.of == size


@pytest.mark.slow
@settings(max_examples=60, deadline=None)
@given(nets())
def test_small_graphs_are_solved_with_proof(net: tuple[int, list[Pair]]) -> None:
    result = found(*net)
    lawful(result, *net)
    assert result.optimal
    assert len(result.chosen) == brute(*net)


@settings(max_examples=25, deadline=None)
@given(crowds())
def test_crowds_are_solved_as_networkx_solves_them(net: tuple[int, list[Pair]]) -> None:
    size, pairs = net
    result = found(size, pairs)
    lawful(result, size, pairs)
    assert result.optimal
    graph = nx.Graph(pairs)
    graph.add_nodes_from(range(size))
    if size <= 50:
        clique, _ = nx.max_weight_clique(nx.complement(graph), weight=None)
        assert len(result.chosen) == len(clique)


@settings(max_examples=25, deadline=None)
@given(crowds(), st.randoms(use_true_random=False))
def test_the_order_of_pairs_and_of_their_ends_changes_nothing(
    net: tuple[int, list[Pair]], chance: Random
) -> None:
    size, pairs = net
    other = [(b, a) if chance.random() < 0.5 else (a, b) for a, b in [*pairs, *pairs[:5]]]
    chance.shuffle(other)
    assert found(size, pairs) == found(size, other)


@settings(max_examples=20, deadline=None)
@given(crowds(), st.randoms(use_true_random=False))
def test_more_likeness_never_makes_the_largest_set_larger(
    net: tuple[int, list[Pair]], chance: Random
) -> None:
    size, pairs = net
    fewer = [each for each in pairs if chance.random() < 0.8]
    assert len(found(size, fewer).chosen) >= len(found(size, pairs).chosen)
