"""The tables of the page, and the paper's figures of contestants (arXiv 2403.19913).

Tables: scores, pairs as in Tables 1 and 9, and each maze's own numbers. Figures:

    2, 6, 5   success, reasoning, weighted success, easy and hard apart   `bars`
    3, 7      success and reasoning of two contestants, a dot a maze      `against`
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import TYPE_CHECKING, Any

from worldquiz.mango.scoring.contest import (
    LEVELS,
    Contest,
    Contestant,
    Marked,
    of,
    pair,
    record,
    table,
)
from worldquiz.mango.scoring.grade import Level, Task
from worldquiz.report import canvas, labels
from worldquiz.report.canvas import INK, LINE, SOFT, run_axis, stand_in, svg
from worldquiz.stats.intervals import holm

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

SCORE_NAMES = {
    "success": "success", "reasoning": "reasoning", "weighted": "weighted success",
    "knowledge": "knowledge",
}  # fmt: skip
TASK_NAMES = {Task.DF: "destination finding", Task.RF: "route finding"}
MOST_PAIRS = 45
"""Pairs that are compared; beyond, only the first contestant with each."""
PANELS = [(task, level) for task in Task for level in (Level.EASY, Level.HARD)]
_NAMED = 4
"""Dots of a panel that are named: those of the largest differences."""
_SAID = {"answerer", "kind", "mazes", "model", "name", "read"}
"""What a contestant's name and the table of mazes say already."""


@dataclass(frozen=True, slots=True)
class ContestantEntry:
    """A contestant on the page."""

    place: int
    tag: str  # its letter
    name: str
    settings: Mapping[str, str]
    scores: Mapping[str, Any]  # by task and level, as `scoring.contest.table` has them
    usage: Mapping[str, Any]
    by_rule: Mapping[str, float | None]  # success of route finding
    unscored: int  # answers to questions that what was read does not settle

    @property
    def colour(self) -> str:
        """The CSS variable of its colour."""
        return canvas.colour(self.place)


@dataclass(frozen=True, slots=True)
class PairCell:
    """A cell of a pairwise table: row and column on the questions that both were asked."""

    row: float | None
    column: float | None
    asked: int
    mazes: int
    difference: Mapping[str, float] | None  # row minus column
    adjusted: float | None  # p by Holm, over the pairs of the table's half


Compared = dict[tuple[int, int], dict[str, Any]]


def entries(contest: Contest) -> list[ContestantEntry]:
    """Return the contestants with their scores, in order."""
    return [_entry(place, each) for place, each in enumerate(contest.contestants)]


def _entry(place: int, each: Contestant) -> ContestantEntry:
    scored = tuple(each.scored)
    usage = each.usage if each.usage.get("calls") else {}
    return ContestantEntry(
        place, labels.tag(place), each.name, labels.settings(each.settings, _SAID),
        table(scored), usage, each.by_rule, len(each.marked) - len(scored),
    )  # fmt: skip


def compared(contest: Contest) -> Compared:
    """Compare every pair of contestants, the first with each where pairs would fill pages."""
    places = range(len(contest.contestants))
    every = list(combinations(places, 2))
    if len(every) > MOST_PAIRS:
        every = [(0, other) for other in places[1:]]
    scored = [tuple(each.scored) for each in contest.contestants]
    return {(one, other): pair(scored[one], scored[other]) for one, other in every}


def matrix(found: Compared, task: Task, score: str) -> dict[tuple[int, int], PairCell]:
    """Return a pairwise table: easy questions below the diagonal, hard ones above it.

    By (row, column). The cell of row A and column B has A's mean, then B's (Tables 1 and 9).
    """
    cells: dict[tuple[int, int], PairCell] = {}
    for level in (Level.EASY, Level.HARD):
        blocks = {both: each[str(task)][str(level)] for both, each in found.items()}
        adjusted = holm([_p(block[score]) for block in blocks.values()])
        for (both, block), p in zip(blocks.items(), adjusted, strict=True):
            turned = level is Level.EASY
            cells[both[::-1] if turned else both] = _side(block, score, p, turned=turned)
    return cells


def _p(block: Mapping[str, Any]) -> float | None:
    return block["difference"]["p"] if block["difference"] else None


def _side(block: Mapping[str, Any], score: str, p: float | None, *, turned: bool) -> PairCell:
    means, gap = block[score], block[score]["difference"]
    row, column = (means["right"], means["left"]) if turned else (means["left"], means["right"])
    if gap and turned:
        gap = {"value": -gap["value"], "low": -gap["high"], "high": -gap["low"], "p": gap["p"]}
    return PairCell(row, column, block["asked"], block["mazes"], gap, p)


@dataclass(frozen=True, slots=True)
class BaselineEntry:
    """A baseline on the page."""

    name: str
    scores: Mapping[str, Any]  # by task and level, without intervals
    by_rule: Mapping[str, float | None]


