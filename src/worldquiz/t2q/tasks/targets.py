"""Coverage tasks of a world (arXiv 2601.09503, section 2.2 and Algorithm 1).

Targets are all rooms and interactive entities: doors, containers, supporters and all that can be
carried, distractors included. Tasks to choose from: go to a room; open a door or container; fetch
a thing, or two near each other; put a thing on a supporter or into a container near it; eat food.
Each target gets one candidate: of the tasks that exercise it the one that adds most to the
candidates before it, for its length. "Open the door" is a task only where no other exercises the
door, for what has to be opened on purpose is mostly locked. A key is exercised by a task that asks
for that key, not by one that merely uses it, so that objectives name keys that fit nothing as they
name others.

The set is chosen among the candidates by the greedy cover of Algorithm 1.
"""

from __future__ import annotations

import heapq
import math
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace

from worldquiz import rng as streams
from worldquiz.facts.fact import CARRIED, EATEN, IN, OPEN, PLAYER_AT, SHUT, Fact
from worldquiz.plugins import need
from worldquiz.t2q.tasks.planner import Planner
from worldquiz.t2q.world.spec import HOLDERS, LIES, MOVABLE, Task, Verb, WorldSpec

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
TIME_LIMIT = 60.0
"""CP-SAT's deterministic seconds: the same on every machine."""
Signatures = Mapping[str, frozenset[str]]
"""What each task covers, by the task's id."""


def tasks(spec: WorldSpec, *, share: float = 1) -> tuple[Task, ...]:
    """Return a world's coverage tasks, in the order in which the greedy cover took them.

    Of the cover a `share` is given, at least one task, drawn by the world's seed. The draw looks at
    no task, so that what the tasks name tells nothing of what is true.
    """
    pool = {task.id: task for task in candidates(spec)}
    signatures = {id: _exercised(spec, task) for id, task in pool.items()}
    cost = {id: len(task.walkthrough.commands) for id, task in pool.items()}
    cover = greedy(_weights(spec), signatures, cost=cost)
    count = min(len(cover), max(1, round(share * len(cover))))
    drawn: Sequence[int] = range(len(cover))
    if count < len(cover):
        drawn = sorted(streams.child(spec.seed, "errands").sample(drawn, count))
    return tuple(pool[cover[number]] for number in drawn)


def _weights(spec: WorldSpec) -> dict[str, float]:
    return {name: WEIGHTS.get(kind, OBJECT_WEIGHT) for name, kind in spec.kinds.items()}


def fewest_tasks(spec: WorldSpec) -> int | None:
    """Return how many of the candidates suffice to cover a world, None where that is not proven.

    Raises `MissingExtra` without OR-Tools.
    """
    return fewest(spec.kinds, {task.id: _exercised(spec, task) for task in candidates(spec)})


def candidates(spec: WorldSpec) -> tuple[Task, ...]:
    """Return for each target the task that covers it and adds most, for its length.

    A task adds what the candidates before it leave uncovered, and a little of what they cover;
    portable things come first, since each needs a task of its own. One task may be the best of
    several targets; it then stands once, under the first of them.
    """
    weights = _weights(spec)
    pool = [(task, _exercised(spec, task)) for task in _Maker(spec).pool()]

    def worth(task: Task, exercised: frozenset[str]) -> tuple[float, str]:
        gain = sum(weights[n] * (OLD if n in covered else 1) for n in sorted(exercised))
        length = len(task.walkthrough.commands)
        return (-gain / (length + (length / long_for(spec)) ** 6), task.objective)

    order = sorted(spec.kinds, key=lambda name: spec.kinds[name] not in MOVABLE)
    best: dict[str, Task] = {}
    covered: set[str] = set()
    for target in order:
        covering = [each for each in pool if target in each[1]]
        covering = [each for each in covering if each[0].verb is not Verb.OPEN] or covering
        if covering:
            task, exercised = min(covering, key=lambda each: worth(*each))
            best.setdefault(task.objective, replace(task, target=target))
            covered |= exercised
    return tuple(best.values())


def _exercised(spec: WorldSpec, task: Task) -> frozenset[str]:
    """Return what a task covers, of keys those alone that it asks for."""
    asked = {fact.args[0] for fact in task.goal}
    return frozenset(n for n in task.covers if spec.kinds[n] != "key" or n in asked)


def long_for(spec: WorldSpec) -> float:
    """Return from how many commands a walkthrough counts as long: 8 in 5 rooms, 5 in 20.

    Longer ones are taken only where no shorter one covers a target. A large world offers more
    short tasks to choose from, so the bar is higher there; Table 1's walkthroughs ask for it.
    """
    return max(4.0, 9 - len(spec.rooms) / 5)


