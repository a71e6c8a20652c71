"""Plots of any runs: doing against knowing, types of question, levels."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from worldquiz.facts.question import Type
from worldquiz.report.canvas import INK, PAPER, SOFT, run_axis, stand_in, svg, whisker
from worldquiz.t2q.agents.catalog import Role
from worldquiz.t2q.report.tables import HEADINGS, Row, blocks
from worldquiz.t2q.scoring import Scores

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

_MARKERS = {Role.AGENT: "o", Role.LOWER: "v", Role.UPPER: "^", Role.REFERENCE: "s"}


def success_against_knowledge(rows: Sequence[Row], tags: Sequence[str]) -> str:
    """Draw TSR against EUS, and beside it against known, one mark a run, with intervals."""

    def fill(figure: Figure) -> None:
        for axes, key in zip(figure.subplots(1, 2, sharex=True), ("eus", "known"), strict=True):
            _square(axes, "TSR", HEADINGS[key])
            points = [(row.scores["tsr"], row.scores[key]) for row in rows]
            for place, row in enumerate(rows):
                _point(axes, row, key, place)
            for place, (x, y) in _spread(points).items():
                axes.annotate(
                    tags[place], points[place], (x, y), textcoords="offset points", color=INK,
                    fontsize=9, fontweight="bold", ha="center", va="center",
                )  # fmt: skip

    label = "TSR against EUS and against known, one mark a run; values are in the scores table"
    return svg(fill, (9.6, 4.6), "scatter", label)


def types(rows: Sequence[Row], tags: Sequence[str]) -> str:
    """Draw EUS per type as a bar in two parts: answered rightly, and abstained rightly."""
    names = [str(type) for type in Type]

    def fill(figure: Figure) -> None:
        panels = figure.subplots(1, len(names), sharey=True)
        for axes, name in zip(panels, names, strict=True):
            axes.set(title=name, xlim=(0, 1.02), xticks=(0, 0.5, 1))
            axes.tick_params(length=0)
            axes.grid(axis="y", visible=False)
            for place, row in enumerate(rows):
                _bar(axes, row.scores["by_type"][name], place)
        run_axis(panels[0], tags)

    label = "EUS per type of question: solid for answered rightly, pale for abstained rightly"
    return svg(fill, (9.6, 1.1 + 0.3 * len(rows)), "types", label)


def levels(rows: Sequence[Row], tags: Sequence[str]) -> str:
    """Draw TSR, EUS, known and coverage by level, one line a run, with intervals."""
    names = blocks(rows, "by_level")
    keys = ("tsr", "eus", "known", "coverage")

    def fill(figure: Figure) -> None:
        for axes, key in zip(figure.subplots(1, len(keys), sharey=True), keys, strict=True):
            axes.set(title=HEADINGS[key], ylim=(-0.03, 1.05), xlim=(-0.4, len(names) - 0.3))
            axes.set_xticks(range(len(names)), names)
            axes.tick_params(length=0)
            axes.grid(axis="x", visible=False)
            for place, row in enumerate(rows):
                _level_line(axes, row, key, names, place, len(rows))

    return svg(fill, (9.6, 3.3), "levels", "TSR, EUS, known and coverage by level, a line a run")


def _square(axes: Axes, x: str, y: str) -> None:
    axes.set(xlim=(-0.03, 1.05), ylim=(-0.03, 1.05), xlabel=x, ylabel=y, aspect="equal")
    axes.tick_params(length=0)


def _point(axes: Axes, row: Row, key: str, place: int) -> None:
    x, y = row.scores["tsr"], row.scores[key]
    if x is None or y is None:
        return
    colour = stand_in(place)
    contestant = row.role is Role.AGENT
    axes.errorbar(
        x, y, whisker(row.scores, key), whisker(row.scores, "tsr"), color=colour, alpha=0.45,
        elinewidth=1, fmt="none",
    )  # fmt: skip
    axes.plot(
        x, y, _MARKERS[row.role], color=colour, markersize=8, markeredgewidth=1.8,
        markerfacecolor=colour if contestant else PAPER, zorder=3,
    )  # fmt: skip


def _spread(points: Sequence[tuple[float | None, float | None]]) -> dict[int, tuple[int, int]]:
    """Return where each mark's letter stands, in points off the mark, so that none overlap."""
    offsets = [(10, 9), (-10, 9), (10, -9), (-10, -9), (0, 14), (0, -14), (18, 0), (-18, 0)]
    offsets += [(24, 14), (-24, 14), (24, -14), (-24, -14)]
    scale = 215  # points per unit, as the panels are drawn
    taken: list[tuple[float, float]] = []
    chosen = {}
    marks = [(x * scale, y * scale) for x, y in points if x is not None and y is not None]
    for place, (x, y) in enumerate(points):
        if x is None or y is None:
            continue
        spots = [(x * scale + dx, y * scale + dy) for dx, dy in offsets]
        free = [_room(spot, [*taken, *marks]) for spot in spots]
        best = next((n for n, gap in enumerate(free) if gap >= 9), free.index(max(free)))
        chosen[place] = offsets[best]
        taken.append(spots[best])
    return chosen


def _room(spot: tuple[float, float], taken: Sequence[tuple[float, float]]) -> float:
    """Return how far the nearest taken spot is."""
    gaps = [max(abs(spot[0] - x), abs(spot[1] - y)) for x, y in taken]
    return min(gaps, default=99.0)


def _bar(axes: Axes, block: Scores, place: int) -> None:
    if block["eus"] is None:
        return
    colour, known = stand_in(place), block["known"]
    axes.barh(place, known, color=colour, height=0.66)
    axes.barh(place, block["eus"] - known, left=known, color=colour, height=0.66, alpha=0.35)
    reach = whisker(block, "eus")
    if reach:
        axes.errorbar(block["eus"], place, xerr=reach, color=SOFT, elinewidth=1, fmt="none")


def _level_line(
    axes: Axes, row: Row, key: str, names: Sequence[str], place: int, runs: int
) -> None:
    found = row.scores["by_level"]
    shift = (place - (runs - 1) / 2) * min(0.05, 0.5 / max(runs, 1))
    line = [
        (at + shift, found[name])
        for at, name in enumerate(names)
        if name in found and found[name][key] is not None
    ]
    colour = stand_in(place)
    style = "-" if row.role is Role.AGENT else (0, (3, 2))
    axes.plot(
        [x for x, _ in line], [block[key] for _, block in line], linestyle=style, color=colour,
        marker=_MARKERS[row.role], markersize=5,
        markerfacecolor=colour if row.role is Role.AGENT else PAPER,
    )  # fmt: skip
    for x, block in line:
        axes.errorbar(
            x, block[key], whisker(block, key), color=colour, alpha=0.45, elinewidth=1, fmt="none"
        )
