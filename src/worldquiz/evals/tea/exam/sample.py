"""A balanced sample of tasks: evenly over types, and evenly over the answers within a type.

What is asked in the same way of an object that is denoted otherwise is one type here. Answers come
in *levels*: each word and each count is one, lengths are grouped by half metres, boxes by where
their middle is. No level is larger than at least one other, so that always saying one thing is
worth little (the paper's mirror counting was mostly nought). Rare answers stay rare; a type that
has too few tasks for its share leaves the rest to the others.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from math import floor

from worldquiz import rng
from worldquiz.metrics.scene.grade import family
from worldquiz.model.taskgraph import Box2, Box3, Count, Goal, Instance, Metres, Truth, Word
from worldquiz.quiz.paths.sample import shares

TASKS, TRIPS = 848, 100
"""The paper's numbers of tasks and of navigation episodes."""
NAVIGATION = "navigation"
CELL, SPAN = 128, 0.5
"""Pixels and metres of a level of boxes and of lengths."""

Level = tuple[str, int, int]


def families(tasks: Iterable[Instance]) -> dict[str, list[Instance]]:
    """Return tasks by what they ask, by name; each group by id."""
    found: dict[str, list[Instance]] = {}
    for task in sorted(tasks, key=lambda each: each.id):
        found.setdefault(family(task.type), []).append(task)
    return dict(sorted(found.items()))


def level(truth: Truth) -> Level:
    """Return the group of answers that an answer belongs to."""
    match truth:
        case Word(value):
            return value, 0, 0
        case Count(value):
            return "", value, 0
        case Metres(value):
            return "", floor(value / SPAN), 0
        case Box2((x0, y0, x1, y1)):
            return "", (x0 + x1) // (2 * CELL), (y0 + y1) // (2 * CELL)
        case Box3(centre):
            return "", floor(centre[2] / SPAN), 0
        case Goal(thing):
            return thing, 0, 0


def sample(tasks: Sequence[Instance], size: int, seed: int) -> tuple[Instance, ...]:
    """Draw so many tasks that are answered, by id: fewer where balance allows no more."""
    levels = {name: _levels(some) for name, some in families(tasks).items() if name != NAVIGATION}
    most = {name: _most([len(group) for group in some.values()]) for name, some in levels.items()}
    there = {
        name: sum(min(len(group), most[name]) for group in some.values())
        for name, some in levels.items()
    }
    found: list[Instance] = []
    for name, share in shares(there, size).items():
        sizes = {key: min(len(group), most[name]) for key, group in levels[name].items()}
        for key, number in _divided(sizes, share, seed, name).items():
            found += _drawn(levels[name][key], number, seed, f"{name} {key}")
    return tuple(sorted(found, key=lambda each: each.id))


def episodes(tasks: Sequence[Instance], size: int, seed: int) -> tuple[Instance, ...]:
    """Draw so many walks, by id, evenly over scenes and over labels and pictures."""
    walks = [task for task in tasks if family(task.type) == NAVIGATION]
    return tuple(sorted(_drawn(walks, size, seed, NAVIGATION), key=lambda each: each.id))


def order(tasks: Sequence[Instance], seed: int) -> list[Instance]:
    """Return all walks in the order in which they are drawn."""
    walks = [task for task in tasks if family(task.type) == NAVIGATION]
    return _drawn(walks, len(walks), seed, NAVIGATION)


def _levels(tasks: Iterable[Instance]) -> dict[Level, list[Instance]]:
    found: dict[Level, list[Instance]] = {}
    for task in tasks:
        found.setdefault(level(task.truth), []).append(task)
    return dict(sorted(found.items()))


def _most(sizes: Sequence[int]) -> int:
    """Return how large a level may be: as many equal ones of that size hold most tasks.

    With one level only, there is nothing to balance.
    """
    ranked = sorted(sizes, reverse=True)
    if len(ranked) == 1:
        return ranked[0]
    return max((size * place, place, size) for place, size in enumerate(ranked[1:], start=2))[2]


def _divided(sizes: Mapping[Level, int], size: int, seed: int, name: str) -> dict[Level, int]:
    """Divide a share over levels; which of equal ones get one more is drawn."""
    keys = list(sizes)
    rng.child(seed, "tea-test", name).shuffle(keys)
    return dict(sorted(shares({key: sizes[key] for key in keys}, size).items()))


def _drawn(tasks: Sequence[Instance], size: int, seed: int, name: str) -> list[Instance]:
    """Draw tasks, from each scene and type in turn."""
    groups: dict[tuple[str, str], list[Instance]] = {}
    for task in sorted(tasks, key=lambda each: each.id):
        groups.setdefault((task.scene, task.type), []).append(task)
    piles = [groups[key] for key in sorted(groups)]
    for pile in piles:
        rng.child(seed, "tea-test", name, pile[0].scene, pile[0].type).shuffle(pile)
    rng.child(seed, "tea-test", name, "order").shuffle(piles)
    found: list[Instance] = []
    while len(found) < size and any(piles):
        found += [pile.pop() for pile in piles if pile]
    return found[:size]
