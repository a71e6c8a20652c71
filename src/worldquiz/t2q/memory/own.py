"""Memories of somebody else's: any object with ``add(entry)`` and ``recall(query)`` will do.

The two may be plain or `async`, and ``recall`` may return a text; ``close`` and ``shrink`` are
called where there are such methods.
"""

from __future__ import annotations

from inspect import iscoroutinefunction
from typing import Any, cast

from worldquiz.errors import CatalogError
from worldquiz.runs.given import settled
from worldquiz.t2q.memory.base import Entry, Memory, Recalled


class OwnMemory:
    """A memory made of any object that remembers."""

    def __init__(self, made: Any) -> None:
        self._made = made

    async def add(self, entry: Entry) -> None:
        """Hand what was done and seen to the object."""
        await settled(self._made.add(entry))

    async def recall(self, query: str) -> Recalled:
        """Return what the object holds to be of use."""
        found = await settled(self._made.recall(query))
        if isinstance(found, Recalled):
            return found
        if isinstance(found, str):
            return Recalled((found,) if found else ())
        kind = type(self._made).__name__
        raise TypeError(f"{kind}.recall returned {found!r}: return a text or a Recalled")

    def close(self) -> None:
        """Have the object free what it holds, if it holds anything."""
        close = getattr(self._made, "close", None)
        if close:
            close()


class ShrinkingMemory(OwnMemory):
    """One whose object can leave something out when a prompt is too long."""

    def shrink(self) -> int:
        """Return how many turns the object left out now; 0 when nothing is left to leave out."""
        return int(self._made.shrink())


def as_memory(made: object, name: str) -> Memory:
    """Return an object as a memory. Raises `CatalogError` if it lacks a method."""
    for method in ("add", "recall"):
        if not hasattr(made, method):
            kind = type(made).__name__
            raise CatalogError(
                f"memory {name!r}: {kind} is not a Memory: missing method {method!r}"
            )
    whole = all(iscoroutinefunction(getattr(made, method)) for method in ("add", "recall"))
    if whole and hasattr(made, "close"):
        return cast("Memory", made)
    return ShrinkingMemory(made) if hasattr(made, "shrink") else OwnMemory(made)
