"""The directions of the game, and how rooms lie on a grid; x grows to the east, y to the north."""

from __future__ import annotations

STEP = {"north": (0, 1), "east": (1, 0), "south": (0, -1), "west": (-1, 0)}
"""Where the next room lies in each direction."""
DIRECTIONS = tuple(STEP)
OPPOSITE = {"north": "south", "south": "north", "east": "west", "west": "east"}
COMPASS = ("north", "north-east", "east", "south-east", "south", "south-west", "west", "north-west")
