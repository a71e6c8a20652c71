"""The paper's figures, drawn from runs with language models (arXiv 2601.09503).

4   TSR and EUS by level        `by_level`
5   TSR and EUS by method       `by_method`
6   EUS by type of question     `by_type`
8   accuracy on answerable and on non-answerable questions, appendix D   `by_answerability`
"""

from __future__ import annotations

from collections.abc import Sequence
from math import ceil
from typing import TYPE_CHECKING

from worldquiz.facts.question import Type
from worldquiz.report.canvas import INK, SOFT, run_axis, stand_in, svg, whisker
from worldquiz.t2q.agents.catalog import Role
from worldquiz.t2q.report.tables import HEADINGS, Row, Tagged, blocks
from worldquiz.t2q.scoring import Scores

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

PALE = 0.35
"""How opaque the second of two bars is."""
_COLUMNS = 4  # panels beside each other in figure 4


def by_level(runs: Sequence[Tagged]) -> str:
    """Draw figure 4: TSR (pale) and EUS (solid) by level, one panel a run."""
    names = blocks([run.row for run in runs], "by_level")
    lines = max(1, ceil(len(runs) / _COLUMNS))

    def fill(figure: Figure) -> None:
        panels = figure.subplots(lines, _COLUMNS, sharey=True, squeeze=False).flat
        for axes in panels:
            axes.set_visible(False)
        for axes, (row, tag, place) in zip(figure.axes, runs, strict=False):
            axes.set_visible(True)
            axes.set(title=tag, ylim=(0, 1.05), xlim=(-0.6, len(names) - 0.4))
            axes.title.set_fontweight("bold")
            axes.set_xticks(range(len(names)), names)
            axes.tick_params(length=0)
            axes.grid(axis="x", visible=False)
            for at, name in enumerate(names):
                _pair(axes, row.scores["by_level"].get(name), at, place)

    label = "TSR and EUS by level, a panel a run; values are in the tables by level"
    return svg(fill, (9.6, 2.3 * lines), "figure4", label)


def by_method(runs: Sequence[Tagged]) -> str:
    """Draw figure 5: TSR, and beside it EUS, as one bar a run; what is not measured is pale."""

    def fill(figure: Figure) -> None:
        panels = figure.subplots(1, 2, sharey=True)
        for axes, key in zip(panels, ("tsr", "eus"), strict=True):
            _shares_across(axes, HEADINGS[key])
            axes.set_xticks((0, 0.25, 0.5, 0.75, 1), ("0", "", "0.5", "", "1"))
            for y, run in enumerate(runs):
                _across(axes, run.row, key, y, run.place)
        run_axis(panels[0], [f"{run.row.answerer}  {run.tag}" for run in runs])

    return svg(fill, (9.6, 1.1 + 0.32 * len(runs)), "figure5", "TSR and EUS, one bar a run")


def by_type(runs: Sequence[Tagged]) -> str:
    """Draw figure 6: EUS, types of question beside each other, one bar a run."""
    names = [str(type) for type in Type]
    width = 0.82 / max(1, len(runs))

    def fill(figure: Figure) -> None:
        axes = figure.subplots()
        axes.set(ylim=(0, 1.08), xlim=(-0.5, len(names) - 0.5), ylabel="EUS")
        axes.set_xticks(range(len(names)), names)
        axes.tick_params(length=0)
        axes.grid(axis="x", visible=False)
        for number, (row, tag, place) in enumerate(runs):
            for at, name in enumerate(names):
                x = at + (number - (len(runs) - 1) / 2) * width
                _upright(axes, row.scores["by_type"][name], "eus", x, 0.88 * width, place)
                axes.text(x, -0.02, tag, color=SOFT, fontsize=7, ha="center", va="top")
        axes.tick_params(axis="x", pad=12)

    return svg(fill, (9.6, 3.4), "figure6", "EUS by type of question, one bar a run")


def by_answerability(runs: Sequence[Tagged]) -> str:
    """Draw figure 8: accuracy on answerable (solid) and non-answerable (pale) questions."""
    names = ["all", *map(str, Type)]

    def fill(figure: Figure) -> None:
        panels = figure.subplots(1, len(names), sharey=True)
        for axes, name in zip(panels, names, strict=True):
            _shares_across(axes, name)
            axes.set_xticks((0, 0.5, 1), ("0", "0.5", "1"))
            for y, run in enumerate(runs):
                _two_sources(axes, run.row.scores["split"][name], y, run.place)
        run_axis(panels[0], [run.tag for run in runs])

    label = "Accuracy on answerable and on non-answerable questions, in all and by type"
    return svg(fill, (9.6, 1.1 + 0.4 * len(runs)), "figure8", label)


def _shares_across(axes: Axes, title: str) -> None:
    axes.set(title=title, xlim=(0, 1.02))
    axes.tick_params(length=0)
    axes.grid(axis="y", visible=False)


def _pair(axes: Axes, block: Scores | None, at: int, place: int) -> None:
    """Draw TSR and EUS of one level beside each other."""
    if block is None:
        return
    _upright(axes, block, "tsr", at - 0.2, 0.36, place, alpha=PALE)
    _upright(axes, block, "eus", at + 0.2, 0.36, place)


def _upright(
    axes: Axes,
    block: Scores,
    key: str,
    x: float,
    width: float,
    place: int,
    *,
    alpha: float = 1,
) -> None:
    if block[key] is None:
        return
    axes.bar(x, block[key], width, color=stand_in(place), alpha=alpha)
    reach = whisker(block, key)
    if reach:
        axes.errorbar(x, block[key], reach, color=INK, alpha=0.6, elinewidth=1, fmt="none")


def _across(axes: Axes, row: Row, key: str, y: int, place: int) -> None:
    value = row.scores[key]
    if value is None:
        return
    alpha = 1 if row.role is Role.AGENT else PALE
    axes.barh(y, value, color=stand_in(place), height=0.66, alpha=alpha)
    reach = whisker(row.scores, key)
    if reach:
        axes.errorbar(value, y, xerr=reach, color=INK, alpha=0.6, elinewidth=1, fmt="none")


def _two_sources(axes: Axes, split: Scores, y: int, place: int) -> None:
    for key, shift, alpha in (
        ("accuracy_answerable", -0.19, 1),
        ("accuracy_non_answerable", 0.19, PALE),
    ):
        if split[key] is not None:
            axes.barh(y + shift, split[key], color=stand_in(place), height=0.34, alpha=alpha)
