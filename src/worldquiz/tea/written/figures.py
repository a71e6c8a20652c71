"""Pictures of written tasks: MIR scene by scene, MIR over thresholds, and where tasks are.

    mir.png     a dot a scene, joined from set to set (figure 4 of arXiv 2602.05249)
    curve.png   mean MIR over the threshold, with one standard deviation
    plan-*.png  a scene's floor from above, how many tasks are about what stands there, and a
                cross where the agent starts

They are drawn from the plain values of `worldquiz tea tables`, and are equal for equal values.
"""

from __future__ import annotations

import io
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from worldquiz.extras import need

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

SETS = {"without": "without TEA", "first": "first round", "second": "second round"}
_COLOURS = {"without": "#8a8f98", "first": "#1f6fb2", "second": "#c2541b"}
_STYLE: dict[Any, Any] = {
    "font.size": 9.5,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.edgecolor": "#b8bcc4",
    "axes.titlesize": 10.5,
    "axes.axisbelow": True,
    "grid.color": "#e4e6ea",
    "xtick.color": "#555b66",
    "ytick.color": "#555b66",
}
_DPI = 130
_DOT = 18.0
"""Area of a dot for one task, in square points."""


def pictures(writers: Mapping[str, Mapping[str, Any]], threshold: float) -> dict[str, bytes]:
    """Return pictures as PNG by the names of their files. Raises `MissingExtra`."""
    if not writers:
        return {}
    found = {
        "mir.png": _png(lambda figure: _dots(figure, writers, threshold), _wide(len(writers), 3.4)),
        "curve.png": _png(lambda figure: _curves(figure, writers), _wide(len(writers), 3.2)),
    }
    for number, (name, told) in enumerate(writers.items(), start=1):
        scene = min(told["scenes"], default=None)
        if scene is not None and told["scenes"][scene]["plan"]["points"]:
            found[f"plan-{number}.png"] = _plan(name, scene, told["scenes"][scene]["plan"])
    return found


def _wide(panels: int, high: float) -> tuple[float, float]:
    return 0.6 + 3.2 * panels, high


def _dots(figure: Figure, writers: Mapping[str, Mapping[str, Any]], threshold: float) -> None:
    for axes, (name, told) in zip(_row(figure, len(writers)), writers.items(), strict=True):
        axes.set(title=name, xlim=(-0.4, 2.4), ylim=(0, 1.03))
        axes.set_xticks(range(3), [label.replace(" ", "\n") for label in SETS.values()])
        axes.grid(axis="y")
        for scene in told["compared"]:
            sets = told["scenes"][scene]["sets"]
            line = [_mir(sets[each]) for each in SETS]
            axes.plot(range(3), line, color="#c9ccd2", linewidth=0.9, zorder=1)
            for at, (each, value) in enumerate(zip(SETS, line, strict=True)):
                axes.plot(at, value, "o", color=_COLOURS[each], markersize=5, alpha=0.8)
    figure.axes[0].set_ylabel(f"MIR at {threshold:g}")


def _curves(figure: Figure, writers: Mapping[str, Mapping[str, Any]]) -> None:
    for axes, (name, told) in zip(_row(figure, len(writers)), writers.items(), strict=True):
        axes.set(title=name, ylim=(0, 1.03), xlabel="threshold")
        axes.grid(visible=True)
        for each, label in SETS.items():
            known = [(float(at), some[each]) for at, some in told["curve"].items()
                     if some[each]["mean"] is not None]  # fmt: skip
            x = [at for at, _ in known]
            y = [some["mean"] for _, some in known]
            off = [some["sd"] or 0.0 for _, some in known]
            axes.plot(x, y, color=_COLOURS[each], marker="o", markersize=3.5, label=label)
            low = [a - b for a, b in zip(y, off, strict=True)]
            high = [a + b for a, b in zip(y, off, strict=True)]
            axes.fill_between(x, low, high, color=_COLOURS[each], alpha=0.13, linewidth=0)
    figure.axes[0].set_ylabel("MIR")
    figure.axes[0].legend(frameon=False, loc="upper left")


def _plan(name: str, scene: str, plan: Mapping[str, Any]) -> bytes:
    """Draw a scene's floor, a panel a set."""
    rooms = plan["rooms"]
    wide = max(room[3] for room in rooms) - min(room[1] for room in rooms)
    high = max(room[4] for room in rooms) - min(room[2] for room in rooms)
    size = (10.0, 3.1 * min(max(high / wide, 0.5), 2.0) + 0.9)

    def fill(figure: Figure) -> None:
        figure.suptitle(f"{name}: what the tasks of {scene} are about", fontsize=10.5)
        for axes, (each, label) in zip(_row(figure, len(SETS)), SETS.items(), strict=True):
            axes.set_aspect("equal")
            axes.set_axis_off()
            points = plan["points"].get(each, [])
            axes.set_title(f"{label}: {len(points)} things", fontsize=9.5)
            _floor(axes, plan)
            axes.scatter(
                [x for x, _, _ in points], [y for _, y, _ in points],
                s=[_DOT * count for _, _, count in points], color=_COLOURS[each], alpha=0.5,
                linewidth=0,
            )  # fmt: skip

    return _png(fill, size)


def _floor(axes: Axes, plan: Mapping[str, Any]) -> None:
    """Draw rooms with their names, the furniture, and the agent's start."""
    for name, x0, y0, x1, y1 in plan["rooms"]:
        axes.plot((x0, x1, x1, x0, x0), (y0, y0, y1, y1, y0), color="#9aa0aa", linewidth=1.0)
        axes.annotate(name, (x0, y1), (3, -9), textcoords="offset points", fontsize=6.5,
                      color="#7b818c")  # fmt: skip
    for x0, y0, x1, y1 in plan["things"]:
        axes.plot((x0, x1, x1, x0, x0), (y0, y0, y1, y1, y0), color="#d9dbe0", linewidth=0.6)
    axes.plot(*plan["start"], "x", color="#20242b", markersize=6)


def _mir(told: Mapping[str, Any]) -> float:
    """Return the MIR of a set by equation 8's way to compare, the first that is told."""
    return float(next(iter(told["ways"].values()))["mir"])


def _row(figure: Figure, count: int) -> Sequence[Axes]:
    panels: Sequence[Axes] = figure.subplots(1, count, sharey=True, squeeze=False)[0]
    return panels


def _png(fill: Callable[[Figure], None], size: tuple[float, float]) -> bytes:
    rc_context = need("matplotlib", extra="t2q").rc_context
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure as Drawn

    stream = io.BytesIO()
    with rc_context(_STYLE):
        figure = Drawn(figsize=size, layout="constrained", dpi=_DPI)
        FigureCanvasAgg(figure)
        fill(figure)
        figure.savefig(stream, format="png", metadata={"Software": None})
    return stream.getvalue()
