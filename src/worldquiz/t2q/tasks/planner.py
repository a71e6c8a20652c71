"""Planner of walkthroughs: the shortest sequences of commands that reach a goal.

A shortest plan never undoes opening, unlocking or taking. So each such action is one bit, a set of
actions is an integer, and a plan costs its moves plus its bits. A *charge* is the set of actions
that something requires: a locked door must be unlocked and opened, and its key taken; if that key
lies in a closed chest, the chest must be opened too.

Taking something counts as possible as soon as the player passes by and has the keys for it. Its
charge is paid only when it turns out to be needed; its command is then written at the first pass.
So A* chooses only moves: its states are the room, the things that were not passed yet, and the
actions paid for. Among plans of equal length, the plan that fetches the nearest thing first wins.

TextWorld itself has no planner for goals (arXiv 2601.09503, section 2.2, derives walkthroughs from
its quest generation).
"""

from __future__ import annotations

import heapq
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from itertools import count
from typing import Any, NamedTuple

from worldquiz.errors import PlanError
from worldquiz.facts.fact import Fact
from worldquiz.t2q.compass import distances
from worldquiz.t2q.world import predicates as f
from worldquiz.t2q.world.spec import HOLDERS, LOCKABLE, MOVABLE, Proof, Solution, WorldSpec

NODES = 20_000
"""Most states that a search visits; if they are not enough, a greedy plan is used."""
Charge = int
Thing = tuple[str, str, str]
"""A room, a key in it or a room next to it, and the lid or door in front of that."""


Lying = dict[str, list[tuple[Charge, Charge]]]
"""By room, the things to be taken there, each with the things that must be taken before."""


class Exit(NamedTuple):
    """One way out of a room that can be passed at some point."""

    direction: str
    to: str
    door: str  # "" where there is none
    charge: Charge


class Reached(NamedTuple):
    """Estimated cost of reaching a room or thing, and the actions that this needs."""

    estimate: int  # commands
    needs: Charge


class Route(NamedTuple):
    """Exits taken in turn, and all actions done on the way."""

    exits: tuple[Exit, ...]
    done: Charge

    @property
    def cost(self) -> int:
        """Number of commands, without a last command that drops, puts, inserts or eats a thing."""
        return len(self.exits) + self.done.bit_count()


class _Unreachable(Exception):
    """Nothing within reach meets the goal."""


