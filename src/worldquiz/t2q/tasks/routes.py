"""Routes: from a goal to a walk with the actions done on it, and from that to commands.

*Aims.* `aim_at` says in which rooms a goal is reached and what must be paid there.

*Finds.* A find counts as made as soon as the player passes by and could make it. Its command is
paid for only when it turns out to be needed, and is then written at the first passing. Finds that
must be paid for at once are left to the caller.

*The dependency plan.* `dependency_route` fetches the needed keys, nearest first, then goes. The
closure's sweep says which keys are needed. Each key needs only keys that were swept before it, so
one can always be fetched next, and each leg leads through passages that are free by then:
the plan exists whenever the goal can be reached, and is seldom far from the best.
"""

from __future__ import annotations

import heapq
from collections import defaultdict
from collections.abc import Iterable, Iterator
from itertools import count
from typing import NamedTuple

from worldquiz.facts.fact import CARRIED, EATEN, IN, ON, OPEN, PLAYER_AT, UNLOCKED, Fact
from worldquiz.t2q.tasks.bounds import Musts
from worldquiz.t2q.tasks.closure import Closure, Distances, Finds, Reached
from worldquiz.t2q.tasks.layout import FREE, TARGETS, Charge, Exit, Find, Terrain, affordable, each
from worldquiz.t2q.world.spec import HOLDERS, LOCKABLE


class GoalRoom(NamedTuple):
    """A room in which a goal can be reached by paying one of the charges."""

    room: int
    charges: tuple[Charge, ...]


class Aim(NamedTuple):
    """A goal in a planner's terms."""

    goal: Fact
    sites: tuple[GoalRoom, ...]
    finds: Finds  # all that can be taken, the goal's target included
    must: Charge  # actions that no plan can do without
    best: tuple[Reached, int]  # the most promising site: how to get there, and its room


class Tour(NamedTuple):
    """Exits taken in turn, and all actions done on the way."""

    exits: tuple[Exit, ...]
    done: Charge

    @property
    def cost(self) -> int:
        """Commands, but for the one that turns what is carried into the goal (put, insert, eat)."""
        return len(self.exits) + self.done.bit_count()


class FindsByRoom:
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


def finish(sites: Iterable[GoalRoom], room: int, missing: Charge, done: Charge) -> Charge | None:
    """Return all actions done once the goal is reached in this room, None if it cannot be yet."""
    for site in sites:
        if site.room == room:
            charge = affordable(site.charges, missing, done)
            if charge is not None:
                return done | charge
    return None


GOALS = (PLAYER_AT, CARRIED, OPEN, UNLOCKED, ON, IN, EATEN)
"""Predicates that a plan can aim at."""

_HOLDER = {ON.name: "supporter", IN.name: "container"}


def aim_at(goals: tuple[Fact, ...], layout: Terrain, closure: Closure, musts: Musts) -> Aim | None:
    """Return one goal, or two things to have in hand, in planner's terms; None if out of reach."""
    finds, least = dict(closure.finds), 0
    targets = [_target(goal, layout, spare) for goal, spare in zip(goals, TARGETS, strict=False)]
    for find in targets:
        if find is not None and find.bit in TARGETS:
            found = closure.found(find)
            if found is None:
                return None
            finds[find.bit] = found
            least |= musts.at(find.room, find.charges, find.bit)
    sites, ways, common = [], [], ~0
    demands = _sites(goals[0], layout, targets[0]) if len(goals) == 1 else _both(targets)
    for room, demanded in demands:
        charges = closure.payable(demanded)
        way = closure.arrival(room, charges, finds)
        if way is not None:
            sites.append(GoalRoom(room, charges))
            ways.append((way, room))
            common &= musts.at(room, charges)
    return Aim(goals[0], tuple(sites), finds, common | least, min(ways)) if sites else None


