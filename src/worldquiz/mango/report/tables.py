"""The tables of the page: scores, pairs as in Tables 1 and 9, and each maze's own figures."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Any

from worldquiz.mango.scoring.contest import LEVELS, Contest, Contestant, Scored, of, pair, table
from worldquiz.mango.scoring.grade import Level, Task
from worldquiz.report import canvas, labels
from worldquiz.stats.intervals import holm

SCORE_NAMES = {"success": "success", "reasoning": "reasoning", "weighted": "weighted success"}
TASK_NAMES = {Task.DF: "destination finding", Task.RF: "route finding"}
PAIRED = ("success", "reasoning")
MOST_PAIRS = 45
"""Pairs that are compared; beyond, only the first contestant with each."""
_SAID = {"answerer", "kind", "mazes", "model", "name", "read"}
"""What a contestant's name and the table of mazes say already."""


@dataclass(frozen=True, slots=True)
class Entry:
    """A contestant on the page."""

    place: int
    tag: str  # its letter
    name: str
    settings: Mapping[str, str]
    scores: Mapping[str, Any]  # by task and level, as `scoring.contest.table` has them
    usage: Mapping[str, Any]
    unscored: int  # answers to questions that what was read does not settle

    @property
    def colour(self) -> str:
        """The CSS variable of its colour."""
        return canvas.colour(self.place)


@dataclass(frozen=True, slots=True)
class Side:
    """A cell of a pairwise table: row and column on the questions that both were asked."""

    row: float | None
    column: float | None
    asked: int
    mazes: int
    difference: Mapping[str, float] | None  # row minus column
    adjusted: float | None  # p by Holm, over the pairs of the table's half


Compared = dict[tuple[int, int], dict[str, Any]]


def entries(contest: Contest) -> list[Entry]:
    """Return the contestants with their scores, in order."""
    return [_entry(place, each) for place, each in enumerate(contest.contestants)]


def _entry(place: int, each: Contestant) -> Entry:
    scored = tuple(each.scored)
    return Entry(
        place, labels.tag(place), each.name, labels.settings(each.settings, _SAID),
        table(scored), each.usage, len(each.marked) - len(scored),
    )  # fmt: skip


def compared(contest: Contest) -> Compared:
    """Compare every pair of contestants, the first with each where pairs would fill pages."""
    places = range(len(contest.contestants))
    every = list(combinations(places, 2))
    if len(every) > MOST_PAIRS:
        every = [(0, other) for other in places[1:]]
    scored = [tuple(each.scored) for each in contest.contestants]
    return {(one, other): pair(scored[one], scored[other]) for one, other in every}


def matrix(found: Compared, task: Task, score: str) -> dict[tuple[int, int], Side]:
    """Return a pairwise table: easy questions below the diagonal, hard ones above it.

    By (row, column). The cell of row A and column B has A's mean, then B's (Tables 1 and 9).
    """
    cells: dict[tuple[int, int], Side] = {}
    for level in (Level.EASY, Level.HARD):
        blocks = {both: each[str(task)][str(level)] for both, each in found.items()}
        adjusted = holm([_p(block[score]) for block in blocks.values()])
        for (both, block), p in zip(blocks.items(), adjusted, strict=True):
            turned = level is Level.EASY
            cells[both[::-1] if turned else both] = _side(block, score, p, turned=turned)
    return cells


def _p(block: Mapping[str, Any]) -> float | None:
    return block["difference"]["p"] if block["difference"] else None


def _side(block: Mapping[str, Any], score: str, p: float | None, *, turned: bool) -> Side:
    means, gap = block[score], block[score]["difference"]
    row, column = (means["right"], means["left"]) if turned else (means["left"], means["right"])
    if gap and turned:
        gap = {"value": -gap["value"], "low": -gap["high"], "high": -gap["low"], "p": gap["p"]}
    return Side(row, column, block["asked"], block["mazes"], gap, p)


def blocks(entry: Entry) -> Iterator[tuple[str, str, Mapping[str, Any]]]:
    """Yield a contestant's scores by task and level."""
    for task in Task:
        for level in LEVELS:
            yield str(task), str(level), entry.scores[str(task)][str(level)]


def by_maze(contest: Contest, games: Sequence[str]) -> dict[str, dict[tuple[int, str], Any]]:
    """Return each maze's success by (contestant's place, task): its mean and its count."""
    found: dict[str, dict[tuple[int, str], Any]] = {game: {} for game in games}
    for place, each in enumerate(contest.contestants):
        scored = tuple(each.scored)
        for task in Task:
            for game, tally in of(scored, task, "all").items():
                found[game][place, str(task)] = (tally.success / tally.asked, tally.asked)
    return found


def dots(
    left: Sequence[Scored], right: Sequence[Scored], task: Task, level: Level, score: str
) -> dict[str, tuple[float, float]]:
    """Return each maze's two means on what both sides were asked (Figures 3 and 7)."""
    ours, theirs = ({each.key: each for each in side} for side in (left, right))
    alike = [key for key in ours if key in theirs and ours[key].level is theirs[key].level]
    first, second = (of((side[key] for key in alike), task, level) for side in (ours, theirs))
    return {
        game: (getattr(first[game], score) / first[game].asked,
               getattr(second[game], score) / second[game].asked)
        for game in first
    }  # fmt: skip
