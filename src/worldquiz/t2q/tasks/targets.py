"""Coverage tasks of a world (arXiv 2601.09503, section 2.2 and Algorithm 1).

Targets are all rooms and interactive entities: doors, containers, supporters and all that can be
carried, distractors included. Tasks to choose from: go to a room; open a door or container; fetch
a thing, or two near each other; put a thing on a supporter, into a container or on the floor of a
room near it; eat food.

Each target gets one candidate: of the tasks that cover it, the one that covers the most weight for
its price (long tasks cost more). Algorithm 1, a greedy cover, chooses among the candidates. Then
one or two tasks are replaced by a cheaper one, as long as this leaves no target uncovered.

No task's commands may all be part of another task. So no task only fetches a key, since any task
that uses the key would contain it; the key is fetched with something else, or put somewhere. A task
covers a key only if its objective names the key, so that keys that fit nothing are named as often
as other keys.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cache
from itertools import chain, combinations, permutations

from worldquiz import rng as streams
from worldquiz.facts.fact import Fact
from worldquiz.t2q.tasks.planner import Planner
from worldquiz.t2q.world.predicates import AT, CARRIED, EATEN, IN, ON, OPEN, PLAYER_AT, SHUT
from worldquiz.t2q.world.spec import CHANGE, HOLDERS, LIES, MOVABLE, MOVED, Task, Verb, WorldSpec

WEIGHTS = {"room": 1.0, "container": 3.0, "supporter": 2.0, "door": 3.0}
OBJECT_WEIGHT = 2.0
"""Gain of an uncovered target: interactions (doors and containers, w_i = 3) before objects
(w_o = 2) before rooms (w_r = 1). The paper publishes the order, not the values."""

PARTNERS = 3
"""Number of nearest things that are considered as the second to be fetched in one task."""
NEAREST = 6
"""Number of nearest places considered for putting a thing, and of nearest things for a place."""
_LOOKING = ("look", "inventory", "examine")
_LINKS = {"unlock": " with ", "lock": " with ", "take": " from ", "put": " on ", "insert": " into "}
Signatures = Mapping[str, frozenset[str]]
"""What each task covers, by the task's id."""


def tasks(spec: WorldSpec, *, share: float = 1) -> tuple[Task, ...]:
    """Return a world's coverage tasks, in the order in which the greedy algorithm chose them.

    Only a `share` of them, at least one, is kept, drawn by the world's seed. The draw does not look
    at the tasks, so the names in them give nothing away. In a world that changes, half as many
    tasks follow after the change, drawn from the cover of the changed world.
    """
    first = _drawn(spec, share)
    if spec.level != CHANGE:
        return first
    return first + tuple(
        replace(task, id=f"later-{task.id}", objective=MOVED + task.objective)
        for task in _drawn(spec.later, share / 2)
    )


def _drawn(spec: WorldSpec, share: float) -> tuple[Task, ...]:
    chooser = _Chooser(spec)
    cover = chooser.cover()
    count = min(len(cover), max(1, round(share * len(cover))))
    drawn: Sequence[int] = range(len(cover))
    if count < len(cover):
        drawn = sorted(streams.child(spec.seed, "errands").sample(drawn, count))
    return tuple(chooser.pool[cover[number]] for number in drawn)


