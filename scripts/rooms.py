"""Draw the map of rooms from the imports: ``python scripts/rooms.py`` (``just rooms``).

A room is a folder in ``src/worldquiz``. Each row of the map counts one room's imports from each
other room. Cells that the laws of the house keep empty are grey; an import there is red.
"""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path
from typing import Any

import grimp

ROOT = Path(__file__).parents[1]
PICTURE = ROOT / "docs" / "images" / "rooms.svg"
TABLE = ROOT / "docs" / "images" / "rooms.json"
BENCHMARKS = ("t2q", "mango", "tea")
LAYERS = (
    BENCHMARKS,
    ("cli",),
    ("exam",),
    ("serve",),
    ("memory",),
    ("human", "llm"),
    ("runs",),
    ("page",),
    ("export", "stats"),
    ("facts",),
)
"""The rooms from the top down, as in the contract in `.importlinter`; imports go down."""
ORDER = tuple(room for layer in LAYERS for room in layer)
Arrows = Counter[tuple[str, str]]

BLUE, GREY, RED, INK = "#2f6fb0", "#ececec", "#c0392b", "#222"


def imports(*, typing: bool = False) -> list[tuple[str, str]]:
    """Return all imports between files; with `typing`, also imports for type checkers only."""
    packages = ("worldquiz", "worldquiz_scenes")
    graph = grimp.build_graph(*packages, exclude_type_checking_imports=not typing, cache_dir=None)
    return sorted(
        (importer, imported)
        for importer in graph.modules
        for imported in graph.find_modules_directly_imported_by(importer)
    )


def rooms() -> list[str]:
    """Return the names of the rooms in order; rooms that are not in `LAYERS` come last."""
    found = {path.parent.name for path in (ROOT / "src" / "worldquiz").glob("*/__init__.py")}
    return [room for room in ORDER if room in found] + sorted(found - set(ORDER))


def arrows() -> Arrows:
    """Count the imports from each room to each other room."""
    known = rooms()
    pairs = ((_room(a), _room(b)) for a, b in imports())
    return Counter((a, b) for a, b in pairs if a != b and a in known and b in known)


def forbidden(importer: str, imported: str) -> bool:
    """Return whether the laws forbid an import, from the same layer or from above."""
    depth = {room: number for number, layer in enumerate(LAYERS) for room in layer}
    return depth.get(imported, len(LAYERS)) <= depth.get(importer, len(LAYERS))


def draw(counted: Arrows, target: Path) -> None:
    """Draw rooms as rows and columns, with the number of imports in each cell."""
    import matplotlib

    matplotlib.use("svg")
    matplotlib.rcParams["svg.hashsalt"] = "worldquiz"
    from matplotlib import pyplot

    names = rooms()
    figure, axes = pyplot.subplots(figsize=(8, 6.6))
    for y, importer in enumerate(names):
        for x, imported in enumerate(names):
            if importer != imported:
                _cell(axes, x, y, counted[importer, imported], forbidden(importer, imported))
        words: dict[str, Any] = {"color": INK, "fontsize": 12}
        if importer in BENCHMARKS:
            words |= {"color": BLUE, "weight": "bold"}
        axes.text(-0.65, y, importer, ha="right", va="center", **words)
        slant: dict[str, Any] = {"rotation": 40, "rotation_mode": "anchor"}
        axes.text(y, -0.65, importer, ha="left", va="bottom", **slant, **words)
        axes.plot(y, y, "o", color="#bbb", markersize=5)
    axes.text(-0.65, -0.8, "imports →", ha="right", va="center", fontsize=10, color="#666")
    axes.set(xlim=(-2.2, len(names) + 0.3), ylim=(len(names) - 0.4, -2.2), aspect="equal")
    axes.axis("off")
    figure.savefig(target, metadata={"Date": None}, bbox_inches="tight")
    pyplot.close(figure)


def _cell(axes: Any, x: int, y: int, count: int, law: bool) -> None:
    from matplotlib.patches import Rectangle

    face, alpha = (GREY, 1.0) if law else ("white", 1.0)
    if count:
        face, alpha = (RED, 1.0) if law else (BLUE, 0.25 + 0.75 * min(count, 100) / 100)
    place = (x - 0.46, y - 0.46)
    axes.add_patch(Rectangle(place, 0.92, 0.92, facecolor=face, alpha=alpha, edgecolor="#ddd"))
    if count:
        ink = "white" if law or count > 45 else INK
        axes.text(x, y, str(count), ha="center", va="center", fontsize=10, color=ink)


def table(counted: Arrows) -> str:
    """Return the arrows as JSON, with which a test checks that the picture is current."""
    told = {f"{a} -> {b}": count for (a, b), count in sorted(counted.items())}
    return json.dumps(told, indent=2) + "\n"


def _room(module: str) -> str:
    return module.split(".")[1] if "." in module else ""


if __name__ == "__main__":
    found = arrows()
    draw(found, PICTURE)
    TABLE.write_text(table(found))
