"""MANGO's scores as its released evaluator computes them, faults included.

For comparison with figures that were made with it (its ``map_evaluator.py``, the same in branches
camera-ready and main). What differs from the paper, all of it reproduced by `evaluate`:

* Destination finding never looks at the answer: each correct place is compared with itself, so
  "NOWHERE / dance / MARS" earns 1.
* Answers that cannot be read, and answers to questions outside the maze or the prefix, drop out
  of the denominator: an average is over what is left. A question beyond the prefix with an
  unreadable reply counts as unreadable.
* Route finding earns partial credit: the likeness of the name of where the moves lead to the
  destination's name ("loose"), or 1 for equal names ("strict").
* A told move is matched with the nearest action of the *whole* maze, by likeness rather than by
  edit distance, whether or not it can be taken where one is; a move that cannot be taken ends the
  walk with nothing. Under "strict" a move that no action equals becomes just any action.
* Every move along one of ten directions gets its reverse, verified or not.
* ``path_len`` is the length of the question's route, or of the shortest one that the whole file has
  (whatever was read), over readable answers.
* The reply's list runs from the first ``[`` to the first ``]``: a name with a bracket breaks it.

The release breaks ties in the order of a hash table, which changes from run to run. Here 51 orders
are drawn for each maze, and the one counts by which its answers earn the median of what they earn.
``ties`` counts the answers of a cell that earn something else by another order; only cells without
any are the same in every run of the release.

It also evaluates replies as code (branch camera-ready); here, as in its main branch, only literals
are read, and a list of other things than dictionaries is unreadable where the release would stop.
Both namings of a move's parts are understood: the release makes them a setting.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, cached_property
from itertools import pairwise
from math import fsum
from typing import Any

from worldquiz import rng
from worldquiz.llm.reply_lists import python_literal
from worldquiz.mango.maze.maze import Maze
from worldquiz.mango.maze.walkthrough import COMPASS
from worldquiz.mango.paths.pairs import Pairs, Route, pairs
from worldquiz.mango.paths.path_tree import Net
from worldquiz.mango.scoring.grade import Answer, Damaged, Level, Question, Task, likeness

OPPOSITE = {one: other for pair in COMPASS for one, other in (pair, pair[::-1])}
SCORES = ("loose_score", "strict_score", "reasoning_score", "path_len")
ERRORS = ("parsing_error", "id_error", "step_num_error")
TIES = "ties"
ORDERS = 51
"""Orders of the actions that are drawn; an odd number has a median."""
SLICES = ("all", Level.EASY, Level.HARD)
_NAMINGS = (("location_before", "action", "location_after"), ("prev_node", "action", "node"))

Path = tuple[tuple[str, str, str], ...]
Asked = tuple[Answer, Question | None] | Damaged
"""An answer and the question with its id, None where the maze has none; or a damaged file."""


@dataclass(frozen=True, slots=True)
class ReleaseOutcome:
    """Scores of one answer by the release's rules."""

    loose: tuple[float, ...] = (0.0,)  # by each order of the actions; one number if all are equal
    strict: tuple[float, ...] = (0.0,)
    reasoning_score: float = 0.0
    path_len: int = 0
    error: str = ""  # one of ERRORS, or none
    level: Level | None = None  # where it counts beside "all"

    @property
    def ties(self) -> bool:
        """Tell whether it depends on the order of the actions."""
        return len(self.loose) > 1 or len(self.strict) > 1

    def scores(self, order: int) -> dict[str, float]:
        """Return its scores by one of the orders, under the release's names."""
        loose, strict = (each[order % len(each)] for each in (self.loose, self.strict))
        return dict(zip(SCORES, (loose, strict, self.reasoning_score, self.path_len), strict=True))


