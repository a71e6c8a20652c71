"""Random number generators by name, so that the use of one never changes another's numbers.

`child(seed, *names)` hashes the seed and the names into a fresh generator: the numbers of
``child(7, "quiz", "easy-03")`` are the same in every process, whatever was drawn before. Do not
use ``Random(seed + i)``: runs with neighbouring seeds would share numbers.
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
