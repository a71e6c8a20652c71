"""Runs on mazes: their rows, their items, the built-in answerers, and the mazes asked about.

Every question of a run is one row (`worldquiz.facts.row`), which holds everything for its score:

    df, rf      destination or route finding. The answer is the place of the maze where the moves
                end (df), or the moves (rf). ``measures`` holds the question (``source``;
                ``actions`` or ``target``; ``steps`` that were read; ``shortest``, the length of
                its route) and the grade (``success``, ``reasoning``, ``weighted``)
    minigame    the action that is chosen
    triplet     a part of a walkthrough that a model read to draw a map: the place where a step
                ends, or all moves

A walkthrough is one episode. The step of a question is the first at which it can be answered.

The map builder gets the same text as a model. The map keeper, the upper bound, is given the map
that the steps show. The baselines, the lower bounds, have no map.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cache
from pathlib import Path
from typing import Any

from worldquiz.errors import RecordError, WorldquizError
from worldquiz.exam.answerers import NOBODY, Who
from worldquiz.exam.asking import ItemsRun
from worldquiz.facts.row import AnswerStatus, Row
from worldquiz.mango.grade import (
    CANNOT,
    Guide,
    Places,
    Question,
    Rule,
    Task,
    Ways,
    grade,
    read_moves,
    says_cannot,
    takes_back,
)
from worldquiz.mango.guessing import Guessing, answered, searched, told
from worldquiz.mango.mapper import Mapper
from worldquiz.mango.mazes import Edge, Maze
from worldquiz.mango.paths import Route, fingerprint
from worldquiz.mango.published import chosen
from worldquiz.mango.questions import AskingPlan, question_words
from worldquiz.mango.sheets import GUESS
from worldquiz.mango.walkthrough import Move, plain
from worldquiz.records import check
from worldquiz.runs.folder import RunManifest, answered_by, data_place, note, read_manifest
from worldquiz.runs.items import Line, RunItem, Shown
from worldquiz.runs.rows import ROWS, ItemKey, row_fields
from worldquiz.runs.run import Run

KIND = "mango"
BASELINES = {
    "mapper": "reference",  # draws the map from the text by rules, and searches it
    "keeper": "upper-bound",  # is given the map that the text shows
    **dict.fromkeys(("go", "frequent", "walk", "sheet"), "lower-bound"),  # have no map
}
"""Our own answerers, and their roles in comparisons."""
Replies = Callable[[str], Mapping[ItemKey, str | None]]
"""Replies to all questions about a maze, by its name."""
UNSETTLED = "the steps that were read do not settle the question"


def key_of(asked: Question) -> ItemKey:
    """Return the key of a question's row."""
    return asked.game, str(asked.task), asked.id


def maze_item(
    key: ItemKey,
    shown: Callable[[], Shown],
    fields: Callable[[Line], dict[str, Any]],
) -> RunItem:
    """Return an item about a maze; `fields` turns a reply's line into the fields of its row."""
    world, type, item = key

    def row(line: Line, answerer: str) -> Row:
        return Row(
            run="", benchmark="mango", answerer=answerer, world=world, type=type, item=item,
            **fields(line),
        )  # fmt: skip

    return RunItem(key=key, shown=shown, row=row)


def listed(told: Iterable[Move] | Iterable[Edge]) -> str:
    """Return moves in the form of a row's text: their actions, separated by commas."""
    return ", ".join(each.action for each in told)


