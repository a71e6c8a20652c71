from __future__ import annotations

from pathlib import Path

import pytest

import toy_benchmark
from worldquiz.plugins import Catalogue
from worldquiz.runs import benchmark


@pytest.fixture
def toy(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder of sums, of a benchmark that is the only one installed."""
    known = Catalogue("benchmark", "none", {"toy": "toy_benchmark:BENCHMARK"})
    monkeypatch.setattr(benchmark, "CATALOGUE", known)
    return toy_benchmark.write(tmp_path / "sums", "toy", sums=["1+1", "0+2", "2+0", "3-1"])
