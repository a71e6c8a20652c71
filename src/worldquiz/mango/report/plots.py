"""The paper's figures of contestants (arXiv 2403.19913).

2, 6, 5   success, reasoning, weighted success, easy and hard apart   `bars`
3, 7      success and reasoning of two contestants, a dot a maze      `against`
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from worldquiz.mango.report.tables import SCORE_NAMES, Entry, dots
from worldquiz.mango.scoring.contest import Scored
from worldquiz.mango.scoring.grade import Level, Task
from worldquiz.report.canvas import INK, LINE, SOFT, run_axis, stand_in, svg

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

PANELS = [(task, level) for task in Task for level in (Level.EASY, Level.HARD)]
_NAMED = 4
"""Dots of a panel that are named: those of the largest differences."""


def bars(entries: Sequence[Entry], score: str) -> str:
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

    label = f"{SCORE_NAMES[score]} on easy and hard questions, a bar a contestant, with intervals"
    return svg(fill, (9.6, 1.1 + 0.32 * len(entries)), f"bars-{score}", label)


def against(left: Entry, right: Entry, scored: Mapping[int, Sequence[Scored]], score: str) -> str:
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
