"""When is a matter settled? Each law by brute force over small worlds, then as a readable table.

*Sound*: a requirement is met only by facts that leave one answer in every world in which these
facts could have been seen. *Complete*: sights that leave one answer meet it. One room, lock or spot
of each family is never looked at, for nobody in a world knows how much there is of it.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property, reduce
from itertools import combinations, permutations, product
from operator import and_
from typing import Any

import pytest

from fact_texts import facts, met
from worldquiz.facts.fact import (
    AT,
    DOOR_AT,
    EXIT,
    IN,
    KIND,
    LEADS,
    LISTED,
    LOCKED,
    MATCH,
    NO_MATCH,
    OPEN,
    SHUT,
    UNLOCKED,
    Fact,
)
from worldquiz.facts.requirement import All, AnyOf, Requirement, Seen
from worldquiz.t2q.quiz.answerability import (
    absent,
    apart,
    away,
    barred,
    chosen,
    fits,
    lid_state,
    lock_state,
    passage,
    placed,
    unfit,
)
from worldquiz.t2q.world.spec import Room, WorldSpec


@dataclass(frozen=True)
class World:
    """A world's facts, and what each of them tells whoever sees it."""

    facts: frozenset[Fact]

    @cached_property
    def spec(self) -> WorldSpec:
        rooms = sorted(name for name, kind in KIND.of(self.facts) if kind == "room")
        cells = tuple(Room(name, x, 0) for x, name in enumerate(rooms))
        return WorldSpec("w", "easy", 0, rooms[0], cells, tuple(sorted(self.facts)), False)

    def tells(self, fact: Fact) -> object:
        """Return what a fact tells of this world beyond itself, False if it does not hold."""
        if fact not in self.spec.initial:
            return False
        if fact.predicate == EXIT.name:  # an exit is seen with its door, or without one
            room, way = fact.args
            return (self.spec.doors.get((room, way)),)
        if fact.predicate == LISTED.name:  # all that is there is seen, and what is not
            (holder,) = fact.args
            doors = {door for door, room, _ in DOOR_AT.of(self.facts) if room == holder}
            return frozenset(self.spec.content[holder]) | doors
        return True


Settles = Callable[[World], Requirement]
Matter = Callable[[World], object]
Sight = Collection[Fact]


def masks(worlds: Sequence[World], keys: Callable[[World], Iterable[object]]) -> dict[object, int]:
    """Return, for each key, the set of worlds that have it, one bit a world."""
    found: dict[object, int] = {}
    for number, world in enumerate(worlds):
        for key in keys(world):
            found[key] = found.get(key, 0) | 1 << number
    return found


def check(
    worlds: Sequence[World],
    sights: Callable[[World], Sequence[Sight]],
    matter: Matter,
    settles: Settles,
    *,
    most: int,
    complete: bool = False,
) -> None:
    """Check that a requirement is met only where a matter is settled (if complete: just there).

    Both are monotone in what is seen, so a requirement that needs `most` sights or fewer is checked
    by all sets of that many sights.
    """
    telling = masks(worlds, lambda each: ((fact, each.tells(fact)) for fact in each.spec.initial))
    having = masks(worlds, lambda each: [matter(each)])
    outcomes = set()
    for world in worlds:
        requirement, same = settles(world), having[matter(world)]
        for taken in combinations(sights(world), most):
            seen = {fact for sight in taken for fact in sight}
            possible = reduce(and_, (telling[fact, world.tells(fact)] for fact in seen))
            settled, is_met = not possible & ~same, met(requirement, seen)
            outcomes.add(is_met)
            assert settled or not is_met, f"{sorted(map(str, seen))} leaves it open"
            if complete:
                assert is_met or not settled, f"{sorted(map(str, seen))} settles it"
    assert outcomes == {True, False}


# Laws 2 and 3: passages lead back, and have one door or none.


def passages(rooms: str, doors: Sequence[str]) -> list[World]:
    """Return every world of these rooms with passages from west to east and some of these doors."""
    worlds = []
    kinds = {KIND(room, "room") for room in rooms} | {KIND(door, "door") for door in doors}
    for size in range(len(rooms) + 1):
        for wests in combinations(rooms, size):
            for easts in permutations(rooms, size):
                if all(west != east for west, east in zip(wests, easts, strict=True)):
                    worlds += [
                        World(frozenset(kinds | set(_joined(wests, easts, placing))))
                        for placing in _placings(doors, size)
                    ]
    return worlds


