"""Worlds from seeds: what the knobs promise holds of every world drawn."""

from __future__ import annotations

import dataclasses
import os
import subprocess
import sys
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from games import solvable
from worldquiz.errors import PlanError, WorldError
from worldquiz.facts.fact import DOOR_AT, LEADS, LOCKED, MATCH, OPPOSITE, PLACE, Fact
from worldquiz.t2q import WorldSpec
from worldquiz.t2q.tasks.targets import tasks
from worldquiz.t2q.world.config import (
    KEY_WORDS,
    NOUNS,
    PRESETS,
    THING_WORDS,
    Knobs,
)
from worldquiz.t2q.world.generate import STEP, generate
from worldquiz.t2q.world.spec import check_spec

LEVELS = sorted(PRESETS)
worlds = st.builds(
    lambda level, seed: generate(PRESETS[level], seed, id=f"{level}-{seed}", level=level),
    st.sampled_from(LEVELS),
    st.integers(0, 10**9),
)


@settings(max_examples=60, deadline=None)
@given(worlds)
def test_counts_stay_in_their_ranges(spec: WorldSpec) -> None:
    knobs = PRESETS[spec.level]
    things = spec.of_kind("door", "container", "supporter", "object", "food", "key")
    assert knobs.rooms[0] <= len(spec.rooms) <= knobs.rooms[1]
    assert knobs.objects[0] <= len(things) <= knobs.objects[1]
    lockable = spec.of_kind("container", "door")
    locks = list(LOCKED.of(spec.facts))
    assert len(locks) == round(knobs.lock_fraction * len(lockable))
    spare = len(spec.of_kind("key")) - len(locks)
    assert knobs.distractor_keys[0] <= spare <= knobs.distractor_keys[1]


@settings(max_examples=60, deadline=None)
@given(worlds)
def test_the_map_is_a_connected_grid_whose_passages_lead_back(spec: WorldSpec) -> None:
    cell = {room.name: (room.x, room.y) for room in spec.rooms}
    assert len(set(cell.values())) == len(cell)
    facts = set(spec.facts)
    for room, way, other in LEADS.of(spec.facts):
        assert Fact("leads", (other, OPPOSITE[way], room)) in facts
        x, y = cell[room]
        assert cell[other] == (x + STEP[way][0], y + STEP[way][1])
    for door, room, way in DOOR_AT.of(spec.facts):
        assert any((a, b) == (room, way) for a, b, _ in LEADS.of(spec.facts)), door


@settings(max_examples=60, deadline=None)
@given(worlds)
def test_every_world_is_solvable_and_every_thing_is_in_one_place(spec: WorldSpec) -> None:
    assert solvable(spec)
    placed = [fact.args[0] for fact in spec.facts if fact.predicate in PLACE]
    movable = spec.of_kind("container", "supporter", "object", "food", "key")
    assert sorted(placed) == sorted(movable)


@settings(max_examples=60, deadline=None)
@given(worlds)
def test_locks_and_keys_pair_off(spec: WorldSpec) -> None:
    pairs = list(MATCH.of(spec.facts))
    assert len({key for key, _ in pairs}) == len({lock for _, lock in pairs}) == len(pairs)
    assert {lock for _, lock in pairs} == {thing for (thing,) in LOCKED.of(spec.facts)}


@settings(max_examples=60, deadline=None)
@given(worlds)
def test_names_never_give_a_match_away(spec: WorldSpec) -> None:
    for key, lock in MATCH.of(spec.facts):
        assert not set(key.split()) & set(lock.split()), (key, lock)


def test_key_words_and_thing_words_are_disjoint_and_fit_the_dictionary() -> None:
    assert not set(KEY_WORDS) & set(THING_WORDS)
    nouns = [noun for kind, names in NOUNS.items() if kind != "room" for noun in names]
    assert len(set(nouns)) == len(nouns), "one noun, one kind"
    assert all(len(word) <= 9 for word in [*nouns, *NOUNS["room"], *KEY_WORDS, *THING_WORDS])


def test_a_solvability_proof_fails_when_a_key_lies_behind_its_own_lock() -> None:
    spec = generate(PRESETS["hard"], 11, id="hard-11", level="hard")
    key, lock = next((k, lk) for k, lk in MATCH.of(spec.facts) if spec.kinds[lk] == "container")
    facts = {fact for fact in spec.facts if not (fact.predicate in PLACE and fact.args[0] == key)}
    broken = dataclasses.replace(spec, facts=tuple(sorted(facts | {Fact("in", (key, lock))})))
    assert not solvable(broken)
    with pytest.raises(PlanError, match=lock):
        tasks(broken)


@pytest.mark.parametrize(
    ("change", "fault"),
    [
        ({"start": "attik"}, "world 'w': start: no room 'attik'"),
        ({"without": "at"}, "no fact says where it is"),
        ({"without": "shut"}, "is not either open or shut"),
        ({"without": "kind"}, "start: no room"),
        ({"more": Fact("at", ("unicorn", "den"))}, r"at\(unicorn, den\): no 'unicorn'"),
    ],
)
def test_a_spec_that_is_no_world_is_told(change: dict[str, Any], fault: str) -> None:
    spec = generate(PRESETS["medium"], 1, id="w")
    facts = [fact for fact in spec.facts if fact.predicate != change.get("without")]
    facts += [change["more"]] if "more" in change else []
    start = change.get("start", spec.start)
    with pytest.raises(WorldError, match=fault):
        check_spec(dataclasses.replace(spec, start=start, facts=tuple(facts)), "world 'w'")


@pytest.mark.slow
def test_same_seed_same_bytes_under_any_hash_seed() -> None:
    code = (
        "from worldquiz.t2q.world.generate import generate\n"
        "from worldquiz.t2q.world.config import PRESETS\n"
        "from worldquiz.records import digest\n"
        "spec = generate(PRESETS['medium'], 7, id='m')\n"
        "print(digest(repr(spec)))"
    )
    outputs = {
        subprocess.run(
            [sys.executable, "-W", "ignore", "-c", code],
            env={**os.environ, "PYTHONHASHSEED": hash_seed},
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        for hash_seed in ("0", "1", "4711")
    }
    assert len(outputs) == 1


def test_a_thousand_rooms_have_a_thousand_names() -> None:
    spec = generate(Knobs(rooms=(1000, 1000), objects=(1000, 1000)), 1, id="big")
    assert len(spec.rooms) == len({room.name for room in spec.rooms}) == 1000
    assert solvable(spec)