class Planner:
    """Plans from the start of a world to any goals. Equal worlds give equal plans."""

    def __init__(self, spec: WorldSpec) -> None:
        """Analyse a world. Raises `ValueError` if a passage leads only one way."""
        self.spec, self.kinds, self.start, self.room_of = spec, spec.kinds, spec.start, spec.room_of
        self.open = {thing for (thing,) in f.OPEN.of(spec.facts)}
        self.locked = {thing for (thing,) in f.LOCKED.of(spec.facts)}
        self.spot = {thing: fact.args[1] for thing, fact in spec.place.items()}
        self.leads = sorted(f.LEADS.of(spec.facts))
        steps = {(room, other) for room, _, other in self.leads}
        if oneway := sorted((room, other) for room, other in steps if (other, room) not in steps):
            raise ValueError(f"no passage leads back from {oneway[0][1]!r} to {oneway[0][0]!r}")
        self.hops = cache(lambda target: distances(steps, target))
        # each action has its bit: first taking things other than keys, then what moves may need
        bits = (1 << number for number in count())
        self.takes: dict[str, Charge] = {}
        self.opens: dict[str, Charge] = {}
        self.unlocks: dict[str, Charge] = {}
        order = sorted(self.kinds.items(), key=lambda each: each[1] in ("key", *LOCKABLE))
        for name, kind in order:
            if kind in MOVABLE:
                self.takes[name] = next(bits)
            elif kind in LOCKABLE and name not in self.open:
                self.opens[name] = next(bits)
                if name in self.locked:
                    self.unlocks[name] = next(bits)
        self.thing = {bit: name for name, bit in self.takes.items()}
        self._things = sum(self.thing)
        self._sweep(sorted(f.MATCH.of(spec.facts)))

    def _sweep(self, matches: list[tuple[str, ...]]) -> None:
        """Find all that can be reached, nearest first; a lock's key is the first one that fits.

        A key is reached before the locks that it opens, so nothing depends on itself.
        """
        self.key: dict[str, str] = {}  # of each lock
        self.rooms: dict[str, Reached] = {}
        self.finds: dict[Charge, Reached] = {}  # keys
        self.exits: dict[str, list[Exit]] = defaultdict(list)
        self._locks: dict[str, list[str]] = defaultdict(list)  # by the key that fits them
        self._waiting: dict[str, list[Thing]] = defaultdict(list)  # by lock
        things: dict[str, list[Thing]] = defaultdict(list)
        for key, lock in matches:
            self._locks[key].append(lock)
        for name in (name for name in self.takes if self.kinds[name] == "key"):
            room = self.room_of(name)
            things[room].append((room, name, self.spot.get(name, "")))
        for room, way, other in self.leads:
            things[room].append((room, other, self.spec.doors.get((room, way), "")))
        heap: list[tuple[int, str, Charge]] = [(0, self.start, 0)]
        while heap:
            estimate, room, needs = heapq.heappop(heap)
            if room not in self.rooms:
                self.rooms[room] = Reached(estimate, needs)
                for entry in self._explored(list(things[room])):
                    heapq.heappush(heap, entry)
        for room, way, other in self.leads:
            door = self.spec.doors.get((room, way), "")
            if room in self.rooms and (door not in self.locked or door in self.key):
                self.exits[room].append(Exit(way, other, door, self._opening(door)))

    def _explored(self, queue: list[Thing]) -> Iterator[tuple[int, str, Charge]]:
        """Take keys and yield rooms within reach; rooms behind a lock wait for its key."""
        for room, what, lock in queue:
            if lock in self.locked and lock not in self.key:
                self._waiting[lock].append((room, what, lock))
            elif what not in self.takes:
                way = self._arrival(room, self._opening(lock), self.finds)
                yield way.estimate + 1, what, way.needs
            else:
                self.finds[self.takes[what]] = self._found(what)
                for fits in self._locks[what]:
                    if self.key.setdefault(fits, what) == what:
                        queue += self._waiting.pop(fits, [])

    def _arrival(self, room: str, charge: Charge, finds: Mapping[Charge, Reached]) -> Reached:
        """Return the estimated cost of being in a room with the actions of a charge done."""
        here = self.rooms[room]
        estimate, needs = here.estimate, here.needs | charge
        for bit, way in finds.items():
            if bit & charge:
                hops = self.hops(room)[self.room_of(self.thing[bit])]
                estimate, needs = max(estimate, way.estimate + hops), needs | way.needs
        return Reached(estimate + (charge & ~here.needs).bit_count(), needs)

    def _found(self, thing: str) -> Reached:
        """Return the estimated cost of taking a thing."""
        bit, room = self.takes[thing], self.room_of(thing)
        way = self._arrival(room, self._taking(thing) & ~bit, self.finds)
        return Reached(way.estimate + 1, way.needs | bit)

    def _taking(self, thing: str) -> Charge:
        """Return the charge (required actions) of taking a thing. Raises `_Unreachable`."""
        if thing not in self.takes or self.room_of(thing) not in self.rooms:
            raise _Unreachable
        return self.takes[thing] | self._opening(self.spot[thing])

    def _opening(self, thing: str) -> Charge:
        """Return the charge (required actions) of opening a thing, 0 if it has no lid."""
        charge = self.opens.get(thing, 0)
        if charge and thing in self.locked:
            if thing not in self.key:
                raise _Unreachable
            charge |= self.unlocks[thing] | self._taking(self.key[thing])
        return charge

    def plan(self, *goals: Fact) -> Solution:
        """Return commands that reach a goal, no commands if it holds already.

        Goals are ``player_at``, ``carried``, ``open``, ``at``, ``on``, ``in`` and ``eaten``. Only
        ``carried`` may be given twice, to take two things. The plan is proven shortest unless the
        search was too long. Raises `PlanError` if the goal cannot be reached.
        """
        left = tuple(goal for goal in goals if goal not in self.spec.initial)
        if not left:
            return Solution((), Proof.SHORTEST)
        things = [goal.args[0] for goal in left]
        try:
            sites = self._sites(left[0], things)
        except _Unreachable:
            raise PlanError(
                f"goal {' and '.join(map(str, goals))} cannot be reached from {self.start!r}: "
                "something that it needs is locked away without a key, fixed in place, or of the "
                "wrong kind"
            ) from None
        finds = dict(self.finds)
        for thing in things:
            if bit := self.takes.get(thing, 0):
                finds[bit] = self._found(thing)
        (_, needs), last = min((self._arrival(room, sites[room], finds), room) for room in sites)
        plain = self._nearest_first(sites, finds, needs, last)
        route, proven = self._shortest(sites, finds, plain)
        proof = Proof.SHORTEST if proven else Proof.DEPENDENCY
        return Solution(_Script(self, route).reached(left[0]), proof)

    def _sites(self, goal: Fact, things: list[str]) -> dict[str, Charge]:
        """Return the rooms in which a goal can be met, each with the actions required there."""
        thing, other, charge, rooms = things[0], goal.args[-1], 0, list[str]()
        match goal.predicate, self.kinds.get(thing), self.kinds.get(other):
            case f.PLAYER_AT.name, _, _:
                rooms = [thing]
            case f.OPEN.name, "door" | "container", _:
                rooms, charge = self._before(thing), self._opening(thing)
            case f.CARRIED.name, _, _:
                rooms = [self.room_of(each) for each in things]
            case f.EATEN.name, "food", _:
                rooms = [self.room_of(thing)]
            case (f.ON.name, _, "supporter") | (f.AT.name, _, "room"):
                rooms = self._before(other)
            case f.IN.name, _, "container":
                rooms, charge = self._before(other), self._opening(other)
            case _:
                raise _Unreachable
        if goal.predicate in (f.AT.name, f.CARRIED.name, f.EATEN.name, f.ON.name, f.IN.name):
            for each in things:
                charge |= self._taking(each)
        if not (within := self.rooms.keys() & rooms):
            raise _Unreachable
        return dict.fromkeys(sorted(within), charge)

    def _before(self, thing: str) -> list[str]:
        """Return the rooms from which a door or holder can be used."""
        return [*(room for room, _ in self.spec.ends(thing)), self.room_of(thing)]

    def _lying(self, wanted: Iterable[Charge]) -> Lying:
        """Return the wanted things by room, each with the things that must be taken before."""
        lying: Lying = defaultdict(list)
        for bit in sorted(wanted):
            thing = self.thing[bit]
            lying[self.room_of(thing)].append((bit, self._taking(thing) & self._things & ~bit))
        return lying

    def _shortest(
        self, sites: Mapping[str, Charge], finds: Iterable[Charge], plain: Route
    ) -> tuple[Route, bool]:
        """Return the shortest route by A*, else `plain`, and whether it is proven shortest."""
        lying, serial = self._lying(finds), count(1)
        must = next(iter(sites.values()))  # each site has the same charge

        @cache
        def ahead(room: str, need: Charge) -> int:
            """Return a lower bound on the moves to a goal by way of all things that it needs."""
            vias = [self.room_of(name) for bit, name in self.thing.items() if bit & need] or [room]
            return min(
                max(self.hops(via)[room] + self.hops(site)[via] for via in vias) for site in sites
            )

        missing = _passed(lying, self.start, self._things)
        heap: list[Any] = [(0, 0, 0, self.start, missing, 0, None, None)]
        fronts: dict[str, list[tuple[Charge, int, Charge]]] = defaultdict(list)
        for _ in range(NODES):
            if not heap or heap[0][0] >= plain.cost:
                return plain, True
            node = heapq.heappop(heap)
            _, gone, _, room, missing, done, *_ = node
            if room is None:
                exits, end = list[Exit](), node
                while node is not None:
                    *_, way, node = node
                    exits += [way] if way else []
                return Route(tuple(exits[::-1]), end[5]), True
            if any(
                not less & ~missing and moves + (paid & ~done).bit_count() <= -gone
                for less, moves, paid in fronts[room]
            ):
                continue  # another way here is as good, even after paying for all that this one did
            fronts[room].append((missing, -gone, done))
            if room in sites and not sites[room] & missing:
                end = done | sites[room]
                least = end.bit_count() - gone
                heapq.heappush(heap, (least, gone, next(serial), None, 0, end, None, node))
            for way in self.exits[room]:
                if not way.charge & missing:
                    paid, left = done | way.charge, _passed(lying, way.to, missing)
                    least = 1 - gone + ahead(way.to, must & left) + (must | paid).bit_count()
                    entry = (least, gone - 1, next(serial), way.to, left, paid, way, node)
                    heapq.heappush(heap, entry)
        return plain, False

    def _nearest_first(
        self, sites: Mapping[str, Charge], finds: Mapping[Charge, Reached], needs: Charge, last: str
    ) -> Route:
        """Return a route that fetches what is needed, the nearest first, then goes to a goal."""
        lying = self._lying(bit for bit in finds if bit & needs)
        room, done, exits = self.start, 0, list[Exit]()
        missing = _passed(lying, room, self._things)
        while room not in sites or sites[room] & missing:
            hops = self.hops(room)
            stops = [
                (hops[place], bit, place)
                for place, things in lying.items()
                for bit, _ in things
                if bit & missing and not finds[bit].needs & self._things & missing & needs & ~bit
            ]
            for way in self._leg(room, min(stops)[2] if stops else last, missing, done):
                room, done = way.to, done | way.charge
                missing = _passed(lying, room, missing)
                exits.append(way)
                if room in sites and not sites[room] & missing:
                    break
        return Route(tuple(exits), done | sites[room])

    def _leg(self, start: str, stop: str, missing: Charge, done: Charge) -> list[Exit]:
        """Return the exits of the cheapest way to a room with the keys at hand."""
        ahead, serial = self.hops(stop), count(1)
        came: dict[str, tuple[str, Exit | None]] = {}
        heap: list[Any] = [(ahead[start], 0, 0, start, start, done, None)]
        while stop not in came:
            _, _, cost, room, before, paid, exit = heapq.heappop(heap)
            if room in came:
                continue
            came[room] = (before, exit)
            for way in self.exits[room]:
                if way.to not in came and not way.charge & missing:
                    after = cost + 1 + (way.charge & ~paid).bit_count()
                    entry = (after + ahead[way.to], next(serial), after, way.to, room)
                    heapq.heappush(heap, (*entry, paid | way.charge, way))
        exits = list[Exit]()
        room, exit = came[stop]
        while exit is not None:
            exits.append(exit)
            room, exit = came[room]
        return exits[::-1]


