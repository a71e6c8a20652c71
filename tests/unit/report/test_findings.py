"""What a page says first: nothing is called more that is not clearly so, and parting is told."""

from __future__ import annotations

from collections.abc import Mapping

import pytest
from hypothesis import given
from hypothesis import strategies as st

from worldquiz.report.findings import Gaps, Share, Side, Terms, findings, text
from worldquiz.stats.intervals import Difference

SURE, UNSURE = Difference(0.12, 0.05, 0.19, 0.001), Difference(0.12, -0.05, 0.29, 0.2)
LESS = Difference(-0.2, -0.3, -0.1, 0.001)
TERMS = Terms(doing="tasks won")
Pairs = Mapping[tuple[str, str], Gaps]


def side(tag: str, knowing: float, doing: float | None = None, role: str = "agent") -> Side:
    share = None if doing is None else Share(doing, (doing - 0.1, doing + 0.1), "3 of 9 tasks")
    known = Share(knowing, (knowing - 0.1, knowing + 0.1))
    return Side(tag, tag.lower(), "ABCDEFGH".index(tag), role, known, share)


def said(sides: list[Side], pairs: Pairs, terms: Terms = TERMS) -> list[str]:
    def compare(left: Side, right: Side) -> Gaps:
        return pairs.get((left.tag, right.tag), Gaps())

    return [text(sentence) for sentence in findings(sides, compare, terms)]


def test_a_clear_lead_says_by_how_much_and_which_part_is_most_of_it() -> None:
    parts = {"exploration": Difference(0.1, 0.06, 0.14, 0.001), "memory and reasoning": UNSURE}
    told = said([side("A", 0.5), side("B", 0.62)], {("B", "A"): Gaps(SURE, parts=parts)})
    assert told[0].startswith("B b knows more than A a of the same worlds: +0.12 [0.05, 0.19]; ")
    assert "of the difference is " in told[0]
    small = {"exploration": Difference(0.1, 0.06, 0.14, 0.001), "memory": Difference(0.02, 0, 1, 1)}
    told = said([side("A", 0.5), side("B", 0.62)], {("B", "A"): Gaps(SURE, parts=small)})
    assert told[0].endswith("; most of the difference is exploration (+0.10 [0.06, 0.14]).")


def test_parts_of_which_none_is_most_are_all_told() -> None:
    parts = {name: Difference(0.06, 0.0, 0.1, 0.5) for name in ("exploration", "memory")}
    told = said([side("A", 0.5), side("B", 0.62)], {("B", "A"): Gaps(SURE, parts=parts)})
    assert told[0].endswith("; exploration +0.06 [0.00, 0.10], memory +0.06 [0.00, 0.10].")


def test_an_unclear_lead_is_not_called_one_and_an_interval_of_few_worlds_is_not_believed() -> None:
    told = said([side("A", 0.5), side("B", 0.62)], {("B", "A"): Gaps(UNSURE)})
    assert told[0].startswith("No run clearly knows most. B b has the highest knowledge, 0.62 [")
    assert "over A a (+0.12 [−0.05, 0.29]) is not clear." in told[0]
    few = Difference(1.0, 1.0, 1.0, 0.5)
    told = said([side("A", 0.5), side("B", 0.62)], {("B", "A"): Gaps(few)})
    assert "(+1.00 [1.00, 1.00], p 0.50) is not clear: there is too little to" in told[0]
    assert "(not the same worlds)" in said([side("A", 0.5), side("B", 0.6)], {})[0]


