"""Draw the map of rooms from the imports: ``python scripts/rooms.py`` (``just rooms``).

A room is a folder of ``src/worldquiz``; an arrow means that files of one import files of the other,
and says how many imports there are. Rooms stand above what they import.
"""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path

import grimp

ROOT = Path(__file__).parents[1]
PICTURE = ROOT / "docs" / "images" / "rooms.svg"
TABLE = ROOT / "docs" / "images" / "rooms.json"
BENCHMARKS = ("t2q", "mango", "tea")
Arrows = Counter[tuple[str, str]]


def imports() -> list[tuple[str, str]]:
    """Return every import between two files, type-checking ones left out."""
    graph = grimp.build_graph("worldquiz", exclude_type_checking_imports=True, cache_dir=None)
    return sorted(
        (importer, imported)
        for importer in graph.modules
        for imported in graph.find_modules_directly_imported_by(importer)
    )


def rooms() -> set[str]:
    """Return the names of the rooms."""
    return {path.parent.name for path in (ROOT / "src" / "worldquiz").glob("*/__init__.py")}


def arrows() -> Arrows:
    """Count the imports from each room to each other one."""
    known = rooms()
    pairs = ((_room(a), _room(b)) for a, b in imports())
    return Counter((a, b) for a, b in pairs if a != b and {a, b} <= known)


def layers(counted: Arrows) -> list[list[str]]:
    """Return the rooms in layers, so that each stands above all that it imports."""
    below = {room: {b for a, b in counted if a == room} for room in rooms()}
    found: list[list[str]] = []
    placed: set[str] = set()
    while left := sorted(below.keys() - placed):
        ready = [room for room in left if below[room] <= placed] or left
        found.append(ready)
        placed.update(ready)
    return found[::-1]


def draw(counted: Arrows, target: Path) -> None:
    """Draw rooms as boxes and imports as arrows."""
    import matplotlib

    matplotlib.use("svg")
    matplotlib.rcParams["svg.hashsalt"] = "worldquiz"
    from matplotlib import pyplot

    places = {
        room: ((column + 1) / (len(row) + 1), -float(depth))
        for depth, row in enumerate(layers(counted))
        for column, room in enumerate(row)
    }
    figure, axes = pyplot.subplots(figsize=(9, 1.1 * len(layers(counted))))
    axes.axis("off")
    for (a, b), count in sorted(counted.items()):
        axes.annotate(
            "", places[b], places[a],
            arrowprops={
                "arrowstyle": "-|>", "color": "#888", "alpha": 0.7, "shrinkA": 16, "shrinkB": 16,
                "linewidth": 0.6 + min(count, 60) / 20, "connectionstyle": "arc3,rad=0.08",
            },
        )  # fmt: skip
    for room, (x, y) in places.items():
        face = "#dbe8ff" if room in BENCHMARKS else "#f4f4f4"
        box = {"boxstyle": "round,pad=0.5", "facecolor": face, "edgecolor": "#555"}
        axes.text(x, y, room, ha="center", va="center", fontsize=12, bbox=box)
    axes.set(xlim=(0, 1), ylim=(min(y for _, y in places.values()) - 0.5, 0.5))
    figure.savefig(target, metadata={"Date": None})


def table(counted: Arrows) -> str:
    """Return the arrows as JSON, by which a test sees whether the picture is current."""
    told = {f"{a} -> {b}": count for (a, b), count in sorted(counted.items())}
    return json.dumps(told, indent=2) + "\n"


def _room(module: str) -> str:
    return module.split(".")[1] if "." in module else ""


if __name__ == "__main__":
    found = arrows()
    draw(found, PICTURE)
    TABLE.write_text(table(found))
