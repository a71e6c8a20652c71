"""First sentences of a page: nothing is called a lead that is not clearly one."""

from __future__ import annotations

from collections.abc import Mapping

import pytest
from hypothesis import given
from hypothesis import strategies as st

from worldquiz.page.findings import Gaps, Share, Side, findings
from worldquiz.stats.intervals import Difference

SURE, UNSURE = Difference(0.12, 0.05, 0.19, 0.001), Difference(0.12, -0.05, 0.29, 0.2)
Pairs = Mapping[tuple[str, str], Gaps]


def side(name: str, score: float, bound: str = "") -> Side:
    return Side(name, Share(score, (score - 0.1, score + 0.1), "9 questions about 2 worlds"), bound)


def said(sides: list[Side], pairs: Pairs, *, corrected: bool = True) -> list[str]:
    def compare(left: Side, right: Side) -> Gaps:
        return pairs.get((left.name, right.name), Gaps())

    return findings(sides, compare, "knowledge", corrected=corrected)


def test_baselines_lead_nothing_where_something_is_measured() -> None:
    sides = [side("a", 0.9, "upper-bound"), side("b", 0.4), side("c", 0.2, "lower-bound")]
    told = said(sides, {("b", "c"): Gaps(SURE)})
    assert told[0] == "b: knowledge 0.40 [0.30, 0.50] (9 questions about 2 worlds)."
    assert told[1] == "That is more than the best lower bound, c: +0.12 [0.05, 0.19]."
    told = said(sides, {("b", "c"): Gaps(UNSURE)})
    assert told[1].startswith("That is not clearly more than the best lower bound")


def test_who_may_have_guessed_is_named_where_the_score_tells_it() -> None:
    told = said([side("a", 0.05)], {})
    assert told[-1] == "Not clearly above guessing: a (0.05 [−0.05, 0.15])."
    assert len(said([side("a", 0.05)], {}, corrected=False)) == 1


def test_nothing_graded_is_said() -> None:
    assert said([Side("a", None)], {}) == ["No question has a grade."]


differences = st.builds(
    lambda value, low, width, p: Difference(value, min(value, low), max(value, low + width), p),
    st.floats(-1, 1), st.floats(-1, 1), st.floats(0, 1), st.floats(0, 1),
)  # fmt: skip


@given(st.lists(st.floats(-0.5, 1), min_size=2, max_size=6), st.data())
def test_a_lead_is_clear_only_where_it_is(values: list[float], data: st.DataObject) -> None:
    sides = [side("abcdef"[n], value) for n, value in enumerate(values)]
    gaps = st.builds(Gaps, st.none() | differences)
    pairs = {(a.name, b.name): data.draw(gaps) for a in sides for b in sides if a is not b}
    told = said(sides, pairs)
    for (left, right), found in pairs.items():
        if any(f" more than {right} on" in each and each.startswith(f"{left} ") for each in told):
            assert found.score
            assert found.score.low > 0
            assert found.score.p < 0.05
    assert told == said(sides, pairs)


@pytest.mark.parametrize("few", range(3, 9))
def test_long_lists_are_cut(few: int) -> None:
    sides = [side("abcdefgh"[n], 0.9 - n / 100) for n in range(few)]
    first = said(sides, {("a", each.name): Gaps(UNSURE) for each in sides[1:]})[0]
    assert (" more is not clear" in first) == (few > 6)
