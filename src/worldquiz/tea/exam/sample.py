"""Balanced sample of tasks, and the upper limit of a score without seeing pictures.

A sample is balanced over types, and over the answers that a type's words allow; counting in mirrors
gets at least the paper's share. Types that differ only in how they denote the object count as one
type here, and its forms come equally often. If a type has too few tasks for its share, the rest
goes to other types.

Within a form, tasks come in *matches*: the same words, but different answers. An answerer that
reads a task without seeing pictures gives the same reply to a whole match, and is right on at most
one task of it. So on tasks in matches, such an answerer is right on at most the share

    matches / tasks

whatever it knows of the world: a third for 90 tasks in 30 matches of three. Words with only one
possible answer form no match and are not asked, or "pillow" would imply "two". No count is the
answer to more than the share `MOST` of a type (in the paper's mirror counting most answers were 0).
The tasks of a match differ in the *level* of their answers. A level is a count, or a word with all
words that share its everyday word ("chair" is right for an armchair too), or half a metre of
lengths, or a position of boxes. Nearly right lengths and boxes get partial credit, so the share is
not a strict limit for them, and their tasks without a match are drawn last instead of never.

Many views show the same *fact*, such as two particular chairs in one mirror. Each fact is asked
once before any fact is asked again.
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
"""Most answers of a type that are tried as the reply to all its tasks; more are thinned evenly."""
LEAST = ceil(1 / MOST)
"""Fewest different counts with which no count need exceed `MOST`."""
TURNS, FEW = 3, 4
"""Matches of the same words before other words' turn; levels in a match of lengths or boxes."""

Level = tuple[str, int, int]
Told = tuple[str, ...]
K = TypeVar("K", str, tuple[str, str])


class Match(NamedTuple):
    """Tasks with the same words whose answers differ, one of each level."""

    told: Told
    again: int  # how often earlier matches have had one of its facts
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
    """Return whether the answers of tasks are words or counts, which are right or wrong."""
    return all(isinstance(task.truth, Word | Choice | Count) for task in tasks)


def piles(tasks: Iterable[Instance]) -> dict[Told, dict[Level, list[Instance]]]:
    """Return tasks grouped by `told` and then by level of answer, sorted by id."""
    found: dict[Told, dict[Level, list[Instance]]] = {}
    for task in sorted(tasks, key=lambda each: each.id):
        found.setdefault(told(task), {}).setdefault(level(task.truth), []).append(task)
    return dict(sorted(found.items()))


def matches(tasks: Sequence[Instance], seed: int, *, pairs_last: bool = False) -> list[Match]:
    """Return the matches of tasks in the order in which they are drawn.

    For words and counts, the largest matches come first, which keeps scores without pictures low;
    pairs that no single apartment can fill (or all pairs) come last; no wording comes a fourth time
    before every other wording came three times. For lengths and boxes, each wording comes once,
    then a second time, with a few levels far apart.
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
        apart = each.apart or pairs_last  # apart, one answer would reveal the other
        pair = size == 2 and apart
        strictly = pair, again, rank // TURNS, -size, rank
        return strictly if strict else (size == 1, again, rank, -size)

    return sorted(found, key=place)


def _repeats(tasks: Sequence[Instance]) -> list[int]:
    """Return the number of earlier tasks with the same fact for each task, in rising order."""
    counts = Counter(map(fact, tasks)).values()
    return sorted(number for count in counts for number in range(count))


def drawn(tasks: Sequence[Instance], size: int, seed: int) -> list[Instance]:
    """Draw tasks in matches, the last of which may be incomplete; for counts perhaps fewer tasks.

    A match comes from one scene if a scene has all its levels, so that answers from other scenes do
    not help. Within a level, a task with the least used fact comes first; ties go to the scene
    where the answer was used least, then to the least used scene.
    """
    if not _counts(tasks):
        return _drawn(tasks, size, seed, size)
    return max((_evened(tasks, size, seed, last) for last in (False, True)), key=len)


def _most(tasks: Sequence[Instance], seed: int) -> int:
    """Return the greatest number of tasks that can be drawn."""
    if _counts(tasks):
        return len(drawn(tasks, len(tasks), seed))
    return sum(len(each.levels) for each in matches(tasks, seed))


def _evened(tasks: Sequence[Instance], size: int, seed: int, pairs_last: bool) -> list[Instance]:
    """Draw at most `size` counting tasks without an answer that is too common.

    Nearly all matches are pairs of 0 and 1. If pairs come last, the few labels that several things
    share can fill the sample, since they have matches of three.
    """
    limit = ceil(MOST * size)
    while True:
        found = _drawn(tasks, size, seed, limit, pairs_last=pairs_last)
        levels = Counter(level(task.truth) for task in found).values()
        if len(levels) < LEAST or max(levels) <= MOST * len(found):
            return found
        limit = max(levels) - 1


def _counts(tasks: Sequence[Instance]) -> bool:
    """Return whether tasks are counts with enough different answers that none must be common."""
    answers = {task.truth for task in tasks}
    return len(answers) >= LEAST and all(isinstance(each, Count) for each in answers)


def _drawn(
    tasks: Sequence[Instance], size: int, seed: int, limit: int, *, pairs_last: bool = False
) -> list[Instance]:
    """Draw `size` tasks in matches, at most `limit` of each level."""
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
    """Return the share of tasks that a reader without pictures can get right, 0..1."""
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
    """Draw at most `size` tasks that are answered, as far as balance allows, sorted by id."""
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
    """Return all walks in drawing order, taking turns between scenes and forms."""
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
    reader without pictures gets more. For lengths and boxes it is the mean score of the best single
    reply to all tasks of a type, chosen among the type's own answers.
    """
    return {
        name: unseen(some) if plain(some) else one_answer(some)
        for name, some in families(tasks).items()
    }


def one_answer(tasks: Sequence[Instance]) -> float:
    """Return the mean score of the best single reply to some tasks of a type, 0..1."""
    if plain(tasks):
        levels = [level(task.truth) for task in tasks]
        return max(map(levels.count, set(levels))) / len(levels)
    truths = sorted((task.truth for task in tasks), key=repr)
    tried = truths[:: ceil(len(truths) / TRIED)]
    return max(fmean(worth(truth, said) for truth in truths) for said in tried)
