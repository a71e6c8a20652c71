"""Laws of generated flats: lawful for every seed and all knobs."""

from __future__ import annotations

import math

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from scenes import walkable
from worldquiz_scenes import geometry
from worldquiz_scenes.config import Knobs
from worldquiz_scenes.furniture import LABELS
from worldquiz_scenes.generate import DEEPEST, generate, inside
from worldquiz_scenes.paints import STYLES
from worldquiz_scenes.save import problems
from worldquiz_scenes.scene import CEILING, FLOOR, WALL, Door, Quat, Scene, Thing, Vec

pytest.importorskip("mujoco")

SEEDS = st.integers(0, 2**63)


def ranges(most: int, *, least: int = 0) -> st.SearchStrategy[tuple[int, int]]:
    pairs = st.tuples(st.integers(least, most), st.integers(least, most))
    return pairs.map(lambda pair: (min(pair), max(pair)))


KNOBS = st.builds(
    Knobs,
    rooms=ranges(4, least=1),
    loops=ranges(2),
    furniture=st.floats(0, 1),
    small=ranges(4),
    most=st.integers(1, 120),
    mirrors=ranges(4),
    lights=ranges(2),
    style=st.sampled_from([*sorted(STYLES), "any"]),
)
SOME = settings(max_examples=8, deadline=None, suppress_health_check=[HealthCheck.too_slow])


@SOME
@given(KNOBS, SEEDS)
def test_every_flat_is_lawful_and_its_boxes_are_apart(knobs: Knobs, seed: int) -> None:
    scene = generate(knobs, seed)
    assert list(problems(scene)) == []
    assert knobs.rooms[0] <= len(scene.rooms) <= knobs.rooms[1]
    assert walkable(scene.rooms, scene.doors, scene.things)
    for thing in scene.things:
        assert LABELS[thing.label] == thing.category
        assert inside(thing, scene.room[thing.room])
        assert scene.under(thing.id)[-1] in (FLOOR, WALL, CEILING)
        borne = scene.thing.get(thing.support)
        assert borne is None or borne.room == thing.room
        assert not any(_before(thing, door) for door in scene.doors if thing.support == WALL)
    assert len(scene.mirrors) <= knobs.mirrors[1]
    check_apart(scene)


def test_no_wall_is_bare_and_nothing_deep_stands_before_or_beside_a_mirror() -> None:
    walls = full = mirrors = 0
    for seed in range(6):
        scene = generate(Knobs(), seed)
        for room in scene.rooms:
            for k, line in (
                (0, room.low[1]),
                (0, room.high[1]),
                (1, room.low[0]),
                (1, room.high[0]),
            ):
                there = [each for each in scene.things if each.room == room.name
                         and abs(each.position[1 - k] - line) < 0.5]  # fmt: skip
                walls += room.high[k] - room.low[k] > 2.4
                full += room.high[k] - room.low[k] > 2.4 and any(
                    each.support == WALL or 2 * each.half[2] > 1.4 for each in there
                )
        for mirror in scene.mirrors:
            (x, y, z), turn = mirror.position, mirror.rotation
            dx, dy, _ = geometry.rotated(turn, (0.0, -0.25 - mirror.half[1], 0.0))
            half = (mirror.half[0] + 0.25, 0.2, mirror.half[2] * 0.9)
            zone = geometry.solid((x + dx, y + dy, z), half, turn)
            near = [
                each for each in scene.things if each.room == mirror.room and each is not mirror
            ]
            assert not [each.id for each in near
                        if geometry.depth(zone, geometry.solid_of(each)) > 0.02]  # fmt: skip
            mirrors += 1
    assert mirrors >= 6
    assert full / walls > 0.9


def _before(thing: Thing, door: Door) -> bool:
    """Tell whether a thing hangs in or before a doorway."""
    across, along = 0.3, door.width / 2
    dx, dy = (along, across) if door.along == "x" else (across, along)
    low = (door.at[0] - dx, door.at[1] - dy, 0.05)
    opening = geometry.slab(low, (door.at[0] + dx, door.at[1] + dy, door.height))
    return geometry.depth(geometry.solid_of(thing), opening) > 0


def check_apart(scene: Scene) -> None:
    """Check that boxes are apart unless one bears the other.

    Counted by points: no grid point of one box lies deep in another.
    """
    chains = {thing.id: set(scene.under(thing.id)) for thing in scene.things}
    solids = {thing.id: geometry.solid_of(thing) for thing in scene.things}
    for one in scene.things:
        for two in scene.things:
            related = two.id in chains[one.id] or one.id in chains[two.id]
            if one.id != two.id and not related:
                assert _deepest(solids[one.id], solids[two.id]) <= DEEPEST + 1e-9


def _deepest(one: geometry.Solid, two: geometry.Solid) -> float:
    """Return how deep the corners and edge middles of one box are in another, at least 0."""
    deepest = 0.0
    if math.dist(one.centre, two.centre) > math.hypot(*one.half) + math.hypot(*two.half):
        return deepest
    for signs in ((x, y, z) for x in (-1, 0, 1) for y in (-1, 0, 1) for z in (-1, 0, 1)):
        point = list(one.centre)
        for sign, half, axis in zip(signs, one.half, one.axes, strict=True):
            point = [at + sign * half * a for at, a in zip(point, axis, strict=True)]
        offset = [at - middle for at, middle in zip(point, two.centre, strict=True)]
        within = min(
            half - abs(sum(a * b for a, b in zip(offset, axis, strict=True)))
            for half, axis in zip(two.half, two.axes, strict=True)
        )
        deepest = max(deepest, within)
    return deepest


LENGTHS = st.floats(0.01, 2)
HALVES = st.tuples(LENGTHS, LENGTHS, LENGTHS)
PLACES = st.tuples(*[st.floats(-3, 3)] * 3)
TURNS = st.tuples(*[st.floats(-1, 1)] * 4).filter(lambda q: math.hypot(*q) > 0.1)


def unit(turn: Quat) -> Quat:
    w, x, y, z = (part / math.hypot(*turn) for part in turn)
    return (w, x, y, z)


@given(PLACES, HALVES, TURNS, PLACES, HALVES, TURNS)
def test_depth_does_not_depend_on_the_order(
    at: Vec, half: Vec, turn: Quat, other_at: Vec, other_half: Vec, other_turn: Quat
) -> None:
    one = geometry.solid(at, half, unit(turn))
    two = geometry.solid(other_at, other_half, unit(other_turn))
    here, there = geometry.depth(one, two), geometry.depth(two, one)
    assert (here > 1e-9) == (there > 1e-9) or abs(here - there) < 1e-9
    if here > 0 and there > 0:
        assert math.isclose(here, there, abs_tol=1e-9)
