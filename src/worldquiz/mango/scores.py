"""Graded answers, and means of their scores: for each maze, and over mazes.

The paper averages over mazes (arXiv 2403.19913, Figure 2): every maze weighs the same, however many
questions it has (``macro``). ``micro`` weighs every question the same. Every mean stands beside the
number of questions asked and of mazes. *Knowledge* is the mean of the points over the questions
that count there (`grade.Grade.points`). A 95 % interval draws whole mazes again
(`worldquiz.stats.intervals`), and so needs two mazes.

A question is found by its id, which is the hash of its route, so neither question files nor a list
of all questions is needed: whatever the maze has can be asked. An answer whose id is not that of
the question it tells is an error, never dropped. Questions that the steps read do not settle are
left out and counted (``unanswerable``); every other failure is in the denominator.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from math import fsum
from pathlib import Path
from typing import Any, TypeVar

from worldquiz.errors import KnobError, RecordError, did_you_mean
from worldquiz.facts.knowledge import share
from worldquiz.facts.replies import Form
from worldquiz.mango.answers import read_answers, read_as_released
from worldquiz.mango.grade import Answer, Damaged, Grade, Level, Question, Rule, Task, Ways, grade
from worldquiz.mango.guessing import Baseline, Guessing, answered
from worldquiz.mango.maze import Edge, Maze
from worldquiz.mango.paths import Net, Route, pairs
from worldquiz.mango.published import Layout, games, laid, read
from worldquiz.mango.questions import Routes, destination, route
from worldquiz.stats.intervals import RESAMPLES, Ratio, intervals

SCORES = ("success", "reasoning", "weighted")
MEANS = (*SCORES, "knowledge")
LEVELS = ("all", Level.EASY, Level.HARD)
Key = tuple[str, str, Task]  # game, question's id, task
Grades = Mapping[str, Sequence[Grade]]
"""The grades of each maze, by its name."""


@dataclass(frozen=True, slots=True)
class Marked:
    """One answer, and what it earned."""

    question: Question
    steps: int  # of the walkthrough that were read
    level: Level | None  # None: what was read does not settle the question, so it counts nowhere
    reply: object  # a model's text, or its list of moves; None for none
    grade: Grade

    @property
    def key(self) -> Key:
        """Key that no other question has."""
        return self.question.game, self.question.id, self.question.task


def counted(marked: Iterable[Marked]) -> tuple[Marked, ...]:
    """Return the answers to questions that what was read settles."""
    return tuple(each for each in marked if each.level is not None)


def of(marked: Iterable[Marked], task: Task | None = None, level: str = "all") -> Grades:
    """Return the grades of a task (None: of both) at a level, maze by maze."""
    games: dict[str, list[Grade]] = {}
    for each in counted(marked):
        if task in (None, each.question.task) and level in ("all", each.level):
            games.setdefault(each.question.game, []).append(each.grade)
    return dict(sorted(games.items()))


def record(grades: Sequence[Grade]) -> dict[str, float | int | None]:
    """Return counts and means over grades, None where nothing was asked."""
    return {**_counts(grades), **{score: share(*_sum(grades, score)) for score in MEANS}}


def _counts(grades: Sequence[Grade]) -> dict[str, int]:
    forms = Counter(each.form for each in grades)
    return {
        "asked": len(grades), "clean": forms[Form.CLEAN], "repaired": forms[Form.REPAIRED],
        "ill_formed": forms[Form.ILL_FORMED], "counted": int(_sum(grades, "knowledge")[1]),
    }  # fmt: skip


def _sum(grades: Iterable[Grade], score: str) -> tuple[float, float]:
    """Return the sum of a score, and how many grades have it."""
    name = "points" if score == "knowledge" else score
    values = [value for each in grades if (value := getattr(each, name)) is not None]
    return fsum(values), float(len(values))


def _pooled(games: Grades, score: str) -> Ratio:
    """Return a score's mean over all answers, one entry a maze."""
    sums = [_sum(grades, score) for grades in games.values()]
    return Ratio(tuple(a for a, _ in sums), tuple(b for _, b in sums), score == "knowledge")


def macro(games: Grades, score: str) -> Ratio:
    """Return a score's mean over the mazes that have it, one entry a maze."""
    values = [share(*_sum(grades, score)) for grades in games.values()]
    there = tuple(float(value is not None) for value in values)
    return Ratio(tuple(value or 0.0 for value in values), there, score == "knowledge")


def means(games: Grades, *, resamples: int = RESAMPLES) -> dict[str, Any]:
    """Return the means over mazes: macro with its 95 % interval, micro, and the counts."""
    ratios = {score: macro(games, score) for score in MEANS}
    bounds = intervals(ratios, resamples=resamples)
    scores = {
        score: {"macro": each.value, "interval": bounds[score],
                "micro": _pooled(games, score).value}
        for score, each in ratios.items()
    }  # fmt: skip
    every = [grade for grades in games.values() for grade in grades]
    return {**_counts(every), "mazes": len(games), **scores}


