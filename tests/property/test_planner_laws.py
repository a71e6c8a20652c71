"""Laws of the planner, against a brute-force search that shares nothing with it."""

from __future__ import annotations

import random
from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass

from hypothesis import assume, given, settings
from hypothesis import strategies as st

from games import FREE
from worldquiz.errors import PlanError
from worldquiz.facts.fact import Fact, State
from worldquiz.t2q import Game, Room, Solution, WorldSpec
from worldquiz.t2q.compass import OPPOSITE
from worldquiz.t2q.tasks.planner import Planner
from worldquiz.t2q.tasks.targets import signature
from worldquiz.t2q.world import predicates as f

# A world is drawn on a grid of 2 x 3 rooms: any passages (the map may fall apart), any doors and
# containers, any keys in any places, any matches (several keys for a lock, or none).

ROOMS = ("attic", "bath", "cellar", "den", "entry", "foyer")
EDGES = (
    ("attic", "east", "bath"),
    ("bath", "east", "cellar"),
    ("den", "east", "entry"),
    ("entry", "east", "foyer"),
    ("attic", "south", "den"),
    ("bath", "south", "entry"),
    ("cellar", "south", "foyer"),
)
KINDS = {
    "apple": "food", "coin": "object", "brass key": "key", "iron key": "key", "tin key": "key",
    "chest": "container", "trunk": "container", "table": "supporter",
}  # fmt: skip


@st.composite
def worlds(
    draw: st.DrawFn,
    rooms: int = 6,
    portables: int = 5,
    lockables: int = 6,
) -> State:
    """Draw a world."""
    names = ROOMS[:rooms]
    found = {f.KIND(room, "room") for room in names}
    found.add(f.PLAYER_AT(draw(st.sampled_from(names))))
    locks: list[str] = []
    for number, (room, way, other) in enumerate(EDGES):
        passage = draw(st.sampled_from(("wall", "gap", "gap", "door", "door")))
        if room in names and other in names and passage != "wall":
            found |= {f.LEADS(room, way, other), f.LEADS(other, OPPOSITE[way], room)}
            if passage == "door" and len(locks) < lockables:
                door = f"door {number}"
                locks.append(door)
                found |= {f.KIND(door, "door"), f.DOOR_AT(door, room, way)}
                found.add(f.DOOR_AT(door, other, OPPOSITE[way]))
    holders = ("chest", "trunk", "table") if len(locks) + 2 <= lockables else ("table",)
    found |= {f.KIND(holder, KINDS[holder]) for holder in holders}
    found |= {f.AT(holder, draw(st.sampled_from(names))) for holder in holders}
    locks += [holder for holder in holders if holder != "table"]
    for lock in locks:
        open, locked = draw(st.sampled_from(((True, False), (False, False), (False, True))))
        found.add((f.OPEN if open else f.SHUT)(lock))
        found.add((f.LOCKED if locked else f.UNLOCKED)(lock))
    movable = sorted(name for name in KINDS if KINDS[name] in ("food", "object", "key"))
    for thing in sorted(draw(st.permutations(movable))[:portables]):
        found |= draw(placed(thing, names, holders, locks))
        locks = [lock for lock in locks if f.MATCH(thing, lock) not in found]
    return frozenset(found)


@st.composite
def placed(
    draw: st.DrawFn, thing: str, names: tuple[str, ...], holders: tuple[str, ...], locks: list[str]
) -> set[Fact]:
    """Draw where a thing is, and what it fits if it is a key."""
    spot = draw(st.sampled_from((*names, *holders)))
    where = {"container": f.IN, "supporter": f.ON}
    place = where.get(KINDS.get(spot, ""), f.AT)(thing, spot)
    fits = draw(st.sets(st.sampled_from(locks), max_size=2)) if locks else set()
    if KINDS[thing] != "key":
        fits = set()
    return {f.KIND(thing, KINDS[thing]), place, *(f.MATCH(thing, lock) for lock in fits)}


def goals(state: State) -> list[Fact]:
    """Return every goal there is to name in a world, in order."""
    kinds = {name: kind for name, kind in f.KIND.of(state)}
    found = set()
    for name, kind in kinds.items():
        if kind == "room":
            found.add(f.PLAYER_AT(name))
        elif kind in ("door", "container"):
            found.add(f.OPEN(name))
        elif kind != "supporter":
            found.add(f.CARRIED(name))
            found |= {f.ON(name, other) for other in kinds if kinds[other] == "supporter"}
            found |= {f.IN(name, other) for other in kinds if kinds[other] == "container"}
        if kind == "food":
            found.add(f.EATEN(name))
    return sorted(found)


@dataclass(frozen=True)
class Map:
    """The brute force's own reading of the facts."""

    exits: dict[str, list[tuple[str, str | None]]]
    leaves: dict[str, set[str]]  # door or container -> rooms it is worked from
    holders: dict[str, tuple[str, str]]  # holder -> kind, room
    fits: set[tuple[str, str]]
    foods: set[str]


