"""Randomness is split by name, so that one stream never shifts another.

`child(seed, *names)` hashes the seed and the names into a fresh generator: the stream for
``child(7, "quiz", "easy-03")`` is the same in every process, whatever was drawn before it. Do not
use ``Random(seed + i)``: neighbouring seeds would share streams.
"""

from __future__ import annotations

import hashlib
import random


def child_seed(seed: int, *names: str | int) -> int:
    """Return a 64-bit seed that depends on `seed` and on every name, in order."""
    text = "\x1f".join(str(part) for part in (seed, *names))
    return int.from_bytes(hashlib.sha256(text.encode()).digest()[:8], "big")


def child(seed: int, *names: str | int) -> random.Random:
    """Return a new random generator that depends on the seed and the names alone."""
    return random.Random(child_seed(seed, *names))
