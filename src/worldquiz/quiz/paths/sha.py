"""SHA-256 of many texts side by side (FIPS 180-4, section 6.2).

Step for step every text is treated alike, so the innermost loops run over texts, and a compiler
turns them into vector instructions. This module needs numba, and is imported where ids are wanted;
nothing is compiled before it is called.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable
from typing import Any, TypeVar, cast

import numpy as np

from worldquiz.errors import MissingExtra
from worldquiz.quiz.paths.search import Array

try:
    import numba
except ImportError as error:
    raise MissingExtra("numba", "mango") from error

F = TypeVar("F", bound=Callable[..., Any])
LANES = 64
"""How many texts a bundle has: enough to fill a processor's widest registers."""


def _primes(many: int) -> list[int]:
    found: list[int] = []
    number = 2
    while len(found) < many:
        if all(number % prime for prime in found):
            found.append(number)
        number += 1
    return found


def _fractions(roots: Iterable[float]) -> Array:
    """Return the first 32 bits after the point of each number."""
    return np.array([int(root % 1 * 2**32) for root in roots], "uint32")


START: Array = _fractions(map(math.sqrt, _primes(8)))
"""The hash of nothing yet."""
KEY: Array = _fractions(map(math.cbrt, _primes(64)))


def _fast(function: F) -> F:
    return cast("F", numba.njit(cache=True)(function))


@_fast
def absorb(texts: Array, blocks: Array, state: Array) -> None:
    """Hash the first blocks of each row of words, as many as it says, into its state.

    Texts of as many blocks go together, as a bundle takes as long as its longest.
    """
    words, work = np.zeros((64, LANES), np.uint32), np.zeros((8, LANES), np.uint32)
    hashed, order = np.zeros((8, LANES), np.uint32), _by_size(blocks)
    for start in range(0, blocks.size, LANES):
        rows = order[start : start + LANES]
        _take(state, rows, 0, hashed)
        for block in range(blocks[rows[-1]]):
            _take(texts, rows, 16 * block, words)
            _expand(words)
            _mix(words, hashed, work)
            for lane in range(rows.size):
                if block < blocks[rows[lane]]:  # what the others hold is of no meaning
                    for part in range(8):
                        hashed[part, lane] += work[part, lane]
        for lane in range(rows.size):
            for part in range(8):
                state[rows[lane], part] = hashed[part, lane]


@_fast
def _by_size(blocks: Array) -> Array:
    """Return the rows by their number of blocks, which is small."""
    order = np.empty(blocks.size, np.int64)
    at = 0
    for size in range(blocks.max() + 1):
        for row in range(blocks.size):
            if blocks[row] == size:
                order[at] = row
                at += 1
    return order


@_fast
def _take(table: Array, rows: Array, start: int, columns: Array) -> None:
    """Copy 16 words (or as many as there are) of some rows to the first columns."""
    for lane in range(rows.size):
        for word in range(min(16, columns.shape[0])):
            columns[word, lane] = table[rows[lane], start + word]


@_fast
def _turned(word: Any, bits: int) -> Any:
    """Rotate a word to the right."""
    return (word >> np.uint32(bits)) | (word << np.uint32(32 - bits))


@_fast
def _expand(words: Array) -> None:
    """Make 64 words of 16."""
    for row in range(16, 64):
        for lane in range(LANES):
            a, b = words[row - 15, lane], words[row - 2, lane]
            small = _turned(a, 7) ^ _turned(a, 18) ^ (a >> np.uint32(3))
            large = _turned(b, 17) ^ _turned(b, 19) ^ (b >> np.uint32(10))
            words[row, lane] = words[row - 16, lane] + small + words[row - 7, lane] + large


@_fast
def _mix(words: Array, hashed: Array, work: Array) -> None:
    """Run the 64 rounds; instead of handing eight variables on, their rows change names."""
    work[:] = hashed
    for turn in range(64):
        a, b, c, d = -turn & 7, 1 - turn & 7, 2 - turn & 7, 3 - turn & 7
        e, f, g, h = 4 - turn & 7, 5 - turn & 7, 6 - turn & 7, 7 - turn & 7
        for lane in range(LANES):
            low, high = work[e, lane], work[a, lane]
            mixed = _turned(low, 6) ^ _turned(low, 11) ^ _turned(low, 25)
            chosen = work[g, lane] ^ (low & (work[f, lane] ^ work[g, lane]))
            added = work[h, lane] + mixed + chosen + KEY[turn] + words[turn, lane]
            mixed = _turned(high, 2) ^ _turned(high, 13) ^ _turned(high, 22)
            most = (high & work[b, lane]) | (work[c, lane] & (high | work[b, lane]))
            work[d, lane] += added
            work[h, lane] = added + mixed + most
