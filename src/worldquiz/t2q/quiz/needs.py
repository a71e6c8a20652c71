"""Needs: whether a thing can be had without unlocking some door or container.

Questions come in fours, about two things and two locks; each thing needs one of the locks and not
the other. So the number of questions that name a lock or a thing gives nothing away.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations, permutations

from worldquiz.t2q.quiz.family import INFER, Draft, Family, Group, Wording
from worldquiz.t2q.quiz.inferred import map_of, spared
from worldquiz.t2q.world.spec import MOVABLE


def rule(draft: Draft) -> Iterator[Group]:
    """Ask about two locks and two things at a time, never twice about the same thing and lock."""
    spec, start = draft.spec, draft.spec.start
    graph, things = map_of(spec.initial), draft.shuffled(spec.of_kind(*MOVABLE))
    needed = {
        (thing, lock): not spared(graph, start, thing, lock)
        for thing in things
        for lock in sorted(spec.key_of)
    }
    asked = set[tuple[str, str]]()
    for pair in draft.shuffled(combinations(things, 2)):
        for locks in draft.shuffled(permutations(sorted(spec.key_of), 2)):
            four = [(thing, lock) for thing in pair for lock in locks]
            apart = [needed[each] for each in four] == [True, False, False, True]
            if apart and asked.isdisjoint(four):
                asked.update(four)
                yield [
                    draft.ask("yes_no", SPARED, not needed[thing, lock], start=start, thing=thing,
                              lock=lock)
                    for thing, lock in four
                ]  # fmt: skip


SPARED = Wording(
    "spared",
    "Starting in the {start}, can one take the {thing} without ever unlocking the {lock}? Every "
    "other lock may be opened with its key, if one can get at that.",
    spared,
    lambda sheet, start, thing, lock: 0.5,
)
FAMILY = Family("needs", rule, (SPARED,), preset=INFER)
