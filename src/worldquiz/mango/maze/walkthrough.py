"""What a reader of a walkthrough is given: its steps as text, and the names of directions."""

from __future__ import annotations

from dataclasses import dataclass

COMPASS = (
    ("north", "south"), ("east", "west"), ("northeast", "southwest"), ("northwest", "southeast"),
    ("up", "down"),
)  # fmt: skip
"""Directions and their opposites."""


@dataclass(frozen=True, slots=True)
class WalkStep:
    """One step of a walkthrough."""

    number: int  # 0 is the text before any action
    action: str  # "Init" at step 0
    observation: str
