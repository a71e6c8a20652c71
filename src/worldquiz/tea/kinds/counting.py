"""Counting tasks: objects with one label in the agent's view or in its mirrors, or with a pattern.

A count is asked only if every relevant object is either clear or hidden. In a mirror, this is
judged by the object's reflection; for patterns, by whether the pattern can be recognized.

A count of 0 is asked only where it is not the obvious guess: *in the view*, for a label that things
elsewhere in the room have; *in the mirror*, if the mirror shows such a thing from another position.
Most labels occur once or not at all, so 0 and 1 would be good guesses (in the paper's mirror
counting most answers were 0, and models scored high by saying so). Therefore `balanced` leaves out
tasks until no count is the answer to more than the share `MOST` of a type's tasks.

A thing *wears* a pattern that covers most of it, seen from above and from its four sides. Patterns
on only one part (a chair's checked seat) and striped shapes (a radiator) are ambiguous. A pattern
is recognizable in a picture if the thing fills a square with sides of `SIDE`.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache, partial

from worldquiz import rng
from worldquiz.tea.kinds.kinds import (
    CLASS,
    LABEL,
    PICTURE,
    VIEW,
    Count,
    Found,
    Instance,
    Look,
    TaskKind,
    TaskType,
    Truth,
    ViewMoment,
    Word,
    key,
    shows,
    task_type,
)
from worldquiz_scenes.arrays import np
from worldquiz_scenes.geometry import extent, half_of, solid
from worldquiz_scenes.scene import Pattern, Scene, Thing
from worldquiz_scenes.view import Show, View, reflected, shown

MOST = 0.35
"""Greatest share of a type's tasks with the same count as answer."""
GREATEST = 6
"""Greatest count that is asked."""
FEWEST = 1
"""Tasks of each count, if a loop in a scene has too few different counts."""
_UNCOUNTED = frozenset({"blanket", "bread", "headphones", "toilet paper", "toy blocks"})
"""Labels that a reader might count in another way: three blocks, two slices, a bed's cover."""
PATTERNS = {
    Pattern.STRIPES: "striped object",
    Pattern.CHECKS: "checked object",
    Pattern.DOTS: "dotted object",
}
SIDE = 32 / 480
"""Side of the square that a thing must fill for a plain pattern, per picture height."""
WORN = 0.6
"""Share of a thing's surface that a pattern must cover for the thing to wear it."""
SLATS = frozenset(
    {"basket", "curtain", "floor lamp", "piano", "radiator", "shoe rack", "table lamp"}
)
"""Labels of things whose shape looks like stripes: slats, folds."""
_GRID = 12
"""Sample points along each edge of a side, to find the foremost part."""
_SIDES = ((2, 1), (0, 1), (0, -1), (1, 1), (1, -1))
"""Axis and sign of each direction of view: from above, and from four sides."""


def _type(name: str) -> TaskType:
    return task_type(
        f"{name}-counting", {VIEW, CLASS}, shows(CLASS), {(VIEW, PICTURE), (CLASS, LABEL)},
        {((VIEW, CLASS), name)},
    )  # fmt: skip


@partial(
    TaskKind,
    _type("embodied"),
    "Look at what is in front of you, but not into mirrors. Count {class}.",
)
def in_view(moment: ViewMoment) -> Iterator[Found]:
    """Yield counts of things with each label in the view, also 0 if others are in the room."""
    look = moment.ego
    for label, things in _by_label(look.scene.things).items():
        shows = {thing.id: shown(look.view, thing.id) for thing in things}
        if any(thing.room == look.view.room for thing in things) or Show.CLEAR in shows.values():
            yield from _count(look, label, shows)


@partial(
    TaskKind,
    _type("mirror"),
    "Look only into the mirrors of the picture. Count {class} that they show.",
)
def in_mirror(moment: ViewMoment) -> Iterator[Found]:
    """Yield counts of things with each label in the mirrors of the view."""
    look = moment.ego
    if not _mirrors(look.scene, look.view):
        return
    mirrored: dict[str, Show] = {}  # vague if two mirrors show a thing: one or two?
    for each in look.view.reflections:
        show = reflected(look.view, each)
        if show is not Show.HIDDEN:
            mirrored[each.thing] = Show.VAGUE if each.thing in mirrored else show
    solid = [thing for thing in look.scene.things if not thing.mirror]
    for label, things in _by_label(solid).items():
        shows = {thing.id: mirrored.get(thing.id, Show.HIDDEN) for thing in things}
        yield from _count(look, label, shows)


def balanced(
    scene: Scene, views: Iterable[View], tasks: Sequence[Instance]
) -> tuple[Instance, ...]:
    """Leave out counting tasks until no count is a good guess, and return the remaining tasks.

    A count of 0 in a mirror remains only if another of these views shows a thing with this label in
    the same mirror.
    """
    known = {view.id: view for view in views}
    showing = {
        (each.mirror, scene.thing[each.thing].label)
        for view in known.values()
        for each in view.reflections
        if reflected(view, each) is Show.CLEAR
    }
    kept, counted = set[str](), dict[str, list[Instance]]()
    for task in tasks:
        mirrors = _mirrors(scene, known[task.view]) if task.truth == Count(0) else []
        trap = any((mirror, task.bind.get(CLASS.name)) in showing for mirror in mirrors)
        if CLASS.name not in task.bind:
            kept.add(task.id)
        elif task.type != in_mirror.type.name or task.truth != Count(0) or trap:
            counted.setdefault(task.type, []).append(task)
    for type, some in counted.items():
        draw = rng.child(0, "counts", scene.id, type, some[0].view)
        kept |= {task.id for task in _evened(draw.sample(some, len(some)))}
    return tuple(task for task in tasks if task.id in kept)


