"""Maps: where rooms stand, what each mark needs to count as seen, and that all is drawn once."""

from __future__ import annotations

import xml.etree.ElementTree as ET
from collections.abc import Callable
from dataclasses import replace
from itertools import combinations

import pytest

import synthetic
from worldquiz.facts.evidence import Evidence
from worldquiz.facts.fact import PLACE, Fact, parse
from worldquiz.facts.requirement import Moment
from worldquiz.t2q.report.maps import Sight, draw, number, sight
from worldquiz.t2q.world.spec import Room, WorldSpec

SVG = "{http://www.w3.org/2000/svg}"
SpecOf = Callable[[str, int], WorldSpec]


def drawn(spec: WorldSpec) -> ET.Element:
    return ET.fromstring(draw(spec))


def marks(spec: WorldSpec, kind: str) -> list[tuple[str, str, list[str]]]:
    """Return (name, text, facts that show it) of each mark of a kind."""
    names = {str(place): str(fact) for fact, place in number(spec).items()}
    return [
        (
            mark.attrib["data-name"],
            "".join(mark.itertext()).strip(),
            [names[place] for place in mark.attrib["data-f"].split()],
        )
        for mark in drawn(spec).iter()
        if kind in mark.attrib.get("class", "").split() and "data-f" in mark.attrib
    ]


def boxes(spec: WorldSpec) -> dict[str, tuple[float, float, float, float]]:
    """Return each room's (left, top, right, bottom)."""
    found = {}
    for room in drawn(spec).iter(f"{SVG}g"):
        if "room" in room.attrib["class"].split():
            rect = next(room.iter(f"{SVG}rect")).attrib
            x, y, w, h = (float(rect[key]) for key in ("x", "y", "width", "height"))
            found[room.attrib["data-name"]] = (x, y, x + w, y + h)
    return found


def test_rooms_stand_as_the_compass_says() -> None:
    found = boxes(synthetic.spec())
    assert found["attic"][3] < found["hall"][1]  # north is up
    assert found["attic"][0] == found["hall"][0]
    assert found["cellar"][0] > found["hall"][2]  # east is right


def test_the_start_is_marked() -> None:
    assert [(name, text) for name, text, _ in marks(synthetic.spec(), "start")] == [
        ("hall", "hallstart")
    ]


def test_a_room_counts_as_seen_once_its_content_was_listed() -> None:
    assert {name: facts for name, _, facts in marks(synthetic.spec(), "room")} == {
        room: [f"listed({room})"] for room in ("hall", "attic", "cellar")
    }


def test_each_thing_needs_its_own_place_fact() -> None:
    assert {name: facts for name, _, facts in marks(synthetic.spec(), "thing")} == {
        "pine table": ["at(pine table, hall)"],
        "brass key": ["on(brass key, pine table)"],
        "iron chest": ["at(iron chest, attic)"],
        "red apple": ["in(red apple, iron chest)"],
        "blue vase": ["at(blue vase, cellar)"],
    }


def test_a_key_names_its_lock_and_that_needs_turning_it() -> None:
    assert marks(synthetic.spec(), "fits") == [
        ("oak door", "oak door", ["match(brass key, oak door)"])
    ]


def test_closed_shows_at_a_glance_but_locked_must_be_tried() -> None:
    assert marks(synthetic.spec(), "state") == [
        ("oak door", "closed", ["shut(oak door)", "locked(oak door)"]),
        ("oak door", "locked", ["locked(oak door)"]),
        ("iron chest", "closed", ["shut(iron chest)"]),
        ("iron chest", "unlocked", ["unlocked(iron chest)"]),
    ]


def test_an_open_thing_is_known_to_be_unlocked_by_looking() -> None:
    swaps = {"shut(iron chest)": "open(iron chest)"}
    world = tuple(sorted(parse(swaps.get(str(f), str(f))) for f in synthetic.spec().facts))
    spec = replace(synthetic.spec(), facts=world)
    assert ("iron chest", "open", ["open(iron chest)"]) in marks(spec, "state")
    seen = Evidence.of(synthetic.scouted("w"), spec.initial)
    assert sight(spec, seen).locks == (1, 2)  # the scout saw no open chest


