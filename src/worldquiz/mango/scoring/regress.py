"""What makes mazes and questions hard, for each contestant (arXiv 2403.19913, section 3.3).

A contestant's answers meet the predictors of the mazes, as far as that contestant read them. Lines
are fitted as in Table 10, one predictor at a time, by the mazes' rates; then all answers at once
(`worldquiz.mango.scoring.mixed`), with each question's own length and imputed moves. Of a route
that was asked for, these are those of a shortest one.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict
from functools import cache
from typing import Any

from worldquiz.errors import KnobError
from worldquiz.mango.asking.ask import Text
from worldquiz.mango.maze.maze import Maze
from worldquiz.mango.paths.pairs import along, on_shortest
from worldquiz.mango.paths.path_tree import Net, count
from worldquiz.mango.paths.walk import simplified
from worldquiz.mango.scoring import predictors as names
from worldquiz.mango.scoring.contest import Contest, Contestant, Marked
from worldquiz.mango.scoring.grade import Level, Question, Task
from worldquiz.mango.scoring.mixed import Mixed, Outcome, mixed
from worldquiz.mango.scoring.predictors import OURS, PREDICTORS, Predictors
from worldquiz.mango.scoring.regression import Line, Refused, by_name, lines

SCORES = ("success", "reasoning")
LENGTH, IMPUTED_MOVES = "length", "imputed_moves"
"""A question's own predictors: the moves of its route, and how many of them nobody took."""
_ANY_LEVEL = (names.LOCATIONS, names.EXPLICIT, names.IMPUTED, names.CONFUSABLE, names.SCENE)
"""Predictors that are about easy and hard questions alike."""

Done = Callable[[str], None]


class Ground:
    """A maze as far as it was read: its predictors, and those of questions about it."""

    def __init__(self, maze: Maze, steps: int) -> None:
        """Read so many steps of a whole maze's walkthrough."""
        self.steps = min(steps, maze.steps)
        self.shown = maze.prefix(self.steps)
        self._net = Net.of(self.shown)
        self._routes = on_shortest(self._net, limit=self.steps)

    def predictors(self) -> Predictors:
        """Return the paper's predictors and ours."""
        shown = self.shown
        explicit = sum(edge.told.forward is not None for edge in shown.edges)
        routes = count(self._net, limit=self.steps)
        return {
            names.LOCATIONS: len(shown.places),
            names.EXPLICIT: explicit,
            names.IMPUTED: len(shown.edges) - explicit,
            names.CONFUSABLE: names.confusable(shown.places),
            names.LEN_EASY: routes.mean_easy,
            names.LEN_HARD: routes.mean_hard,
            names.IMPUTED_HARD: routes.mean_imputed,
            names.SCENE: names.words_per_scene(shown.walkthrough),
            names.ALIKE: names.alike(shown.places),
        }

    def of(self, question: Question) -> dict[str, float]:
        """Return a question's own predictors. It is one that what was read settles."""
        if question.task is Task.DF:
            length = len(question.actions)
            imputed = along(
                self._net, question.source, question.actions, question.target, limit=self.steps
            )
        else:
            number = self._net.number
            found = self._routes[number[question.source]][number[question.target]]
            length, imputed = found if found is not None else (0, None)
        if imputed is None:
            raise ValueError(f"question {question.id!r} has no route in {question.game!r}")
        return {LENGTH: length, IMPUTED_MOVES: imputed}