def baselines(contest: Contest) -> list[BaselineEntry]:
    """Return the baselines with their scores."""
    return [
        BaselineEntry(each.name, table(each.scored, resamples=0), each.by_rule)
        for each in contest.baselines
    ]


def blocks(entry: ContestantEntry) -> Iterator[tuple[str, str, Mapping[str, Any]]]:
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
            for game, grades in of(scored, task).items():
                found[game][place, str(task)] = (record(grades)["success"], len(grades))
    return found


def dots(
    left: Sequence[Marked], right: Sequence[Marked], task: Task, level: Level, score: str
) -> dict[str, tuple[float, float]]:
    """Return each maze's two means on what both sides were asked (Figures 3 and 7)."""
    ours, theirs = ({each.key: each for each in side} for side in (left, right))
    alike = [key for key in ours if key in theirs and ours[key].level is theirs[key].level]
    first, second = (of((side[key] for key in alike), task, level) for side in (ours, theirs))
    return {
        game: (float(record(first[game])[score] or 0), float(record(second[game])[score] or 0))
        for game in first
    }


def bars(entries: Sequence[ContestantEntry], score: str) -> str:
    """Draw a score's means over mazes, a panel a task and level, a bar a contestant."""

    def fill(figure: Figure) -> None:
        panels = figure.subplots(1, len(PANELS), sharey=True)
        for axes, (task, level) in zip(panels, PANELS, strict=True):
            axes.set(title=f"{task.upper()}, {level}", xlim=(0, 1.02))
            axes.set_xticks((0, 0.25, 0.5, 0.75, 1), ("0", "", "0.5", "", "1"))
            axes.tick_params(length=0)
            axes.grid(axis="y", visible=False)
            for y, entry in enumerate(entries):
                _bar(axes, entry.scores[str(task)][str(level)][score], y, entry.place)
        run_axis(panels[0], [entry.tag for entry in entries])

    label = f"{SCORE_NAMES[score]} on easy and hard questions, a bar an answerer, with intervals"
    return svg(fill, (9.6, 1.1 + 0.32 * len(entries)), f"bars-{score}", label)


def against(
    left: ContestantEntry,
    right: ContestantEntry,
    scored: Mapping[int, Sequence[Marked]],
    score: str,
) -> str:
    """Draw a contestant's means against another's, a dot a maze, on what both were asked."""

    def fill(figure: Figure) -> None:
        panels = figure.subplots(1, len(PANELS), sharex=True, sharey=True)
        for axes, (task, level) in zip(panels, PANELS, strict=True):
            axes.set(title=f"{task.upper()}, {level}", xlim=(-0.05, 1.05), ylim=(-0.05, 1.05),
                     xlabel=left.tag, aspect="equal")  # fmt: skip
            axes.set_xticks((0, 0.5, 1), ("0", "0.5", "1"))
            axes.set_yticks((0, 0.5, 1), ("0", "0.5", "1"))
            axes.tick_params(length=0)
            axes.plot((0, 1), (0, 1), color=SOFT, linewidth=0.8)
            _dots(axes, dots(scored[left.place], scored[right.place], task, level, score))
        panels[0].set_ylabel(right.tag, rotation=0, labelpad=10)

    name = f"against-{score}-{left.place}-{right.place}"
    label = f"{SCORE_NAMES[score]} of {left.tag} (across) and {right.tag} (up), a dot a maze"
    return svg(fill, (9.6, 2.9), name, label)


def _bar(axes: Axes, found: Mapping[str, Any], y: int, place: int) -> None:
    value, bounds = found["macro"], found["interval"]
    if value is None:
        return
    axes.barh(y, value, color=stand_in(place), height=0.66)
    if bounds:
        reach = [[max(0.0, value - bounds[0])], [max(0.0, bounds[1] - value)]]
        axes.errorbar(value, y, xerr=reach, color=INK, alpha=0.6, elinewidth=1, fmt="none")


def _dots(axes: Axes, found: Mapping[str, tuple[float, float]]) -> None:
    order = sorted(found, key=lambda game: (-abs(found[game][0] - found[game][1]), game))
    for game in order:
        axes.plot(*found[game], "o", color=stand_in(0), markersize=6, alpha=0.6,
                  markeredgecolor=LINE, markeredgewidth=0.5)  # fmt: skip
    taken: list[tuple[float, float]] = []
    for game in order[:_NAMED]:
        x, y = found[game]
        if x == y or any(abs(x - a) < 0.5 and abs(y - b) < 0.09 for a, b in taken):
            continue
        taken.append((x, y))
        axes.annotate(
            game, (x, y), (5 if x <= 0.5 else -5, 0), textcoords="offset points", color=INK,
            fontsize=7.5, ha="left" if x <= 0.5 else "right", va="center",
        )  # fmt: skip