def table(marked: Iterable[Marked], *, resamples: int = RESAMPLES) -> dict[str, Any]:
    """Return ``{task: {level: means with their counts and intervals}}``.

    Raises `MissingExtra` without numpy unless ``resamples`` is 0.
    """
    every = tuple(marked)
    return {
        str(task): {
            str(level): means(of(every, task, level), resamples=resamples) for level in LEVELS
        }
        for task in Task
    }


def knowledge(marked: Iterable[Marked], *, resamples: int = RESAMPLES) -> dict[str, Any]:
    """Return ``{"knowledge", "knowledge_ci", "counted"}`` of all answers, both tasks together.

    The mean of the points over the questions that count, wherever they are asked; the interval
    draws mazes.
    """
    ratio = _pooled(of(marked), "knowledge")
    found = intervals({"knowledge": ratio}, resamples=resamples)["knowledge"]
    return {"knowledge": ratio.value, "knowledge_ci": found, "counted": int(sum(ratio.below))}


class Book:
    """One maze and its questions, found by id."""

    def __init__(self, maze: Maze, easy: Route, rule: Rule = Rule.EXACT) -> None:
        self.maze = maze
        self._ways = Ways(maze, rule)
        self._guessing = cache(lambda steps: Guessing(maze, steps))
        self._net = Net.of(maze)
        self._any = pairs(self._net, Route.ANY)
        self._shown = cache(lambda steps: Routes(maze, steps, easy))
        self._exits: dict[tuple[str, str], list[Edge]] = {}
        for edge in self._net.edges:
            self._exits.setdefault((edge.source, edge.action), []).append(edge)

    def mark(self, question: Question, steps: int, reply: object) -> Marked:
        """Grade a reply to a question of somebody who read so many steps."""
        level = question.level(steps)
        guessing = self._guessing(min(steps, self.maze.steps))
        guessed = None if level is None else guessing.rate(question)
        found = grade(self._ways, question, reply, guessed)
        return Marked(question, steps, level, reply, found)

    def find(self, answer: Answer) -> Question | None:
        """Return the question that an answer is to, None where the maze has none of that id."""
        if answer.task is Task.RF:
            return self._pair(answer)
        routes = self._routes(answer.source, answer.actions)
        found = [destination(answer.game, path) for path in routes]
        if answer.id:
            return next((question for question in found if question.id == answer.id), None)
        return found[0] if len(found) == 1 else None

    def _pair(self, answer: Answer) -> Question | None:
        number = self._net.number
        if answer.source not in number or answer.target not in number:
            return None
        shown = self._shown(min(answer.steps, self.maze.steps))
        question = shown.question(answer.source, answer.target)
        if question is None:  # what was read shows no route: this is the whole maze's question
            pair = number[answer.source], number[answer.target]
            question = route(answer.game, self._net, pair, easy=self._any, every=self._any)
        return question if answer.id in ("", question.id) else None

    def _routes(self, source: str, actions: Sequence[str]) -> list[tuple[Edge, ...]]:
        """Return the simple paths that actions may take."""
        if not actions or len(actions) > len(self._net.places):
            return []
        routes: list[tuple[Edge, ...]] = [()]
        for action in actions:
            routes = [
                (*route, edge)
                for route in routes
                for edge in self._exits.get((route[-1].target if route else source, action), ())
                if edge.target != source and all(edge.target != past.target for past in route)
            ]
        return routes


class Atlas:
    """The mazes of a folder, each read when an answer first names it."""

    def __init__(
        self, folder: Path, layout: Layout | None, *, easy: Route, rule: Rule = Rule.EXACT
    ) -> None:
        homes = {home.game: home for home in games(folder, *laid(layout))}
        self.names = frozenset(homes)

        @cache
        def book(game: str) -> Book:
            if game not in homes:
                raise RecordError(f"{folder}: no maze {game!r}{did_you_mean(game, homes)}")
            return Book(read(homes[game]), easy, rule)

        self.book = book

    def of(self, answer: Answer) -> Book:
        """Return the book of an answer's maze. Raises `RecordError` where there is none."""
        try:
            return self.book(answer.game)
        except RecordError as error:
            raise RecordError(f"{answer.where}: {error}") from error

    def question(self, answer: Answer) -> Question:
        """Return the question that an answer is to. Raises `RecordError` where there is none."""
        book = self.of(answer)
        question = book.find(answer)
        if question is None or answer.target not in ("", question.target):
            raise RecordError(_stranger(answer, book.maze))
        return question


