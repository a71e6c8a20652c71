"""Reading what the player asked for, where the game's reply does not say it.

"You unlock the gate." names no key, and a new room's heading no direction: the player's own words
do. Whatever was ambiguous or out of sight the game refused, so a plain reading is enough.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

_WAYS = {"n": "north", "e": "east", "s": "south", "w": "west"}
_WAYS |= {way: way for way in _WAYS.values()}
_FILLER = {"the", "a", "an", "my", "some", "to", "through", "into"}
_GOING = {"go", "walk", "move", "head", "run", "travel", "enter", "pass"}
_LOCKING = re.compile(r"(?P<verb>unlock|lock) (?P<noun>.+?) (?:with|using) (?P<second>.+)")
_NAMED = re.compile(r"(?:open|close|shut|eat|consume|examine|x) (?P<noun>.+)")


@dataclass(frozen=True, slots=True)
class Wish:
    """What a command asked for, as far as the map needs to know."""

    verb: str = ""  # go, lock, unlock, or empty for any other
    way: str | None = None
    noun: str | None = None
    second: str | None = None


def read_action(action: str, in_sight: Iterable[str], doors: Mapping[str, str]) -> Wish:
    """Read a command given where `in_sight` can be named and `doors` (door -> direction) hang."""
    plain = " ".join(action.strip().strip("\"'`>").lower().split()).rstrip(".! ")
    words = plain.split()
    if not words:
        return Wish()
    if words[0] in _GOING or plain in _WAYS:
        return Wish("go", way=_way(words, doors))
    names = sorted(in_sight)
    match = _LOCKING.fullmatch(plain)
    if match:
        noun, second = _resolve(match["noun"], names), _resolve(match["second"], names)
        return Wish(match["verb"], noun=noun, second=second)
    match = _NAMED.fullmatch(plain)
    return Wish(noun=_resolve(match["noun"], names)) if match else Wish()


def _way(words: list[str], doors: Mapping[str, str]) -> str | None:
    rest = [word for word in words if word not in _FILLER | _GOING]
    if len(rest) == 1 and rest[0] in _WAYS:
        return _WAYS[rest[0]]
    door = _resolve(" ".join(rest), sorted(doors))
    return doors[door] if door else None


def _resolve(words: str, names: list[str]) -> str | None:
    """Return the one name that the words give, in full or in part."""
    wanted = [word for word in words.split() if word not in _FILLER]
    if " ".join(wanted) in names:
        return " ".join(wanted)
    found = [name for name in names if wanted and set(wanted) <= set(name.split())]
    return found[0] if len(found) == 1 else None
