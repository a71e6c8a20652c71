"""Pictures of written tasks: MIR scene by scene (Figure 4 of arXiv 2602.05249), and by threshold.

They are drawn from the rows of `tables`, and are equal for equal rows.
"""

from __future__ import annotations

import io
from collections.abc import Mapping, Sequence
from typing import Any

from worldquiz.plugins import need
from worldquiz.tea.written.parts import FIRST, SECOND, WITHOUT
from worldquiz.tea.written.tables import WHOLE

SETS = {WITHOUT: "without\nTEA", FIRST: "first\nround", SECOND: "second\nround"}
_COLOURS = {WITHOUT: "#8a8f98", FIRST: "#1f6fb2", SECOND: "#c2541b"}


def pictures(found: Mapping[str, Any]) -> dict[str, bytes]:
    """Return pictures as PNG by the names of their files. Raises `MissingExtra`."""
    need("matplotlib", extra="tea")
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure

    writers = list(dict.fromkeys(row["writer"] for row in found["written"]))
    made = {}
    for name, draw in (("mir.png", _dots), ("curve.png", _curves)):
        figure = Figure(figsize=(0.6 + 3.2 * len(writers), 3.4), layout="constrained", dpi=130)
        FigureCanvasAgg(figure)
        panels = figure.subplots(1, len(writers), sharey=True, squeeze=False)[0]
        for axes, writer in zip(panels, writers, strict=True):
            axes.set(title=writer, ylim=(0, 1.03))
            axes.grid(axis="y", color="#e4e6ea")
            axes.spines[["top", "right"]].set_visible(False)
            draw(axes, found, writer)
        panels[0].set_ylabel(f"MIR at {found['threshold']:g}" if draw is _dots else "MIR")
        stream = io.BytesIO()
        figure.savefig(stream, format="png", metadata={"Software": None})
        made[name] = stream.getvalue()
    return made


def _of(rows: Sequence[Mapping[str, Any]], writer: str) -> list[Mapping[str, Any]]:
    return [row for row in rows if (row["writer"], row["compared_by"]) == (writer, WHOLE)]


def _dots(axes: Any, found: Mapping[str, Any], writer: str) -> None:
    """Draw a dot a scene, joined from set to set."""
    scenes: dict[str, dict[str, float]] = {}
    for row in _of(found["mir"], writer):
        if row["threshold"] == found["threshold"]:
            scenes.setdefault(row["scene"], {})[row["set"]] = row["mir"]
    axes.set_xticks(range(len(SETS)), SETS.values())
    for told in scenes.values():
        line = [(place, name) for place, name in enumerate(SETS) if name in told]
        axes.plot([place for place, _ in line], [told[name] for _, name in line], color="#c9ccd2")
        for place, name in line:
            axes.plot(place, told[name], "o", color=_COLOURS[name], markersize=5, alpha=0.8)


def _curves(axes: Any, found: Mapping[str, Any], writer: str) -> None:
    """Draw the mean over the threshold, with one standard deviation."""
    axes.set_xlabel("threshold")
    for name, label in SETS.items():
        rows = [row for row in _of(found["means"], writer) if row["set"] == name]
        x, y = [row["threshold"] for row in rows], [row["mean"] for row in rows]
        axes.plot(x, y, "o-", color=_COLOURS[name], markersize=3.5, label=label.replace("\n", " "))
        low, high = ([row["mean"] + sign * (row["sd"] or 0.0) for row in rows] for sign in (-1, 1))
        axes.fill_between(x, low, high, color=_COLOURS[name], alpha=0.13, linewidth=0)
    axes.legend(frameon=False, loc="upper left")
