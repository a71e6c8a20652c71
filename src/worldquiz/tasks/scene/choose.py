"""The task filter: a few tasks that stand for all (arXiv 2602.05249, equation 8).

Executing every task of a loop would give ever more tasks in the next one. Tasks are embedded by
several modalities (picture, command, label), their similarity is the mean of the cosines, spectral
clustering parts them into k clusters, and of each cluster the task that is most like the others
stands for it.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from worldquiz.errors import MissingExtra

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Vectors = NDArray[np.float32]

K = 5
"""Clusters of a scene's tasks, as in the paper."""
DENSE = 3000
"""Tasks up to which the whole matrix of similarities is clustered; beyond, a sparse one."""
NEIGHBOURS = 20
"""Most similar tasks that the sparse matrix keeps of each task."""


def representatives(modalities: Sequence[Vectors], k: int = K, *, seed: int = 0) -> list[int]:
    """Return the numbers of the tasks that stand for k clusters, in order.

    `modalities` are arrays of (tasks, size) with rows of length 1. All tasks come back where there
    are no more than k. Raises `MissingExtra` without scikit-learn.
    """
    size = len(modalities[0])
    if size <= k:
        return list(range(size))
    numpy, cluster = _libraries()
    joined = numpy.concatenate(list(modalities), axis=1) / numpy.sqrt(len(modalities))
    labels = _labels(cluster, joined, k, seed)
    found = []
    for label in sorted(set(labels.tolist())):
        members = numpy.flatnonzero(labels == label)
        inner = joined[members] @ joined[members].sum(axis=0)
        found.append(int(members[int(numpy.argmax(numpy.round(inner, 6)))]))
    return sorted(found)


def _labels(cluster: Any, joined: Any, k: int, seed: int) -> Any:
    import numpy

    if len(joined) <= DENSE:
        likeness = numpy.clip((joined @ joined.T + 1) / 2, 0, 1)
        model = cluster.SpectralClustering(
            k, affinity="precomputed", random_state=seed % 2**32, assign_labels="cluster_qr"
        )
        return model.fit_predict(likeness)
    return _sparse(joined, k)


def _sparse(joined: Any, k: int) -> Any:
    """Cluster by the leading vectors of the normalised graph of nearest neighbours."""
    import numpy
    from scipy.sparse import diags_array
    from scipy.sparse.linalg import eigsh
    from sklearn.cluster._spectral import cluster_qr
    from sklearn.neighbors import kneighbors_graph

    graph = kneighbors_graph(joined, NEIGHBOURS, mode="connectivity")
    graph = graph.maximum(graph.T).tocsr()
    scale = diags_array(1 / numpy.sqrt(numpy.asarray(graph.sum(axis=1)).ravel()))
    start = numpy.ones(len(joined)) / numpy.sqrt(len(joined))
    _, vectors = eigsh(scale @ graph @ scale, k=k, which="LA", tol=1e-3, v0=start)
    return cluster_qr(vectors)


def _libraries() -> tuple[Any, Any]:
    try:
        import numpy
        from sklearn import cluster
    except ImportError as error:
        raise MissingExtra("scikit-learn", "scene") from error
    return numpy, cluster
