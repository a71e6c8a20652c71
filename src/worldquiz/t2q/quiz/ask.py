"""A world's quiz: its facts turned into questions by fixed rules (section 2.3).

A world is asked about as many questions as the paper's worlds of its size, of each type the paper's
share. Each type has a rule that yields questions, in groups that are asked whole or not at all, in
an order drawn by seed. Questions that the first screen or the task list settles come last.

Somebody who saw nothing of the world may read all of the draft. How often he is right is measured
(`quiz.guess`) and taken off. Three rules keep that share low, so that a question says much:

- places are asked for openly, and of four keys each fits one of the locks that are asked about;
- passages come in fours: A to B and C to D are true, A to D and C to B are false;
- a key that is asked about fits one of two things that look alike before the first command.

docs/reference/question-rules.md lists all rules.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import chain, combinations, islice
from typing import Any, NamedTuple

from worldquiz import rng
from worldquiz.facts.evidence import Evidence
from worldquiz.facts.requirement import All, AnyOf, Reachable, Requirement, Seen, all_of, any_of
from worldquiz.t2q.compass import DIRECTIONS, OPPOSITE
from worldquiz.t2q.question import (
    CATEGORIES,
    MIX,
    Ask,
    Description,
    Question,
    Type,
    What,
    Where,
    Which,
    YesNo,
)
from worldquiz.t2q.world import predicates as f
from worldquiz.t2q.world.game import first_screen
from worldquiz.t2q.world.spec import HOLDERS, LOCKABLE, MOVABLE, Task, WorldSpec

LIMIT = 95
"""How many questions a world is asked at most: the paper's hard worlds have 94.7 (Table 1)."""
EACH = 3.2
"""How many questions a world is asked at most for each of its rooms and things."""
CHOICES = 4
"""How many choices a `which` question has."""
FEW = 6
"""Rooms of a world from which pairs of rooms are asked about in fours."""
UNEVEN = 0.414
"""Tangent of half of a diagonal's angle: below it, a diagonal is not the nearest of eight ways."""
Group = Sequence[Question]


class Draft:
    """A world, evidence of its start and chance: all that the rules of one type draw on."""

    def __init__(self, spec: WorldSpec, tasks: Iterable[Task], type: Type) -> None:
        self.spec, self.type = spec, type
        self.rng = rng.child(spec.seed, "quiz", type)
        tasks = tuple(tasks)
        self.goals = {name: goal.predicate for t in tasks for goal in t.goal for name in goal.args}
        """How a goal names a thing: as one to be opened, to be filled, to be taken."""
        told = [fact for task in tasks for fact in task.discloses]
        self._start = Evidence.of_steps([[*first_screen(spec), *told]])

    def settled(self, requirement: Requirement) -> bool:
        """Tell whether the first screen and the task list are enough to know something."""
        return self._start.earliest(requirement) is not None

    def begun(self, group: Group) -> bool:
        """Tell whether the start settles a question of a group."""
        return any(self.settled(question.requires) for question in group)

    def shuffled(self, items: Iterable[Any]) -> list[Any]:
        """Return items, which come in a fixed order, in one drawn by seed."""
        order = list(items)
        self.rng.shuffle(order)
        return order

    def ask(
        self, make: Callable[..., Question], ask: Ask, *answer: Any, requires: Requirement,
        preposition: str = "", **names: str,
    ) -> Question:  # fmt: skip
        """Return a question without its id, about what it names."""
        text = ask.format(preposition=preposition, **names)
        return make("", self.type, text, requires, tuple(names.values()), *answer)

    def which(
        self, ask: Ask, right: str, known: Mapping[str, Requirement], **names: str
    ) -> Question:
        """Offer choices, by what settles each, in an order drawn by seed."""
        others = [needed for choice, needed in known.items() if choice != right]
        requires = any_of(known[right], all_of(*others))  # or known by elimination
        return self.ask(Which, ask, tuple(self.shuffled(known)), right, requires=requires, **names)


