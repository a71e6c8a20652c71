"""The official ids of many paths at once.

An id is the SHA-256 of a path's JSON, as bytes of which a child's are its parent's and one edge
more. So the state of the hash is kept for each path, and a path adds only its last edge to its
parent's. Paths of one length do not depend on each other: they are hashed side by side.
"""

from __future__ import annotations

import hashlib
import json
import sys
from collections.abc import Iterable
from typing import Any, NamedTuple

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


class Texts(NamedTuple):
    """What edges add to the text that is hashed, twice: behind other edges, and as the first."""

    words: Array  # a row each, its bytes four to a number
    begin: Array  # where each begins among the bytes of all


def texts_of(edges: Iterable[Edge]) -> Texts:
    """Return the texts of edges, as `path_ids` wants them."""
    import numpy

    encode = json.JSONEncoder(sort_keys=True).encode
    behind = [b", " + encode(step(edge)).encode() for edge in edges]
    texts = behind + [text.removeprefix(b", ") for text in behind]
    width = max(map(len, texts), default=0) // 4 + 3
    words = numpy.frombuffer(b"".join(text.ljust(4 * width, b"\0") for text in texts), ">u4")
    begin = numpy.cumsum([0, *map(len, texts)], dtype="int64")
    return Texts(words.astype("uint32").reshape(-1, width), begin)


def path_ids(texts: Texts, parent: Array, last: Array) -> Array:
    """Return the id of each path of a tree, a row of 32 bytes each.

    `parent` is the row of each path's parent (-1: none), `last` its last edge's number among the
    edges. Other threads may run meanwhile.
    """
    import numpy

    from worldquiz.mango.paths.lanes import hash_paths

    hashes = numpy.empty((len(parent), ID_BYTES // 4), "uint32")
    first = numpy.int32(len(texts.words) // 2)
    numbers = numpy.where(parent < 0, last + first, last)
    hash_paths(parent, numbers, texts.words, texts.begin, hashes)
    return hashes.byteswap(inplace=sys.byteorder == "little").view("uint8")


def ids_of(array: Any) -> Array:
    """Return an arrow array of 32 bytes each as rows."""
    import numpy

    data = numpy.frombuffer(array.buffers()[1], "uint8").reshape(-1, ID_BYTES)
    return data[array.offset : array.offset + len(array)]


def _sha256(value: object) -> str:
    return hashlib.sha256(json.dumps(value, sort_keys=True).encode()).hexdigest()
