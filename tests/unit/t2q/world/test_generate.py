"""Worlds from seeds: what the parameters promise holds of every world drawn."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

import worldquiz as wq
from games import solvable
from worldquiz.facts.fact import Fact
from worldquiz.t2q.compass import OPPOSITE
from worldquiz.t2q.world.config import KEY_WORDS, NOUNS, PRESETS, THING_WORDS
from worldquiz.t2q.world.predicates import DOOR_AT, LEADS, LOCKED, MATCH, PLACE

STEP = {"north": (0, 1), "east": (1, 0), "south": (0, -1), "west": (-1, 0)}
GAME = "worldquiz.t2q:Game"


@pytest.fixture(scope="module")
def specs(bundles: dict[str, list[Any]]) -> list[Any]:
    return [bundle.spec for some in bundles.values() for bundle in some]


def test_counts_stay_in_their_ranges(specs: list[Any]) -> None:
    for spec in specs:
        knobs = PRESETS[spec.level]
        things = spec.of_kind("door", "container", "supporter", "object", "food", "key")
        assert knobs.rooms[0] <= len(spec.rooms) <= knobs.rooms[1]
        assert knobs.objects[0] <= len(things) <= knobs.objects[1]
        locks = list(LOCKED.of(spec.facts))
        assert len(locks) == round(knobs.lock_fraction * len(spec.of_kind("container", "door")))
        spare = len(spec.of_kind("key")) - len(locks)
        assert knobs.distractor_keys[0] <= spare <= knobs.distractor_keys[1]


def test_the_map_is_a_connected_grid_whose_passages_lead_back(specs: list[Any]) -> None:
    for spec in specs:
        cell = {room.name: (room.x, room.y) for room in spec.rooms}
        assert len(set(cell.values())) == len(cell)
        facts = set(spec.facts)
        for room, way, other in LEADS.of(spec.facts):
            assert Fact("leads", (other, OPPOSITE[way], room)) in facts
            x, y = cell[room]
            assert cell[other] == (x + STEP[way][0], y + STEP[way][1])
        ends = {(room, way) for room, way, _ in LEADS.of(spec.facts)}
        assert all((room, way) in ends for _, room, way in DOOR_AT.of(spec.facts))


def test_every_world_is_solvable_and_every_thing_is_in_one_place(specs: list[Any]) -> None:
    for spec in specs:
        assert solvable(spec)
        placed = [fact.args[0] for fact in spec.facts if fact.predicate in PLACE]
        assert sorted(placed) == sorted(
            spec.of_kind("container", "supporter", "object", "food", "key")
        )


def test_locks_and_keys_pair_off_and_no_name_gives_a_match_away(specs: list[Any]) -> None:
    for spec in specs:
        pairs = list(MATCH.of(spec.facts))
        assert len({key for key, _ in pairs}) == len({lock for _, lock in pairs}) == len(pairs)
        assert {lock for _, lock in pairs} == {thing for (thing,) in LOCKED.of(spec.facts)}
        assert all(not set(key.split()) & set(lock.split()) for key, lock in pairs)


def test_key_words_and_thing_words_are_disjoint_and_fit_the_dictionary() -> None:
    assert not set(KEY_WORDS) & set(THING_WORDS)
    nouns = [noun for kind, names in NOUNS.items() if kind != "room" for noun in names]
    assert len(set(nouns)) == len(nouns), "one noun, one kind"
    assert all(len(word) <= 9 for word in [*nouns, *NOUNS["room"], *KEY_WORDS, *THING_WORDS])


def test_a_solvability_proof_fails_when_a_key_lies_behind_its_own_lock(
    specs: list[Any], tmp_path: Path
) -> None:
    spec = next(spec for spec in specs if spec.level == "hard")
    key, lock = next((k, lk) for k, lk in MATCH.of(spec.facts) if spec.kinds[lk] == "container")
    facts = {fact for fact in spec.facts if not (fact.predicate in PLACE and fact.args[0] == key)}
    broken = replace(spec, facts=tuple(sorted(facts | {Fact("in", (key, lock))})))
    assert not solvable(broken)
    with pytest.raises(wq.WorldquizError, match=lock):
        wq.t2q.suite([broken], out=tmp_path, opened_by=GAME)


@pytest.mark.parametrize(
    ("change", "fault"),
    [
        ({"start": "attik"}, "world 'w': start: 'attik' is not a room"),
        ({"without": "at"}, "no fact says where it is"),
        ({"without": "shut"}, "must be either open or shut"),
        ({"without": "kind"}, "is not a room"),
        ({"more": Fact("at", ("unicorn", "den"))}, r"at\(unicorn, den\): no 'unicorn'"),
    ],
)
def test_a_spec_that_is_no_world_is_told(
    specs: list[Any], tmp_path: Path, change: dict[str, Any], fault: str
) -> None:
    spec = replace(next(spec for spec in specs if spec.level == "medium"), id="w")
    facts = [fact for fact in spec.facts if fact.predicate != change.get("without")]
    facts += [change["more"]] if "more" in change else []
    wrong = replace(spec, start=change.get("start", spec.start), facts=tuple(facts))
    with pytest.raises(wq.WorldquizError, match=fault):
        wq.t2q.suite([wrong], out=tmp_path, opened_by=GAME)


def test_a_thousand_rooms_have_a_thousand_names() -> None:
    from worldquiz.t2q.world.generate import generate

    knobs = replace(PRESETS["medium"], rooms=(1000, 1000), objects=(800, 800))
    spec = generate(knobs, 1, id="big")
    assert len(spec.rooms) == len({room.name for room in spec.rooms}) == 1000
    assert solvable(spec)
