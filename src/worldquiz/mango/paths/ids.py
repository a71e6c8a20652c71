"""The official ids of many paths at once.

An id is the SHA-256 of a path's JSON. The bytes of a child are its parent's and one edge more, so
the hash of a child goes on from a copy of its parent's.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Sequence
from typing import Any

from worldquiz.mango.maze.maze import Edge
from worldquiz.mango.paths.search import Array

ID_BYTES = 32


def step(edge: Edge) -> dict[str, str]:
    """Return what of an edge goes into an id."""
    return {"prev_node": edge.source, "node": edge.target, "action": edge.action}


def path_id(path: Iterable[Edge]) -> str:
    """Return the official id of a path."""
    return _sha256([step(edge) for edge in path])


def pair_id(source: str, target: str) -> str:
    """Return the official id of a pair of places."""
    return _sha256({"src_node": source, "dst_node": target})


def path_ids(edges: Sequence[Edge], parent: Sequence[int], last: Sequence[int]) -> bytes:
    """Return the ids of the paths of a tree, `ID_BYTES` bytes each, one after another.

    `parent` is the row of each path's parent (-1: none), `last` the number of its last edge. Rows
    are in depth-first order: all paths through a row follow it in one piece.
    """
    encode = json.JSONEncoder(sort_keys=True).encode
    texts = [encode(step(edge)).encode() for edge in edges]
    longer = [b", " + text for text in texts]
    open_paths = [(-1, hashlib.sha256(b"["))]
    digests = []
    for row, (above, edge) in enumerate(zip(parent, last, strict=True)):
        while open_paths[-1][0] != above:
            open_paths.pop()
        state = open_paths[-1][1].copy()
        state.update(texts[edge] if above < 0 else longer[edge])
        open_paths.append((row, state))
        whole = state.copy()
        whole.update(b"]")
        digests.append(whole.digest())
    return b"".join(digests)


def ids_of(array: Any) -> Array:
    """Return an arrow array of 32 bytes each as rows."""
    import numpy

    data = numpy.frombuffer(array.buffers()[1], "uint8").reshape(-1, ID_BYTES)
    return data[array.offset : array.offset + len(array)]


def _sha256(value: object) -> str:
    return hashlib.sha256(json.dumps(value, sort_keys=True).encode()).hexdigest()
