"""A page whose plots are left out."""

from __future__ import annotations

import pytest

from worldquiz.t2q.report import plots


@pytest.fixture
def undrawn(monkeypatch: pytest.MonkeyPatch) -> None:
    """Leave the plots out: they take most of a page's time, and have tests of their own."""
    for name in (
        "types", "levels", "figure_4", "figure_5", "figure_6",
        "figure_8", "causes", "confidence",
    ):  # fmt: skip
        monkeypatch.setattr(plots, name, lambda runs: "")
