"""User messages about resuming and retrying."""

from __future__ import annotations

import sys

AGAIN = "give the same command again to go on"
KEPT = f"what is done is kept: {AGAIN}"


def notice(text: str) -> None:
    """Print a line to stderr."""
    sys.stderr.write(f"worldquiz: {text}\n")
