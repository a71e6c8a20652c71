"""Commands as a recorder reads them: abbreviations written out, directions and their reverses."""

from __future__ import annotations

import re

from worldquiz.model.maze import COMPASS

_SHORT = {
    "n": "north", "s": "south", "e": "east", "w": "west",
    "ne": "northeast", "nw": "northwest", "se": "southeast", "sw": "southwest",
    "u": "up", "d": "down", "l": "look", "i": "inventory", "x": "examine", "z": "wait",
}  # fmt: skip
_PAIRS = (
    *COMPASS, ("in", "out"), ("enter", "exit"), ("fore", "aft"), ("port", "starboard"),
    ("left", "right"), ("ahead", "back"), ("forward", "backward"), ("inside", "outside"),
    ("upstairs", "downstairs"), ("climb", "climb down"), ("climb up", "climb down"),
)  # fmt: skip
_OPPOSITE = {
    **{second: first for first, second in _PAIRS},
    **{first: second for first, second in _PAIRS},
}
_GO = ("go", "walk", "run")
_BACK = (
    (r"(?:enter|go into) (.+)", ("exit", "out")),
    (r"(?:exit|leave) (.+)", (r"enter \1",)),
    (r"climb (?:up|over) (.+)", (r"climb down \1", "down")),
    (r"climb down (.+)", (r"climb up \1", r"climb \1", "up")),
    (r"climb (.+)", (r"climb down \1", "down")),
    (r"((?:go|walk|crawl|climb) through|cross|swim across) (.+)", (r"\1 \2",)),
)
"""What may undo a command that is no direction, most likely first."""
AGAIN = ("g", "again")


def spelled(action: str) -> str:
    """Return a command in lower case with its first word written out."""
    first, *rest = action.lower().split() or [""]
    return " ".join([_SHORT.get(first, first), *rest])


def direction(action: str) -> str | None:
    """Return the direction of a spelled command, None where it names none."""
    first, _, rest = action.partition(" ")
    bare = rest if first in _GO else action
    return bare if bare in _OPPOSITE else None


def reverses(action: str) -> tuple[str, ...]:
    """Return the commands that may undo a spelled one, most likely first.

    They are mere proposals: each is tried in the game.
    """
    way = direction(action)
    if way is not None:
        return (f"{action[: len(action) - len(way)]}{_OPPOSITE[way]}",)
    for pattern, back in _BACK:
        match = re.fullmatch(pattern, action)
        if match:
            return tuple(match.expand(form) for form in back)
    return ()
