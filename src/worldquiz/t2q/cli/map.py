"""A world's map in plain text: rooms on their grid, passages between them, doors by their state."""

from __future__ import annotations

from worldquiz.facts.fact import DOOR_AT, LEADS
from worldquiz.t2q.world.spec import WorldSpec

LEGEND = "* start   - | passage   / open door   + closed door   # locked door"


def drawn(spec: WorldSpec) -> str:
    """Return the map; rows run from north to south, each room under its own cell."""
    cells = {(room.x, room.y): room.name for room in spec.rooms}
    columns = sorted({x for x, _ in cells})
    marks = _marks(spec)
    width = max(len(name) for name in cells.values()) + 1
    lines = []
    for y in sorted({y for _, y in cells}, reverse=True):
        across = below = ""
        for x in columns:
            name = cells.get((x, y), "")
            label = f"*{name}" if name == spec.start else name
            across += f"{label:^{width}} {marks.get((name, 'east'), ' ')} "
            below += f"{marks.get((name, 'south'), ' '):^{width}}   "
        lines += [across.rstrip(), below.rstrip()]
    return "\n".join(lines[:-1])


def _marks(spec: WorldSpec) -> dict[tuple[str, str], str]:
    """Return a sign for each exit, by room and direction."""
    state = spec.initial
    marks = {
        (room, way): "-" if way in ("east", "west") else "|"
        for room, way, _ in LEADS.of(spec.facts)
    }
    flags = {fact.args[0]: fact.predicate for fact in state if fact.predicate in ("open", "shut")}
    locked = {fact.args[0] for fact in state if fact.predicate == "locked"}
    for door, room, way in DOOR_AT.of(spec.facts):
        marks[room, way] = "#" if door in locked else "/" if flags[door] == "open" else "+"
    return marks
