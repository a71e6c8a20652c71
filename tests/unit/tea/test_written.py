"""Tasks that a model writes: marks, requests, replies, evolution and the sets of the tables."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from views import scene, sighting, thing, view
from worldquiz.tea.kinds.kinds import Box2, Crop, Goal, Instance
from worldquiz.tea.written.ask import (
    BATCH,
    ILL_FORMED,
    LONGEST,
    MOST,
    SURPLUS,
    TYPE,
    UNBOUND,
    UNREADABLE,
    WITHOUT,
    Request,
    grown,
    marks,
    requests,
)
from worldquiz.tea.written.tables import SETS, differences_of, sets

FLAT = scene(thing("mug-1"), thing("desk-1"), thing("sofa-1"), thing("lamp-1"))
NEAR = frozenset({"mug-1", "desk-1", "sofa-1"})
VIEWS = (
    view(sighting("mug-1"), sighting("desk-1", box=(10, 20, 90, 90)), time=1.0),
    view(sighting("sofa-1", box=(5, 5, 80, 80)), sighting("mug-1"), time=2.0),
)
MARKS = tuple((thing(id), sighting(id)) for id in ("mug-1", "desk-1", "book-1", "book-2"))
ASKED = Request("flat", WITHOUT, 1, VIEWS[0], MARKS)
JSON = st.recursive(
    st.none() | st.booleans() | st.integers(-5, 200) | st.floats() | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(
        st.sampled_from(["tasks", "command", "object", "other", "label", "box", "number"]), inner
    ),
    max_leaves=12,
)  # fmt: skip
SHARES = st.floats(0, 1, allow_nan=False).map(lambda value: round(value, 3))


def reply(*tasks: Any) -> str:
    return json.dumps({"tasks": list(tasks)})


def task(text: str = "Wipe the mug.", object: Any = 1, **more: Any) -> dict[str, Any]:
    return {"command": text, "object": object, **more}


def test_marks_are_clear_near_and_numbered_from_the_left() -> None:
    seen = view(
        sighting("mug-1"), sighting("desk-1", box=(10, 20, 90, 90)),
        sighting("lamp-1"), sighting("sofa-1", pixels=20),
    )  # fmt: skip
    found = marks(FLAT, seen, NEAR)
    assert [each.id for each, _ in found] == ["desk-1", "mug-1"]
    every = [thing(f"cup-{n}") for n in range(30)]  # of many things the largest are marked
    seen = view(*(sighting(each.id, 1000 + n) for n, each in enumerate(every)))
    found = marks(scene(*every), seen, {each.id for each in every})
    assert {each.id for each, _ in found} == {each.id for each in every[30 - MOST :]}


def test_requests_go_round_the_views_in_the_same_words_for_every_part() -> None:
    asked, other = (requests(FLAT, name, 12, VIEWS, NEAR) for name in (WITHOUT, "second-1"))
    assert [request.view for request in asked] == [VIEWS[0], VIEWS[1], VIEWS[0]]
    assert asked[0].id == "flat-0/without/0001"
    assert [each.words() for each in asked] == [each.words() for each in other]
    said = asked[0].words().lower()
    assert not any(word in said for word in ("without", "tea", "loop", "round"))
    assert requests(FLAT, WITHOUT, 12, (), NEAR) == []


# Replies


@pytest.mark.parametrize(
    ("told", "thing"),
    [(2, "desk-1"), (2.0, "desk-1"), ("2", "desk-1"), ("#2", "desk-1"), ("the Desk", "desk-1"),
     ("book", None),  # two of them
     (0, None), (99, None), (True, None), (1.5, None), ("999999999999", None), (None, None),
     ({"number": 2}, None), ([1, 2], None)],
)  # fmt: skip
def test_a_thing_is_named_by_its_number_or_its_label(told: Any, thing: str | None) -> None:
    found, _ = ASKED.read(reply(task(object=told)))
    assert [each.bind["object"] for each in found] == ([thing] if thing else [])
    pair, _ = ASKED.read(reply(task("Bring the mug to it.", 1, other=told or 99)))
    assert [each.bind.get("other") for each in pair] == ([thing] if thing else [])


@pytest.mark.parametrize(
    ("text", "count"),
    [
        (reply(task(), task(object=2)), 2),
        ("```json\n" + reply(task()) + "\n```", 1),
        ("Sure {as asked}: " + reply(task(), task()) + " Anything else?", 2),
        ("<think>" + reply(task()) + "</think>" + reply(task(object=2)), 1),
        (reply(task()).removesuffix("]}"), 1),
        ("I would rather not.", 0),
        ("", 0),
        ('{"tasks": []}', 0),
        ('{"tasks": "none"}', 0),
        ("[" * 50_000, 0),
    ],
)
def test_json_is_found_among_words(text: str, count: int) -> None:
    found, dropped = ASKED.read(text)
    assert (len(found), dropped[UNREADABLE]) == (count, not count)


@pytest.mark.parametrize(
    ("told", "drop"),
    [
        (task("Go."), ILL_FORMED), ({"object": 1}, ILL_FORMED), ("Wipe the mug.", ILL_FORMED),
        (task("word " * LONGEST), ILL_FORMED),
        (task(object=99), UNBOUND), (task(object=1, other=77), UNBOUND),
    ],
)  # fmt: skip
def test_what_is_dropped_has_a_reason(told: Any, drop: str) -> None:
    found, dropped = ASKED.read(reply(told, task()))
    assert (len(found), dropped) == (1, {drop: 1})


@given(st.lists(JSON, max_size=9))
def test_every_task_of_a_reply_is_kept_or_counted(tasks: list[Any]) -> None:
    found, dropped = ASKED.read(json.dumps({"tasks": tasks}))
    assert len(found) + dropped.total() - dropped[UNREADABLE] == len(tasks)
    assert dropped[UNREADABLE] == (not tasks)
    assert dropped[SURPLUS] == max(0, len(tasks) - BATCH)


# Evolution, and the sets of the tables


ROOM = scene(*map(thing, ("mug-1", "sofa-1", "book-1", "book-2")))


def wrote(number: int, text: str, object: str, view: str, **other: str) -> Instance:
    bind = {"view": view, "agent": "agent", "object": object, **other}
    given = {"object.box2d": Box2((number, 0, number + 9, 9))}
    return Instance(f"command/flat-0/first/{number:04d}-1", TYPE, "flat-0", view, bind, text,
                    Goal(object, 1.0), given, "first")  # fmt: skip


def grow(*tasks: Instance) -> dict[str, Instance]:
    """Return all that tasks grow into, with ballast that grows into nothing."""
    ballast = [wrote(n, "Please be quiet now.", "book-1", f"{n:04d}-ego") for n in range(90, 99)]
    return {each.id.split("first/")[1]: each for each in grown(ROOM, [*tasks, *ballast])}


def test_a_task_is_reused_and_told_by_a_picture() -> None:
    found = grow(
        wrote(1, "A MUG is wanted on the sofa.", "mug-1", "0001-ego", other="sofa-1"),
        wrote(2, "Look at it well.", "mug-1", "0002-ego"),
    )
    assert found["0001-1/reuse"].command == "Go to the mug."
    assert found["0001-1/reuse"].type == "navigation"
    assert "0002-1/reuse" not in found  # it would say the same
    pictured = found["0001-1/picture"]
    assert pictured.command == "The object in picture 2 is wanted on the sofa."
    assert pictured.given == {"object.picture": Crop("0002-ego", (2, 0, 11, 9))}
    assert "0001-1/reuse" not in grow(wrote(1, "Go to the mug.", "mug-1", "0001-ego"))
    assert grow() == {}


@given(*[st.integers(0, 9)] * 4)
def test_the_sets_of_a_scene_are_of_one_size_and_executed_tasks_take_turns(
    a: int, b: int, c: int, d: int
) -> None:
    counts = {"without": a, "first": b, "second-1": c, "second-2": d}
    every = [
        replace(wrote(n, "Wipe it.", "mug-1", "v"), id=f"{name}/{n}", origin=name)
        for name, count in counts.items()
        for n in range(count)
    ]
    found = sets(every)
    assert {len(found.get(name, [])) for name in SETS} == {min(a, b, c + d)}
    turns = [each.origin for each in found.get("second", [])][: 2 * min(c, d)]
    assert turns == (["second-1", "second-2"] * 9)[: len(turns)]
    parts = [number for number in (1, 2) if f"first-{number}" in found]
    assert sum(len(found[f"first-{number}"]) for number in parts) <= b
    assert all(len(found[f"first-{n}"]) <= len(found[f"second-{n}"]) for n in parts)


@given(st.lists(st.tuples(SHARES, SHARES, SHARES), min_size=2, max_size=12))
@settings(max_examples=30, deadline=None)
def test_the_paired_test_is_scipys(shares: list[tuple[float, float, float]]) -> None:
    stats = pytest.importorskip("scipy.stats")
    rows = [
        {"writer": "m", "scene": str(n), "set": name, "mir": value}
        for n, values in enumerate(shares)
        for name, value in zip(SETS, values, strict=True)
    ]
    without, first, _ = zip(*shares, strict=True)
    found = next(each for each in differences_of(rows) if each["difference"] == "first - without")
    gaps = [round(one - two, 9) for one, two in zip(first, without, strict=True)]
    assert found["mean"] == pytest.approx(sum(gaps) / len(gaps), abs=1e-9)
    assert found["scenes"] == len(gaps)
    if found["t"] is None:
        assert len(set(gaps)) == 1
    else:
        known = stats.ttest_rel(first, without)
        assert (found["t"], found["p"]) == pytest.approx((known.statistic, known.pvalue), rel=1e-6)
