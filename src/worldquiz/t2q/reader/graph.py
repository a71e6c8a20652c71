"""Map of a world's initial state, from its text and from six laws.

The six laws that every quiz states hold (`facts.question.LAWS`, and by their numbers here): a
thing is in one place only (1), a door in the two rooms that it joins; a passage leads back the way
it came (2) and has one door or none, the same from both of its rooms (3); a key fits one lock at
most, and a lock takes one key (4); an open thing is not locked (5); a key fits only what was
locked (6). Nothing else is inferred: no geometry, no habit of a generator. Each answer is True,
False or, where the text does not settle it, None.

A name's noun tells what kind of thing it stands for (`category`): common sense, not a fact of a
world.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from worldquiz.facts.fact import DIRECTIONS, OPPOSITE

NOWHERE = "nowhere"
STEP = {"north": (0, 1), "east": (1, 0), "south": (0, -1), "west": (-1, 0)}

KEYS = frozenset({"key", "passkey", "latchkey"})
_FOODS = """
apple apricot bacon bagel banana bean berry biscuit bread broccoli bun burger butter cabbage
cake candy carrot cereal cheese cherry chicken chocolate cookie corn cracker cucumber doughnut
egg fig fish garlic grape ham herring honey jam leek lemon lettuce lime loaf mango meat melon
muffin mushroom noodle nut oat olive onion orange pancake pasta peach peanut pear pepper pie
pineapple pizza plum popcorn potato pretzel prune pudding radish raisin rice roll salad salmon
sandwich sausage soup spinach steak stew sugar tart toast tomato tuna turnip waffle walnut yam
"""
FOODS = frozenset(_FOODS.split())


@dataclass(slots=True)
class Graph:
    """A map that grows. Rooms in `exits`, and spots in `contents`, are known completely."""

    exits: dict[str, dict[str, str | None]] = field(default_factory=dict)  # room -> way -> door
    ways: dict[str, dict[str, str]] = field(default_factory=dict)  # room -> way -> room, as learned
    kinds: dict[str, str] = field(default_factory=dict)  # container, supporter or door
    place: dict[str, str] = field(default_factory=dict)  # thing -> room or holder
    contents: dict[str, frozenset[str]] = field(default_factory=dict)  # room or holder -> things
    lids: dict[str, bool] = field(default_factory=dict)  # stood open
    locks: dict[str, bool] = field(default_factory=dict)  # was locked
    fits: dict[str, str] = field(default_factory=dict)  # key -> lock
    unfit: set[tuple[str, str]] = field(default_factory=set)  # keys and locks tried in vain
    edible: dict[str, bool] = field(default_factory=dict)  # where it was tried, or said

    def walk(self, room: str, way: str, other: str) -> None:
        """Take note of a passage, which leads back the way it came (law 2)."""
        self.ways.setdefault(room, {})[way] = other
        self.ways.setdefault(other, {})[OPPOSITE[way]] = room

    def list_spot(self, spot: str, things: frozenset[str]) -> None:
        """Take note of all that was directly in or on a holder, or in a room."""
        self.contents.setdefault(spot, things)
        for thing in things:
            self.place.setdefault(thing, spot)

    def things_at(self, spot: str) -> list[str]:
        """Return what is known to have been directly in a spot, by name."""
        placed = (thing for thing, place in self.place.items() if place == spot)
        return sorted({*placed, *self.contents.get(spot, ())})

    def ends(self, door: str) -> list[str]:
        """Return the rooms, two at most, in which a door was seen."""
        return [room for room, exits in self.exits.items() if door in exits.values()]

    def where(self, thing: str) -> str | None:
        """Return where a thing was: a holder or room; for a door one of its rooms."""
        return next(iter(self.ends(thing)), self.place.get(thing))

    def was_at(self, thing: str, spot: str) -> bool | None:
        """Tell whether a thing was directly in, on or on the floor of a spot (law 1)."""
        ends = self.ends(thing)
        if spot in ends or len(ends) == 2:
            return spot in ends
        if thing in self.place:
            return self.place[thing] == spot
        return False if spot in self.contents else None

    def leads(self, room: str, way: str, other: str) -> bool | None:
        """Tell whether a room's exit leads to another room."""
        here, there = self._behind(room, way), self._behind(other, OPPOSITE[way])
        if here == other or there == room:
            return True
        unknown = here is None and there is None
        return None if unknown and self._may_be_one(room, way, other) else False

    def behind(self, room: str, way: str) -> str | None:
        """Return the room behind an exit: walked to, or where its door was seen as well (law 3)."""
        door = self.exits.get(room, {}).get(way)
        twins = [end for end in self.ends(door) if end != room] if door else []
        return self.ways.get(room, {}).get(way, next(iter(twins), None))

    def _behind(self, room: str, way: str) -> str | None:
        """Return the room behind an exit, `NOWHERE` where there is no exit, None if unknown."""
        if room in self.exits and way not in self.exits[room]:
            return NOWHERE
        return self.behind(room, way)

    def _may_be_one(self, room: str, way: str, other: str) -> bool:
        """Tell whether two exits, as far as seen, have the same door or both none (law 3)."""
        if room not in self.exits or other not in self.exits:
            return True
        return self.exits[room].get(way) == self.exits[other].get(OPPOSITE[way])

    def adjacent(self, room: str, other: str) -> bool | None:
        """Tell whether a passage joins two rooms."""
        found = {self.leads(room, way, other) for way in DIRECTIONS}
        return True if True in found else None if None in found else False

    def offset(self, room: str, other: str) -> tuple[int, int] | None:
        """Return steps east and north from one room to another along known passages."""
        cells = {room: (0, 0)}
        queue = [room]
        for here in queue:
            for way, (east, north) in STEP.items():
                there = self.behind(here, way)
                if there is not None and there not in cells:
                    cells[there] = (cells[here][0] + east, cells[here][1] + north)
                    queue.append(there)
        return cells.get(other)

    def matches(self, key: str, lock: str) -> bool | None:
        """Tell whether a key fits a lock (laws 4 and 6)."""
        if key in self.fits:
            return self.fits[key] == lock
        known = lock in self.fits.values() or (key, lock) in self.unfit
        return False if known or self.locked(lock) is False else None

    def locked(self, thing: str) -> bool | None:
        """Tell whether a door or container was locked (law 5)."""
        return False if self.lids.get(thing) else self.locks.get(thing)

    def opened(self, thing: str) -> bool | None:
        """Tell whether a door or container stood open (law 5)."""
        return False if self.locks.get(thing) else self.lids.get(thing)

    def category(self, thing: str) -> str:
        """Return what kind of portable thing it is: by tasting if it was tried, else by noun."""
        kind = category(thing)
        match self.edible.get(thing):
            case True:
                return "food"
            case False if kind == "food":
                return "object"
        return kind


def category(name: str) -> str:
    """Return ``key``, ``food`` or ``object`` for a thing that can be carried.

    Its noun tells, the last word of its name, numbers left out: "old book 2" is a book.
    """
    noun = next((word for word in reversed(name.split()) if not word.isdigit()), name)
    return "key" if noun in KEYS else "food" if noun in FOODS else "object"
