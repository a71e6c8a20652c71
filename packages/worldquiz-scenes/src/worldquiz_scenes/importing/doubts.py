"""Doubts about an imported scene, told on import and generation: reasons for few or odd tasks."""

from __future__ import annotations

from collections.abc import Iterator

from worldquiz_scenes.importing.assemble import STYLE
from worldquiz_scenes.importing.label_file import LABELS
from worldquiz_scenes.locomotion import Ground
from worldquiz_scenes.scene import UNKNOWN, Scene


def doubts(scene: Scene) -> Iterator[str]:
    """Yield what is doubtful about an imported scene, each with what to do; nothing of others."""
    if scene.style != STYLE:
        return
    if strange := [thing for thing in scene.things if not thing.has_label]:
        names = sorted({thing.label.removeprefix(f"{UNKNOWN} ") for thing in strange})
        yield (
            f"{len(strange)} of {len(scene.things)} things have names that are not known "
            f"({', '.join(names)}): tasks that use labels leave them out until {LABELS} gives them "
            "labels and the scene is imported again"
        )
    ground = Ground(scene)
    reached = {ground.room(x, y) for x, y in ground.grid.points.tolist()}
    rooms = dict.fromkeys(room.whole for room in scene.rooms)  # the parts of one count as one
    whole = {scene.room[name].whole for name in reached if name}
    if cut := [name for name in rooms if name not in whole]:
        yield (
            f"{len(cut)} of {len(rooms)} rooms cannot be walked to ({', '.join(cut)}): draw doors "
            "or gaps in the walls, else nobody sees them"
        )
