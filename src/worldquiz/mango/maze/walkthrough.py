"""What a reader of a walkthrough is given: its steps as text, and the names of directions."""

from __future__ import annotations

from dataclasses import dataclass

COMPASS = (
    ("north", "south"), ("east", "west"), ("northeast", "southwest"), ("northwest", "southeast"),
    ("up", "down"),
)  # fmt: skip
"""Directions and their opposites."""
_PAIRS = (*COMPASS, ("in", "out"), ("enter", "exit"), ("inside", "outside"))
BACK = {one: other for pair in _PAIRS for one, other in (pair, pair[::-1])}
"""Actions that lead back, by the action that leads there."""


@dataclass(frozen=True, slots=True)
class WalkStep:
    """One step of a walkthrough."""

    number: int  # 0 is the text before any action
    action: str  # "Init" at step 0
    observation: str


def plain(name: str) -> str:
    """Return a name or an action as it is compared: whatever its case and blanks."""
    return " ".join(name.casefold().split())


def heading(line: str) -> str:
    """Return a line as a heading is compared: as `plain`, without brackets and end marks."""
    return plain(line.strip(" .:!-<>()[]*"))
