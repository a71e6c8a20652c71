from __future__ import annotations

from dataclasses import replace

import pytest

from worldquiz_scenes import furnish, geometry
from worldquiz_scenes.config import Knobs
from worldquiz_scenes.place import Piece, Site
from worldquiz_scenes.scene import Paint, Room

GREY = Paint("grey", (0.5, 0.5, 0.5), "wood")
FULL = Knobs(furniture=1.0)


def bare(kind: str) -> Site:
    room = Room(f"{kind}-1", kind, (0.0, 0.0), (5.0, 4.2), GREY, GREY)
    return Site(room, (), 2.6, frozenset({"north", "west"}))


def furnished(kind: str, seed: int = 0, knobs: Knobs = FULL) -> Site:
    site = bare(kind)
    furnish.furnish([site], replace(knobs, mirrors=(0, 0)), "modern", seed)
    return site


def one(site: Site, kind: str) -> Piece:
    return site.of(kind)[0]


ESSENTIAL = {
    "living room": {"sofa", "coffee table", "tv stand", "tv"},
    "kitchen": {"sink", "stove", "kitchen counter", "fridge"},
    "bedroom": {"bed", "wardrobe"},
    "bathroom": {"bathtub", "toilet", "washbasin"},
    "study": {"desk", "bookshelf", "office chair"},
    "hall": {"shoe rack", "coat rack"},
}


@pytest.mark.parametrize("kind", sorted(ESSENTIAL))
def test_a_room_has_what_makes_it_one(kind: str) -> None:
    for seed in range(5):
        kinds = {piece.kind for piece in furnished(kind, seed).pieces}
        assert ESSENTIAL[kind] <= kinds
        assert len(kinds) >= 6


def test_the_tv_stands_on_its_stand_and_looks_at_the_sofa() -> None:
    site = furnished("living room", 1)
    tv, stand, sofa = one(site, "tv"), one(site, "tv stand"), one(site, "sofa")
    assert tv.thing.support == stand.thing.id
    assert tv.thing.position[2] - tv.thing.half[2] == pytest.approx(2 * stand.thing.half[2])
    assert (tv.yaw - sofa.yaw) % 360 == 180


def test_chairs_stand_at_their_table_and_nightstands_beside_the_bed() -> None:
    kitchen = furnished("kitchen", 2)
    table = one(kitchen, "dining table")
    for chair in kitchen.of("chair"):
        gap = -geometry.depth(chair.solid, table.solid)
        assert 0 < gap < 0.25
    bedroom = furnished("bedroom", 0)
    bed = one(bedroom, "bed")
    assert bedroom.of("nightstand")
    for stand in bedroom.of("nightstand"):
        assert 0 < -geometry.depth(stand.solid, bed.solid) < 0.1
        assert stand.yaw == bed.yaw


def test_mirrors_are_as_many_as_asked() -> None:
    for wanted in (0, 2, 4):
        knobs = replace(FULL, mirrors=(wanted, wanted))
        sites = [bare(kind) for kind in ("bathroom", "bedroom", "hall", "study")]
        furnish.furnish(sites, knobs, "modern", 1)
        mirrors = [piece for site in sites for piece in site.pieces if piece.thing.mirror]
        assert len(mirrors) == wanted
        if wanted:
            basin = one(sites[0], "washbasin")
            above = [each for each in mirrors if each.thing.room == sites[0].room.name]
            assert [each.yaw for each in above] == [basin.yaw]
