"""The six laws as a table: what was shown of one small world, and whether that settles a matter.

Nothing in a settled row is needless: with any one of its observations less, the matter is open.

    den
     |                 The gate is between attic and barn; no other passage has a door.
    attic =gate= barn -- cellar -- hall
"""

from __future__ import annotations

import pytest

from fact_texts import facts, met
from worldquiz.facts.question import LAWS
from worldquiz.facts.requirement import Requirement
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

ROOMS = {"attic": (0, 0), "barn": (1, 0), "cellar": (2, 0), "hall": (3, 0), "den": (0, 1)}
WORLD = WorldSpec(
    "w", "easy", 0, "attic", tuple(Room(name, *cell) for name, cell in ROOMS.items()),
    tuple(sorted(facts(
        """kind(attic, room) kind(barn, room) kind(cellar, room) kind(hall, room) kind(den, room)
        kind(gate, door) kind(box, container) kind(chest, container) kind(crate, container)
        kind(brass key, key) kind(tin key, key) kind(iron key, key) kind(apple, food)
        leads(attic, east, barn) leads(barn, west, attic) leads(attic, north, den)
        leads(den, south, attic) leads(barn, east, cellar) leads(cellar, west, barn)
        leads(cellar, east, hall) leads(hall, west, cellar)
        door_at(gate, attic, east) door_at(gate, barn, west)
        at(box, attic) at(chest, attic) at(crate, barn) at(brass key, attic) at(tin key, den)
        at(iron key, barn) in(apple, chest)
        locked(box) shut(box) match(brass key, box) locked(gate) shut(gate) match(tin key, gate)
        unlocked(chest) open(chest) unlocked(crate) shut(crate)"""
    ))),
)  # fmt: skip
MATTERS: dict[str, Requirement] = {
    "where the apple was": placed(WORLD, "apple"),
    "the apple was not in the barn": absent(WORLD, "apple", "barn"),
    "the apple was in the chest, not in barn, box or crate": chosen(
        placed(WORLD, "apple"), *(absent(WORLD, "apple", spot) for spot in ("barn", "box", "crate"))
    ),
    "the gate is not in the cellar": away(WORLD, "gate", "cellar"),
    "east of the attic is the barn": passage(WORLD, "attic", "east"),
    "east of the barn is the cellar": passage(WORLD, "barn", "east"),
    "east of the attic is not the cellar": barred(WORLD, "attic", "east", "cellar"),
    "east of the barn is not the hall": barred(WORLD, "barn", "east", "hall"),
    "north of the barn is not the den": barred(WORLD, "barn", "north", "den"),
    "no passage joins attic and cellar": apart(WORLD, "attic", "cellar"),
    "the brass key fits the box": fits("brass key", "box"),
    "the tin key does not fit the box": unfit(WORLD, "tin key", "box"),
    "the iron key does not fit the box": unfit(WORLD, "iron key", "box"),
    "the brass key, not iron or tin, fits the box": chosen(
        fits("brass key", "box"), *(unfit(WORLD, key, "box") for key in ("iron key", "tin key"))
    ),
    "the iron key does not fit the chest": unfit(WORLD, "iron key", "chest"),
    "the iron key does not fit the crate": unfit(WORLD, "iron key", "crate"),
    "the box was locked": lock_state(WORLD, "box"),
    "the chest was not locked": lock_state(WORLD, "chest"),
    "the crate was not locked": lock_state(WORLD, "crate"),
    "the box was not open": lid_state(WORLD, "box"),
    "the chest was open": lid_state(WORLD, "chest"),
    "the crate was not open": lid_state(WORLD, "crate"),
}
TABLE = """
1. A thing is in one place only.
   where the apple was                                   | in(apple, chest)                | settled
   where the apple was                                   | listed(attic) listed(chest)     | open
   the apple was not in the barn                         | in(apple, chest)                | settled
   the apple was not in the barn                         | listed(barn)                    | settled
   the apple was not in the barn                         | listed(attic) at(crate, barn)   | open
   the apple was in the chest, not in barn, box or crate | listed(barn) listed(box) listed(crate) | settled
   the apple was in the chest, not in barn, box or crate | listed(barn) listed(crate)      | open
   the gate is not in the cellar                         | listed(cellar)                  | settled
   the gate is not in the cellar                         | door_at(gate, attic, east) door_at(gate, barn, west) | settled
   the gate is not in the cellar                         | door_at(gate, attic, east) listed(barn) | open

2. A passage leads back the way it came.
   east of the attic is the barn       | leads(attic, east, barn)                     | settled
   east of the attic is the barn       | leads(barn, west, attic)                     | settled
   east of the attic is the barn       | exit(attic, east) exit(barn, west)           | open
   east of the barn is the cellar      | leads(cellar, west, barn)                    | settled
   east of the barn is the cellar      | leads(attic, east, barn) exit(barn, east)    | open
   east of the barn is not the hall    | leads(hall, west, cellar)                    | settled
   east of the barn is not the hall    | leads(cellar, west, barn)                    | settled
   east of the barn is not the hall    | leads(attic, east, barn) leads(den, south, attic) | open
   north of the barn is not the den    | no_exit(barn, north)                         | settled
   north of the barn is not the den    | leads(attic, north, den)                     | settled
   north of the barn is not the den    | exit(den, south)                             | open

3. A passage has one door or none, the same from both of its rooms.
   east of the attic is the barn       | door_at(gate, attic, east) door_at(gate, barn, west) | settled
   east of the attic is the barn       | door_at(gate, attic, east) exit(barn, west)  | open
   east of the attic is not the cellar | exit(attic, east) exit(cellar, west)         | settled
   east of the attic is not the cellar | exit(attic, east) exit(barn, west)           | open
   east of the barn is not the hall    | exit(barn, east) exit(hall, west)            | open
   no passage joins attic and cellar   | no_exit(attic, south) no_exit(attic, west) no_exit(cellar, south) exit(attic, east) exit(cellar, west) | settled
   no passage joins attic and cellar   | no_exit(attic, south) no_exit(attic, west) exit(attic, north) exit(attic, east) exit(cellar, west) | open

4. A key fits one lock at most, and a lock takes one key.
   the brass key fits the box                   | match(brass key, box)                          | settled
   the brass key fits the box                   | locked(box) no_match(brass key, gate)          | open
   the tin key does not fit the box             | no_match(tin key, box)                         | settled
   the tin key does not fit the box             | match(tin key, gate)                           | settled
   the tin key does not fit the box             | match(brass key, box)                          | settled
   the tin key does not fit the box             | no_match(brass key, gate) locked(box)          | open
   the iron key does not fit the box            | match(brass key, box)                          | settled
   the iron key does not fit the box            | match(tin key, gate) no_match(iron key, gate)  | open
   the brass key, not iron or tin, fits the box | no_match(iron key, box) match(tin key, gate)   | settled
   the brass key, not iron or tin, fits the box | no_match(iron key, box) no_match(tin key, box) | settled
   the brass key, not iron or tin, fits the box | no_match(iron key, gate) match(tin key, gate)  | open

5. An open thing is not locked, and a locked one is not open.
   the chest was not locked | open(chest)      | settled
   the chest was not locked | unlocked(chest)  | settled
   the box was not open     | locked(box)      | settled
   the box was not open     | shut(box)        | settled
   the box was locked       | locked(box)      | settled
   the box was locked       | shut(box)        | open
   the chest was open       | open(chest)      | settled
   the chest was open       | unlocked(chest)  | open
   the crate was not open   | shut(crate)      | settled
   the crate was not open   | unlocked(crate)  | open
   the crate was not locked | unlocked(crate)  | settled
   the crate was not locked | shut(crate)      | open

6. A key fits only what was locked at the start.
   the iron key does not fit the chest | open(chest)     | settled
   the iron key does not fit the chest | unlocked(chest) | settled
   the iron key does not fit the chest | match(brass key, box) match(tin key, gate) | open
   the iron key does not fit the crate | unlocked(crate) | settled
   the iron key does not fit the crate | shut(crate)     | open
   the iron key does not fit the box   | locked(box)     | open
"""  # noqa: E501
BLOCKS = [block.strip().splitlines() for block in TABLE.strip().split("\n\n")]
ROWS = [tuple(part.strip() for part in row.split("|")) for _, *rows in BLOCKS for row in rows]


@pytest.mark.parametrize(("matter", "shown", "outcome"), ROWS)
def test_what_was_shown_settles_it_and_nothing_less_does(
    matter: str, shown: str, outcome: str
) -> None:
    requirement, seen = MATTERS[matter], facts(shown)
    assert WORLD.initial.issuperset(seen)
    assert met(requirement, seen) is (outcome == "settled")
    if outcome == "settled":
        assert not [less for less in seen if met(requirement, [f for f in seen if f != less])]


def test_the_table_is_about_the_laws_that_are_told_and_shows_both_sides_of_each() -> None:
    assert [heading.partition(". ")[2] for heading, *_ in BLOCKS] == list(LAWS)
    for _, *rows in BLOCKS:
        assert {row.rpartition("| ")[2] for row in rows} == {"settled", "open"}
    assert {matter for matter, *_ in ROWS} == set(MATTERS)
