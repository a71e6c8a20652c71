"""MANGO's scores as its released evaluator computes them, faults included.

For comparison with figures that were made with it (its ``map_evaluator.py``, the same in branches
camera-ready and main). What differs from the paper, all of it reproduced by `evaluate`:

* Destination finding never looks at the answer: each correct place is compared with itself.
* Answers that cannot be read, and answers to questions outside the maze or the prefix, drop out
  of the denominator.
* Route finding earns partial credit: the likeness of the name of where the moves lead to the
  destination's name ("loose"), or 1 for equal names ("strict").
* A told move is matched with the nearest action of the *whole* maze, whether or not it can be taken
  where one is. Under "strict" a move that no action equals becomes just any action.
* Every move along one of ten directions gets its reverse, verified or not.
* ``path_len`` is the length of the question's route, or of the shortest one that the whole file has
  (whatever was read), over readable answers.
* The reply's list runs from the first ``[`` to the first ``]``: a name with a bracket breaks it.

The release breaks ties in the order of a hash table, which changes from run to run. Here an order
is drawn for each maze; ``ties`` counts the answers of a cell that earn something else by its
reverse. The release evaluates replies as code; here only literals are read, and both namings of a
move's parts.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import chain, pairwise
from pathlib import Path
from typing import Any, NamedTuple

from worldquiz import rng
from worldquiz.errors import RecordError
from worldquiz.mango.answers import (
    Answer,
    Atlas,
    about_games,
    files,
    official,
    once,
    read_answers,
    task_of,
)
from worldquiz.mango.grade import Level, Question, Task, likeness
from worldquiz.mango.maze import Maze
from worldquiz.mango.moves import python_literal
from worldquiz.mango.paths import Net, Route, pairs
from worldquiz.mango.published import Layout
from worldquiz.mango.walkthrough import COMPASS

_OPPOSITE = {one: other for pair in COMPASS for one, other in (pair, pair[::-1])}
SCORES = ("loose_score", "strict_score", "reasoning_score", "path_len")
ERRORS = ("parsing_error", "id_error", "step_num_error")
SLICES = ("all", Level.EASY, Level.HARD)
_NAMINGS = (("location_before", "action", "location_after"), ("prev_node", "action", "node"))

Told = tuple[tuple[str, str, str], ...]


@dataclass(frozen=True, slots=True)
class Damaged:
    """An answer's file that cannot be read."""

    game: str
    task: Task


Asked = tuple[Answer, Question | None] | Damaged
"""An answer and the question with its id, None where the maze has none; or a damaged file."""


def released(
    answers: Path, mazes: Path, *, layout: Layout, easy: Route, only: Sequence[str] = ()
) -> dict[str, Any]:
    """Return the scores of one model's answers as a JSON document."""
    atlas = Atlas(mazes, layout, easy=easy)
    every = about_games(_read(answers), only)
    ways = {name: ReleaseWays(atlas.book(name).maze) for name in {each.game for each in every}}
    found: dict[str, Any] = {"compat": "release", "rf_easy": str(easy)}
    for task in Task:
        asked: list[Asked] = [
            each if isinstance(each, Damaged) else (each, atlas.find(each))
            for each in every
            if each.task is task
        ]
        if asked:
            found[str(task)] = evaluate(ways, asked)
    return found


def _read(path: Path) -> list[Answer | Damaged]:
    """Return what the release's evaluator would find: damaged files of its layout stay in."""
    if not path.is_dir():
        return list(read_answers(path))
    found: list[Answer | Damaged] = []
    for file in files(path):
        try:
            found.append(official(file))
        except RecordError:
            found.append(Damaged(file.parent.name, task_of(file, None)))
    once(each for each in found if isinstance(each, Answer))
    return found


class ReleaseOutcome(NamedTuple):
    """Scores of one answer by the release's rules."""

    loose_score: float = 0.0
    strict_score: float = 0.0
    reasoning_score: float = 0.0
    path_len: int = 0
    error: str = ""  # one of ERRORS, or none
    level: Level | None = None  # where it counts beside "all"
    tie: bool = False  # whether it depends on the order of the actions


