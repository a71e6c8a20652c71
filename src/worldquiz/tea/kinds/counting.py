"""Counting: objects of a sort in the agent's view, in its mirrors, or with a pattern.

A count is only asked for where every object that matters is clear or hidden. Counts of nought are
asked where they are a trap and not a gift: *in the mirror* for a sort that the view shows outside
of it, *in the view* for a sort that the same room holds elsewhere. Most sorts are there once or
not at all, so only a few of these are asked of a moment: else one or nought would be a good guess
(the paper's mirror counting was mostly nought, and its models scored high by saying so). Mirrors
show little and patterns are few, so there every count above nought is asked.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping

from worldquiz import rng
from worldquiz.scenes.scene import Pattern, Thing
from worldquiz.scenes.view import Show, reflected, shown
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
from worldquiz.tea.taskgraph import Count, Word

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
    if not any(shown(look.view, mirror.id) is Show.CLEAR for mirror in look.scene.mirrors):
        return iter(())
    mirrored = _reflected(look)
    counts = {}
    solid = [thing for thing in look.scene.things if not thing.mirror]
    for label, things in _by_label(solid).items():
        found = [mirrored.get(thing.id, Show.HIDDEN) for thing in things]
        beside = any(shown(look.view, thing.id) is Show.CLEAR for thing in things)
        if Show.VAGUE not in found and (Show.CLEAR in found or beside):
            counts[label] = found.count(Show.CLEAR)
    return _counted(look, counts, rare=True)


def _patterned(moment: ViewMoment) -> Iterator[Found]:
    look = moment.ego
    counts = {}
    for pattern, words in _PATTERNS.items():
        things = [thing for thing in look.scene.things if thing.paint.pattern is pattern]
        count = _clear(look, things)
        partly = any(
            thing.paint.pattern is not pattern and _bears(thing, pattern) for thing in look.noticed
        )
        if count is not None and things and not partly:
            counts[words] = count
    return _counted(look, counts, rare=True)


def _bears(thing: Thing, pattern: Pattern) -> bool:
    """Tell whether some part of a thing has a pattern: a striped seat makes no striped chair."""
    return any(part.paint.pattern is pattern for part in thing.parts)


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
        given = {key(CLASS, LABEL): Word(name)}
        yield Found(look, {CLASS.name: name}, given, Count(counts[name]))


def _clear(look: Look, things: Iterable[Thing]) -> int | None:
    """Return how many of some things are clear, None where one is neither clear nor hidden."""
    clarity = [shown(look.view, thing.id) for thing in things]
    return None if Show.VAGUE in clarity else clarity.count(Show.CLEAR)


def _reflected(look: Look) -> dict[str, Show]:
    """Return how clearly mirrors show each thing: as the mirror that shows it best."""
    found: dict[str, Show] = {}
    for each in look.view.reflections:
        show = reflected(look.view, each)
        found[each.thing] = min(found.get(each.thing, Show.HIDDEN), show, key=list(Show).index)
    return found


def _by_label(things: Iterable[Thing]) -> dict[str, list[Thing]]:
    found: dict[str, list[Thing]] = {}
    for thing in things:
        if thing.has_label:
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
