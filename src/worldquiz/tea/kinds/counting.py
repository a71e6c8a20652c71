"""Counting: objects of a sort in the agent's view, in its mirrors, or with a pattern.

A count is only asked for where every object that matters is clear or hidden: in a mirror by what it
reflects of the object, with a pattern by whether the pattern can be told. Counts of 0 are asked
only where 0 is not the obvious guess: *in the view* for a sort that the same room holds elsewhere,
*in the mirror* for a sort that it shows from elsewhere (`paired`). Most sorts occur once or not
at all, so only a few of these are asked of a moment: else 0 or 1 would be a good guess (in the
paper's mirror counting most answers were 0, and its models scored high by saying so). Mirrors show
little and patterns are few, so there every count above 0 is asked.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

from worldquiz import rng
from worldquiz.tea.kinds.kinds import (
    CLASS,
    LABEL,
    PICTURE,
    VIEW,
    Found,
    Look,
    TaskKind,
    Told,
    ViewMoment,
    key,
    shows,
    task_type,
)
from worldquiz.tea.kinds.patterns import doubtful, pattern_shown, wears
from worldquiz.tea.taskgraph import Count, Instance, Word
from worldquiz_scenes.scene import Pattern, Scene, Thing
from worldquiz_scenes.view import Show, View, reflected, shown

_UNCOUNTED = frozenset({"blanket", "bread", "headphones", "toilet paper", "toy blocks"})
"""Labels that a reader might count in another way: three blocks, two slices, a bed's cover."""
_PATTERNS = {
    Pattern.STRIPES: "striped object",
    Pattern.CHECKS: "checked object",
    Pattern.DOTS: "dotted object",
}


def _in_view(moment: ViewMoment) -> Iterator[Found]:
    look = moment.ego
    counts = {}
    for label, things in _by_label(look.scene.things).items():
        here = any(thing.room == look.view.room for thing in things)
        count = _clear(look, things)
        if count or (count == 0 and here):
            counts[label] = count
    return _counted(look, counts)


def _in_mirror(moment: ViewMoment) -> Iterator[Found]:
    look = moment.ego
    if not _mirrors(look.scene, look.view):
        return
    mirrored = _reflected(look)
    solid = [thing for thing in look.scene.things if not thing.mirror]
    for label, things in _by_label(solid).items():
        found = [mirrored.get(thing.id, Show.HIDDEN) for thing in things]
        if Show.VAGUE not in found:
            yield _count(look, label, found.count(Show.CLEAR))


def paired(scene: Scene, views: Iterable[View], tasks: Sequence[Instance]) -> tuple[Instance, ...]:
    """Return tasks of some views, of noughts in mirrors only as many as counts above, by sort.

    They are those of views of a mirror that shows the sort in another of these views: a trap.
    """
    known = {view.id: view for view in views}
    showing = {
        (each.mirror, scene.thing[each.thing].label)
        for view in known.values()
        for each in view.reflections
        if reflected(view, each) is Show.CLEAR
    }
    counted = [task for task in tasks if task.type == MIRROR_COUNTING.name]
    above = Counter(task.bind[CLASS.name] for task in counted if task.truth != Count(0))
    traps: dict[str, list[str]] = {}
    for task in counted:
        label, mirrors = task.bind[CLASS.name], _mirrors(scene, known[task.view])
        if task.truth == Count(0) and any((mirror, label) in showing for mirror in mirrors):
            traps.setdefault(label, []).append(task.id)
    kept = {
        id
        for label, ids in traps.items()
        for id in rng.child(0, "traps", scene.id, label).sample(ids, min(len(ids), above[label]))
    }
    dropped = {task.id for task in counted if task.truth == Count(0)} - kept
    return tuple(task for task in tasks if task.id not in dropped)


def _mirrors(scene: Scene, view: View) -> list[str]:
    """Return the mirrors that a view shows clearly."""
    return [each.id for each in scene.mirrors if shown(view, each.id) is Show.CLEAR]


def _patterned(moment: ViewMoment) -> Iterator[Found]:
    look = moment.ego
    counts = {}
    for pattern, words in _PATTERNS.items():
        worn = [thing for thing in look.scene.things if wears(thing, pattern)]
        found = [pattern_shown(look.view, thing) for thing in worn]
        sure = not any(doubtful(thing, pattern) for thing in look.noticed)
        if worn and sure and Show.VAGUE not in found:
            counts[words] = found.count(Show.CLEAR)
    return _counted(look, counts, rare=True)


def _counted(look: Look, counts: Mapping[str, int], *, rare: bool = False) -> Iterator[Found]:
    """Yield counts by name: all above one, and of ones as many, and of noughts no more than both.

    Where ones are rare as well, all of them.
    """
    several, ones, none = (
        sorted(name for name, count in counts.items() if min(count, 2) == size)
        for size in (2, 1, 0)
    )
    draw = rng.child(0, "counts", look.view.id)
    some = ones if rare else draw.sample(ones, min(len(ones), max(1, len(several))))
    limit = len(several) + len(some) if rare else max(len(several), len(some))
    for name in (*several, *some, *draw.sample(none, min(len(none), limit))):
        yield _count(look, name, counts[name])


def _count(look: Look, name: str, count: int) -> Found:
    return Found(look, {CLASS.name: name}, {key(CLASS, LABEL): Word(name)}, Count(count))


def _clear(look: Look, things: Iterable[Thing]) -> int | None:
    """Return how many of some things are clear, None where one is neither clear nor hidden."""
    clarity = [shown(look.view, thing.id) for thing in things]
    return None if Show.VAGUE in clarity else clarity.count(Show.CLEAR)


def _reflected(look: Look) -> dict[str, Show]:
    """Return how clearly mirrors show each thing; vaguely where two show it: is it one or two?"""
    found: dict[str, Show] = {}
    for each in look.view.reflections:
        show = reflected(look.view, each)
        if show is not Show.HIDDEN:
            found[each.thing] = Show.VAGUE if each.thing in found else show
    return found


def _by_label(things: Iterable[Thing]) -> dict[str, list[Thing]]:
    found: dict[str, list[Thing]] = {}
    for thing in things:
        if thing.has_label and thing.label not in _UNCOUNTED:
            found.setdefault(thing.label, []).append(thing)
    return dict(sorted(found.items()))


def _kind(name: str, words: str, find: Callable[[ViewMoment], Iterator[Found]]) -> TaskKind:
    asked: set[Told] = {((VIEW, CLASS), name)}
    given: set[Told] = {(VIEW, PICTURE), (CLASS, LABEL)}
    type = task_type(f"{name}-counting", {VIEW, CLASS}, shows(CLASS), given, asked)
    return TaskKind(type, words, find)


EMBODIED_COUNTING = _kind(
    "embodied", "Look at what is in front of you, but not into mirrors. Count {class}.", _in_view
)
MIRROR_COUNTING = _kind(
    "mirror", "Look only into the mirrors of the picture. Count {class} that they show.", _in_mirror
)
PATTERN_COUNTING = _kind("pattern", "Count {class} in the picture, outside of mirrors.", _patterned)