def location(draft: Draft) -> Iterator[Group]:
    """Ask where each thing was, and what kinds of things were in or on holders.

    It is asked openly: places that stand to choose would be known to hold something. A holder that
    a goal names is mostly empty, and its content no question.
    """
    spec, asked = draft.spec, []
    for thing in spec.of_kind(*MOVABLE):
        spots = tuple(dict.fromkeys((spec.place[thing].args[1], spec.room_of(thing))))
        known = Seen(spec.place[thing])
        asked.append(draft.ask(Where, Ask.PLACE, spots, requires=known, thing=thing))
    for holder in spec.of_kind(*HOLDERS):
        room, known = (spec.room_of(holder),), Seen(spec.place[holder])
        asked.append(draft.ask(Where, Ask.HOLDER, room, requires=known, holder=holder))
    for door in spec.of_kind("door"):
        rooms = tuple(room for room, _ in spec.ends(door))
        either = any_of(*(Seen(f.DOOR_AT(door, room, way)) for room, way in spec.ends(door)))
        asked.append(draft.ask(Where, Ask.DOOR, rooms, requires=either, door=door))
    for spot in (each for each in spec.of_kind(*HOLDERS) if each not in draft.goals):
        there = {spec.kinds[thing] for thing in spec.content.get(spot, ())}
        found = tuple(each for each in CATEGORIES if each in there)
        word = "on" if spec.kinds[spot] == "supporter" else "in"
        asked.append(draft.ask(
            Description, Ask.CATEGORIES, found, requires=Seen(f.LISTED(spot)), preposition=word,
            spot=spot,
        ))  # fmt: skip
    yield from ([question] for question in draft.shuffled(asked))


def connectivity(draft: Draft) -> Iterator[Group]:
    """Ask by turns whether pairs of rooms are joined, four pairs at a time, and for neighbours.

    Of a world too small for that, any pairs are asked about.
    """
    spec = draft.spec
    rooms, pairs = draft.shuffled(spec.ways), draft.shuffled(combinations(sorted(spec.ways), 2))
    asked, neighbours = set[str](), ([_neighbour(draft, room)] for room in rooms)
    for swap in _swaps(draft, [p for p in pairs if joined(spec, *p) and spec.start not in p]):
        if asked.isdisjoint(chain(*swap)):
            asked.update(chain(*swap))
            yield [_joined(draft, *draft.shuffled(pair)) for pair in swap]
            yield from islice(neighbours, CHOICES)
    yield from neighbours
    if len(spec.rooms) < FEW:
        yield from ([_joined(draft, *pair)] for pair in pairs)


def joined(spec: WorldSpec, room: str, other: str) -> bool:
    """Tell whether a passage joins two rooms."""
    return other in spec.ways[room].values()


def _swaps(
    draft: Draft, passages: Sequence[tuple[str, str]]
) -> Iterator[Sequence[tuple[str, str]]]:
    """Yield two passages, and the same four rooms in two pairs that no passage joins.

    Each room stands in one such four at most, so how often it is named tells nothing. In worlds of
    five rooms or fewer, and of the first room, whose exits are shown, the pairs left out would.
    Which of the two ways to exchange rooms comes first is drawn: by the alphabet, one could tell
    which two pairs of the four are the passages.
    """
    spec = draft.spec
    if len(spec.rooms) < FEW:
        return
    for (a, b), pair in combinations(passages, 2):
        for c, d in draft.shuffled((pair, pair[::-1])):
            if len({a, b, c, d}) == 4 and not joined(spec, a, d) and not joined(spec, c, b):
                yield (a, b), (c, d), (a, d), (c, b)


def _joined(draft: Draft, room: str, other: str) -> Question:
    spec = draft.spec
    way = next((way for way, there in spec.ways[room].items() if there == other), None)
    known = passage(spec, room, way) if way else apart(spec, room, other)
    return draft.ask(YesNo, Ask.JOINED, bool(way), requires=known, room=room, other=other)


def _neighbour(draft: Draft, room: str) -> Question:
    ways = draft.spec.ways[room]
    known = any_of(*(passage(draft.spec, room, way) for way in ways))
    return draft.ask(Where, Ask.NEIGHBOUR, tuple(ways.values()), requires=known, room=room)


def direction(draft: Draft) -> Iterator[Group]:
    """Ask in which direction one room lies from another, of the first room last.

    Pairs are left out of which the nearest of the eight directions is no diagonal, though neither
    room is straight north, east, south or west of the other.
    """
    start = draft.spec.start
    pairs = draft.shuffled(combinations(draft.shuffled(draft.spec.rooms), 2))
    pairs.sort(key=lambda pair: start in (pair[0].name, pair[1].name))
    for room, other in pairs:
        east, north = other.x - room.x, other.y - room.y
        near, far = sorted((abs(east), abs(north)))
        if near == 0 or near / far > UNEVEN:
            parts = ("", "north", "south")[_sign(north)], ("", "east", "west")[_sign(east)]
            way, known = "-".join(filter(None, parts)), Reachable(room.name, other.name)
            names = {"room": room.name, "other": other.name}
            yield [draft.ask(What, Ask.LIES, (way,), requires=known, **names)]


