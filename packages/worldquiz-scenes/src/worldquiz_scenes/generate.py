"""Generates a scene from parameters and a seed: plan, furnish, clear, fill, settle, check, name.

Every seed gives a scene: things that block the agent, that fell, or whose boxes overlap are removed
one by one; a scene is never thrown away.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import replace
from itertools import takewhile

from worldquiz_scenes import clutter, furnish, geometry, walk
from worldquiz_scenes.config import Knobs, checked, preset
from worldquiz_scenes.furniture import STOCK
from worldquiz_scenes.physics_settling import settle
from worldquiz_scenes.place import Site
from worldquiz_scenes.rng import child_seed
from worldquiz_scenes.rooms import HEIGHT, FlatPlan, plan
from worldquiz_scenes.scene import FLOOR, Room, Scene, Thing, below

DEEPEST = 0.005  # metres that two boxes may be in each other where neither carries the other
ROUNDS = 4  # times that things are settled, at most, before what still offends is taken away
LOOSE = frozenset({"toy", "clothing", "container"})  # categories that lie loose on the floor


def generate(knobs: Knobs, seed: int, id: str = "scene") -> Scene:
    """Return one apartment: equal parameters and seeds give equal scenes, except for the id.

    Raises `ParameterError` for parameters that no apartment can meet.
    """
    drawn = plan(checked(knobs), seed)
    sites = _sites(drawn)
    furnish.furnish(sites, knobs, drawn.style, seed)

    def blocking(things: Sequence[Thing]) -> set[str]:
        return set(walk.obstacles(drawn.rooms, drawn.doors, things))

    while gone := blocking([piece.thing for site in sites for piece in site.pieces]):
        for site in sites:
            site.remove(gone)
    added = [piece for site in sites for piece in clutter.fill(site, knobs, drawn.style, seed)]
    small = {piece.thing.id for piece in added}
    lots = sorted(small, key=lambda id: (child_seed(seed, "trim", id), id))
    while lots and sum(len(site.pieces) for site in sites) > knobs.most:
        gone = {lots.pop()}  # with what stands on it
        for site in sites:
            site.remove(gone)
    things = _rested(sites, small)
    while gone := blocking(things):
        things = _without(things, gone)
    rooms = [room.name for room in drawn.rooms]
    return Scene(id, seed, drawn.style, HEIGHT, drawn.rooms, drawn.doors, named(things, rooms),
                 _start(drawn, things))  # fmt: skip


def suite(name: str, seed: int, scenes: int | None = None) -> list[Scene]:
    """Return a preset's scenes (or another number of them), each with a seed of its own."""
    wanted = preset(name)
    return [
        generate(wanted.knobs, child_seed(seed, "scene", number), f"{name}-{number:02d}")
        for number in range(1, (scenes or wanted.scenes) + 1)
    ]


def _sites(drawn: FlatPlan) -> list[Site]:
    low = [min(room.low[k] for room in drawn.rooms) for k in (0, 1)]
    high = [max(room.high[k] for room in drawn.rooms) for k in (0, 1)]
    sites = []
    for room in drawn.rooms:
        sides = {"west": room.low[0] - low[0], "south": room.low[1] - low[1],
                 "east": high[0] - room.high[0], "north": high[1] - room.high[1]}  # fmt: skip
        outer = frozenset(name for name, far in sides.items() if far < 1e-6)
        doors = tuple(door for door in drawn.doors if room.name in door.rooms)
        sites.append(Site(room, doors, HEIGHT, outer))
    return sites