def _evened(tasks: Sequence[Instance]) -> Iterator[Instance]:
    """Yield tasks such that no answer exceeds the share `MOST`, as varied in things as possible.

    If there are too few different answers for that, yield `FEWEST` tasks for each answer.
    """
    levels, seen = dict[Truth, list[tuple[int, Instance]]](), Counter[tuple[str, ...]]()
    for task in tasks:
        fact = task.bind[CLASS.name], *task.counted
        seen[fact] += 1
        levels.setdefault(task.truth, []).append((seen[fact], task))
    sizes = [len(some) for some in levels.values()]
    limit = max(
        (most for most in range(max(sizes) + 1) if most <= MOST * sum(min(most, n) for n in sizes)),
    )
    for some in levels.values():
        ranked = sorted(some, key=lambda each: each[0])
        yield from (task for _, task in ranked[: limit or FEWEST])


def _mirrors(scene: Scene, view: View) -> list[str]:
    """Return the mirrors that a view shows clearly."""
    return [each.id for each in scene.mirrors if shown(view, each.id) is Show.CLEAR]


@partial(TaskKind, _type("pattern"), "Count {class} in the picture, outside of mirrors.")
def patterned(moment: ViewMoment) -> Iterator[Found]:
    """Yield counts of things in the view with each pattern that some thing in the scene wears."""
    look = moment.ego
    for pattern, words in PATTERNS.items():
        worn = [each for each in look.scene.things if covered(each, pattern) >= WORN]
        sure = not any(
            (pattern is Pattern.STRIPES and thing.label in SLATS)
            or 0 < covered(thing, pattern) < WORN
            for thing in look.noticed  # people may differ on whether it has the pattern
        )
        if worn and sure:
            shows = {thing.id: _pattern_shown(look.view, thing) for thing in worn}
            yield from _count(look, words, shows)


def _count(look: Look, name: str, shows: Mapping[str, Show]) -> Iterator[Found]:
    """Yield the number of clear things, unless some thing is vague, or there are too many."""
    counted = tuple(sorted(id for id, show in shows.items() if show is Show.CLEAR))
    if Show.VAGUE not in shows.values() and len(counted) <= GREATEST:
        given = {key(CLASS, LABEL): Word(name)}
        yield Found(look, {CLASS.name: name}, given, Count(len(counted)), counted)


def _by_label(things: Iterable[Thing]) -> dict[str, list[Thing]]:
    found: dict[str, list[Thing]] = {}
    for thing in things:
        if thing.has_label and thing.label not in _UNCOUNTED:
            found.setdefault(thing.label, []).append(thing)
    return dict(sorted(found.items()))


def _pattern_shown(view: View, thing: Thing) -> Show:
    """Return how clearly a view shows the pattern that a thing wears."""
    show = shown(view, thing.id)
    if show is not Show.CLEAR:
        return show
    side = SIDE * view.camera.height
    seen = view.seen[thing.id]
    x0, y0, x1, y1 = seen.box
    plain = min(x1 - x0, y1 - y0) >= side and seen.pixels >= side**2
    return Show.CLEAR if plain else Show.VAGUE


@lru_cache(maxsize=4096)
def covered(thing: Thing, pattern: Pattern) -> float:
    """Return the share of a thing's surface that a pattern covers, 0..1.

    The surface is what is visible from above and from four sides, with parts taken as boxes.
    """
    own = np.array([part.paint.pattern is pattern for part in thing.parts])
    if not own.any():
        return 0.0
    parts = ((part, half_of(part.shape, part.size)) for part in thing.parts)
    boxes = np.array([extent(solid(part.at, half, part.turn)) for part, half in parts])
    low, high = boxes[:, 0], boxes[:, 1]
    least, long = low.min(axis=0), high.max(axis=0) - low.min(axis=0)
    points = least + (np.arange(_GRID)[:, None] + 0.5) / _GRID * long
    within = (low[:, None] <= points) & (points <= high[:, None])  # part, point, axis
    whole = shown = 0.0
    for axis, sign in _SIDES:
        across, up = (each for each in range(3) if each != axis)
        order = np.lexsort((own, high[:, axis] if sign > 0 else -low[:, axis]))
        there = (within[:, :, None, across] & within[:, None, :, up])[order]
        first = np.where(there, np.arange(len(own))[:, None, None], -1).max(axis=0)
        cell = long[across] * long[up] / _GRID**2
        whole += cell * (first >= 0).sum()
        shown += cell * own[order][first[first >= 0]].sum()
    return float(shown / whole) if whole else 0.0