def _stranger(answer: Answer, maze: Maze) -> str:
    """Say of an answer that its maze does not have its question."""
    where = f"{answer.where}: maze {answer.game!r} has no"
    for place in (answer.source, answer.target):
        if place and place not in maze.places:
            return f"{where} place {place!r}{did_you_mean(place, maze.places)}"
    for action in answer.actions:
        if action not in maze.actions:
            return f"{where} move {action!r}{did_you_mean(action, maze.actions)}"
    df = answer.task is Task.DF
    asked = f"by {list(answer.actions)}" if df else f"to {answer.target!r}"
    named = f" with id {answer.id!r}" if answer.id else ", or several: give the id"
    return (
        f"{where} question from {answer.source!r} {asked}{named}: give the mazes that the "
        "questions were made from"
    )


def mark(answers: Iterable[Answer], atlas: Atlas) -> tuple[Marked, ...]:
    """Grade answers. Raises `RecordError` for an id that its maze does not have."""
    return tuple(
        atlas.of(answer).mark(atlas.question(answer), answer.steps, answer.reply)
        for answer in answers
    )


def mark_baselines(
    marked: Iterable[Marked], book: Callable[[str], Book]
) -> dict[Baseline, tuple[Marked, ...]]:
    """Return what the baselines earn on the questions of some answers that count, each once."""
    asked: dict[tuple[str, int], dict[str, Question]] = {}
    for each in counted(marked):
        same = asked.setdefault((each.question.game, each.steps), {})
        same[f"{each.question.task} {each.question.id}"] = each.question
    found: dict[Baseline, list[Marked]] = {baseline: [] for baseline in Baseline}
    for (game, steps), questions in sorted(asked.items()):
        maze, some = book(game).maze.prefix(steps), list(questions.values())
        for baseline, mine in found.items():
            replies = zip(some, answered(baseline, maze, some), strict=True)
            mine += [book(game).mark(question, steps, reply) for question, reply in replies]
    return {baseline: tuple(mine) for baseline, mine in found.items()}


def score(
    answers: Path,
    mazes: Path,
    *,
    layout: Layout = Layout.STEPS70,
    compat: str = "exact",
    easy: Route | None = None,
    only: Sequence[str] = (),
) -> dict[str, Any]:
    """Return the scores of one model's answers as a JSON document.

    `compat` is a rule of `grade.Rule`, or "release" for the released evaluator with its faults.
    `only` names the games whose answers count, all if empty. `easy` says which routes make a
    route-finding question easy: by default the shortest ones, for the release any. Raises
    `RecordError` for answers or mazes that cannot be read.
    """
    if compat == "release":
        atlas = Atlas(mazes, layout, easy=easy or Route.ANY)
        found = _released(about_games(read_as_released(answers), only), atlas)
        return {"compat": compat, "rf_easy": str(easy or Route.ANY), **found}
    atlas = Atlas(mazes, layout, easy=easy or Route.SHORTEST, rule=Rule(compat))
    found = document(mark(about_games(read_answers(answers), only), atlas), atlas)
    return {"compat": compat, "rf_easy": str(easy or Route.SHORTEST), **found}


T = TypeVar("T", bound=Answer | Damaged)


def about_games(answers: Iterable[T], only: Sequence[str]) -> list[T]:
    """Return the answers about some games. Raises `KnobError` where there are none."""
    found = [each for each in answers if not only or each.game in only]
    if not found:
        raise KnobError(f"no answer is about {', '.join(only)}" if only else "there are no answers")
    return found


def document(marked: Sequence[Marked], atlas: Atlas) -> dict[str, Any]:
    """Return graded answers as a JSON document."""
    baselines = mark_baselines(marked, atlas.book)
    asked = sorted({each.question.game for each in marked})
    return {
        **knowledge(marked),
        **table(marked),
        "baselines": {
            str(name): {**knowledge(each), **table(each, resamples=0)}
            for name, each in baselines.items()
        },
        "games": {
            game: _game([each for each in marked if each.question.game == game]) for game in asked
        },
        "mazes_without_answers": sorted(atlas.names - set(asked)),
    }


def _game(marked: Sequence[Marked]) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for task in Task:
        mine = [each for each in marked if each.question.task is task]
        cells = {
            str(level): record([grade for some in of(mine, task, level).values() for grade in some])
            for level in LEVELS
        }
        found[str(task)] = {**cells, "unanswerable": len(mine) - len(counted(mine))}
    return found


def _released(answers: Sequence[Answer | Damaged], atlas: Atlas) -> dict[str, Any]:
    from worldquiz.mango import release

    names = {each.game for each in answers}
    ways = {game: release.ReleaseWays(atlas.book(game).maze) for game in names}
    found = {}
    for task in Task:
        asked: list[release.Asked] = [
            each if isinstance(each, Damaged) else (each, atlas.of(each).find(each))
            for each in answers
            if each.task is task
        ]
        if asked:
            found[str(task)] = release.evaluate(ways, asked)
    return found
