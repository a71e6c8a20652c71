"""Directions and distances in the game, on a grid where x grows to the east, y to the north."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable

STEP = {"north": (0, 1), "east": (1, 0), "south": (0, -1), "west": (-1, 0)}
"""Where the next room lies in each direction."""
DIRECTIONS = tuple(STEP)
OPPOSITE = {"north": "south", "south": "north", "east": "west", "west": "east"}
COMPASS = ("north", "north-east", "east", "south-east", "south", "south-west", "west", "north-west")


def distances(steps: Iterable[tuple[str, str]], target: str) -> dict[str, int]:
    """Return the number of steps from each room to the target, as if all doors were open."""
    into: dict[str, list[str]] = defaultdict(list)
    for room, other in steps:
        into[other].append(room)
    found = {target: 0}
    for room in (queue := [target]):
        for other in into[room]:
            if other not in found:
                found[other] = found[room] + 1
                queue.append(other)
    return found
