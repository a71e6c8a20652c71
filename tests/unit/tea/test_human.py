"""TEA-Test for a person: each form of answer becomes the reply that a model would give."""

from __future__ import annotations

from types import SimpleNamespace
from typing import cast

import pytest

from worldquiz.tea.exam.exam import Exam
from worldquiz.tea.exam.run import key_of
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
RIGHT = ("a mug", "left of", "2", "2,5 m", "10 20 60 80", "0.5 0.2 2; 0,3 0,4 0,5", "first")


def quiz(*tasks: Instance) -> Tasks:
    """A quiz of tasks whose pictures nobody looks at."""
    exam = SimpleNamespace(answered=tasks, camera=lambda task: CAMERA)
    return Tasks(cast("Exam", exam), {}, "human")


@pytest.mark.parametrize(("asked", "said"), list(zip(ONE_OF_EACH, RIGHT, strict=True)))
def test_a_right_answer_is_a_reply_that_earns_all(asked: Instance, said: str) -> None:
    one = quiz(asked)
    found = grade(asked, one.reply(one.asked[0], said), choices=choices(asked))
    assert (found.score, found.form) == (1.0, "clean")
    assert one.asked[0].key == key_of(asked)


@pytest.mark.parametrize("asked", ONE_OF_EACH)
def test_who_cannot_tell_earns_nothing(asked: Instance) -> None:
    assert grade(asked, quiz(asked).passed).score == 0


@pytest.mark.parametrize(
    ("place", "said"),
    [
        (0, "{}"), (1, "beside"), (2, "-1"), (2, "2.5"), (2, "two"), (3, "0"), (3, "nan"),
        (3, "1 2"), (4, "1 2 3"), (4, "60 20 10 80"), (4, "10 20 10 80"), (4, "all"),
        (5, "1 2 3 4 5"), (5, "0 0 1 0 1 1"),
    ],
)  # fmt: skip
def test_what_is_no_answer_is_refused(place: int, said: str) -> None:
    one = quiz(ONE_OF_EACH[place])
    with pytest.raises(ValueError, match="give"):
        one.reply(one.asked[0], said)
