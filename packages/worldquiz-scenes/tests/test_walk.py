from __future__ import annotations

from scenes import walkable
from worldquiz_scenes import generate
from worldquiz_scenes.place import rotation
from worldquiz_scenes.scene import FLOOR, Door, Paint, Part, Room, Shape, Thing

GREY = Paint("grey", (0.5, 0.5, 0.5), "wood")
WEST = Room("west", "study", (0.0, 0.0), (3.0, 3.0), GREY, GREY)
EAST = Room("east", "study", (3.1, 0.0), (6.1, 3.0), GREY, GREY)
DOOR = Door(("west", "east"), (3.05, 1.5), 0.9, "y")


def block(id: str, x: float, y: float, half: tuple[float, float, float], z: float = 0.0,
          yaw: float = 0.0) -> Thing:  # fmt: skip
    part = Part(Shape.BOX, (0, 0, 0), half, GREY)
    return Thing(id, "box", "container", "west", (x, y, z + half[2]), rotation(yaw), half, (part,),
                 GREY, FLOOR)  # fmt: skip


def ways(*things: Thing) -> bool:
    return walkable((WEST, EAST), (DOOR,), things)


def test_a_wall_of_boxes_is_named_and_only_what_must_go() -> None:
    fence = block("fence", 2.0, 1.5, (0.1, 1.5, 0.5))
    stool = block("stool", 0.5, 0.5, (0.2, 0.2, 0.2))
    assert not ways(fence, stool)
    assert generate.obstacles((WEST, EAST), (DOOR,), (fence, stool)) == ("fence",)


def test_of_two_ways_the_one_with_fewer_things_is_cleared() -> None:
    north = [block(f"north-{k}", 2.0, 2.3 + 0.3 * k, (0.3, 0.15, 0.5)) for k in range(3)]
    south = block("south", 2.0, 0.95, (0.2, 1.1, 0.5))
    assert generate.obstacles((WEST, EAST), (DOOR,), (*north, south)) == ("south",)


def test_rugs_and_high_cupboards_are_not_in_the_way() -> None:
    assert ways(block("rug", 2.0, 1.5, (0.5, 1.5, 0.006)))
    assert ways(block("cupboard", 2.0, 1.5, (0.1, 1.5, 0.3), z=1.75))


def test_a_narrow_gap_is_no_way() -> None:
    """The agent and its spare room are 0.6 m wide."""
    gap = {
        wide: block("wall", 2.0, 1.5 - wide / 2, (0.1, 1.5 - wide / 2, 0.5)) for wide in (0.5, 0.7)
    }
    assert not ways(gap[0.5])
    assert ways(gap[0.7])


def test_a_turned_thing_is_as_wide_as_it_looks_from_there() -> None:
    plank = (1.45, 0.05, 0.5)
    assert ways(block("plank", 1.5, 0.6, plank))
    assert not ways(block("plank", 2.2, 1.5, plank, yaw=90.0))
