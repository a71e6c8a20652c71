"""Curves over commands: how soon a run was shown what the quiz asks, and how much it knew of it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from worldquiz.report.canvas import INK, SOFT, stand_in, svg
from worldquiz.report.labels import decimal
from worldquiz.runs.folder import HUMAN
from worldquiz.t2q.agents.catalog import Role
from worldquiz.t2q.report.entries import Entry
from worldquiz.t2q.scoring.curves import efficiency

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure, SubFigure

PANELS = (("coverage", "coverage"), ("knowledge", "knowledge"))
REFERENCES = ("explorer", HUMAN)
"""Agents whose commands others are set against, where a page has a run of them."""
_END = 1.12  # where the end of a longer run is marked, in stated budgets
_NEAR = 0.055  # panel heights: marks nearer to each other than this get their letters apart


def section(entries: Sequence[Entry]) -> dict[str, Any]:
    """Return the plot and the table below it.

    Raises `MissingExtra` without matplotlib.
    """
    against = references(entries)
    return {
        "plot": by_commands(entries),
        "against": against,
        "rows": [(entry, _cells(entry, against)) for entry in entries],
        "times": _stated(entries),
    }


def references(entries: Sequence[Entry]) -> list[Entry]:
    """Return the first run of each reference agent."""
    agents = [entry.row.agent for entry in entries]
    return [entries[agents.index(name)] for name in REFERENCES if name in agents]


def _cells(entry: Entry, against: Sequence[Entry]) -> list[str]:
    areas = entry.row.scores["by_commands"]["area"]
    return [
        *(decimal(areas[name]) for name in ("coverage", "knowledge_ceiling", "knowledge")),
        *(decimal(_efficiency(entry, other)) for other in against),
    ]


def _efficiency(entry: Entry, reference: Entry) -> float | None:
    alike = entry.worlds == reference.worlds
    return efficiency(entry.settled, reference.settled) if alike else None


def _stated(entries: Sequence[Entry]) -> str:
    """Say the stated budget in walkthroughs, where all runs have the same; else nothing."""
    found = {entry.row.scores["by_commands"]["budget"] for entry in entries}
    return f"{found.pop():g}" if len(found) == 1 and None not in found else ""


def by_commands(entries: Sequence[Entry]) -> str:
    """Draw coverage, and beside it knowledge, over commands as a share of the stated budget."""

    def fill(figure: Figure) -> None:
        runs = [(entry.tag, entry.place, entry.row.role) for entry in entries]
        draw(figure, runs, [entry.curves for entry in entries])

    label = "Coverage and knowledge over commands, a line a run; areas are in the table below"
    return svg(fill, (9.6, max(3.1, 0.7 + 0.14 * len(entries))), "commands", label)


def draw(
    figure: Figure | SubFigure,
    runs: Sequence[tuple[str, int, Role]],
    found: Sequence[Mapping[str, Any]],
    *,
    before: str = "",
) -> None:
    """Draw one panel for each of the `PANELS`; a run is its letter, its colour's place, its role.

    `before` stands in front of each title. Where a run went on beyond the stated budget, a dotted
    line leads to its end.
    """
    longer = any(curves["at"][-1] > 1 for curves in found)
    least = min([0.0, *(y for curves in found for y in curves["knowledge"] or ())])
    for axes, (name, title) in zip(figure.subplots(1, len(PANELS)), PANELS, strict=True):
        axes.set(title=before + title, ylim=(min(least, -0.01) - 0.02, 1.04), xlabel=_axis(found))
        axes.set(xlim=(-0.01, (_END if longer else 1) + 0.07))
        _ticks(axes, found, longer=longer)
        ends = [
            (*_line(axes, curves, name, place, role, longer=longer), tag)
            for (tag, place, role), curves in zip(runs, found, strict=True)
            if curves[name] is not None
        ]
        _letters(axes, ends)


def _axis(found: Sequence[Mapping[str, Any]]) -> str:
    times = {curves["budget"] for curves in found}
    if len(times) > 1 or None in times:
        return "commands given / stated budget"
    return "commands given / commands of the walkthroughs"


def _ticks(axes: Axes, found: Sequence[Mapping[str, Any]], *, longer: bool) -> None:
    """Write multiples of the walkthroughs below, shares of the budget where there are several."""
    times = {curves["budget"] for curves in found}
    whole = times.pop() if len(times) == 1 and None not in times else 1.0
    places = [0, 1 / 3, 2 / 3, 1]
    names = [f"{place * whole:g}" for place in places]
    shown = slice(5 if longer else 4)
    axes.set_xticks([*places, _END][shown], [*names, "end"][shown])
    axes.set_yticks((0, 0.25, 0.5, 0.75, 1), ("0", "", "0.5", "", "1"))
    axes.tick_params(length=0)
    axes.grid(axis="x", visible=False)


def _line(
    axes: Axes, curves: Mapping[str, Any], name: str, place: int, role: Role, *, longer: bool
) -> tuple[float, float]:
    """Draw one run's curve, and return where it ends."""
    x, y, colour = curves["at"], curves[name], stand_in(place)
    axes.plot(
        x[:-1], y[:-1], color=colour,
        linestyle="-" if role is Role.AGENT else (0, (4, 1.5)), linewidth=2,
    )  # fmt: skip
    if not longer:
        return 1.0, y[-2]
    axes.plot((1, _END), y[-2:], color=colour, linestyle=":", linewidth=1.2)
    axes.plot(_END, y[-1], "o", color=colour, markersize=4)
    return _END, y[-1]


def _letters(axes: Axes, ends: Sequence[tuple[float, float, str]]) -> None:
    """Write the runs' letters behind their ends, none over another."""
    upwards = sorted(ends, key=lambda end: (end[1], end[2]))
    bottom, top = axes.get_ylim()
    near = min(_NEAR, 1 / max(1, len(ends))) * (top - bottom)
    for (x, y, tag), place in zip(upwards, _apart([y for _, y, _ in upwards], near), strict=True):
        axes.annotate(
            tag, (x, place), (7, 0), textcoords="offset points", color=INK, fontsize=9,
            fontweight="bold", va="center", annotation_clip=False,
        )  # fmt: skip
        if abs(place - y) > near / 2:
            axes.plot((x, x + 0.015), (y, place), color=SOFT, linewidth=0.5, clip_on=False)


def _apart(heights: Sequence[float], near: float) -> list[float]:
    """Return places near some ascending heights, at least `near` apart, below 1 if they fit."""
    top, places = 1 + near, []
    for height in reversed(heights):
        top = min(height, top - near)
        places.append(top)
    bottom, raised = min([0.0, *heights[:1]]) - near, []
    for place in reversed(places):
        bottom = max(place, bottom + near)
        raised.append(bottom)
    return raised