def _sign(number: int) -> int:
    return (number > 0) - (number < 0)


class Locks(NamedTuple):
    """Doors and containers of the questions on locks, drawn by the world's seed."""

    four: Sequence[str]  # which of four keys fits each of these? four, or none
    pairs: Sequence[tuple[str, str]]  # something locked, and something else that the start leaves


def _locks(draft: Draft) -> Locks:
    """Draw the locks that are asked about.

    "Which key fits?" says that something was locked, so no other question is about the four. What a
    goal names comes first there: it is likely known to have been locked. Beside the four no goal's
    thing is asked about: whoever saw that one is missing among them would know that it was not.
    """
    spec = draft.spec
    draw = rng.child(spec.seed, "quiz", "locks")
    locks = draw.sample(sorted(spec.key_of), len(spec.key_of))
    others = [each for each in spec.of_kind(*LOCKABLE) if each not in spec.key_of]
    others = [each for each in others if not draft.settled(lock_state(spec, each))]
    draw.shuffle(others)
    locks.sort(key=lambda lock: lock not in draft.goals)
    four = locks[:CHOICES] if len(locks) > CHOICES + 1 else []
    locks = locks[len(four) :]
    if four:
        locks, others = ([each for each in some if each not in draft.goals]
                         for some in (locks, others))  # fmt: skip
    others += locks[len(others) - 1 :]
    return Locks(four, [(lock, o) for lock, o in zip(locks, others, strict=False) if lock != o])


def match(draft: Draft) -> Iterator[Group]:
    """Ask which of four keys fits a lock, and of other keys if they fit this and that.

    The lock of a key stands beside something that was not locked, or that another key fits. Keys
    that fit nothing are asked about last, beside such a pair.
    """
    spec, (four, pairs) = draft.spec, _locks(draft)
    keys = {lock: spec.key_of[lock] for lock in four}
    if four:
        yield [
            draft.which(
                Ask.KEY_OF, keys[lock],
                {key: _known(spec, key, lock) for key in keys.values()}, lock=lock,
            ) for lock in four
        ]  # fmt: skip
    for pair in pairs:
        yield [_fits(draft, spec.key_of[pair[0]], lock) for lock in pair]
    spare = draft.shuffled(key for key in spec.of_kind("key") if key not in spec.lock_of)
    for key, pair in zip(spare, pairs, strict=False):
        yield [_fits(draft, key, lock) for lock in pair]


def _known(spec: WorldSpec, key: str, lock: str) -> Requirement:
    """It is known whether a key fits."""
    return fits(key, lock) if spec.lock_of.get(key) == lock else unfit(spec, key, lock)


def _fits(draft: Draft, key: str, lock: str) -> Question:
    truth, known = draft.spec.lock_of.get(key) == lock, _known(draft.spec, key, lock)
    return draft.ask(YesNo, Ask.FITS, truth, requires=known, key=key, lock=lock)


def state(draft: Draft) -> Iterator[Group]:
    """Ask of pairs whether they were locked, and of all doors and containers if they were open."""
    spec, (four, pairs) = draft.spec, _locks(draft)
    sides = (
        (Ask.LOCKED, f.LOCKED, lock_state, sorted({each for pair in pairs for each in pair})),
        (Ask.OPEN, f.OPEN, lid_state, [o for o in spec.of_kind(*LOCKABLE) if o not in four]),
    )
    yield from draft.shuffled(
        [draft.ask(YesNo, ask, fact(each) in spec.initial, requires=known(spec, each), lock=each)]
        for ask, fact, known, things in sides
        for each in things
    )


_RULES: Mapping[Type, Callable[[Draft], Iterator[Group]]] = {
    Type.LOCATION: location,
    Type.CONNECTIVITY: connectivity,
    Type.DIRECTION: direction,
    Type.MATCH: match,
    Type.PROPERTY: state,
}


