"""Commands read from replies: what is bound, what is dropped, and that nothing is lost unseen."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from worldquiz.llm.model import Status
from worldquiz.tea.written.marks import Mark
from worldquiz.tea.written.parts import LONGEST, Drop, bound, read

MARKS = (
    Mark(1, "mug-1", "mug", (10, 10, 30, 30)),
    Mark(2, "desk-1", "desk", (0, 40, 100, 90)),
    Mark(3, "book-1", "book", (50, 10, 60, 30)),
    Mark(4, "book-2", "book", (70, 10, 80, 30)),
)
JSON = st.recursive(
    st.none() | st.booleans() | st.integers(-5, 200) | st.floats() | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(
        st.sampled_from(["tasks", "command", "object", "other", "label", "box", "number"]), inner
    ),
    max_leaves=12,
)  # fmt: skip


def reply(*tasks: Any) -> str:
    return json.dumps({"tasks": list(tasks)})


def task(text: str = "Wipe the mug.", object: Any = 1, **more: Any) -> dict[str, Any]:
    return {"command": text, "object": object, **more}


def test_a_clean_reply_is_bound_by_its_numbers() -> None:
    told = read(reply(task("Bring the mug to the desk.", 1, other=2), task(object=3)), MARKS, 5)
    assert told.status is Status.CLEAN
    assert [(c.object.thing, c.other and c.other.thing) for c in told.commands] == [
        ("mug-1", "desk-1"), ("book-1", None),
    ]  # fmt: skip
    assert not told.dropped


@pytest.mark.parametrize(
    ("told", "thing"),
    [
        (2, "desk-1"),
        (2.0, "desk-1"),
        ("2", "desk-1"),
        ("#2", "desk-1"),
        ("the Desk", "desk-1"),
        ("book", None),  # two of them
        (0, None),
        (99, None),
        (True, None),
        (1.5, None),
        ("999999999999", None),
        (None, None),
        ({"number": 2}, None),
        ([1, 2], None),
    ],
)
def test_what_names_a_thing(told: Any, thing: str | None) -> None:
    found = bound(told, MARKS)
    assert (found.thing if found else None) == thing


@pytest.mark.parametrize(
    ("text", "count", "status"),
    [
        ("```json\n" + reply(task()) + "\n```", 1, Status.REPAIRED),
        ("Sure {as asked}: " + reply(task(), task()) + " Anything else?", 2, Status.REPAIRED),
        ("<think>" + reply(task()) + "</think>" + reply(task(object=2)), 1, Status.REPAIRED),
        (reply(task()).removesuffix("]}"), 1, Status.REPAIRED),
        (json.dumps([task(), task(object=2)]), 2, Status.REPAIRED),
        (json.dumps(task()), 1, Status.REPAIRED),
        ("I would rather not.", 0, Status.UNREADABLE),
        ("", 0, Status.UNREADABLE),
        ('{"tasks": []}', 0, Status.UNREADABLE),
        ('{"tasks": "none"}', 0, Status.UNREADABLE),
        ("[" * 50_000, 0, Status.UNREADABLE),
    ],
)
def test_json_is_found_among_words(text: str, count: int, status: Status) -> None:
    told = read(text, MARKS, 5)
    assert (len(told.commands), told.status) == (count, status)
    assert told.dropped[Drop.UNREADABLE] == (status is Status.UNREADABLE)


@pytest.mark.parametrize(
    ("given_", "drop"),
    [
        (task("Go."), Drop.ILL_FORMED),
        (task(""), Drop.ILL_FORMED),
        ({"object": 1}, Drop.ILL_FORMED),
        ("Wipe the mug.", Drop.ILL_FORMED),
        (task("word " * LONGEST), Drop.TOO_LONG),
        (task(object=99), Drop.UNBOUND),
        (task(object=None), Drop.UNBOUND),
        (task(object=1, other=77), Drop.UNBOUND),
    ],
)
def test_what_is_dropped_has_a_reason(given_: Any, drop: Drop) -> None:
    told = read(reply(given_, task()), MARKS, 5)
    assert len(told.commands) == 1
    assert told.dropped == {drop: 1}


def test_no_more_are_taken_than_were_asked_for_and_repetitions_stay() -> None:
    told = read(reply(*[task()] * 7), MARKS, 5)
    assert len(told.commands) == 5
    assert told.dropped == {Drop.SURPLUS: 2}


@given(st.lists(JSON, max_size=6))
def test_every_task_of_a_reply_is_kept_or_counted(tasks: list[Any]) -> None:
    told = read(json.dumps({"tasks": tasks}), MARKS, 3)
    lost = sum(told.dropped.values()) - told.dropped[Drop.UNREADABLE]
    assert len(told.commands) + lost == len(tasks)
    assert (told.status is Status.UNREADABLE) == (not tasks)
