"""Baselines of TEA-Test: reference points for the score of a model.

    oracle   says the truth
    random   draws among the answers of its type
    prior    always says its type's commonest answer, of lengths and boxes the middle one
    blind    the same, among the tasks with the same words, else among those asked in the same way
             (it reads, but sees nothing)
    noisy    is wrong at a set rate: then it gives another answer, or a length or box that is off
             by a factor or shift

Only the oracle and the noisy baseline know a task's truth. The others learn answers from other
scenes, or, if there is one only, from tasks that are not asked.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import cache
from random import Random
from statistics import median

from worldquiz import rng
from worldquiz.errors import CatalogError, did_you_mean
from worldquiz.tea.answering import ERROR
from worldquiz.tea.exam.sample import Told, families, told
from worldquiz.tea.exam.show import reply
from worldquiz.tea.scoring.grade import family
from worldquiz.tea.taskgraph import Box2, Box3, Choice, Count, Instance, Metres, Truth, Word

NAMES = ("oracle", "random", "prior", "blind", "noisy")

Answers = Callable[[Instance], str]
"""Gives a reply to a task."""


@dataclass(frozen=True)
class Known:
    """The tasks that answers are learned from."""

    tasks: Sequence[Instance]
    asked: frozenset[str]  # ids, which are not learned from

    def beside(self, scene: str) -> tuple[Instance, ...]:
        """Return the tasks that are not of a scene, or not asked where there is but one scene."""
        if len({task.scene for task in self.tasks}) > 1:
            return tuple(task for task in self.tasks if task.scene != scene)
        return tuple(task for task in self.tasks if task.id not in self.asked)


def baseline(name: str, known: Known, seed: int, error: float = ERROR) -> Answers:
    """Return a baseline. Raises `CatalogError` for a name that there is not."""
    types = families(known.tasks)
    pool = cache(lambda type: sorted({task.truth for task in types[type]}, key=repr))

    def offered(task: Instance) -> Sequence[Truth]:
        """Return the answers that are drawn from: those of a task's type, or that it offers."""
        if isinstance(task.truth, Choice):
            return [Choice(each, task.truth.among) for each in task.truth.among]
        return pool(family(task.type))

    def noisy(task: Instance) -> str:
        draw = rng.child(seed, "noisy", task.id)
        right = draw.random() >= error
        return reply(task.truth if right else _wrong(task.truth, offered(task), draw))

    match name:
        case "oracle":
            return lambda task: reply(task.truth)
        case "random":
            return lambda task: reply(rng.child(seed, "random", task.id).choice(offered(task)))
        case "prior":
            return _prior(known, lambda task: ((),))
        case "blind":
            return _prior(known, lambda task: (told(task), told(task)[:1]))
        case "noisy":
            return noisy
    raise CatalogError(f"no answerer {name!r}{did_you_mean(name, NAMES)}")


def _wrong(truth: Truth, pool: Sequence[Truth], draw: Random) -> Truth:
    """Return another answer."""
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


def _prior(known: Known, read: Callable[[Instance], Sequence[Told]]) -> Answers:
    """Return a baseline that gives the commonest answer among tasks with the same words, by `read`.

    `read` returns keys in order, the most specific first. If no task of a type is left to learn
    from, the baseline learns from all tasks of that type.
    """
    learned: dict[str, dict[tuple[str, Told], Truth]] = {}
    every = _learn(known.tasks, lambda task: ((),))

    def take(task: Instance) -> str:
        if task.scene not in learned:
            learned[task.scene] = _learn(known.beside(task.scene), read)
        answers, name = learned[task.scene], family(task.type)
        given = [answers[name, words] for words in (*read(task), ()) if (name, words) in answers]
        given.append(every[name, ()])
        if not isinstance(task.truth, Choice):
            return reply(given[0])
        among = task.truth.among
        words = [each.value for each in given if isinstance(each, Choice)]
        return reply(Choice(next((word for word in words if word in among), among[0]), among))

    return take


def _learn(
    tasks: Iterable[Instance], read: Callable[[Instance], Sequence[Told]]
) -> dict[tuple[str, Told], Truth]:
    """Return the commonest answer by type, and by type and key of `read`."""
    groups: dict[tuple[str, Told], list[Truth]] = {}
    for task in tasks:
        for words in {(), *read(task)}:
            groups.setdefault((family(task.type), words), []).append(task.truth)
    return {key: common(group) for key, group in groups.items()}


def common(truths: Sequence[Truth]) -> Truth:
    """Return the commonest of some answers, the first by name among equals; of lengths and boxes
    the middle one, number by number."""
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
