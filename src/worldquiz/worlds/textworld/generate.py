"""Draw a world from a seed and knobs: map, doors, furniture, things, then locks.

Rooms grow on a grid around the start, near cells first, so that no room is far away; passages
beyond the tree make loops. Furniture and things are dealt evenly, poorest place first. Locks come
last, as a refinement of a world that could already be walked (`locks.inject`).
"""

from __future__ import annotations

import random

from worldquiz import rng as streams
from worldquiz.errors import KnobError
from worldquiz.model.world import WorldSpec
from worldquiz.worlds.textworld.draft import STEP, Draft, Passage
from worldquiz.worlds.textworld.knobs import Knobs, checked
from worldquiz.worlds.textworld.locks import inject, proven
from worldquiz.worlds.textworld.names import Namer, theme_named


def generate(knobs: Knobs, seed: int, *, id: str, level: str = "custom") -> WorldSpec:
    """Return the world of a seed, solvable in every part.

    Raises `KnobError` where no world can meet the knobs.
    """
    checked(knobs)
    theme = theme_named(knobs.theme)
    draft = Draft(Namer(theme, streams.child(seed, "names")))
    sizes = streams.child(seed, "sizes")
    rooms, objects = sizes.randint(*knobs.rooms), sizes.randint(*knobs.objects)
    grow(draft, rooms, knobs.loops, streams.child(seed, "map"))
    hang_doors(draft, knobs.doors, streams.child(seed, "doors"))
    furnish(draft, knobs, objects, streams.child(seed, "furniture"))
    spare = sizes.randint(*knobs.distractor_keys)
    locks = lock_count(draft, knobs)
    movables = objects - len(draft.of_kind("container")) - len(draft.of_kind("supporter"))
    things = movables - locks - spare
    if things < 1:
        raise KnobError(
            f"knob objects: {objects} leave no room for {locks} keys, {spare} distractor keys and "
            f"one thing beside {objects - movables} pieces of furniture; raise objects"
        )
    strew(draft, knobs, things, streams.child(seed, "things"))
    inject(draft, locks, streams.child(seed, "locks"))
    spares = streams.child(seed, "spare")
    for _ in range(spare):
        draft.put(draft.add("key"), _poorest(draft.spots(), draft, spares))
    return proven(draft.spec(id=id, level=level, seed=seed, both_sides=knobs.both_sides))


def grow(draft: Draft, rooms: int, loops: float, rng: random.Random) -> None:
    """Add rooms cell by cell, each beside one that stands, the nearest cells likeliest."""
    draft.add_room((0, 0))
    rim = [((0, 0), direction) for direction in STEP]
    while len(draft.cells) < rooms:
        weights = [1 / (1 + sum(map(abs, draft.beside(*edge)))) ** 2 for edge in rim]
        cell, direction = rng.choices(rim, weights)[0]
        new = draft.beside(cell, direction)
        draft.add_room(new)
        draft.connect(cell, direction)
        rim.extend((new, onward) for onward in STEP)
        rim = [edge for edge in rim if draft.beside(*edge) not in draft.cells]
    _close_loops(draft, round(loops * rooms), rng)


def _close_loops(draft: Draft, count: int, rng: random.Random) -> None:
    walls = [
        (cell, direction)
        for cell in draft.cells
        for direction in ("north", "east")
        if draft.beside(cell, direction) in draft.cells and not draft.joined(cell, direction)
    ]
    for cell, direction in rng.sample(walls, min(count, len(walls))):
        draft.connect(cell, direction)


def hang_doors(draft: Draft, share: float, rng: random.Random) -> None:
    """Hang doors in a share of the passages, each open or shut."""
    chosen = rng.sample(range(len(draft.passages)), round(share * len(draft.passages)))
    for index in sorted(chosen):
        passage = draft.passages[index]
        door = draft.add("door")
        draft.passages[index] = Passage(passage.room, passage.direction, passage.other, door)


def furnish(draft: Draft, knobs: Knobs, objects: int, rng: random.Random) -> None:
    """Stand containers and supporters in the rooms, poorest room first."""
    for kind, share in (("container", knobs.containers), ("supporter", knobs.supporters)):
        for _ in range(round(share * objects)):
            draft.put(draft.add(kind), _poorest(list(draft.rooms), draft, rng))


def strew(draft: Draft, knobs: Knobs, count: int, rng: random.Random) -> None:
    """Lay food and other portables on floors, supporters and into containers."""
    food = round(knobs.food * count)
    twins = round(knobs.distractor_objects * count)
    kinds = ["food"] * food + ["object"] * (count - food)
    for number, kind in enumerate(kinds):
        spot = _poorest(draft.spots(), draft, rng)
        twin = draft.lookalike(kind) if number >= count - twins else None
        draft.put(draft.add(kind, name=twin), spot)


def lock_count(draft: Draft, knobs: Knobs) -> int:
    """Return how many doors and containers to lock. Raises `KnobError` if too many are asked."""
    lockable = len(draft.of_kind("door")) + len(draft.of_kind("container"))
    if knobs.locks is None:
        return round(knobs.lock_fraction * lockable)
    if knobs.locks > lockable:
        raise KnobError(
            f"knob locks: {knobs.locks} locks, but a world of {len(draft.rooms)} rooms has only "
            f"{lockable} doors and containers to lock; lower locks or raise rooms and objects"
        )
    return knobs.locks


def _poorest(spots: list[str], draft: Draft, rng: random.Random) -> str:
    """Return a spot among those that hold least."""
    load = {spot: len(draft.content(spot)) for spot in spots}
    least = min(load.values())
    return rng.choice([spot for spot in spots if load[spot] == least])
