"""The extra that asking and scoring MANGO's questions needs."""

from __future__ import annotations

from importlib.util import find_spec

from worldquiz.errors import MissingExtra


def require() -> None:
    """Raise `MissingExtra` unless questions can be drawn and answers scored. Imports nothing."""
    for library in ("numpy", "numba", "rapidfuzz"):
        if find_spec(library) is None:
            raise MissingExtra(library, "mango")