def _placings(doors: Sequence[str], passages: int) -> Iterator[tuple[str | None, ...]]:
    for placing in product([None, *doors], repeat=passages):
        used = [door for door in placing if door]
        if len(used) == len(set(used)):
            yield placing


def _joined(
    wests: Sequence[str], easts: Sequence[str], doors: Sequence[str | None]
) -> Iterator[Fact]:
    for west, east, door in zip(wests, easts, doors, strict=True):
        yield from (LEADS(west, "east", east), LEADS(east, "west", west))
        if door:
            yield from (DOOR_AT(door, west, "east"), DOOR_AT(door, east, "west"))


def leads_to(world: World) -> str | None:
    return world.spec.ways["a"].get("east")


def goes_to_b(world: World) -> bool:
    return leads_to(world) == "b"


def whether_b(world: World) -> Requirement:
    """Return when it is known whether the way east of a leads to b."""
    if goes_to_b(world):
        return passage(world.spec, "a", "east")
    return barred(world.spec, "a", "east", "b")


SMALL = passages("abc", ["d1", "d2"])
ENDS = [("a", "east"), ("b", "west"), ("c", "east"), ("c", "west")]


def at_the_ends(world: World) -> list[Sight]:
    """See, one by one, the facts of the ends at which a and b could meet, and those of c."""
    found = [fact for fact in sorted(world.spec.initial) if fact.predicate != "kind"]
    return [[fact] for fact in found if {*ENDS} & {fact.args[:2], fact.args[-2:]}]


def looks_and_walks(world: World) -> list[Sight]:
    """Look at an end, its door with it, or walk through it."""
    sights: list[Sight] = []
    for end in ENDS:
        facts = [fact for fact in world.spec.initial if end in (fact.args[:2], fact.args[-2:])]
        sights.append([fact for fact in facts if fact.predicate != "leads"])
        sights += [[fact] for fact in facts if fact.predicate == "leads"]
    return sights


def test_where_a_passage_leads_is_settled_soundly() -> None:
    worlds = [world for world in SMALL if leads_to(world)]
    check(worlds, at_the_ends, leads_to, lambda world: passage(world.spec, "a", "east"), most=2)


def test_whether_a_way_leads_to_a_room_is_settled_soundly() -> None:
    check(SMALL, at_the_ends, goes_to_b, whether_b, most=2)


def test_whatever_looks_and_walks_settle_of_a_way_is_answerable() -> None:
    """Room x is never looked at, so that no way leads somewhere for want of another place."""
    worlds = passages("abcx", ["d1"])
    check(worlds, looks_and_walks, goes_to_b, whether_b, most=2, complete=True)


def named(requirement: Requirement) -> set[Fact]:
    """Return the facts that a requirement names."""
    match requirement:
        case Seen(fact):
            return {fact}
        case All(parts) | AnyOf(parts):
            return {fact for part in parts for fact in named(part)}
        case _:
            raise ValueError(f"{requirement} names rooms, not facts")


def test_whatever_would_settle_a_way_can_be_seen_in_its_world() -> None:
    for world in SMALL:
        assert named(whether_b(world)) <= world.spec.initial


FOUR = """kind(a, room) kind(b, room) kind(c, room) kind(d, door) kind(e, door)
leads(a, east, c) leads(c, west, a) leads(b, east, c2) leads(c2, west, b) kind(c2, room)
leads(b, west, e1) leads(e1, east, b) kind(e1, room) leads(a, north, f1) leads(f1, south, a)
kind(f1, room) door_at(d, a, east) door_at(d, c, west) door_at(e, b, west) door_at(e, e1, east)"""


def world(text: str) -> World:
    return World(frozenset(facts(text)))


A_IS_SEEN = "exit(a, east) exit(a, north) no_exit(a, south) no_exit(a, west)"
B_IS_SEEN = "exit(b, east) exit(b, west) no_exit(b, north) no_exit(b, south)"


