"""Names that may be confused, and words a scene has."""

from __future__ import annotations

import pytest

from worldquiz.mango.maze.walkthrough import WalkStep
from worldquiz.mango.scoring.grade import Level
from worldquiz.mango.scoring.predictors import (
    OURS,
    PREDICTORS,
    TITLES,
    alike,
    confusable,
    words_per_scene,
)

HALLS = ("Hall of Mirrors", "hall of kings", "attic")


def test_the_papers_confusion_is_about_the_most_different_name() -> None:
    """Each hall differs from the attic in all of 3 words, the attic from each hall likewise."""
    assert confusable(HALLS) == 3
    assert confusable(HALLS[:2]) == pytest.approx(2 / 3)  # one word of three, for each of two


def test_likeness_is_about_the_nearest_name() -> None:
    assert alike(HALLS) == pytest.approx(2 / 3 + 2 / 3 + 0)
    assert alike(("north hall", "south hall", "east hall")) == pytest.approx(1.5)


def test_words_are_compared_and_not_letters() -> None:
    assert alike(("cellar", "cellars")) == 0
    assert alike(("CELLAR", "cellar 2")) == pytest.approx(1)


def test_one_place_can_be_mistaken_for_none() -> None:
    assert (confusable(("attic",)), alike(("attic",))) == (0, 0)
    assert (confusable(()), alike(())) == (0, 0)


def test_the_order_of_places_changes_nothing() -> None:
    assert confusable(HALLS) == confusable(HALLS[::-1])
    assert alike(HALLS) == alike(HALLS[::-1])


def test_words_of_a_scene_are_the_mean_over_all_steps() -> None:
    walk = (WalkStep(0, "Init", "West of House\nA mailbox."), WalkStep(1, "wait", "Time passes"))
    assert words_per_scene(walk) == 3.5
    assert words_per_scene(()) is None


def test_table_10_has_five_rows_for_easy_and_seven_for_hard() -> None:
    assert [len(PREDICTORS[level]) for level in Level] == [5, 7]
    assert set(PREDICTORS[Level.EASY]) | set(PREDICTORS[Level.HARD]) | set(OURS) == set(TITLES)
    assert len(TITLES) == 9
