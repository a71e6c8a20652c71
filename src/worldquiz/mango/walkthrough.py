"""Walkthroughs: the steps of a game as text, and moves and directions as words."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple


def both_ways(*pairs: tuple[str, str]) -> dict[str, str]:
    """Return a dictionary from each member of a pair to the other member."""
    return {one: other for pair in pairs for one, other in (pair, pair[::-1])}


COMPASS = both_ways(
    ("north", "south"), ("east", "west"), ("northeast", "southwest"), ("northwest", "southeast"),
    ("up", "down"),
)  # fmt: skip
"""Directions, up and down, each with its opposite."""
BACK = COMPASS | both_ways(("in", "out"), ("enter", "exit"), ("inside", "outside"))
"""Actions that lead back, by the action that leads there."""
LETTERS = {
    "n": "north", "s": "south", "e": "east", "w": "west", "u": "up", "d": "down",
    "ne": "northeast", "nw": "northwest", "se": "southeast", "sw": "southwest",
}  # fmt: skip
"""Directions by their short words."""
AGAIN = ("g", "again")
"""Commands that repeat the previous command."""
RULE = "==========="
"""The line before each step in the published files."""


class Move(NamedTuple):
    """A move as stated by a model, a map or a person."""

    source: str
    action: str
    target: str


def told_as(source: str, action: str, target: str) -> dict[str, str]:
    """Return a move as a dictionary with the keys of MANGO's prompts."""
    return {"prev_node": source, "node": target, "action": action}


@dataclass(frozen=True, slots=True)
class WalkStep:
    """One step of a walkthrough."""

    number: int  # 0 is the text before any action
    action: str  # "Init" at step 0
    observation: str


def published(walkthrough: Sequence[WalkStep]) -> str:
    """Return steps as MANGO's files and programs show them."""
    return "\n".join(
        f"{RULE}\n==>STEP NUM: {step.number}\n==>ACT: {step.action}\n"
        f"==>OBSERVATION: {step.observation}\n"
        for step in walkthrough
    )


def plain(name: str) -> str:
    """Return a name or an action normalized for comparison, ignoring case and extra blanks."""
    return " ".join(name.casefold().split())


def heading(line: str) -> str:
    """Return a heading normalized for comparison: as `plain`, without brackets and end marks."""
    return plain(line.strip(" .:!-<>()[]*"))