def test_doing_and_knowing_part_where_one_run_does_more_and_the_other_knows_more() -> None:
    pairs = {("A", "B"): Gaps(SURE, LESS), ("B", "A"): Gaps(LESS, SURE)}
    told = said([side("A", 0.6, 0.1), side("B", 0.4, 0.3)], pairs)
    assert told[1] == (
        "Doing and knowing part: B b does more than A a (tasks won +0.12 [0.05, 0.19]) and knows "
        "less (knowledge −0.20 [−0.30, −0.10])."
    )
    pairs = {("A", "B"): Gaps(UNSURE, LESS), ("B", "A"): Gaps(UNSURE, SURE)}
    told = said([side("A", 0.6, 0.1), side("B", 0.4, 0.3)], pairs)
    assert "does more than A a" in told[1]
    assert "does not clearly know more" in told[1]
    both = {("A", "B"): Gaps(SURE, SURE), ("B", "A"): Gaps(LESS, LESS)}
    assert len(said([side("A", 0.6, 0.1), side("B", 0.4, 0.3)], both)) == 1


def test_baselines_lead_nothing_where_something_is_measured() -> None:
    sides = [side("A", 0.9, role="upper-bound"), side("B", 0.4), side("C", 0.2, role="lower-bound")]
    told = said(sides, {("B", "C"): Gaps(SURE)})
    assert told[0].startswith("B b knows 0.40")
    assert told[1] == "That is more than the best lower bound, C c: +0.12 [0.05, 0.19]."
    told = said(sides, {("B", "C"): Gaps(UNSURE)})
    assert told[1].startswith("That is not clearly more than the best lower bound")


def test_who_may_have_guessed_is_named_where_the_score_tells_it() -> None:
    told = said([side("A", 0.05)], {})
    assert told[-1] == "Not clearly above guessing: A a (0.05 [−0.05, 0.15])."
    assert len(said([side("A", 0.05)], {}, Terms(corrected=False))) == 1


def test_runs_that_know_the_same_have_no_lead() -> None:
    even = Gaps(Difference(0.0, 0.0, 0.0, 1.0))
    told = said([side("A", 0.6), side("B", 0.6)], {("A", "B"): even})
    assert told[0] == ("A a and B b have the same knowledge of the same worlds: 0.60 [0.50, 0.70].")
    told = said([side("A", 0.6), side("B", 0.6), side("C", 0.2)], {("A", "B"): even})
    assert told[0].startswith("No run clearly knows most.")


def test_a_reference_that_knows_more_than_the_only_agent_is_named() -> None:
    told = said([side("A", 0.2), side("B", 0.6, role="reference")], {})
    assert told[1] == "More than that has B b: knowledge 0.60 [0.50, 0.70]."
    assert len(said([side("A", 0.6), side("B", 0.2, role="reference")], {})) == 1


def test_nothing_graded_is_said() -> None:
    assert said([Side("A", "a", 0)], {}) == ["No question has a grade."]


differences = st.builds(
    lambda value, low, width, p: Difference(value, min(value, low), max(value, low + width), p),
    st.floats(-1, 1), st.floats(-1, 1), st.floats(0, 1), st.floats(0, 1),
)  # fmt: skip
gaps = st.builds(Gaps, st.none() | differences, st.none() | differences)


@given(st.lists(st.floats(-0.5, 1), min_size=2, max_size=6), st.data())
def test_more_is_said_only_of_what_is_clearly_more(
    values: list[float], data: st.DataObject
) -> None:
    sides = [side("ABCDEF"[n], value, abs(value)) for n, value in enumerate(values)]
    pairs = {(a.tag, b.tag): data.draw(gaps) for a in sides for b in sides if a is not b}
    told = said(sides, pairs)
    for (left, right), found in pairs.items():
        knowing = found.knowing
        if any(f"{left} {left.lower()} knows more than {right} " in each for each in told):
            assert knowing
            assert knowing.low > 0
            assert knowing.p < 0.05
    assert told == said(sides, pairs)


@pytest.mark.parametrize("few", range(3, 9))
def test_long_lists_are_cut(few: int) -> None:
    sides = [side("ABCDEFGH"[n], 0.9 - n / 100) for n in range(few)]
    first = said(sides, {("A", each.tag): Gaps(UNSURE) for each in sides[1:]})[0]
    assert (" more is not clear" in first) == (few > 5)
