"""Generation of mazes from parameters and a seed, each with a walkthrough that shows all of it.

Places form a tree of passages, to which loops are added. Every place can be reached from every
other place, so a walk that always goes to the nearest passage not yet taken finally takes them all.
The move in a passage's other direction, if there is one, is taken too, or it is *imputed*: known
from its reverse. Equal parameters and seeds give equal mazes, byte for byte.
"""

from __future__ import annotations

import random
from collections import deque
from collections.abc import Callable, Iterable, Sequence
from itertools import permutations
from string import capwords

from worldquiz.mango.mazes import Maze, Stay, walked
from worldquiz.mango.settings import Knobs
from worldquiz.mango.walkthrough import COMPASS, WalkStep
from worldquiz.rng import child

_THINGS = (
    "hatch", "tunnel", "archway", "curtain", "crack", "culvert", "doorway", "gate", "hedge",
    "ladder", "mirror", "panel", "portal", "rope", "shaft", "stairway", "trapdoor", "window",
)  # fmt: skip
_VERBS = (("enter", "exit"), ("climb up", "climb down"), ("crawl into", "crawl out of"))
_KINDS = (
    "alcove", "attic", "cavern", "cellar", "chamber", "chapel", "cloister", "corridor", "court",
    "crypt", "gallery", "garden", "grotto", "hall", "landing", "library", "loft", "lounge",
    "pantry", "parlour", "passage", "porch", "ravine", "study", "terrace", "tower", "vault",
    "workshop",
)  # fmt: skip
_SORTS = (
    "amber", "ashen", "bleak", "broken", "copper", "crooked", "dim", "dusty", "echoing", "faded",
    "flooded", "frozen", "gilded", "grey", "hidden", "hollow", "ivory", "lonely", "marble",
    "mossy", "narrow", "painted", "quiet", "ruined", "silver", "sunken", "tiled", "vast",
    "violet", "windy",
)  # fmt: skip

_Way = tuple[int, str, int]
"""Source place, action and target place."""
_Passage = tuple[_Way, ...]
"""A way, and the way back if there is one."""


def generate(knobs: Knobs, seed: int, *, name: str) -> Maze:
    """Return the maze for parameters and a seed, with its walkthrough."""
    names = _names(knobs, child(seed, "maze", "names"))
    passages = _passages(knobs, child(seed, "maze", "passages"))
    passages = _narrowed(knobs, passages, child(seed, "maze", "one way"))
    steps = walk(passages, knobs.size)
    texts = [
        described(name, [action for _, action, _ in ways])
        for name, ways in zip(names, _exits(passages, knobs.size), strict=True)
    ]
    walkthrough = [WalkStep(0, "Init", texts[0])]
    walkthrough += [
        WalkStep(number, action, texts[target])
        for number, (_, action, target) in enumerate(steps, start=1)
    ]
    back = {way: other[1] for two in passages for way, other in permutations(two, 2)}
    stays = [Stay(names[0], 0, None, None, 0)]
    for number, way in enumerate(steps, start=1):
        stays.append(Stay(names[way[2]], number, way[1], back.get(way), number))
    places = tuple(dict.fromkeys(stay.place for stay in stays))
    return Maze(name, places, walked(stays), tuple(walkthrough), len(steps))


def _names(knobs: Knobs, draw: random.Random) -> list[str]:
    """Return a name for each place; the share `confusable` of names differ in one word only."""
    alike = round(knobs.confusable * knobs.size)
    alike = 0 if alike < 2 else alike
    kinds = draw.sample(_KINDS, len(_KINDS))
    found: dict[str, None] = {}
    for number in range(alike):
        sort = _SORTS[number % len(_SORTS)]
        round_ = number // len(_SORTS)
        found[f"{sort} {kinds[0]}" + (f" {round_ + 1}" if round_ else "")] = None
    for number in range(knobs.size - alike):
        kind, round_ = kinds[1 + number % (len(kinds) - 1)], number // (len(kinds) - 1)
        word = f"{_SORTS[round_ % len(_SORTS)]} " if round_ else ""
        count = f" {round_ // len(_SORTS) + 1}" if round_ >= len(_SORTS) else ""
        found[f"{word}{kind}{count}"] = None
    return draw.sample(list(found), knobs.size)


