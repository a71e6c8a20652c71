"""Laws of what replies are worth: other names of labels, lengths, boxes. Examples: `test_exam`."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from worldquiz.tea.exam.grade import (
    EVERYDAY,
    OTHER_NAMES,
    SYNONYMS,
    everyday,
    named,
    nearness,
    overlap,
    read,
    worth,
)
from worldquiz.tea.exam.sample import level
from worldquiz.tea.kinds.kinds import Word
from worldquiz_scenes.furniture import LABELS
from worldquiz_scenes.importing.names import KNOWN

LENGTH = st.floats(0.05, 30)
LOW, LONG = (st.tuples(*[st.floats(low, 50)] * 3) for low in (-50, 0.01))
BOX = st.tuples(LOW, LONG).map(
    lambda box: (*box[0], *(low + long for low, long in zip(*box, strict=True)))
)


def earned(label: str, said: str) -> float:
    """Return the score of a name for a thing."""
    return worth(Word(label), read(json.dumps({"answer": said}), "name"))


def test_no_other_name_of_a_label_is_itself_a_label_or_names_two() -> None:
    assert not set(SYNONYMS) & set(KNOWN)
    assert len(SYNONYMS) == sum(map(len, OTHER_NAMES.values()))
    assert len({named(label) for label in KNOWN}) == len(KNOWN)
    assert set(OTHER_NAMES) <= set(KNOWN)


def test_the_everyday_word_names_a_thing_and_the_exact_one_does_not_name_more() -> None:
    assert set(EVERYDAY) <= set(LABELS)
    assert not set(EVERYDAY) & set(EVERYDAY.values()), "no everyday word has another one"
    for label, word in EVERYDAY.items():
        assert earned(label, word) == 1, label
        assert earned(word, label) == 0, label
    assert earned("wall cupboard", "cupboards") == 1
    assert earned("tv stand", "cabinet") == 0


def test_a_reply_is_right_for_labels_of_one_level_only() -> None:
    """So who reads words alone earns one task of a match at most (`tea.exam.sample`)."""
    imported = {"Loveseat", "freezer", "grand piano", "upper cabinet", "flower pots"}
    for name in {*KNOWN, *SYNONYMS, *EVERYDAY.values(), *imported}:
        right = [label for label in KNOWN if earned(label, name) == 1]
        assert right
        assert {level(Word(label)) for label in right} == {(everyday(name), 0, 0)}, name


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
