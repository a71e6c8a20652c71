"""The task filter: a few tasks that stand for all (arXiv 2602.05249, equation 8).

Executing every task of a loop would give ever more tasks in the next one. Tasks are embedded by
several modalities (picture, command, label), their similarity is the mean of the cosines, spectral
clustering parts them into k clusters, and of each cluster the task that is most like the others
stands for it.

The matrix of similarities is never made. It is a product of the embeddings, so multiplying it with
a vector takes two products with them, and no more is needed to find its leading vectors: 88,000
tasks are clustered as exactly as 300 are, with time and memory that grow with the tasks alone.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from worldquiz.plugins import later

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Vectors = NDArray[np.float32]
    Labels = NDArray[np.int64]
else:
    np = later("numpy", extra="tea")
linalg = later("scipy.linalg", extra="tea")
sparse = later("scipy.sparse.linalg", extra="tea")

K = 5
"""Clusters of a scene's tasks, as in the paper."""
DIGITS = 9
"""Digits of a mean similarity that count: those after them depend on how a machine adds."""


def representatives(modalities: Sequence[Vectors], k: int = K, *, seed: int = 0) -> list[int]:
    """Return the numbers of the tasks that stand for k clusters, in order; ties by number.

    `modalities` are arrays of (tasks, size), dense or sparse, with rows of length 1. All tasks come
    back where there are no more than k. Raises `MissingExtra`.
    """
    size = modalities[0].shape[0]
    if size <= k:
        return list(range(size))
    parts = [each.astype("float64") for each in modalities]
    labels = clusters(parts, k, seed=seed)
    found = []
    for label in sorted(set(labels.tolist())):
        members = np.flatnonzero(labels == label)
        like = sum(part[members] @ part[members].sum(axis=0) for part in parts)
        like = np.round(like / (len(members) * len(parts)), DIGITS)
        found.append(int(members[int(np.argmax(like))]))
    return sorted(found)


def clusters(modalities: Sequence[Vectors], k: int = K, *, seed: int = 0) -> Labels:
    """Return the cluster, 0 to k-1, of each of more than k tasks, by spectral clustering.

    Two tasks' affinity is (1 + similarity) / 2. Clusters are those of scikit-learn's
    `SpectralClustering` with this affinity and `assign_labels="cluster_qr"`. Raises `MissingExtra`.
    """
    parts: list[Any] = [each.astype("float64") for each in modalities]
    size = parts[0].shape[0]

    def affine(vector: Any) -> Any:
        """Multiply the affinities of all with others than themselves with a vector."""
        vector = np.ravel(vector)
        like = sum(part @ (part.T @ vector) for part in parts) / len(parts)
        return (vector.sum() + like) / 2 - itself * vector

    itself = sum(_squares(part) for part in parts) / len(parts) / 2 + 0.5
    scale = 1 / np.sqrt(np.maximum(affine(np.ones(size)), 1e-9))
    operator = sparse.LinearOperator(
        (size, size), lambda vector: scale * affine(scale * np.ravel(vector)), dtype="float64"
    )
    start = np.random.default_rng(seed).uniform(0.5, 1, size)
    _, vectors = sparse.eigsh(operator, k=k, which="LA", v0=start, tol=1e-6)
    return _assigned(vectors * scale[:, None])


def _assigned(vectors: Any) -> Labels:
    """Part the rows of k vectors into k clusters, whatever their signs (Damle et al. 2019)."""
    k = vectors.shape[1]
    _, _, pivots = linalg.qr(vectors.T, pivoting=True, mode="economic")
    left, _, right = linalg.svd(vectors[pivots[:k]].T)
    labels: Labels = np.abs(vectors @ (left @ right)).argmax(axis=1)
    return labels


def _squares(part: Any) -> Any:
    """Return the squared length of each row: 1, or 0 for a task without words."""
    return np.ravel((part * part).sum(axis=1))
