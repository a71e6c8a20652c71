from __future__ import annotations

from dataclasses import replace

import pytest

from worldquiz_scenes import clutter, geometry, place
from worldquiz_scenes.config import Knobs
from worldquiz_scenes.furniture import STOCK, Top
from worldquiz_scenes.paints import STYLES, Draw
from worldquiz_scenes.place import Piece, Placement, Site
from worldquiz_scenes.rng import child
from worldquiz_scenes.scene import FLOOR, Paint, Room

GREY = Paint("grey", (0.5, 0.5, 0.5), "wood")
MANY = replace(Knobs(), small=(5, 6))


def site_with(kind: str, room: str = "study", yaw: float = 0.0) -> tuple[Site, Piece]:
    site = Site(Room(f"{room}-1", room, (0.0, 0.0), (4.0, 4.0), GREY, GREY), (), 2.6)
    model = STOCK[kind].make(Draw(child(7, kind), STYLES["modern"]))
    thing = place.thing("host", kind, model, Placement(2.0, 2.0, 0.0, yaw), site.room.name, FLOOR)
    host = Piece(kind, thing, model.tops, yaw)
    site.add(host)
    return site, host


@pytest.mark.parametrize("kind", ["dining table", "desk", "cabinet", "kitchen counter", "bed"])
def test_things_lie_on_what_they_are_said_to_stand_on(kind: str) -> None:
    for yaw in (0.0, 90.0, 270.0):
        site, host = site_with(kind, yaw=yaw)
        added = clutter.fill(site, MANY, "modern", 1)
        assert added
        low, high = geometry.extent(host.solid)
        for piece in (piece for piece in added if piece.thing.support == "host"):
            x, y, _ = piece.thing.position
            assert low[0] < x < high[0]
            assert low[1] < y < high[1]
            bottom = piece.thing.position[2] - piece.thing.half[2]
            tops = [host.thing.position[2] + top.z + clutter.LIFT for top in host.tops]
            assert min(abs(bottom - top) for top in tops) < 1e-5


def test_lone_kinds_come_once() -> None:
    for seed in range(6):
        site, _ = site_with("desk")
        kinds = [piece.kind for piece in clutter.fill(site, MANY, "modern", seed)]
        assert all(kinds.count(kind) <= 1 for kind in clutter.LONE)


def test_small_areas_hold_fewer() -> None:
    large, small = Top((0, 0), (1, 1), 0, 1), Top((0, 0), (0.3, 0.3), 0, 1)
    knobs = replace(Knobs(), small=(4, 4))
    assert clutter.count(large, knobs, child(1)) == 4
    assert clutter.count(small, knobs, child(1)) == 1
    assert clutter.count(large, replace(knobs, small=(0, 0)), child(1)) == 0


def test_nothing_higher_than_the_space_above_an_area_is_put_there() -> None:
    for seed in range(6):
        site, host = site_with("bookshelf")
        for piece in clutter.fill(site, MANY, "modern", seed):
            if piece.thing.support != "host":
                continue
            bottom = piece.thing.position[2] - piece.thing.half[2]
            above = min(
                (host.thing.position[2] + top.z - bottom for top in host.tops
                 if host.thing.position[2] + top.z > bottom + 0.05),
                default=1.0,
            )  # fmt: skip
            assert 2 * piece.thing.half[2] < above
