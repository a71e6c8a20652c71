"""The figures of the page: scores by type (as the paper's Fig. 3), errors of depth, counts."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import ceil
from typing import TYPE_CHECKING

from worldquiz.report.canvas import INK, SOFT, run_axis, stand_in, svg
from worldquiz.tea.report.tables import ScoreCell, TakerEntry
from worldquiz.tea.scoring.contest import Contest, Role
from worldquiz.tea.scoring.grade import family
from worldquiz.tea.taskgraph import Count, Metres

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

_COLUMNS = 4  # panels beside each other
_PALE = 0.45
"""How opaque the bars of floors and of the ceiling are."""
_FARTHEST = 1.0
"""Relative error at which the curve of depths ends."""
_MOST = 5
"""Counts beyond which they are one."""


def by_type(
    shown: Sequence[TakerEntry],
    types: Sequence[str],
    chance: Mapping[str, Mapping[str, float | None]],
) -> str:
    """Draw each type's means, a panel a type; a line stands where chance is."""
    lines = max(1, ceil(len(types) / _COLUMNS))

    def fill(figure: Figure) -> None:
        panels = figure.subplots(lines, _COLUMNS, squeeze=False)
        for number, axes in enumerate(panels.flat):
            axes.set_visible(number < len(types))
        for number, (axes, name) in enumerate(zip(panels.flat, types, strict=False)):
            axes.set(title=name, xlim=(0, 1.04))
            axes.set_xticks((0, 0.5, 1), ("0", "0.5", "1"))
            axes.tick_params(length=0)
            axes.grid(axis="y", visible=False)
            for y, entry in enumerate(shown):
                if name in entry.types:
                    _bar(axes, entry.types[name], y, entry)
            told = chance.get(name, {})
            most = max((each for each in told.values() if each is not None), default=None)
            if most is not None:
                axes.axvline(most, color=INK, linewidth=1.1, linestyle=(0, (3, 2)))
            run_axis(axes, [e.tag for e in shown] if number % _COLUMNS == 0 else [""] * len(shown))

    size = (9.6, lines * (0.7 + 0.2 * len(shown)))
    return svg(fill, size, "types", "Mean score by type of task, one bar a taker")


def _bar(axes: Axes, cell: ScoreCell, y: int, entry: TakerEntry) -> None:
    alpha = 1 if entry.role is Role.CONTESTANT else _PALE
    axes.barh(y, cell.mean, color=stand_in(entry.place), height=0.7, alpha=alpha)
    if cell.interval:
        low, high = cell.interval
        reach = [[max(0.0, cell.mean - low)], [max(0.0, high - cell.mean)]]
        axes.errorbar(cell.mean, y, xerr=reach, color=INK, alpha=0.6, elinewidth=1, fmt="none")


def depths(shown: Sequence[TakerEntry], contest: Contest) -> str | None:
    """Draw how many depths are told within a relative error, None where none was asked."""
    errors = [(entry, relative(entry, contest)) for entry in shown]
    if not any(found for _, found in errors):
        return None

    def fill(figure: Figure) -> None:
        axes = figure.subplots()
        axes.set(xlim=(0, _FARTHEST), ylim=(0, 1.02), xlabel="relative error |said − true| / true",
                 ylabel="share of the depths")  # fmt: skip
        axes.tick_params(length=0)
        for entry, found in errors:
            count = sum(isinstance(contest.tasks[id].truth, Metres) for id in entry.taker.answers)
            if count:
                xs = [0.0, *found, _FARTHEST]
                ys = [n / count for n in range(len(found) + 1)]
                width = 1.8 if entry.role is Role.CONTESTANT else 1.1
                axes.step(xs, [*ys, ys[-1]], where="post", color=stand_in(entry.place),
                          linewidth=width)  # fmt: skip
        for step in (0.05, 0.5):
            axes.axvline(step, color=SOFT, linewidth=0.8, linestyle=(0, (2, 3)))

    return svg(fill, (9.6, 3.1), "depths", "Share of depths told within a relative error")


def relative(entry: TakerEntry, contest: Contest) -> list[float]:
    """Return the relative errors of an answerer's depths up to the curve's end, ascending."""
    found = []
    for id, answered in entry.taker.answers.items():
        truth, said = contest.tasks[id].truth, answered.grade.said
        if isinstance(truth, Metres) and isinstance(said, int | float):
            found.append(abs(said - truth.value) / truth.value)
    return sorted(each for each in found if each < _FARTHEST)


Confusion = dict[tuple[str, str], int]
"""How often which count was said (second) where which is true (first)."""


def confusions(
    shown: Sequence[TakerEntry], contest: Contest
) -> dict[str, tuple[list[str], list[str], dict[int, Confusion]]]:
    """Return by type of counting: true counts, said counts, each answerer's table by its place."""
    found: dict[str, dict[int, Confusion]] = {}
    for entry in shown:
        for id, answered in entry.taker.answers.items():
            task, said = contest.tasks[id], answered.grade.said
            if isinstance(task.truth, Count):
                table = found.setdefault(family(task.type), {}).setdefault(entry.place, {})
                key = _called(task.truth.value), "–" if said is None else _called(said)
                table[key] = table.get(key, 0) + 1
    return {
        name: (
            sorted({true for table in tables.values() for true, _ in table}),
            sorted(
                {said for table in tables.values() for _, said in table},
                key=lambda said: (said == "–", said),
            ),
            tables,
        )
        for name, tables in sorted(found.items())
    }


def _called(count: object) -> str:
    return str(count) if isinstance(count, int) and count <= _MOST else f"{_MOST + 1}+"