class _Chooser:
    """Chooses among the tasks of one world, by their ids."""

    def __init__(self, spec: WorldSpec) -> None:
        self._weights = {n: WEIGHTS.get(kind, OBJECT_WEIGHT) for n, kind in spec.kinds.items()}
        self.pool = {task.id: task for task in _Maker(spec).pool()}
        self.covers = {
            id: frozenset(n for n in task.covers if spec.kinds[n] != "key" or n in task.asked)
            for id, task in self.pool.items()
        }
        # large worlds offer more short tasks, so there a shorter walkthrough counts as long
        long = max(4.0, 9 - len(spec.rooms) / 4)
        self._price = {
            id: 10 + 10 * n + round(10 * (n / long) ** 6)
            for id, n in ((id, len(task.walkthrough.commands)) for id, task in self.pool.items())
        }
        self._plain = [id for id, task in sorted(self.pool.items()) if not _is_poor(spec, task)]

        @cache
        def is_inside(one: str, other: str) -> bool:
            """Return whether all commands of a task occur in another's, in their order."""
            left = iter(self.pool[other].walkthrough.commands)
            return all(command in left for command in self.pool[one].walkthrough.commands)

        self._is_inside = is_inside

    def cover(self) -> tuple[str, ...]:
        """Return tasks that cover all that can be covered."""
        cover = self._greedy({self._candidate(each) for each in set().union(*self.covers.values())})
        while (better := self._better(cover)) is not None:
            cover = better
        return self._greedy(cover)

    def _greedy(self, some: Collection[str]) -> tuple[str, ...]:
        return greedy(self._weights, {id: self.covers[id] for id in some}, cost=self._price)

    def _candidate(self, target: str) -> str:
        """Return, of the tasks that cover a target, the one with the most weight for its price."""

        def rank(id: str) -> tuple[bool, float, str]:
            gain = math.fsum(self._weights[name] for name in self.covers[id])
            return id not in self._plain, -gain / self._price[id], id

        return min((id for id in self.pool if target in self.covers[id]), key=rank)

    def _better(self, cover: tuple[str, ...]) -> tuple[str, ...] | None:
        """Return a cheaper cover, with one or two tasks replaced by one or none; else None."""
        cost = self._cost(cover)
        for some in chain(combinations(cover, 1), combinations(cover, 2)):
            rest = tuple(id for id in cover if id not in some)
            alone = self._covered(some) - self._covered(rest)
            price = math.inf if cost[0] else sum(self._price[id] for id in some)
            fit = [id for id in self._plain if alone <= self.covers[id] and self._price[id] < price]
            others = [(*rest, id) for id in fit]
            best = min(others if alone else [rest], key=self._cost, default=cover)
            if self._cost(best) < cost:
                return best
        return None

    def _covered(self, some: Iterable[str]) -> set[str]:
        return set().union(*(self.covers[id] for id in some))

    def _cost(self, cover: Sequence[str]) -> tuple[int, int]:
        """Return a cover's cost: first the number of tasks inside other tasks, then the price."""
        inside = sum(self._is_inside(one, other) for one, other in permutations(cover, 2))
        return inside, sum(self._price[id] for id in cover)


def _is_poor(spec: WorldSpec, task: Task) -> bool:
    """Return whether a task is a last resort, used only if no other task covers a target.

    Such tasks are mostly contained in other tasks, or open what one can guess to be locked.
    """
    keys = all(spec.kinds[name] == "key" for name in task.asked)
    return (
        task.verb in (Verb.GO, Verb.OPEN)
        or (task.verb is Verb.FETCH and keys)
        or len(task.walkthrough.commands) == 1
    )


def signature(spec: WorldSpec, commands: Iterable[str]) -> frozenset[str]:
    """Return the coverage signature of commands that can be carried out (section 2.2).

    It names the rooms traversed, the start included, and every entity that a command changed or
    used: things opened, closed, unlocked, locked, taken, put, inserted, dropped or eaten, the key
    or holder used for this, and doors walked through. Looking does not count.
    """
    room = spec.start
    exercised = {room}
    for command in commands:
        verb, _, rest = command.partition(" ")
        if verb == "go":
            exercised.update((spec.ways[room][rest], spec.doors.get((room, rest), room)))
            room = spec.ways[room][rest]
        elif verb not in _LOOKING:
            exercised.update(rest.rsplit(_LINKS[verb], 1) if verb in _LINKS else (rest,))
    return frozenset(exercised)


