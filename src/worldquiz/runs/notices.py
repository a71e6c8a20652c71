"""What runs tell their users beside the result: how to go on, and that something is done over."""

from __future__ import annotations

import sys

AGAIN = "give the same command again to go on"
KEPT = f"what is done is kept: {AGAIN}"


def notice(text: str) -> None:
    """Print a line to stderr."""
    sys.stderr.write(f"worldquiz: {text}\n")
