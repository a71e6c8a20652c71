"""The paired comparison, against scipy's own t-test, and the paper's printed numbers."""

from __future__ import annotations

from statistics import fmean

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from worldquiz.tea.written import paper
from worldquiz.tea.written.tables import paired

SHARES = st.floats(0, 1, allow_nan=False).map(lambda value: round(value, 3))


@settings(max_examples=40, deadline=None)
@given(st.lists(st.tuples(SHARES, SHARES), min_size=3, max_size=12))
def test_it_is_scipys_t_test(pairs: list[tuple[float, float]]) -> None:
    from scipy.stats import ttest_rel

    ours, theirs = zip(*pairs, strict=True)
    found = paired(ours, theirs)
    assert found is not None
    assert found.mean == pytest.approx(fmean(ours) - fmean(theirs), abs=1e-9)
    if found.t is None:
        assert len({round(a - b, 9) for a, b in pairs}) == 1
    else:
        known = ttest_rel(ours, theirs)
        assert (found.t, found.p) == pytest.approx((known.statistic, known.pvalue), rel=1e-6)
    back = paired(theirs, ours)
    assert back is not None
    assert (back.mean, back.p, back.exchanged) == (-found.mean, found.p, found.exchanged)


def test_differences_that_are_all_equal_have_no_t() -> None:
    found = paired([0.3, 0.5, 0.9], [0.1, 0.3, 0.7])
    assert found is not None
    assert (found.t, found.p, found.effect, found.above) == (None, None, None, 3)
    assert (found.low, found.high) == (0.2, 0.2)


def test_one_scene_has_a_difference_and_nothing_more() -> None:
    found = paired([0.5], [0.2])
    assert found is not None
    assert (found.scenes, found.mean, found.sd, found.p, found.low) == (1, 0.3, None, None, None)
    assert paired([], []) is None


def test_other_scenes_make_no_pairs() -> None:
    with pytest.raises(ValueError, match="no pairs"):
        paired([0.1], [0.1, 0.2])


def test_the_papers_shares_are_those_it_prints() -> None:
    assert fmean(paper.MIR_E.values()) == pytest.approx(0.75, abs=0.005)
    first = paper.SCENES["0"]
    assert round(first["without"][0] / first["without"][1], 2) == 0.13
    assert [round(a / b, 2) for a, b in first["second_each"]] == [1.0, 0.73, 0.8, 0.73, 0.67]
    last = paper.SCENES["9"]
    assert [round(a / b, 2) for a, b in last["second_each"]] == [0.32, 1.0, 0.66, 0.67, 0.6]
    for column in paper.TABLE_2:
        x, y, z = column["extent"]
        assert x * y * z == pytest.approx(column["volume"], rel=0.002)