def ask(spec: WorldSpec, tasks: Sequence[Task] = ()) -> tuple[Question, ...]:
    """Return the questions about a world's initial state; equal worlds, equal questions.

    They stand in an order drawn by seed; an id names the type and the place in that order.
    """
    most, asked = min(LIMIT, EACH * len(spec.kinds)), list[Question]()
    for type, rule in _RULES.items():
        draft = Draft(spec, tasks, type)
        left = round(most * MIX[type] / sum(MIX.values()))
        for group in sorted(rule(draft), key=draft.begun):
            if len(group) <= left:
                left -= len(group)
                asked += group
    rng.child(spec.seed, "quiz", "order").shuffle(asked)
    return tuple(replace(each, id=f"{each.type}-{n:03}") for n, each in enumerate(asked, start=1))


# --- When a matter is settled -------------------------------------------------------------------
#
# As soon as what was shown settles it under the six laws that every text world obeys and every quiz
# states (`question.LAWS`, by their numbers here). Hence a negative can be known in more than one
# way; each function below lists all the ways there are.


def passage(spec: WorldSpec, room: str, way: str) -> Requirement:
    """It is known where an exit leads.

    It was walked, either way (law 2), or its door was seen from both rooms (law 3).
    """
    other, back = spec.ways[room][way], OPPOSITE[way]
    door = spec.doors.get((room, way))
    if door is None:
        return walked(room, way, other)
    both_ends = All((Seen(f.DOOR_AT(door, room, way)), Seen(f.DOOR_AT(door, other, back))))
    return any_of(walked(room, way, other), both_ends)


def walked(room: str, way: str, other: str) -> Requirement:
    """A passage was walked, either way (law 2)."""
    return any_of(Seen(f.LEADS(room, way, other)), Seen(f.LEADS(other, OPPOSITE[way], room)))


def barred(spec: WorldSpec, room: str, way: str, other: str) -> Requirement:
    """It is known that leaving a room this way does not lead straight to the other room.

    Seen from the room: no such exit, or it leads elsewhere; from the other room: no exit back
    that way, or it leads elsewhere (law 2); from both: exits that differ in their doors (law 3).
    """
    back = OPPOSITE[way]
    ways = [*_elsewhere(spec, room, way), *_elsewhere(spec, other, back)]
    both = way in spec.ways[room] and back in spec.ways[other]
    if both and spec.doors.get((room, way)) != spec.doors.get((other, back)):
        ways.append(All((Seen(f.EXIT(room, way)), Seen(f.EXIT(other, back)))))
    return AnyOf(tuple(ways))


def _elsewhere(spec: WorldSpec, room: str, way: str) -> tuple[Requirement, ...]:
    if way in spec.ways[room]:
        return (passage(spec, room, way),)
    return (Seen(f.NO_EXIT(room, way)),)


def apart(spec: WorldSpec, room: str, other: str) -> Requirement:
    """It is known that no passage joins two rooms: every direction is barred."""
    return All(tuple(barred(spec, room, way, other) for way in DIRECTIONS))


def fits(key: str, lock: str) -> Requirement:
    """It is known that a key fits a lock: it turned."""
    return Seen(f.MATCH(key, lock))


def unfit(spec: WorldSpec, key: str, lock: str) -> Requirement:
    """It is known that a key does not fit a lock: tried, or by law 4 or 6."""
    ways: list[Requirement] = [Seen(f.NO_MATCH(key, lock))]
    if f.LOCKED(lock) not in spec.initial:
        ways.append(lock_state(spec, lock))
    if key in spec.lock_of:
        ways.append(fits(key, spec.lock_of[key]))
    if lock in spec.key_of:
        ways.append(fits(spec.key_of[lock], lock))
    return any_of(*ways)


def lock_state(spec: WorldSpec, thing: str) -> Requirement:
    """It is known whether a thing was locked (law 5)."""
    if f.LOCKED(thing) in spec.initial:
        return Seen(f.LOCKED(thing))
    if f.OPEN(thing) in spec.initial:
        return any_of(Seen(f.UNLOCKED(thing)), Seen(f.OPEN(thing)))
    return Seen(f.UNLOCKED(thing))


def lid_state(spec: WorldSpec, thing: str) -> Requirement:
    """It is known whether a thing was open (law 5)."""
    if f.OPEN(thing) in spec.initial:
        return Seen(f.OPEN(thing))
    shut = Seen(f.SHUT(thing))
    return any_of(shut, Seen(f.LOCKED(thing))) if f.LOCKED(thing) in spec.initial else shut
