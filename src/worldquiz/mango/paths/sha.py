"""SHA-256 of many texts side by side (FIPS 180-4, section 6.2).

Every text is treated alike, so the innermost loops run over texts, one in each *lane*, and a
compiler turns them into vector instructions. This module needs numba, and is imported where ids are
wanted; nothing is compiled before it is called.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable
from typing import Any, TypeVar, cast

import numpy as np

from worldquiz.errors import MissingExtra
from worldquiz.mango.paths.search import Array

try:
    import numba
except ImportError as error:
    raise MissingExtra("numba", "mango") from error

F = TypeVar("F", bound=Callable[..., Any])
LANES = 32
"""How many texts are hashed at once: enough to fill a processor's widest registers."""


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


def fast(function: F) -> F:
    """Have a function compiled when it is first called; other threads may run meanwhile."""
    return cast("F", numba.njit(cache=True, nogil=True)(function))


def inlined(function: F) -> F:
    """Have a function compiled into those that call it."""
    return cast("F", numba.njit(inline="always")(function))


@fast
def absorb(words: Array, hashed: Array, work: Array) -> None:
    """Hash a block of each lane: the first 16 rows of `words`, into the 8 rows of `hashed`.

    Rows are of `LANES` numbers, one after another. The other 48 rows of `words`, and the 8 of
    `work`, are room to work in.
    """
    for row in range(16, 64):
        _expand(words, row * LANES)
    for at in range(8 * LANES):
        work[at] = hashed[at]
    for turn in range(0, 64, 8):
        _mix(words[turn * LANES : (turn + 8) * LANES], KEY[turn : turn + 8], work)
    for at in range(8 * LANES):
        hashed[at] += work[at]


@fast
def _expand(words: Array, row: int) -> None:
    """Make a word of those before it."""
    for at in range(row, row + LANES):
        a, b = words[at - 15 * LANES], words[at - 2 * LANES]
        small = _turned(a, 7) ^ _turned(a, 18) ^ (a >> np.uint32(3))
        large = _turned(b, 17) ^ _turned(b, 19) ^ (b >> np.uint32(10))
        words[at] = words[at - 16 * LANES] + small + words[at - 7 * LANES] + large


@fast
def _mix(words: Array, key: Array, work: Array) -> None:
    """Run 8 rounds; instead of handing its eight variables on, a round changes their names."""
    for at in range(LANES):
        a, b, c, d = work[at], work[at + LANES], work[at + 2 * LANES], work[at + 3 * LANES]
        e, f, g, h = (
            work[at + 4 * LANES],
            work[at + 5 * LANES],
            work[at + 6 * LANES],
            work[at + 7 * LANES],
        )
        d, h = _round(a, b, c, d, e, f, g, h, words[at], key[0])
        c, g = _round(h, a, b, c, d, e, f, g, words[at + LANES], key[1])
        b, f = _round(g, h, a, b, c, d, e, f, words[at + 2 * LANES], key[2])
        a, e = _round(f, g, h, a, b, c, d, e, words[at + 3 * LANES], key[3])
        h, d = _round(e, f, g, h, a, b, c, d, words[at + 4 * LANES], key[4])
        g, c = _round(d, e, f, g, h, a, b, c, words[at + 5 * LANES], key[5])
        f, b = _round(c, d, e, f, g, h, a, b, words[at + 6 * LANES], key[6])
        e, a = _round(b, c, d, e, f, g, h, a, words[at + 7 * LANES], key[7])
        work[at], work[at + LANES], work[at + 2 * LANES], work[at + 3 * LANES] = a, b, c, d
        work[at + 4 * LANES], work[at + 5 * LANES] = e, f
        work[at + 6 * LANES], work[at + 7 * LANES] = g, h


@inlined
def _round(
    a: Any, b: Any, c: Any, d: Any, e: Any, f: Any, g: Any, h: Any, word: Any, key: Any
) -> tuple[Any, Any]:
    """Return what becomes of the fourth and the eighth variable."""
    first = h + (_turned(e, 6) ^ _turned(e, 11) ^ _turned(e, 25)) + (g ^ (e & (f ^ g))) + word + key
    second = (_turned(a, 2) ^ _turned(a, 13) ^ _turned(a, 22)) + ((a & b) | (c & (a | b)))
    first = np.uint32(first)
    return np.uint32(d + first), np.uint32(first + np.uint32(second))


@inlined
def _turned(word: Any, bits: int) -> Any:
    """Rotate a word to the right."""
    return np.uint32(word >> np.uint32(bits)) | np.uint32(word << np.uint32(32 - bits))
