"""Doubts about an imported scene, told on import and generation: reasons for few or odd tasks."""

from __future__ import annotations

from collections.abc import Iterator

from worldquiz_scenes.importing.assemble import STYLE
from worldquiz_scenes.importing.label_file import LABELS
from worldquiz_scenes.scene import UNKNOWN, Scene

FEW = 5
"""Things with labels below which little can be asked."""
EMPTY = 0.5
"""Share of rooms without a thing above which they are probably none."""
SMALL = 1.5
"""Square metres below which a room is probably none."""


def doubts(scene: Scene) -> Iterator[str]:
    """Yield what is doubtful about an imported scene, each with what to do; nothing of others."""
    if scene.style == STYLE:
        yield from _of_names(scene)
        yield from _of_rooms(scene)


def _of_names(scene: Scene) -> Iterator[str]:
    strange = [thing for thing in scene.things if not thing.has_label]
    total = len(scene.things)
    if strange:
        names = sorted({thing.label.removeprefix(f"{UNKNOWN} ") for thing in strange})
        yield (
            f"{len(strange)} of {total} things have names that are not known "
            f"({', '.join(names)}): tasks that use labels leave them out until {LABELS} gives them "
            "labels and the scene is imported again"
        )
    if total - len(strange) < FEW:
        yield (
            f"only {total - len(strange)} things have labels: expect few tasks, of few kinds; give "
            f"more names in the program that made the file, or labels in {LABELS}"
        )


def _of_rooms(scene: Scene) -> Iterator[str]:
    sizes: dict[str, float] = {}
    for room in scene.rooms:  # the parts of a room that is no rectangle count as one
        size = (room.high[0] - room.low[0]) * (room.high[1] - room.low[1])
        sizes[room.whole] = sizes.get(room.whole, 0.0) + size
    total = len(sizes)
    used = {scene.room[thing.room].whole for thing in scene.things}
    empty = [name for name in sizes if name not in used]
    if total > 1 and len(empty) > EMPTY * total:
        yield (
            f"{len(empty)} of {total} rooms hold nothing ({', '.join(empty)}): if the file does "
            "not show these rooms, name its floors and walls, or leave them out"
        )
    tiny = [name for name, size in sizes.items() if size < SMALL]
    if len(tiny) > EMPTY * total:
        yield (
            f"{len(tiny)} of {total} rooms are under {SMALL} square metres ({', '.join(tiny)}): "
            "check the unit (--unit)"
        )
    reached = {scene.room[name].whole for name in _reached(scene)}
    if cut := [name for name in sizes if name not in reached]:
        yield (
            f"{len(cut)} of {total} rooms cannot be walked to ({', '.join(cut)}): draw doors or "
            "gaps in the walls, else nobody sees them"
        )


def _reached(scene: Scene) -> set[str]:
    """Return the rooms that doorways lead to from where an agent begins."""
    x, y, _ = scene.start
    todo = [room.name for room in scene.rooms
            if room.low[0] <= x <= room.high[0] and room.low[1] <= y <= room.high[1]]  # fmt: skip
    found = set(todo)
    while todo:
        here = todo.pop()
        new = {name for door in scene.doors if here in door.rooms for name in door.rooms} - found
        found |= new
        todo += sorted(new)
    return found
