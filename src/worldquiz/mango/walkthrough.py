"""Walkthroughs: steps of a game as text, and the words of a move. They know no maze."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

COMPASS = (
    ("north", "south"), ("east", "west"), ("northeast", "southwest"), ("northwest", "southeast"),
    ("up", "down"),
)  # fmt: skip
"""Directions and their opposites."""
_PAIRS = (*COMPASS, ("in", "out"), ("enter", "exit"), ("inside", "outside"))
BACK = {one: other for pair in _PAIRS for one, other in (pair, pair[::-1])}
"""Actions that lead back, by the action that leads there."""
RULE = "==========="
"""The line before each step in the published files."""


class Move(NamedTuple):
    """A move as a model, a map or a person tells it."""

    source: str
    action: str
    target: str


@dataclass(frozen=True, slots=True)
class WalkStep:
    """One step of a walkthrough."""

    number: int  # 0 is the text before any action
    action: str  # "Init" at step 0
    observation: str

    def __str__(self) -> str:
        """Return it as MANGO's files and programs show it."""
        return (
            f"==>STEP NUM: {self.number}\n==>ACT: {self.action}\n==>OBSERVATION: {self.observation}"
        )


def published(walkthrough: Sequence[WalkStep]) -> str:
    """Return steps as the published files show them."""
    return "\n".join(f"{RULE}\n{step}\n" for step in walkthrough)


def plain(name: str) -> str:
    """Return a name or an action as it is compared: whatever its case and blanks."""
    return " ".join(name.casefold().split())


def heading(line: str) -> str:
    """Return a line as a heading is compared: as `plain`, without brackets and end marks."""
    return plain(line.strip(" .:!-<>()[]*"))
