"""The balanced sample: evenly over types and answers, matched by words, the same from any order."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import replace
from statistics import fmean

import pytest
from hypothesis import given
from hypothesis import strategies as st

from worldquiz.tea.exam.grade import worth
from worldquiz.tea.exam.sample import (
    MIRRORS,
    REFLECTED,
    TASKS,
    chance,
    drawn,
    one_answer,
    order,
    sample,
    told,
)
from worldquiz.tea.kinds.kinds import Count, Goal, Instance, Truth, Word

SIZES = st.dictionaries(st.integers(0, 6), st.integers(1, 40), min_size=1, max_size=5)
WORDED = st.lists(
    st.tuples(st.sampled_from("abcd"), st.integers(0, 3), st.sampled_from(["s1", "s2", "s3"])),
    min_size=1, max_size=80,
)  # fmt: skip
"""Labels, counts and scenes of tasks that count."""
FORMS, SEEDS = st.sampled_from(["navigation", "navigation-by-label"]), st.integers(0, 3)


def task(
    type: str, number: int, truth: Truth, scene: str = "s1", label: str | None = None
) -> Instance:
    view = f"{number:04d}-ego"
    given = {"class.label": Word(label)} if label else {}
    return Instance(
        f"{type}/{scene}/{view}/x", type, scene, view, {"view": view}, "?", truth, given
    )


def counting(sizes: Mapping[int, int], type: str = "embodied-counting") -> list[Instance]:
    return [
        task(type, 1000 * count + number, Count(count))
        for count, size in sizes.items()
        for number in range(size)
    ]


def worded(told: list[tuple[str, int, str]]) -> list[Instance]:
    return [
        task("embodied-counting", number, Count(count), scene, label)
        for number, (label, count, scene) in enumerate(told)
    ]


def test_types_and_answers_come_equally_often() -> None:
    answers = ["yes"] * 90 + ["no"] * 30
    every = counting({0: 80, 1: 40, 2: 30}) + [
        task("in-view", number, Word(answer)) for number, answer in enumerate(answers)
    ]
    drawn = sample(every, 60, seed=1)
    assert Counter(each.type for each in drawn) == {"embodied-counting": 30, "in-view": 30}
    assert Counter(each.truth for each in drawn) == {
        Count(0): 10, Count(1): 10, Count(2): 10, Word("yes"): 15, Word("no"): 15,
    }  # fmt: skip


def test_counting_in_mirrors_comes_as_often_as_in_the_paper() -> None:
    types = [f"type-{letter}-counting" for letter in "abcdefgh"]
    every = [one for name in (*types, MIRRORS) for one in counting({0: 60, 1: 60, 2: 60}, name)]
    sizes = Counter(each.type for each in sample(every, TASKS, seed=1))
    assert sizes.pop(MIRRORS) == REFLECTED
    assert set(sizes.values()) <= {93, 94}
    few = [one for name in types for one in counting({0: 60, 1: 60}, name)]
    few += counting({0: 4, 1: 4}, MIRRORS)
    assert Counter(each.type for each in sample(few, TASKS, seed=1))[MIRRORS] == 8


def test_no_count_is_common_and_each_fact_is_asked_once_before_any_again() -> None:
    sizes = {0: 100, 1: 100, 2: 6, 3: 4}
    drawn = sample(counting(sizes, "pattern-counting"), 50, seed=1)
    counts = Counter(each.truth for each in drawn)
    assert len(drawn) > 30
    assert max(counts.values()) <= 0.35 * len(drawn)
    facts = [(count, number % 30) for count in range(3) for number in range(90)]
    every = [
        replace(task("mirror-counting", index, Count(count)), counted=(str(number),) * count)
        for index, (count, number) in enumerate(facts)
    ]
    asked = [each for each in sample(every, 60, seed=1) if each.truth != Count(0)]
    assert len({each.counted for each in asked}) == len(asked)


def test_labels_that_things_repeat_fill_a_type_that_pairs_of_none_and_one_cannot() -> None:
    pairs = [(label, count, "s1") for label in "abc" for count in (0, 1)]
    every = worded([*pairs, ("d", 0, "s1"), ("d", 1, "s1"), ("d", 2, "s1")] * 30)
    found = drawn(every, 60, seed=1)
    assert len(found) >= 57
    assert max(Counter(each.truth for each in found).values()) <= 0.35 * len(found)


def test_words_that_leave_one_answer_are_not_asked() -> None:
    every = worded([("pillow", 2, "s1")] * 20 + [("sofa", 1, "s1")] * 5 + [("sofa", 0, "s2")] * 3)
    drawn = sample(every, 20, seed=1)
    assert Counter((told(each)[1], each.truth) for each in drawn) == {
        ("sofa", Count(0)): 3, ("sofa", Count(1)): 3,
    }  # fmt: skip
    assert chance(drawn) == {"embodied-counting": 0.5}
    assert chance(every)["embodied-counting"] == pytest.approx(25 / 28)


@given(SIZES, st.integers(1, 120), st.integers(0, 5), st.randoms())
def test_laws_of_the_sample(
    sizes: dict[int, int], size: int, seed: int, order: st.DataObject
) -> None:
    every = counting(sizes)
    drawn = sample(every, size, seed)
    assert len({each.id for each in drawn}) == len(drawn) <= size
    assert drawn == tuple(sorted(drawn, key=lambda each: each.id))
    mixed = list(every)
    order.shuffle(mixed)  # type: ignore[attr-defined]
    assert sample(mixed, size, seed) == drawn
    counts = Counter(each.truth for each in drawn)
    ranked = [number for _, number in counts.most_common()]
    assert len(sizes) > 1 or not drawn
    if len(drawn) > 1:
        assert ranked[0] - ranked[1] <= 1  # none is commoner than another, but for the remainder
        assert one_answer(drawn) <= 0.5 + 1 / len(drawn)


@given(WORDED, st.integers(1, 60), st.integers(0, 3), st.integers(0, 9))
def test_nobody_who_sees_nothing_earns_more_than_what_is_stated(
    labels: list[tuple[str, int, str]], size: int, seed: int, thought: int
) -> None:
    drawn = sample(worded(labels), size, seed)
    if not drawn:
        return
    one, words = one_answer(drawn), chance(drawn)["embodied-counting"]
    assert one <= words <= 0.5 + 1 / len(drawn)
    guess = {label: (number * thought) % 4 for number, label in enumerate("abcd")}
    told_words = [worth(each.truth, Count(guess[told(each)[1]])) for each in drawn]
    assert fmean(told_words) <= words
    for count in range(4):
        always = [worth(each.truth, Count(count)) for each in drawn]
        assert fmean(always) <= one


@given(st.dictionaries(st.tuples(st.sampled_from("abc"), FORMS), st.integers(1, 5)), SEEDS)
def test_walks_come_once_each_and_from_each_scene_and_form_in_turn(
    sizes: dict[tuple[str, str], int], seed: int
) -> None:
    every = [
        task(form, number, Goal("x", 1.0), scene)
        for (scene, form), size in sizes.items()
        for number in range(size)
    ]
    found = order(every, seed)
    assert sorted(each.id for each in found) == sorted(each.id for each in every)
    turns, had = [], Counter[tuple[str, str]]()
    for each in found:
        turns.append(had[each.scene, each.type])
        had[each.scene, each.type] += 1
    assert turns == sorted(turns)


def test_a_match_is_of_one_scene_where_one_has_its_answers() -> None:
    """Else who knows the answers about other apartments knows the other one of each pair."""
    both = worded([(label, count, scene) for label in "abcd" for count in (0, 1)
                   for scene in ("s1", "s2", "s3")])  # fmt: skip
    apart = worded([("e", 0, "s1"), ("e", 1, "s2")])
    found = drawn([*apart, *both], 8, seed=3)
    scenes: dict[tuple[str, ...], Counter[str]] = {}
    for each in found:
        scenes.setdefault(told(each), Counter())[each.scene] += 1
    assert len(scenes) == 4
    assert all(set(counts.values()) == {2} for counts in scenes.values())


def test_a_seed_draws_what_it_always_drew() -> None:
    """Other draws of the same seed would make another test of the same name."""
    every = worded([(label, n % 4, f"s{n % 3}") for n in range(24) for label in "abcd"])
    assert [int(each.view[:4]) for each in drawn(every, 18, seed=3)] == [
        1, 37, 73, 61, 43, 67, 79, 7, 82, 10, 22, 46, 84, 12, 0, 72, 17, 29,
    ]  # fmt: skip
    walks = [task("navigation", n, Goal("x", 1.0), f"s{n % 3}") for n in range(12)]
    assert [int(each.view[:4]) for each in order(walks, seed=3)] == [
        1, 5, 0, 7, 2, 6, 4, 8, 9, 10, 11, 3,
    ]  # fmt: skip