def regress(contest: Contest, *, done: Done = lambda _: None) -> dict[str, Any]:
    """Return the regressions of all contestants as a JSON document.

    ``{"predictors": {contestant: {game: ...}}, "contestants": {contestant: {task: {level: {score:
    {"lines": [...], "mixed": ...}}}}}``. Raises `KnobError` for a contestant who read a maze to
    several steps, or one with too many paths; `MissingExtra` without scipy.
    """
    found: dict[str, Any] = {"predictors": {}, "contestants": {}}
    known = cache(lambda game, steps, text: _known(contest.mazes[game], steps, text))
    for contestant in contest.contestants:
        text = str(contestant.settings.get("walkthrough", Text.FULL))
        read = {game: known(game, steps, text) for game, steps in _read(contestant).items()}
        mazes = {game: predictors for game, (_, predictors) in read.items()}
        grounds = {game: ground for game, (ground, _) in read.items()}
        found["predictors"][contestant.name] = {
            game: {"steps": grounds[game].steps, **mazes[game]} for game in mazes
        }
        found["contestants"][contestant.name] = dict(_tasks(contestant, mazes, grounds))
        done(contestant.name)
    return found


def _known(maze: Maze, steps: int, text: str) -> tuple[Ground, Predictors]:
    """Return a maze as it was read, with its predictors."""
    ground = Ground(simplified(maze) if text == Text.SIMPLIFIED else maze, steps)
    return ground, ground.predictors()


def _read(contestant: Contestant) -> dict[str, int]:
    """Return to which step each maze was read."""
    found: dict[str, int] = {}
    for each in contestant.marked:
        game = each.question.game
        if found.setdefault(game, each.steps) != each.steps:
            raise KnobError(
                f"{contestant.name}: maze {game!r} was read to step {found[game]} and to step "
                f"{each.steps}: its predictors depend on that; give each as a run of its own"
            )
    return dict(sorted(found.items()))


def _tasks(
    contestant: Contestant,
    mazes: Mapping[str, Predictors],
    grounds: Mapping[str, Ground],
) -> Iterator[tuple[str, Any]]:
    for task in Task:
        mine = [
            each
            for each in contestant.marked
            if each.question.task is task and each.level is not None
        ]
        own = {
            (each.question.game, each.question.id): grounds[each.question.game].of(each.question)
            for each in mine
        }
        if mine:
            yield str(task), dict(_levels(mine, mazes, own))


def _levels(
    marked: Sequence[Marked],
    mazes: Mapping[str, Predictors],
    own: Mapping[tuple[str, str], dict[str, float]],
) -> Iterator[tuple[str, Any]]:
    for level in (*Level, None):
        mine = [each for each in marked if level in (None, each.level)]
        rows = (*(PREDICTORS[level] if level else _ANY_LEVEL), *OURS)
        if mine:
            yield (
                str(level or "all"),
                {
                    score: {
                        "lines": [record(each) for each in _lines(mine, score, mazes, rows)],
                        "mixed": record(_mixed(mine, score, mazes, rows, own, level)),
                    }
                    for score in SCORES
                },
            )


def _lines(
    marked: Sequence[Marked], score: str, mazes: Mapping[str, Predictors], rows: Sequence[str]
) -> tuple[Line | Refused, ...]:
    games: dict[str, list[float]] = {}
    for each in marked:
        games.setdefault(each.question.game, []).append(getattr(each.grade, score))
    rates = {game: sum(games[game]) / len(games[game]) for game in sorted(games)}
    return lines(rates, by_name({game: mazes[game] for game in rates}, rows))


def _mixed(
    marked: Sequence[Marked],
    score: str,
    mazes: Mapping[str, Predictors],
    rows: Sequence[str],
    own: Mapping[tuple[str, str], dict[str, float]],
    level: Level | None,
) -> Mixed | Refused:
    wanted = (LENGTH,) if level is Level.EASY else (LENGTH, IMPUTED_MOVES)
    outcomes = []
    for each in marked:
        question = own[each.question.game, each.question.id]
        values = {name: question[name] for name in wanted}
        outcomes.append(Outcome(each.question.game, getattr(each.grade, score), values))
    games = {each.maze for each in outcomes}
    return mixed(outcomes, {game: {row: mazes[game][row] for row in rows} for game in games})


def record(found: Line | Mixed | Refused) -> dict[str, Any]:
    """Return a result as JSON, by what it is."""
    kind = "refused" if isinstance(found, Refused) else type(found).__name__.lower()
    return {"kind": kind, **json.loads(json.dumps(asdict(found)))}
