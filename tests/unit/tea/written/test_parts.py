"""Parts: what is asked next follows from the replies, however a run was broken off."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from views import scene, sighting, thing, view
from worldquiz.tea.taskgraph import Box2, Goal
from worldquiz.tea.written.marks import MOST, Request, marks, prompt, rule_based
from worldquiz.tea.written.parts import TRIES, WITHOUT, WritingPart, second
from worldquiz_scenes.scene import Scene

FLAT = scene(thing("mug-1"), thing("desk-1"), thing("sofa-1"), thing("lamp-1"))
NEAR = frozenset({"mug-1", "desk-1", "sofa-1"})
VIEWS = (
    view(sighting("mug-1"), sighting("desk-1", box=(10, 20, 90, 90)), time=1.0),
    view(sighting("sofa-1", box=(5, 5, 80, 80)), sighting("mug-1"), time=2.0),
)


def part(quota: int = 10, batch: int = 5, name: str = WITHOUT, flat: Scene = FLAT) -> WritingPart:
    return WritingPart(flat, name, quota, VIEWS, NEAR, batch)


def said(request: Request, tasks: int) -> dict[str, Any]:
    told = [{"command": f"Do thing {n}.", "object": 1} for n in range(tasks)]
    return {"id": request.id, "reply": json.dumps({"tasks": told})}


def answered(one: WritingPart, tasks: int) -> dict[str, dict[str, Any]]:
    """Answer every request with so many tasks, and return the replies."""
    lines: dict[str, dict[str, Any]] = {}
    while todo := one.missing(lines):
        lines |= {request.id: said(request, tasks) for request in todo}
    return lines


def test_marks_are_clear_near_and_numbered_from_the_left() -> None:
    seen = view(
        sighting("mug-1"), sighting("desk-1", box=(10, 20, 90, 90)),
        sighting("lamp-1"), sighting("sofa-1", pixels=20),
    )  # fmt: skip
    found = marks(FLAT, seen, NEAR)
    assert [(mark.number, mark.thing) for mark in found] == [(1, "desk-1"), (2, "mug-1")]


def test_of_many_things_the_largest_are_marked() -> None:
    every = [thing(f"cup-{n}") for n in range(30)]
    seen = view(*(sighting(each.id, 1000 + n) for n, each in enumerate(every)))
    found = marks(scene(*every), seen, {each.id for each in every})
    assert len(found) == MOST
    assert {mark.thing for mark in found} == {each.id for each in every[30 - MOST :]}


def test_requests_go_round_the_views() -> None:
    asked = part(quota=15).missing({})
    assert [request.number for request in asked] == [1, 2, 3]
    assert [request.view for request in asked] == [VIEWS[0], VIEWS[1], VIEWS[0]]
    assert asked[0].id == "flat-0/without/0001"


def test_two_parts_ask_the_same_in_the_same_words() -> None:
    one, other = (part(name=name).missing({})[0] for name in (WITHOUT, second(1)))
    told = [prompt(request) for request in (one, other)]
    assert told[0] == told[1]
    assert not any(word in told[0].lower() for word in ("without", "tea", "loop", "round"))


def test_tasks_stop_at_the_quota_and_are_bound() -> None:
    one = part(quota=7)
    found = one.written(answered(one, 5))
    assert len(found.tasks) == 7
    assert len(found.requests) == 2
    task = found.tasks[0]
    assert task.id == "command/flat-0/without/0001-1"
    assert task.bind["object"] == "desk-1"
    assert task.given == {"object.box2d": Box2((10, 20, 90, 90))}
    assert task.truth == Goal("desk-1", 1.0)
    assert {task.loop for task in found.tasks} == {1}
    later = part(name=second(2))
    assert later.written(answered(later, 5)).tasks[0].loop == 2


@pytest.mark.parametrize("tasks", [0, 1])
def test_who_is_of_little_use_is_asked_again_but_not_for_ever(tasks: int) -> None:
    one = part()
    found = one.written(answered(one, tasks))
    assert len(found.requests) == TRIES * 2
    assert len(found.tasks) == min(10, tasks * TRIES * 2)


@given(st.lists(st.integers(0, 5), min_size=12, max_size=12), st.randoms())
def test_a_broken_run_asks_what_a_whole_one_asks(counts: list[int], draw: Any) -> None:
    one = part()
    whole: dict[str, dict[str, Any]] = {}
    while todo := one.missing(whole):
        whole |= {each.id: said(each, counts[each.number]) for each in todo}
    broken: dict[str, dict[str, Any]] = {}
    while todo := one.missing(broken):
        some = draw.sample(todo, draw.randint(1, len(todo)))
        broken |= {each.id: said(each, counts[each.number]) for each in some}
    assert broken == whole
    assert one.written(broken) == one.written(whole)


def test_templates_are_read_like_a_models_reply() -> None:
    one = part(quota=20)
    lines = {}
    for request in one.missing({}):
        lines[request.id] = {"id": request.id, "reply": rule_based(request)}
    found = one.written(lines)
    assert len(found.tasks) == 20
    assert not found.dropped
    assert {task.command for task in found.tasks} == {
        "Go to the mug.", "Go to the desk.", "Go to the sofa.",
    }  # fmt: skip
