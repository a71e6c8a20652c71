"""Balanced sample of tasks, and the upper limit of a score without seeing pictures.

A sample is balanced over types, and over the answers that a type's words allow; only counting in
mirrors keeps at least the paper's share. Types that ask in the same way and differ in how they
denote the object count as one type here; its forms come equally often. A type with too few tasks
for its share leaves the rest to the others.

Within a form, tasks come in *matches*: the same words, different answers. An answerer that reads a
task and sees no picture gives the same reply to all of a match, and is right on one of them at
most. So of tasks that come in matches, no such answerer gets more than the share

    matches / tasks

whatever it knows of the world: of 90 tasks in 30 matches of three, a third. Words that leave one
answer only make no match, and are not asked, so "pillow" does not hint at two. No count is the
answer of more than `MOST` of a type (in the paper's mirror counting most answers were 0). Two
matched tasks differ in their *level* of answers: each word is one, with all words that share its
everyday word ("chair" is right for an armchair too), and each count; lengths are grouped by half
metres, boxes by the position of their middle. Nearly right lengths and boxes earn something, so the
share is no strict limit for them, and their tasks without a match are drawn last instead of never.

Many views show the same *fact*: that one mirror shows these two chairs. Each fact is asked once
before any is asked again.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from math import ceil, floor
from statistics import fmean
from typing import NamedTuple, TypeVar

from worldquiz import rng
from worldquiz.stats.sampling import shares
from worldquiz.tea.exam.grade import everyday, family, worth
from worldquiz.tea.kinds.counting import MOST
from worldquiz.tea.kinds.kinds import (
    VIEW,
    Box2,
    Box3,
    Choice,
    Count,
    Goal,
    Instance,
    Metres,
    Truth,
    Word,
)

TASKS = 848
"""The paper's number of tasks."""
NAVIGATION, MIRRORS = "navigation", "mirror-counting"
REFLECTED = 100
"""The paper's number of tasks that count in mirrors, of `TASKS`."""
CELL, SPAN = 128, 0.5
"""Size of a level of boxes (pixels) and of lengths (metres)."""
TRIED = 200
"""Answers of a type that are tried as the one reply to all tasks; of more, evenly spaced ones."""
LEAST = ceil(1 / MOST)
"""Different counts that a type must have for that."""
TURNS, FEW = 3, 4
"""Matches of the same words before others have their turn; levels in one of lengths or boxes."""

Level = tuple[str, int, int]
Told = tuple[str, ...]
K = TypeVar("K", str, tuple[str, str])


class Match(NamedTuple):
    """Tasks with the same words whose answers differ, one of each level."""

    told: Told
    again: int  # how often matches before it have had one of its facts
    apart: bool  # no apartment has all of its levels
    rank: int  # among the matches of the same words, 0 first
    levels: tuple[Level, ...]


def told(task: Instance) -> Told:
    """Return the information in a task's words: its type, which sets them, and its labels."""
    labels = (each.value for _, each in sorted(task.given.items()) if isinstance(each, Word))
    return task.type, *labels


def fact(task: Instance) -> Told:
    """Return the fact that a task asks about, without its answer, whichever view shows it."""
    about = (each for name, each in sorted(task.bind.items()) if name != VIEW.name)
    return (task.scene, *told(task), *about, *task.counted)


def level(truth: Truth) -> Level:
    """Return the group of answers that an answer belongs to."""
    match truth:
        case Word(value):
            return everyday(value), 0, 0
        case Choice(value):
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
    """Tell whether the answers of tasks are words or counts, which are right or wrong."""
    return all(isinstance(task.truth, Word | Choice | Count) for task in tasks)


def piles(tasks: Iterable[Instance]) -> dict[Told, dict[Level, list[Instance]]]:
    """Return tasks grouped by what their words tell, then by level of answer, sorted by id."""
    found: dict[Told, dict[Level, list[Instance]]] = {}
    for task in sorted(tasks, key=lambda each: each.id):
        found.setdefault(told(task), {}).setdefault(level(task.truth), []).append(task)
    return dict(sorted(found.items()))


