"""What can be asked of what was seen: G of the paper's equations 5 and 7."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from worldquiz.model.scene import Scene
from worldquiz.model.taskgraph import Instance
from worldquiz.model.view import View
from worldquiz.tasks.scene.kinds import Kind
from worldquiz.tasks.scene.moments import moments


def harvest(
    scene: Scene, views: Iterable[View], kinds: Sequence[Kind], *, loop: int = 1
) -> tuple[Instance, ...]:
    """Return every task that views of a scene give, once, in order of time, kind and id.

    It depends on each moment alone: views that come later change nothing of what was there before.
    """
    found: dict[str, Instance] = {}
    for moment in moments(scene, views):
        for kind in kinds:
            for each in kind.instances(moment, loop):
                found.setdefault(each.id, each)
    return tuple(found.values())