def _rested(sites: Sequence[Site], small: set[str]) -> list[Thing]:
    """Settle loose things; return all things that keep the laws."""
    pieces = [piece for site in sites for piece in site.pieces]
    rooms = {site.room.name: site.room for site in sites}
    lies = {piece.thing.id for piece in pieces if STOCK[piece.kind].category in LOOSE} | small
    loose = [piece.thing for piece in pieces if piece.thing.id in lies]
    still = [piece for piece in pieces if piece.thing.id not in lies]
    fixed = [piece.thing for piece in still]
    touched = [piece.thing for piece in still if piece.tops or piece.thing.support == FLOOR]
    for attempt in range(ROUNDS):
        rest = settle(loose, touched)
        settled = list(rest.things)
        astray = {thing.id for thing in settled if not inside(thing, rooms[thing.room])}
        bad = set(rest.fallen | rest.jammed) | astray | _looping(settled)
        meeting: set[str] = set()  # the later one of each pair
        for one, two in overlaps([*fixed, *settled]):
            if one not in meeting and two not in meeting:
                meeting.add(two)
        bad |= meeting
        if not bad or attempt == ROUNDS - 1:
            return _without([*fixed, *settled], bad)
        loose = _without(loose, bad)
    return fixed


def _without(things: Iterable[Thing], ids: set[str]) -> list[Thing]:
    """Return things without some and without all that stands on those."""
    kept, gone = list(things), set(ids)
    while True:
        left = [thing for thing in kept if thing.id not in gone and thing.support not in gone]
        if len(left) == len(kept):
            return left
        gone |= {thing.id for thing in kept} - {thing.id for thing in left}
        kept = left


def inside(thing: Thing, room: Room, slack: float = 1e-3) -> bool:
    """Tell whether a thing's box lies in a room, from wall to wall and above its floor."""
    low, high = geometry.extent_of(thing)
    return (
        all(low[k] >= room.low[k] - slack and high[k] <= room.high[k] + slack for k in (0, 1))
        and low[2] >= -DEEPEST
        and high[2] <= HEIGHT + slack
    )


def _looping(things: Sequence[Thing]) -> set[str]:
    """Return things that stand in a circle of things that carry each other, or on one."""
    by_id = {thing.id: thing for thing in things}
    return {id for id in by_id if below(id, by_id)[-1] in by_id}


def overlaps(things: Sequence[Thing]) -> list[tuple[str, str]]:
    """Return pairs whose boxes are more than `DEEPEST` in each other, save what one bears."""
    by_id = {thing.id: thing for thing in things}
    chains = {id: below(id, by_id) for id in by_id}
    solids = {thing.id: geometry.solid_of(thing) for thing in things}
    pairs = []
    for index, one in enumerate(things):
        for two in things[index + 1 :]:
            related = one.id in chains[two.id] or two.id in chains[one.id]
            if one.room != two.room or related:
                continue
            if geometry.depth(solids[one.id], solids[two.id]) > DEEPEST:
                pairs.append((one.id, two.id))
    return pairs


def named(things: Sequence[Thing], rooms: Sequence[str]) -> tuple[Thing, ...]:
    """Return things under the names that people use, "mug-1", "mug-2", counted room by room."""
    counts: dict[str, int] = {}
    names = {}
    for thing in sorted(things, key=lambda thing: rooms.index(thing.room)):
        label = thing.label.replace(" ", "-")
        counts[label] = counts.get(label, 0) + 1
        names[thing.id] = f"{label}-{counts[label]}"
    renamed = (
        replace(thing, id=names[thing.id], support=names.get(thing.support, thing.support))
        for thing in things
    )
    return tuple(sorted(renamed, key=lambda thing: thing.id))


def _start(drawn: FlatPlan, things: Sequence[Thing]) -> tuple[float, float, float]:
    """Return where an agent begins: by the middle of a hall, facing where it is wide."""
    likes = {"hall": 0, "living room": 1}
    room = min(drawn.rooms, key=lambda room: (likes.get(room.kind, 2), room.name))
    grid = walk.ground(drawn.rooms, drawn.doors, things)
    cell = walk.goals(grid, [room], [])[0]

    def open_(heading: float) -> int:
        dx, dy = math.cos(heading), math.sin(heading)
        ahead = ((cell[0] + round(k * dx), cell[1] + round(k * dy)) for k in range(1, 201))
        return sum(1 for _ in takewhile(grid.free, ahead))

    eighth = max(range(8), key=lambda eighth: (open_(eighth * math.pi / 4), -eighth))
    return (*grid.middle(cell), round(eighth * math.pi / 4, 6))
