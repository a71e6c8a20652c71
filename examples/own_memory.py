"""Your own memory: it keeps the first description of each room, without model or network.

    uv run python examples/own_memory.py

If its package declares it as an entry point, ``--memory rooms`` finds it:

    [project.entry-points."worldquiz.memories"]
    rooms = "own_memory:Rooms"
"""

from __future__ import annotations

import asyncio
import re

from worldquiz.memory import Entry, Services, check_memory, sample

ROOM = re.compile(r"-= (?P<name>.+?) =-\n.*", re.DOTALL)


class Rooms:
    """The rooms of one world, as described at the first visit."""

    def __init__(self, services: Services | None = None) -> None:
        self.rooms: dict[str, str] = {}

    async def add(self, entry: Entry) -> None:
        """Keep the description of each new room."""
        for _, turn in entry.turns:
            described = ROOM.search(turn.observation.text)
            if described:
                self.rooms.setdefault(described["name"], f"{described[0].strip()}\n\n")

    async def recall(self, query: str) -> str:
        """Return the rooms that the query names, or all rooms if it names none."""
        named = [text for name, text in self.rooms.items() if name.lower() in query.lower()]
        return "".join(named or self.rooms.values())


async def main() -> None:
    await check_memory(lambda world: Rooms())
    print("Rooms keeps all laws of a memory\n")

    memory = Rooms()
    for entry in sample("copper"):
        await memory.add(entry)
    print(await memory.recall("What is in the attic?"), end="")


if __name__ == "__main__":
    asyncio.run(main())
