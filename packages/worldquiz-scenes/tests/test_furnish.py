from __future__ import annotations

from dataclasses import replace

import pytest

from worldquiz_scenes import furnish, geometry
from worldquiz_scenes.config import Knobs
from worldquiz_scenes.place import Piece, Site
from worldquiz_scenes.scene import CEILING, WALL, Paint, Room

GREY = Paint("grey", (0.5, 0.5, 0.5), "wood")
FULL = Knobs(furniture=1.0)


def furnished(kind: str, seed: int = 0, knobs: Knobs = FULL) -> Site:
    room = Room(f"{kind}-1", kind, (0.0, 0.0), (5.0, 4.2), GREY, GREY)
    site = Site(room, (), 2.6, frozenset({"north", "west"}))
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


def test_every_kind_of_room_has_a_programme() -> None:
    assert set(furnish.PROGRAMMES) == set(ESSENTIAL)


@pytest.mark.parametrize("kind", sorted(ESSENTIAL))
def test_pieces_do_not_meet(kind: str) -> None:
    site = furnished(kind, 3)
    for index, a in enumerate(site.pieces):
        for b in site.pieces[index + 1 :]:
            if a.thing.id != b.thing.support:
                assert geometry.depth(a.solid, b.solid) < 0


def test_the_tv_stands_on_its_stand_and_looks_at_the_sofa() -> None:
    site = furnished("living room", 1)
    tv, stand, sofa = one(site, "tv"), one(site, "tv stand"), one(site, "sofa")
    assert tv.thing.support == stand.thing.id
    assert tv.thing.position[2] - tv.thing.half[2] == pytest.approx(2 * stand.thing.half[2])
    assert (tv.yaw - sofa.yaw) % 360 == 180


def test_the_coffee_table_is_before_the_sofa() -> None:
    for seed in range(6):
        site = furnished("living room", seed)
        sofa, table = one(site, "sofa"), one(site, "coffee table")
        ahead = sofa.spot(0.0, -1.0)
        toward = [a - b for a, b in zip(ahead, sofa.thing.position, strict=False)]
        between = [a - b for a, b in zip(table.thing.position, sofa.thing.position, strict=False)]
        far = sum(a * b for a, b in zip(toward, between, strict=False))
        assert sofa.thing.half[1] < far < 2.2


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


def test_chairs_of_a_room_look_alike() -> None:
    chairs = furnished("kitchen", 2).of("chair")
    assert len(chairs) > 1
    assert len({chair.thing.parts for chair in chairs}) == 1


def test_what_hangs_is_borne_by_walls_and_ceiling() -> None:
    for kind in ESSENTIAL:
        for piece in furnished(kind, 4).pieces:
            if piece.kind in furnish.HANGS:
                assert piece.thing.support == WALL
                assert piece.thing.position[2] > 0.9
            if piece.kind == "ceiling lamp":
                assert piece.thing.support == CEILING
                assert piece.thing.position[2] + piece.thing.half[2] == pytest.approx(2.6)


def test_windows_are_in_outer_walls_only() -> None:
    for seed in range(8):
        for piece in furnished("study", seed).of("window", "curtain"):
            x, y, _ = piece.thing.position
            assert x < 0.2 or y > 4.0


def test_the_knob_furniture_thins_out_but_keeps_the_essential() -> None:
    bare = furnished("study", 5, replace(FULL, furniture=0.0))
    assert {piece.kind for piece in bare.pieces} <= ESSENTIAL["study"] | {
        "floor lamp",
        "ceiling lamp",
    }
    assert len(furnished("study", 5).pieces) > len(bare.pieces)


def test_lamps_are_as_many_as_asked() -> None:
    site = furnished("study", 5, replace(FULL, lights=(3, 3)))
    assert len(site.of("ceiling lamp")) == 1
    assert len(site.of("floor lamp")) == 2
    assert not furnished("study", 5, replace(FULL, lights=(0, 0))).of("ceiling lamp")


def test_mirrors_are_as_many_as_asked() -> None:
    for wanted in (0, 2, 4):
        knobs = replace(FULL, mirrors=(wanted, wanted))
        sites = [furnished(kind, 1, knobs) for kind in ("bathroom", "bedroom", "hall", "study")]
        furnish.mirrors(sites, knobs, "modern", 1)
        mirrors = [piece for site in sites for piece in site.pieces if piece.thing.mirror]
        assert len(mirrors) == wanted
        if wanted:
            basin = one(sites[0], "washbasin")
            above = [each for each in mirrors if each.thing.room == sites[0].room.name]
            assert [each.yaw for each in above] == [basin.yaw]
