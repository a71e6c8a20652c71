"""The balanced sample: evenly over types and answers, matched by words, the same from any order."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from statistics import fmean

import pytest
from hypothesis import given
from hypothesis import strategies as st

from worldquiz.tea.exam import sample as module
from worldquiz.tea.exam.baselines import Known, baseline
from worldquiz.tea.exam.exam import scored
from worldquiz.tea.exam.sample import (
    CELL,
    FEW,
    MIRRORS,
    REFLECTED,
    TASKS,
    TURNS,
    Level,
    chance,
    drawn,
    families,
    level,
    matched,
    matches,
    one_answer,
    order,
    sample,
    scarce,
    short,
    told,
    unseen,
)
from worldquiz.tea.exam.show import reply
from worldquiz.tea.kinds.kinds import CATALOGUE
from worldquiz.tea.scoring.grade import worth
from worldquiz.tea.taskgraph import Box2, Box3, Count, Goal, Instance, Metres, Truth, Word

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


def test_types_with_too_few_tasks_are_named() -> None:
    names = sorted({*CATALOGUE.ours} - {"navigation"})
    plenty = dict.fromkeys(names, 94)
    assert short(plenty, dict.fromkeys(names, 500)) == {}
    few = {**plenty, MIRRORS: 4}
    assert short(few, {**dict.fromkeys(names, 500), MIRRORS: 4}) == {MIRRORS: 4}
    assert MIRRORS in (warning := scarce({MIRRORS: 4, "depth": 0}))
    assert "4 asked" in warning
    without = {name: count for name, count in plenty.items() if name != MIRRORS}
    assert short(without, without) == {MIRRORS: 0}  # a flat without a mirror
    assert short({**plenty, MIRRORS: 100}, {**plenty, MIRRORS: 100}) == {}
    assert short(few, {}) == {}  # of a run that does not say what there was


def test_a_rare_answer_is_kept_and_makes_the_common_ones_no_rarer() -> None:
    drawn = sample(counting({0: 50, 1: 12, 2: 1}), 100, seed=1)
    assert Counter(each.truth for each in drawn) == {Count(0): 12, Count(1): 12, Count(2): 1}


def test_words_that_leave_one_answer_are_not_asked() -> None:
    every = worded([("pillow", 2, "s1")] * 20 + [("sofa", 1, "s1")] * 5 + [("sofa", 0, "s2")] * 3)
    drawn = sample(every, 20, seed=1)
    assert Counter((told(each)[1], each.truth) for each in drawn) == {
        ("sofa", Count(0)): 3, ("sofa", Count(1)): 3,
    }  # fmt: skip
    assert matched(every, 1) == {"embodied-counting": {"embodied-counting": 6}}
    assert chance(drawn) == {"embodied-counting": {"one_answer": 0.5, "words_only": 0.5}}
    assert chance(every)["embodied-counting"]["words_only"] == pytest.approx(25 / 28)


def test_a_type_whose_words_say_it_all_is_left_out() -> None:
    every = worded([("bowl", 0, "s1")] * 9 + [("cup", 1, "s1")] * 9)
    assert sample(every, 10, seed=0) == ()
    assert matched(every, 0) == {"embodied-counting": {"embodied-counting": 0}}
    assert unseen([]) is None


def test_the_words_with_most_answers_are_asked_first_three_times() -> None:
    every = worded(
        [("chair", count, "s1") for count in (0, 1, 2)] * 9
        + [("lamp", count, "s1") for count in (0, 1)] * 20
    )
    assert {told(each)[1] for each in sample(every, 9, seed=5)} == {"chair"}
    assert unseen(sample(every, 9, seed=5)) == pytest.approx(1 / 3)
    assert Counter(told(each)[1] for each in sample(every, 15, seed=5)) == {"chair": 9, "lamp": 6}


def test_which_of_many_answers_are_asked_is_drawn() -> None:
    names = [f"thing {letter}" for letter in "abcdefghijkl"]
    every = [task("classification", n, Word(name)) for n, name in enumerate(names)]
    drawn = {tuple(each.truth for each in sample(every, 4, seed)) for seed in range(5)}
    assert len(drawn) == 5


def test_forms_of_a_type_are_one_type_and_come_equally_often() -> None:
    every = [task("depth", n, Metres(1.2)) for n in range(30)]
    every += [task("depth-by-label", n, Metres(1.3)) for n in range(90)]
    assert list(families(every)) == ["depth"]
    drawn = sample(every, 20, seed=3)
    assert Counter(each.type for each in drawn) == {"depth": 10, "depth-by-label": 10}


def test_lengths_without_a_match_come_last_not_never() -> None:
    every = [task("depth", n, Metres(2.2), label="tv") for n in range(5)]
    every += [task("depth", 10 + n, Metres(0.6 + n), label="sofa") for n in range(4)]
    assert {told(each)[1] for each in sample(every, 4, seed=0)} == {"sofa"}
    assert len(sample(every, 100, seed=0)) == 9


@given(st.lists(st.tuples(st.sampled_from("abc"), st.integers(1, 12)), max_size=40))
def test_matches_of_lengths_hold_each_task_once_and_few_levels_each(
    lengths: list[tuple[str, int]],
) -> None:
    every = [
        task("depth", n, Metres(half / 2), label=name) for n, (name, half) in enumerate(lengths)
    ]
    found = matches(every, seed=0)
    assert Counter((each.told, one) for each in found for one in each.levels) == Counter(
        (told(each), level(each.truth)) for each in every
    )
    assert all(1 <= len(each.levels) <= FEW for each in found)
    places = [(len(each.levels) == 1, each.rank, -len(each.levels)) for each in found]
    assert places == sorted(places)


def test_matches_of_lengths_are_of_levels_far_apart_and_of_all_words_in_turn() -> None:
    lengths = {"sofa": range(9), "desk": range(2), "tv": [5]}
    every = [
        task("depth", n, Metres(0.1 + half / 2), label=name)
        for name, halves in lengths.items()
        for n, half in enumerate([*halves, *halves])
    ]
    found = [(*each.told[1:], *(half for _, half, _ in each.levels)) for each in matches(every, 7)]
    assert found == [
        ("sofa", 0, 3, 6), ("desk", 0, 1),
        ("sofa", 1, 4, 7), ("desk", 0, 1),
        ("sofa", 2, 5, 8), ("sofa", 0, 3, 6), ("sofa", 1, 4, 7), ("sofa", 2, 5, 8),
        ("tv", 5), ("tv", 5),
    ]  # fmt: skip


def test_scenes_share_each_answer() -> None:
    every = worded([("chair", n % 2, f"s{n % 3 + 1}") for n in range(60)])
    counts = Counter((each.scene, each.truth) for each in sample(every, 24, seed=2))
    assert set(counts.values()) == {4}


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
    stated = chance(drawn)["embodied-counting"]
    one, words = stated["one_answer"], stated["words_only"]
    assert one is not None
    assert words is not None
    assert one <= words <= 0.5 + 1 / len(drawn)
    guess = {label: (number * thought) % 4 for number, label in enumerate("abcd")}
    told_words = [scored(each, reply(Count(guess[told(each)[1]]))).score for each in drawn]
    assert fmean(told_words) <= words
    for count in range(4):
        always = [scored(each, reply(Count(count))).score for each in drawn]
        assert fmean(always) <= one


@given(WORDED, st.integers(0, 3))
def test_matches_are_whole_and_the_largest_come_first(
    labels: list[tuple[str, int, str]], seed: int
) -> None:
    every = worded(labels)
    found = matches(every, seed)
    assert len({(each.told, each.rank) for each in found}) == len(found)
    for turn in range(40 // TURNS):
        sizes = [len(each.levels) for each in found if each.rank // TURNS == turn]
        assert sizes == sorted(sizes, reverse=True)
    whole = sample(every, len(every), seed)
    assert len(whole) == sum(len(each.levels) for each in found)
    assert unseen(whole) == (len(found) / len(whole) if whole else None)


def test_the_blind_one_gets_no_more_than_chance_where_the_prior_gets_it() -> None:
    labels = [("pillow", 2), ("pillow", 0), ("sofa", 1), ("sofa", 0), ("sofa", 1), ("tv", 1)]
    every = worded([(label, n, f"s{k % 3}") for k in range(40) for label, n in labels])
    drawn = sample(every, 60, seed=0)
    known = Known(every, frozenset(each.id for each in drawn))
    most = chance(drawn)["embodied-counting"]["words_only"]
    for name in ("prior", "blind"):
        take = baseline(name, known, 0)
        assert most is not None
        assert fmean(scored(each, take(each)).score for each in drawn) <= most + 0.02


def test_one_reply_to_lengths_and_boxes_earns_what_the_best_of_them_does() -> None:
    lengths = [task("depth", n, Metres(value)) for n, value in enumerate((1.0, 2.0, 2.0, 9.0))]
    assert one_answer(lengths) == pytest.approx(0.5)
    boxes = [task("localization", n, Box2((0, 0, 10, 10 * n))) for n in (1, 2)]
    assert one_answer(boxes) == pytest.approx(0.75)
    assert chance(boxes)["localization"]["words_only"] is None
    solid = [task("localization-3d", n, Box3((0, 0, 2), (1, 1, n))) for n in (1, 2)]
    assert one_answer(solid) == pytest.approx(0.75)


@given(st.lists(st.integers(1, 40), min_size=1, max_size=20))
def test_the_best_reply_to_few_lengths_is_the_best_of_them_all(halves: list[int]) -> None:
    every = [task("depth", n, Metres(half / 2)) for n, half in enumerate(halves)]
    said = [fmean(worth(each.truth, half / 2) for each in every) for half in halves]
    assert one_answer(every) == max(said)


def test_of_many_lengths_some_at_even_distances_are_tried(monkeypatch: pytest.MonkeyPatch) -> None:
    """Of six, three are tried where three may be: the first, third and fifth."""
    monkeypatch.setattr(module, "TRIED", 3)
    first = [task("depth", n, Metres(value)) for n, value in enumerate((1, 1, 1, 2, 4, 8))]
    assert one_answer(first) == pytest.approx(3 / 6)
    monkeypatch.setattr(module, "TRIED", 2)  # the first and fourth
    last = [task("depth", n, Metres(value)) for n, value in enumerate((1, 2, 2, 4, 8, 9))]
    assert one_answer(last) == pytest.approx(1 / 6)


def test_no_reply_is_tried_of_what_is_walked_to() -> None:
    with pytest.raises(ValueError, match=r"Goal\(thing='desk'.*walked to, not said"):
        one_answer([task("navigation", 1, Goal("desk", 1.0))])


@pytest.mark.parametrize(
    ("truth", "expected"),
    [
        (Word("on"), ("on", 0, 0)),
        (Count(3), ("", 3, 0)),
        (Metres(1.4), ("", 2, 0)),
        (Box3((0.4, 0.2, 2.3), (1.0, 1.0, 1.0)), ("", 4, 0)),
        (Goal("desk-1", 1.0), ("desk-1", 0, 0)),
    ],
    ids=repr,
)
def test_the_level_of_an_answer(truth: Truth, expected: Level) -> None:
    assert level(truth) == expected


@given(*[st.integers(0, 1024)] * 4)
def test_the_level_of_a_box_is_where_its_middle_is_whatever_its_size(
    x: int, y: int, half_width: int, half_height: int
) -> None:
    box = Box2((x - half_width, y - half_height, x + half_width, y + half_height))
    assert level(box) == ("", x // CELL, y // CELL)


def test_levels() -> None:
    assert level(Metres(1.4)) == level(Metres(1.1)) != level(Metres(1.6))
    assert level(Box2((0, 0, 10, 10))) == level(Box2((20, 30, 60, 90)))
    assert level(Word("on")) != level(Word("under"))
    assert level(Goal("desk-1", 1.0)) == level(Goal("desk-1", 2.0))


def test_walks_are_apart_and_even_over_scenes() -> None:
    every = [
        task("navigation", n, Goal("x", 1.0), f"s{n % 10 == 0:d}") for n in range(100)
    ] + counting({0: 5, 1: 5})
    drawn = order(every, seed=2)[:20]
    assert Counter(each.scene for each in drawn) == {"s0": 10, "s1": 10}
    assert not any(each.type == "navigation" for each in sample(every, 100, seed=2))


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


def test_a_seed_draws_what_it_always_drew() -> None:
    """Other draws of the same seed would make another test of the same name."""
    every = worded([(label, n % 4, f"s{n % 3}") for n in range(24) for label in "abcd"])
    assert [int(each.view[:4]) for each in drawn(every, 18, seed=3)] == [
        81, 37, 89, 29, 59, 51, 15, 23, 18, 74, 6, 46, 4, 92, 0, 72, 33, 77,
    ]  # fmt: skip
    walks = [task("navigation", n, Goal("x", 1.0), f"s{n % 3}") for n in range(12)]
    assert [int(each.view[:4]) for each in order(walks, seed=3)] == [
        1, 5, 0, 7, 2, 6, 4, 8, 9, 10, 11, 3,
    ]  # fmt: skip


@pytest.mark.parametrize("seed", [0, 1, 2])
def test_other_seeds_draw_others(seed: int) -> None:
    every = counting({0: 60, 1: 60})
    assert sample(every, 20, seed) == sample(every, 20, seed)
    assert sample(every, 20, seed) != sample(every, 20, seed + 1)