def matches(tasks: Sequence[Instance], seed: int, *, pairs_last: bool = False) -> list[Match]:
    """Return the matches of tasks in the order in which they are drawn.

    For words and counts, the largest matches come first, so that little can be earned without
    pictures, and pairs that no apartment can fill (or all pairs) come last; no wording comes a
    fourth time before all others came three times. For lengths and boxes, each wording comes once,
    then a second time, with a few levels far from each other.
    """
    strict, found = plain(tasks), list[Match]()
    for words, by_level in piles(tasks).items():
        had = {level: _repeats(pile) for level, pile in by_level.items()}
        cuts: list[tuple[Level, ...]] = []  # all levels that are left, or a few of them
        for rank in range(max(map(len, had.values()))):
            levels = tuple(sorted(level for level, some in had.items() if len(some) > rank))
            parts = 1 if strict else ceil(len(levels) / FEW)
            cuts += [levels[part::parts] for part in range(parts)]
        for rank, levels in enumerate(cuts):
            if len(levels) > 1 or not strict:
                again = max(had[level][min(rank, len(had[level]) - 1)] for level in levels)
                scenes = ({task.scene for task in by_level[level]} for level in levels)
                found.append(Match(words, again, not set.intersection(*scenes), rank, levels))
    rng.child(seed, "tea-test", "matches").shuffle(found)

    def place(each: Match) -> tuple[int, ...]:
        size, again, rank = len(each.levels), each.again, each.rank
        apart = each.apart or pairs_last  # apart, the answer of one would tell that of the other
        pair = size == 2 and apart
        strictly = pair, again, rank // TURNS, -size, rank
        return strictly if strict else (size == 1, again, rank, -size)

    return sorted(found, key=place)


def _repeats(tasks: Sequence[Instance]) -> list[int]:
    """Return how often the fact of each task came before, in order."""
    counts = Counter(map(fact, tasks)).values()
    return sorted(number for count in counts for number in range(count))


def drawn(tasks: Sequence[Instance], size: int, seed: int) -> list[Instance]:
    """Draw tasks in matches, the last of which may be incomplete; for counts perhaps fewer tasks.

    A match comes from one scene if one has all its levels, so that answers of other scenes do not
    help. Of a level, tasks of the least used fact come first, then those from the scene where the
    answer was used least, then from the least used scene.
    """
    if not _counts(tasks):
        return _drawn(tasks, size, seed, size)
    return max((_evened(tasks, size, seed, last) for last in (False, True)), key=len)


def _most(tasks: Sequence[Instance], seed: int) -> int:
    """Return how many tasks can be drawn at most."""
    if _counts(tasks):
        return len(drawn(tasks, len(tasks), seed))
    return sum(len(each.levels) for each in matches(tasks, seed))


def _evened(tasks: Sequence[Instance], size: int, seed: int, pairs_last: bool) -> list[Instance]:
    """Draw so many tasks that count, or fewer, none of whose answers is too common.

    Nearly all matches are pairs of 0 and 1: where pairs come last, a few labels that things of a
    type repeat can fill it, since these have matches of three.
    """
    limit = ceil(MOST * size)
    while True:
        found = _drawn(tasks, size, seed, limit, pairs_last=pairs_last)
        levels = Counter(level(task.truth) for task in found).values()
        if len(levels) < LEAST or max(levels) <= MOST * len(found):
            return found
        limit = max(levels) - 1


def _counts(tasks: Sequence[Instance]) -> bool:
    """Tell whether tasks count, with enough different answers that none has to be common."""
    answers = {task.truth for task in tasks}
    return len(answers) >= LEAST and all(isinstance(each, Count) for each in answers)


