from __future__ import annotations

import math

import pytest

from worldquiz_scenes import geometry, place
from worldquiz_scenes.furniture import STOCK, Model
from worldquiz_scenes.paints import STYLES, Draw
from worldquiz_scenes.place import Piece, Placement, Site
from worldquiz_scenes.rng import child
from worldquiz_scenes.scene import FLOOR, Door, Paint, Room

GREY = Paint("grey", (0.5, 0.5, 0.5), "wood")
ROOM = Room("study-1", "study", (0.0, 0.0), (4.0, 3.0), GREY, GREY)
DOOR = Door(("study-1", "hall-1"), (4.05, 1.5), 0.9, "y")


def made(kind: str, seed: int = 1) -> Model:
    return STOCK[kind].make(Draw(child(seed, kind), STYLES["modern"]))


def piece(kind: str, pose: Placement) -> Piece:
    model = made(kind)
    return Piece(kind, place.thing(kind, kind, model, pose, ROOM.name, FLOOR), model.tops, pose.yaw)


@pytest.fixture
def site() -> Site:
    return Site(ROOM, (DOOR,), 2.6)


def fits(site: Site, each: Piece) -> bool:
    return site.fits(each.solid, each.zone)


def test_a_thing_in_the_room_fits_and_one_through_its_wall_does_not(site: Site) -> None:
    assert fits(site, piece("stool", Placement(1.0, 1.0, 0.0, 0.0)))
    assert not fits(site, piece("stool", Placement(0.05, 1.0, 0.0, 0.0)))
    assert not fits(site, piece("floor lamp", Placement(1.0, 1.0, 2.0, 0.0)))


def test_nothing_stands_before_a_doorway(site: Site) -> None:
    assert not fits(site, piece("stool", Placement(3.6, 1.5, 0.0, 0.0)))
    assert fits(site, piece("stool", Placement(3.6, 0.4, 0.0, 0.0)))


def test_nothing_hides_the_room_from_its_lookouts(site: Site) -> None:
    assert not fits(site, piece("wardrobe", Placement(0.8, 0.4, 0.0, 180.0)))
    assert fits(site, piece("wardrobe", Placement(0.8, 2.6, 0.0, 0.0)))


def test_things_keep_apart_and_out_of_free_space(site: Site) -> None:
    site.add(piece("stool", Placement(1.0, 1.0, 0.0, 0.0)))
    assert not fits(site, piece("stool", Placement(1.1, 1.0, 0.0, 0.0)))
    desk = made("desk")
    pose = Placement(2.0, 2.6, 0.0, 0.0)
    zone = place.clearance(desk, pose, 0.75)
    site.add(
        Piece("desk", place.thing("desk", "desk", desk, pose, ROOM.name, FLOOR), (), 0.0, zone)
    )
    before = piece("stool", Placement(2.0, 2.0, 0.0, 0.0))
    assert not fits(site, before)
    assert site.fits(before.solid, None, ["desk"])


def test_what_stands_on_a_thing_goes_with_it(site: Site) -> None:
    stand = piece("tv stand", Placement(1.5, 2.7, 0.0, 0.0))
    tv = place.thing("tv", "tv", made("tv"), Placement(1.5, 2.7, 0.5, 0.0), ROOM.name, "tv stand")
    site.add(stand)
    site.add(Piece("tv", tv, (), 0.0))
    site.remove({"tv stand"})
    assert site.pieces == []


@pytest.mark.parametrize("yaw", [0.0, 90.0, 180.0, 270.0])
def test_a_thing_at_a_wall_looks_into_the_room(site: Site, yaw: float) -> None:
    model = made("cabinet")
    wall = next(wall for wall in site.walls() if wall.yaw == yaw)
    poses = list(place.along_walls(site, model, child(1, "walls"), walls=[wall.name]))
    assert poses
    for pose in poses:
        assert pose.yaw == yaw
        ahead = place.turned(0.0, -1.0, yaw)
        middle = (2.0 - pose.x, 1.5 - pose.y)
        assert ahead[0] * middle[0] + ahead[1] * middle[1] > 0
        low, high = geometry.extent(
            geometry.solid_of(place.thing("x", "cabinet", model, pose, ROOM.name, FLOOR))
        )
        gaps = [low[0], low[1], 4.0 - high[0], 3.0 - high[1]]
        assert min(gaps) == pytest.approx(place.BACK, abs=1e-4)


def test_chairs_look_at_their_table(site: Site) -> None:
    table = piece("dining table", Placement(2.0, 1.5, 0.0, 90.0))
    for pose in place.around(table, made("chair"), child(2, "chairs")):
        ahead = place.turned(0.0, -1.0, pose.yaw)
        to_table = (2.0 - pose.x, 1.5 - pose.y)
        cosine = sum(a * b for a, b in zip(ahead, to_table, strict=True)) / math.hypot(*to_table)
        assert cosine > 0.7


def test_a_tv_stand_goes_to_the_wall_that_the_sofa_looks_at(site: Site) -> None:
    sofa = piece("sofa", Placement(2.0, 2.5, 0.0, 0.0))
    poses = list(place.facing(site, sofa, made("tv stand"), child(3, "tv")))
    assert poses
    assert all(pose.yaw == 180.0 and pose.y < 0.5 for pose in poses)


def test_free_space_lies_before_a_thing() -> None:
    model = made("desk")
    zone = place.clearance(model, Placement(2.0, 1.0, 0.0, 180.0), 0.6)
    assert zone is not None
    low, high = geometry.extent(zone)
    assert low[1] == pytest.approx(1.0 + model.half[1], abs=1e-4)
    assert high[1] == pytest.approx(1.6 + model.half[1], abs=1e-4)
    assert place.clearance(model, Placement(2.0, 1.0, 0.0, 0.0), 0.0) is None


def test_all_around_free_space_is_wider_than_the_thing() -> None:
    model = made("dining table")
    zone = place.clearance(model, Placement(2.0, 1.5, 0.0, 0.0), -0.5)
    assert zone is not None
    assert zone.half[0] == pytest.approx(model.half[0] + 0.5)
