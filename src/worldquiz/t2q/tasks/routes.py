"""Routes: a walk and the actions done on it, before they are written out as commands.

A find counts as made as soon as the player passes by and could make it. Its command is paid for
only when it turns out to be needed, and is then written at the first passing. Finds that must be
paid for at once are left to the caller.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from worldquiz.facts.fact import Fact
from worldquiz.t2q.tasks.closure import Finds, Reached
from worldquiz.t2q.tasks.layout import Charge, Exit, Find, affordable, each


class Site(NamedTuple):
    """A room in which a goal can be reached by paying one of the charges."""

    room: int
    charges: tuple[Charge, ...]


class Aim(NamedTuple):
    """A goal in a planner's terms."""

    goal: Fact
    sites: tuple[Site, ...]
    finds: Finds  # all that can be taken, the goal's target included
    must: Charge  # actions that no plan can do without
    best: tuple[Reached, int]  # the most promising site: how to get there, and its room


class Route(NamedTuple):
    """Exits taken in turn, and all actions done on the way."""

    exits: tuple[Exit, ...]
    done: Charge

    @property
    def cost(self) -> int:
        """Commands, but for the one that turns what is carried into the goal (put, insert, eat)."""
        return len(self.exits) + self.done.bit_count()


class Floor:
    """The finds worth noticing, by room."""

    def __init__(self, wanted: Charge, finds: Finds, finding: Charge) -> None:
        """Notice the `wanted` among all that there is to find (`finding`)."""
        self.wanted = wanted
        self._passing: dict[int, list[tuple[Charge, Charge]]] = defaultdict(list)
        self._choices: dict[int, list[Find]] = defaultdict(list)
        for bit in each(wanted):
            find = finds[bit].find
            if find.at_once:
                self._choices[find.room].append(find)
            else:
                keys = find.charges[0] & finding & ~bit
                self._passing[find.room].append((bit, keys))

    def passed(self, room: int, missing: Charge) -> Charge:
        """Return what is still missing after passing through a room."""
        if room not in self._passing:
            return missing
        before = None
        while before != missing:
            before = missing
            for bit, keys in self._passing[room]:
                if bit & missing and not keys & missing:
                    missing &= ~bit
        return missing

    def choices(self, room: int, missing: Charge) -> Iterator[tuple[Charge, Charge]]:
        """Yield the finds in a room to be paid for at once: the bit, and a charge that will do."""
        for find in self._choices.get(room, ()):
            if find.bit & missing:
                for charge in find.charges:
                    if not charge & missing & ~find.bit:
                        yield find.bit, charge


def finish(sites: Iterable[Site], room: int, missing: Charge, done: Charge) -> Charge | None:
    """Return all actions done once the goal is reached in this room, None if it cannot be yet."""
    for site in sites:
        if site.room == room:
            charge = affordable(site.charges, missing, done)
            if charge is not None:
                return done | charge
    return None