def signature(spec: WorldSpec, commands: Iterable[str]) -> frozenset[str]:
    """Return the coverage signature of commands that can be carried out (section 2.2).

    It names the rooms traversed, the start included, and every entity that a command changed or
    worked: what was opened, closed, unlocked, locked, taken, put, inserted, dropped or eaten, the
    key or holder used for it, and the doors walked through. Looking exercises nothing.
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
        self._movables, self._holders = spec.of_kind(*MOVABLE), spec.of_kind(*HOLDERS)

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
        puts = [self._puts([thing], self._holders) for thing in self._movables]
        puts += [self._puts(self._movables, [holder]) for holder in self._holders]
        goals |= {(goal,): Verb.PUT for some in puts for goal in some}
        goals |= dict.fromkeys(self._pairs(), Verb.FETCH)
        tasks = [self._task(verb, goal) for goal, verb in goals.items()]
        return [task for task in tasks if task.walkthrough.commands]

    def _pairs(self) -> Iterator[tuple[Fact, ...]]:
        """Yield a thing alone, and with each other in the same room or the next.

        No key stands with a thing that lies in the container that it fits: an objective that names
        both would say where to look.
        """
        inside = {(self._spec.key_of.get(fact.args[1]), t) for t, fact in self._place.items()}
        for thing in self._movables:
            yield (CARRIED(thing),)
            for other in self._movables:
                near = other != thing and self._apart(thing, other) <= BESIDE
                if near and inside.isdisjoint(((thing, other), (other, thing))):
                    yield tuple(sorted((CARRIED(thing), CARRIED(other))))

    def _puts(self, things: Iterable[str], holders: Iterable[str]) -> list[Fact]:
        """Return where things may be asked to be put, the nearest pairs of thing and holder.

        No key is put into what it might unlock.
        """
        kinds = self._spec.kinds
        pairs = [
            (self._apart(thing, holder), thing, holder)
            for thing in things
            for holder in holders
            if self._place[thing].args[1] != holder
            and (kinds[holder], kinds[thing]) != ("container", "key")
        ]
        return [LIES[kinds[holder]](thing, holder) for _, thing, holder in sorted(pairs)[:NEAREST]]

    def _apart(self, thing: str, holder: str) -> int:
        """Return the moves between two things' rooms, doors or no doors."""
        return self._planner.hops(self._spec.room_of(holder))[self._spec.room_of(thing)]

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
        """State a goal in the paper's style; a place that is told is evidence (`discloses`)."""
        thing = goal[0].args[0]
        match verb:
            case Verb.GO:
                return f"Go to the {thing}."
            case Verb.OPEN:
                return f"Make sure that the {thing} is open."
            case Verb.EAT:
                return f"Find the {self._placed(thing, ('on', 'in', 'on'))}, then eat it."
            case Verb.PUT:
                link = "in" if goal[0].predicate == IN.name else "on"
                return f"Take the {self._placed(thing)}, then put it {link} the {goal[0].args[1]}."
            case Verb.FETCH:
                names = [f"the {self._placed(fact.args[0])}" for fact in goal]
                return f"Recover {' and '.join(names)}."

    def _placed(self, thing: str, words: tuple[str, str, str] = ("from", "from", "from")) -> str:
        """Return a thing's name, with its place where places are told."""
        if not self._spec.places_told:
            return thing
        floor, inside, top = words
        place = self._place[thing]
        link = {"at": f"{floor} the floor of", "in": inside, "on": top}[place.predicate]
        return f"{thing} {link} the {place.args[1]}"


def greedy(
    universe: Mapping[str, float], signatures: Signatures, *, cost: Mapping[str, int]
) -> tuple[str, ...]:
    """Return tasks in the order taken: each covers the most weight left uncovered (Algorithm 1).

    `universe` gives each target's weight. Equal gains go to the lower cost, then to the lower id.
    Ends when nothing that any task covers is left.
    """
    left = set(universe)

    def gain(task: str) -> float:
        return math.fsum(universe[name] for name in signatures[task] & left)

    heap = [(-gain(task), cost[task], task) for task in signatures]
    heapq.heapify(heap)
    chosen: list[str] = []
    while heap and heap[0][0] < 0:
        before, price, task = heapq.heappop(heap)
        now = -gain(task)
        if now != before:  # gains only shrink, so a stale entry merely stands too early
            heapq.heappush(heap, (now, price, task))
            continue
        chosen.append(task)
        left -= signatures[task]
    return tuple(chosen)


def fewest(
    universe: Collection[str], signatures: Signatures, *, time_limit: float = TIME_LIMIT
) -> int | None:
    """Return the least number of tasks that cover all that can be covered.

    None where that could not be proven in time. Raises `MissingExtra` without OR-Tools.
    """
    cp_model = need("ortools.sat.python.cp_model", extra="exact")
    model = cp_model.CpModel()
    taken = {task: model.new_bool_var(task) for task in sorted(signatures)}
    for name in sorted(universe):
        if tasks := [taken[task] for task in taken if name in signatures[task]]:
            model.add_bool_or(tasks)
    model.minimize(sum(taken.values()))
    solver = cp_model.CpSolver()
    solver.parameters.num_workers = 1
    solver.parameters.random_seed = 0
    solver.parameters.max_deterministic_time = time_limit
    proven = solver.solve(model) == cp_model.OPTIMAL
    return round(solver.objective_value) if proven else None
