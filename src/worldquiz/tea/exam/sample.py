"""Balanced sample of tasks, and the greatest score possible without seeing pictures.

A sample has equally many tasks of each type, if there are enough. Counting in mirrors gets at least
its share in the paper. Types that differ only in how they name the object count as one type here,
and each of its *forms* comes equally often.

Within a form, tasks come in *matches*: groups of tasks with the same wording but different answers.
An answerer that does not see the pictures gives the same reply to a whole match, so it is right on
at most one task of each. Whatever it knows of the world, its share of right replies is at most

    matches / tasks

which is a third for 90 tasks in 30 matches of three. A wording that has only one answer in all
tasks is not asked, or "pillow" would imply "two". No count is the answer to more than the share
`MOST` of a type (in the paper's mirror counting, most answers were 0).
The answers in a match differ in *level*: each count is a level; words are one level if they share
an everyday word ("chair" is also right for an armchair); for lengths, a level is half a metre; for
boxes, a region. Since nearly right lengths and boxes get partial credit, the limit above is not
strict for them, and their tasks without a match are used last instead of never.

Many views show the same *fact*, such as two particular chairs in one mirror. A fact is asked again
only after every fact was asked once.
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
"""Size of one level of answers: for boxes in pixels, for lengths in metres."""
TRIED = 200
"""Most answers of a type that are tried as the constant reply; of more, every n-th is tried."""
LEAST = ceil(1 / MOST)
"""Number of different counts that is needed if no count is to exceed `MOST`."""
TURNS, FEW = 3, 4
"""Matches of one wording in each turn; levels in a match of lengths or boxes."""

Level = tuple[str, int, int]
Told = tuple[str, ...]
K = TypeVar("K", str, tuple[str, str])


class Match(NamedTuple):
    """A group of tasks with the same wording, and one answer from each of several levels."""

    told: Told
    again: int  # how often earlier matches have had one of its facts
    apart: bool  # no apartment has all of its levels
    rank: int  # among the matches of the same words, 0 first
    levels: tuple[Level, ...]


def told(task: Instance) -> Told:
    """Return what determines a task's wording: its type, and the labels in it."""
    labels = (each.value for _, each in sorted(task.given.items()) if isinstance(each, Word))
    return task.type, *labels


def fact(task: Instance) -> Told:
    """Return a key of the fact that a task asks about, the same for every view that shows it."""
    about = (each for name, each in sorted(task.bind.items()) if name != VIEW.name)
    return (task.scene, *told(task), *about, *task.counted)


def level(truth: Truth) -> Level:
    """Return the level of an answer: answers of one level count as equal in a match."""
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
    """Return whether all answers are words or counts, which get no partial credit."""
    return all(isinstance(task.truth, Word | Choice | Count) for task in tasks)


def piles(tasks: Iterable[Instance]) -> dict[Told, dict[Level, list[Instance]]]:
    """Group tasks by wording, and then by level of answer; tasks of a group are sorted by id."""
    found: dict[Told, dict[Level, list[Instance]]] = {}
    for task in sorted(tasks, key=lambda each: each.id):
        found.setdefault(told(task), {}).setdefault(level(task.truth), []).append(task)
    return dict(sorted(found.items()))


def matches(tasks: Sequence[Instance], seed: int, *, pairs_last: bool = False) -> list[Match]:
    """Return the matches of tasks in the order in which a sample uses them.

    For words and counts, wordings take turns of three matches. In a turn, larger matches come
    first, since they allow the lowest scores without pictures. Last come pairs whose two answers do
    not occur in one apartment (with `pairs_last` all pairs). For lengths and boxes, wordings take
    turns of one match, which has a few levels that are far apart.
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
    """Return, sorted, each task's number (from 0) among the tasks with the same fact."""
    counts = Counter(map(fact, tasks)).values()
    return sorted(number for count in counts for number in range(count))


def drawn(tasks: Sequence[Instance], size: int, seed: int) -> list[Instance]:
    """Choose `size` tasks in matches, the last perhaps incomplete; counts may give fewer tasks.

    A match takes its tasks from one scene if that scene has all its levels, so that answers from
    other scenes do not help. Among several tasks, that with the least used fact is chosen, then
    one from the scene where the answer was used least, then from the scene used least.
    """
    if not _counts(tasks):
        return _drawn(tasks, size, seed, size)
    return max((_evened(tasks, size, seed, last) for last in (False, True)), key=len)


def _most(tasks: Sequence[Instance], seed: int) -> int:
    """Return the greatest possible size of a sample of these tasks."""
    if _counts(tasks):
        return len(drawn(tasks, len(tasks), seed))
    return sum(len(each.levels) for each in matches(tasks, seed))


def _evened(tasks: Sequence[Instance], size: int, seed: int, pairs_last: bool) -> list[Instance]:
    """Choose at most `size` counting tasks, so that no count exceeds its share `MOST`.

    Nearly all matches are pairs of 0 and 1. With `pairs_last`, larger matches come first, which
    exist only for the few labels that several things share.
    """
    limit = ceil(MOST * size)
    while True:
        found = _drawn(tasks, size, seed, limit, pairs_last=pairs_last)
        levels = Counter(level(task.truth) for task in found).values()
        if len(levels) < LEAST or max(levels) <= MOST * len(found):
            return found
        limit = max(levels) - 1


def _counts(tasks: Sequence[Instance]) -> bool:
    """Return whether these are counting tasks with enough different answers for `MOST`."""
    answers = {task.truth for task in tasks}
    return len(answers) >= LEAST and all(isinstance(each, Count) for each in answers)


def _drawn(
    tasks: Sequence[Instance], size: int, seed: int, limit: int, *, pairs_last: bool = False
) -> list[Instance]:
    """Choose `size` tasks in matches, at most `limit` of each level."""
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
    """Return the greatest share of tasks that can be answered right without pictures, 0..1."""
    best = sum(max(map(len, by_level.values())) for by_level in piles(tasks).values())
    return best / len(tasks)


def families(tasks: Iterable[Instance]) -> dict[str, list[Instance]]:
    """Group tasks by family; the tasks of a group are sorted by id."""
    return _groups(sorted(tasks, key=lambda each: each.id), lambda task: family(task.type))


def _groups(tasks: Iterable[Instance], key: Callable[[Instance], K]) -> dict[K, list[Instance]]:
    found: dict[K, list[Instance]] = {}
    for task in tasks:
        found.setdefault(key(task), []).append(task)
    return dict(sorted(found.items()))


def sample(tasks: Sequence[Instance], size: int, seed: int) -> tuple[Instance, ...]:
    """Return a balanced sample of at most `size` tasks, without walks, sorted by id."""
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
    """Return all walks in a random order in which scenes and forms take turns."""
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
    """Return the guess of each type, 0..1: the mean score of a good guesser who sees no pictures.
    For words and counts, the guesser gives each wording its commonest answer, so no other guesser
    can score higher (`unseen`). For lengths and boxes, the guesser gives one reply to all tasks of
    a type: the best of their answers.
    """
    return {
        name: unseen(some) if plain(some) else one_answer(some)
        for name, some in families(tasks).items()
    }


def one_answer(tasks: Sequence[Instance]) -> float:
    """Return the mean score of the best constant reply to some tasks of a type, 0..1."""
    if plain(tasks):
        levels = [level(task.truth) for task in tasks]
        return max(map(levels.count, set(levels))) / len(levels)
    truths = sorted((task.truth for task in tasks), key=repr)
    tried = truths[:: ceil(len(truths) / TRIED)]
    return max(fmean(worth(truth, said) for truth in truths) for said in tried)