def _passages(knobs: Knobs, draw: random.Random) -> list[_Passage]:
    """Return two-way passages: first a tree of all places, then passages that close loops."""
    used: list[set[str]] = [set() for _ in range(knobs.size)]
    open_ = [0]
    found = []
    for place in range(1, knobs.size):
        parent = draw.choice(open_)
        found.append(_passage(knobs, parent, place, used, draw))
        full = len(used[parent]) >= knobs.branching
        open_ = [other for other in open_ if other != parent or not full]
        open_.append(place)
    joined = {frozenset((source, target)) for (source, _, target), *_ in found}
    for _ in range(round(knobs.loops * knobs.size)):
        source, target = draw.sample(range(knobs.size), 2)
        if frozenset((source, target)) in joined:
            continue
        joined.add(frozenset((source, target)))
        found.append(_passage(knobs, source, target, used, draw))
    return found


def _passage(
    knobs: Knobs, source: int, target: int, used: Sequence[set[str]], draw: random.Random
) -> _Passage:
    """Return a two-way passage whose actions are not yet used at its ends."""
    free = [
        (there, back)
        for there, back in COMPASS.items()
        if there not in used[source] and back not in used[target]
    ]
    if draw.random() < knobs.non_compass or not free:
        there, back = _special(source, target, used, draw)
    else:
        there, back = draw.choice(free)
    used[source].add(there)
    used[target].add(back)
    return (source, there, target), (target, back, source)


def _special(
    source: int, target: int, used: Sequence[set[str]], draw: random.Random
) -> tuple[str, str]:
    """Return a pair of actions that are not directions, with a number if many pairs are in use."""
    count = 0
    while True:
        thing = draw.choice(_THINGS) + (f" {count // 20 + 1}" if count >= 20 else "")
        there, back = (f"{verb} {thing}" for verb in draw.choice(_VERBS))
        if there not in used[source] and back not in used[target]:
            return there, back
        count += 1


def _narrowed(knobs: Knobs, passages: Sequence[_Passage], draw: random.Random) -> list[_Passage]:
    """Make the wanted number of passages one-way, or fewer if a place would become unreachable."""
    found, wanted = list(passages), round(knobs.one_way * len(passages))
    for number in draw.sample(range(len(found)), len(found)):
        if wanted <= 0:
            break
        whole = found[number]
        found[number] = whole[:1]
        (source, _, target), *_ = whole
        if _nearest(_exits(found, knobs.size), target, source.__eq__) is not None:
            wanted -= 1
        else:
            found[number] = whole
    return found


def _exits(passages: Sequence[_Passage], size: int) -> list[list[_Way]]:
    found: list[list[_Way]] = [[] for _ in range(size)]
    for passage in passages:
        for way in passage:
            found[way[0]].append(way)
    return [sorted(ways) for ways in found]


def _nearest(
    exits: Sequence[Sequence[_Way]], start: int, wanted: Callable[[int], object]
) -> list[_Way] | None:
    """Return a shortest route from a place to the nearest wanted place, None without a route."""
    came: dict[int, _Way | None] = {start: None}
    queue = deque([start])
    while queue:
        place = queue.popleft()
        if wanted(place):
            way: list[_Way] = []
            while (step := came[place]) is not None:
                way.append(step)
                place = step[0]
            return way[::-1]
        for step in exits[place]:
            if step[2] not in came:
                came[step[2]] = step
                queue.append(step[2])
    return None


def walk(passages: Sequence[_Passage], size: int, first: int | None = None) -> list[_Way]:
    """Return a walk from place 0 that takes each passage at least once, in either direction.

    The first `first` passages come before the rest; those out of reach are left out.
    """
    exits, found, here = _exits(passages, size), list[_Way](), 0
    passage_of = {way: number for number, passage in enumerate(passages) for way in passage}
    numbers = range(len(passages))

    def fresh(place: int) -> list[_Way]:
        return [way for way in exits[place] if passage_of[way] in left]

    for left in map(set, (numbers[:first], numbers[first:] if first is not None else ())):
        while left and (there := _nearest(exits, here, fresh)) is not None:
            found += there
            here = there[-1][2] if there else here
            found.append(fresh(here)[0])
            left.remove(passage_of[found[-1]])
            here = found[-1][2]
    return found


def described(name: str, actions: Iterable[str]) -> str:
    """Return the description of a place: its name as a title, and its exits."""
    return (
        f"{capwords(name)}\nYou are in the {name}. From here you can go: "
        f"{', '.join(sorted(actions))}."
    )
