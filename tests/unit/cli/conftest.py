from __future__ import annotations

from pathlib import Path

import pytest

import toy_benchmark


@pytest.fixture
def toy(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder of sums, of a benchmark that another package installs."""
    told = tmp_path / "site" / "toy-1.0.dist-info"
    told.mkdir(parents=True)
    (told / "entry_points.txt").write_text(
        "[worldquiz.benchmarks]\ntoy = toy_benchmark:BENCHMARK\n"
    )
    monkeypatch.syspath_prepend(told.parent)
    return toy_benchmark.write(tmp_path / "sums", "toy", sums=["1+1", "0+2", "2+0", "3-1"])
