"""TEA-Test for a person: each form of answer becomes the reply that a model would give."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any, cast

import pytest

from worldquiz.tea.exam.exam import Exam
from worldquiz.tea.exam.show import choices
from worldquiz.tea.human import Tasks
from worldquiz.tea.scoring.grade import grade
from worldquiz.tea.taskgraph import Box2, Box3, Choice, Count, Given, Instance, Metres, Truth, Word
from worldquiz_scenes.view import Camera

CAMERA = Camera("ego", (0, 0, 1.5), (1, 0, 0), (0, 0, 1), 60.0, 320, 240)


def task(type: str, truth: Truth, command: str = "What?", **given: Given) -> Instance:
    told = {name.replace("_", "."): each for name, each in given.items()}
    return Instance(f"{type}/flat/v/mug-1", type, "flat", "v", {}, command, truth, told)


ONE_OF_EACH = (
    task("classification", Word("mug")),
    task("relation", Word("left of")),
    task("embodied-counting", Count(2)),
    task("depth", Metres(2.5)),
    task("localization", Box2((10, 20, 60, 80))),
    task("localization-3d", Box3((0.5, 0.2, 2.0), (0.3, 0.4, 0.5))),
    task("nearer", Choice("first", ("first", "second"))),
)
RIGHT: tuple[Any, ...] = (
    "a mug", "left of", 2, 2.5, [10.2, 19.8, 60, 80],
    {"centre": [0.5, 0.2, 2.0], "size": [0.3, 0.4, 0.5]}, "first",
)  # fmt: skip


def sheet(*tasks: Instance) -> Tasks:
    """A sheet of tasks whose pictures nobody looks at."""
    exam = SimpleNamespace(tasks=tasks, camera=lambda task: CAMERA)
    return Tasks(cast("Exam", exam), {}, "human")


@pytest.mark.parametrize(("asked", "said"), list(zip(ONE_OF_EACH, RIGHT, strict=True)))
def test_a_right_answer_is_a_reply_that_earns_all(asked: Instance, said: object) -> None:
    one = sheet(asked)
    line = one.line(one.items[0], said, 3.0)
    assert grade(asked, line["reply"], choices=choices(asked)).score == 1.0
    assert (line["id"], line["said"], line["seconds"]) == (asked.id, said, 3.0)


@pytest.mark.parametrize("asked", ONE_OF_EACH)
def test_who_cannot_tell_says_nothing(asked: Instance) -> None:
    one = sheet(asked)
    line = one.line(one.items[0], None, 3.0)
    assert line["reply"] == ""
    assert grade(asked, line["reply"]).score == 0


@pytest.mark.parametrize(
    ("place", "said"),
    [
        (0, ""), (0, 4), (1, "beside"), (1, ["on"]), (2, -1), (2, 2.5), (2, "2"), (2, True),
        (2, 10**9), (3, 0), (3, float("nan")), (3, float("inf")), (3, "2"), (4, [1, 2, 3]),
        (4, [60, 20, 10, 80]), (4, [10, 20, 10, 80]), (4, [-5, 0, 10, 10]), (4, [0, 0, 999, 9]),
        (4, "all"), (5, [1, 2, 3, 4, 5, 6]), (5, {"centre": [0, 0, 1]}),
        (5, {"centre": [0, 0, 1], "size": [0, 1, 1]}),
        (5, {"centre": [0, 0, 1], "size": [1, 1]}), (5, {"centre": [0, 0, None], "size": [1] * 3}),
    ],
)  # fmt: skip
def test_what_is_no_answer_is_refused(place: int, said: object) -> None:
    one = sheet(ONE_OF_EACH[place])
    with pytest.raises(ValueError):
        one.line(one.items[0], said, 3.0)
