from __future__ import annotations

from pathlib import Path

import pytest

import toy_benchmark
from conftest import Install


@pytest.fixture
def toy(tmp_path: Path, install: Install) -> Path:
    """A folder of sums, of a benchmark that another package installs."""
    install("worldquiz.benchmarks", "toy", toy="toy_benchmark:BENCHMARK")
    return toy_benchmark.write(tmp_path / "sums", "toy", sums=["1+1", "0+2", "2+0", "3-1"])
