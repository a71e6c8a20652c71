"""Names for rooms and things. A name never gives a match away.

Keys draw their adjectives from a pool that doors and containers never use, so no name links a key
to its lock. Words have at most nine letters, the length to which the Z-machine cuts its dictionary,
and none is a verb, direction or preposition of the game's parser. A world larger than a theme's
stock puts numbered wings before the names ("cedar wing 2 kitchen" is room 2 of that name).
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import dataclass

from worldquiz.errors import KnobError, did_you_mean


@dataclass(frozen=True, slots=True)
class Theme:
    """The words of one setting."""

    rooms: tuple[str, ...]
    container: tuple[str, ...]
    supporter: tuple[str, ...]
    object: tuple[str, ...]
    food: tuple[str, ...]
    door: tuple[str, ...] = ("door", "gate", "hatch", "shutter")
    key: tuple[str, ...] = ("key", "passkey", "latchkey")


KEY_WORDS = (
    "brass", "tin", "copper", "silver", "nickel", "bronze", "zinc", "pewter", "cobalt", "chrome",
    "golden", "jade", "ivory", "amber", "coral", "ruby", "opal", "onyx", "topaz", "quartz",
)  # fmt: skip
THING_WORDS = (
    "red", "green", "blue", "yellow", "white", "black", "brown", "grey", "pink", "purple",
    "old", "new", "small", "big", "round", "square", "heavy", "dusty", "shiny", "plain",
    "striped", "spotted", "curved", "narrow", "wide", "thin", "faded", "painted", "carved", "rough",
)  # fmt: skip
WINGS = ("cedar", "maple", "birch", "willow", "aspen", "hazel", "linden", "poplar", "rowan", "elm")

THEMES = {
    "house": Theme(
        rooms=(
            "kitchen", "pantry", "parlour", "study", "attic", "cellar", "bedroom", "bathroom",
            "hallway", "library", "nursery", "laundry", "garage", "sauna", "workshop", "balcony",
            "lounge", "office", "veranda", "scullery", "cloakroom", "studio", "playroom", "vault",
        ),
        container=("chest", "trunk", "crate", "locker", "box", "cabinet", "safe", "basket"),
        supporter=("table", "shelf", "bench", "desk", "counter", "stand", "rack", "stool"),
        object=("lamp", "book", "hat", "candle", "mirror", "vase", "clock", "glove", "spoon",
                "ball", "brush", "coin", "scarf", "bell", "mug"),
        food=("apple", "pear", "cookie", "muffin", "carrot", "banana", "sandwich", "cheese",
              "potato", "plum"),
    ),
    "ship": Theme(
        rooms=(
            "bridge", "galley", "berth", "infirmary", "armory", "reactor", "airlock", "cockpit",
            "cargo bay", "mess hall", "chartroom", "boiler", "wardroom", "storeroom", "crow nest",
            "brig", "salon", "sickbay", "sail loft", "pump room", "radio room", "bunkroom",
            "laundry", "foredeck",
        ),
        container=("chest", "locker", "crate", "barrel", "case", "bin", "coffer", "drum"),
        supporter=("table", "shelf", "bench", "bunk", "console", "rack", "stool", "ledge"),
        object=("rope", "compass", "lantern", "flag", "anchor", "map", "wrench", "bucket",
                "whistle", "hook", "glove", "coin", "pipe", "helmet", "net"),
        food=("biscuit", "apple", "herring", "lemon", "onion", "bread", "cheese", "plum",
              "turnip", "sausage"),
    ),
}  # fmt: skip


def theme_named(name: str) -> Theme:
    """Return a theme. Raises `KnobError` with the nearest name."""
    if name not in THEMES:
        raise KnobError(f"no theme {name!r}{did_you_mean(name, THEMES)}")
    return THEMES[name]


class Namer:
    """Hands out names of one world, each once."""

    def __init__(self, theme: Theme, rng: random.Random) -> None:
        self._rng = rng
        self._stock = {"room": self._rooms(theme.rooms)}
        for kind in ("container", "supporter", "object", "food", "door"):
            self._stock[kind] = self._things(THING_WORDS, getattr(theme, kind))
        self._stock["key"] = self._things(KEY_WORDS, theme.key)
        self._used: set[str] = set()

    def take(self, kind: str) -> str:
        """Return a new name for an entity of this kind."""
        name = next(name for name in self._stock[kind] if name not in self._used)
        self._used.add(name)
        return name

    def lookalike(self, name: str) -> str | None:
        """Return a new name with the noun of another, None if every such name is taken."""
        noun = name.rpartition(" ")[2]
        names = [f"{word} {noun}" for word in self._rng.sample(THING_WORDS, len(THING_WORDS))]
        free = next((other for other in names if other not in self._used), None)
        if free is not None:
            self._used.add(free)
        return free

    def _rooms(self, names: tuple[str, ...]) -> Iterator[str]:
        yield from self._rng.sample(names, len(names))
        number = 1
        while True:
            for wing in WINGS:
                for name in names:
                    yield f"{wing} {name}" if number == 1 else f"{wing} wing {number} {name}"
            number += 1

    def _things(self, words: tuple[str, ...], nouns: tuple[str, ...]) -> Iterator[str]:
        pairs = [f"{word} {noun}" for word in words for noun in nouns]
        yield from self._rng.sample(pairs, len(pairs))
        number = 2
        while True:
            yield from (f"{pair} {number}" for pair in pairs)
            number += 1
