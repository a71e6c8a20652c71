"""Draw coverage and knowledge over commands: ``python scripts/curves.py FOLDER`` (``just curves``).

Builds suites of the presets ``paper`` and ``explore`` in FOLDER, lets four agents play them, the
text reader answering, and draws ``docs/images/curves.svg``. What stands in FOLDER is kept, so a
second call only draws. Beside the picture stands a table of the numbers that the documentation
gives.
"""

from __future__ import annotations

import io
import json
import re
import sys
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

from worldquiz.runs.rows import read_rows
from worldquiz.t2q import build
from worldquiz.t2q.scoring import Sitting, scores
from worldquiz.t2q.scoring import sittings as sittings_of
from worldquiz.t2q.scoring.curves import document, efficiency, settled

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import SubFigure

IMAGES = Path(__file__).parents[1] / "docs" / "images"
AGENTS = ("explorer", "walkthrough", "random", "idle")
WORLDS = {"paper": 10, "explore": 30}  # of each level
SEED = 20_260_203
END = 1.12  # where the end of a longer run is marked, in stated budgets
KEYS = ("known", "coverage", "knowledge", "knowledge_ceiling", "tsr")


COLOURS = 8
CSS = Path(__file__).parents[1] / "src" / "worldquiz" / "page" / "templates" / "page.css"
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
) -> str:
    """Draw a figure and return it as one SVG element for a page; `name` starts its identifiers."""
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
    return _inline(stream.getvalue(), name, label)


def standalone(drawn: str) -> str:
    """Return an SVG element as a picture of its own, with a page's colours, in light and dark."""
    css = CSS.read_text("utf-8")
    light, dark = (_declared(block) for block in re.findall(r":root\s*{([^}]*)}", css)[:2])
    night = f"@media(prefers-color-scheme:dark){{svg{{{dark}background:var(--paper)}}}}"
    style = f"<style>svg{{{light}font-family:sans-serif}}{night}</style>"
    return re.sub("(<svg[^>]*>)", lambda at: at[1] + style, drawn, count=1) + "\n"


def _declared(block: str) -> str:
    """Return the declarations of the variables that pictures use."""
    wanted = set(_VARIABLES.values())
    found = re.findall(r"(--[\w-]+):\s*(#\w+);", block)
    return "".join(f"{name}:{value};" for name, value in found if name in wanted)


def stand_in(place: int) -> str:
    """Return the colour that stands for a run's while it is drawn."""
    return f"#0103{place % COLOURS:02x}"


def _inline(svg: str, name: str, label: str) -> str:
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
    for colour, variable in _VARIABLES.items():
        svg = svg.replace(colour, f"var({variable})")
    return re.sub(r"\s*\n\s*", "\n", svg)


def _opening(label: str) -> str:
    return (
        '<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" '
        rf'\1 role="img" aria-label="{label}">'
    )


def sittings(preset: str, agent: str, folder: Path) -> tuple[Sitting, ...]:
    """Return what an agent did in a preset's worlds, played now if it was not before."""
    suite = build(preset, worlds=WORLDS[preset], seed=SEED, out=folder / preset)
    out = folder / f"{preset}-{agent}"
    suite.run(agent=agent, answerer="worldgraph", seed=1, out=out)
    return tuple(sittings_of(read_rows(out)))


def picture(found: dict[str, dict[str, tuple[Sitting, ...]]]) -> str:
    """Return the drawing: a row of panels for each preset, a line for each agent."""

    def fill(figure: Any) -> None:
        rows: list[SubFigure] = list(figure.subfigures(len(found), 1))
        for row, (preset, played) in zip(rows, found.items(), strict=True):
            drawn = [document(played[agent], steps=120) for agent in AGENTS]
            for axes, name in zip(row.subplots(1, 2), ("coverage", "knowledge"), strict=True):
                panel(axes, drawn, name)
                axes.set(title=f"{preset}: {name}")

    label = "Coverage and knowledge over commands, of four agents in the presets paper and explore"
    return standalone(svg(fill, (9.6, 6.6), "curves", label))


def panel(axes: Axes, drawn: list[dict[str, Any]], name: str) -> None:
    """Draw one score over commands; a dotted line leads to the end beyond the stated budget."""
    budget = drawn[0]["budget"] or 1.0
    for place, (agent, curves) in enumerate(zip(AGENTS, drawn, strict=True)):
        x, y, colour = curves["at"], curves[name], stand_in(place)
        axes.plot(x[:-1], y[:-1], color=colour, linewidth=2, label=agent)
        axes.plot((1, END), y[-2:], color=colour, linestyle=":", linewidth=1.2)
    axes.set(xlabel="commands given / commands of the walkthroughs", xlim=(-0.01, END + 0.02))
    axes.set_xticks([0, 1 / 3, 2 / 3, 1, END], [f"{n * budget:g}" for n in (0, 1 / 3, 2 / 3, 1)]
                    + ["end"])  # fmt: skip
    axes.legend(frameon=False, fontsize=8)


def table(found: dict[str, dict[str, tuple[Sitting, ...]]]) -> dict[str, Any]:
    """Return the numbers of each run, by preset and agent."""
    told: dict[str, Any] = {}
    for preset, played in found.items():
        reference = [settled(world) for world in played["explorer"]]
        told[preset] = {}
        for agent, worlds in played.items():
            scored = scores(worlds)
            told[preset][agent] = {
                **{key: [scored[key], scored["ci"][key]] for key in KEYS},
                "area": scored["by_commands"]["area"],
                "budget": scored["by_commands"]["budget"],
                "efficiency": efficiency([settled(world) for world in worlds], reference),
                "commands": scored["counts"]["commands"],
                "walkthrough": scored["counts"]["walkthrough"],
            }
    return told


if __name__ == "__main__":
    given = Path(sys.argv[1])
    shown = {
        preset: {agent: sittings(preset, agent, given) for agent in AGENTS} for preset in WORLDS
    }
    (IMAGES / "curves.svg").write_text(picture(shown), encoding="utf-8")
    told = json.dumps(table(shown), indent=2) + "\n"
    (IMAGES / "curves.json").write_text(told, encoding="utf-8")