def _drawn(
    tasks: Sequence[Instance], size: int, seed: int, limit: int, *, pairs_last: bool = False
) -> list[Instance]:
    """Draw so many tasks in matches, no more of each level than a limit."""
    left, used = piles(tasks), Counter[tuple[str, ...] | Level]()
    for words, by_level in left.items():
        for answer, pile in by_level.items():
            rng.child(seed, "tea-test", *words, *map(str, answer)).shuffle(pile)
    found: list[Instance] = []
    for each in matches(tasks, seed, pairs_last=pairs_last):
        levels = [answer for answer in each.levels if used[answer] < limit]
        rng.child(seed, "tea-test", "levels", *each.told, each.rank).shuffle(levels)
        if len(levels) < min(2, len(each.levels)):
            continue
        some = [scene for answer in levels for scene in {t.scene for t in left[each.told][answer]}]
        home = min(some, key=lambda scene: (-some.count(scene), used[scene,], scene))
        for answer in sorted(levels, key=lambda level: used[level])[: size - len(found)]:
            pile = left[each.told][answer]
            task = min(
                pile, key=lambda t: (t.scene != home, used[fact(t)], used[t.scene, str(answer)],
                                     used[t.scene,]),
            )  # fmt: skip
            pile.remove(task)
            used.update([answer, fact(task), (task.scene, str(answer)), (task.scene,)])
            found.append(task)
        if len(found) == size:
            break
    return found


def unseen(tasks: Sequence[Instance]) -> float:
    """Return the share of tasks that one who reads words and sees nothing can get right, 0..1."""
    best = sum(max(map(len, by_level.values())) for by_level in piles(tasks).values())
    return best / len(tasks)


def families(tasks: Iterable[Instance]) -> dict[str, list[Instance]]:
    """Return tasks by family name; each group sorted by id."""
    return _groups(sorted(tasks, key=lambda each: each.id), lambda task: family(task.type))


def _groups(tasks: Iterable[Instance], key: Callable[[Instance], K]) -> dict[K, list[Instance]]:
    found: dict[K, list[Instance]] = {}
    for task in tasks:
        found.setdefault(key(task), []).append(task)
    return dict(sorted(found.items()))


def sample(tasks: Sequence[Instance], size: int, seed: int) -> tuple[Instance, ...]:
    """Draw tasks that are answered, sorted by id; fewer if balance allows no more."""
    types = {
        name: _groups(some, lambda task: task.type)
        for name, some in families(tasks).items()
        if name != NAVIGATION
    }
    forms = {
        name: {form: _most(some, seed) for form, some in by.items()} for name, by in types.items()
    }
    every = {name: sum(counts.values()) for name, counts in forms.items()}
    sizes = shares(every, size)
    least = min(every.get(MIRRORS, 0), ceil(size * REFLECTED / TASKS))
    if sizes.get(MIRRORS, 0) < least:  # the paper's share of counting in mirrors
        others = {name: count for name, count in every.items() if name != MIRRORS}
        sizes = {MIRRORS: least, **shares(others, size - least)}
    found: list[Instance] = []
    for name, share in sizes.items():
        for form, number in shares(forms[name], share).items():
            found += drawn(types[name][form], number, seed)
    return tuple(sorted(found, key=lambda each: each.id))


def order(tasks: Sequence[Instance], seed: int) -> list[Instance]:
    """Return all walks in drawing order: taking turns between scenes and forms."""
    walks = families(tasks).get(NAVIGATION, [])
    piles = list(_groups(walks, lambda task: (task.scene, task.type)).values())
    for pile in piles:
        rng.child(seed, "tea-test", NAVIGATION, pile[0].scene, pile[0].type).shuffle(pile)
    rng.child(seed, "tea-test", NAVIGATION, "order").shuffle(piles)
    found: list[Instance] = []
    while any(piles):
        found += [pile.pop() for pile in piles if pile]
    return found


def chance(tasks: Iterable[Instance]) -> dict[str, float]:
    """Return the guess of each type, 0..1: the mean score that is possible without pictures. For
    words and counts it is the share that the best reply to each wording gets right (`unseen`); no
    reader without pictures gets more. Of lengths and boxes it is the mean that the best single
    reply to all tasks of a type earns, among the type's own answers.
    """
    return {
        name: unseen(some) if plain(some) else one_answer(some)
        for name, some in families(tasks).items()
    }


def one_answer(tasks: Sequence[Instance]) -> float:
    """Return the mean worth of the best single reply to some tasks of a type, 0..1."""
    if plain(tasks):
        levels = [level(task.truth) for task in tasks]
        return max(map(levels.count, set(levels))) / len(levels)
    truths = sorted((task.truth for task in tasks), key=repr)
    tried = truths[:: ceil(len(truths) / TRIED)]
    return max(fmean(worth(truth, said) for truth in truths) for said in tried)
