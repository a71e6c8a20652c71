"""Plots of runs, one SVG element each: the page's own, the paper's, and what only models have.

Of any runs: doing against knowing, types of question, levels. Of runs with language models the
paper's figures (arXiv 2601.09503), and why answers were wrong and how sure the model was:

4   TSR and EUS by level        `figure_4`
5   TSR and EUS by method       `figure_5`
6   EUS by type of question     `figure_6`
8   accuracy on answerable and on non-answerable questions, appendix D   `figure_8`
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import ceil
from typing import TYPE_CHECKING, Any

from worldquiz.facts.question import Type
from worldquiz.report.canvas import INK, PAPER, SOFT, run_axis, stand_in, svg, whisker
from worldquiz.t2q.agents.catalog import Role
from worldquiz.t2q.report.tables import HEADINGS, Row, Tagged, blocks
from worldquiz.t2q.scoring import Scores
from worldquiz.t2q.trace import Cause

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

Style = str | tuple[int, tuple[int, ...]]
"""How a line is drawn, as matplotlib takes it."""
PALE = 0.35
"""How opaque the second of two bars is."""
UNDECIDED = "#0104ff"
COLOURS = {cause: f"#0104{n:02x}" for n, cause in enumerate(Cause)}
"""The stand-in colour of each cause, and above of what is undecided."""
_VARIABLES = {stand_in: f"--cause-{cause}" for cause, stand_in in COLOURS.items()}
_VARIABLES[UNDECIDED] = "--cause-undecided"
_MARKERS = {Role.AGENT: "o", Role.LOWER: "v", Role.UPPER: "^", Role.REFERENCE: "s"}
_COLUMNS = 4  # panels beside each other in figure 4
_TYPES = [str(type) for type in Type]


def types(runs: Sequence[Tagged]) -> str:
    """Draw EUS per type as a bar in two parts: answered rightly, and abstained rightly."""

    def bar(axes: Axes, name: str, y: int, run: Tagged) -> None:
        block = run.row.scores["by_type"][name]
        if block["eus"] is not None:
            colour, known = stand_in(run.place), block["known"]
            axes.barh(y, known, color=colour, height=0.66)
            axes.barh(y, block["eus"] - known, left=known, color=colour, height=0.66, alpha=PALE)
            _interval_across(axes, block, "eus", y, color=SOFT)

    def fill(figure: Figure) -> None:
        _panels(figure, _TYPES, runs, bar, ticks=((0, 0.5, 1),))

    label = "EUS per type of question: solid for answered rightly, pale for abstained rightly"
    return svg(fill, (9.6, 1.1 + 0.3 * len(runs)), "types", label)


def levels(runs: Sequence[Tagged]) -> str:
    """Draw knowledge, TSR, EUS and coverage by level, one line a run, with intervals."""
    names = blocks([run.row for run in runs], "by_level")
    keys = ("knowledge", "tsr", "eus", "coverage")
    least = _least([one for run in runs for one in run.row.scores["by_level"].values()], keys[0])

    def fill(figure: Figure) -> None:
        for axes, key in zip(figure.subplots(1, len(keys), sharey=True), keys, strict=True):
            axes.set(title=HEADINGS[key], ylim=(least, 1.05), xlim=(-0.4, len(names) - 0.3))
            _names_below(axes, names)
            for run in runs:
                _level_line(axes, run, key, names, len(runs))

    label = "Knowledge, TSR, EUS and coverage by level, a line a run"
    return svg(fill, (9.6, 3.3), "levels", label)


def figure_4(runs: Sequence[Tagged]) -> str:
    """Draw figure 4: TSR (pale) and EUS (solid) by level, one panel a run."""
    names = blocks([run.row for run in runs], "by_level")
    lines = max(1, ceil(len(runs) / _COLUMNS))

    def fill(figure: Figure) -> None:
        panels = figure.subplots(lines, _COLUMNS, sharey=True, squeeze=False).flat
        for axes in panels:
            axes.set_visible(False)
        for axes, run in zip(figure.axes, runs, strict=False):
            axes.set_visible(True)
            axes.set(title=run.tag, ylim=(0, 1.05), xlim=(-0.6, len(names) - 0.4))
            axes.title.set_fontweight("bold")
            _names_below(axes, names)
            for at, name in enumerate(names):
                if block := run.row.scores["by_level"].get(name):
                    _upright(axes, block, "tsr", at - 0.2, 0.36, run, alpha=PALE)
                    _upright(axes, block, "eus", at + 0.2, 0.36, run)

    label = "TSR and EUS by level, a panel a run; values are in the tables by level"
    return svg(fill, (9.6, 2.3 * lines), "figure4", label)


def figure_5(runs: Sequence[Tagged]) -> str:
    """Draw figure 5: TSR, and beside it EUS, as one bar a run; baselines are pale."""

    def bar(axes: Axes, key: str, y: int, run: Tagged) -> None:
        scores = run.row.scores
        if scores[key] is not None:
            alpha = 1 if run.row.role is Role.AGENT else PALE
            axes.barh(y, scores[key], color=stand_in(run.place), height=0.66, alpha=alpha)
            _interval_across(axes, scores, key, y, color=INK, alpha=0.6)

    def fill(figure: Figure) -> None:
        ticks = ((0, 0.25, 0.5, 0.75, 1), ("0", "", "0.5", "", "1"))
        tags = [f"{run.row.answerer}  {run.tag}" for run in runs]
        _panels(figure, ("tsr", "eus"), runs, bar, ticks=ticks, headings=HEADINGS.get, tags=tags)

    return svg(fill, (9.6, 1.1 + 0.32 * len(runs)), "figure5", "TSR and EUS, one bar a run")


def figure_6(runs: Sequence[Tagged]) -> str:
    """Draw figure 6: EUS, types of question beside each other, one bar a run."""
    width = 0.82 / max(1, len(runs))

    def fill(figure: Figure) -> None:
        axes = figure.subplots()
        axes.set(ylim=(0, 1.08), xlim=(-0.5, len(_TYPES) - 0.5), ylabel="EUS")
        _names_below(axes, _TYPES)
        for number, run in enumerate(runs):
            for at, name in enumerate(_TYPES):
                x = at + (number - (len(runs) - 1) / 2) * width
                _upright(axes, run.row.scores["by_type"][name], "eus", x, 0.88 * width, run)
                axes.text(x, -0.02, run.tag, color=SOFT, fontsize=7, ha="center", va="top")
        axes.tick_params(axis="x", pad=12)

    return svg(fill, (9.6, 3.4), "figure6", "EUS by type of question, one bar a run")


def figure_8(runs: Sequence[Tagged]) -> str:
    """Draw figure 8: accuracy on answerable (solid) and non-answerable (pale) questions."""
    halves = (("accuracy_answerable", -0.19, 1), ("accuracy_non_answerable", 0.19, PALE))

    def bars(axes: Axes, name: str, y: int, run: Tagged) -> None:
        split = run.row.scores["split"][name]
        for key, shift, alpha in halves:
            if split[key] is not None:
                colour = stand_in(run.place)
                axes.barh(y + shift, split[key], color=colour, height=0.34, alpha=alpha)

    def fill(figure: Figure) -> None:
        _panels(figure, ("all", *_TYPES), runs, bars)

    label = "Accuracy on answerable and on non-answerable questions, in all and by type"
    return svg(fill, (9.6, 1.1 + 0.4 * len(runs)), "figure8", label)


def causes(runs: Sequence[Tagged]) -> str:
    """Draw the least shares of all causes as one stacked bar a run, in all and by type.

    Answers undecided between two causes stand behind them, as one part.
    """

    def stack(axes: Axes, name: str, y: int, run: Tagged) -> None:
        found, left = run.row.scores["attribution"], 0.0
        part = found if name == "all" else found["by_type"][name]
        counts = {COLOURS[cause]: part["counts"][cause][0] for cause in Cause}
        for colour, count in (counts | {UNDECIDED: part["undecided"]}).items():
            if count:
                width = count / part["questions"]
                axes.barh(y, width, left=left, color=colour, height=0.7)
                left += width

    def fill(figure: Figure) -> None:
        widths = [1.7, *[1] * len(_TYPES)]
        _panels(figure, ("all", *_TYPES), runs, stack, most=1, widths=widths)

    label = "Why answers are right or wrong, one stacked bar a run; counts are in the table"
    size = (9.6, 1.1 + 0.34 * len(runs))
    return svg(fill, size, "causes", label, variables=_VARIABLES)


def confidence(runs: Sequence[Tagged]) -> str:
    """Draw accuracy against confidence, and risk against the share of answers kept."""

    def fill(figure: Figure) -> None:
        left, right = figure.subplots(1, 2)
        _square(left, "confidence", "accuracy")
        _square(right, "share of answers kept, surest first", "risk: share wrong")
        left.plot((0, 1), (0, 1), color=SOFT, linewidth=1, linestyle=(0, (2, 3)))
        for run in runs:
            _reliability(left, run)
            _risk(right, run)

    label = "Reliability and risk-coverage, one line a run; sums are in the table"
    return svg(fill, (9.6, 4.2), "confidence", label)


def _panels(
    figure: Figure,
    names: Sequence[str],
    runs: Sequence[Tagged],
    draw: Callable[[Axes, str, int, Tagged], None],
    *,
    ticks: tuple[Sequence[Any], ...] = ((0, 0.5, 1), ("0", "0.5", "1")),
    most: float = 1.02,
    widths: Sequence[float] | None = None,
    headings: Callable[[str], str | None] = str,
    tags: Sequence[str] = (),
) -> None:
    """Draw a panel for each name, of shares from left to right; in each panel a line for each run.

    The runs' letters, or other `tags`, stand down the left side.
    """
    panels = figure.subplots(1, len(names), sharey=True, width_ratios=widths)
    for axes, name in zip(panels, names, strict=True):
        axes.set(title=headings(name), xlim=(0, most))
        axes.set_xticks(*ticks)
        axes.tick_params(length=0)
        axes.grid(axis="y", visible=False)
        for y, run in enumerate(runs):
            draw(axes, name, y, run)
    run_axis(panels[0], tags or [run.tag for run in runs])


def _square(axes: Axes, x: str, y: str) -> None:
    axes.set(xlim=(-0.03, 1.05), ylim=(-0.03, 1.05), xlabel=x, ylabel=y)
    axes.tick_params(length=0)


def _least(blocks: Sequence[Scores], key: str) -> float:
    """Return where an axis begins: below 0 as far as a score or its interval lies."""
    known = [value for block in blocks for value in (block[key], *(block["ci"][key] or ()))]
    least: float = min([0.0, *(value for value in known if value is not None)])
    return least - 0.03


def _names_below(axes: Axes, names: Sequence[str]) -> None:
    axes.set_xticks(range(len(names)), names)
    axes.tick_params(length=0)
    axes.grid(axis="x", visible=False)


def _upright(
    axes: Axes,
    block: Scores,
    key: str,
    x: float,
    width: float,
    run: Tagged,
    *,
    alpha: float = 1,
) -> None:
    if block[key] is None:
        return
    axes.bar(x, block[key], width, color=stand_in(run.place), alpha=alpha)
    reach = whisker(block, key)
    if reach:
        axes.errorbar(x, block[key], reach, color=INK, alpha=0.6, elinewidth=1, fmt="none")


def _interval_across(axes: Axes, block: Scores, key: str, y: int, **style: Any) -> None:
    reach = whisker(block, key)
    if reach:
        axes.errorbar(block[key], y, xerr=reach, elinewidth=1, fmt="none", **style)


def _line_style(row: Row) -> Style:
    return "-" if row.role is Role.AGENT else (0, (3, 2))


def _level_line(axes: Axes, run: Tagged, key: str, names: Sequence[str], runs: int) -> None:
    row, place = run.row, run.place
    found = row.scores["by_level"]
    shift = (place - (runs - 1) / 2) * min(0.05, 0.5 / max(runs, 1))
    line = [
        (at + shift, found[name])
        for at, name in enumerate(names)
        if name in found and found[name][key] is not None
    ]
    colour = stand_in(place)
    axes.plot(
        [x for x, _ in line], [block[key] for _, block in line], linestyle=_line_style(row),
        color=colour, marker=_MARKERS[row.role], markersize=5,
        markerfacecolor=colour if row.role is Role.AGENT else PAPER,
    )  # fmt: skip
    for x, block in line:
        axes.errorbar(
            x, block[key], whisker(block, key), color=colour, alpha=0.45, elinewidth=1, fmt="none"
        )


def _reliability(axes: Axes, run: Tagged) -> None:
    """Draw each bin that has answers: a mark whose area is their number."""
    filled = [bin for bin in run.row.scores["calibration"]["bins"] if bin["answers"]]
    x, y = [bin["confidence"] for bin in filled], [bin["accuracy"] for bin in filled]
    most = max(bin["answers"] for bin in filled)
    sizes = [14 + 130 * bin["answers"] / most for bin in filled]
    colour = stand_in(run.place)
    axes.plot(x, y, color=colour, linestyle=_line_style(run.row), linewidth=1.2)
    axes.scatter(x, y, sizes, color=colour, alpha=0.75, linewidths=0, zorder=3)


def _risk(axes: Axes, run: Tagged) -> None:
    points = run.row.scores["calibration"]["risk_coverage"]
    x, y = [point["share"] for point in points], [point["risk"] for point in points]
    colour = stand_in(run.place)
    axes.plot(x, y, ".", color=colour, linestyle=_line_style(run.row), markersize=4)
    axes.annotate(
        run.tag, (x[-1], y[-1]), (6, 0), textcoords="offset points", color=colour,
        fontweight="bold", va="center", fontsize=9,
    )  # fmt: skip
