"""Answerers of what a run on mazes asks: a model, an object of the user's, or a baseline.

An answerer of one's own has a method ``answer(prompt: str) -> str``, sync or async. It is given the
text that a model is sent, and its text is read as a model's reply:

    class Northward:
        def answer(self, prompt: str) -> str:
            return "[{'prev_node': 'Hall', 'action': 'north', 'node': 'Attic'}]"
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Protocol

from worldquiz.errors import AgentError, CatalogError, KnobError
from worldquiz.llm.client import Reach
from worldquiz.llm.model import user
from worldquiz.mango.grade import Guide, Question, Task
from worldquiz.mango.guessing import Baseline, answered
from worldquiz.mango.mapper import DrawnMap, Mapper, trajectory
from worldquiz.mango.questions import AskingPlan
from worldquiz.mango.rows import MazeItem
from worldquiz.mango.walkthrough import Move
from worldquiz.plugins import Catalogue
from worldquiz.runs.given import blamed, code_of, fresh, name_of, settled, text_of
from worldquiz.runs.rows import Rows, about_item

MAPPER = "mapper"
"""The baseline that draws the map from the text by rules, and searches it."""
KEEPER = "keeper"
"""The upper bound: it is told the map that the text shows."""
OURS = (MAPPER, KEEPER, *map(str, Baseline))
CATALOGUE = Catalogue(
    "answerer", "worldquiz.mango.answerers", dict.fromkeys(OURS, f"{__name__}:PlanAnswerer")
)
"""The map builder, the bounds, and the answerers of installed packages."""


class Answerer(Protocol):
    """Answerer of items."""

    def record(self) -> Mapping[str, Any]:
        """Return the keys of a run's manifest about it."""
        ...

    def require(self) -> None:
        """Raise an error if it cannot answer: a missing extra, key, model or server."""
        ...

    def answer(self, items: Sequence[MazeItem], kept: Rows) -> None:
        """Answer the items that have no reply yet."""
        ...


@dataclass(frozen=True, slots=True)
class ModelAnswerer:
    """A language model."""

    reach: Reach

    def record(self) -> Mapping[str, Any]:
        """Return the model's name, its settings and its price."""
        return self.reach.record()

    def require(self) -> None:
        """Check the model, its key, its settings and its server."""
        self.reach.require()

    def answer(self, items: Sequence[MazeItem], kept: Rows) -> None:
        """Ask each once."""
        from worldquiz.llm.calls import Prompt, ask

        def prompt(item: MazeItem) -> Prompt:
            return Prompt(about_item(item.key), lambda: [user(item.text())], item.form)

        ask(map(prompt, items), self.reach, kept)


@dataclass(frozen=True, slots=True)
class ObjectAnswerer:
    """An object with a method `answer`, or a class or function that makes one.

    Each maze has an object of its own, which is asked in order. A maze that was stopped midway is
    asked again from its first question, so an object that remembers gives equal answers.
    """

    thing: Any
    name: str

    def record(self) -> Mapping[str, Any]:
        """Return its name, and a digest of its code."""
        return {"answerer": self.name, **code_of(answerer=self.thing)}

    def require(self) -> None:
        """Raise `CatalogError` for what cannot be copied or has no method `answer`."""
        if not callable(getattr(fresh(self.thing, "answerer"), "answer", None)):
            raise CatalogError(f"answerer {self.name!r}: missing method 'answer'")

    def answer(self, items: Sequence[MazeItem], kept: Rows) -> None:
        """Ask the object, a maze at a time."""
        for world in dict.fromkeys(item.key[0] for item in items):
            some = [item for item in items if item.key[0] == world]
            if not all(kept.has(item.key) for item in some):
                asyncio.run(self._ask(some, kept))

    async def _ask(self, items: Sequence[MazeItem], kept: Rows) -> None:
        one, who = fresh(self.thing, "answerer"), f"answerer {self.name!r}"
        for item in items:
            where = f"at question {item.key[2]!r} of maze {item.key[0]!r}"
            try:
                with blamed(who, where):
                    reply = await settled(one.answer(item.text()))
                text = text_of(reply, one.answer, who, where)
            except AgentError as error:
                if not kept.has(item.key):
                    kept.lose(about_item(item.key), error)
            else:
                if not kept.has(item.key):
                    kept.keep({**about_item(item.key), "reply": text})


@dataclass(frozen=True, slots=True)
class PlanAnswerer:
    """The map builder, a bound or a baseline: it answers a plan's questions by its own rules.

    The map builder is told what a model is told, as the plan's readings hold it; the map keeper,
    the upper bound, is told the map that the steps show; baselines have no map.
    """

    name: str
    plan: AskingPlan

    def record(self) -> Mapping[str, Any]:
        """Return its name."""
        return {"answerer": self.name}

    def require(self) -> None:
        """Need nothing beyond what scoring needs."""

    def answer(self, items: Sequence[MazeItem], kept: Rows) -> None:
        """Answer all questions of each maze."""
        for game in self.plan.mazes:
            some = [item for item in items if item.key[0] == game]
            replies = self._replies(game, [item.asked for item in some])
            for item, reply in zip(some, replies, strict=True):
                if not kept.has(item.key):
                    text = json.dumps(reply, ensure_ascii=False)
                    kept.keep({**about_item(item.key), "reply": text})

    def _replies(self, game: str, asked: list[Question]) -> list[list[dict[str, str]]]:
        maze, read = self.plan.mazes[game], self.plan.readings[game]
        if self.name == MAPPER:
            drawn = Mapper(read.walkthrough, read.places, read.actions)
            return [trajectory(searched(drawn, question)) for question in asked]
        if self.name != KEEPER:
            return answered(Baseline(self.name), maze.prefix(read.steps), asked)
        guide = Guide(maze)
        routes = (guide.answer(question, read.steps) or () for question in asked)
        return [trajectory(Move(*maze.edges[number].key) for number in route) for route in routes]


def searched(found: Mapper | DrawnMap, question: Question) -> list[Any]:
    """Return the legs by which a map answers a question."""
    if question.task is Task.DF:
        return found.destination(question.source, question.actions)
    return found.route(question.source, question.target)


def chosen_answerer(
    answerer: object | None, reach: Reach | None, plan: Callable[[], AskingPlan] | None = None
) -> Answerer:
    """Return who answers: a model, a named answerer, or an object of the user's.

    `plan` makes what the map builder and the baselines need; without one they cannot answer. Raises
    `KnobError` unless exactly one is given, `CatalogError` for a name that nobody has.
    """
    if (answerer is None) == (reach is None):
        example = f" (such as {MAPPER})" if plan else ""
        raise KnobError(f"give one of --model and --answerer{example}: it answers the questions")
    if reach is not None:
        return ModelAnswerer(reach)
    if not isinstance(answerer, str):
        return ObjectAnswerer(answerer, name_of(answerer))
    if answerer not in OURS:
        known = CATALOGUE if plan else replace(CATALOGUE, ours={})
        return ObjectAnswerer(known.load(answerer), answerer)
    if plan is None:
        raise KnobError(f"--answerer {answerer}: answers df and rf only: give --model or your own")
    return PlanAnswerer(answerer, plan())