Snap = tuple[str, frozenset[str], frozenset[str], frozenset[tuple[str, str]]]
"""Room, open things, locked things, and where each portable is ("hand", "eaten", room, holder)."""


def read(state: State) -> tuple[Map, Snap]:
    kinds = {name: kind for name, kind in f.KIND.of(state)}
    doors = {(room, way): door for door, room, way in f.DOOR_AT.of(state)}
    exits: dict[str, list[tuple[str, str | None]]] = {}
    for room, way, other in f.LEADS.of(state):
        exits.setdefault(room, []).append((other, doors.get((room, way))))
    standing = {t: r for t, r in f.AT.of(state) if kinds[t] in ("container", "supporter")}
    leaves: dict[str, set[str]] = {}
    for door, room, _ in f.DOOR_AT.of(state):
        leaves.setdefault(door, set()).add(room)
    for holder, room in standing.items():
        if kinds[holder] == "container":
            leaves[holder] = {room}
    spots: dict[str, str] = {}
    for link in (f.AT, f.IN, f.ON):
        spots |= {t: s for t, s in link.of(state) if t not in standing}
    ((room,),) = f.PLAYER_AT.of(state)
    world = Map(
        exits,
        leaves,
        {h: (kinds[h], r) for h, r in standing.items()},
        {(key, lock) for key, lock in f.MATCH.of(state)},
        {t for t, k in kinds.items() if k == "food"},
    )
    snap = (
        room,
        frozenset(t for (t,) in f.OPEN.of(state)),
        frozenset(t for (t,) in f.LOCKED.of(state)),
        frozenset(spots.items()),
    )
    return world, snap


def true_in(goal: Fact, snap: Snap) -> bool:
    room, open, _, spots = snap
    match goal.predicate:
        case "player_at":
            return goal.args[0] == room
        case "open":
            return goal.args[0] in open
        case "carried":
            return (goal.args[0], "hand") in spots
        case "eaten":
            return (goal.args[0], "eaten") in spots
    return goal.args in spots


def after(world: Map, snap: Snap, undo: bool) -> Iterator[Snap]:
    """Yield each state one command away; `undo` adds closing, locking and dropping."""
    room, open, _, _ = snap
    for other, door in world.exits.get(room, ()):
        if door is None or door in open:
            yield (other, *snap[1:])
    for leaf, rooms in world.leaves.items():
        if room in rooms:
            yield from worked(world, snap, leaf, undo)
    yield from carried(world, snap, undo)


def worked(world: Map, snap: Snap, leaf: str, undo: bool) -> Iterator[Snap]:
    """Yield what becomes of a door or container at hand."""
    room, open, locked, spots = snap
    key = any((thing, leaf) in world.fits for thing, spot in spots if spot == "hand")
    if leaf in locked:
        if key:
            yield room, open, locked - {leaf}, spots
    elif leaf not in open:
        yield room, open | {leaf}, locked, spots
        if undo and key:
            yield room, open, locked | {leaf}, spots
    elif undo:
        yield room, open - {leaf}, locked, spots


def carried(world: Map, snap: Snap, undo: bool) -> Iterator[Snap]:
    """Yield each state after taking, putting, eating or dropping something."""
    room, open, locked, spots = snap
    at_hand = [holder for holder, (_, place) in world.holders.items() if place == room]
    here = [h for h in at_hand if world.holders[h][0] == "supporter" or h in open]
    for thing, spot in spots:
        ends = ["hand"] if spot == room or spot in here else []
        if spot == "hand":
            ends = here + ["eaten"] * (thing in world.foods) + [room] * undo
        for end in ends:
            yield room, open, locked, spots - {(thing, spot)} | {(thing, end)}


def reached(state: State, *, undo: bool = False) -> Iterator[tuple[int, Snap]]:
    """Yield every state with the commands that it takes, by breadth-first search."""
    world, start = read(state)
    depth, queue = {start: 0}, deque([start])
    while queue:
        snap = queue.popleft()
        yield depth[snap], snap
        for child in after(world, snap, undo):
            if child not in depth:
                depth[child] = depth[snap] + 1
                queue.append(child)


def shortest(state: State, *goals: Fact, undo: bool = False) -> int | None:
    """Return the length of a shortest plan, None if there is none."""
    found = reached(state, undo=undo)
    return next((n for n, snap in found if all(true_in(goal, snap) for goal in goals)), None)


def all_shortest(state: State) -> dict[Fact, int]:
    """Return the length of a shortest plan for each goal that can be reached, in one sweep."""
    found: dict[Fact, int] = {}
    wanted = set(goals(state))
    for depth, snap in reached(state):
        now = {goal for goal in wanted if true_in(goal, snap)}
        found |= dict.fromkeys(now, depth)
        wanted -= now
        if not wanted:
            break
    return found


def world(state: State) -> WorldSpec:
    ((start,),) = f.PLAYER_AT.of(state)
    rooms = tuple(Room(room, 0, 0) for room in ROOMS)
    return WorldSpec("w", "own", 0, start, rooms, tuple(sorted(state)))