class Book:
    """The grader of replies to questions about one maze."""

    def __init__(self, maze: Maze, rule: Rule = Rule.EXACT) -> None:
        self.maze, self._ways, self._guide = maze, Ways(maze, rule), Guide(maze)
        self._places = None if rule is Rule.PAPER else Places(maze)
        self._guessing = cache(lambda steps: Guessing(maze, steps))

    def fields(self, asked: Question, steps: int, line: Line) -> dict[str, Any]:
        """Return all fields of the row of a question, asked after `steps` steps were read."""
        level, df = asked.level(steps), asked.task is Task.DF
        way = self._guide.answer(asked, self.maze.steps if level is None else steps) or ()
        told = {"actions": list(asked.actions)} if df else {"target": asked.target}
        about = {"source": asked.source, **told, "steps": steps, "shortest": asked.shortest}
        about |= {"paired": True} if asked.paired else {}
        found = self.graded(asked, None if level is None else steps, line)
        return {
            "format": "moves", "prompt": question_words(asked),
            "level": str(level) if level and asked.target else None,
            "gold": (asked.target or CANNOT) if df else listed(self.maze.edges[n] for n in way),
            "shown": level is not None, "episode": None if level is None else 0,
            "step": None if level is None else asked.answerable_from, **found,
            "measures": {**about, **found["measures"]},
        }  # fmt: skip

    def graded(self, asked: Question, steps: int | None, line: Line) -> dict[str, Any]:
        """Return the fields that a reply adds; `steps` is None if the question is unanswerable."""
        reply, rate = line["reply"] or "", None
        found, (heard, says) = grade(self._ways, asked, reply), self._answer(asked, reply)
        if steps is not None and asked.paired:
            rate = GUESS[asked.task]
        elif steps is not None:
            rate = self._guessing(min(steps, self.maze.steps)).rate(asked)
        read = row_fields({**line, "reply": heard} if reply else line, says) | {"reply": reply}
        right = float(found["success"] == 1)
        if self._places and asked.task is Task.DF and says not in (None, CANNOT):
            right = float(plain(says) in self._ways.destinations(asked))
        answered = read["status"] is AnswerStatus.ANSWERED
        return {
            "unscored": UNSETTLED if steps is None else None, **read, "guess": rate,
            "correct": right if answered else None, "measures": found,
        }  # fmt: skip

    def _answer(self, asked: Question, reply: str) -> tuple[str, str | None]:
        """Return the part of a reply that answers, and the answer found in it, if any."""
        if asked.may_be_impossible and says_cannot(reply):
            return reply, CANNOT
        told = read_moves(reply)
        if not told or (self._places and takes_back(reply)):
            return reply, None
        if asked.task is Task.RF:
            return reply, listed(told)
        last = told[-1].target
        return last, self._places.named(last) if self._places else last

    def again(self, row: Row, line: Line, answerer: str) -> Row:
        """Return a row with the reply replaced by another to the same question."""
        found = self.graded(question_of(row), row.measures["steps"] if row.shown else None, line)
        found["measures"] = {**row.measures, **found["measures"]}
        return replace(row, answerer=answerer, **found)


def question_of(row: Row) -> Question:
    """Return the question of a row; only the step from which it is easy is missing."""
    told = row.measures
    df = row.type == Task.DF
    return Question(
        row.world, row.item, Task(row.type), told["source"],
        tuple(told["actions"]) if df else (),
        told["target"] if not df else "" if row.gold == CANNOT else row.gold,
        told["shortest"], None, row.step, told.get("paired", False),
    )  # fmt: skip


@dataclass(frozen=True, kw_only=True)
class Measures:
    """Measures of a row about a destination or a route."""

    source: str
    steps: int
    shortest: int | None
    success: float
    reasoning: float
    weighted: float
    actions: Sequence[str] = ()
    target: str = ""
    paired: bool = False


@dataclass(frozen=True, kw_only=True)
class MazeManifest(RunManifest):
    """Keys that are read from the manifest of a run on mazes; other keys are settings."""

    data: Mapping[str, str]  # digests of the mazes
    read: Mapping[str, int] = field(default_factory=dict)  # steps
    rf_easy: Route = Route.SHORTEST
    walkthrough: str = "full"
    tasks: Sequence[str] = ()
    shots: int | None = None
    imported: Mapping[str, str] | None = None  # where the answers come from, and their digest
    choice: str = "published"
    layout: str | None = None  # of the mazes, if one was chosen


def read_run_manifest(run: Path) -> dict[str, Any]:
    """Return the manifest of a run. Raises `RecordError` if it is not a MANGO run."""
    return read_manifest(run, KIND, "MANGO run", MazeManifest)


