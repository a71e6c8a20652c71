"""The run of questions about apartments: by a baseline, a model, or an object of the user's own.

Baselines are reference points for the score of a model:

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

from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from functools import cache, cached_property, partial
from pathlib import Path
from random import Random
from statistics import median
from typing import Any, ClassVar

from worldquiz import rng
from worldquiz.errors import AgentError
from worldquiz.facts.row import Row
from worldquiz.llm.client import Reach
from worldquiz.llm.model import Message
from worldquiz.records import read_json
from worldquiz.runs.executor import Done, Waiting
from worldquiz.runs.folder import MANIFEST
from worldquiz.runs.rows import ItemKey, Rows, about_item, by_item
from worldquiz.tea.answering import Baseline, OwnAnswerer, Reply, Who
from worldquiz.tea.exam.sample import Told, families, told
from worldquiz.tea.exam.show import message, reply
from worldquiz.tea.scoring.grade import family
from worldquiz.tea.taskgraph import Box2, Box3, Choice, Count, Instance, Metres, Truth, Word
from worldquiz.version import own_version

NAMES = ("oracle", "random", "prior", "blind", "noisy")

Answers = Callable[[Instance], str]
"""Gives a reply to a task."""


class ApartmentRun(ABC):
    """A run that asks about apartments, as `runs.life.live` carries it from first to last.

    Its units are the keys of its tasks. A subclass says what is asked: it shows a task, makes a row
    of a reply, has a baseline guess, notes what the manifest needs (`begin`), and scores.
    """

    kind: ClassVar[str]
    noun = "questions"

    def __init__(self, data: Path, who: Who) -> None:
        self.data, self.who = data, who

    @property
    @abstractmethod
    def asked(self) -> Mapping[str, Any]:
        """Return what the manifest says of the questions."""

    @property
    @abstractmethod
    def tasks(self) -> Mapping[ItemKey, Instance]:
        """The tasks by the keys of their rows, in order."""

    @abstractmethod
    def shown(self, task: Instance) -> tuple[str, Sequence[bytes]]:
        """Return a task as it is shown: its words, and its pictures as PNG."""

    @abstractmethod
    def row(self, line: Mapping[str, Any]) -> Row:
        """Return the row of a reply that is kept as a line."""

    @abstractmethod
    def guess(self, who: Baseline, tasks: Sequence[Instance]) -> Iterator[dict[str, Any]]:
        """Yield the lines of a baseline."""

    @abstractmethod
    def score(self, out: Path, kept: Rows) -> dict[str, Any]:
        """Return the scores of the rows."""

    @cached_property
    def manifest(self) -> dict[str, Any]:
        """The run's manifest: what is asked, of what data, and who answers."""
        return {
            "kind": self.kind,
            "data": str(read_json(self.data / MANIFEST).get("digest")),
            **self.asked,
            "versions": own_version(),
            **self.who.record(),
        }

    @property
    def units(self) -> Sequence[ItemKey]:
        """The keys of all tasks, in order."""
        return tuple(self.tasks)

    def preflight(self) -> None:
        """Check that a model can be asked."""
        if isinstance(self.who, Reach):
            self.who.preflight()

    def require(self) -> None:
        """Check who answers."""
        self.who.require()

    def kept(self, out: Path, done: Done) -> Rows:
        """Open the rows."""
        return Rows(out, done, self.row)

    def messages(self, task: Instance) -> list[Message]:
        """Return a task as a model is asked it."""
        return [message(*self.shown(task))]

    def produce(self, left: Sequence[ItemKey], kept: Rows, out: Path) -> None:
        """Have the tasks answered that have no answer."""
        match self.who:
            case Baseline() as who:
                for line in self.guess(who, [self.tasks[key] for key in left]):
                    kept.keep(line)
            case OwnAnswerer() as who:
                self._answer(who, frozenset(left), kept)
            case reach:
                self.ask(reach, left, kept)

    def ask(self, reach: Reach, left: Sequence[ItemKey], kept: Rows) -> None:
        """Ask a model tasks, each once."""
        from worldquiz.llm.calls import Prompt, ask

        tasks = ((key, self.tasks[key]) for key in left)
        prompts = (Prompt(about_item(key), partial(self.messages, task)) for key, task in tasks)
        ask(prompts, reach, kept)

    def _answer(self, who: OwnAnswerer, left: Collection[ItemKey], kept: Rows) -> None:
        """Have a fresh answerer do all of a scene that has anything left.

        Earlier questions are asked again, to restore the answerer's state.
        """
        scenes: dict[str, list[Instance]] = {}
        for key, task in self.tasks.items():
            scenes.setdefault(key[0], []).append(task)
        with Waiting() as waiting:
            for _, tasks in sorted(scenes.items()):
                missing = [key for key in map(key_of, tasks) if key in left]
                if not missing:
                    continue
                try:
                    for line in self.lines(tasks, *who.methods(waiting)):
                        if by_item(line) in left:
                            kept.keep(line)
                except AgentError as error:  # the answerer's, in this scene
                    for key in missing:
                        if not kept.has(key):
                            kept.lose(about_item(key), error)

    def lines(
        self, tasks: Sequence[Instance], answer: Reply, step: Reply
    ) -> Iterator[dict[str, Any]]:
        """Yield the lines of an answerer in one scene."""
        for task in tasks:
            yield {**about(task), "reply": answer(f"at task {task.id!r}", *self.shown(task))}


def key_of(task: Instance) -> ItemKey:
    """Return the key of a task's row."""
    return task.scene, family(task.type), task.id


def about(task: Instance) -> dict[str, str]:
    """Return the part of a line that says which task it is about."""
    return about_item(key_of(task))


def baseline(
    name: str, tasks: Sequence[Instance], seed: int, error: float, asked: Collection[str] = ()
) -> Answers:
    """Return one of the baselines; answers are learned from `tasks`, not from those `asked`."""
    types = families(tasks)
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

    answers: dict[str, Answers] = {
        "oracle": lambda task: reply(task.truth),
        "random": lambda task: reply(rng.child(seed, "random", task.id).choice(offered(task))),
        "prior": _learned(tasks, asked, lambda task: ()),
        "blind": _learned(tasks, asked, lambda task: (told(task), told(task)[:1])),
        "noisy": noisy,
    }
    return answers[name]


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


def _learned(
    tasks: Sequence[Instance], asked: Collection[str], read: Callable[[Instance], Sequence[Told]]
) -> Answers:
    """Return a baseline that gives the commonest answer among tasks with the same words, by `read`.

    `read` returns keys in order, the most specific first. If no task of a type is left to learn
    from, all tasks of that type are. Of a choice, it is the commonest answer that is offered.
    """
    one_scene = len({task.scene for task in tasks}) == 1

    @cache
    def groups(scene: str | None) -> dict[tuple[str, Told], list[Truth]]:
        """Return the answers beside a scene by type, and by type and key of `read`."""
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
