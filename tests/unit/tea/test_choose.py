"""The task filter: clusters as scikit-learn makes them of the whole matrix, without making it."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.typing import NDArray
from scipy.sparse import csr_array
from sklearn.cluster import SpectralClustering
from sklearn.metrics import adjusted_rand_score

from worldquiz.tea.kinds.task_filter import clusters, representatives


def unit(rows: NDArray[np.float64]) -> NDArray[np.float32]:
    found: NDArray[np.float32] = rows / np.linalg.norm(rows, axis=1, keepdims=True)
    return found.astype(np.float32)


def crowd(size: int, seed: int, spread: float = 0.3) -> list[NDArray[np.float32]]:
    """Return three modalities of tasks about eight things; tasks share rows, as real ones do."""
    draw = np.random.default_rng(seed)
    about = draw.integers(0, 8, size)
    whole = []
    for width in (20, 12, 8):
        middles = draw.normal(size=(8, width))
        versions = middles[:, None] + draw.normal(size=(8, 9, width)) * spread * 3
        whole.append(unit(versions[about, draw.integers(0, 9, size)]))
    return whole


@pytest.mark.parametrize(("size", "k"), [(12, 5), (60, 3), (300, 5), (900, 8)])
def test_clusters_are_those_of_the_whole_matrix(size: int, k: int) -> None:
    parts = crowd(size, size)
    likeness = sum(part.astype("float64") @ part.T.astype("float64") for part in parts) / 3
    model = SpectralClustering(
        k, affinity="precomputed", assign_labels="cluster_qr", random_state=0
    )
    theirs = model.fit_predict(np.clip((likeness + 1) / 2, 0, 1))
    assert adjusted_rand_score(clusters(parts, k), theirs) > 0.99
    assert adjusted_rand_score(clusters([csr_array(part) for part in parts], k), theirs) > 0.99


def test_each_cluster_is_stood_for_by_who_is_most_like_the_others() -> None:
    parts = crowd(200, 1)
    labels = clusters(parts, 4)
    likeness = sum(part.astype("float64") @ part.T.astype("float64") for part in parts)
    for one in representatives(parts, 4):
        members = np.flatnonzero(labels == labels[one])
        sums = likeness[np.ix_(members, members)].sum(axis=1)
        assert sums[members == one][0] == pytest.approx(sums.max(), abs=1e-4)
    assert sorted(labels[representatives(parts, 4)].tolist()) == [0, 1, 2, 3]


def test_few_tasks_all_come_back_and_seeds_repeat() -> None:
    parts = crowd(30, 3)
    assert representatives([part[:5] for part in parts], 5) == [0, 1, 2, 3, 4]
    assert representatives([part[:0] for part in parts], 5) == []
    assert representatives(parts, 5, seed=2**62) == representatives(parts, 5, seed=2**62)