def answerer_of(manifest: Mapping[str, Any]) -> str:
    """Return the answerer's name, as used in tables and rows."""
    name = answered_by(manifest)
    return f"{name}, {manifest['shots']}-shot map" if "shots" in manifest else name


def questions_of(run: Path) -> tuple[Row, ...]:
    """Return the rows of a finished run that ask for destinations and routes.

    Raises `RecordError` if the run is not finished, or if rows are missing or damaged.
    """
    manifest, found = read_run_manifest(run), []
    for row in Run(run).each_row():
        if row.type in tuple(Task):
            where = f"{run / ROWS}: question {row.item!r} of {row.world!r}"
            check(json.dumps(row.measures), Measures, where)
            needed = "actions" if row.type == Task.DF else "target"
            if not row.measures.get(needed) or row.world not in manifest["data"]:
                raise RecordError(
                    f"{where}: {needed!r} is missing; perhaps the run does not include this maze"
                )
            found.append(row)
    return tuple(found)


def mazes_of(run: Path, data: Path | None = None) -> dict[str, Maze]:
    """Return the mazes that a run asked about, in full, by name.

    They are read from `data`, by default the folder that the run names. Raises `RecordError` if
    mazes are missing there or have other digests.
    """
    told = read_run_manifest(run)
    there, wanted = data_place(run, told, data), told["data"]
    try:
        found = chosen(there, list(wanted), told.get("layout"))
    except WorldquizError as error:
        raise RecordError(f"{error}: pass the mazes of {run} with --data FOLDER") from error
    for name, maze in found.items():
        if fingerprint(maze) != wanted.get(name):
            raise RecordError(
                f"{there}: maze {name!r} differs from the one that {run} was run on: pass the "
                "right folder with --data FOLDER"
            )
    return found


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
        """Prepare a run on the mazes in folder `data`; `replies` come from a built-in answerer.

        `about` is for the manifest: the settings of the questions, and digests of the mazes.
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

    def begin(self, out: Path) -> None:
        """Note the path of the mazes, which may move before the run is resumed."""
        note(self.data, out)

    @property
    def called(self) -> str:
        """The answerer's name in rows, with the number of shots if it drew maps."""
        return answerer_of(self.manifest)

    def baseline(self, keys: Sequence[ItemKey]) -> Iterator[tuple[ItemKey, Line]]:
        """Yield the replies of a built-in answerer to questions about one maze."""
        assert self._replies is not None
        found = self._replies(keys[0][0])
        for key in keys:
            yield key, {"reply": found[key]}


def quiz_items(plan: AskingPlan) -> tuple[RunItem, ...]:
    """Return the items that ask the questions of a plan."""
    book = cache(lambda game: Book(plan.mazes[game]))

    def item(asked: Question) -> RunItem:
        read = plan.readings[asked.game]

        def shown() -> Shown:
            return Shown(reading=read.text, gap="", question=question_words(asked))

        def fields(line: Line) -> dict[str, Any]:
            return book(asked.game).fields(asked, read.steps, line)

        return maze_item(key_of(asked), shown, fields)

    return tuple(map(item, plan.questions))


def plan_replies(name: str, plan: AskingPlan) -> Replies:
    """Return a function that gives a built-in answerer's replies to the questions about a maze."""

    def replies(world: str) -> dict[ItemKey, str]:
        asked = [question for question in plan.questions if question.game == world]
        found = zip(asked, _legs(name, plan, asked), strict=True)
        return {key_of(question): told(question, legs) for question, legs in found}

    return replies


def _legs(name: str, plan: AskingPlan, asked: Sequence[Question]) -> Iterable[Sequence[Move]]:
    maze, read = plan.mazes[asked[0].game], plan.readings[asked[0].game]
    if name == "mapper":
        drawn = Mapper(read.walkthrough, read.places, read.actions)
        return (searched(drawn, question) for question in asked)
    if name != "keeper":
        return answered(name, maze.prefix(read.steps), asked)
    guide = Guide(maze)
    routes = (guide.answer(question, read.steps) or () for question in asked)
    return ([Move(*maze.edges[number].key) for number in route] for route in routes)