class ReleaseWays:
    """A maze with the release's reverses."""

    def __init__(self, maze: Maze) -> None:
        self.edges = {(edge.source, edge.action, edge.target) for edge in maze.edges}
        self.edges |= {
            (target, OPPOSITE[action], source)
            for source, action, target in self.edges
            if action in OPPOSITE
        }
        self.actions = sorted({action.lower() for _, action, _ in self.edges})
        self._exits: dict[tuple[str, str], set[str]] = {}
        for source, action, target in self.edges:
            self._exits.setdefault((source, action.lower()), set()).add(target)
        self._net = Net.of(maze)
        self._matches = cache(self._matched)
        self._orders = [
            rng.child(number, "release", maze.name).sample(self.actions, len(self.actions))
            for number in range(ORDERS)
        ]

    @cached_property
    def _lengths(self) -> Pairs:
        return pairs(self._net, Route.ANY)

    def shortest(self, source: str, target: str) -> int:
        """Return how many moves the shortest route of the whole file has, 1 without any."""
        one, other = (self._net.number[place] for place in (source, target))
        return self._lengths.shortest[one][other] or 1

    def ends(self, source: str, actions: Iterable[str]) -> set[str]:
        """Return every place where actions lead to."""
        places = {source}
        for action in actions:
            places = {
                end for place in places for end in self._exits.get((place, action.lower()), ())
            }
        return places

    def scores(self, path: Path, answer: Answer, *, strict: bool) -> tuple[float, ...]:
        """Return what the moves of a path earn by each order; one number if all are equal."""
        told = [self._matches(action.lower(), strict) for _, action, _ in path]
        orders = self._orders if any(len(each) > 1 for each in told) else self._orders[:1]
        earned = tuple(self._earned(told, order, answer, strict=strict) for order in orders)
        return earned if len(set(earned)) > 1 else earned[:1]

    def _earned(
        self, told: Sequence[Sequence[str]], order: Sequence[str], answer: Answer, *, strict: bool
    ) -> float:
        """Return what moves earn if the first in an order wins where several match equally."""
        matched = [min(each, key=order.index, default="") for each in told]
        ends = self.ends(answer.source, matched)
        return max((_match(answer.target, end, strict=strict) for end in ends), default=0.0)

    def _matched(self, said: str, strict: bool) -> tuple[str, ...]:
        """Return the actions that match a told one best."""
        likely = {each: _match(said, each, strict=strict) for each in self.actions}
        best = max(likely.values(), default=0.0)
        return tuple(each for each in self.actions if likely[each] == best)

    def sound(self, path: Path, source: str, target: str) -> bool:
        """Return whether a path is one of the maze, letter by letter, from source to target."""
        if path[0][0] != source or path[-1][2] != target:
            return False
        steps = (tuple(part.strip() for part in step) for step in path)
        joined = all(one[2] == two[0] for one, two in pairwise(path))
        return joined and all(step in self.edges for step in steps)


def evaluate(ways: Mapping[str, ReleaseWays], asked: Iterable[Asked]) -> dict[str, dict[str, Any]]:
    """Return the release's summary of answers of one task, by game, and of all as "summary"."""
    entries: dict[str, list[Asked]] = {}
    for entry in asked:
        game = entry.game if isinstance(entry, Damaged) else entry[0].game
        entries.setdefault(game, []).append(entry)
    games: dict[str, dict[str, dict[str, float]]] = {}
    for game, some in entries.items():
        tables = games[game] = {name: _blank() for name in SLICES}
        outcomes = [judge(ways[game], entry) for entry in some]
        order = usual_order(outcomes)
        for outcome in outcomes:
            for name in SLICES:
                if name in ("all", outcome.level):
                    _count(tables[name], outcome, order)
    total = {
        name: {key: sum(tables[name][key] for tables in games.values()) for key in _blank()}
        for name in SLICES
    }
    return {
        game: {str(name): _averaged(tables[name]) for name in SLICES}
        for game, tables in (*sorted(games.items()), ("summary", total))
    }


