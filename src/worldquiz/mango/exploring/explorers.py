"""Who explores without a model: lower and upper bounds, and a systematic explorer.

An agent is any object with a method ``act(text: str) -> str | None``, sync or async: it is given
what the game says, and returns the next command, or None to stop. If it also has a method
``answer(prompt: str) -> str``, it answers the questions about its trajectory itself.

    class Northward:
        def act(self, text: str) -> str | None:
            return "north"
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from worldquiz import rng
from worldquiz.mango.maze.recorder.words import title
from worldquiz.mango.maze.walkthrough import BACK, COMPASS
from worldquiz.plugins import Catalogue

CATALOGUE = Catalogue(
    "explorer",
    "worldquiz.mango.explorers",
    {name: f"{__name__}:{name.title()}" for name in ("frontier", "idle", "random", "walkthrough")},
)
"""The explorers by name, and those of installed packages."""
WALKTHROUGH = "walkthrough"
WAYS = tuple(way for pair in COMPASS for way in pair)
"""The directions: those of the compass, up and down."""
_SHUT = re.compile(r"\bopen (?:the )?([\w' -]+?)(?: first)?[.!]", re.IGNORECASE)


class Idle:
    """Stops at once."""

    def act(self, text: str) -> str | None:
        """Stop."""
        return None


class Random:
    """Goes in a random direction each time."""

    def __init__(self, seed: int) -> None:
        self._draw = rng.child(seed, "random explorer")

    def act(self, text: str) -> str:
        """Return a direction."""
        return self._draw.choice(WAYS)


class Walkthrough:
    """Gives the commands that are known to lead through the game."""

    def __init__(self, walkthrough: Sequence[str]) -> None:
        self._left: Iterator[str] = iter(walkthrough)

    def act(self, text: str) -> str | None:
        """Return the next command; stop after the last."""
        return next(self._left, None)


class Frontier:
    """Tries every direction at every place, nearest first, and opens what is in the way.

    Directions that a place's text names come first, and the way back, which it takes for granted,
    comes last. Places are told apart by their titles: namesakes are one place to it.
    """

    def __init__(self) -> None:
        self._ways: dict[str, dict[str, str]] = {}  # where directions lead, by place
        self._left: dict[str, list[list[str]]] = {}  # directions to try, the likeliest first
        self._here: str | None = None
        self._last = ""  # the direction that was tried last
        self._opened: set[tuple[str, str]] = set()
        self._opening = self._looked = False

    def act(self, text: str) -> str | None:
        """Return the next command; stop where nothing is left to try, or looking tells no title."""
        if self._opening:  # now what is in the way may be open
            self._opening = False
            return self._last
        place = title(text)
        if place is not None:
            self._arrive(place, text)
        elif self._here is not None and (thing := self._shut(text)):
            self._opening = True
            return f"open {thing}"
        elif self._here is not None:
            self._ways[self._here].pop(self._last, None)
            self._tick(self._here)
        elif not self._looked:
            self._looked = True
            return "look"
        self._last = "" if self._here is None else self._next(self._here)
        return self._last or None

    def _arrive(self, place: str, text: str) -> None:
        """Note where the last direction led."""
        before, way = self._here, self._last
        if place not in self._left:
            said = set(re.findall(r"[a-z]+", text.lower()))
            back = BACK.get(way)
            told = [one for one in WAYS if one in said and one != back]
            others = [one for one in WAYS if one not in told and one != back]
            self._left[place] = [told, others, [back] if back else []]
            self._ways[place] = {back: before} if back and before is not None else {}
        if before is not None and way:
            self._ways[before][way] = place
            self._tick(before)
        self._here = place

    def _shut(self, text: str) -> str | None:
        """Return what is to be opened first, if a direction was refused for that, once."""
        match, at = _SHUT.search(text), (self._here or "", self._last)
        if match is None or at in self._opened:
            return None
        self._opened.add(at)
        return match[1].lower()

    def _tick(self, place: str) -> None:
        for rank in self._left[place]:
            if self._last in rank:
                rank.remove(self._last)

    def _next(self, here: str) -> str:
        """Return the first move towards what is to be tried next; "" where nothing is left."""
        first = {here: ""}
        queue = [here]
        for place in queue:  # it grows as it is walked
            for way, other in self._ways[place].items():
                if other not in first:
                    first[other] = first[place] or way
                    queue.append(other)
        for rank in range(3):
            for place in queue:
                if self._left[place][rank]:
                    return first[place] or self._left[place][rank][0]
        return ""
