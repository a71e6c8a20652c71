from __future__ import annotations

import pytest

from conftest import SpecOf
from worldquiz.facts.fact import parse
from worldquiz.t2q.cli.suite import LEGEND, drawn
from worldquiz.t2q.world.spec import Room, WorldSpec

FACTS = (
    "kind(attic, room)", "kind(hall, room)", "kind(study, room)", "kind(vault, room)",
    "kind(gate, door)", "kind(hatch, door)", "kind(safe, door)",
    "leads(hall, north, attic)", "leads(attic, south, hall)",
    "leads(hall, east, study)", "leads(study, west, hall)",
    "leads(study, south, vault)", "leads(vault, north, study)",
    "door_at(gate, hall, north)", "door_at(gate, attic, south)", "open(gate)", "unlocked(gate)",
    "door_at(hatch, hall, east)", "door_at(hatch, study, west)", "shut(hatch)", "unlocked(hatch)",
    "door_at(safe, study, south)", "door_at(safe, vault, north)", "shut(safe)", "locked(safe)",
)  # fmt: skip
ROOMS = (Room("hall", 0, 0), Room("attic", 0, 1), Room("study", 1, 0), Room("vault", 1, -1))


def test_a_map_reads_like_this() -> None:
    spec = WorldSpec("toy", "toy", 0, "hall", ROOMS, tuple(map(parse, FACTS)), True)
    assert drawn(spec).splitlines() == [
        "attic",
        "  /",
        "*hall  + study",
        "           #",
        "         vault",
    ]


def test_every_sign_is_in_the_legend() -> None:
    assert all(sign in LEGEND for sign in "*-|/+#")


@pytest.mark.parametrize("seed", range(5))
@pytest.mark.parametrize("level", ["easy", "medium", "hard"])
def test_every_room_and_passage_is_drawn_once(level: str, seed: int, spec_of: SpecOf) -> None:
    spec = spec_of(level, seed)
    text = drawn(spec)
    for room in spec.rooms:
        assert text.count(room.name) >= 1
    passages = sum(fact.predicate == "leads" for fact in spec.facts) // 2
    names = text
    for name in sorted((room.name for room in spec.rooms), key=len, reverse=True):
        names = names.replace(name, "")
    assert sum(names.count(sign) for sign in "-|/+#") == passages
    assert names.count("*") == 1
