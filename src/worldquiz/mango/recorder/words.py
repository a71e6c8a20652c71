"""Parsing for the recorder: commands of a walkthrough, and titles in a game's text.

Abbreviated commands are written out, and reverses of directions are known. A room's name is the
first line printed by ``look``, if that line looks like a title: short, and not a sentence. For
games that print no titles, the caller uses the object's own name.
"""

from __future__ import annotations

import re
from itertools import pairwise

from worldquiz.mango.walkthrough import BACK, LETTERS, both_ways

_SHORT = {**LETTERS, "l": "look", "i": "inventory", "x": "examine", "z": "wait"}
_BRIEF = {long: short for short, long in _SHORT.items()}
_OPPOSITE = BACK | both_ways(
    ("fore", "aft"), ("port", "starboard"), ("left", "right"), ("ahead", "back"),
    ("forward", "backward"), ("upstairs", "downstairs"), ("climb", "climb down"),
    ("climb up", "climb down"),
)  # fmt: skip
_GO = ("go", "walk", "run")
_BACK = (
    (r"(?:enter|go into) (.+)", ("exit", "out")),
    (r"(?:exit|leave) (.+)", (r"enter \1",)),
    (r"climb (?:up|over) (.+)", (r"climb down \1", "down")),
    (r"climb down (.+)", (r"climb up \1", r"climb \1", "up")),
    (r"climb (.+)", (r"climb down \1", "down")),
    (r"((?:go|walk|crawl|climb) through|cross|swim across) (.+)", (r"\1 \2",)),
)
"""Commands that may undo one that is not a direction, most likely first."""
NEUTRAL = "qxzzq"
"""A word unknown to every game: it takes no turn, but ends a pause that waits for a key."""
_PROMPT = re.compile(r"\n>[^\n]*\Z")
_DECORATION = re.compile(r"^[\s\-=<>*\[\]~_|]+|[\s\-=<>*\[\]~_|]+$")
_INSIDE = re.compile(r"(?:\s*\(|,\s*)((?:in|on|inside|aboard)\s[^()]+?)\)?$", re.IGNORECASE)
_STATUS = re.compile(
    r"(?<=\w)(?:\s*\(|,\s*)(?:you(?:'re| are)|as|stand on|"
    r"(?:carry|float|fly|hold|kneel|ly|provid|sitt|stand|wear)ing)\b[^()]*\)?$",
    re.IGNORECASE,
)
"""Text after a title about the player's state, not the place: ``(you are flying)``."""
_PAUSE = re.compile(
    r"(?:\b(?:press|hit|strike|push)\s(?:\S+\s){0,3}?\S*(key|return|enter|space)\b[^.\n]{0,30}|"
    r"\[(?:any|more)\b[^.\n]{0,30})\W*\Z",
    re.IGNORECASE,
)
_YOU_ARE = re.compile(r"^you(?:'re| are)(?: now| standing)* ", re.IGNORECASE)
_SENTENCE = re.compile(r"(?:you(?:'re)?|it is|it's|there (?:is|are)|this is) ", re.IGNORECASE)
_LONGEST = 70
_TOO_DARK = re.compile(r"pitch[- ](?:black|dark)|too dark to|it is (?:now )?dark")
_LAST_WORDS = 250
"""Last characters of a text in which an ended game may ask whether to restart."""
_DARK = frozenset(
    {"dark", "darkness", "in the dark", "in darkness", "it is pitch black", "the dark"}
)


def spelled(action: str) -> str:
    """Return a command in lower case, its first word and final direction not abbreviated."""
    first, *rest = action.lower().split() or [""]
    last = _SHORT.get(rest[-1], "") if rest else ""
    if last in _OPPOSITE:
        rest[-1] = last
    return " ".join([_SHORT.get(first, first), *rest])


def direction(action: str) -> str | None:
    """Return the direction in a command that `spelled` returned, None if there is none."""
    first, _, rest = action.partition(" ")
    bare = rest if first in _GO else action
    return bare if bare in _OPPOSITE else None


