"""Depth-first searches over simple paths, as plain loops that numba turns into machine code.

Each step of such a search *is* one path: its parent's path and one edge more. So nothing is copied
while searching, and a search that only counts writes nothing at all. Edges are sorted by source:
those that leave place `p` are ``first[p]`` to ``first[p + 1] - 1``. No function recurses, and none
is compiled before it is first called; the machine code is kept on disk for the next process.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any

from worldquiz.errors import MissingExtra

Array = Any
"""A NumPy array: numpy is imported only where it is used."""


@cache
def compiled(function: Callable[..., Any]) -> Callable[..., Any]:
    """Return the machine code of one of this module's searches. Raises `MissingExtra`."""
    try:
        import numba
    except ImportError as error:
        raise MissingExtra("numba", "mango") from error
    made: Callable[..., Any] = numba.njit(cache=True)(function)
    return made


def tally(
    source: int, first: Array, target: Array, label: Array, limit: int, most: int,
    to: Array, lengths: Array, here: Array, turn: Array, worst: Array, busy: Array,
) -> int:  # fmt: skip
    """Count the simple paths from a place, or return -1 once there are more than `most`.

    Adds them up in ``to[target]`` and in ``lengths[hard, length]``; a path is hard (1) if the
    largest label of its edges is beyond the limit. The last four arrays are room to work in.
    """
    depth, found = 0, 0
    here[0], turn[0], worst[0], busy[source] = source, first[source], 0, True
    while depth >= 0:
        edge = turn[depth]
        if edge == first[here[depth] + 1]:
            busy[here[depth]] = False
            depth -= 1
            continue
        turn[depth] = edge + 1
        place = target[edge]
        if busy[place]:
            continue
        found += 1
        if found > most:
            return -1
        high = max(worst[depth], label[edge])
        depth += 1
        to[place] += 1
        lengths[1 if high > limit else 0, depth] += 1
        here[depth], turn[depth], worst[depth], busy[place] = place, first[place], high, True
    return found


def burden(
    source: int, first: Array, target: Array, label: Array, limit: int, most: int,
    found: Array, here: Array, turn: Array, load: Array, busy: Array,
) -> int:  # fmt: skip
    """Count the simple paths from a place, or return -1 once there are more than `most`.

    Adds them up in ``found[late, length]``, `late` being how many edges of a path have a label
    beyond the limit. The last four arrays are room to work in.
    """
    depth, every = 0, 0
    here[0], turn[0], load[0], busy[source] = source, first[source], 0, True
    while depth >= 0:
        edge = turn[depth]
        if edge == first[here[depth] + 1]:
            busy[here[depth]] = False
            depth -= 1
            continue
        turn[depth] = edge + 1
        place = target[edge]
        if busy[place]:
            continue
        every += 1
        if every > most:
            return -1
        late = load[depth] + (1 if label[edge] > limit else 0)
        depth += 1
        found[late, depth] += 1
        here[depth], turn[depth], load[depth], busy[place] = place, first[place], late, True
    return every


def grow(
    source: int, first: Array, target: Array,
    parent: Array, last: Array, here: Array, turn: Array, row: Array, busy: Array,
) -> int:  # fmt: skip
    """Write the simple paths from a place: the row of each one's parent (-1: none), its last edge.

    A parent stands before its children, and all paths through a row follow it in one piece.
    """
    depth, found = 0, 0
    here[0], turn[0], row[0], busy[source] = source, first[source], -1, True
    while depth >= 0:
        edge = turn[depth]
        if edge == first[here[depth] + 1]:
            busy[here[depth]] = False
            depth -= 1
            continue
        turn[depth] = edge + 1
        place = target[edge]
        if busy[place]:
            continue
        parent[found], last[found] = row[depth], edge
        depth += 1
        here[depth], turn[depth], row[depth], busy[place] = place, first[place], found, True
        found += 1
    return found


def pick(
    source: int, first: Array, target: Array, label: Array, limit: int,
    passed: Array, ranks: Array, offset: Array, taken: Array,
    out: Array, here: Array, turn: Array, worst: Array, busy: Array,
) -> None:  # fmt: skip
    """Copy out chosen paths from a place: of each stratum those of the ranks that are wanted.

    Stratum ``hard * places + length``. ``passed`` counts how many of it went by (over all sources),
    ``ranks[offset[stratum]:offset[stratum + 1]]`` are its wanted ranks in order, ``taken`` how many
    of them are copied. A copy is the edges of the path, ended by -1.
    """
    depth, places = 0, first.size - 1
    here[0], turn[0], worst[0], busy[source] = source, first[source], 0, True
    while depth >= 0:
        edge = turn[depth]
        if edge == first[here[depth] + 1]:
            busy[here[depth]] = False
            depth -= 1
            continue
        turn[depth] = edge + 1
        place = target[edge]
        if busy[place]:
            continue
        high = max(worst[depth], label[edge])
        depth += 1
        here[depth], turn[depth], worst[depth], busy[place] = place, first[place], high, True
        stratum = depth + (places if high > limit else 0)
        wanted = offset[stratum] + taken[stratum]
        if wanted < offset[stratum + 1] and ranks[wanted] == passed[stratum]:
            for step in range(depth):
                out[wanted, step] = turn[step] - 1
            out[wanted, depth] = -1
            taken[stratum] += 1
        passed[stratum] += 1


def spread(parent: Array, last: Array, label: Array, length: Array, high: Array) -> None:
    """Fill in each path's length and the largest label of its edges, from its parent's."""
    for row in range(parent.size):
        above = parent[row]
        edge = last[row]
        if above < 0:
            length[row] = 1
            for kind in range(label.shape[0]):
                high[kind, row] = label[kind, edge]
        else:
            length[row] = length[above] + 1
            for kind in range(label.shape[0]):
                high[kind, row] = max(high[kind, above], label[kind, edge])
