"""What a server says of tokens is believed only where it can be."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from inspect_ai.model import ModelOutput, ModelUsage

from worldquiz.llm.records import Purpose, Usage
from worldquiz.llm.response import MOST_TOKENS
from worldquiz.llm.usage import Counter


def counted(**used: Any) -> Usage:
    counter, output = Counter(), ModelOutput.from_content("m", "x")
    output.usage = ModelUsage(**used)
    counter.add(counter.number(), Purpose.ACT, output)
    (found,) = counter.usage()
    return found


UNKNOWN = Usage(Purpose.ACT, calls=1, unknown=1)


@pytest.mark.parametrize(
    "used",
    [
        {"input_tokens": -5, "output_tokens": 3},
        {"input_tokens": 5, "output_tokens": -3},
        {"input_tokens": 10**30, "output_tokens": 3},
        {"input_tokens": 5, "output_tokens": MOST_TOKENS + 1},
        {"input_tokens": 5, "output_tokens": 3, "input_tokens_cache_read": -1},
        {"input_tokens": 5, "output_tokens": 3, "input_tokens_cache_write": 10**12},
        {"input_tokens": 5, "output_tokens": 3, "total_cost": -0.1},
        {"input_tokens": 5, "output_tokens": 3, "total_cost": float("nan")},
        {"input_tokens": 5, "output_tokens": 3, "total_cost": float("inf")},
    ],
)
def test_counts_that_cannot_be_are_unknown(used: dict[str, Any]) -> None:
    assert counted(**used) == UNKNOWN


HALF = MOST_TOKENS // 2


@given(st.integers(0, HALF), st.integers(0, MOST_TOKENS), st.integers(0, HALF))
def test_counts_that_can_be_are_kept(read: int, written: int, cached: int) -> None:
    found = counted(input_tokens=read, output_tokens=written, input_tokens_cache_read=cached)
    assert found == Usage(Purpose.ACT, 1, read + cached, cached, written)
