"""Runs in which an answerer is asked questions; this code is the same for every benchmark.

A benchmark provides items (questions and walks: `runs.items`), manifest entries about them, and
named baselines. A model is asked all questions at once, then the walks of each world. A user's own
object is asked the items of one world in order; the next world gets a new object. If a run stops
inside a world, the whole world is asked again, so an object with a memory gives the same answers.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from asyncio import Runner
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager
from dataclasses import asdict
from functools import cached_property, partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from worldquiz.errors import AgentError
from worldquiz.exam.answerers import Own, Seated, Who
from worldquiz.facts.row import Purpose
from worldquiz.llm.client import Reach
from worldquiz.llm.model import Message, message
from worldquiz.runs.benchmark import Benchmark
from worldquiz.runs.executor import Done, blocking
from worldquiz.runs.folder import CODE, answered_by
from worldquiz.runs.items import Line, RunItem, Turns
from worldquiz.runs.life import live
from worldquiz.runs.rows import ItemKey, Rows, about_item, by_item
from worldquiz.runs.run import Run
from worldquiz.runs.settings import RunSettings
from worldquiz.version import own_version

if TYPE_CHECKING:
    from worldquiz.facts.row import Row

Begin = Callable[[ItemKey], Turns]
"""Begins the walk of an item."""


class ItemsRun(ABC):
    """A run of items (questions and walks), which `runs.life.live` executes."""

    kind: str  # as its manifest says
    noun: str = "questions"
    who: Who
    benchmark: Benchmark | None = None  # set if it may not be installed

    @property
    @abstractmethod
    def items(self) -> Mapping[ItemKey, RunItem]:
        """All items of the run by key, in the order of their rows."""

    @property
    @abstractmethod
    def about(self) -> Mapping[str, Any]:
        """The manifest's entries about the data and the questions."""

    def baseline(self, keys: Sequence[ItemKey]) -> Iterator[tuple[ItemKey, Line]]:
        """Yield a named baseline's replies to items of one world."""
        raise NotImplementedError

    def walking(self, world: str) -> AbstractContextManager[Begin]:
        """Open a world for walks; the context manager yields a function that begins a walk."""
        raise NotImplementedError

    @cached_property
    def manifest(self) -> dict[str, Any]:
        """The settings of the run. Runs with equal manifests are equal."""
        who: dict[str, Any] = (
            {"answerer": self.who} if isinstance(self.who, str) else self.who.record()
        )
        about = self.about
        code = {**about.get(CODE, {}), **who.get(CODE, {})}
        told = {"kind": self.kind, **about, "versions": own_version(), **who}
        return {**told, CODE: code} if code else told

    @property
    def units(self) -> Sequence[ItemKey]:
        """The keys of the items, in the order of their rows."""
        return tuple(self.items)

    def require(self) -> None:
        """Raise an error if the answerer cannot be used, for example if its API key is missing."""
        if not isinstance(self.who, str):
            self.who.require()

    @abstractmethod
    def begin(self, out: Path) -> None:
        """Write the data that rows need, or the path of the data, into the run's folder."""

    @property
    def called(self) -> str:
        """The answerer's name in rows."""
        return answered_by(self.manifest)

    def row(self, line: Line) -> Row:
        """Return the graded row of a reply or a finished walk."""
        return self.items[by_item(line)].row(line, self.called)

    def kept(self, out: Path, done: Done) -> Rows:
        """Open the store in which the run keeps its rows."""
        return Rows(out, done, self.row)

    def carried(self, out: Path, given: RunSettings | None, done: Done) -> Run:
        """Execute the run, even inside a running event loop, and return it."""
        blocking(lambda: live(self, out, done, given))
        return Run(out, self.benchmark)

    def produce(self, left: Sequence[ItemKey], kept: Rows, out: Path) -> None:
        """Ask the items that have no row yet; keep each row as its reply arrives."""
        worlds = {world for world, _, _ in left}
        self.ask([item for item in self.items.values() if item.key[0] in worlds], kept)

    def ask(self, items: Sequence[RunItem], kept: Rows) -> None:
        """Ask the items that have no row yet; ask a user's own object all items of their worlds."""
        left = [item for item in items if not kept.has(item.key)]
        if isinstance(self.who, Reach):
            self._ask(self.who, left, kept)
        elif isinstance(self.who, Own):
            worlds = {item.key[0] for item in left}
            for some in by_world(item for item in items if item.key[0] in worlds):
                with Runner() as runner:
                    self._sit(self.who.seated(runner), some, kept)
        else:
            for some in by_world(left):
                for key, line in self.baseline([item.key for item in some]):
                    kept.keep({**about_item(key), **line})

    def _sit(self, seated: Seated, items: Sequence[RunItem], kept: Rows) -> None:
        """Ask a user's own answerer all items of a world: questions, then walks."""
        for item in items:
            if not item.walked:
                with _blaming(item, kept):
                    kept.keep({**about_item(item.key), "reply": seated.answer(item)})
        walks = [item for item in items if item.walked]
        if not walks:
            return
        with self.walking(walks[0].key[0]) as begin:
            for item in walks:
                with _blaming(item, kept):
                    steps = begin(item.key)
                    seated.walk(item, steps)
                    kept.keep({**about_item(item.key), **steps.line})

    def _ask(self, reach: Reach, left: Sequence[RunItem], kept: Rows) -> None:
        """Ask a model all questions at once, then the walks of one world after another."""
        from worldquiz.llm.calls import Prompt, ask

        ask(
            (Prompt(about_item(item.key), partial(messages, item))
             for item in left if not item.walked),
            reach, kept,
        )  # fmt: skip
        for some in by_world(item for item in left if item.walked):
            with self.walking(some[0].key[0]) as begin:
                _lead(begin, some, reach, kept)


def by_world(items: Iterable[RunItem]) -> list[list[RunItem]]:
    """Return the items of each world, in the order of the worlds' names."""
    found: dict[str, list[RunItem]] = {}
    for item in items:
        found.setdefault(item.key[0], []).append(item)
    return [found[world] for world in sorted(found)]


def messages(item: RunItem) -> list[Message]:
    """Return the messages that ask a model one question."""
    shown = item.shown()
    return [message(shown.words, shown.pictures)]


@contextmanager
def _blaming(item: RunItem, kept: Rows) -> Iterator[None]:
    """Record an item as not finished if the user's own answerer fails on it."""
    try:
        yield
    except AgentError as error:
        kept.lose(about_item(item.key), error)


def _lead(begin: Begin, walks: Sequence[RunItem], reach: Reach, kept: Rows) -> None:
    """Ask a model the walks (questions with several turns) of one world, several at a time."""
    from worldquiz.llm.calls import Calls, each_asked

    model = reach.made()

    async def one(item: RunItem) -> None:
        name = item.key[2]
        calls = Calls(kept.folder, name, kept.done)

        async def walked() -> Turns:
            steps, counted = begin(item.key), calls.counting(model, Purpose.QUIZ)
            talk = list[Message]()
            while not steps.over:
                talk.append(message(steps.words, steps.pictures))
                reply = await counted.generate(talk)
                text = reply.text if reply.given else ""
                talk.append({"role": "assistant", "content": text})
                steps.say(text)
            return steps

        try:
            steps = await calls.played(f"walk {name}", walked)
            used = calls.usage().get(Purpose.QUIZ)
            kept.keep({**about_item(item.key), **steps.line, "usage": used and asdict(used)})
            calls.forget()
        except Exception as error:  # whatever a provider's library raises
            kept.lose(about_item(item.key), error)

    each_asked(one, walks, reach, (model,), kept.spent())