def _both(targets: list[Find | None]) -> Iterator[GoalRoom]:
    """Yield where the second of two things can be taken: with either, the other already in hand."""
    finds = [find for find in targets if find is not None]
    if len(finds) == len(targets):
        one, other = (find.charges for find in finds)
        charges = tuple(sorted({first | second for first in one for second in other}))
        yield from (GoalRoom(room, charges) for room in sorted({find.room for find in finds}))


def _target(goal: Fact, layout: Terrain, spare: Charge) -> Find | None:
    """Return how the thing that a goal wants in hand is taken, if it does and is not held."""
    thing = goal.args[0]
    wanted = _wants_in_hand(goal) and thing not in layout.held
    return layout.find(thing, spare) if wanted else None


def _wants_in_hand(goal: Fact) -> bool:
    return goal.predicate in (CARRIED.name, EATEN.name, ON.name, IN.name)


def _sites(goal: Fact, layout: Terrain, find: Find | None) -> Iterator[GoalRoom]:
    """Yield where a goal can be reached and what must be paid there, reachable or not."""
    thing = goal.args[0]
    room, in_hand = (find.room, find.charges) if find else (layout.start, FREE)
    if find is None and _wants_in_hand(goal) and thing not in layout.held:
        return
    match goal.predicate:
        case PLAYER_AT.name if thing in layout.number:
            yield GoalRoom(layout.number[thing], FREE)
        case OPEN.name | UNLOCKED.name if layout.kinds[thing] in LOCKABLE:
            spare = layout.opens.get(thing, 0) if goal.predicate == UNLOCKED.name else 0
            charges = tuple(charge & ~spare for charge in layout.opening(thing))
            yield from (GoalRoom(place, charges) for place in layout.before(thing))
        case CARRIED.name:
            yield GoalRoom(room, in_hand)
        case EATEN.name if layout.kinds[thing] == "food":
            yield GoalRoom(room, in_hand)
        case ON.name | IN.name if layout.kinds[goal.args[1]] == _HOLDER[goal.predicate]:
            holder = goal.args[1]
            lid = layout.opening(holder) if goal.predicate == IN.name else FREE
            charges = tuple(sorted({have | open for have in in_hand for open in lid}))
            yield from (GoalRoom(place, charges) for place in layout.before(holder))


def dependency_route(layout: Terrain, closure: Closure, hops: Distances, aim: Aim) -> Tour:
    """Return a route that reaches a goal."""
    way, last = aim.best
    floor = FindsByRoom(way.needs & layout.finding, aim.finds, layout.finding)
    room = layout.start
    missing, done = _look_round(floor, room, layout.finding, 0)
    exits: list[Exit] = []
    while (end := finish(aim.sites, room, missing, done)) is None:
        stop = _next_stop(aim, hops, room, missing & floor.wanted, last)
        for exit in _leg(closure, hops, room, stop, missing, done):
            done |= affordable(exit.charges, missing, done) or 0
            room = exit.to
            missing, done = _look_round(floor, room, missing, done)
            exits.append(exit)
            if finish(aim.sites, room, missing, done) is not None:
                break
    return Tour(tuple(exits), end)


def _look_round(
    floor: FindsByRoom, room: int, missing: Charge, done: Charge
) -> tuple[Charge, Charge]:
    """Make every find there is in a room; return what is missing then, and all actions done."""
    while True:
        missing = floor.passed(room, missing)
        choice = next(floor.choices(room, missing), None)
        if choice is None:
            return missing, done
        bit, charge = choice
        missing, done = missing & ~bit, done | charge


def _next_stop(aim: Aim, hops: Distances, room: int, missing: Charge, last: int) -> int:
    """Return the room of the nearest missing thing that can be fetched now, else the last room."""
    stops = []
    for bit in each(missing):
        find, way = aim.finds[bit]
        if not way.needs & missing & ~bit:
            stops.append((hops.to(find.room)[room], bit, find.room))
    return min(stops)[2] if stops else last


