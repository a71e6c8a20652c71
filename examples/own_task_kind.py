"""A kind of task of your own: of two objects in a view, which is nearer to the camera?

A kind is a graph (what is given, what is asked), the words of its command, and a function that
finds its instances in a moment. Reuse and recombination then take it up by its graph alone.

    uv run python examples/own_task_kind.py
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations

from worldquiz.tea import (
    LABEL,
    OBJECT,
    OTHER,
    PICTURE,
    VIEW,
    Choice,
    Found,
    TaskKind,
    ViewMoment,
    forms,
    labelled,
    shows,
    task_type,
)

PLAIN = 1.3
"""How many times farther the other must be for a plain answer."""
ANSWERS = ("first", "second")


def _find(moment: ViewMoment) -> Iterator[Found]:
    look = moment.ego
    alone = [(thing, sighting) for thing, sighting in look.clear if look.alone(thing)]
    for (thing, one), (other, two) in combinations(alone, 2):
        near, far = sorted((one.depth, two.depth))
        if far >= PLAIN * near:
            yield Found(
                look,
                {OBJECT.name: thing.id, OTHER.name: other.id},
                {**labelled(thing), **labelled(other, OTHER)},
                Choice("first" if one.depth < two.depth else "second", ANSWERS),
            )


NEARER = TaskKind(
    task_type(
        "nearer",
        {VIEW, OBJECT, OTHER},
        shows(OBJECT, OTHER),
        {(VIEW, PICTURE), (OBJECT, LABEL), (OTHER, LABEL)},
        {((OBJECT, OTHER), "nearer")},
    ),
    "Which is nearer to the camera: {object} or {other}? Answer with first or second.",
    _find,
)


def main() -> None:
    """Tell which types of task the kind has, its own and those that recombination makes."""
    for form in forms([NEARER]):
        given = ", ".join(sorted(each.name for each in form.type.initial.attributes))
        print(f"{form.type.name}: given {given}")


if __name__ == "__main__":
    main()