def planned(planner: Planner, *goals: Fact) -> Solution | None:
    try:
        return planner.plan(*goals)
    except PlanError:
        return None


def length(state: State, *goals: Fact) -> int | None:
    plan = planned(Planner(world(state)), *goals)
    return None if plan is None else len(plan.commands)


picks = st.randoms(use_true_random=False)


@settings(max_examples=60, deadline=None)
@given(state=worlds(portables=3))
def test_plans_are_as_short_as_brute_force_says(state: State) -> None:
    lengths = all_shortest(state)
    assert {goal: length(state, goal) for goal in goals(state)} == {
        goal: lengths.get(goal) for goal in goals(state)
    }


LOCKED_PASSAGES = 4


@st.composite
def strongholds(draw: st.DrawFn) -> State:
    """Draw a map of loops with many locks, a key for each, lying anywhere: worlds to search in."""
    barred = draw(st.permutations(range(len(EDGES))))[:LOCKED_PASSAGES]
    shut = draw(st.sets(st.sampled_from(range(len(EDGES)))))
    walls = draw(st.sets(st.sampled_from(range(len(EDGES))), max_size=1))
    found = {f.KIND(room, "room") for room in ROOMS}
    found.add(f.PLAYER_AT(draw(st.sampled_from(ROOMS))))
    for number, (room, way, other) in enumerate(EDGES):
        if number in walls and number not in barred:
            continue
        found |= {f.LEADS(room, way, other), f.LEADS(other, OPPOSITE[way], room)}
        if number in barred or number in shut:
            door, key = f"door {number}", f"key {number}"
            found |= {f.KIND(door, "door"), f.SHUT(door), f.DOOR_AT(door, room, way)}
            found.add(f.DOOR_AT(door, other, OPPOSITE[way]))
            found.add((f.LOCKED if number in barred else f.UNLOCKED)(door))
        if number in barred:
            spot = draw(st.sampled_from(ROOMS))
            found |= {f.KIND(key, "key"), f.AT(key, spot), f.MATCH(key, door)}
    return frozenset(found)


@settings(max_examples=60, deadline=None)
@given(state=strongholds())
def test_plans_among_many_locks_are_as_short_as_brute_force_says(state: State) -> None:
    lengths = all_shortest(state)
    assert {goal: length(state, goal) for goal in lengths} == lengths


@settings(max_examples=60, deadline=None)
@given(state=worlds(portables=4), pick=picks)
def test_two_things_are_fetched_in_as_few_commands_as_brute_force_says(
    state: State, pick: random.Random
) -> None:
    things = sorted(name for name, kind in f.KIND.of(state) if kind in ("food", "object", "key"))
    pair = [f.CARRIED(name) for name in pick.sample(things, 2)]
    assert length(state, *pair) == shortest(state, *pair)


@settings(max_examples=40, deadline=None)
@given(state=worlds(rooms=3, portables=2, lockables=2), pick=picks)
def test_undoing_never_shortens_a_plan(state: State, pick: random.Random) -> None:
    """Closing, locking and dropping are in the brute force here; plans drop only as their end."""
    things = [name for name, kind in f.KIND.of(state) if kind in ("food", "object", "key")]
    drops = [f.AT(thing, room) for thing in sorted(things) for room in ROOMS[:3]]
    for goal in [*pick.sample(goals(state), 2), *pick.sample(drops, min(2, len(drops)))]:
        assert length(state, goal) == shortest(state, goal, undo=True)


@settings(max_examples=60, deadline=None)
@given(state=worlds(), pick=picks)
def test_plans_reach_their_goals_and_signatures_name_what_they_touch(
    state: State, pick: random.Random
) -> None:
    """Each entity a plan names, each room it enters, the start; nothing but names of this world."""
    goal = pick.choice(goals(state))
    plan = planned(Planner(world(state)), goal)
    assume(plan is not None)
    assert plan is not None
    game, rooms = Game(world(state)), {*next(f.PLAYER_AT.of(state))}
    game.reset(FREE)
    for command in plan.commands:
        assert game.step(command).command == command
        rooms |= {*next(f.PLAYER_AT.of(game.state))}
    assert goal in game.state
    names, kinds = signature(world(state), plan.commands), world(state).kinds
    assert names <= kinds.keys()
    assert {name for name in names if kinds[name] == "room"} == rooms
    said = " ".join(plan.commands) + " "
    assert {name for name in kinds if kinds[name] != "room" and f"{name} " in said} <= names


@settings(max_examples=30, deadline=None)
@given(state=worlds(), pick=picks)
def test_plans_do_not_depend_on_what_was_asked_before(state: State, pick: random.Random) -> None:
    asked = pick.sample(goals(state), 5)
    planner = Planner(world(state))
    for goal in (*asked, *reversed(asked)):
        assert planned(planner, goal) == planned(Planner(world(state)), goal)
