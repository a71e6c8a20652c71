"""What replies are worth: the laws of each measure, and an example of each."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from worldquiz.facts.replies import Form
from worldquiz.tea.exam.sample import level
from worldquiz.tea.scoring.grade import (
    EVERYDAY,
    OTHER_NAMES,
    SYNONYMS,
    Grade,
    everyday,
    grade,
    named,
    nearness,
    overlap,
)
from worldquiz.tea.taskgraph import Choice, Count, Goal, Instance, Metres, Truth, Word
from worldquiz_scenes.furniture import LABELS
from worldquiz_scenes.importing.names import KNOWN

LENGTH = st.floats(0.05, 30)
LOW, LONG = (st.tuples(*[st.floats(low, 50)] * 3) for low in (-50, 0.01))
BOX = st.tuples(LOW, LONG).map(
    lambda box: (*box[0], *(low + long for low, long in zip(*box, strict=True)))
)


def task(type: str, truth: Truth) -> Instance:
    return Instance(f"{type}/s/0001-ego/x", type, "s", "0001-ego", {}, "?", truth)


def said(answer: object) -> str:
    return json.dumps({"answer": answer})


def test_a_name_is_right_in_any_case_number_and_article_and_by_its_synonyms() -> None:
    mug = task("classification", Word("mug"))
    for name in ("mug", "A Mug", "the mugs", "cup", "coffee mug"):
        assert grade(mug, said(name)).score == 1, name
    for name in ("blue mug", "mug tree", "glass"):
        assert grade(mug, said(name)).score == 0, name
    assert grade(task("classification-by-box2d", Word("bookshelf")), said("bookcase")).score == 1
    assert grade(task("classification", Word("toy blocks")), said("toy block")).score == 1
    assert grade(task("classification", Word("glass")), said("glasses")).score == 0


def test_no_other_name_of_a_label_is_itself_a_label_or_names_two() -> None:
    assert not set(SYNONYMS) & set(KNOWN)
    assert len(SYNONYMS) == sum(map(len, OTHER_NAMES.values()))
    assert len({named(label) for label in KNOWN}) == len(KNOWN)
    assert set(OTHER_NAMES) <= set(KNOWN)


def test_the_everyday_word_names_a_thing_and_the_exact_one_does_not_name_more() -> None:
    assert set(EVERYDAY) <= set(LABELS)
    assert not set(EVERYDAY) & set(EVERYDAY.values()), "no everyday word has another one"
    for label, word in EVERYDAY.items():
        assert grade(task("classification", Word(label)), said(word)).score == 1, label
        assert grade(task("classification", Word(word)), said(label)).score == 0, label
    assert grade(task("classification", Word("wall cupboard")), said("cupboards")).score == 1
    assert grade(task("classification", Word("tv stand")), said("cabinet")).score == 0


def test_a_reply_is_right_for_labels_of_one_level_only() -> None:
    """So who reads words alone earns one task of a match at most (`tea.exam.sample`)."""
    for name in {*KNOWN, *SYNONYMS, *EVERYDAY.values()}:
        right = [
            label
            for label in KNOWN
            if grade(task("classification", Word(label)), said(name)).score == 1
        ]
        assert right
        assert {level(Word(label)) for label in right} == {(everyday(name), 0, 0)}, name


def test_a_choice_is_read_as_it_is_offered() -> None:
    side = task("side", Choice("left", ("left", "right")))
    assert grade(side, said("Left."), choices=("left", "right")).score == 1
    assert grade(side, "It stands on the left.", choices=("left", "right")).score == 1
    assert grade(side, said("right"), choices=("left", "right")).form is Form.CLEAN
    asked = ("Mug_1", "Mugs 1")
    mug = task("which", Choice("Mug_1", asked))
    assert grade(mug, said("mug 1"), choices=asked).score == 1
    assert grade(mug, said("mugs 1"), choices=asked).score == 0
    assert grade(mug, said("cup"), choices=asked) == Grade(0.0, Form.ILL_FORMED)


def test_choices_counts_and_what_cannot_be_read() -> None:
    relations = ("left of", "on")
    assert grade(task("relation", Word("on")), said("on"), choices=relations).score == 1
    assert grade(task("relation", Word("on")), said("left"), choices=relations).score == 0
    assert grade(task("in-view-by-picture", Word("yes")), "Yes.").score == 1
    assert grade(task("mirror-counting", Count(0)), said(0)).score == 1
    assert grade(task("mirror-counting", Count(2)), said(3)).score == 0
    assert grade(task("mirror-counting", Count(2)), "many") == Grade(0.0, Form.ILL_FORMED)
    with pytest.raises(ValueError, match="walked"):
        grade(task("navigation", Goal("desk-1", 1.0)), "there")


def test_depth_is_graded_by_how_many_tolerances_it_keeps() -> None:
    for told, worth in ((2.0, 1.0), (2.19, 0.9), (2.98, 0.1), (3.0, 0.0), (9.0, 0.0)):
        assert grade(task("depth", Metres(2.0)), said(told)).score == pytest.approx(worth)


@given(LENGTH, LENGTH, st.floats(1.0, 3.0))
def test_a_larger_error_never_earns_more(true: float, said: float, more: float) -> None:
    farther = true + (said - true) * more
    if farther > 0:
        assert 0 <= nearness(true, farther) <= nearness(true, said) <= 1
    assert nearness(true, true) == 1


@given(BOX, BOX)
def test_overlap_is_symmetric_and_whole_only_for_the_same_box(
    one: tuple[float, ...], two: tuple[float, ...]
) -> None:
    assert overlap(one, two) == pytest.approx(overlap(two, one))
    assert 0 <= overlap(one, two) <= 1 + 1e-9
    assert overlap(one, one) == 1
