"""A balanced sample of tasks: evenly over types, and over the answers that a type's words allow.

What is asked in the same way of an object that is denoted otherwise is one type here; its forms
come equally often. Within a form, tasks come in matches (see `match`): neither saying always the
same nor reading the words earns more than chance (the paper's mirror counting was mostly nought).
A type that has too few such tasks for its share leaves the rest to the others.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from worldquiz import rng
from worldquiz.stats.sampling import shares
from worldquiz.tea.exam.match import drawn, matches
from worldquiz.tea.scoring.grade import family
from worldquiz.tea.taskgraph import Instance

TASKS, TRIPS = 848, 100
"""The paper's numbers of tasks and of navigation episodes."""
NAVIGATION = "navigation"


def families(tasks: Iterable[Instance]) -> dict[str, list[Instance]]:
    """Return tasks by what they ask, by name; each group by id."""
    found: dict[str, list[Instance]] = {}
    for task in sorted(tasks, key=lambda each: each.id):
        found.setdefault(family(task.type), []).append(task)
    return dict(sorted(found.items()))


def matched(tasks: Iterable[Instance], seed: int) -> dict[str, dict[str, int]]:
    """Return how many tasks of each type that is answered, and form, have a match."""
    return {
        name: {
            form: sum(len(each.levels) for each in matches(some, seed))
            for form, some in _forms(every).items()
        }
        for name, every in families(tasks).items()
        if name != NAVIGATION
    }


def sample(tasks: Sequence[Instance], size: int, seed: int) -> tuple[Instance, ...]:
    """Draw so many tasks that are answered, by id: fewer where balance allows no more."""
    there, types = matched(tasks, seed), families(tasks)
    found: list[Instance] = []
    every = {name: sum(forms.values()) for name, forms in there.items()}
    for name, share in shares(every, size).items():
        forms = _forms(types[name])
        for form, number in shares(there[name], share).items():
            found += drawn(forms[form], number, seed)
    return tuple(sorted(found, key=lambda each: each.id))


def episodes(tasks: Sequence[Instance], size: int, seed: int) -> tuple[Instance, ...]:
    """Draw so many walks, by id, evenly over scenes and over labels and pictures."""
    return tuple(sorted(order(tasks, seed)[:size], key=lambda each: each.id))


def order(tasks: Sequence[Instance], seed: int) -> list[Instance]:
    """Return all walks in the order in which they are drawn: from each scene and form in turn."""
    groups: dict[tuple[str, str], list[Instance]] = {}
    for task in sorted(tasks, key=lambda each: each.id):
        if family(task.type) == NAVIGATION:
            groups.setdefault((task.scene, task.type), []).append(task)
    piles = [groups[key] for key in sorted(groups)]
    for pile in piles:
        rng.child(seed, "tea-test", NAVIGATION, pile[0].scene, pile[0].type).shuffle(pile)
    rng.child(seed, "tea-test", NAVIGATION, "order").shuffle(piles)
    found: list[Instance] = []
    while any(piles):
        found += [pile.pop() for pile in piles if pile]
    return found


def _forms(tasks: Iterable[Instance]) -> dict[str, list[Instance]]:
    found: dict[str, list[Instance]] = {}
    for task in tasks:
        found.setdefault(task.type, []).append(task)
    return dict(sorted(found.items()))
