"""Commands as a recorder reads them: abbreviations written out, directions and their reverses."""

from __future__ import annotations

import re
from enum import StrEnum

from worldquiz.mango.maze.walkthrough import COMPASS

_SHORT = {
    "n": "north", "s": "south", "e": "east", "w": "west",
    "ne": "northeast", "nw": "northwest", "se": "southeast", "sw": "southwest",
    "u": "up", "d": "down", "l": "look", "i": "inventory", "x": "examine", "z": "wait",
}  # fmt: skip
_BRIEF = {long: short for short, long in _SHORT.items()}
_PAIRS = (
    *COMPASS, ("in", "out"), ("enter", "exit"), ("fore", "aft"), ("port", "starboard"),
    ("left", "right"), ("ahead", "back"), ("forward", "backward"), ("inside", "outside"),
    ("upstairs", "downstairs"), ("climb", "climb down"), ("climb up", "climb down"),
)  # fmt: skip
_OPPOSITE = {
    **{second: first for first, second in _PAIRS},
    **{first: second for first, second in _PAIRS},
}
_COMPASS = frozenset(way for pair in COMPASS for way in pair)
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
NEUTRAL = "qxzzq"
"""No game knows this word: it takes no turn, but it ends a pause that waits for a key."""


class Reverses(StrEnum):
    """Which reverses of moves count as moves, once the game has confirmed them."""

    COMPASS = "compass"  # of compass moves, up and down: all that MANGO's published maps hold
    ANY = "any"  # of others too, like exit for enter (the paper, appendix A.3)

    def allow(self, action: str, back: str) -> bool:
        """Tell whether a spelled action may be undone by another in a maze."""
        return self is Reverses.ANY or {action, back} <= _COMPASS


def spelled(action: str) -> str:
    """Return a command in lower case, its first word and a direction at its end written out."""
    first, *rest = action.lower().split() or [""]
    last = _SHORT.get(rest[-1], "") if rest else ""
    if last in _OPPOSITE:
        rest[-1] = last
    return " ".join([_SHORT.get(first, first), *rest])


def direction(action: str) -> str | None:
    """Return the direction of a spelled command, None where it names none."""
    first, _, rest = action.partition(" ")
    bare = rest if first in _GO else action
    return bare if bare in _OPPOSITE else None


def typed(action: str, command: str) -> str:
    """Return a spelled action as a player types it who has typed a command: short, if that was.

    Some games know only the short words.
    """
    return _BRIEF.get(action, action) if command.lower() in _SHORT else action


def axis(action: str) -> str | None:
    """Return a name that a spelled direction and its opposite share, None for what is none."""
    way = direction(action)
    return None if way is None else min(way, _OPPOSITE[way])


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
