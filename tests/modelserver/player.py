"""What a sensible player does next: its task where it can, else what it has not seen, else any.

What it knows is what its prompt tells. It need not win; it plays as well as the text allows, and
the same prompt always gets the same command.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterator

from modelserver.history import Present
from worldquiz.t2q.agents.explorer import _Survey
from worldquiz.t2q.agents.scripted import plausible
from worldquiz.t2q.reader import Reader

_OPEN = re.compile(r"Make sure that the (?P<thing>.+) is open\.")
_GO = re.compile(r"Go to the (?P<room>.+)\.")
_PLACE = r"(?: (?:from|in|on) (?:the floor of )?the (?P<spot>.+))?"
_EAT = re.compile(rf"Find the (?P<thing>.+?){_PLACE}, then eat it\.")
_PUT = re.compile(rf"Take the (?P<thing>.+?){_PLACE}, then put it (?P<link>in|on) the (?P<to>.+)\.")
_FETCH = re.compile(rf"the (?P<thing>.+?){_PLACE}")


def command(present: Present, key: str) -> str:
    """Return the next command; `key` decides among what is equally sensible."""
    reader = present.reader
    if not reader.now.room:
        return "look"
    survey = _Survey(reader)
    for found in Aim(reader, survey).commands(present.objective):
        return found
    new = survey.command() if present.complete else None
    return new or drawn(plausible(reader), key)


def drawn(weighted: dict[str, int], key: str) -> str:
    """Return one of some commands, drawn by weight; the draw is a hash of `key`."""
    place = int.from_bytes(hashlib.blake2b(key.encode(), digest_size=8).digest(), "big")
    place %= sum(weighted.values())
    for command, weight in sorted(weighted.items()):
        if place < weight:
            return command
        place -= weight
    raise AssertionError("weights add up")


class Aim:
    """What to do for an objective."""

    def __init__(self, reader: Reader, survey: _Survey) -> None:
        self._reader, self._graph, self._now = reader, reader.graph, reader.now
        self._survey = survey

    def commands(self, objective: str) -> Iterator[str]:
        """Yield commands that bring the objective nearer, the best first; none if it is unclear."""
        objective = objective.strip()
        if match := _OPEN.fullmatch(objective):
            yield from self._open(match["thing"], self._room(match["thing"]))
        elif match := _GO.fullmatch(objective):
            yield from self._walk(match["room"])
        elif match := _EAT.fullmatch(objective):
            yield from self._take(match["thing"], match["spot"])
            yield from self._held(match["thing"], f"eat {match['thing']}")
        elif match := _PUT.fullmatch(objective):
            yield from self._take(match["thing"], match["spot"])
            yield from self._put(match["thing"], match["link"], match["to"])
        elif objective.startswith("Recover "):
            for part in objective.removeprefix("Recover ").rstrip(".").split(" and the "):
                found = _FETCH.fullmatch(f"the {part.removeprefix('the ')}")
                if found:
                    yield from self._take(found["thing"], found["spot"])

    def _held(self, thing: str, then: str) -> Iterator[str]:
        if thing in self._now.carried:
            yield then

    def _put(self, thing: str, link: str, holder: str) -> Iterator[str]:
        if thing not in self._now.carried:
            return
        room = self._room(holder)
        yield from self._walk(room)
        if room == self._now.room:
            if link == "in":
                yield from self._open(holder, room)
            yield f"insert {thing} into {holder}" if link == "in" else f"put {thing} on {holder}"

    def _take(self, thing: str, told: str | None) -> Iterator[str]:
        """Yield the way to a thing that is not held yet, and the taking of it.

        It is where it was seen, else where it is `told` to be.
        """
        if thing in self._now.carried:
            return
        seen = (spot for spot, things in self._now.contents.items() if thing in things)
        spot = next(seen, self._graph.place.get(thing) or told)
        if spot is None:
            return
        room = spot if spot in self._graph.exits else self._room(spot)
        yield from self._walk(room)
        if room != self._now.room:
            return
        if spot != room and not self._now.lids.get(spot, True):
            yield from self._open(spot, room)
        elif thing in self._now.contents.get(spot, ()):
            yield f"take {thing}" + ("" if spot == room else f" from {spot}")

    def _open(self, thing: str, room: str | None) -> Iterator[str]:
        yield from self._walk(room)
        if room != self._now.room or self._now.lids.get(thing, False):
            return
        if not self._now.locks.get(thing):
            yield f"open {thing}"
        for key in self._survey._keys:
            if self._graph.matches(key, thing) is not False:
                yield f"unlock {thing} with {key}"

    def _walk(self, room: str | None) -> Iterator[str]:
        first = self._survey._first.get(room) if room else None
        if first:
            yield first

    def _room(self, thing: str) -> str | None:
        """Return the room that something is in; of a door's two rooms the nearer one."""
        ends = self._graph.ends(thing)
        if ends:
            near = [room for room in self._survey._first if room in ends]
            return near[0] if near else None
        spot: str | None = thing
        for _ in range(4):
            if spot is None or spot in self._graph.exits:
                return spot
            spot = self._graph.place.get(spot)
        return None
