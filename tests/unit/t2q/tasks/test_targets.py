"""What the tasks of every world promise: no filler, and nothing told of keys."""

from __future__ import annotations

from itertools import permutations
from typing import Any

Bundles = dict[str, list[Any]]


def is_within(commands: tuple[str, ...], others: tuple[str, ...]) -> bool:
    left = iter(others)
    return all(command in left for command in commands)


def test_no_task_is_part_of_another_and_hardly_any_is_one_command(bundles: Bundles) -> None:
    for level, some in bundles.items():
        lengths: list[int] = []
        for bundle in some:
            for later in (False, True):
                visit = [task for task in bundle.tasks if task.later is later]
                plans = [task.walkthrough.commands for task in visit]
                lengths += map(len, plans)
                assert not any(is_within(*pair) for pair in permutations(plans, 2)), bundle.spec.id
        assert lengths.count(1) <= 0.05 * len(lengths), level


def test_every_key_is_asked_for_in_company_whatever_it_fits(bundles: Bundles) -> None:
    """In worlds that give all tasks: with a thing that is no key, or to be left somewhere."""
    for bundle in (*bundles["easy"], *bundles["medium"], *bundles["hard"]):
        kinds = bundle.spec.kinds
        asked = {fact.args[0] for task in bundle.tasks for fact in task.goal}
        assert asked.issuperset(bundle.spec.of_kind("key"))
        for task in bundle.tasks:
            alone = all(kinds[fact.args[0]] == "key" for fact in task.goal)
            assert not (alone and task.verb == "fetch"), task.objective
            for fact in task.goal:
                assert (fact.predicate, kinds[fact.args[0]]) != ("in", "key"), task.objective


def test_tasks_cover_every_room_and_thing(bundles: Bundles) -> None:
    for bundle in (*bundles["easy"], *bundles["medium"], *bundles["hard"]):
        assert {name for task in bundle.tasks for name in task.covers} == {*bundle.spec.kinds}
