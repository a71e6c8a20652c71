"""A memory of your own: it keeps how each room looked first, and needs no model and no network.

    uv run python examples/own_memory.py

Its package would declare it as an entry point, and ``--memory rooms`` would find it:

    [project.entry-points."worldquiz.memories"]
    rooms = "own_memory:Rooms"
"""

from __future__ import annotations

import asyncio
import re

from worldquiz.memory import Entry, Recalled, Services, check_memory, sample

ROOM = re.compile(r"-= (?P<name>.+?) =-\n.*", re.DOTALL)


class Rooms:
    """One world's rooms, as they were described at the first visit."""

    def __init__(self, services: Services | None = None) -> None:
        self.rooms: dict[str, str] = {}

    async def add(self, entry: Entry) -> None:
        """Keep the description of a room that was not described before."""
        for _, turn in entry.turns:
            described = ROOM.search(turn.observation.text)
            if described:
                self.rooms.setdefault(described["name"], f"{described[0].strip()}\n\n")

    async def recall(self, query: str) -> Recalled:
        """Hand over the rooms that the query names, all of them where it names none."""
        named = [text for name, text in self.rooms.items() if name.lower() in query.lower()]
        return Recalled(("".join(named or self.rooms.values()),))


async def main() -> None:
    await check_memory(lambda world: Rooms())
    print("Rooms keeps all laws of a memory\n")

    memory = Rooms()
    for entry in sample("copper"):
        await memory.add(entry)
    print((await memory.recall("What is in the attic?")).text, end="")


if __name__ == "__main__":
    asyncio.run(main())
