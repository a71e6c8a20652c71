"""Relationship detection: how one object stands to another, as the camera sees it.

*On* and *under* say what stands on what. Else the two boxes are compared along the camera's axes:
the relation is that of the axis along which they are farthest apart, if that gap is far greater
than the others. Pairs without one plain answer are not asked.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from itertools import permutations

from worldquiz import rng
from worldquiz.scenes.geometry import box3
from worldquiz.scenes.scene import Scene, Thing
from worldquiz.scenes.view import Camera
from worldquiz.tea.kinds.kinds import (
    LABEL,
    OBJECT,
    OTHER,
    PICTURE,
    SHOWS,
    VIEW,
    Found,
    Kind,
    key,
    task_type,
)
from worldquiz.tea.kinds.observations import Look, Moment
from worldquiz.tea.kinds.perception import lone
from worldquiz.tea.taskgraph import Edge, Truth, Word

GAP = 0.15
"""Metres that two boxes must be apart for a relation of direction."""
EACH = 2
"""Pairs of one view for each relation: else *left* and *right* would be most answers."""
PLAIN = 2.0
"""How many times the next gap the greatest one must be."""
RELATIONS = (
    "on", "under", "left of", "right of", "above", "below", "in front of", "behind",
)  # fmt: skip
_AXES = (("left of", "right of"), ("above", "below"), ("in front of", "behind"))


def relation(scene: Scene, camera: Camera, thing: Thing, other: Thing) -> str | None:
    """Return how a thing stands to another from a camera, None where that is not plain."""
    if thing.support == other.id:
        return "on"
    if other.support == thing.id:
        return "under"
    if other.id in scene.under(thing.id) or thing.id in scene.under(other.id):
        return None
    middle, size = box3(camera, thing)
    middle2, size2 = box3(camera, other)
    ways = [one - two for one, two in zip(middle, middle2, strict=True)]
    reach = [(one + two) / 2 for one, two in zip(size, size2, strict=True)]
    gaps = [abs(way) - far for way, far in zip(ways, reach, strict=True)]
    order = sorted(range(3), key=lambda axis: (-gaps[axis], axis))
    widest, next_ = gaps[order[0]], gaps[order[1]]
    if widest < GAP or widest < PLAIN * next_:
        return None
    return _AXES[order[0]][ways[order[0]] > 0]


def _find(moment: Moment) -> Iterator[Found]:
    for look in moment.looks:
        yield from _drawn(look, list(_related(look)))


def _related(look: Look) -> Iterator[Found]:
    for (thing, _), (other, _) in permutations(lone(look), 2):
        answer = relation(look.scene, look.view.camera, thing, other)
        if answer is not None:
            yield Found(
                look,
                {OBJECT.name: thing.id, OTHER.name: other.id},
                {key(OBJECT, LABEL): Word(thing.label), key(OTHER, LABEL): Word(other.label)},
                Word(answer),
            )


def _drawn(look: Look, found: list[Found]) -> Iterator[Found]:
    """Draw a few pairs of a view for each relation."""
    drawn: Counter[Truth] = Counter()
    for each in rng.child(0, "relations", look.view.id).sample(found, len(found)):
        drawn[each.truth] += 1
        if drawn[each.truth] <= EACH:
            yield each


RELATION = Kind(
    task_type(
        "relation",
        {VIEW, OBJECT, OTHER},
        {Edge(VIEW.name, SHOWS, OBJECT.name), Edge(VIEW.name, SHOWS, OTHER.name)},
        {(VIEW, PICTURE), (OBJECT, LABEL), (OTHER, LABEL)},
        {((OBJECT, OTHER), "relation")},
    ),
    "As you see them, how does {object} stand to {other}? Answer with one of: "
    + ", ".join(RELATIONS)
    + ".",
    _find,
)
