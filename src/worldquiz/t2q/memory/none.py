"""No memory at all: the floor of every comparison between memories.

What an agent with this memory knows, it has from the last turns that every agent is shown.
"""

from __future__ import annotations

from worldquiz.t2q.memory.base import Entry, Recalled, Services


class Nothing:
    """Remembers nothing."""

    def __init__(self, services: Services | None = None) -> None:
        """Take the services that every memory is given, and use none."""

    async def add(self, entry: Entry) -> None:
        """Forget it."""

    async def recall(self, query: str) -> Recalled:
        """Return nothing."""
        return Recalled()

    def close(self) -> None:
        """Do nothing."""
