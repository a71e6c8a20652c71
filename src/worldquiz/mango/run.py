"""A run on mazes: its items, and its named baselines.

The map builder is told what a model is told, as the plan's readings hold it; the map keeper, the
upper bound, is told the map that the steps show; baselines have no map.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cache, partial
from pathlib import Path
from typing import Any

from worldquiz.exam.answerers import NOBODY, Who
from worldquiz.exam.asking import ItemsRun
from worldquiz.mango.grade import Guide, Question
from worldquiz.mango.guessing import Baseline, answered, searched, told
from worldquiz.mango.mapper import Mapper
from worldquiz.mango.questions import AskingPlan, Reading, require_libraries
from worldquiz.mango.rows import (
    KIND,
    Book,
    answerer_of,
    key_of,
    maze_item,
)
from worldquiz.mango.walkthrough import Move
from worldquiz.runs.folder import note
from worldquiz.runs.items import Line, RunItem, Shown
from worldquiz.runs.rows import ItemKey, Rows

MAPPER = "mapper"
"""The baseline that draws the map from the text by rules, and searches it."""
KEEPER = "keeper"
"""The upper bound: it is told the map that the text shows."""
OURS = (MAPPER, KEEPER, *map(str, Baseline))
Replies = Callable[[str], Mapping[ItemKey, str | None]]
"""Replies to all questions about a maze, by its name."""


class MazeRun(ItemsRun):
    """A run on mazes."""

    kind = KIND

    def __init__(
        self,
        data: Path,
        items: Iterable[RunItem],
        about: Mapping[str, Any],
        who: Who = NOBODY,
        replies: Replies | None = None,
    ) -> None:
        """The mazes lie in folder `data`; `replies` are those of a named answerer.

        `about` is what a manifest says of the questions, with digests of the mazes.
        """
        self.data, self.who, self._replies = data, who, replies
        self._items, self._about = {item.key: item for item in items}, about

    @property
    def items(self) -> dict[ItemKey, RunItem]:
        """The items by their keys."""
        return self._items

    @property
    def about(self) -> Mapping[str, Any]:
        """Settings of the questions, and digests of the mazes."""
        return self._about

    def require(self) -> None:
        """Raise what says that answers cannot be scored, or that the answerer cannot answer."""
        require_libraries()
        super().require()

    def begin(self, out: Path) -> None:
        """Note where the mazes are: they may move before the run is resumed."""
        note(self.data, out)

    @property
    def called(self) -> str:
        """The answerer's name in rows, with how it had maps drawn."""
        return answerer_of(self.manifest)

    def ask(self, items: Sequence[RunItem], kept: Rows) -> None:
        """Ask some items that are all of their mazes."""
        for item in {item.key[:2]: item for item in items}.values():
            item.row({"reply": ""}, "")  # guessing rates are computed before a reply is waited for
        super().ask(items, kept)

    def baseline(self, keys: Sequence[ItemKey]) -> Iterator[tuple[ItemKey, Line]]:
        """Yield the replies of a named answerer about one maze."""
        assert self._replies is not None
        found = self._replies(keys[0][0])
        for key in keys:
            yield key, {"reply": found[key]}


def quiz_items(plan: AskingPlan) -> tuple[RunItem, ...]:
    """Return the questions of a plan."""
    book = cache(lambda game: Book(plan.mazes[game]))

    def item(asked: Question) -> RunItem:
        read = plan.readings[asked.game]
        form = read.form(asked) if plan.asked.constrained else None

        def fields(line: Line) -> dict[str, Any]:
            return book(asked.game).fields(asked, read.steps, line, read.question(asked))

        return maze_item(key_of(asked), partial(_shown, read, asked), fields, form)

    return tuple(map(item, plan.questions))


def _shown(read: Reading, asked: Question) -> Shown:
    text, words = read.prompt(asked), read.question(asked)
    return Shown(reading=text.removesuffix(words), gap="", question=words)


def plan_replies(name: str, plan: AskingPlan) -> Replies:
    """Return how the map builder, the keeper or a baseline answers a plan's questions."""

    def replies(world: str) -> dict[ItemKey, str]:
        asked = [question for question in plan.questions if question.game == world]
        found = zip(asked, _legs(name, plan, asked), strict=True)
        return {key_of(question): told(question, legs) for question, legs in found}

    return replies


def _legs(name: str, plan: AskingPlan, asked: Sequence[Question]) -> Iterable[Sequence[Move]]:
    maze, read = plan.mazes[asked[0].game], plan.readings[asked[0].game]
    if name == MAPPER:
        drawn = Mapper(read.walkthrough, read.places, read.actions)
        return (searched(drawn, question) for question in asked)
    if name != KEEPER:
        return answered(Baseline(name), maze.prefix(read.steps), asked)
    guide = Guide(maze)
    routes = (guide.answer(question, read.steps) or () for question in asked)
    return ([Move(*maze.edges[number].key) for number in route] for route in routes)
