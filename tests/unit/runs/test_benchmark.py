"""Our own benchmarks name what exists."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import fields
from functools import partial

import pytest

from worldquiz.mango.benchmark import BENCHMARK as MANGO
from worldquiz.plugins import Hook
from worldquiz.runs.benchmark import Benchmark
from worldquiz.t2q.benchmark import BENCHMARK as T2Q
from worldquiz.tea.benchmark import BENCHMARK as TEA


def hooks(benchmark: Benchmark) -> Iterator[Hook]:
    """Yield all names of functions in a benchmark, those inside of other calls too."""
    for part in (benchmark, *benchmark.kinds):
        for field in fields(part):
            value = getattr(part, field.name)
            within = value.args if isinstance(value, partial) else ()
            for each in (value, getattr(value, "__self__", None), *within):
                if isinstance(each, Hook):
                    yield each


@pytest.mark.parametrize("benchmark", [T2Q, MANGO, TEA], ids=lambda each: each.name)
def test_every_function_that_a_benchmark_names_exists(benchmark: Benchmark) -> None:
    named = list(hooks(benchmark))
    assert len(named) >= 4
    for each in named:
        assert callable(each.resolved()), each.place