def usual_order(outcomes: Iterable[ReleaseOutcome]) -> int:
    """Return by which order the answers about a maze earn the median of what they earn."""
    tied = [each for each in outcomes if each.ties]
    totals = [
        fsum(scores["loose_score"] + scores["strict_score"] for scores in map(_by(order), tied))
        for order in range(ORDERS)
    ]
    return sorted(range(ORDERS), key=totals.__getitem__)[ORDERS // 2] if tied else 0


def _by(order: int) -> Callable[[ReleaseOutcome], dict[str, float]]:
    return lambda outcome: outcome.scores(order)


def judge(maze: ReleaseWays, entry: Asked) -> ReleaseOutcome:
    """Return the release's scores of one answer."""
    if isinstance(entry, Damaged):
        return ReleaseOutcome(error="parsing_error")
    answer, question = entry
    path = read_path(answer.reply)
    if error := _error(answer, question, path):
        return ReleaseOutcome(error=error)
    assert question is not None
    assert path is not None
    easy = question.easy_from is not None and question.easy_from <= answer.steps
    level = Level.EASY if easy else Level.HARD
    if answer.task is Task.RF:
        loose, strict = (maze.scores(path, answer, strict=strict) for strict in (False, True))
        sound = maze.sound(path, answer.source, answer.target)
        length = maze.shortest(answer.source, answer.target)
        return ReleaseOutcome(loose, strict, float(sound), length, level=level)
    ends = maze.ends(answer.source, answer.actions)
    found = [
        max((_match(end, end, strict=strict) for end in ends), default=0.0)
        for strict in (False, True)
    ]
    sound = any(maze.sound(path, answer.source, end) for end in ends)
    length = len(answer.actions)
    return ReleaseOutcome((found[0],), (found[1],), float(sound), length, level=level)


def read_path(reply: object) -> Path | None:
    """Return a reply's path as the release reads it, None where it cannot."""
    if isinstance(reply, str):
        text = reply.strip()
        reply = python_literal(text[text.find("[") : text.find("]") + 1]) if "[" in text else None
    if not isinstance(reply, list) or not reply:
        return None
    for keys in _NAMINGS:
        steps = [_step(each, keys) for each in reply]
        path = tuple(step for step in steps if step is not None)
        if len(path) == len(steps):
            return path
    return None


def _step(value: object, keys: tuple[str, str, str]) -> tuple[str, str, str] | None:
    if not isinstance(value, dict):
        return None
    source, action, target = (value.get(key) for key in keys)
    if isinstance(source, str) and isinstance(action, str) and isinstance(target, str):
        return source, action, target
    return None


def _error(answer: Answer, question: Question | None, path: Path | None) -> str:
    beyond = answer.answerable_from
    if beyond is None and question is not None:
        beyond = question.answerable_from
    checks = [
        ("parsing_error", path is None),
        ("id_error", question is None),
        ("step_num_error", beyond is None or beyond > answer.steps),
    ]
    return next((name for name, wrong in checks if wrong), "")


def _match(said: str, name: str, *, strict: bool) -> float:
    said, name = said.lower(), name.lower()
    return float(said == name) if strict else likeness(said, name)


def _blank() -> dict[str, float]:
    return dict.fromkeys(("total_task", "valid_task", *SCORES, *ERRORS, TIES), 0)


def _count(table: dict[str, float], outcome: ReleaseOutcome, order: int) -> None:
    table["total_task"] += 1
    table["valid_task"] += not outcome.error
    table[TIES] += outcome.ties
    for name, score in outcome.scores(order).items():
        table[name] += score
    if outcome.error:
        table[outcome.error] += 1


def _averaged(table: dict[str, float]) -> dict[str, float]:
    """Return a table with its averages, 0 where there is nothing to take one of."""
    below = {
        **dict.fromkeys(SCORES, table["valid_task"]),
        **dict.fromkeys(ERRORS, table["total_task"]),
    }
    averages = {
        f"{name}_average": table[name] / count if count else 0.0 for name, count in below.items()
    }
    return {**table, **averages}
