"""The balanced sample: evenly over types and answers, the same from any order."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping

import pytest
from hypothesis import given
from hypothesis import strategies as st

from worldquiz.evals.tea.exam.run import commonest
from worldquiz.evals.tea.exam.sample import episodes, families, level, sample
from worldquiz.model.taskgraph import Box2, Count, Goal, Instance, Metres, Truth, Word

SIZES = st.dictionaries(st.integers(0, 6), st.integers(1, 40), min_size=1, max_size=5)


def task(type: str, number: int, truth: Truth, scene: str = "s1") -> Instance:
    view = f"{number:04d}-ego"
    return Instance(f"{type}/{scene}/{view}/x", type, scene, view, {"view": view}, "?", truth)


def counting(sizes: Mapping[int, int], type: str = "embodied-counting") -> list[Instance]:
    return [
        task(type, 1000 * count + number, Count(count))
        for count, size in sizes.items()
        for number in range(size)
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


def test_a_rare_answer_is_kept_and_makes_the_common_ones_no_rarer() -> None:
    drawn = sample(counting({0: 50, 1: 12, 2: 1}), 100, seed=1)
    assert Counter(each.truth for each in drawn) == {Count(0): 12, Count(1): 12, Count(2): 1}


def test_forms_of_a_type_are_one_type_and_come_in_turn() -> None:
    every = [task("depth", n, Metres(1.2)) for n in range(30)]
    every += [task("depth-by-label", n, Metres(1.3)) for n in range(90)]
    assert list(families(every)) == ["depth"]
    drawn = sample(every, 20, seed=3)
    assert Counter(each.type for each in drawn) == {"depth": 10, "depth-by-label": 10}


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
    if len(sizes) > 1 and len(drawn) > 1:
        assert ranked[0] - ranked[1] <= 1  # none is commoner than another, but for the remainder
        assert commonest(drawn)["embodied-counting"] <= 0.5 + 1 / len(drawn)


def test_levels() -> None:
    assert level(Metres(1.4)) == level(Metres(1.1)) != level(Metres(1.6))
    assert level(Box2((0, 0, 10, 10))) == level(Box2((20, 30, 60, 90)))
    assert level(Word("on")) != level(Word("under"))
    assert level(Goal("desk-1", 1.0)) == level(Goal("desk-1", 2.0))


def test_walks_are_apart_and_even_over_scenes() -> None:
    every = [
        task("navigation", n, Goal("x", 1.0), f"s{n % 10 == 0:d}") for n in range(100)
    ] + counting({0: 5, 1: 5})
    drawn = episodes(every, 20, seed=2)
    assert Counter(each.scene for each in drawn) == {"s0": 10, "s1": 10}
    assert not any(each.type == "navigation" for each in sample(every, 100, seed=2))


@pytest.mark.parametrize("seed", [0, 1, 2])
def test_other_seeds_draw_others(seed: int) -> None:
    every = counting({0: 60, 1: 60})
    assert sample(every, 20, seed) == sample(every, 20, seed)
    assert sample(every, 20, seed) != sample(every, 20, seed + 1)
