"""The run of questions about apartments: by a baseline, a model, or an object of the user's own."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Collection, Iterator, Mapping, Sequence
from functools import cached_property, partial
from pathlib import Path
from typing import Any, ClassVar

from worldquiz.errors import AgentError
from worldquiz.facts.row import Row
from worldquiz.llm.client import Reach
from worldquiz.llm.model import Message
from worldquiz.records import read_json
from worldquiz.runs.executor import Done, Waiting
from worldquiz.runs.folder import MANIFEST, note
from worldquiz.runs.rows import ItemKey, Rows, about_item, by_item
from worldquiz.tea.answering import Baseline, OwnAnswerer, Reply, Who
from worldquiz.tea.exam.show import message
from worldquiz.tea.scoring.grade import family
from worldquiz.tea.taskgraph import Instance
from worldquiz.version import own_version


class ApartmentRun(ABC):
    """A run that asks about apartments, as `runs.life.live` carries it from first to last.

    Its units are the keys of its tasks. Who asks what is a subclass's: it shows a task, makes a row
    of a reply, and has a baseline guess.
    """

    kind: ClassVar[str]
    noun = "questions"
    __test__ = False

    def __init__(self, data: Path, who: Who) -> None:
        self.data, self.who = data, who

    @property
    @abstractmethod
    def asked(self) -> Mapping[str, Any]:
        """What the manifest says of what is asked."""

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

    def begin(self, out: Path) -> None:
        """Note the place of the data."""
        note(self.data, out)

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

        What was answered before is asked again, to restore the answerer's state.
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
