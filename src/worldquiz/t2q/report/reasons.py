"""Plots of what only a language model's run has: why it was wrong, and how sure it was."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from worldquiz.facts.question import Type
from worldquiz.report.canvas import SOFT, run_axis, stand_in, svg
from worldquiz.t2q.agents.catalog import Role
from worldquiz.t2q.report.tables import Tagged
from worldquiz.t2q.scoring import Scores
from worldquiz.t2q.trace import Cause

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

Style = str | tuple[int, tuple[int, ...]]
"""How a line is drawn, as matplotlib takes it."""
REASONS = {
    Cause.KNOWN: ("known", "right, and what was recalled settles it"),
    Cause.GUESSED: ("guessed", "right, though what was recalled does not settle it"),
    Cause.EXPLORE: ("never shown", "rightly not answered: to be won by exploring"),
    Cause.REMEMBER: ("not recalled", "wrong: shown, but what was recalled does not settle it"),
    Cause.REASON: ("misread", "wrong: shown and recalled"),
    Cause.OVERCLAIM: ("over-claimed", "wrong: never shown, answered all the same"),
    Cause.UNREAD: ("unreadable", "wrong: no answer could be read from the reply"),
}
"""What pages and tables call each cause, and what it means."""
COLOURS = {cause: f"#0104{n:02x}" for n, cause in enumerate(Cause)}
"""The stand-in colour of each cause."""
_VARIABLES = {stand_in: f"--cause-{cause}" for cause, stand_in in COLOURS.items()}
RIGHT = (Cause.KNOWN, Cause.GUESSED, Cause.EXPLORE)
"""The causes of right answers; the others are of wrong ones."""


def causes(runs: Sequence[Tagged]) -> str:
    """Draw the shares of all causes as one stacked bar a run, in all and by type."""
    names = ["all", *map(str, Type)]

    def fill(figure: Figure) -> None:
        panels = figure.subplots(1, len(names), sharey=True, width_ratios=[1.7, *[1] * len(Type)])
        for axes, name in zip(panels, names, strict=True):
            axes.set(title=name, xlim=(0, 1))
            axes.set_xticks((0, 0.5, 1), ("0", "0.5", "1"))
            axes.tick_params(length=0)
            axes.grid(axis="y", visible=False)
            for y, run in enumerate(runs):
                found = run.row.scores["attribution"]
                _stack(axes, found if name == "all" else found["by_type"][name], y)
        run_axis(panels[0], [run.tag for run in runs])

    label = "Why answers are right or wrong, one stacked bar a run; counts are in the table"
    size = (9.6, 1.1 + 0.34 * len(runs))
    return svg(fill, size, "causes", label, variables=_VARIABLES)


def confidence(runs: Sequence[Tagged]) -> str:
    """Draw accuracy against confidence, and risk against the share of answers kept."""

    def fill(figure: Figure) -> None:
        left, right = figure.subplots(1, 2)
        left.set(xlabel="confidence", ylabel="accuracy")
        right.set(xlabel="share of answers kept, surest first", ylabel="risk: share wrong")
        for axes in (left, right):
            axes.set(xlim=(-0.03, 1.05), ylim=(-0.03, 1.05))
            axes.tick_params(length=0)
        left.plot((0, 1), (0, 1), color=SOFT, linewidth=1, linestyle=(0, (2, 3)))
        for row, tag, place in runs:
            style: Style = "-" if row.role is Role.AGENT else (0, (3, 2))
            _reliability(left, row.scores["calibration"], place, style)
            _risk(right, row.scores["calibration"], tag, place, style)

    label = "Reliability and risk-coverage, one line a run; sums are in the table"
    return svg(fill, (9.6, 4.2), "confidence", label)


def _stack(axes: Axes, found: Scores, y: int) -> None:
    left = 0.0
    for cause in Cause:
        share = found["shares"][cause]
        if share:
            axes.barh(y, share, left=left, color=COLOURS[cause], height=0.7)
            left += share


def _reliability(axes: Axes, found: Scores, place: int, style: Style) -> None:
    """Draw each bin that has answers: a mark whose area is their number."""
    filled = [bin for bin in found["bins"] if bin["answers"]]
    x, y = [bin["confidence"] for bin in filled], [bin["accuracy"] for bin in filled]
    most = max(bin["answers"] for bin in filled)
    sizes = [14 + 130 * bin["answers"] / most for bin in filled]
    axes.plot(x, y, color=stand_in(place), linestyle=style, linewidth=1.2)
    axes.scatter(x, y, sizes, color=stand_in(place), alpha=0.75, linewidths=0, zorder=3)


def _risk(axes: Axes, found: Scores, tag: str, place: int, style: Style) -> None:
    points = found["risk_coverage"]
    x, y = [point["share"] for point in points], [point["risk"] for point in points]
    colour = stand_in(place)
    axes.plot(x, y, ".", color=colour, linestyle=style, markersize=4)
    axes.annotate(
        tag, (x[-1], y[-1]), (6, 0), textcoords="offset points", color=colour, fontweight="bold",
        va="center", fontsize=9,
    )  # fmt: skip
