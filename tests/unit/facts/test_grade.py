"""Gold answers, and names as they are compared."""

from __future__ import annotations

import pytest

from worldquiz.facts.answer_text import normal
from worldquiz.facts.question import (
    Description,
    Type,
    What,
    Where,
    Which,
    YesNo,
    gold,
)
from worldquiz.facts.requirement import All

NOW = All(())
YES = YesNo("q", Type.PROPERTY, "Was it locked?", True, NOW, ())
KEY = Which("q", Type.MATCH, "Which?", ("brass key", "tin key"), "tin key", NOW, ())
PLACE = Where("q", Type.LOCATION, "Where?", ("red chest", "kitchen"), NOW, ())
FLOOR = Which(
    "q", Type.LOCATION, "Which?", ("on the floor of the attic", "in the red chest"),
    "on the floor of the attic", NOW, (),
)  # fmt: skip
WAY = What("q", Type.DIRECTION, "Which way?", ("east",), NOW, ())
KINDS = Description("q", Type.LOCATION, "What kinds?", ("food", "key"), NOW, ())
EMPTY = Description("q", Type.LOCATION, "What kinds?", (), NOW, ())


def test_gold_is_written_as_a_taker_would() -> None:
    answers = [gold(q) for q in (YES, KEY, PLACE, WAY, KINDS, EMPTY)]
    assert answers == ["yes", "tin key", "red chest", "east", "food, key", "nothing"]


@pytest.mark.parametrize(
    ("name", "plain"),
    [
        ("In the red chest", "red chest"), ("on the floor of the attic", "attic"),
        ("Red\n chest", "red chest"), ("'Red chest.'", "red chest"), ("red chest !", "red chest"),
        ("`red chest`", "red chest"), ("Xylophone stand", "xylophone stand"),
        ("into a red chest", "red chest"),
    ],
)  # fmt: skip
def test_a_name_is_compared_without_case_article_preposition_quotes_and_end_mark(
    name: str, plain: str
) -> None:
    assert normal(name) == plain