def typed(action: str, command: str) -> str:
    """Return an action as the player would type it: short if the player's command was short.

    Some games accept only the short words.
    """
    return _BRIEF.get(action, action) if command.lower() in _SHORT else action


def reverses(action: str) -> tuple[str, ...]:
    """Return the commands that may undo a command from `spelled`, most likely first.

    These are only proposals: each is tried in the game.
    """
    way = direction(action)
    if way is not None:
        return (f"{action[: len(action) - len(way)]}{_OPPOSITE[way]}",)
    for pattern, back in _BACK:
        match = re.fullmatch(pattern, action)
        if match:
            return tuple(match.expand(form) for form in back)
    return ()


def cleaned(text: str) -> str:
    """Return an observation without prompt and status bar; a carriage return ends a line."""
    plain = text.replace("\r\n", "\n").replace("\r", "\n")
    return _PROMPT.sub("", plain).strip("\n")


def asked_key(text: str) -> str | None:
    """Return the key to type if a text ends by asking for a key, None if it does not."""
    found = _PAUSE.search(text)
    return None if found is None else " " if (found[1] or "").lower() == "space" else ""


def title(look: str) -> str | None:
    """Return the title of the room that a look describes, None if there is no title.

    A line that continues on the next line is prose wrapped by the game, not a title.
    """
    for line, following in pairwise((*look.split("\n"), "")):
        if any(char.isalnum() for char in line):
            return None if following.lstrip()[:1].islower() else _as_title(line)
    return None


def label(look: str) -> str | None:
    """Return the label that identifies a place by its text: title, or else opening sentence.

    The label of ``You are at a crossroads. …`` is *at a crossroads*. None if nothing is printed.
    """
    name = title(look)
    if name is not None:
        return name
    flat = re.sub(r"\s+", " ", look).strip()
    opening = re.split(r"(?<=[.!?])\s", flat)[0].rstrip(".!?")
    return _YOU_ARE.sub("", opening) or None


def _as_title(line: str) -> str | None:
    bare = _DECORATION.sub("", line)
    if not bare or len(bare) > _LONGEST or not any(char.isalpha() for char in bare):
        return None
    long = [word for word in re.findall(r"[A-Za-z']+", bare) if len(word) > 3]
    capital = bool(long) and all(word[0].isupper() for word in long)
    if line.rstrip(" )]")[-1:] in ".!?:;," and not capital:  # with capitals it may
        return None
    return None if bare[0].islower() or _SENTENCE.match(bare) else _STATUS.sub("", bare)


def dark(name: str) -> bool:
    """Return whether a title or label only says that nothing can be seen."""
    plain = name.lower().rstrip(".!")
    return plain in _DARK or bool(_TOO_DARK.search(plain))


def printed(name: str, text: str) -> bool:
    """Return whether a text contains a place's name as whole words, ignoring case."""
    pattern = rf"(?<!\w){re.escape(name)}(?!\w)"
    return re.search(pattern, re.sub(r"\s+", " ", text), re.IGNORECASE) is not None


def arrival(look: str, text: str) -> bool:
    """Return whether a text shows the place that a look describes, by its heading if it has one."""
    name, heading = label(look), title(look)
    if name is None or heading is None:
        return name is not None and printed(name, text)
    lines = (_STATUS.sub("", _DECORATION.sub("", line)).lower() for line in text.split("\n"))
    return heading.lower() in lines


def asks_restart(text: str) -> bool:
    """Return whether a text ends by asking to restart, restore or quit, so the game is over."""
    last = text[-_LAST_WORDS:].lower()
    return "restart" in last and ("restore" in last or "quit" in last)


def seat(name: str) -> str | None:
    """Return the vehicle or seat in a title, without its article, None if there is none.

    It is ``boat`` for ``Beach, in the boat``.
    """
    match = _INSIDE.search(name)
    if match is None or match.start() == 0:
        return None
    return re.sub(r"^\S+\s+(?:(?:the|an?|your)\s+)?", "", match[1], flags=re.IGNORECASE)
