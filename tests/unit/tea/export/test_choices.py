"""Options: true ones among false ones, each place equally often, whatever comes in which order."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from exports import task
from worldquiz.tea.export.vlmevalkit import OPTIONS, options
from worldquiz.tea.kinds.perception import RELATIONS
from worldquiz.tea.scoring.grade import everyday, named
from worldquiz.tea.taskgraph import Count, Instance, Metres, Word

LABELS = ["mug", "cup", "bowl", "lamp", "sofa", "table", "plant", "radio"]
ANSWERS = st.lists(st.sampled_from(LABELS), min_size=1, max_size=40)


def names(answers: list[str]) -> list[Instance]:
    return [task("classification", Word(each), number=n) for n, each in enumerate(answers)]


@given(ANSWERS, st.integers(0, 3))
def test_one_option_is_right_and_the_others_mean_something_else(
    answers: list[str], seed: int
) -> None:
    tasks = names(answers)
    found = options(tasks, LABELS, seed)
    assert found.keys() == {each.id for each in tasks}
    for each in tasks:
        assert isinstance(each.truth, Word)
        told = found[each.id]
        assert told.texts[told.right] == each.truth.value
        meanings = [named(text) for text in told.texts]
        assert len(set(meanings)) == len(meanings) == OPTIONS
        assert [everyday(text) for text in told.texts].count(everyday(each.truth.value)) == 1


@given(ANSWERS, st.integers(0, 3))
def test_the_order_of_tasks_does_not_matter(answers: list[str], seed: int) -> None:
    tasks = names(answers)
    assert options(tasks[::-1], LABELS[::-1], seed) == options(tasks, LABELS, seed)


def test_counts_are_words_and_are_filled_up_with_the_next_numbers() -> None:
    tasks = [task("embodied-counting", Count(value), number=value) for value in (1, 2, 15)]
    found = options(tasks, LABELS, 0)
    assert set(found[tasks[0].id].texts) == {"zero", "one", "two", "15 of them"}


def test_a_choice_keeps_all_its_choices() -> None:
    tasks = [task("relation", Word("on"), number=n) for n in range(8)]
    found = options(tasks, LABELS, 0)
    assert all(sorted(each.texts) == sorted(RELATIONS) for each in found.values())


def test_what_has_no_other_answer_or_is_no_word_has_no_options() -> None:
    alone = task("classification", Word("mug"))
    assert options([alone, task("depth", Metres(1.0))], ["cup", "mug"], 0) == {}
