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

The release breaks ties in the order of a hash table, which changes from run to run. Here 51 orders
are drawn for each maze, and the one counts by which its answers earn the median of what they earn;
``ties`` counts the answers of a cell that earn something else by another order. The release
evaluates replies as code; here only literals are read, and both namings of a move's parts.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cache
from itertools import pairwise
from math import fsum
from typing import Any

from worldquiz import rng
from worldquiz.llm.reply_lists import python_literal
from worldquiz.mango.maze.maze import Maze
from worldquiz.mango.maze.walkthrough import COMPASS
from worldquiz.mango.paths.pairs import Route, pairs
from worldquiz.mango.paths.path_tree import Net
from worldquiz.mango.scoring.grade import Answer, Damaged, Level, Question, Task, likeness

_OPPOSITE = {one: other for pair in COMPASS for one, other in (pair, pair[::-1])}
SCORES = ("loose_score", "strict_score", "reasoning_score", "path_len")
ERRORS = ("parsing_error", "id_error", "step_num_error")
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
    reasoning: float = 0.0
    path_len: int = 0
    error: str = ""  # one of ERRORS, or none
    level: Level | None = None  # where it counts beside "all"

    def scores(self, order: int) -> tuple[float, float, float, int]:
        """Return its scores by one of the orders, as `SCORES` names them."""
        loose, strict = (each[order % len(each)] for each in (self.loose, self.strict))
        return loose, strict, self.reasoning, self.path_len

    @property
    def ties(self) -> bool:
        """Tell whether it depends on the order of the actions."""
        return len(self.loose) > 1 or len(self.strict) > 1


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
        self._orders = [
            rng.child(number, "release", maze.name).sample(self._actions, len(self._actions))
            for number in range(ORDERS)
        ]
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

    def earned(self, path: Path, answer: Answer, *, strict: bool) -> tuple[float, ...]:
        """Return what the moves of a path earn by each order; one number if all are equal.

        Where several actions match a told move equally, the first in the order wins.
        """
        told = [self._matches(action.lower(), strict) for _, action, _ in path]
        orders = self._orders if any(len(each) > 1 for each in told) else self._orders[:1]
        found = []
        for order in orders:
            matched = [min(each, key=order.index, default="") for each in told]
            ends = self.ends(answer.source, matched)
            found.append(max((_match(answer.target, end, strict) for end in ends), default=0.0))
        return tuple(found) if len(set(found)) > 1 else (found[0],)

    def _matched(self, said: str, strict: bool) -> tuple[str, ...]:
        """Return the actions that match a told one best."""
        likely = {each: _match(said, each, strict) for each in self._actions}
        best = max(likely.values(), default=0.0)
        return tuple(each for each in self._actions if likely[each] == best)

    def sound(self, path: Path, source: str, target: str) -> bool:
        """Return whether a path is one of the maze, letter by letter, from source to target."""
        steps = (tuple(part.strip() for part in step) for step in path)
        joined = all(one[2] == two[0] for one, two in pairwise(path))
        ends = path[0][0] == source and path[-1][2] == target
        return ends and joined and all(step in self.edges for step in steps)


def evaluate(ways: Mapping[str, ReleaseWays], asked: Iterable[Asked]) -> dict[str, dict[str, Any]]:
    """Return the release's summary of answers of one task, by game, and of all as "summary"."""
    entries: dict[str, list[Asked]] = {}
    for entry in asked:
        game = entry.game if isinstance(entry, Damaged) else entry[0].game
        entries.setdefault(game, []).append(entry)
    found: dict[str, dict[str, dict[str, float]]] = {}
    for game, some in sorted(entries.items()):
        outcomes = [judge(ways[game], entry) for entry in some]
        order = usual_order(outcomes)
        found[game] = {str(name): _sums(outcomes, order, name) for name in SLICES}
    total = {
        str(name): {
            each: sum(tables[str(name)][each] for tables in found.values())
            for each in next(iter(found.values()))[str(name)]
        }
        for name in SLICES
    }
    return {
        game: {name: _averaged(sums) for name, sums in tables.items()}
        for game, tables in (*found.items(), ("summary", total))
    }


def usual_order(outcomes: Iterable[ReleaseOutcome]) -> int:
    """Return by which order the answers about a maze earn the median of what they earn."""
    tied = [each for each in outcomes if each.ties]
    totals = [fsum(sum(each.scores(order)[:2]) for each in tied) for order in range(ORDERS)]
    return sorted(range(ORDERS), key=totals.__getitem__)[ORDERS // 2] if tied else 0


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
        return ReleaseOutcome(loose, strict, float(sound), length, level=level)
    ends = maze.ends(answer.source, answer.actions)
    right = (float(bool(ends)),)  # each correct place is compared with itself
    sound = any(maze.sound(path, answer.source, end) for end in ends)
    return ReleaseOutcome(right, right, float(sound), len(answer.actions), level=level)


def read_path(reply: object) -> Path | None:
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


def _sums(outcomes: Iterable[ReleaseOutcome], order: int, name: str) -> dict[str, float]:
    mine = [each for each in outcomes if name in ("all", each.level)]
    earned = [each.scores(order) for each in mine]
    return {
        "total_task": len(mine),
        "valid_task": sum(not each.error for each in mine),
        **{score: sum(each[place] for each in earned) for place, score in enumerate(SCORES)},
        **{error: sum(each.error == error for each in mine) for error in ERRORS},
        "ties": sum(each.ties for each in mine),
    }


def _averaged(sums: Mapping[str, float]) -> dict[str, float]:
    """Return sums with their averages, 0 where there is nothing to take one of."""
    below = {
        **dict.fromkeys(SCORES, sums["valid_task"]),
        **dict.fromkeys(ERRORS, sums["total_task"]),
    }
    averages = {f"{name}_average": sums[name] / n if n else 0.0 for name, n in below.items()}
    return {**sums, **averages}