def _leg(
    closure: Closure, hops: Distances, start: int, stop: int, missing: Charge, done: Charge
) -> list[Exit]:
    """Return the cheapest exits from room to room with the keys at hand."""
    ahead = hops.to(stop)
    came: dict[int, tuple[int, Exit | None]] = {}
    serial = count()
    heap: list[tuple[int, int, int, int, int, Charge, Exit | None]] = [
        (ahead[start], next(serial), 0, start, start, done, None)
    ]
    while stop not in came:
        _, _, cost, room, before, paid, exit = heapq.heappop(heap)
        if room in came:
            continue
        came[room] = (before, exit)
        for way in closure.exits[room]:
            charge = affordable(way.charges, missing, paid)
            if way.to not in came and charge is not None:
                after = cost + 1 + (charge & ~paid).bit_count()
                entry = (after + ahead[way.to], next(serial), after, way.to, room)
                heapq.heappush(heap, (*entry, paid | charge, way))
    exits = []
    room, exit = came[stop]
    while exit is not None:
        exits.append(exit)
        room, exit = came[room]
    return exits[::-1]


def commands(layout: Terrain, aim: Aim, route: Tour) -> tuple[str, ...]:
    """Return the commands of a route: each thing is taken at the first passing that allows it."""
    finds = [aim.finds[bit].find for bit in each(route.done & layout.finding)]
    script = _Script(layout, [find.name for find in finds if not find.at_once])
    script.pass_by(layout.rooms[layout.start])
    for way in route.exits:
        if way.door is not None:
            script.open(way.door)
        script.lines.append(f"go {way.direction}")
        script.pass_by(layout.rooms[way.to])
    script.close(aim.goal)
    return tuple(script.lines)


class _Script:
    """Commands so far, and what they changed."""

    def __init__(self, layout: Terrain, wanted: list[str]) -> None:
        self.lines: list[str] = []
        self._layout = layout
        self._wanted: dict[str, list[str]] = {}
        for name in wanted:
            room = layout.room_of(name)
            if room is not None:
                self._wanted.setdefault(layout.rooms[room], []).append(name)
        self._held = set(layout.held)
        self._open = set(layout.open)

    def pass_by(self, room: str) -> None:
        """Take what is wanted from a room as far as the keys at hand allow."""
        left = self._wanted.get(room, [])
        before = None
        while left and left != before:
            before, left = left, [thing for thing in left if not self._take(thing)]
        if room in self._wanted:
            self._wanted[room] = left

    def open(self, thing: str) -> None:
        """Open a door or container unless it is open."""
        if thing not in self._open:
            self.unlock(thing)
            self.lines.append(f"open {thing}")
            self._open.add(thing)

    def unlock(self, thing: str) -> None:
        """Unlock a door or container if it is locked."""
        if thing in self._layout.locked:
            self.lines.append(f"unlock {thing} with {self._key(thing)}")

    def close(self, goal: Fact) -> None:
        """Turn what has been reached into the goal."""
        match goal.predicate, goal.args:
            case (OPEN.name, (thing,)):
                self.open(thing)
            case (UNLOCKED.name, (thing,)):
                self.unlock(thing)
            case (ON.name, (thing, holder)):
                self.lines.append(f"put {thing} on {holder}")
            case (IN.name, (thing, holder)):
                self.open(holder)
                self.lines.append(f"insert {thing} into {holder}")
            case (EATEN.name, (thing,)):
                self.lines.append(f"eat {thing}")

    def _key(self, lock: str) -> str | None:
        """Return a key at hand that fits a lock."""
        return next((key for key in self._layout.keys[lock] if key in self._held), None)

    def _take(self, thing: str) -> bool:
        """Take a thing if it can be taken; tell whether it was."""
        layout = self._layout
        holder = layout.spot[thing]
        kind = layout.kinds[holder]
        if kind == "container" and holder not in self._open:
            if holder in layout.locked and self._key(holder) is None:
                return False
            self.open(holder)
        self.lines.append(f"take {thing} from {holder}" if kind in HOLDERS else f"take {thing}")
        self._held.add(thing)
        return True
