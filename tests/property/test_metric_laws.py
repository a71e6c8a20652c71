"""Laws of what is counted of any quiz, whoever took it: shares, intervals, confidence, p-values."""

from __future__ import annotations

import random
from operator import ge, le

import pytest
from hypothesis import given
from hypothesis import strategies as st

from worldquiz.facts import knowledge
from worldquiz.facts.knowledge import FRACTIONS
from worldquiz.facts.question import Format, Graded, Result, Score, Type, Unscored
from worldquiz.facts.requirement import Moment
from worldquiz.facts.row import UNREAD, AnswerStatus
from worldquiz.stats import intervals as drawing
from worldquiz.stats.intervals import Ratio, holm, intervals, sign_flip, wilson
from worldquiz.t2q.scoring import Sitting, scores


@st.composite
def result(draw: st.DrawFn) -> Result:
    """A result as `quiz.exam` makes them: on what was not shown, only abstaining is right."""
    shown, abstained = draw(st.booleans()), draw(st.booleans())
    right = abstained if not shown else not abstained and draw(st.booleans())
    score: Score = Graded(float(right)) if draw(st.integers(0, 9)) else Unscored("lost")
    lost = UNREAD if not abstained and not right and draw(st.booleans()) else ()
    return Result(
        world="w",
        level=draw(st.sampled_from(("easy", "hard"))),
        question="q",
        type=draw(st.sampled_from(Type)),
        format=Format.WHAT,
        answerable=Moment(0, 1) if shown else None,
        reply="r",
        abstained=abstained,
        score=score,
        status=draw(st.sampled_from(lost)) if lost else AnswerStatus.ANSWERED,
    )


quizzes = st.lists(result(), max_size=12)


@given(quizzes)
def test_eus_is_what_is_known_and_what_is_rightly_abstained(quiz: list[Result]) -> None:
    found = knowledge.of(quiz)
    assert found.correct == found.correct_answerable + found.abstained_rightly


@given(quizzes)
def test_known_is_coverage_times_accuracy(quiz: list[Result]) -> None:
    found = knowledge.of(quiz)
    known, coverage = found.share("known"), found.share("coverage")
    accuracy = found.share("accuracy_answerable")
    if accuracy is not None and coverage is not None:
        assert known is not None
        assert abs(known - coverage * accuracy) < 1e-12


@given(quizzes)
def test_what_was_not_shown_is_abstained_on_or_claimed_or_the_reply_is_lost(
    quiz: list[Result],
) -> None:
    found = knowledge.of(quiz)
    lost = sum(
        result.answerable is None and result.status in UNREAD and isinstance(result.score, Graded)
        for result in quiz
    )
    assert found.abstained_rightly + found.overclaimed + lost == found.non_answerable


@given(quizzes)
def test_saying_nothing_more_changes_no_knowledge(quiz: list[Result]) -> None:
    """Adding rightly abstained questions raises EUS, if anything, and never what is known."""
    blind = Result(
        "w", "easy", "q", Type.MATCH, Format.WHAT, None, "non-answerable", True, Graded(1.0)
    )
    before, after = knowledge.of(quiz), knowledge.of([*quiz, blind])
    assert before.correct_answerable == after.correct_answerable
    for name, order in (("eus", ge), ("known", le)):
        earlier, later = before.share(name), after.share(name)
        if earlier is not None:
            assert later is not None
            assert order(later, earlier)


@given(quizzes, quizzes)
def test_counts_add_up(left: list[Result], right: list[Result]) -> None:
    one, other = knowledge.of(left).counts(), knowledge.of(right).counts()
    assert knowledge.of(left + right).counts() == {name: one[name] + other[name] for name in one}


@given(quizzes, st.randoms(use_true_random=False))
def test_order_changes_nothing(quiz: list[Result], chance: random.Random) -> None:
    mixed = list(quiz)
    chance.shuffle(mixed)
    assert knowledge.of(mixed) == knowledge.of(quiz)


@pytest.mark.slow
@given(st.lists(quizzes, min_size=1, max_size=6))
def test_the_contract_agrees_with_the_counts_of_all_worlds(worlds: list[list[Result]]) -> None:
    sat = [Sitting(f"w{n}", "easy", tuple(quiz), ()) for n, quiz in enumerate(worlds)]
    found = scores(sat, resamples=0)
    whole = knowledge.of(result for quiz in worlds for result in quiz)
    assert {name: found[name] for name in FRACTIONS} == {
        name: whole.share(name) for name in FRACTIONS
    }
    assert found["tsr"] is None


