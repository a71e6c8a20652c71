"""Answerers of MANGO's prompts: a model, an object of the user's, the map builder or a baseline.

An answerer of one's own has a method ``answer(prompt: str) -> str``, sync or async. It is given the
text that a model is sent, and its text is read as a model's reply:

    class Northward:
        def answer(self, prompt: str) -> str:
            return "[{'prev_node': 'Hall', 'action': 'north', 'node': 'Attic'}]"
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any, Protocol

from worldquiz.errors import AgentError, CatalogError, KnobError
from worldquiz.llm.client import Reach
from worldquiz.mango.answers import Replies, replied
from worldquiz.mango.grade import Guide, Question, Task
from worldquiz.mango.guessing import Baseline, answered
from worldquiz.mango.mapper import DrawnMap, Leg, Mapper, trajectory
from worldquiz.mango.questions import AskingPlan, Prompts
from worldquiz.plugins import Catalogue
from worldquiz.runs.given import blamed, code_of, fresh, name_of, settled, text_of

MAPPER = "mapper"
"""The baseline that draws the map from the text by rules, and searches it."""
KEEPER = "keeper"
"""The upper bound: it is told the map that the text shows."""
CATALOGUE = Catalogue(
    "answerer",
    "worldquiz.mango.answerers",
    dict.fromkeys((MAPPER, KEEPER, *map(str, Baseline)), f"{__name__}:PlanAnswerer"),
)
"""The map builder, the bounds, and the answerers of installed packages."""


class Answerer(Protocol):
    """Answerer of prompts."""

    def record(self) -> Mapping[str, Any]:
        """Return the keys of a run's manifest about it."""
        ...

    def require(self) -> None:
        """Raise an error if it cannot answer: a missing extra, key, model or server."""
        ...

    def answer(self, prompts: Prompts[Any], kept: Replies) -> None:
        """Answer the prompts that have no reply yet."""
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

    def answer(self, prompts: Prompts[Any], kept: Replies) -> None:
        """Ask each once."""
        from worldquiz.llm.calls import Prompt, ask

        every = (
            Prompt(prompts.about(item), partial(prompts.messages, item), prompts.form(item))
            for item in prompts.items.values()
        )
        ask(every, self.reach, kept)


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
        self._fresh()

    def answer(self, prompts: Prompts[Any], kept: Replies) -> None:
        """Ask the object, a maze at a time."""
        games: dict[str, list[Any]] = {}
        for item in prompts.items.values():
            games.setdefault(item.game, []).append(item)
        for items in games.values():
            if not all(kept.find(prompts.about(item)) for item in items):
                asyncio.run(self._ask(items, prompts, kept))

    def _fresh(self) -> Any:
        one = fresh(self.thing, "answerer")
        if not callable(getattr(one, "answer", None)):
            raise CatalogError(f"answerer {self.name!r}: missing method 'answer'")
        return one

    async def _ask(self, items: list[Any], prompts: Prompts[Any], kept: Replies) -> None:
        one = self._fresh()
        for item in items:
            about = prompts.about(item)
            where = f"at question {about['id']!r} of maze {item.game!r}"
            try:
                with blamed(f"answerer {self.name!r}", where):
                    reply = await settled(one.answer(prompts.text(item)))
                text = text_of(reply, f"answerer {self.name!r}", where)
            except AgentError as error:
                if kept.find(about) is None:
                    kept.lose(about, error)
                continue
            if kept.find(about) is None:
                kept.keep(replied(about, text))


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

    def answer(self, prompts: Prompts[Any], kept: Replies) -> None:
        """Answer all questions of each maze."""
        for game in self.plan.mazes:
            asked = [each for each in prompts.items.values() if each.game == game]
            for question, reply in zip(asked, self._replies(game, asked), strict=True):
                about = prompts.about(question)
                if kept.find(about) is None:
                    kept.keep(replied(about, json.dumps(reply, ensure_ascii=False)))

    def _replies(self, game: str, asked: list[Question]) -> list[list[dict[str, str]]]:
        maze, read = self.plan.mazes[game], self.plan.readings[game]
        if self.name == MAPPER:
            drawn = Mapper(read.walkthrough, read.places, read.actions)
            return [trajectory(searched(drawn, question)) for question in asked]
        if self.name != KEEPER:
            return answered(Baseline(self.name), maze.prefix(read.steps), asked)
        guide = Guide(maze)
        routes = (guide.answer(question, read.steps) or () for question in asked)
        return [trajectory(Leg(*maze.edges[number].key) for number in route) for route in routes]


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
    if isinstance(answerer, str):
        if answerer in (MAPPER, KEEPER, *Baseline):
            if plan is None:
                raise KnobError(
                    f"--answerer {answerer}: answers df and rf only: give --model or your own"
                )
            return PlanAnswerer(answerer, plan())
        return ObjectAnswerer(CATALOGUE.load(answerer), answerer)
    return ObjectAnswerer(answerer, name_of(answerer))
