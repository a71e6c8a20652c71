"""What can be asked of what was seen: G of the paper's equations 5 and 7."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from worldquiz.scenes.scene import Scene
from worldquiz.scenes.view import View
from worldquiz.tea.kinds.kinds import Kind
from worldquiz.tea.kinds.observations import moments
from worldquiz.tea.taskgraph import Instance


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
