"""MANGO's scores as its released evaluator computes them, faults included.

They can be compared with published numbers of this evaluator (``map_evaluator.py``, the same in
branches camera-ready and main). It differs from the paper as follows, as does `released`:

* Destination finding never looks at the answer: each correct place is compared with itself.
* Unreadable answers, and answers to questions that need more steps than were read, do not count.
* Route finding gives partial credit: the likeness between the destination's name and the name of
  the place where the moves lead ("loose"), or 1 for equal names ("strict").
* A stated move is matched with the nearest action of the *whole* maze, even if it cannot be taken
  at that place. Under "strict", a move that equals no action becomes an arbitrary action.
* Every move in one of ten directions gets its reverse, verified or not.
* ``path_len`` is the length of the question's route, or of the shortest route in the whole maze
  (even if less was read), averaged over readable answers.
* A reply's list ends at the first ``]``, so a name with a bracket breaks it.

The release breaks ties in hash-table order, which changes from run to run. Here each maze has an
order, drawn by seed; ``ties`` counts the answers that score differently in the reverse order. The
release evaluates replies as code; here only literals are read, with either set of keys for a move's
parts. In the release, a question is easy if any of its routes is; here the run's settings decide.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import cache
from itertools import chain, pairwise
from pathlib import Path
from typing import Any

from worldquiz import rng
from worldquiz.facts.row import AnswerStatus, Row
from worldquiz.mango.grade import Task, likeness, moves_of, python_literal
from worldquiz.mango.mazes import Maze
from worldquiz.mango.paths import Net
from worldquiz.mango.run import mazes_of, questions_of, read_run_manifest
from worldquiz.mango.scores import LEVELS
from worldquiz.mango.walkthrough import COMPASS, Move

SCORES = ("loose_score", "strict_score", "reasoning_score", "path_len")
ERRORS = ("parsing_error", "id_error", "step_num_error")
Told = tuple[Move, ...]
Sums = dict[str, float]
"""Sums over answers by the names of the release's columns."""


def released(run: Path, data: Path | None = None) -> dict[str, Any]:
    """Return the release's scores of a finished run as a JSON document, by task and game.

    `data` is the folder of its mazes, if it was moved.
    """
    found: dict[str, Any] = {"compat": "release", "rf_easy": read_run_manifest(run)["rf_easy"]}
    ways = {name: ReleaseWays(maze) for name, maze in mazes_of(run, data).items()}
    rows = [row for row in questions_of(run) if row.status is not AnswerStatus.FAILED]
    for task in Task:
        games: dict[str, list[tuple[Row, Sums]]] = {}
        for row in rows:
            if row.type == task:
                games.setdefault(row.world, []).append((row, judge(ways[row.world], row)))
        games = dict(sorted(games.items()))
        if games:
            games["summary"] = list(chain.from_iterable(games.values()))
            found[str(task)] = {
                game: {str(name): _cell(some, name) for name in LEVELS}
                for game, some in games.items()
            }
    return found


class ReleaseWays:
    """A maze with the reverse moves that the release adds."""

    def __init__(self, maze: Maze) -> None:
        self.edges = {edge.key for edge in maze.edges}
        self.edges |= {
            (target, COMPASS[action], source)
            for source, action, target in self.edges
            if action in COMPASS
        }
        self._exits: dict[tuple[str, str], set[str]] = {}
        for source, action, target in self.edges:
            self._exits.setdefault((source, action.lower()), set()).add(target)
        self._net = Net(maze)
        self._actions = sorted({action.lower() for _, action, _ in self.edges})
        draw = rng.child(0, "release", maze.name)
        self._order = draw.sample(self._actions, len(self._actions))
        self._matches = cache(self._matched)

    def shortest(self, source: str, target: str) -> int:
        """Return the length of the shortest route in the whole maze, 1 if there is none."""
        number = self._net.number
        return self._net.shortest(number[source]).get(number[target], 0) or 1

    def ends(self, source: str, actions: Iterable[str]) -> set[str]:
        """Return every place where the actions may lead from a place."""
        places = {source}
        for action in actions:
            places = {
                end for place in places for end in self._exits.get((place, action.lower()), ())
            }
        return places

    def earned(self, path: Told, about: Mapping[str, Any], *, strict: bool) -> tuple[float, float]:
        """Return a path's scores with ties broken in the drawn order, and in the reverse order."""
        told = [self._matches(action.lower(), strict) for _, action, _ in path]
        first, second = (
            max((_match(about["target"], end, strict)
                 for end in self.ends(about["source"], (each[at] for each in told))), default=0.0)
            for at in (0, -1)
        )  # fmt: skip
        return first, second

    def _matched(self, said: str, strict: bool) -> tuple[str, ...]:
        """Return the actions that match a stated action best, in the drawn order."""
        likely = {each: _match(said, each, strict) for each in self._actions}
        best = max(likely.values(), default=0.0)
        return tuple(each for each in self._order if likely[each] == best)

    def sound(self, path: Told, source: str, target: str) -> bool:
        """Return whether a path leads from source to target, with names exactly as in the maze."""
        steps = (tuple(part.strip() for part in step) for step in path)
        joined = all(one[2] == two[0] for one, two in pairwise(path))
        ends = path[0][0] == source and path[-1][2] == target
        return ends and joined and all(step in self.edges for step in steps)


def judge(maze: ReleaseWays, row: Row) -> Sums:
    """Return the amounts that one answer adds to the sums of a table cell, by column."""
    path, about = read_path(row.reply), row.measures
    told: Sums = {"total_task": 1, "loose_score": 0.0, "strict_score": 0.0, "reasoning_score": 0.0}
    if not path:
        return told | {"parsing_error": 1}
    if row.level is None:
        return told | {"step_num_error": 1}
    told["valid_task"] = 1
    if row.type == Task.RF:
        loose, strict = (maze.earned(path, about, strict=strict) for strict in (False, True))
        return told | {
            "loose_score": loose[0], "strict_score": strict[0],
            "reasoning_score": float(maze.sound(path, about["source"], about["target"])),
            "path_len": maze.shortest(about["source"], about["target"]),
            "ties": loose[0] != loose[1] or strict[0] != strict[1],
        }  # fmt: skip
    ends = maze.ends(about["source"], about["actions"])
    right = float(bool(ends))  # each correct place is compared with itself
    sound = any(maze.sound(path, about["source"], end) for end in ends)
    return told | {
        "loose_score": right, "strict_score": right, "reasoning_score": float(sound),
        "path_len": len(about["actions"]),
    }  # fmt: skip


def read_path(reply: str) -> Told:
    """Return a reply's path as read by the release, () if unreadable."""
    return moves_of(python_literal(reply[reply.find("[") : reply.find("]") + 1]))


def _match(said: str, name: str, strict: bool) -> float:
    said, name = said.lower(), name.lower()
    return float(said == name) if strict else likeness(said, name)


def _cell(answers: Iterable[tuple[Row, Sums]], level: str) -> Sums:
    """Return the sums and averages of a level (0 if empty); only "all" includes invalid answers."""
    mine = [told for row, told in answers
            if level == "all" or ("valid_task" in told and row.level == level)]  # fmt: skip
    sums = {name: sum(told.get(name, 0) for told in mine)
            for name in ("total_task", "valid_task", *SCORES, *ERRORS, "ties")}  # fmt: skip
    below = {**dict.fromkeys(SCORES, "valid_task"), **dict.fromkeys(ERRORS, "total_task")}
    averages = {
        f"{each}_average": sums[each] / sums[of] if sums[of] else 0.0 for each, of in below.items()
    }
    return sums | averages
