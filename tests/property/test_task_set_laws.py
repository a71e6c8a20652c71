"""Laws of sets of tasks: which of them repeat nothing (MIR), and which few stand for all."""

from __future__ import annotations

from itertools import combinations
from random import Random

import networkx as nx
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

pytest.importorskip("scipy")

from numpy.typing import NDArray
from scipy.sparse import csr_array
from sklearn.cluster import SpectralClustering
from sklearn.feature_extraction.text import HashingVectorizer
from sklearn.metrics import adjusted_rand_score

from views import scene, sighting, thing, view
from worldquiz.tea import KINDS, harvest
from worldquiz.tea.interact import TEXT_SIZE, clusters, representatives, worded
from worldquiz.tea.mir import Independent, added, alike, independent, spatial

Pair = tuple[int, int]
PETERSEN = [
    *((at, (at + 1) % 5) for at in range(5)),
    *((at, at + 5) for at in range(5)),
    *((5 + at, 5 + (at + 2) % 5) for at in range(5)),
]


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
@given(crowds(), st.randoms(use_true_random=False))
def test_crowds_are_solved_as_networkx_solves_them_in_any_order(
    net: tuple[int, list[Pair]], chance: Random
) -> None:
    size, pairs = net
    result = found(size, pairs)
    lawful(result, size, pairs)
    assert result.optimal
    graph = nx.Graph(pairs)
    graph.add_nodes_from(range(size))
    if size <= 50:
        clique, _ = nx.max_weight_clique(nx.complement(graph), weight=None)
        assert len(result.chosen) == len(clique)
    other = [(b, a) if chance.random() < 0.5 else (a, b) for a, b in [*pairs, *pairs[:5]]]
    chance.shuffle(other)
    assert found(size, other) == result
    fewer = [each for each in pairs if chance.random() < 0.8]
    assert len(found(size, fewer).chosen) >= len(result.chosen)


def test_a_known_graph_has_its_known_number_and_hard_parts_a_bound(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    assert (len(found(10, PETERSEN).chosen), found(10, PETERSEN).optimal) == (4, True)
    assert found(0, []).ratio is None
    monkeypatch.setattr("worldquiz.tea.mir.NODES", 1)
    result = independent(np.random.default_rng(6).integers(0, 200, (3_000, 2)), 200)
    assert not result.optimal
    assert 25 < len(result.chosen) < result.bound < 100


def test_evolved_tasks_count_by_what_they_add() -> None:
    before, after = found(2, []), found(4, [(0, 2)])
    assert added(before, after, 2) == pytest.approx(0.5)
    assert added(before, before, 0) is None


def test_tasks_are_alike_by_the_mean_of_their_modalities() -> None:
    one = np.array([[1, 0], [1, 0], [0, 1]], "float32")
    two = np.array([[1, 0], [0, 1], [1, 0]], "float32")
    assert alike([one], 0.9).tolist() == [[0, 1]]
    assert alike([one, two], 0.9).tolist() == []
    assert alike([one, csr_array(two)], 0.4).tolist() == [[0, 1], [0, 2]]
    assert alike([one], 1.0).tolist() == []  # nothing is above 1, however a machine rounds


def test_the_extent_and_the_spread_of_two_boxes() -> None:
    flat = scene(
        thing("mug-1", (0.0, 2.0, 0.5), (0.5, 0.5, 0.5)),
        thing("vase-1", (3.0, 2.0, 0.5), (0.5, 0.5, 1.5)),
    )
    seen = view(sighting("mug-1"), sighting("vase-1"))
    kinds = [kind for kind in KINDS if kind.type.name == "localization"]
    told = spatial(flat, harvest(flat, [seen], kinds))
    assert told is not None
    assert told["extent"] == pytest.approx((4.0, 1.0, 3.0))
    assert told["spread"] == pytest.approx((1.5, 0.0, 0.0))
    assert [told[name] for name in ("volume", "task_volume", "task_volume_sd", "objects", "tasks")
            ] == pytest.approx([12.0, 2.0, 1.0, 2, 2])  # fmt: skip
    assert spatial(flat, []) is None


# The filter


def unit(rows: NDArray[np.float64]) -> NDArray[np.float32]:
    found: NDArray[np.float32] = rows / np.linalg.norm(rows, axis=1, keepdims=True)
    return found.astype(np.float32)


def things(size: int, seed: int, spread: float = 0.3) -> list[NDArray[np.float32]]:
    """Return three modalities of tasks about eight things; tasks share rows, as real ones do."""
    draw = np.random.default_rng(seed)
    about = draw.integers(0, 8, size)
    whole = []
    for width in (20, 12, 8):
        middles = draw.normal(size=(8, width))
        versions = middles[:, None] + draw.normal(size=(8, 9, width)) * spread * 3
        whole.append(unit(versions[about, draw.integers(0, 9, size)]))
    return whole


@given(st.lists(st.text(st.sampled_from("abcXYZ 09[],.\té毛") | st.characters(codec="utf-8"))))
def test_texts_have_the_rows_of_hashed_characters(texts: list[str]) -> None:
    maker = HashingVectorizer(
        analyzer="char_wb", ngram_range=(3, 5), n_features=TEXT_SIZE, alternate_sign=False
    )
    rows = worded(texts)
    assert rows.shape == (len(texts), TEXT_SIZE)
    if texts:
        assert not (rows != csr_array(maker.transform(texts).astype("float32"))).nnz


@pytest.mark.parametrize(("size", "k"), [(12, 5), (60, 3), (300, 5), (900, 8)])
def test_clusters_are_those_of_the_whole_matrix(size: int, k: int) -> None:
    parts = things(size, size)
    likeness = sum(part.astype("float64") @ part.T.astype("float64") for part in parts) / 3
    model = SpectralClustering(
        k, affinity="precomputed", assign_labels="cluster_qr", random_state=0
    )
    theirs = model.fit_predict(np.clip((likeness + 1) / 2, 0, 1))
    assert adjusted_rand_score(clusters(parts, k), theirs) > 0.99
    assert adjusted_rand_score(clusters([csr_array(part) for part in parts], k), theirs) > 0.99


def test_each_cluster_is_stood_for_by_who_is_most_like_the_others() -> None:
    parts = things(200, 1)
    labels = clusters(parts, 4)
    likeness = sum(part.astype("float64") @ part.T.astype("float64") for part in parts)
    for one in representatives(parts, 4):
        members = np.flatnonzero(labels == labels[one])
        sums = likeness[np.ix_(members, members)].sum(axis=1)
        assert sums[members == one][0] == pytest.approx(sums.max(), abs=1e-4)
    assert sorted(labels[representatives(parts, 4)].tolist()) == [0, 1, 2, 3]


def test_few_tasks_all_come_back_and_seeds_repeat() -> None:
    parts = things(30, 3)
    assert representatives([part[:5] for part in parts], 5) == [0, 1, 2, 3, 4]
    assert representatives([part[:0] for part in parts], 5) == []
    assert representatives(parts, 5, seed=2**62) == representatives(parts, 5, seed=2**62)
