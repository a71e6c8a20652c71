"""Which tasks are alike: every pair is looked at, but nothing is multiplied twice.

Tasks share views, labels and often commands, so each modality has far fewer rows than tasks. The
products of a block of those rows with all others are made by BLAS; a pair of tasks then costs one
look-up for each modality.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from worldquiz.extras import need

np = need("numpy", extra="scene")
sparse = need("scipy.sparse", extra="scene")
Array = Any
"""A NumPy array."""
ROOM = 1 << 24
"""Similarities that are held at once: 64 MiB of 32-bit floats."""
ROUNDING = 1e-6
"""What two cosines may differ by and still be equal: they depend on how a machine adds."""


def above(modalities: Sequence[Any], threshold: float) -> Array:
    """Return the pairs whose mean similarity is above a threshold, as (m, 2) 32-bit numbers."""
    sizes = {each.shape[0] for each in modalities}
    if len(sizes) != 1:
        raise ValueError(f"modalities of {sorted(sizes)} tasks: give each every task's vector")
    size = sizes.pop()
    parts = [distinct(each) for each in modalities]
    limit = np.float32((threshold + ROUNDING) * len(parts))
    index = np.stack([places for _, places in parts])
    step = max(16, ROOM // max(1, size))
    rows = [rows for rows, _ in parts]
    blocks = (_block(rows, index, start, step, limit) for start in range(0, size, step))
    return np.concatenate([np.empty((0, 2), "int32"), *blocks])


def distinct(vectors: Any) -> tuple[Array, Array]:
    """Return the rows that differ, and for each task which of them is its own."""
    if sparse.issparse(vectors):
        return _distinct_sparse(vectors)
    rows = np.ascontiguousarray(vectors, "float32") + np.float32(0)  # no minus zero
    keys = rows.view([("", f"V{rows.shape[1] * rows.itemsize}")]).ravel()
    _, first, places = np.unique(keys, return_index=True, return_inverse=True)
    return rows[first], places.astype("int32")


def _distinct_sparse(vectors: Any) -> tuple[Array, Array]:
    matrix = vectors.tocsr().astype("float32")
    matrix.sum_duplicates()
    seen: dict[bytes, int] = {}
    first: list[int] = []
    places = np.empty(matrix.shape[0], "int32")
    for row, (start, stop) in enumerate(zip(matrix.indptr, matrix.indptr[1:], strict=False)):
        key = matrix.indices[start:stop].tobytes() + matrix.data[start:stop].tobytes()
        if key not in seen:
            seen[key] = len(first)
            first.append(row)
        places[row] = seen[key]
    return matrix[first].toarray(), places


def _block(rows: Sequence[Array], index: Array, start: int, step: int, limit: Any) -> Array:
    """Return the pairs whose lower number is in a block."""
    total = np.float32(0)
    for each, places in zip(rows, index, strict=True):
        own, local = np.unique(places[start : start + step], return_inverse=True)
        total = total + (each[own] @ each.T).take(places[start:], axis=1)[local]
    lower, higher = np.nonzero(total > limit)
    later = higher > lower
    return (np.stack([lower[later], higher[later]], axis=1) + start).astype("int32")
