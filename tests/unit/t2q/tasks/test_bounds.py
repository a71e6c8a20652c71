"""Closure, blocks and bounds: what can be reached, and what no plan can do without."""

from __future__ import annotations

import random
from collections.abc import Callable
from itertools import permutations
from typing import NamedTuple

import pytest

from worldquiz.facts.fact import IN, LOCKED, ON, State, parse
from worldquiz.t2q.tasks.bounds import Blocks, Musts, Walks
from worldquiz.t2q.tasks.closure import Closure, Distances
from worldquiz.t2q.tasks.layout import FREE, Terrain, each


class Parts(NamedTuple):
    layout: Terrain
    closure: Closure
    blocks: Blocks
    hops: Distances


def parts(state: State) -> Parts:
    layout = Terrain(state)
    steps = [(room, way.to, 1) for room, ways in enumerate(layout.exits) for way in ways]
    hops = Distances(len(layout.rooms), steps)
    closure = Closure(layout, hops)
    return Parts(layout, closure, Blocks(layout, closure), hops)


def reached(state: State) -> set[str]:
    layout, closure, *_ = parts(state)
    return {layout.rooms[room] for room in closure.rooms}


def test_the_whole_house_can_be_reached(house: State) -> None:
    layout, closure, *_ = parts(house)
    assert reached(house) == set(layout.rooms)
    assert {find.name for find, _ in closure.finds.values()} == set(layout.takes)
    assert closure.lost == 0


def test_a_lost_key_bars_what_it_would_open(corridor: Callable[..., State]) -> None:
    lock = (
        "kind(d, door) door_at(d, r1, east) door_at(d, r2, west) shut(d) locked(d)"
        " kind(k, key) match(k, d) at(k, {})"
    )
    assert reached(corridor(4, lock.format("r0"))) == {"r0", "r1", "r2", "r3"}
    state = corridor(4, lock.format("r3"))
    assert reached(state) == {"r0", "r1"}
    layout, closure, *_ = parts(state)
    assert closure.lost == layout.takes["k"]
    assert [way.direction for way in closure.exits[layout.number["r1"]]] == ["west"]


def test_everything_is_swept_after_what_it_needs(house: State) -> None:
    layout, closure, *_ = parts(house)
    swept = 0
    for thing in closure.order:
        if isinstance(thing, int):
            needs, own = closure.rooms[thing].needs, 0
        else:
            needs, own = closure.finds[thing.bit].way.needs, thing.bit
        assert not needs & layout.finding & ~swept & ~own
        swept |= own


def test_the_loop_of_the_house_is_one_block(house: State) -> None:
    layout, _, blocks, _ = parts(house)
    loop = {layout.number[room] for room in ("hall", "attic", "loft", "study")}
    assert {room for room, top in enumerate(blocks.top) if top == layout.start} == loop
    (gate,) = blocks.gates.values()
    assert layout.rooms[gate[layout.number["cellar"]]] == "hall"
    (bridge,) = blocks.bridges.values()
    assert bridge.near == layout.start
    assert bridge.toll == layout.opens["iron door"]


def test_without_the_key_the_loop_is_a_string_of_bridges(house: State) -> None:
    _, _, blocks, _ = parts(frozenset(fact for fact in house if fact.predicate != "match"))
    assert blocks.gates == {}
    assert len(blocks.bridges) == 4


def test_two_passages_between_two_rooms_are_no_bridge(corridor: Callable[..., State]) -> None:
    state = corridor(2, "leads(r0, north, r1) leads(r1, south, r0)")
    _, _, blocks, _ = parts(state)
    assert blocks.bridges == {}
    assert len(blocks.gates) == 1


def test_what_opening_the_oak_door_takes_in_any_case(house: State) -> None:
    layout, closure, blocks, _ = parts(house)
    musts = Musts(layout, closure, blocks)
    must = musts.at(layout.number["hall"], layout.opening("oak door"))
    wanted = layout.opening("oak door")[0] | layout.opens["iron door"]
    assert must == wanted
    assert musts.at(layout.number["study"], FREE) == 0
    assert musts.at(layout.number["cellar"], FREE) == layout.opens["iron door"]


def test_keys_behind_keys_are_all_demanded(house: State) -> None:
    state = house - {ON("tiny key", "oak table")} | {IN("tiny key", "toy chest")}
    state |= {LOCKED("toy chest"), parse("match(lead key, toy chest)")}
    layout, closure, blocks, _ = parts(state)
    musts = Musts(layout, closure, blocks)
    safe = musts.at(layout.number["study"], layout.opening("steel safe"))
    keys = {name for name, bit in layout.takes.items() if bit & safe}
    assert keys == {"tiny key", "lead key"}
    assert layout.opens["iron door"] & safe


def test_a_walk_down_a_branch_comes_back(corridor: Callable[..., State]) -> None:
    layout, closure, blocks, hops = parts(corridor(6, start=2))
    walks = Walks(layout, closure, blocks, hops, tolls=False)
    assert walks.least(2, 5, ()) == 3
    assert walks.least(2, 5, {4}) == 3
    assert walks.least(2, 5, {0}) == 7
    assert walks.least(2, 2, {0, 5}) == 10


def test_tolls_of_a_loop_count_once(house: State) -> None:
    """Hall to study: three moves round the loop, or one and the oak door's two tolls."""
    layout, closure, blocks, hops = parts(house)
    plain, paid = (Walks(layout, closure, blocks, hops, tolls=tolls) for tolls in (False, True))
    hall, study = layout.number["hall"], layout.number["study"]
    assert plain.least(hall, study, ()) == 1
    assert paid.least(hall, study, ()) == 3
    assert plain.least(hall, hall, {study}) == 2
    assert paid.least(hall, hall, {study}) == 4  # there and back, the tolls once
    assert plain.tolls == 0
    assert set(each(paid.tolls)) == {layout.opens["oak door"], layout.unlocks["oak door"]}


def maze(draw: random.Random, rooms: int, loops: int) -> State:
    """Draw a connected map without doors: directions are mere labels here."""
    names = [f"r{number}" for number in range(rooms)]
    pairs = [(draw.randrange(number), number) for number in range(1, rooms)]
    for _ in range(loops):
        first, second = sorted(draw.sample(range(rooms), 2))
        pairs.append((first, second))
    found = {parse("player_at(r0)"), *(parse(f"kind({name}, room)") for name in names)}
    for number, (first, second) in enumerate(pairs):
        found |= {
            parse(f"leads(r{first}, out {number}, r{second})"),
            parse(f"leads(r{second}, back {number}, r{first})"),
        }
    return frozenset(found)


@pytest.mark.parametrize("loops", [0, 1, 2, 4])
def test_no_walk_is_shorter_than_its_bound(loops: int) -> None:
    draw = random.Random(loops)
    tight = 0
    for _ in range(40):
        layout, closure, blocks, hops = parts(maze(draw, 8, loops))
        walks = Walks(layout, closure, blocks, hops, tolls=False)
        start, goal, *sites = (draw.randrange(8) for _ in range(5))
        walk = min(
            sum(hops.to(b)[a] for a, b in zip((start, *order), (*order, goal), strict=True))
            for order in permutations(sites)
        )
        assert walks.least(start, goal, sites) <= walk
        tight += walks.least(start, goal, sites) == walk
    assert tight == 40 if loops == 0 else tight >= 20
