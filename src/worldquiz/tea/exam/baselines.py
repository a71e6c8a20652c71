"""Baselines of TEA-Test: reference points for the score of a model.

    oracle   gives the true answer
    random   gives a random answer of the task's type
    prior    gives the commonest answer of the task's type; for lengths and boxes, the median
    blind    like prior, but learns from tasks with the same wording, or if there are none, from
             those that name the object in the same way: it reads the task, but sees no pictures
    noisy    gives the true answer, but at a fixed rate a wrong one: another answer, or a length or
             box that is off by a factor or shift

Only the oracle and the noisy baseline use a task's true answer. The other baselines learn answers
from other scenes, or, if there is only one scene, from tasks that are not asked.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Sequence
from functools import cache
from random import Random
from statistics import median

from worldquiz import rng
from worldquiz.tea.exam.grade import family
from worldquiz.tea.exam.sample import Told, families, told
from worldquiz.tea.exam.show import reply
from worldquiz.tea.exam.walk import NOISE
from worldquiz.tea.kinds.kinds import Box2, Box3, Choice, Count, Instance, Metres, Truth, Word

Answers = Callable[[Instance], str]
"""Returns the reply to a task."""


def baseline(
    name: str, tasks: Sequence[Instance], seed: int, asked: Collection[str] = ()
) -> Answers:
    """Return a baseline by name; if there is only one scene, it learns from tasks not `asked`."""
    types = families(tasks)
    pool = cache(lambda type: sorted({task.truth for task in types[type]}, key=repr))

    def offered(task: Instance) -> Sequence[Truth]:
        """Return the possible answers: the choices of the task, or all answers of its type."""
        if isinstance(task.truth, Choice):
            return [Choice(each, task.truth.among) for each in task.truth.among]
        return pool(family(task.type))

    def noisy(task: Instance) -> str:
        draw = rng.child(seed, "noisy", task.id)
        right = draw.random() >= NOISE
        return reply(task.truth if right else _wrong(task.truth, offered(task), draw))

    answers: dict[str, Answers] = {
        "oracle": lambda task: reply(task.truth),
        "random": lambda task: reply(rng.child(seed, "random", task.id).choice(offered(task))),
        "prior": _learned(tasks, asked, lambda task: ()),
        "blind": _learned(tasks, asked, lambda task: (told(task), told(task)[:1])),
        "noisy": noisy,
    }
    return answers[name]


def _wrong(truth: Truth, pool: Sequence[Truth], draw: Random) -> Truth:
    """Return a wrong answer."""
    match truth:
        case Metres(value):
            return Metres(round(value * draw.choice((0.5, 0.7, 1.4, 2.0)), 3))
        case Box2((x0, y0, x1, y1)):
            way = draw.choice((-1, 1)) * max((x1 - x0) // 2, 1)
            return Box2((x0 + way, y0, x1 + way, y1))
        case Box3((x, y, z), size):
            return Box3((x + draw.choice((-0.5, 0.5)) * size[0], y, z), size)
    others = [each for each in pool if each != truth]
    if others:
        return draw.choice(others)
    return Count(truth.value + 1) if isinstance(truth, Count) else Word("nothing")


def _learned(
    tasks: Sequence[Instance], asked: Collection[str], read: Callable[[Instance], Sequence[Told]]
) -> Answers:
    """Return a baseline that gives the commonest answer among similar tasks.

    `read` returns keys, the most specific first; tasks with the same key are similar. If none has
    the same key, all tasks of the type count. For a choice, only the offered answers count.
    """
    one_scene = len({task.scene for task in tasks}) == 1

    @cache
    def groups(scene: str | None) -> dict[tuple[str, Told], list[Truth]]:
        """Return the answers that may be used in a scene (None: all), by type and key."""
        found: dict[tuple[str, Told], list[Truth]] = {}
        for task in tasks:
            if scene is None or (task.id not in asked if one_scene else task.scene != scene):
                for words in {(), *read(task)}:
                    found.setdefault((family(task.type), words), []).append(task.truth)
        return found

    def take(task: Instance) -> str:
        learned, name = groups(task.scene), family(task.type)
        given = [learned[name, words] for words in (*read(task), ()) if (name, words) in learned]
        given.append(groups(None).get((name, ()), []))
        if not isinstance(task.truth, Choice):
            return reply(common(given[0]))
        among = task.truth.among
        for truths in given:
            counts = Counter(each.value for each in truths if isinstance(each, Choice))
            offered = [word for word in among if counts[word]]
            if offered:
                return reply(Choice(min(offered, key=lambda word: (-counts[word], word)), among))
        return reply(Choice(among[0], among))

    return take


def common(truths: Sequence[Truth]) -> Truth:
    """Return the commonest of some answers; equally common answers go by name. For lengths and
    boxes, return the median of each number."""
    boxes = [each.value for each in truths if isinstance(each, Box2)]
    solids = [(*each.centre, *each.size) for each in truths if isinstance(each, Box3)]
    lengths = [each.value for each in truths if isinstance(each, Metres)]
    if lengths:
        return Metres(round(median(lengths), 3))
    if boxes:
        x0, y0, x1, y1 = (round(median(side)) for side in zip(*boxes, strict=True))
        return Box2((x0, y0, max(x1, x0 + 1), max(y1, y0 + 1)))
    if solids:
        x, y, z, wide, high, deep = (round(median(side), 3) for side in zip(*solids, strict=True))
        return Box3((x, y, z), (wide, high, deep))
    counts = Counter(truths)
    return min(counts, key=lambda each: (-counts[each], repr(each)))
