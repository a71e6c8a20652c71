"""How facts become numbered rooms and charges."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from worldquiz.facts.fact import AT, CARRIED, IN, LOCKED, MATCH, ON, OPEN, SHUT, State
from worldquiz.t2q.tasks.layout import FREE, TARGETS, Terrain, affordable, each, shared, united


def named(layout: Terrain, charge: int) -> set[str]:
    """Say a charge in words."""
    tables = {"open": layout.opens, "unlock": layout.unlocks, "take": layout.takes}
    words = {bit: f"{verb} {name}" for verb, table in tables.items() for name, bit in table.items()}
    return {words.get(bit, "take the target") for bit in each(charge)}


def test_rooms_are_numbered_by_name(house: State) -> None:
    layout = Terrain(house)
    assert layout.rooms == ["attic", "cellar", "hall", "loft", "study"]
    assert layout.rooms[layout.start] == "hall"


def test_every_action_has_a_bit_of_its_own(house: State) -> None:
    layout = Terrain(house)
    bits = [*layout.opens.values(), *layout.unlocks.values(), *layout.takes.values(), *TARGETS]
    assert len(set(bits)) == len(bits)
    assert all(bit.bit_count() == 1 for bit in bits)


def test_what_a_locked_door_demands(house: State) -> None:
    layout = Terrain(house)
    (charge,) = layout.opening("oak door")
    assert named(layout, charge) == {
        "unlock oak door", "open oak door", "take brass key", "open toy chest",
    }  # fmt: skip


def test_what_stands_open_is_free_and_what_is_shut_costs_its_opening(house: State) -> None:
    layout = Terrain(house - {SHUT("iron door")} | {OPEN("iron door")})
    assert layout.opening("iron door") == FREE
    (charge,) = layout.opening("toy chest")
    assert named(layout, charge) == {"open toy chest"}


def test_what_taking_demands(house: State) -> None:
    layout = Terrain(house)
    find = layout.find("apple")
    assert find is not None
    assert (find.bit, layout.rooms[find.room], find.at_once) == (TARGETS[0], "study", False)
    assert named(layout, find.charges[0]) == {
        "take the target", "unlock steel safe", "open steel safe", "take tiny key",
    }  # fmt: skip


def test_the_second_target_has_another_bit(house: State) -> None:
    find = Terrain(house).find("lamp", TARGETS[1])
    assert find is not None
    assert find.bit == find.charges[0] == TARGETS[1]


def test_a_key_in_hand_costs_nothing(house: State) -> None:
    layout = Terrain(house - {IN("brass key", "toy chest")} | {CARRIED("brass key")})
    (charge,) = layout.opening("oak door")
    assert named(layout, charge) == {"unlock oak door", "open oak door"}
    assert "brass key" not in layout.takes


def test_each_key_that_fits_a_door_is_a_charge(house: State) -> None:
    layout = Terrain(house | {MATCH("lead key", "oak door")})
    cheap, dear = layout.opening("oak door")
    assert "take lead key" in named(layout, cheap)
    assert "take brass key" in named(layout, dear)
    assert cheap.bit_count() < dear.bit_count()


def test_a_charge_that_contains_another_is_dropped(house: State) -> None:
    """The brass key comes out of the chest that the lead key opens: the lead key alone will do."""
    state = house - {MATCH("brass key", "oak door")} | {LOCKED("toy chest")}
    state |= {MATCH("lead key", "toy chest"), MATCH("lead key", "oak door")}
    layout = Terrain(state | {MATCH("brass key", "oak door")})
    assert len(layout.opening("oak door")) == 1


def test_a_lid_that_several_keys_fit_is_a_find_paid_for_at_once(house: State) -> None:
    layout = Terrain(house | {MATCH("lead key", "steel safe")})
    lid = next(find for find in layout.finds if find.at_once)
    assert (lid.name, lid.bit, len(lid.charges)) == ("steel safe", layout.opens["steel safe"], 2)
    apple = layout.find("apple")
    assert apple is not None
    assert named(layout, apple.charges[0]) == {"take the target", "open steel safe"}


def test_what_cannot_be_taken_is_no_find(house: State) -> None:
    layout = Terrain(house - {MATCH("tiny key", "steel safe"), AT("lamp", "hall")})
    assert [layout.find(thing) for thing in ("apple", "lamp", "oak table", "hall")] == [None] * 4


def test_a_key_inside_what_it_locks_is_no_find(house: State) -> None:
    layout = Terrain(house - {ON("tiny key", "oak table")} | {IN("tiny key", "steel safe")})
    assert layout.find("tiny key") is None
    assert layout.opening("steel safe") == ()


def test_doors_are_worked_from_both_rooms_and_holders_from_theirs(house: State) -> None:
    layout = Terrain(house)
    where = {thing: [layout.rooms[room] for room in layout.before(thing)] for thing in layout.kinds}
    assert where["oak door"] == ["hall", "study"]
    assert where["oak table"] == ["attic"]
    assert where["hall"] == []


def test_the_order_of_facts_changes_nothing(house: State) -> None:
    facts = sorted(house)
    there, back = Terrain(frozenset(facts)), Terrain(frozenset(reversed(facts)))
    assert vars(there) == vars(back)


def test_charges_are_sets() -> None:
    assert each(0b10110) == [0b10, 0b100, 0b10000]
    assert shared((0b110, 0b011)) == 0b010
    assert united((0b110, 0b011)) == 0b111
    assert shared(()) == united(()) == 0


@pytest.mark.parametrize(
    ("missing", "done", "charge"),
    [(0, 0, 0b001), (0b001, 0, 0b110), (0, 0b110, 0b110), (0b101, 0, None), (0b111, 0, None)],
)
def test_the_affordable_charge_that_adds_least(missing: int, done: int, charge: int | None) -> None:
    assert affordable((0b001, 0b110), missing, done) == charge


def test_one_door_may_hang_in_a_corridor(corridor: Callable[..., State]) -> None:
    door = "kind(d, door) door_at(d, r0, east) door_at(d, r1, west) shut(d) unlocked(d)"
    layout = Terrain(corridor(3, door))
    assert [[way.door for way in exits] for exits in layout.exits] == [["d"], [None, "d"], [None]]
