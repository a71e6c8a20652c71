from __future__ import annotations

from dataclasses import replace

import pytest

from scenes import walkable
from worldquiz_scenes import generate as generating
from worldquiz_scenes import place
from worldquiz_scenes.config import Knobs
from worldquiz_scenes.errors import ParameterError
from worldquiz_scenes.furniture import LABELS, STOCK
from worldquiz_scenes.generate import generate, inside, named, overlaps, suite
from worldquiz_scenes.locomotion import Ground
from worldquiz_scenes.paints import STYLES, Draw
from worldquiz_scenes.place import Piece, Placement, Site
from worldquiz_scenes.rng import child
from worldquiz_scenes.save import problems
from worldquiz_scenes.scene import CEILING, FLOOR, WALL, Paint, Part, Room, Scene, Shape, Thing

GREY = Paint("grey", (0.5, 0.5, 0.5), "wood")


def box(id: str, x: float, support: str = FLOOR, half: float = 0.1) -> Thing:
    part = Part(Shape.BOX, (0, 0, 0), (half, half, half), GREY)
    return Thing(id, "box", "container", "hall-1", (x, 1.0, half), (1.0, 0.0, 0.0, 0.0),
                 (half, half, half), (part,), GREY, support)  # fmt: skip


def test_a_generated_flat_is_lawful(flat: Scene) -> None:
    assert list(problems(flat)) == []
    assert overlaps(flat.things) == []
    assert all(inside(thing, flat.room[thing.room]) for thing in flat.things)
    assert walkable(flat.rooms, flat.doors, flat.things)


def test_its_labels_are_those_of_the_catalogue(flat: Scene) -> None:
    assert all(LABELS[thing.label] for thing in flat.things)
    assert len({thing.label for thing in flat.things}) > 35
    assert all(thing.credit == "worldquiz, CC0-1.0" for thing in flat.things)


def test_chains_of_support_end_at_the_house(flat: Scene) -> None:
    for thing in flat.things:
        assert flat.under(thing.id)[-1] in (FLOOR, WALL, CEILING)
    assert max(len(flat.under(thing.id)) for thing in flat.things) >= 2


def test_the_walker_of_the_simulator_reaches_every_room(flat: Scene) -> None:
    """Its grid is another one than that which the generator repairs by."""
    pytest.importorskip("scipy")
    ground = Ground(flat)
    assert ground.free(*flat.start[:2])
    there = {ground.room(x, y) for x, y in ground.grid.points.tolist()}
    assert there == {room.name for room in flat.rooms}


def test_a_preset_is_so_many_scenes_each_of_its_own() -> None:
    first, second = suite("tiny", 3, scenes=2)
    assert (first.id, second.id) == ("tiny-01", "tiny-02")
    assert first.seed != second.seed
    assert first.things != second.things
    assert suite("tiny", 3, scenes=1) == [first]


def test_names_count_labels_room_by_room(tiny: Scene) -> None:
    for thing in tiny.things:
        label, _, number = thing.id.rpartition("-")
        assert label == thing.label.replace(" ", "-")
        peers = [other for other in tiny.things if other.label == thing.label]
        assert 1 <= int(number) <= len(peers)
    assert [thing.id for thing in tiny.things] == sorted(thing.id for thing in tiny.things)


def test_supports_are_renamed_with_what_they_name() -> None:
    on = box("b", 1.0, support="a")
    low, high = named([box("a", 1.0), on], ["hall-1"])
    assert (low.id, high.id, high.support) == ("box-1", "box-2", "box-1")


def test_boxes_that_meet_are_told_unless_one_bears_the_other() -> None:
    assert overlaps([box("a", 1.0), box("b", 1.1)]) == [("a", "b")]
    assert overlaps([box("a", 1.0), box("b", 1.197)]) == []
    assert overlaps([box("a", 1.0), box("b", 1.1, "a"), box("c", 1.15, "b")]) == []
    assert overlaps([box("a", 1.0), box("b", 1.1, "a"), box("c", 1.15, "a")]) == [("b", "c")]


def test_a_thing_through_a_wall_is_not_inside() -> None:
    room = Room("hall-1", "hall", (0.0, 0.0), (3.0, 3.0), GREY, GREY)
    assert inside(box("a", 0.1), room)
    assert not inside(box("a", 0.05), room)


def test_the_knob_most_leaves_small_objects_out() -> None:
    knobs = Knobs(rooms=(2, 2), loops=(0, 0))
    many, few = generate(knobs, 5), generate(replace(knobs, most=25), 5)
    assert len(few.things) < len(many.things)
    assert {thing.label for thing in few.things} <= {thing.label for thing in many.things}


def test_no_small_objects_where_none_are_asked_for() -> None:
    scene = generate(Knobs(rooms=(1, 1), small=(0, 0), furniture=0.0), 2)
    borne = {thing.label for thing in scene.things if thing.support in scene.thing}
    assert borne <= {"tv", "coffee table"}


def test_bad_knobs_are_refused() -> None:
    with pytest.raises(ParameterError, match="rooms"):
        generate(Knobs(rooms=(0, 0)), 1)


def _table_and(*small: Piece) -> Site:
    room = Room("hall-1", "hall", (0.0, 0.0), (3.0, 3.0), GREY, GREY)
    site = Site(room, (), 2.6)
    for piece in (_piece("coffee table", "table", Placement(1.5, 1.5, 0.0, 0.0), FLOOR), *small):
        site.add(piece)
    return site


def _piece(kind: str, id: str, pose: Placement, support: str) -> Piece:
    model = STOCK[kind].make(Draw(child(3, kind), STYLES["modern"]))
    return Piece(kind, place.thing(id, kind, model, pose, "hall-1", support), model.tops, pose.yaw)


def test_what_falls_is_taken_away_and_the_rest_stays() -> None:
    table = _piece("coffee table", "table", Placement(1.5, 1.5, 0.0, 0.0), FLOOR)
    top = 2 * table.thing.half[2] + 0.002
    safe = _piece("mug", "safe", Placement(1.5, 1.5, top, 0.0), "table")
    edge = _piece("apple", "edge", Placement(1.51 + table.thing.half[0], 1.5, top, 0.0), "table")
    things = generating._rested([_table_and(safe, edge)], {"safe", "edge"})
    assert {thing.id for thing in things} == {"table", "safe"}


def test_of_two_things_whose_boxes_meet_the_later_goes() -> None:
    """The candles' round feet are apart, their boxes are not."""
    table = _piece("coffee table", "table", Placement(1.5, 1.5, 0.0, 0.0), FLOOR)
    top = 2 * table.thing.half[2] + 0.002
    candles = [
        _piece(
            "candle", f"candle-{at}", Placement(1.5 + 0.1 * at, 1.5 + 0.1 * at, top, 0.0), "table"
        )
        for at in (0, 1)
    ]
    things = generating._rested([_table_and(*candles)], {"candle-0", "candle-1"})
    assert {each.id for each in things} == {"table", "candle-0"}


def test_taking_a_thing_takes_what_stands_on_it() -> None:
    pile = [box("a", 1.0), box("b", 1.0, "a"), box("c", 1.0, "b"), box("d", 2.0)]
    assert [thing.id for thing in generating._without(pile, {"a"})] == ["d"]


def test_things_that_bear_each_other_in_a_circle_are_told() -> None:
    ring = [box("a", 1.0, "b"), box("b", 1.0, "a"), box("c", 1.0, "a"), box("d", 1.0)]
    assert generating._looping(ring) == {"a", "b", "c"}