@pytest.mark.parametrize(
    ("seen", "known"),
    [
        (f"{A_IS_SEEN} {B_IS_SEEN}", True),  # north: b has no exit south; east: doors differ
        (A_IS_SEEN, False),
        (B_IS_SEEN, False),
        (f"{A_IS_SEEN} leads(a, east, c)", False),  # north may lead to b
        (f"{A_IS_SEEN} leads(a, east, c) leads(f1, south, a)", True),
        (f"{B_IS_SEEN} leads(b, west, e1)", False),
        (f"{B_IS_SEEN} leads(b, west, e1) leads(c2, west, b)", True),
        (f"{A_IS_SEEN} leads(f1, south, a) door_at(d, c, west) door_at(d, a, east)", True),
        (f"{A_IS_SEEN} leads(f1, south, a) door_at(d, c, west)", False),
    ],
)  # fmt: skip
def test_two_rooms_are_apart_once_every_direction_is_barred(seen: str, known: bool) -> None:
    four = world(FOUR)
    assert met(apart(four.spec, "a", "b"), facts(seen)) is known


def test_two_exits_without_doors_do_not_say_that_they_do_not_join() -> None:
    """Nor do exits with one door: these join."""
    loose = "leads(a, east, c) leads(c, west, a) leads(b, west, x) leads(x, east, b)"
    rooms = "kind(a, room) kind(b, room) kind(c, room) kind(x, room) "
    seen = facts("exit(a, east) exit(b, west)")
    assert not met(barred(world(rooms + loose).spec, "a", "east", "b"), seen)
    one_door = "kind(d, door) door_at(d, a, east) door_at(d, c, west) "
    assert met(barred(world(rooms + one_door + loose).spec, "a", "east", "b"), seen)


# Law 1: a thing is in one place only.


def placings() -> list[World]:
    """Return every world with an apple and a lamp on the floors of a, x and y or in a's chest."""
    fixed = [*(KIND(room, "room") for room in "axy"), AT("chest", "a"), KIND("chest", "container")]
    fixed += [KIND("apple", "food"), KIND("lamp", "object")]
    apples, lamps = (
        [*(AT(thing, room) for room in "axy"), IN(thing, "chest")] for thing in ("apple", "lamp")
    )
    return [World(frozenset([*fixed, *both])) for both in product(apples, lamps)]


def finds(world: World) -> list[Sight]:
    """Find a thing, or list a spot with all that is there; x and y are never listed."""
    things = [world.spec.place[thing] for thing in ("apple", "lamp")]
    return [
        *([fact] for fact in things),
        *([LISTED(spot), *(f for f in things if f.args[1] == spot)] for spot in ("a", "chest")),
    ]


def test_where_a_thing_is_is_settled_by_finding_it_and_by_nothing_else() -> None:
    for most in (1, 2):
        check(
            placings(), finds, lambda world: world.spec.place["apple"],
            lambda world: placed(world.spec, "apple"), most=most, complete=True,
        )  # fmt: skip


def test_a_thing_is_not_at_a_spot_that_was_listed_nor_where_it_was_not_found() -> None:
    def there(world: World) -> bool:
        return world.spec.place["apple"] == IN("apple", "chest")

    def known(world: World) -> Requirement:
        return (placed if there(world) else absent)(world.spec, "apple", *["chest"][there(world) :])

    check(placings(), finds, there, known, most=1, complete=True)


def test_a_door_is_not_in_a_room_that_was_listed_or_elsewhere_with_both_ends() -> None:
    def end_in_a(world: World) -> list[Fact]:
        return [fact for fact in sorted(world.facts) if fact.args[:2] == ("d1", "a")]

    def sights(world: World) -> list[Sight]:
        ends = [fact for fact in sorted(world.facts) if fact.predicate == DOOR_AT.name]
        rooms = [[LISTED(room), *(end for end in ends if end.args[1] == room)] for room in "ab"]
        return [*([end] for end in ends), *rooms]

    def known(world: World) -> Requirement:
        ends = end_in_a(world)
        return Seen(ends[0]) if ends else away(world.spec, "d1", "a")

    worlds = [each for each in passages("abcx", ["d1"]) if list(DOOR_AT.of(each.facts))]
    check(worlds, sights, lambda world: bool(end_in_a(world)), known, most=2, complete=True)


# Laws 4 and 6: a key fits one lock at most, a lock takes one key, and it was locked.

LOCKS = ("shut(l1) locked(l1)", "shut(l1) unlocked(l1)", "open(l1) unlocked(l1)")