def test_a_passage_needs_walking_and_its_ends_need_noticing() -> None:
    assert {facts[0] for _, _, facts in marks(synthetic.spec(), "way")} == {
        "leads(attic, south, hall)", "leads(cellar, west, hall)",
    }  # fmt: skip
    ends = [facts[0] for _, _, facts in marks(synthetic.spec(), "exit")]
    assert sorted(ends) == [
        "exit(attic, south)", "exit(cellar, west)", "exit(hall, east)", "exit(hall, north)",
    ]  # fmt: skip


def test_what_the_scout_saw() -> None:
    spec = synthetic.spec()
    assert sight(spec, Evidence.of(synthetic.scouted("w"), spec.initial)) == Sight(
        rooms=(2, 3), passages=(1, 2), exits=(3, 4), things=(3, 5), locks=(1, 2), matches=(0, 1)
    )


def test_what_who_stayed_at_the_start_saw() -> None:
    spec = synthetic.spec()
    assert sight(spec, Evidence.of(synthetic.idled("w"), spec.initial)) == Sight(
        rooms=(1, 3), passages=(0, 2), exits=(2, 4), things=(2, 5), locks=(0, 2), matches=(0, 1)
    )


def test_nothing_seen_is_nothing_of_all() -> None:
    spec = synthetic.spec()
    found = sight(spec, Evidence({}))
    assert {getattr(found, name)[0] for name in Sight.__slots__} == {0}
    everything: dict[Fact, Moment] = dict.fromkeys(spec.initial, Moment(0, 0))
    whole = sight(spec, Evidence(everything))
    assert all(seen == total for seen, total in (getattr(whole, n) for n in Sight.__slots__))


def test_names_cannot_break_out_of_the_drawing() -> None:
    name = "<b>\"x'&amp;"
    facts = (parse("kind(hall, room)"), Fact("kind", (name, "object")), Fact("at", (name, "hall")))
    spec = WorldSpec("<id>", "easy", 1, "hall", (Room("hall", 0, 0),), facts, True)
    assert [found[0] for found in marks(spec, "thing")] == [name]
    assert "<b>" not in draw(spec)


def test_a_single_empty_room_can_be_drawn() -> None:
    spec = WorldSpec(
        "w", "easy", 1, "hall", (Room("hall", 5, -3),), (parse("kind(hall, room)"),), True
    )
    assert list(boxes(spec)) == ["hall"]


@pytest.mark.parametrize(("level", "seed"), [("easy", 1), ("medium", 2), ("hard", 3), ("hard", 4)])
def test_drawn_worlds_show_all_once_and_nothing_overlaps(
    spec_of: SpecOf, level: str, seed: int
) -> None:
    spec = spec_of(level, seed)
    placed = sorted(str(fact) for fact in spec.facts if fact.predicate in PLACE)
    assert sorted(facts[0] for _, _, facts in marks(spec, "thing")) == placed
    assert sorted(name for name, _, _ in marks(spec, "door")) == list(spec.of_kind("door"))
    found = boxes(spec)
    assert sorted(found) == list(spec.of_kind("room"))
    for a, b in combinations(found.values(), 2):
        assert a[2] < b[0] or b[2] < a[0] or a[3] < b[1] or b[3] < a[1]
    view = [float(part) for part in drawn(spec).attrib["viewBox"].split()]
    assert all(x0 >= 0 and y0 >= 0 and x1 <= view[2] and y1 <= view[3]
               for x0, y0, x1, y1 in found.values())  # fmt: skip


def test_equal_specs_equal_drawings(spec_of: SpecOf) -> None:
    assert draw(spec_of("hard", 3)) == draw(spec_of("hard", 3))