class _Maker:
    """Makes the tasks of one world."""

    def __init__(self, spec: WorldSpec) -> None:
        self._spec, self._planner, self._place = spec, Planner(spec), spec.place
        self._movables = spec.of_kind(*MOVABLE)

    def pool(self) -> list[Task]:
        """Return all tasks to choose from, in the order of targets; none is won at the start."""
        goals: dict[tuple[Fact, ...], Verb] = {}
        for name, kind in self._spec.kinds.items():
            match kind:
                case "room":
                    goals[PLAYER_AT(name),] = Verb.GO
                case "door" | "container":
                    goals[OPEN(name),] = Verb.OPEN
                case "food":
                    goals[EATEN(name),] = Verb.EAT
        places = self._spec.of_kind("room", *HOLDERS)
        puts = [self._puts([thing], places) for thing in self._movables]
        puts += [self._puts(self._movables, [place]) for place in places]
        goals |= {(goal,): Verb.PUT for some in puts for goal in some}
        goals |= dict.fromkeys(self._pairs(), Verb.FETCH)
        tasks = [self._task(verb, goal) for goal, verb in goals.items()]
        return [task for task in tasks if task.walkthrough.commands]

    def _pairs(self) -> Iterator[tuple[Fact, ...]]:
        """Yield goals to fetch each thing, alone or with one of the things nearest to it. Two keys
        are never fetched together, nor a key and a thing in the container that it fits: such an
        objective would give away where to look.
        """
        for thing in self._movables:
            yield (CARRIED(thing),)
            barred = (thing, self._spec.key_of.get(self._place[thing].args[1]))
            others = [(self._apart(thing, other), other) for other in self._movables]
            if self._spec.kinds[thing] != "key":
                for _, other in sorted(each for each in others if each[1] not in barred)[:PARTNERS]:
                    yield tuple(sorted((CARRIED(thing), CARRIED(other))))

    def _puts(self, things: Iterable[str], places: Iterable[str]) -> list[Fact]:
        """Return goals to put one of `things` in or on one of `places`, the nearest first.

        No key is put into a container, since it might be the container's own key.
        """
        kinds = self._spec.kinds
        pairs = [
            (self._apart(thing, place), thing, place)
            for thing in things
            for place in places
            if self._place[thing].args[1] != place
            and (kinds[place], kinds[thing]) != ("container", "key")
        ]
        return [LIES[kinds[place]](thing, place) for _, thing, place in sorted(pairs)[:NEAREST]]

    def _apart(self, thing: str, other: str) -> int:
        """Return the number of moves between two things' rooms, as if all doors were open."""
        return self._planner.hops(self._spec.room_of(other))[self._spec.room_of(thing)]

    def _task(self, verb: Verb, goal: tuple[Fact, ...]) -> Task:
        plan = self._planner.plan(*goal)
        things = [fact.args[0] for fact in goal]
        discloses: list[Fact] = []  # where things are, or that a lid is not yet open
        if verb is Verb.OPEN:
            discloses = [SHUT(thing) for thing in things]
        elif self._spec.places_told and verb is not Verb.GO:
            discloses = [self._place[thing] for thing in things]
        return Task(
            id="-".join((verb, *(name for fact in goal for name in fact.args))).replace(" ", "-"),
            verb=verb,
            target=things[0],
            goal=goal,
            objective=self._objective(verb, goal),
            discloses=tuple(sorted(discloses)),
            covers=tuple(sorted(signature(self._spec, plan.commands))),
            walkthrough=plan,
        )

    def _objective(self, verb: Verb, goal: tuple[Fact, ...]) -> str:
        """Return a goal as a sentence in the paper's style, with places if `places_told`."""
        thing = goal[0].args[0]
        match verb:
            case Verb.GO:
                return f"Go to the {thing}."
            case Verb.OPEN:
                return f"Make sure that the {thing} is open."
            case Verb.EAT:
                return f"Find the {self._placed(thing, ('on', 'in', 'on'))}, then eat it."
            case Verb.PUT:
                links = {AT.name: "drop it in", IN.name: "put it in", ON.name: "put it on"}
                place = f"{links[goal[0].predicate]} the {goal[0].args[1]}"
                return f"Take the {self._placed(thing)}, then {place}."
            case Verb.FETCH:
                names = [f"the {self._placed(fact.args[0])}" for fact in goal]
                return f"Recover {' and '.join(names)}."

    def _placed(self, thing: str, words: tuple[str, str, str] = ("from", "from", "from")) -> str:
        """Return a thing's name, with its place if places are stated."""
        if not self._spec.places_told:
            return thing
        floor, inside, top = words
        place = self._place[thing]
        link = {"at": f"{floor} the floor of", "in": inside, "on": top}[place.predicate]
        return f"{thing} {link} the {place.args[1]}"


def greedy(
    universe: Mapping[str, float], signatures: Signatures, *, cost: Mapping[str, int]
) -> tuple[str, ...]:
    """Return tasks in the order chosen: each covers the most uncovered weight (Algorithm 1).

    `universe` gives each target's weight. Equal gains go to the lower cost, then to the lower id.
    Ends when no task covers anything that is left.
    """
    left, chosen = set(universe), list[str]()

    def rank(task: str) -> tuple[float, int, str]:
        gain = math.fsum(universe[name] for name in signatures[task] & left)
        return -gain, cost[task], task

    while (best := min(map(rank, signatures), default=(0.0, 0, "")))[0] < 0:
        chosen.append(best[2])
        left -= signatures[best[2]]
    return tuple(chosen)
