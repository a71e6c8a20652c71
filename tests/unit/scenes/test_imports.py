"""The room of scenes stands alone: it imports no other room, and no circle of files in it."""

from __future__ import annotations

import ast
from functools import cache
from graphlib import TopologicalSorter
from pathlib import Path

import worldquiz.scenes

ROOM = Path(worldquiz.scenes.__file__).parent
ROOT_FILES = {"errors", "extras", "records", "rng", "trust"}


@cache
def imported() -> dict[str, frozenset[str]]:
    """Return the modules of worldquiz that each module of the room imports, late ones included."""
    found = {}
    for path in sorted(ROOM.rglob("*.py")):
        tree = ast.parse(path.read_text())
        names = set()
        for node in ast.walk(tree):
            if isinstance(node, ast.ImportFrom) and node.module:
                names |= {node.module, *(f"{node.module}.{each.name}" for each in node.names)}
            elif isinstance(node, ast.Import):
                names |= {each.name for each in node.names}
        ours = frozenset(name for name in names if name.startswith("worldquiz."))
        parts = path.relative_to(ROOM.parents[1]).with_suffix("").parts
        found[".".join(parts).removesuffix(".__init__")] = ours
    return found


def test_scenes_import_no_other_room() -> None:
    rooms = {name.split(".")[1] for names in imported().values() for name in names}
    assert rooms <= {"scenes", *ROOT_FILES}


def test_no_files_import_each_other_in_a_circle() -> None:
    known = imported()
    graph = {
        name: {each for each in names if each in known and not f"{name}.".startswith(f"{each}.")}
        for name, names in known.items()
    }
    TopologicalSorter(graph).prepare()  # raises CycleError, which names the circle
