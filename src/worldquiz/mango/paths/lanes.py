"""The hash of every path of a tree, from its parent's: lanes that never wait.

A path's text is its parent's and one edge more, so the state of the hash is kept for every path
that goes on. Paths of one length do not depend on each other: they are hashed side by side, and a
lane takes the next of them as soon as it is done with one. This module needs numba, as `sha` does.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from worldquiz.mango.paths.search import Array
from worldquiz.mango.paths.sha import LANES, START, absorb, fast, inlined

BLOCK = 16
"""How many words of four bytes the hash takes in at once."""
ROW, DONE, WHOLE, ALL = range(4)
"""What a lane has planned: a path's row (-1: none), blocks done, blocks of its text, all blocks."""


@fast
def hash_paths(parent: Array, last: Array, text: Array, begin: Array, hashes: Array) -> None:
    """Write the hash of each path, as eight words.

    `parent` is the row of each path's parent (-1: none), `last` the number of its last edge's text.
    Text `n` has ``begin[n + 1] - begin[n]`` bytes, in the words of row `n` of `text`, which end
    with two of zero.
    """
    many = parent.size
    state, rest = np.empty((many + 1, 8), np.uint32), np.zeros((many + 1, BLOCK), np.uint32)
    size = np.ones(many + 1, np.int64)
    state[many], rest[many, 0] = START, 0x5B000000  # "[", before every path: row -1
    room = (2 * BLOCK + text.shape[1]) // BLOCK * BLOCK + BLOCK
    buffer, plan = np.zeros((LANES, room), np.uint32), np.full((LANES, 4), -1)
    words, work = np.zeros(64 * LANES, np.uint32), np.zeros(8 * LANES, np.uint32)
    hashed = np.zeros(8 * LANES, np.uint32)
    order, ends = _by_length(parent)
    waiting = busy = 0
    for end in ends:
        while waiting < end or busy:
            for lane in range(LANES):
                if plan[lane, ROW] < 0 and waiting < end:
                    row = order[waiting]
                    tree = parent[row], last[row], text, begin
                    _take(row, lane, tree, (state, rest, size), (buffer, plan, hashed))
                    waiting, busy = waiting + 1, busy + 1
                _load(buffer[lane], plan[lane, DONE], words, lane)
            absorb(words, hashed, work)
            busy -= _keep(plan, hashed, state, hashes)


@inlined
def _take(row: int, lane: int, tree: Any, kept: Any, lanes: Any) -> None:
    """Begin a path in a lane, where its parent ended."""
    (above, edge, text, begin), (state, rest, size), (buffer, plan, hashed) = tree, kept, lanes
    length = begin[edge + 1] - begin[edge]
    size[row] = size[above] + length
    _spread(state[above], hashed, lane)
    _lay(rest[above], size[above], text[edge], (length >> 2) + 2, buffer[lane])
    _plan(row, size[above], size[row], buffer[lane], rest[row], plan[lane])
    if not plan[lane, WHOLE]:
        state[row] = state[above]


@inlined
def _plan(row: int, before: int, after: int, buffer: Array, rest: Array, plan: Array) -> None:
    """Plan a path's blocks, those of its text and all of them, and keep what is left of its text.

    It has `after` bytes, its parent `before`.
    """
    whole = (before & 63) + after - before >> 6
    for word in range(BLOCK):
        rest[word] = buffer[whole * BLOCK + word]
    plan[ROW], plan[DONE], plan[WHOLE] = row, 0, whole
    plan[ALL] = whole + _close(buffer, after, whole)


@inlined
def _keep(plan: Array, hashed: Array, state: Array, hashes: Array) -> int:
    """Keep what is done: the states after texts, and hashes; return how many lanes are free now."""
    freed = 0
    for lane in range(LANES):
        row = plan[lane, ROW]
        if row < 0:
            continue
        plan[lane, DONE] += 1
        if plan[lane, DONE] == plan[lane, WHOLE]:
            _gather(hashed, lane, state[row])
        if plan[lane, DONE] == plan[lane, ALL]:
            _gather(hashed, lane, hashes[row])
            plan[lane, ROW], plan[lane, DONE] = -1, 0
            freed += 1
    return freed


@fast
def _by_length(parent: Array) -> tuple[Array, Array]:
    """Return the paths' rows by length, and after how many of them each length ends."""
    length = np.zeros(parent.size + 1, np.int32)
    longest = 0
    for row in range(parent.size):
        length[row] = length[parent[row]] + 1
        longest = max(longest, length[row])
    counts = np.zeros(longest + 1, np.int64)
    for row in range(parent.size):
        counts[length[row]] += 1
    ends = np.cumsum(counts)
    place, order = ends.copy(), np.empty(parent.size, np.int32)
    for row in range(parent.size):
        level = length[row] - 1
        order[place[level]] = row
        place[level] += 1
    return order, ends[1:]


@inlined
def _lay(rest: Array, size: int, text: Array, most: int, buffer: Array) -> None:
    """Lay so many words of a text behind what its parent left unhashed, which ends anywhere."""
    buffer[:BLOCK] = rest
    buffer[BLOCK:] = 0
    start, shift = (size & 63) >> 2, np.uint64((size & 3) << 3)
    before = np.uint64(0)
    for word in range(most):
        here = np.uint64(text[word])
        buffer[start + word] |= np.uint32((before << np.uint64(32) | here) >> shift)
        before = here


@inlined
def _close(buffer: Array, size: int, whole: int) -> int:
    """Add a bracket and the padding after the last whole block; return in how many blocks."""
    used = size & 63
    _put(buffer, (whole << 6) + used, 0x5D)  # "]"
    _put(buffer, (whole << 6) + used + 1, 0x80)  # the bit after the text
    blocks = 1 if used + 2 + 8 <= 64 else 2
    end = (whole + blocks) * BLOCK
    bits = (size + 1) << 3
    buffer[end - 2], buffer[end - 1] = np.uint32(bits >> 32), np.uint32(bits & 0xFFFFFFFF)
    return blocks


@inlined
def _put(buffer: Array, at: int, byte: int) -> None:
    buffer[at >> 2] |= np.uint32(byte << (24 - ((at & 3) << 3)))


@inlined
def _load(buffer: Array, block: int, words: Array, lane: int) -> None:
    for word in range(BLOCK):
        words[word * LANES + lane] = buffer[block * BLOCK + word]


@inlined
def _spread(row: Array, hashed: Array, lane: int) -> None:
    for part in range(8):
        hashed[part * LANES + lane] = row[part]


@inlined
def _gather(hashed: Array, lane: int, row: Array) -> None:
    for part in range(8):
        row[part] = hashed[part * LANES + lane]
