"""Laws of where the points went: they add up exactly, and bounds hold whatever the truth may be."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import replace
from math import fsum
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from command import worldquiz
from scored import run_of, scores_of
from synthetic import row
from worldquiz import AnswerStatus, Row

ROWS = st.builds(
    row,
    st.sampled_from([0.0, 1 / 3, 1.0]),
    shown=st.booleans(),
    status=st.sampled_from([*[AnswerStatus.ANSWERED] * 4, *AnswerStatus]),
    guess=st.sampled_from([0.0, 0.25, 1 / 3, 0.5, 0.9, None]),
    at_start=st.booleans(),
    handed_over=st.sampled_from([True, False, None]),
)
QUIZZES = st.lists(ROWS, min_size=1, max_size=30).filter(
    lambda quiz: any(each.worth for each in quiz)
)
Lost = dict[str, list[float]]


def lost_of(quiz: Sequence[Row]) -> Lost:
    """Return the least and the most that each cause took, as the scores tell it."""
    found: Lost = scores_of(quiz).get("lost", {})
    return found


def printed(quiz: Sequence[Row]) -> list[str]:
    """Return the cells of a quiz in the table that the terminal shows, knowledge first."""
    with TemporaryDirectory() as folder:
        said = worldquiz("score", run_of(quiz, Path(folder)).path).out
    table = said.partition("Where the points went\n")[2].partition("─\n")[2]
    return table.splitlines()[0].split()[1:]


def knowledge(quiz: Sequence[Row]) -> float:
    """Work it out by hand: points of answers to what was shown, of all that could be had."""
    counted = [(each, each.worth) for each in quiz if each.worth is not None]
    points = [(each.correct or 0.0) - (1 - worth) for each, worth in counted
              if each.shown and each.status is AnswerStatus.ANSWERED]  # fmt: skip
    return fsum(points) / fsum(worth for _, worth in counted)


@given(QUIZZES)
def test_with_knowledge_they_add_up_to_1(quiz: list[Row]) -> None:
    lost = lost_of(quiz)
    (_, memory), (misread, _) = lost["memory"], lost["misread"]
    for parts in ((lost["memory"][0], lost["misread"][1]), (memory, misread)):
        whole = (knowledge(quiz), lost["explore"][0], lost["unread"][1], *parts)
        assert fsum(whole) == pytest.approx(1, abs=1e-9)


@settings(max_examples=25)
@given(QUIZZES)
def test_what_is_printed_adds_up_to_1(quiz: list[Row]) -> None:
    shown = [cell.split("..") for cell in printed(quiz)]
    assert sum(round(100 * number(least)) for least, *_ in shown) + open_(shown) == 100
    assert [number(told) for told in shown[0]] == [round(knowledge(quiz), 2)] or knowledge(
        quiz
    ) * 200 == pytest.approx(round(knowledge(quiz) * 200))


def number(told: str) -> float:
    """Return the number that a cell shows, whose minus is a real one."""
    return float(told.replace("−", "-"))


def open_(shown: Sequence[Sequence[str]]) -> int:
    """Return the hundredths that are the memory's or the reader's; both cells must say so."""
    widths = {
        round(100 * (number(most) - number(least))) for least, *rest in shown for most in rest
    }
    assert len(widths) < 2
    return sum(widths)


@given(QUIZZES, st.randoms(use_true_random=False))
def test_bounds_hold_whichever_way_the_prose_is_decided(
    quiz: list[Row], chance: random.Random
) -> None:
    decided = [
        replace(each, handed_over=chance.random() < 0.5) if each.handed_over is None else each
        for each in quiz
    ]
    bounds = lost_of(quiz)
    for cause, (least, most) in lost_of(decided).items():
        assert least == most
        assert bounds[cause][0] - 1e-9 <= least <= bounds[cause][1] + 1e-9


@given(QUIZZES, st.data())
def test_what_an_agent_goes_to_see_a_memory_keeps_and_a_model_reads_is_not_lost_there(
    quiz: list[Row], data: st.DataObject
) -> None:
    place, before = data.draw(st.integers(0, len(quiz) - 1)), lost_of(quiz)
    for cause, change in (
        ("explore", {"shown": True}),
        ("memory", {"handed_over": True}),
        ("misread", {"correct": 1.0}),
    ):
        better = [*quiz[:place], replace(quiz[place], **change), *quiz[place + 1 :]]
        assume(any(each.worth for each in better))
        assert lost_of(better)[cause][0] <= before[cause][0] + 1e-9


@given(st.permutations([row(1.0), row(0.0), row(0.5, handed_over=None), row(0.0, shown=False)]))
def test_their_order_changes_nothing(quiz: list[Row]) -> None:
    assert lost_of(quiz) == {
        "explore": [0.25, 0.25], "memory": [0, 1 / 6], "unread": [0, 0], "misread": [1 / 3, 0.5],
    }  # fmt: skip


def test_nothing_is_lost_where_nothing_counts() -> None:
    assert lost_of([row(0.0, guess=None), row(0.0, at_start=True)]) == {}