def locks() -> list[World]:
    """Return every fitting of three keys to three boxes, one of each never tried.

    The first box was locked where a key fits it; where none does, it was in any state.
    """
    keys, boxes = ("k1", "k2", "kx"), ("l1", "l2", "lx")
    kinds = [KIND("a", "room"), *(KIND(key, "key") for key in keys)]
    kinds += [KIND(box, "container") for box in boxes] + [AT(thing, "a") for thing in keys + boxes]
    return [
        World(frozenset([*kinds, *map(MATCH, few, taken), *facts(state)]))
        for size in range(4)
        for few in combinations(keys, size)
        for taken in permutations(boxes, size)
        for state in (LOCKS[:1] if "l1" in taken else LOCKS)
    ]


def tries(world: World) -> list[Sight]:
    every = [OPEN("l1"), SHUT("l1"), LOCKED("l1"), UNLOCKED("l1")]
    seen: list[Sight] = [[fact] for fact in every if fact in world.facts]
    return seen + [
        [(MATCH if MATCH(key, lock) in world.facts else NO_MATCH)(key, lock)]
        for key, lock in product(("k1", "k2", "kx"), ("l1", "l2", "lx"))
        if (key, lock) != ("kx", "lx")
    ]


def test_whether_a_key_fits_is_settled_by_trying_it_by_a_fit_of_either_or_by_no_lock() -> None:
    def fitting(world: World) -> bool:
        return MATCH("k1", "l1") in world.facts

    def known(world: World) -> Requirement:
        return fits("k1", "l1") if fitting(world) else unfit(world.spec, "k1", "l1")

    for most in (1, 2, 3):
        check(locks(), tries, fitting, known, most=most, complete=True)


# Law 5: an open thing is not locked, and a locked one is not open.

BOX = "kind(a, room) kind(box, container) at(box, a) "
STATES = [world(BOX + state) for state in (
    "shut(box) locked(box)", "shut(box) unlocked(box)", "open(box) unlocked(box)",
)]  # fmt: skip


def states(world: World) -> list[Sight]:
    every = [OPEN("box"), SHUT("box"), LOCKED("box"), UNLOCKED("box")]
    return [[fact] for fact in every if fact in world.facts]


@pytest.mark.parametrize(("state", "known"), [("locked", lock_state), ("open", lid_state)])
def test_lock_and_lid_are_settled_by_themselves_or_by_each_other(
    state: str, known: Callable[[WorldSpec, str], Requirement]
) -> None:
    def holds(world: World) -> bool:
        return Fact(state, ("box",)) in world.spec.initial

    check(STATES, states, holds, lambda each: known(each.spec, "box"), most=1, complete=True)


@pytest.mark.parametrize(
    ("number", "seen", "lock", "lid"),
    [
        (0, "locked(box)", True, True),
        (0, "shut(box)", False, True),
        (1, "shut(box)", False, True),
        (1, "unlocked(box)", True, False),
        (2, "open(box)", True, True),
        (2, "unlocked(box)", True, False),
    ],
)
def test_what_is_known_of_a_box(number: int, seen: str, lock: bool, lid: bool) -> None:
    spec = STATES[number].spec
    assert met(lock_state(spec, "box"), facts(seen)) is lock
    assert met(lid_state(spec, "box"), facts(seen)) is lid


def test_nothing_is_asked_for_that_can_never_be_seen() -> None:
    for each in STATES:
        for requirement in (lock_state(each.spec, "box"), lid_state(each.spec, "box")):
            parts: tuple[Any, ...] = getattr(requirement, "parts", (requirement,))
            assert {part.fact for part in parts} <= each.spec.initial


# Choices.


@pytest.mark.parametrize(
    ("seen", "known"),
    [
        ("match(k1, l1)", True),
        ("no_match(k2, l1) no_match(k3, l1)", True),
        ("no_match(k2, l1)", False),
        ("no_match(k3, l1)", False),
        ("", False),
    ],
)
def test_a_choice_is_known_by_itself_or_by_all_others(seen: str, known: bool) -> None:
    wrong = [Seen(NO_MATCH(key, "l1")) for key in ("k2", "k3")]
    assert met(chosen(fits("k1", "l1"), *wrong), facts(seen)) is known


def test_a_choice_without_others_is_itself() -> None:
    assert chosen(fits("k1", "l1")) == fits("k1", "l1")
