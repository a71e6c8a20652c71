"""What a run tells beside its result, on stderr, once: that it does something over."""

from __future__ import annotations

import sys


def notice(text: str) -> None:
    """Print a line to stderr."""
    sys.stderr.write(f"worldquiz: {text}\n")
