"""Coverage tasks of a world (arXiv 2601.09503, section 2.2 and Algorithm 1).

Targets are all rooms and interactive entities: doors, containers, supporters and all that can be
carried, distractors included. Tasks to choose from: go to a room; open a door or container; fetch
a thing, or two near each other; put a thing on a supporter or into a container near it; eat food.
Each target gets one candidate: of the tasks that exercise it the one that adds most to the
candidates before it, for its length. "Open the door" is a task only where no other exercises the
door, for what has to be opened on purpose is mostly locked. A key is exercised by a task that asks
for that key, not by one that merely uses it, so that objectives name keys that fit nothing as they
name others.

The set is chosen among the candidates by the greedy cover of Algorithm 1; the exact cover beside it
says how far off that is.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

from worldquiz import rng as streams
from worldquiz.facts.fact import CARRIED, DOOR_AT, EATEN, IN, LEADS, OPEN, PLAYER_AT, SHUT, Fact
from worldquiz.t2q.tasks.closure import Distances
from worldquiz.t2q.tasks.cover import Cover, exact, greedy, uncovered
from worldquiz.t2q.tasks.planner import Planner
from worldquiz.t2q.world.spec import HOLDERS, LIES, MOVABLE, WorldSpec
from worldquiz.t2q.world.task import Task, Verb

WEIGHTS = {"room": 1.0, "container": 3.0, "supporter": 2.0, "door": 3.0}
OBJECT_WEIGHT = 2.0
"""Gain of an uncovered target: what takes an interaction (doors and containers: w_i = 3) before
objects (w_o = 2) before rooms (w_r = 1). The paper publishes the order, not the values."""

OLD = 0.1
"""What covering a target again counts for when a candidate is chosen."""
BESIDE = 2
"""Two things at most so many passages apart may be fetched in one task."""
NEAREST = 6
"""How many holders, nearest first, are considered as the place to put a thing; and things."""
_LOOKING = ("look", "inventory", "examine")
_LINKS = {"unlock": " with ", "lock": " with ", "take": " from ", "put": " on ", "insert": " into "}


@dataclass(frozen=True, slots=True)
class TaskSet:
    """The tasks of a world and how they were chosen."""

    tasks: tuple[Task, ...]  # in the order in which the greedy cover took them
    candidates: int
    missing: tuple[str, ...]  # targets that no candidate covers; empty in a solvable world
    exact: Cover | None  # the smallest cover by number of tasks, where it was asked for


def task_set(spec: WorldSpec, *, prove: bool = False) -> TaskSet:
    """Return a world's coverage tasks; equal specs, equal tasks.

    `prove` also computes the exact cover; raises `MissingExtra` without OR-Tools.
    """
    pool = {task.id: task for task in candidates(spec)}
    universe = {name: WEIGHTS.get(kind, OBJECT_WEIGHT) for name, kind in spec.kinds.items()}
    signatures = {id: _exercised(spec, task) for id, task in pool.items()}
    cost = {id: len(task.walkthrough.commands) for id, task in pool.items()}
    chosen = greedy(universe, signatures, cost=cost)
    return TaskSet(
        tasks=tuple(pool[id] for id in chosen),
        candidates=len(pool),
        missing=uncovered(universe, signatures),
        exact=exact(universe, signatures, cost=cost) if prove else None,
    )


def errands(spec: WorldSpec, cover: Sequence[Task], share: float) -> tuple[Task, ...]:
    """Return a share of a cover's tasks, at least one, drawn by the world's seed, in their order.

    The draw looks at no task, so that what the tasks name tells nothing of what is true.
    """
    count = max(1, round(share * len(cover)))
    if count >= len(cover):
        return tuple(cover)
    drawn = streams.child(spec.seed, "errands").sample(range(len(cover)), count)
    return tuple(cover[number] for number in sorted(drawn))


def candidates(spec: WorldSpec) -> tuple[Task, ...]:
    """Return for each target the task that covers it and adds most, for its length.

    A task adds what the candidates before it leave uncovered, and a little of what they cover;
    portable things come first, since each needs a task of its own. One task may be the best of
    several targets; it then stands once, under the first of them.
    """
    pool = [(task, _exercised(spec, task)) for task in _Maker(spec).pool()]
    order = sorted(spec.kinds, key=lambda name: spec.kinds[name] not in MOVABLE)
    best: dict[str, Task] = {}
    covered: set[str] = set()
    for target in order:
        covering = [each for each in pool if target in each[1]]
        covering = [each for each in covering if each[0].verb is not Verb.OPEN] or covering
        if covering:
            task, exercised = min(
                covering, key=lambda each: _worth(spec, each[0], each[1], covered)
            )
            best.setdefault(task.objective, replace(task, target=target))
            covered |= exercised
    return tuple(best.values())


def _exercised(spec: WorldSpec, task: Task) -> frozenset[str]:
    """Return what a task covers, of keys those alone that it asks for."""
    asked = {fact.args[0] for fact in task.goal}
    return frozenset(n for n in task.covers if spec.kinds[n] != "key" or n in asked)


def _worth(
    spec: WorldSpec, task: Task, exercised: frozenset[str], covered: set[str]
) -> tuple[float, str]:
    weight = {n: WEIGHTS.get(spec.kinds[n], OBJECT_WEIGHT) for n in sorted(exercised)}
    gain = sum(weight[n] * (OLD if n in covered else 1) for n in weight)
    length = len(task.walkthrough.commands)
    return (-gain / (length + (length / long_for(spec)) ** 6), task.objective)


def long_for(spec: WorldSpec) -> float:
    """Return from how many commands a walkthrough counts as long: 8 in 5 rooms, 5 in 20.

    Longer ones are taken only where no shorter one covers a target. A large world offers more
    short tasks to choose from, so the bar is higher there; Table 1's walkthroughs ask for it.
    """
    return max(4.0, 9 - len(spec.rooms) / 5)


def signature(facts: Iterable[Fact], commands: Iterable[str]) -> frozenset[str]:
    """Return the coverage signature of commands that can be carried out (section 2.2).

    It names the rooms traversed, the start included, and every entity that a command changed or
    worked: what was opened, closed, unlocked, locked, taken, put, inserted, dropped or eaten, the
    key or holder used for it, and the doors walked through. Looking exercises nothing. `facts` are
    those that hold before the first command.
    """
    known = tuple(facts)
    exits = {(room, way): other for room, way, other in LEADS.of(known)}
    doors = {(room, way): door for door, room, way in DOOR_AT.of(known)}
    ((room,),) = PLAYER_AT.of(known)
    exercised = {room}
    for command in commands:
        verb, _, rest = command.partition(" ")
        if verb == "go":
            exercised.update((exits[room, rest], doors.get((room, rest), room)))
            room = exits[room, rest]
        elif verb not in _LOOKING:
            exercised.update(rest.rsplit(_LINKS[verb], 1) if verb in _LINKS else (rest,))
    return frozenset(exercised)


class _Maker:
    """Makes the tasks of one world."""

    def __init__(self, spec: WorldSpec) -> None:
        self._spec = spec
        self._planner = Planner(spec.initial)
        self._place = spec.place
        self._movables = spec.of_kind(*MOVABLE)
        self._holders = spec.of_kind(*HOLDERS)
        self._number = {room.name: number for number, room in enumerate(spec.rooms)}
        passages = LEADS.of(spec.facts)
        steps = ((self._number[room], self._number[other], 1) for room, _, other in passages)
        self._hops = Distances(len(spec.rooms), steps)

    def pool(self) -> list[Task]:
        """Return every task considered, in the order of targets; none is met at the start."""
        goals: dict[tuple[Fact, ...], Verb] = {}
        for name, kind in self._spec.kinds.items():
            match kind:
                case "room":
                    goals[PLAYER_AT(name),] = Verb.GO
                case "door" | "container":
                    goals[OPEN(name),] = Verb.OPEN
                case "food":
                    goals[EATEN(name),] = Verb.EAT
        for thing in self._movables:
            goals.update({(self._put(thing, holder),): Verb.PUT for holder in self._near(thing)})
        for holder in self._holders:
            goals.update({(self._put(thing, holder),): Verb.PUT for thing in self._fitting(holder)})
        goals.update(dict.fromkeys(self._pairs(), Verb.FETCH))
        tasks = [self._task(verb, goal) for goal, verb in goals.items()]
        return [task for task in tasks if task.walkthrough.commands]

    def _pairs(self) -> Iterator[tuple[Fact, ...]]:
        """Yield a thing alone, and with each other in the same room or the next.

        No key stands with a thing that lies behind its lock: an objective that names both would
        say where to look.
        """
        for thing in self._movables:
            yield (CARRIED(thing),)
            for other in self._movables:
                near = other != thing and self._apart(thing, other) <= BESIDE
                if near and not (self._shuts_in(thing, other) or self._shuts_in(other, thing)):
                    yield tuple(sorted((CARRIED(thing), CARRIED(other))))

    def _shuts_in(self, key: str, thing: str) -> bool:
        """Tell whether a key fits the container that a thing is in."""
        return self._spec.lock_of.get(key) == self._place[thing].args[1]

    def _put(self, thing: str, holder: str) -> Fact:
        return LIES[self._spec.kinds[holder]](thing, holder)

    def _fitting(self, holder: str) -> list[str]:
        others = [t for t in self._movables if self._place[t].args[1] != holder]
        others = [thing for thing in others if self._may_hold(holder, thing)]
        return sorted(others, key=lambda thing: (self._apart(thing, holder), thing))[:NEAREST]

    def _near(self, thing: str) -> list[str]:
        own = self._place[thing].args[1]
        others = [h for h in self._holders if h != own and self._may_hold(h, thing)]
        return sorted(others, key=lambda holder: (self._apart(thing, holder), holder))[:NEAREST]

    def _may_hold(self, holder: str, thing: str) -> bool:
        """Return whether a thing may be asked to be put there: no key in what it might unlock."""
        return (self._spec.kinds[holder], self._spec.kinds[thing]) != ("container", "key")

    def _apart(self, thing: str, holder: str) -> int:
        """Return the moves between two things' rooms, doors or no doors."""
        here, there = (self._number[self._spec.room_of(name)] for name in (thing, holder))
        return self._hops.to(there)[here]

    def _task(self, verb: Verb, goal: tuple[Fact, ...]) -> Task:
        plan = self._planner.plan(*goal)
        covers = tuple(sorted(signature(self._spec.facts, plan.commands)))
        things = [fact.args[0] for fact in goal]
        return Task(
            id="-".join((verb, *(name for fact in goal for name in fact.args))).replace(" ", "-"),
            verb=verb,
            target=things[0],
            goal=goal,
            objective=self._objective(verb, goal),
            discloses=tuple(sorted(self._disclosed(verb, things))),
            covers=covers,
            walkthrough=plan,
        )

    def _disclosed(self, verb: Verb, things: list[str]) -> list[Fact]:
        """Return what an objective gives away: where things are, or that a lid is not yet open."""
        match verb:
            case Verb.GO:
                return []
            case Verb.OPEN:
                return [SHUT(thing) for thing in things]
            case _:
                return [self._place[thing] for thing in things if self._spec.places_told]

    def _objective(self, verb: Verb, goal: tuple[Fact, ...]) -> str:
        """State a goal in the paper's style; a place that is told is evidence (`discloses`)."""
        thing = goal[0].args[0]
        match verb:
            case Verb.GO:
                return f"Go to the {thing}."
            case Verb.OPEN:
                return f"Make sure that the {thing} is open."
            case Verb.EAT:
                return f"Find the {thing}{self._spot(thing)}, then eat it."
            case Verb.PUT:
                link = "in" if goal[0].predicate == IN.name else "on"
                taken = f"Take the {thing}{self._origin(thing)}"
                return f"{taken}, then put it {link} the {goal[0].args[1]}."
            case Verb.FETCH:
                names = [fact.args[0] for fact in goal]
                return f"Recover {' and '.join(f'the {n}{self._origin(n)}' for n in names)}."

    def _origin(self, thing: str) -> str:
        if not self._spec.places_told:
            return ""
        place = self._place[thing]
        floor = "the floor of " if place.predicate == "at" else ""
        return f" from {floor}the {place.args[1]}"

    def _spot(self, thing: str) -> str:
        if not self._spec.places_told:
            return ""
        place = self._place[thing]
        words = {"at": "on the floor of", "in": "in", "on": "on"}
        return f" {words[place.predicate]} the {place.args[1]}"
