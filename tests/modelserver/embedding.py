"""Embeddings that are cheap, real and the same everywhere: hashed words and pieces of words.

Every word and every run of three letters adds or takes 1 at a place that its checksum names; the
sum is brought to unit length. Texts that share words lie near each other.
"""

from __future__ import annotations

import base64
import math
import re
import struct
import zlib
from functools import lru_cache

DIMENSIONS = 384
_WORD = re.compile(r"\w+")


def embed(text: str, dimensions: int = DIMENSIONS) -> list[float]:
    """Return a text's vector, of unit length."""
    vector = [0.0] * dimensions
    for word in _WORD.findall(text.lower()):
        for place, weight in _features(word, dimensions):
            vector[place] += weight
    length = math.sqrt(sum(value * value for value in vector))
    if length == 0:
        return [1.0, *vector[1:]]
    return [value / length for value in vector]


@lru_cache(maxsize=65536)
def _features(word: str, dimensions: int) -> tuple[tuple[int, float], ...]:
    framed = f"<{word}>"
    pieces = [(framed, 1.0), *((framed[n : n + 3], 0.3) for n in range(len(framed) - 2))]
    found = []
    for piece, weight in pieces:
        hashed = zlib.crc32(piece.encode())
        found.append((hashed % dimensions, weight if hashed >> 16 & 1 else -weight))
    return tuple(found)


def encoded(vector: list[float]) -> str:
    """Return a vector as base64 of little-endian 32-bit floats."""
    return base64.b64encode(struct.pack(f"<{len(vector)}f", *vector)).decode()
