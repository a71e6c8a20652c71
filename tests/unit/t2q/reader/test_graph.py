"""The six laws, and that nothing else is inferred."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from worldquiz.facts.fact import DIRECTIONS, OPPOSITE
from worldquiz.t2q.reader.graph import Graph


def no_exits(*rooms: str, **exits: str) -> Graph:
    """A graph in which rooms were seen without exits, and others with the exits named."""
    graph = Graph()
    graph.exits = {room: {} for room in rooms}
    graph.exits |= {room: dict.fromkeys(ways.split()) for room, ways in exits.items()}
    return graph


def test_nothing_is_known_at_first() -> None:
    graph = Graph()
    assert graph.was_at("hat", "attic") is None
    assert graph.leads("attic", "north", "study") is None
    assert graph.adjacent("attic", "study") is None
    assert graph.matches("key", "box") is None
    assert graph.locked("box") is None
    assert graph.opened("box") is None
    assert graph.offset("attic", "study") is None


class TestLaw1:
    """A thing is in one place only."""

    def test_what_is_here_is_not_there(self) -> None:
        graph = Graph()
        graph.list_spot("attic", frozenset({"hat"}))
        assert graph.was_at("hat", "attic") is True
        assert graph.was_at("hat", "study") is False

    def test_a_listed_spot_holds_nothing_else(self) -> None:
        graph = Graph()
        graph.list_spot("attic", frozenset({"hat"}))
        assert graph.was_at("egg", "attic") is False
        assert graph.was_at("egg", "study") is None

    def test_a_door_is_in_both_rooms_that_it_joins(self) -> None:
        graph = Graph(exits={"attic": {"north": "gate"}, "study": {"south": "gate"}})
        assert graph.ends("gate") == ["attic", "study"]
        assert graph.was_at("gate", "attic") is graph.was_at("gate", "study") is True
        assert graph.was_at("gate", "cellar") is False
        assert graph.where("gate") == "attic"

    def test_a_door_seen_from_one_side_has_another(self) -> None:
        graph = Graph(exits={"attic": {"north": "gate"}}, contents={"sauna": frozenset()})
        assert graph.was_at("gate", "attic") is True
        assert graph.was_at("gate", "sauna") is False
        assert graph.was_at("gate", "study") is None


class TestLaw2:
    """A passage leads back the way it came."""

    @given(st.sampled_from(DIRECTIONS))
    def test_walking_tells_the_way_back(self, way: str) -> None:
        graph = Graph()
        graph.walk("attic", way, "study")
        assert graph.leads("study", OPPOSITE[way], "attic") is True
        assert graph.adjacent("study", "attic") is True

    def test_a_wall_on_the_other_side_bars_the_way(self) -> None:
        graph = no_exits("study", attic="north")
        assert graph.leads("attic", "north", "study") is False

    def test_a_known_way_back_bars_others(self) -> None:
        graph = no_exits(attic="north", study="south")
        graph.walk("cellar", "north", "study")
        assert graph.leads("attic", "north", "study") is False

    def test_rooms_are_apart_once_all_four_ways_are_barred(self) -> None:
        graph = no_exits("study", attic="north south")
        assert graph.adjacent("attic", "study") is False


def seen(**exits: dict[str, str | None]) -> Graph:
    """A graph in which rooms were seen, each with its exits and their doors."""
    return Graph(exits=exits)


class TestLaw3:
    """A passage has one door or none, the same from both of its rooms."""

    def test_a_door_seen_from_both_rooms_is_as_good_as_a_walk(self) -> None:
        graph = seen(attic={"north": "gate"}, study={"south": "gate"})
        assert graph.leads("attic", "north", "study") is True
        assert graph.leads("study", "south", "attic") is True
        assert graph.adjacent("attic", "study") is True
        assert graph.behind("attic", "north") == "study"
        assert graph.offset("attic", "study") == (0, 1)

    def test_what_its_door_joins_to_one_room_is_joined_to_no_other(self) -> None:
        graph = seen(attic={"north": "gate"}, study={"south": "gate"})
        assert graph.leads("attic", "north", "cellar") is False
        assert graph.leads("cellar", "north", "study") is False

    @pytest.mark.parametrize("other", ["hatch", None])
    def test_exits_whose_doors_differ_are_not_one_passage(self, other: str | None) -> None:
        graph = seen(attic={"north": "gate"}, study={"south": other})
        assert graph.leads("attic", "north", "study") is False
        assert graph.leads("study", "south", "attic") is False
        assert graph.adjacent("attic", "study") is False

    def test_two_bare_exits_may_be_one_passage(self) -> None:
        graph = seen(attic={"north": None}, study={"south": None})
        assert graph.leads("attic", "north", "study") is None


class TestLaw4:
    """A key fits one lock at most and a lock takes one key."""

    def test_a_key_that_fits_one_fits_no_other(self) -> None:
        graph = Graph(fits={"tin key": "box"})
        assert graph.matches("tin key", "box") is True
        assert graph.matches("tin key", "gate") is False

    def test_a_lock_that_has_its_key_takes_no_other(self) -> None:
        assert Graph(fits={"tin key": "box"}).matches("old key", "box") is False

    def test_a_key_tried_in_vain_does_not_fit(self) -> None:
        graph = Graph(unfit={("tin key", "box")})
        assert graph.matches("tin key", "box") is False
        assert graph.matches("tin key", "gate") is None


class TestLaw5:
    """An open thing is not locked; a locked one is not open."""

    def test_open_is_unlocked(self) -> None:
        assert Graph(lids={"box": True}).locked("box") is False

    def test_locked_is_closed(self) -> None:
        assert Graph(locks={"box": True}).opened("box") is False


class TestLaw6:
    """A key fits only what was locked at the start."""

    @pytest.mark.parametrize("seen", [Graph(locks={"box": False}), Graph(lids={"box": True})])
    def test_no_key_fits_what_was_not_locked(self, seen: Graph) -> None:
        assert seen.matches("tin key", "box") is False
        assert seen.matches("tin key", "gate") is None

    @pytest.mark.parametrize("seen", [Graph(locks={"box": True}), Graph(lids={"box": False})])
    def test_what_was_locked_or_may_have_been_leaves_it_open(self, seen: Graph) -> None:
        assert seen.matches("tin key", "box") is None


def test_offsets_follow_known_passages_only() -> None:
    graph = Graph()
    graph.walk("attic", "north", "study")
    graph.walk("study", "east", "cellar")
    assert graph.offset("attic", "cellar") == (1, 1)
    assert graph.offset("cellar", "attic") == (-1, -1)
    assert graph.offset("attic", "attic") == (0, 0)
    assert graph.offset("attic", "sauna") is None


@given(st.lists(st.sampled_from(DIRECTIONS), min_size=1, max_size=8))
def test_offsets_turn_round(ways: list[str]) -> None:
    assume(all(OPPOSITE[way] != onward for way, onward in pairwise(ways)))
    graph = Graph()
    for number, way in enumerate(ways):
        graph.walk(f"room {number}", way, f"room {number + 1}")
    there = graph.offset("room 0", f"room {len(ways)}")
    back = graph.offset(f"room {len(ways)}", "room 0")
    assert there is not None
    assert back == (-there[0], -there[1])


def test_kinds_are_told_by_tasting_before_nouns() -> None:
    graph = Graph(edible={"wax apple": False, "odd lump": True})
    assert graph.category("odd lump") == "food"
    assert graph.category("wax apple") == "object"
    assert graph.category("old apple") == "food"
    assert graph.category("tin key") == "key"
    assert graph.category("hat") == "object"
