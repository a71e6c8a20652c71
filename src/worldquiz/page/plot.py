"""Plot of a page: scores by type of question, runs side by side, with intervals."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Protocol

from worldquiz.page.canvas import INK, LINE, SOFT, stand_in, svg
from worldquiz.page.html import markup

if TYPE_CHECKING:
    from worldquiz.page.findings import Share

MOST = 8
"""Runs that are drawn: there are as many colours."""


class Plotted(Protocol):
    """A run in a plot."""

    @property
    def place(self) -> int: ...  # noqa: D102
    @property
    def tag(self) -> str: ...  # noqa: D102
    def share(self, type: str | None = None) -> Share | None: ...  # noqa: D102


def by_type(runs: Sequence[Plotted], types: Sequence[str], term: str, name: str) -> Any:
    """Draw a dot with its interval for each run and type, all questions on top.

    It is narrow, so that its letters can be read on a phone. Its identifiers begin with `name`.
    Raises `MissingExtra` without matplotlib.
    """
    shown = runs[:MOST]
    rows: list[str | None] = [None, *types] if len(types) > 1 else [None]
    found = [(y, each, share) for y, name in enumerate(rows)
             for each in shown if (share := each.share(name))]  # fmt: skip
    if not found:
        return ""
    ends = [bound for *_, share in found for bound in (share.value, *(share.interval or ()))]
    low = max(-1.0, min(0.0, *ends))

    def fill(figure: Any) -> None:
        axes = figure.subplots()
        axes.set(xlim=(low - 0.02, 1.03), ylim=(len(rows) - 0.45, -0.55), xlabel=term)
        axes.set_yticks(range(len(rows)), ["all" if name is None else name for name in rows])
        axes.tick_params(length=0)
        axes.locator_params(axis="x", nbins=6)
        axes.grid(axis="y", visible=False)
        axes.axvline(0, color=SOFT, linewidth=0.8)
        axes.axhline(0.5, color=LINE, linewidth=0.8)
        for y, each, share in found:
            at = y + (shown.index(each) - (len(shown) - 1) / 2) * 0.72 / len(shown)
            if share.interval:
                axes.plot(share.interval, (at, at), color=stand_in(each.place), linewidth=1.4)
            axes.plot(max(low, share.value), at, "o", color=stand_in(each.place), markersize=4.5)
            if len(shown) > 1:
                axes.annotate(each.tag, (max(low, share.value), at), (0, 4), fontsize=6.5,
                              textcoords="offset points", color=INK, ha="center")  # fmt: skip

    height = 0.75 + len(rows) * (0.16 + 0.13 * len(shown))
    label = f"{term} by type of question with 95 % intervals; the numbers stand below"
    return markup(svg(fill, (5.2, height), name, label))
