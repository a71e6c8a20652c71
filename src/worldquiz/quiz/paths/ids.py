"""The official ids of many paths at once.

An id is the SHA-256 of a path's JSON, as bytes of which a child's are its parent's and one edge
more. So the state of the hash is kept for each path, and a path adds only its last edge to its
parent's. Paths of one length do not depend on each other: they are hashed side by side.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable
from typing import Any

from worldquiz.model.maze import Edge
from worldquiz.quiz.paths.search import Array, compiled

ID_BYTES = 32
BLOCK = 64
"""How many bytes the hash takes in at once."""


def step(edge: Edge) -> dict[str, str]:
    """Return what of an edge goes into an id."""
    return {"prev_node": edge.source, "node": edge.target, "action": edge.action}


def path_id(path: Iterable[Edge]) -> str:
    """Return the official id of a path."""
    return _sha256([step(edge) for edge in path])


def pair_id(source: str, target: str) -> str:
    """Return the official id of a pair of places."""
    return _sha256({"src_node": source, "dst_node": target})


def path_ids(edges: Iterable[Edge], parent: Array, last: Array, length: Array) -> Array:
    """Return the id of each path of a tree, a row of 32 bytes each.

    `parent` is the row of each path's parent (-1: none), `last` its last edge's number among the
    edges, `length` how many it has.
    """
    import numpy

    texts = [b", " + json.dumps(step(edge), sort_keys=True).encode() for edge in edges]
    text = numpy.frombuffer(b"".join(texts), "uint8")
    begin = numpy.cumsum([0, *map(len, texts)], dtype="int64")
    longest = max(map(len, texts), default=0)
    room = (BLOCK + longest) // BLOCK * BLOCK + BLOCK
    ids = numpy.empty((len(parent), ID_BYTES), "uint8")
    place = numpy.empty(len(parent), "int64")  # of each row among those of its length
    order = numpy.argsort(length.astype("int16"), kind="stable")
    level = _start()
    ends = numpy.cumsum(numpy.bincount(length)[1:])
    for number, rows in enumerate(numpy.split(order, ends[:-1]) if len(order) else ()):
        place[rows] = numpy.arange(len(rows))
        above = place[parent[rows]] if number else numpy.zeros(len(rows), "int64")
        cut = 0 if number else 2
        level, ids[rows] = _next(level, above, last[rows], (text, begin, cut), room)
    return ids


def ids_of(array: Any) -> Array:
    """Return an arrow array of 32 bytes each as rows."""
    import numpy

    data = numpy.frombuffer(array.buffers()[1], "uint8").reshape(-1, ID_BYTES)
    return data[array.offset : array.offset + len(array)]


Level = tuple[Array, Array, Array]
"""Of each path of one length: the hash so far, the bytes not yet hashed, and how many came so far.
"""


def _start() -> Level:
    """Return the state after an opening bracket."""
    import numpy

    from worldquiz.quiz.paths.sha import START

    rest = numpy.zeros((1, BLOCK), "uint8")
    rest[0, 0] = ord("[")
    return START.reshape(1, 8), rest, numpy.ones(1, "int64")


def _next(
    level: Level, above: Array, last: Array, texts: tuple[Array, Array, int], room: int
) -> tuple[Level, Array]:
    """Return the state of the paths one edge longer, and their ids."""
    import numpy

    from worldquiz.quiz.paths import sha

    state, rest, size = level
    many = len(above)
    buffer, blocks = numpy.zeros((many, room), "uint8"), numpy.empty(many, "int64")
    longer, left = numpy.empty(many, "int64"), numpy.zeros((many, BLOCK), "uint8")
    compiled(join)(above, last, *texts, rest, size, buffer, blocks, longer)
    state = state[above]
    sha.absorb(_words(buffer), blocks, state)
    end, ended = numpy.zeros((many, 2 * BLOCK), "uint8"), state.copy()
    compiled(close)(buffer, blocks, longer, left, end)
    sha.absorb(_words(end), blocks, ended)
    return (state, left, longer), ended.astype(">u4").view("uint8")


def _words(rows: Array) -> Array:
    """Return rows of bytes as numbers of four, the first byte weighing most."""
    return rows.view(">u4").astype("uint32")


def join(
    above: Array, last: Array, text: Array, begin: Array, cut: int, rest: Array, size: Array,
    buffer: Array, blocks: Array, longer: Array,
) -> None:  # fmt: skip
    """Lay the parent's unhashed bytes and the last edge's text side by side, for each path."""
    for row in range(above.size):
        parent = above[row]
        used = size[parent] & 63
        buffer[row, :used] = rest[parent, :used]
        start, end = begin[last[row]] + cut, begin[last[row] + 1]
        added = end - start
        buffer[row, used : used + added] = text[start:end]
        longer[row] = size[parent] + added
        blocks[row] = (used + added) >> 6


def close(buffer: Array, blocks: Array, longer: Array, left: Array, end: Array) -> None:
    """Keep what is left after the whole blocks, and add a bracket and the padding to a copy.

    From here on `blocks` counts those of the copies.
    """
    for row in range(blocks.size):
        used, start = longer[row] & 63, blocks[row] << 6
        left[row, :used] = buffer[row, start : start + used]
        end[row, :used] = left[row, :used]
        end[row, used], end[row, used + 1] = 93, 128  # "]", and the bit after the text
        blocks[row] = 1 if used + 2 + 8 <= 64 else 2
        bits = (longer[row] + 1) << 3
        for byte in range(8):
            end[row, (blocks[row] << 6) - 1 - byte] = (bits >> (8 * byte)) & 255


def _sha256(value: object) -> str:
    return hashlib.sha256(json.dumps(value, sort_keys=True).encode()).hexdigest()
