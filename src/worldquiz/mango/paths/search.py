"""Depth-first searches over simple paths, as plain loops that numba turns into machine code.

Each step of such a search *is* one path: its parent's path and one edge more. So nothing is copied
while searching, and a search that only counts writes nothing at all. All searches walk by `onward`,
and each says what it does with the path that it has come to. Edges are sorted by source: those that
leave place `p` are ``first[p]`` to ``first[p + 1] - 1``. No function recurses, and none is compiled
before it is first called; the machine code is kept on disk for the next process.

While a path of some length is walked, ``here[depth]`` is the place after so many of its edges,
``turn[depth]`` the edge to try next from there, and ``busy`` marks its places; ``note[depth]`` is
what the search itself keeps of the path so far. These arrays are `Net.room`, made once.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any

from worldquiz.extras import need

Array = Any
"""A NumPy array: numpy is imported only where it is used."""


@cache
def _numba() -> Any:
    """Return numba, which knows that the searches call `onward`."""
    numba = need("numba", extra="mango")
    numba.extending.register_jitable(onward)
    return numba


@cache
def compiled(function: Callable[..., Any]) -> Callable[..., Any]:
    """Return the machine code of one of this module's searches. Raises `MissingExtra`."""
    made: Callable[..., Any] = _numba().njit(cache=True)(function)
    return made


def onward(length: int, first: Array, target: Array, here: Array, turn: Array, busy: Array) -> int:
    """Walk on from a path to the next one, and return its length in edges; 0: there is none more.

    The path of length 0 is its start alone.
    """
    while length >= 0:
        edge = turn[length]
        if edge == first[here[length] + 1]:
            busy[here[length]] = False
            length -= 1
            continue
        turn[length] = edge + 1
        place = target[edge]
        if not busy[place]:
            length += 1
            here[length], turn[length], busy[place] = place, first[place], True
            return length
    return 0


def tally(
    source: int, first: Array, target: Array, late: Array, most: int, to: Array, lengths: Array,
    here: Array, turn: Array, note: Array, busy: Array,
) -> int:  # fmt: skip
    """Count the simple paths from a place, or return -1 once there are more than `most`.

    Adds them up in ``to[target]`` and in ``lengths[late, length]``, where a path's `late` is how
    many of its edges are.
    """
    here[0], turn[0], note[0], busy[source] = source, first[source], 0, True
    found, length = 0, onward(0, first, target, here, turn, busy)
    while length:
        found += 1
        if found > most:
            return -1
        note[length] = note[length - 1] + late[turn[length - 1] - 1]
        to[here[length]] += 1
        lengths[note[length], length] += 1
        length = onward(length, first, target, here, turn, busy)
    return found


def ends(
    source: int, first: Array, target: Array, most: int, to: Array,
    here: Array, turn: Array, note: Array, busy: Array,
) -> int:  # fmt: skip
    """Count where the simple paths from a place end, or return -1 with more than `most` of them.

    Adds them up in ``to[length, target]``.
    """
    here[0], turn[0], busy[source] = source, first[source], True
    found, length = 0, onward(0, first, target, here, turn, busy)
    while length:
        found += 1
        if found > most:
            return -1
        to[length, here[length]] += 1
        length = onward(length, first, target, here, turn, busy)
    return found


def grow(
    source: int, first: Array, target: Array, parent: Array, last: Array,
    here: Array, turn: Array, note: Array, busy: Array,
) -> int:  # fmt: skip
    """Write the simple paths from a place: the row of each one's parent (-1: none), its last edge.

    A parent stands before its children, and all paths through a row follow it in one piece.
    """
    here[0], turn[0], note[0], busy[source] = source, first[source], -1, True
    found, length = 0, onward(0, first, target, here, turn, busy)
    while length:
        parent[found], last[found] = note[length - 1], turn[length - 1] - 1
        note[length] = found
        found += 1
        length = onward(length, first, target, here, turn, busy)
    return found


def pick(
    source: int, first: Array, target: Array, late: Array,
    passed: Array, ranks: Array, offset: Array, taken: Array, out: Array,
    here: Array, turn: Array, note: Array, busy: Array,
) -> None:  # fmt: skip
    """Copy out chosen paths from a place: of each stratum those of the ranks that are wanted.

    Stratum ``length``, and ``places + length`` for paths with a late edge. ``passed`` counts how
    many of it went by (over all sources), ``ranks[offset[stratum]:offset[stratum + 1]]`` are its
    wanted ranks in order, ``taken`` how many of them are copied. A copy is the edges of the path,
    ended by -1.
    """
    here[0], turn[0], note[0], busy[source] = source, first[source], 0, True
    places, length = first.size - 1, onward(0, first, target, here, turn, busy)
    while length:
        note[length] = note[length - 1] + late[turn[length - 1] - 1]
        stratum = length + (places if note[length] else 0)
        wanted = offset[stratum] + taken[stratum]
        if wanted < offset[stratum + 1] and ranks[wanted] == passed[stratum]:
            for step in range(length):
                out[wanted, step] = turn[step] - 1
            out[wanted, length] = -1
            taken[stratum] += 1
        passed[stratum] += 1
        length = onward(length, first, target, here, turn, busy)


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
