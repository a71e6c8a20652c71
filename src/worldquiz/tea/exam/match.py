"""Tasks matched by their words: the same words, different answers.

Who reads a task and sees nothing gives the same reply to all of a *match*, and earns one of its
tasks at most. So of tasks that come in matches, no such answerer gets more than the share

    matches / tasks

whatever it knows of the world: of 90 tasks in 30 matches of three, a third. Words that leave one
answer only are no match, and are not asked; "pillow" no longer hints at two. What two matched tasks
differ in is their *level* of answers: each word and each count is one; lengths are grouped by half
metres, boxes by where their middle is. Nearly right lengths and boxes earn something, so for these
the share is no law, and tasks without a match come last, not never.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from math import ceil, floor

from worldquiz import rng
from worldquiz.tea.taskgraph import Box2, Box3, Count, Goal, Instance, Metres, Truth, Word

CELL, SPAN = 128, 0.5
"""Pixels and metres of a level of boxes and of lengths."""
TURNS, FEW = 3, 4
"""Matches of the same words before others have their turn; levels in one of lengths or boxes."""

Level = tuple[str, int, int]
Told = tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Match:
    """Tasks with the same words whose answers differ, one of each level."""

    told: Told
    rank: int  # among the matches of the same words, 0 first
    levels: tuple[Level, ...]


def told(task: Instance) -> Told:
    """Return what the words of a task tell: how it is asked, and the labels in it."""
    labels = (each.value for _, each in sorted(task.given.items()) if isinstance(each, Word))
    return task.type, *labels


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


def plain(tasks: Sequence[Instance]) -> bool:
    """Tell whether tasks have words or counts for answers, which are right or wrong."""
    return all(isinstance(task.truth, Word | Count) for task in tasks)


def piles(tasks: Iterable[Instance]) -> dict[Told, dict[Level, list[Instance]]]:
    """Return tasks by what their words tell, then by level, each pile by id."""
    found: dict[Told, dict[Level, list[Instance]]] = {}
    for task in sorted(tasks, key=lambda each: each.id):
        found.setdefault(told(task), {}).setdefault(level(task.truth), []).append(task)
    return dict(sorted(found.items()))


def matches(tasks: Sequence[Instance], seed: int) -> list[Match]:
    """Return the matches of tasks in the order in which they are drawn.

    Words and counts: the largest first, so that little can be earned unseen; but no words a fourth
    time before others have had their three. Lengths and boxes: one of all words, then a second,
    each of a few levels far from each other.
    """
    strict = plain(tasks)
    found = [
        Match(words, rank, levels)
        for words, by_level in piles(tasks).items()
        for rank, levels in enumerate(_cut(by_level, strict=strict))
        if len(levels) > 1 or not strict
    ]
    rng.child(seed, "tea-test", "matches").shuffle(found)

    def place(each: Match) -> tuple[int, ...]:
        size = len(each.levels)
        return (each.rank // TURNS, -size, each.rank) if strict else (size == 1, each.rank, -size)

    return sorted(found, key=place)


def drawn(tasks: Sequence[Instance], size: int, seed: int) -> list[Instance]:
    """Draw so many tasks in matches, the last of which may not be whole.

    Of a level, the task comes from the scene that has had that answer least, then least at all.
    """
    left, used = _shuffled(tasks, seed), Counter[tuple[str, ...] | Level]()
    found: list[Instance] = []
    for each in matches(tasks, seed):
        levels = list(each.levels)
        rng.child(seed, "tea-test", "levels", *each.told, each.rank).shuffle(levels)
        for answer in sorted(levels, key=lambda level: used[level])[: size - len(found)]:
            pile = left[each.told][answer]
            task = min(pile, key=lambda t: (used[t.scene, str(answer)], used[t.scene,]))
            pile.remove(task)
            used.update([answer, (task.scene, str(answer)), (task.scene,)])
            found.append(task)
        if len(found) == size:
            break
    return found


def unseen(tasks: Iterable[Instance]) -> float | None:
    """Return the share of tasks that one who reads words and sees nothing can get right, 0..1.

    None without tasks.
    """
    groups = piles(tasks)
    best = sum(max(map(len, by_level.values())) for by_level in groups.values())
    size = sum(len(pile) for by_level in groups.values() for pile in by_level.values())
    return best / size if size else None


def _cut(by_level: dict[Level, list[Instance]], *, strict: bool) -> Iterator[tuple[Level, ...]]:
    """Yield the levels of each match of the same words: all that are left, or a few of them."""
    for rank in range(max(map(len, by_level.values()))):
        levels = tuple(sorted(level for level, pile in by_level.items() if len(pile) > rank))
        parts = 1 if strict else ceil(len(levels) / FEW)
        yield from (levels[part::parts] for part in range(parts))


def _shuffled(tasks: Iterable[Instance], seed: int) -> dict[Told, dict[Level, list[Instance]]]:
    found = piles(tasks)
    for words, by_level in found.items():
        for answer, pile in by_level.items():
            rng.child(seed, "tea-test", *words, *map(str, answer)).shuffle(pile)
    return found
