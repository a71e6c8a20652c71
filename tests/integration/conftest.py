"""Data that many integration tests read, made once."""

from __future__ import annotations

from pathlib import Path

import pytest

import worldquiz as wq
from conftest import Shared
from worldquiz.tea.interact import Loops


@pytest.fixture(scope="session")
def flats(shared: Shared) -> Path:
    """Two small apartments with the tasks of two loops; nobody may write into the folder."""
    loops = Loops(loops=2, bouts=1, looks=2)
    return shared(
        "flats",
        lambda out: wq.tea.build("tiny", seed=5, scenes=2, loops=loops, size=(320, 240), out=out),
    )