class ReleaseWays:
    """A maze with the release's reverses."""

    def __init__(self, maze: Maze) -> None:
        self.edges = {edge.key for edge in maze.edges}
        self.edges |= {
            (target, _OPPOSITE[action], source)
            for source, action, target in self.edges
            if action in _OPPOSITE
        }
        self._exits: dict[tuple[str, str], set[str]] = {}
        for source, action, target in self.edges:
            self._exits.setdefault((source, action.lower()), set()).add(target)
        self._net = Net.of(maze)
        self._actions = sorted({action.lower() for _, action, _ in self.edges})
        draw = rng.child(0, "release", maze.name)
        self._order = draw.sample(self._actions, len(self._actions))
        self._matches, self._lengths = cache(self._matched), cache(pairs)

    def shortest(self, source: str, target: str) -> int:
        """Return how many moves the shortest route of the whole file has, 1 without any."""
        one, other = (self._net.number[place] for place in (source, target))
        return self._lengths(self._net, Route.ANY).shortest[one][other] or 1

    def ends(self, source: str, actions: Iterable[str]) -> set[str]:
        """Return every place where actions lead to."""
        places = {source}
        for action in actions:
            places = {
                end for place in places for end in self._exits.get((place, action.lower()), ())
            }
        return places

    def earned(self, path: Told, answer: Answer, *, strict: bool) -> tuple[float, float]:
        """Return what the moves of a path earn by the order of the actions, and by its reverse.

        Where several actions match a told move equally, the first in the order wins.
        """
        told = [self._matches(action.lower(), strict) for _, action, _ in path]
        first, second = (
            max((_match(answer.target, end, strict)
                 for end in self.ends(answer.source, (each[at] for each in told))), default=0.0)
            for at in (0, -1)
        )  # fmt: skip
        return first, second

    def _matched(self, said: str, strict: bool) -> tuple[str, ...]:
        """Return the actions that match a told one best."""
        likely = {each: _match(said, each, strict) for each in self._actions}
        best = max(likely.values(), default=0.0)
        return tuple(each for each in self._order if likely[each] == best)

    def sound(self, path: Told, source: str, target: str) -> bool:
        """Return whether a path is one of the maze, letter by letter, from source to target."""
        steps = (tuple(part.strip() for part in step) for step in path)
        joined = all(one[2] == two[0] for one, two in pairwise(path))
        ends = path[0][0] == source and path[-1][2] == target
        return ends and joined and all(step in self.edges for step in steps)


def evaluate(ways: Mapping[str, ReleaseWays], asked: Iterable[Asked]) -> dict[str, dict[str, Any]]:
    """Return the release's summary of answers of one task, by game, and of all as "summary"."""
    outcomes: dict[str, list[ReleaseOutcome]] = {}
    for entry in asked:
        game = entry.game if isinstance(entry, Damaged) else entry[0].game
        outcomes.setdefault(game, []).append(judge(ways[game], entry))
    games = dict(sorted(outcomes.items()))
    games["summary"] = list(chain.from_iterable(games.values()))
    return {game: {str(name): _cell(some, name) for name in SLICES} for game, some in games.items()}


def judge(maze: ReleaseWays, entry: Asked) -> ReleaseOutcome:
    """Return the release's scores of one answer."""
    if isinstance(entry, Damaged):
        return ReleaseOutcome(error="parsing_error")
    answer, question = entry
    path = read_path(answer.reply)
    if path is None:
        return ReleaseOutcome(error="parsing_error")
    if question is None:
        return ReleaseOutcome(error="id_error")
    stated = answer.answerable_from
    beyond = question.answerable_from if stated is None else stated
    if beyond is None or beyond > answer.steps:
        return ReleaseOutcome(error="step_num_error")
    easy = question.easy_from is not None and question.easy_from <= answer.steps
    level = Level.EASY if easy else Level.HARD
    if answer.task is Task.RF:
        loose, strict = (maze.earned(path, answer, strict=strict) for strict in (False, True))
        sound = maze.sound(path, answer.source, answer.target)
        length = maze.shortest(answer.source, answer.target)
        tie = loose[0] != loose[1] or strict[0] != strict[1]
        return ReleaseOutcome(loose[0], strict[0], float(sound), length, "", level, tie)
    ends = maze.ends(answer.source, answer.actions)
    right = float(bool(ends))  # each correct place is compared with itself
    sound = any(maze.sound(path, answer.source, end) for end in ends)
    return ReleaseOutcome(right, right, float(sound), len(answer.actions), "", level)


def read_path(reply: object) -> Told | None:
    """Return a reply's path as the release reads it, None where it cannot."""
    if isinstance(reply, str):
        text = reply.strip()
        reply = python_literal(text[text.find("[") : text.find("]") + 1]) if "[" in text else None
    if not isinstance(reply, list) or not reply:
        return None
    for keys in _NAMINGS:
        steps: list[Any]
        steps = [tuple(each.get(key) for key in keys) if isinstance(each, dict) else (None,)
                 for each in reply]  # fmt: skip
        if all(isinstance(part, str) for step in steps for part in step):
            return tuple(steps)
    return None


def _match(said: str, name: str, strict: bool) -> float:
    said, name = said.lower(), name.lower()
    return float(said == name) if strict else likeness(said, name)


def _cell(outcomes: Iterable[ReleaseOutcome], name: str) -> dict[str, float]:
    """Return sums with their averages, 0 where there is nothing to take one of."""
    mine = [each for each in outcomes if name in ("all", each.level)]
    sums: dict[str, float] = {
        "total_task": len(mine),
        "valid_task": sum(not each.error for each in mine),
        **{score: sum(getattr(each, score) for each in mine) for score in SCORES},
        **{error: sum(each.error == error for each in mine) for error in ERRORS},
        "ties": sum(each.tie for each in mine),
    }
    below = {**dict.fromkeys(SCORES, "valid_task"), **dict.fromkeys(ERRORS, "total_task")}
    averages = {
        f"{each}_average": sums[each] / sums[of] if sums[of] else 0.0 for each, of in below.items()
    }
    return sums | averages
