"""Tasks where they were asked: pictures as long as there is room, and what a plan shows of them."""

from __future__ import annotations

from dataclasses import replace
from math import hypot
from re import findall

import pytest

import scenes
import tea_contest
from worldquiz.report import asked
from worldquiz.tea.report import examples, plan, situated, tables
from worldquiz.tea.scoring.contest import Contest
from worldquiz_scenes.view import EGO, Camera, View

STUDIO = scenes.studio()


def view(camera: Camera, id: str = "v") -> View:
    return View(id, 0.0, "studio", "studio", camera, (1.0, 1.0, 0.5), (), (), {})


def camera(name: str = EGO) -> Camera:
    return Camera(name, (1.0, 1.0, 1.6), (1.0, 0.0, 0.0), (0.0, 0.0, 1.0), 60.0, 320, 240)


def with_views(contest: Contest) -> Contest:
    ids = {task.view for task in (*contest.tasks.values(), *contest.walks.values())}
    views = {id: view(camera(), id) for id in sorted(ids)}
    return replace(contest, views={"studio": views}, photo=lambda one: one.id.encode())


def test_blocks_have_the_tasks_in_the_order_of_the_list() -> None:
    contest = with_views(tea_contest.contest())
    shown = tables.entries(contest)
    rows = examples.rows(contest, shown)
    worlds, listed = asked.of_rows(rows)
    blocks = situated.blocks(contest, shown, rows)
    assert [len(block["tasks"]) for block in blocks] == [len(world.types) for world in worlds]
    for block, questions in zip(blocks, listed, strict=True):
        for task, question in zip(block["tasks"], questions, strict=True):
            assert bool(task["walks"]) == (question["type"] == "navigation")
            assert task["view"] in block["views"]


def test_pictures_are_those_of_most_tasks_as_long_as_there_is_room(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    contest = with_views(tea_contest.contest())
    every = situated._pictures(contest)
    assert every
    least = len(next(iter(every.values())))
    assert list(situated._pictures(contest, least)) == list(every)[:1]
    assert situated._pictures(contest, least - 1) == {}
    assert situated._pictures(replace(contest, photo=None)) == {}


def test_a_view_is_drawn_within_the_flat_and_within_reach() -> None:
    drawn = plan.looking(STUDIO, view(camera()))
    cone = drawn[drawn.index('class="cone" d="') :].split('"')[3]
    points = [(float(x) / 100, -float(y) / 100) for x, y in findall(r"(-?[\d.]+) (-?[\d.]+)", cone)]
    assert points[0] == (1.0, 1.0)
    for x, y in points[1:]:
        assert hypot(x - 1, y - 1) <= plan.REACH + 0.01
        assert min(room.low[0] for room in STUDIO.rooms) - 0.01 <= x
        assert x <= max(room.high[0] for room in STUDIO.rooms) + 0.01
    assert "person" not in drawn
    assert "person" in plan.looking(STUDIO, view(camera("watch")))
