"""What makes a difference in knowledge: parts that add up to it, by cause where one is known."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

import synthetic
from worldquiz.report.findings import text
from worldquiz.t2q.report.entries import entries
from worldquiz.t2q.report.first import first, gaps, success_against_eus
from worldquiz.t2q.store import RunRecord

SCOUT = synthetic.run("scout", "reader")
IDLE = synthetic.run("idle", "abstainer")
MODEL = synthetic.model_run()
WORSE = synthetic.model_run(memory="none", replies=("yes",) * 6)


@pytest.mark.parametrize("runs", [(SCOUT, IDLE), (MODEL, WORSE), (MODEL, SCOUT), (SCOUT, WORSE)])
def test_the_parts_of_a_difference_add_up_to_it(runs: Sequence[RunRecord]) -> None:
    left, right = entries(runs)
    found = gaps(left, right)
    assert found.knowing
    parts = [part.value for part in found.parts.values() if part]
    assert sum(parts) == pytest.approx(found.knowing.value)
    back = gaps(right, left)
    assert back.knowing
    assert back.knowing.value == pytest.approx(-found.knowing.value)


def test_causes_take_the_answering_apart_where_both_runs_have_them() -> None:
    coarse = {"exploration", "memory and reasoning"}
    assert set(gaps(*entries([MODEL, SCOUT])).parts) == coarse
    fine = set(gaps(*entries([MODEL, WORSE])).parts)
    assert "memory and reasoning" not in fine
    assert {"exploration", "false answers"} <= fine


def test_runs_on_other_worlds_are_not_compared() -> None:
    found = gaps(*entries([SCOUT, synthetic.run("scout", "reader", worlds=1)]))
    assert found.knowing is None
    assert found.why == "not the same worlds"


def test_the_first_screen_names_runs_by_their_letters() -> None:
    screen = first(entries([SCOUT, IDLE]))
    assert "A scout + reader" in text(screen["findings"][0])
    assert [side.role for side in screen["sides"]] == ["agent", "lower-bound"]
    assert "EUS" in success_against_eus(entries([SCOUT, IDLE]))
