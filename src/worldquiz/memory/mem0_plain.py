"""The library mem0 with one search: what it finds is ranked by likeness of meaning alone.

That is what `mem0` does as well where neither spaCy's model of English nor fastembed is installed.
"""

from __future__ import annotations

from worldquiz.memory import mem0


def features() -> dict[str, str]:
    """Return mem0's version and which of its optional parts work; runs record it."""
    off = dict.fromkeys(("entities", "keywords"), "off: ranked by meaning alone")
    return {name: off.get(name, told) for name, told in mem0.features().items()}


class Mem0Plain(mem0.Mem0):
    """What mem0 remembers of one world, found by meaning alone."""

    plain = True
