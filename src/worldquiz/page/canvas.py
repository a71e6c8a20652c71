"""Plots as inline SVG that takes its colours from the page, in light and in dark.

matplotlib draws with stand-in colours; each is then replaced by a CSS variable. Text stays text.
Identifiers are numbered in order and no date is written: equal rows, equal bytes.
"""

from __future__ import annotations

import io
import re
from collections.abc import Callable, Mapping
from importlib import resources
from typing import Any

from worldquiz.plugins import need

COLOURS = 8
"""How many run colours a page has; further runs take them again, and differ by their letter."""

NO_MORE: Mapping[str, str] = {}
INK, SOFT, LINE, PAPER = "#010203", "#010204", "#010205", "#010206"
_VARIABLES = {INK: "--ink", SOFT: "--soft", LINE: "--line", PAPER: "--paper"} | {
    f"#0103{n:02x}": f"--run-{n}" for n in range(COLOURS)
}
_STYLE: dict[Any, Any] = {
    "svg.hashsalt": "worldquiz",
    "svg.fonttype": "none",
    "font.size": 10,
    "text.color": INK,
    "axes.edgecolor": LINE,
    "axes.labelcolor": INK,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.axisbelow": True,
    "axes.grid": True,
    "axes.titlesize": 10.5,
    "grid.color": LINE,
    "grid.linewidth": 0.6,
    "xtick.color": SOFT,
    "ytick.color": SOFT,
    "lines.linewidth": 1.6,
    "savefig.transparent": True,
}


def svg(
    fill: Callable[[Any], None],
    size: tuple[float, float],
    name: str,
    label: str,
    *,
    variables: Mapping[str, str] = NO_MORE,
) -> str:
    """Draw a figure and return it as one SVG element for a page; `name` starts its identifiers.

    `variables` maps further stand-in colours to the CSS variables that replace them. Raises
    `MissingExtra` without matplotlib.
    """
    need("matplotlib", extra="t2q")
    from matplotlib import rc_context
    from matplotlib.backends.backend_svg import FigureCanvasSVG
    from matplotlib.figure import Figure

    absent = dict.fromkeys(("Creator", "Date", "Format", "Type"))
    stream = io.StringIO()
    with rc_context(_STYLE):
        figure = Figure(figsize=size, layout="constrained")
        FigureCanvasSVG(figure)
        fill(figure)
        figure.savefig(stream, format="svg", metadata=absent)
    return _inline(stream.getvalue(), name, label, {**_VARIABLES, **variables})


def standalone(drawn: str) -> str:
    """Return an SVG element as a picture of its own, with a page's colours, in light and dark."""
    css = resources.files("worldquiz.page").joinpath("templates", "page.css").read_text("utf-8")
    light, dark = (_declared(block) for block in re.findall(r":root\s*{([^}]*)}", css)[:2])
    night = f"@media(prefers-color-scheme:dark){{svg{{{dark}background:var(--paper)}}}}"
    style = f"<style>svg{{{light}font-family:sans-serif}}{night}</style>"
    return re.sub("(<svg[^>]*>)", lambda at: at[1] + style, drawn, count=1) + "\n"


def _declared(block: str) -> str:
    """Return the declarations of the variables that pictures use."""
    wanted = set(_VARIABLES.values())
    found = re.findall(r"(--[\w-]+):\s*(#\w+);", block)
    return "".join(f"{name}:{value};" for name, value in found if name in wanted)


def colour(place: int) -> str:
    """Return the CSS variable of a run's colour."""
    return f"--run-{place % COLOURS}"


def stand_in(place: int) -> str:
    """Return the colour that stands for a run's while it is drawn."""
    return f"#0103{place % COLOURS:02x}"


def _inline(svg: str, name: str, label: str, variables: Mapping[str, str]) -> str:
    """Cut a figure's file down to its element, with identifiers and colours of the page.

    Its style element goes, because inside a page it would style the whole page. Identifiers are
    numbered: matplotlib's are hashes of places, whose last digits its layout leaves to chance.
    """
    svg = svg[svg.index("<svg") :]
    svg = re.sub(r"<defs>\s*<style.*?</style>\s*</defs>", "", svg, count=1, flags=re.DOTALL)
    found = dict.fromkeys(re.findall(r'\bid="([^"]+)"', svg))
    ids = {id: f"{name}-{number}" for number, id in enumerate(found)}
    svg = re.sub(r'(\bid="|href="#|url\(#)([^")]+)', lambda at: at[1] + ids[at[2]], svg)
    svg = re.sub(r"font-family: [^;\"]*", "font-family: inherit", svg)
    svg = re.sub(r"(font: [^;\"]*?)'[^;\"]*", r"\1sans-serif", svg)
    svg = re.sub(r'^<svg\b[^>]*?(viewBox="[^"]*")[^>]*>', _opening(label), svg, count=1)
    for colour, variable in variables.items():
        svg = svg.replace(colour, f"var({variable})")
    return re.sub(r"\s*\n\s*", "\n", svg)


def _opening(label: str) -> str:
    return (
        '<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" '
        rf'\1 role="img" aria-label="{label}">'
    )
