"""Doubts about an imported scene, told on import and generation: reasons for few or odd tasks."""

from __future__ import annotations

from collections.abc import Iterator

from worldquiz_scenes.importing.assemble import STYLE
from worldquiz_scenes.importing.label_file import LABELS
from worldquiz_scenes.scene import UNKNOWN, Scene

FEW = 5  # things with labels below which little can be asked


def doubts(scene: Scene) -> Iterator[str]:
    """Yield what is doubtful about an imported scene, each with what to do; nothing of others."""
    if scene.style != STYLE:
        return
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
    x, y, _ = scene.start
    todo = [room.name for room in scene.rooms
            if room.low[0] <= x <= room.high[0] and room.low[1] <= y <= room.high[1]]  # fmt: skip
    reached = set(todo)
    while todo:
        here = todo.pop()
        beyond = {name for door in scene.doors if here in door.rooms for name in door.rooms}
        todo += sorted(beyond - reached)
        reached |= beyond
    whole = {scene.room[name].whole for name in reached}  # the parts of one room count as one
    rooms = dict.fromkeys(room.whole for room in scene.rooms)
    if cut := [name for name in rooms if name not in whole]:
        yield (
            f"{len(cut)} of {len(rooms)} rooms cannot be walked to ({', '.join(cut)}): draw doors "
            "or gaps in the walls, else nobody sees them"
        )