def _passed(lying: Lying, room: str, missing: Charge) -> Charge:
    """Return the things that are still missing after passing through a room."""
    before = None
    while room in lying and before != missing:
        before = missing
        for bit, keys in lying[room]:
            if not keys & missing:
                missing &= ~bit
    return missing


class _Script:
    """Commands of a route: each thing is taken at the first pass that allows it."""

    def __init__(self, planner: Planner, route: Route) -> None:
        self._planner, self._held, self._open = planner, set[str](), set(planner.open)
        self._wanted = [name for name, bit in planner.takes.items() if bit & route.done]
        self.lines: list[str] = []
        self._pass_by(planner.start)
        for way in route.exits:
            if way.door:
                self.open(way.door)
            self.lines.append(f"go {way.direction}")
            self._pass_by(way.to)

    def reached(self, goal: Fact) -> tuple[str, ...]:
        """Return all commands, including those that meet the goal at the end of the route."""
        thing, holder = goal.args[0], goal.args[-1]
        match goal.predicate:
            case f.OPEN.name:
                self.open(thing)
            case f.AT.name:
                self.lines.append(f"drop {thing}")
            case f.ON.name:
                self.lines.append(f"put {thing} on {holder}")
            case f.IN.name:
                self.open(holder)
                self.lines.append(f"insert {thing} into {holder}")
            case f.EATEN.name:
                self.lines.append(f"eat {thing}")
        return tuple(self.lines)

    def open(self, thing: str) -> None:
        """Open a door or container unless it is open, after unlocking it if it is locked."""
        if thing not in self._open:
            if thing in self._planner.locked:
                self.lines.append(f"unlock {thing} with {self._planner.key[thing]}")
            self.lines.append(f"open {thing}")
            self._open.add(thing)

    def _pass_by(self, room: str) -> None:
        """Take the wanted things in a room, as far as the keys at hand allow."""
        here = [t for t in self._wanted if t not in self._held and self._planner.room_of(t) == room]
        before = None
        while here and here != before:
            before, here = here, [thing for thing in here if not self._take(thing)]

    def _take(self, thing: str) -> bool:
        """Take a thing if it can be taken; return whether it was."""
        planner, holder = self._planner, self._planner.spot[thing]
        if planner.kinds[holder] == "container":
            if holder in planner.locked and planner.key[holder] not in self._held:
                return False
            self.open(holder)
        source = f" from {holder}" if planner.kinds[holder] in HOLDERS else ""
        self.lines.append(f"take {thing}{source}")
        self._held.add(thing)
        return True