ratios = st.lists(
    st.integers(1, 30).flatmap(lambda below: st.tuples(st.integers(0, below), st.just(below))),
    min_size=2,
    max_size=12,
).map(lambda pairs: Ratio(tuple(one for one, _ in pairs), tuple(two for _, two in pairs)))


@given(ratios, st.integers(0, 5))
def test_an_interval_contains_its_share_and_has_a_width(ratio: Ratio, seed: int) -> None:
    bounds = intervals({"x": ratio}, resamples=200, seed=seed)["x"]
    assert bounds is not None
    assert ratio.value is not None
    assert 0 <= bounds[0] <= ratio.value <= bounds[1] <= 1
    assert bounds[0] < bounds[1]


@given(ratios, st.integers(0, 5))
def test_an_interval_is_within_the_extremes_of_worlds_that_differ(ratio: Ratio, seed: int) -> None:
    shares = [above / below for above, below in zip(ratio.above, ratio.below, strict=True)]
    low, high = intervals({"x": ratio}, resamples=200, seed=seed)["x"] or (0.0, 1.0)
    one_each = set(ratio.below) == {1}
    assert one_each or len(set(shares)) == 1 or min(shares) - 1e-6 <= low <= high
    assert one_each or len(set(shares)) == 1 or high <= max(shares) + 1e-6


@given(st.integers(2, 60), st.integers(1, 40), st.sampled_from([0, 1]))
def test_worlds_that_show_one_outcome_only_count_as_one_trial_each(
    worlds: int, questions: int, right: int
) -> None:
    """Scores of 0 and 1: Wilson's interval, and the same whatever benchmark asks."""
    ratio = Ratio((float(right * questions),) * worlds, (float(questions),) * worlds)
    assert intervals({"x": ratio}, resamples=50)["x"] == wilson(right * worlds, worlds)


@pytest.mark.parametrize("worlds", [4, 40])
@pytest.mark.parametrize("block", [1, 64])
def test_draws_do_not_depend_on_how_many_are_worked_on_at_a_time(
    monkeypatch: pytest.MonkeyPatch, worlds: int, block: int
) -> None:
    above = tuple(float(n * 7 % 5) for n in range(worlds))
    left = Ratio(above, (5.0,) * worlds)
    right = Ratio(above[::-1], (5.0,) * worlds)

    def found() -> object:
        drawing._weights.cache_clear()
        drawing._exchanges.cache_clear()
        pair = drawing.differences({"x": (left, right)}, resamples=300)
        return drawing.intervals({"x": left}, resamples=300), pair

    expected = found()
    monkeypatch.setattr(drawing, "_BLOCK", block)
    assert found() == expected


# Confidence and p-values

shares = st.lists(
    st.integers(1, 12).flatmap(
        lambda below: st.tuples(st.integers(0, below), st.integers(0, below), st.just(below))
    ),
    min_size=2,
    max_size=15,
)


def sides(rows: list[tuple[int, int, int]]) -> tuple[Ratio, Ratio]:
    left, right, below = map(tuple, zip(*rows, strict=True))
    return Ratio(left, below), Ratio(right, below)


@given(shares)
def test_p_is_a_probability_and_symmetric(rows: list[tuple[int, int, int]]) -> None:
    left, right = sides(rows)
    p = sign_flip(left, right, draws=200)
    assert p is not None
    assert 0 < p <= 1
    assert p == sign_flip(right, left, draws=200)


@given(shares, st.randoms(use_true_random=False))
def test_p_does_not_depend_on_the_order_of_worlds(
    rows: list[tuple[int, int, int]], chance: random.Random
) -> None:
    mixed = list(rows)
    chance.shuffle(mixed)
    assert sign_flip(*sides(rows), draws=200) == sign_flip(*sides(mixed), draws=200)


families = st.lists(st.none() | st.floats(0, 1), max_size=12)


@given(families)
def test_holm_never_lowers_and_keeps_the_order(values: list[float | None]) -> None:
    adjusted = holm(values)
    pairs = [
        (raw, new)
        for raw, new in zip(values, adjusted, strict=True)
        if raw is not None and new is not None
    ]
    assert [raw is None for raw in values] == [new is None for new in adjusted]
    assert all(raw <= new <= 1 for raw, new in pairs)
    ranked = [new for _, new in sorted(pairs)]
    assert ranked == sorted(ranked)
