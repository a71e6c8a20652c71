"""Limits: reached exactly when what was taken says so."""

from __future__ import annotations

from contextlib import suppress

import pytest
from hypothesis import given
from hypothesis import strategies as st

from worldquiz.llm.calls import Meter
from worldquiz.llm.model import Purpose, Usage
from worldquiz.runs.losses import LimitReached

CALLS = st.lists(st.tuples(st.integers(0, 50), st.integers(0, 50)), max_size=10)


@given(CALLS, st.integers(0, 9), st.integers(0, 500))
def test_tokens_count_over_all_commands_of_a_run(
    calls: list[tuple[int, int]], before: int, most: int
) -> None:
    used = [Usage(Purpose.QUIZ, 1, prompt, 0, reply) for prompt, reply in calls]
    meter, total = Meter(None, most, used[:before]), sum(map(sum, calls[:before]))
    for usage in used[before:]:
        meter.add(usage)
        total += usage.input + usage.output
    if total < most:
        meter.check()
    else:
        with pytest.raises(LimitReached, match="--max-tokens"):
            meter.check()


@given(st.integers(0, 300), st.integers(0, 500), st.integers(2, 5))
def test_processes_together_take_what_one_may_take(before: int, most: int, count: int) -> None:
    """Each one's last call may go beyond its share, as that of a single process may."""
    spent, call = [Usage(Purpose.QUIZ, 1, before)], Usage(Purpose.QUIZ, 1, 1)
    meters = [Meter(None, most, spent, processes=count) for _ in range(count)]
    for meter in meters:
        with suppress(LimitReached):
            while True:
                meter.check()
                meter.add(call)
        with pytest.raises(LimitReached, match=f"is reached by one of {count} processes"):
            meter.check()
    used = before + sum(meter.tokens - before for meter in meters)
    assert max(before, most) <= used < max(before, most) + count


def test_a_cost_ends_a_run() -> None:
    meter = Meter(0.5)
    meter.add(Usage(Purpose.ACT, 1, cost=0.4))
    meter.check()
    meter.add(Usage(Purpose.ACT, 1, cost=0.1))
    with pytest.raises(LimitReached, match=r"--max-cost 0\.5 is reached: \$0\.5000"):
        meter.check()
    Meter().check()
